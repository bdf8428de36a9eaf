"""Modals from trigger to screen: views.open, push and update, and what Slack refuses."""

from typing import Any

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, user_id
from tests.contract.playground_slack.kit import (
    Json,
    actions,
    button,
    field,
    listening,
    modal,
    opened,
    opening,
    plain,
    triggered,
)
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import Bot, bot_of, refusal, refused


async def test_opened_view_comes_back_as_slack_keeps_it(slack: SlackPlayground, bot: Bot):
    # Fact sheet 2.5.
    given = modal(field("name"), actions(button("go")), private_metadata="m", external_id="e1")
    async with Line(slack) as line:
        view = (await bot.views_open(trigger_id=await triggered(slack, line), view=given))["view"]
    assert view["id"].startswith("V")
    assert (view["root_view_id"], view["previous_view_id"]) == (view["id"], None)
    assert (view["app_id"], view["team_id"]) == (slack.app_id, slack.team_id)
    assert (view["bot_id"], view["state"]) == (slack.workspace.app.bot_id, {"values": {}})
    assert (view["callback_id"], view["private_metadata"], view["external_id"]) == ("goal", "m", "e1")
    assert (view["close"], view["clear_on_close"], view["notify_on_close"]) == (None, False, False)
    assert view["blocks"] == given["blocks"]
    shown = slack.people.modal("Maya")
    assert shown is not None
    assert (shown.id, shown.hash, shown.label("title")) == (view["id"], view["hash"], "Goal")
    assert slack.people.modal("Sam") is None


async def test_blocks_and_elements_without_ids_are_given_some(slack: SlackPlayground, bot: Bot):
    bare = {"type": "input", "label": plain("Name"), "element": {"type": "plain_text_input"}}
    async with Line(slack) as line:
        view = (await bot.views_open(trigger_id=await triggered(slack, line), view=modal(bare)))["view"]
    assert view["blocks"][0]["block_id"]
    assert view["blocks"][0]["element"]["action_id"]


async def test_trigger_is_good_once(slack: SlackPlayground, bot: Bot):
    # Fact sheet 5: exchanged_trigger_id.
    async with Line(slack) as line:
        trigger = await triggered(slack, line)
        await bot.views_open(trigger_id=trigger, view=modal())
        assert await refused(bot.views_open(trigger_id=trigger, view=modal())) == "exchanged_trigger_id"


async def test_trigger_lives_three_seconds(start: Start):
    # Fact sheet 5: expired_trigger_id.
    slack = await start(SlackOptions(limits=False, time_scale=1e6))
    await slack.people.commands("Maya", "#general", "/goal")
    [delivery] = await slack.people.waits(lambda: slack.journal.of("delivery"))
    trigger = delivery["payload"]["trigger_id"]
    assert await refused(bot_of(slack).views_open(trigger_id=trigger, view=modal())) == "expired_trigger_id"
    assert slack.people.modal("Maya") is None


async def test_trigger_nobody_handed_out_is_invalid(bot: Bot):
    assert await refused(bot.views_open(trigger_id="1.2.abc", view=modal())) == "invalid_trigger_id"


