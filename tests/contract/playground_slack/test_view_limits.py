"""What a modal may hold, and Slack's words for what it may not."""

import pytest

from app.playground.slack import SlackPlayground
from tests.contract.playground_slack.kit import Json, actions, button, field, modal, plain, triggered
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import Bot, refusal, refused


async def problems(slack: SlackPlayground, bot: Bot, view: Json) -> list[str]:
    """Return why Slack refuses a view, without the sentence that comes with all of them."""
    async with Line(slack) as line:
        answer = await refusal(bot.views_open(trigger_id=await triggered(slack, line), view=view))
    assert answer["error"] == "invalid_arguments"
    messages = [message.removeprefix("[ERROR] ") for message in answer["response_metadata"]["messages"]]
    assert messages[0] == "failed to match all allowed schemas [json-pointer:/view]"
    return messages[1:]


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        # Fact sheet 2.5: 100 blocks, 24 characters around them, 3000 of metadata, 255 of callback_id and external_id.
        (modal(title="x" * 25), "must be less than 25 characters [json-pointer:/view/title/text]"),
        (modal(submit=plain("x" * 25)), "must be less than 25 characters [json-pointer:/view/submit/text]"),
        (modal(close=plain("x" * 25)), "must be less than 25 characters [json-pointer:/view/close/text]"),
        (modal(private_metadata="x" * 3001), "must be less than 3001 characters [json-pointer:/view/private_metadata]"),
        (modal(callback_id="x" * 256), "must be less than 256 characters [json-pointer:/view/callback_id]"),
        (modal(external_id="x" * 256), "must be less than 256 characters [json-pointer:/view/external_id]"),
        (modal(*[{"type": "divider"}] * 101), "no more than 100 items allowed [json-pointer:/view/blocks]"),
        (modal(colour="red"), "invalid additional property: colour [json-pointer:/view]"),
        (modal(type="home"), "must be a valid enum value [json-pointer:/view/type]"),
        (modal(submit={"type": "mrkdwn", "text": "*"}), "must be a plain_text object [json-pointer:/view/submit]"),
        # node-slack-sdk 875 quotes these words.
        (
            {name: value for name, value in modal().items() if name != "submit"},
            "must define `submit` to use `input` block [json-pointer:/view/blocks/0/input]",
        ),
        # Slack's reference of blocks and of elements: what may stand where.
        (modal({"type": "markdown", "text": "hi"}), "unsupported type: markdown [json-pointer:/view/blocks/0/type]"),
        (modal(field("go", "button")), "unsupported type: button [json-pointer:/view/blocks/0/element/type]"),
        (
            modal(actions({"type": "plain_text_input", "action_id": "a"})),
            "unsupported type: plain_text_input [json-pointer:/view/blocks/0/elements/0/type]",
        ),
        (modal(field("a"), field("a")), 'block_id "a" already exists [json-pointer:/view/blocks/1/block_id]'),
        (
            modal(field("n", "number_input")),
            "missing required field: is_decimal_allowed [json-pointer:/view/blocks/0/element]",
        ),
        (
            modal(field("name", max_length=3001)),
            "must be less than or equal to 3000 [json-pointer:/view/blocks/0/element/max_length]",
        ),
        (
            modal(field("pick", "radio_buttons", options=[{"text": plain("x"), "value": str(n)} for n in range(11)])),
            "no more than 10 items allowed [json-pointer:/view/blocks/0/element/options]",
        ),
    ],
)
async def test_view_past_a_limit_is_refused_with_its_place(slack: SlackPlayground, bot: Bot, view: Json, problem: str):
    assert problem in await problems(slack, bot, view)


@pytest.mark.parametrize("missing", ["title", "blocks"])
async def test_view_without_what_every_modal_has_is_refused(slack: SlackPlayground, bot: Bot, missing: str):
    view = {name: value for name, value in modal(actions(button("go"))).items() if name != missing}
    assert await problems(slack, bot, view) == [f"missing required field: {missing} [json-pointer:/view]"]


async def test_view_of_more_than_250_kilobytes_is_too_large(slack: SlackPlayground, bot: Bot):
    # Fact sheet 2.5: view_too_large.
    block = {"type": "section", "text": plain("x" * 2900)}
    async with Line(slack) as line:
        trigger = await triggered(slack, line)
        assert await refused(bot.views_open(trigger_id=trigger, view=modal(*[block] * 90))) == "view_too_large"