async def test_view_that_is_refused_leaves_the_trigger_unused(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        trigger = await triggered(slack, line)
        await refused(bot.views_open(trigger_id=trigger, view=modal(title="")))
        assert (await bot.views_open(trigger_id=trigger, view=modal()))["ok"]


async def test_external_id_is_taken_while_its_modal_is_open(slack: SlackPlayground, bot: Bot):
    # Fact sheet 2.5: unique per team; slack-api-specs 52: free again once the modal was closed.
    view = modal(external_id="one")
    async with Line(slack) as line:
        await bot.views_open(trigger_id=await triggered(slack, line), view=view)
        sams = {"trigger_id": await triggered(slack, line, "Sam"), "view": view}
        assert await refused(bot.views_open(**sams)) == "duplicate_external_id"
        await slack.people.closes("Maya")
        assert (await bot.views_open(**sams))["ok"]


# --- push ------------------------------------------------------------------------------------------


def pushing(slack: SlackPlayground) -> Any:
    """Return a Bolt app whose modals have a button that pushes another."""
    app = opening(slack, modal(actions(button("more")), title="1"))

    async def push(ack: Any, body: Json) -> None:
        await ack()
        title = str(int(body["view"]["title"]["text"]) + 1)
        await app.client.views_push(trigger_id=body["trigger_id"], view=modal(actions(button("more")), title=title))

    app.action("more")(push)
    return app


def titles(slack: SlackPlayground) -> list[str]:
    return [view.label("title") for view in slack.workspace.views.stack(user_id(slack, "Maya"))]


async def test_pushed_modal_knows_what_is_under_it_and_uncovers_it(slack: SlackPlayground):
    async with listening(slack, pushing(slack)):
        first = await opened(slack)
        await slack.people.clicks_in_modal("Maya", "more")
        await slack.people.waits(lambda: titles(slack) == ["1", "2"])
        second = slack.people.modal("Maya")
        assert second is not None
        assert (second.root_id, second.previous_id) == (first.id, first.id)
        await slack.people.closes("Maya")
        assert titles(slack) == ["1"]


async def test_fourth_modal_on_a_stack_is_refused(slack: SlackPlayground):
    # Fact sheet 2.5: push_limit_reached.
    async with listening(slack, pushing(slack)):
        await opened(slack)
        for height in (2, 3):
            await slack.people.clicks_in_modal("Maya", "more")
            await slack.people.waits(lambda height=height: len(titles(slack)) == height)
        await slack.people.clicks_in_modal("Maya", "more")
        calls = await slack.people.waits(
            lambda: [call for call in slack.journal.of("call") if not call["answer"]["ok"]]
        )
    assert [(call["method"], call["answer"]["error"]) for call in calls] == [("views.push", "push_limit_reached")]
    assert titles(slack) == ["1", "2", "3"]


async def test_push_needs_a_trigger_from_within_a_modal(slack: SlackPlayground, bot: Bot):
    # Slack, views.push: a trigger_id generated from an interaction within the existing modal; not_found.
    async with Line(slack) as line:
        await bot.views_open(trigger_id=await triggered(slack, line), view=modal())
        assert await refused(bot.views_push(trigger_id=await triggered(slack, line), view=modal())) == "not_found"


# --- update ----------------------------------------------------------------------------------------


async def test_update_keeps_what_was_entered_where_block_and_action_are_the_same(slack: SlackPlayground, bot: Bot):
    async with listening(slack, opening(slack, modal(field("name"), field("place")))):
        view = await opened(slack)
    await slack.people.fills("Maya", name="Rota", place="here")
    answer = await bot.views_update(view_id=view.id, view=modal(field("name"), field("room")))
    shown = slack.people.modal("Maya")
    assert shown is not None
    assert (shown.id, shown.hash) == (view.id, answer["view"]["hash"])
    assert {key: state["value"] for key, state in shown.values.items()} == {("name", "name"): "Rota"}


async def test_update_with_the_hash_of_an_earlier_content_conflicts(slack: SlackPlayground, bot: Bot):
    # Fact sheet 2.5: hash_conflict.
    async with listening(slack, opening(slack, modal(external_id="mine"))):
        view = await opened(slack)
    update = {"hash": view.hash, "view": modal(title="Better", external_id="mine")}
    await bot.views_update(external_id="mine", **update)
    assert await refused(bot.views_update(external_id="mine", **update)) == "hash_conflict"
    assert titles(slack) == ["Better"]


async def test_update_of_a_modal_that_was_closed_finds_nothing(slack: SlackPlayground, bot: Bot):
    async with listening(slack, opening(slack, modal())):
        view = await opened(slack)
    await slack.people.closes("Maya")
    assert await refused(bot.views_update(view_id=view.id, view=modal())) == "not_found"


async def test_update_names_its_view_in_one_way(bot: Bot):
    # slack-go 667 quotes these words.
    answer = await refusal(bot.api_call("views.update", json={"view": modal(), "view_id": "V1", "external_id": "e"}))
    assert answer["response_metadata"]["messages"] == ["[ERROR] Cannot provide both `view_id` and `external_id`"]
    assert await refused(bot.api_call("views.update", json={"view": modal()})) == "invalid_arguments"


# --- interactions inside ---------------------------------------------------------------------------


async def test_click_in_a_modal_carries_the_view_and_no_message(slack: SlackPlayground):
    heard: list[Json] = []
    app = opening(slack, modal(field("name", initial_value="Rota"), actions(button("go", "7"))))

    async def go(ack: Any, body: Json) -> None:
        await ack()
        heard.append(body)

    app.action("go")(go)
    async with listening(slack, app):
        view = await opened(slack)
        await slack.people.clicks_in_modal("Maya", "go")
        await slack.people.waits(lambda: heard)
    [payload] = heard
    assert payload["container"] == {"type": "view", "view_id": view.id}
    assert payload["view"]["state"]["values"]["name"]["name"] == {"type": "plain_text_input", "value": "Rota"}
    assert payload["actions"][0]["value"] == "7"
    assert not {"message", "channel", "response_url", "state"} & payload.keys()


async def test_modal_closed_is_told_only_if_asked_for(slack: SlackPlayground):
    async with Line(slack) as line:
        bot = bot_of(slack)
        for asked in (False, True):
            view = modal(notify_on_close=asked, title=str(asked))
            await bot.views_open(trigger_id=await triggered(slack, line), view=view)
            await slack.people.closes("Maya")
        payload = await line.interaction()
    assert (payload["type"], payload["view"]["title"]["text"], payload["is_cleared"]) == ("view_closed", "True", False)
    assert slack.people.modal("Maya") is None


async def test_modal_that_clears_on_close_takes_the_stack_with_it(slack: SlackPlayground):
    bot = bot_of(slack)
    async with Line(slack) as line:
        under = modal(actions(button("more")), title="under", notify_on_close=True)
        await bot.views_open(trigger_id=await triggered(slack, line), view=under)
        await slack.people.clicks_in_modal("Maya", "more")
        trigger = (await line.interaction())["trigger_id"]
        await bot.views_push(trigger_id=trigger, view=modal(title="top", clear_on_close=True, notify_on_close=True))
        await slack.people.closes("Maya")
        told = [(await line.interaction()) for _ in range(2)]
    assert [(payload["view"]["title"]["text"], payload["is_cleared"]) for payload in told] == [
        ("top", True),
        ("under", True),
    ]
    assert titles(slack) == []


async def test_person_without_a_modal_is_told_so(slack: SlackPlayground):
    with pytest.raises(LookupError, match="Maya has no modal open"):
        await slack.people.submits("Maya")
