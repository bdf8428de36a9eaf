"""Elements Slack refuses in messages and modals: their options, confirmations, first values and bounds."""

from typing import Any

import pytest

from app.playground.slack import SlackPlayground
from tests.contract.playground_slack.kit import Json, actions, field, modal, option, plain, select, triggered
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import Bot, refusal

CONFIRM: Json = {"title": plain("Sure?"), "text": plain("It is gone."), "confirm": plain("Yes"), "deny": plain("No")}
MRKDWN: Json = {"type": "mrkdwn", "text": "*x*"}
ELEMENT = "/blocks/0/elements/0"


def menu(*options: Json, **fields: Any) -> Json:
    return {"type": "overflow", "action_id": "menu", "options": list(options) or [option("edit")], **fields}


def ticks(kind: str, **fields: Any) -> Json:
    return {"type": kind, "action_id": "ticks", "options": [option("a"), option("b")], **fields}


def without(thing: Json, name: str) -> Json:
    return {key: value for key, value in thing.items() if key != name}


def group(*values: str, label: str = "Group") -> Json:
    return {"label": plain(label), "options": [option(value) for value in values]}


def grouped(*groups: Json, **fields: Any) -> Json:
    return {"type": "static_select", "action_id": "it", "option_groups": list(groups), **fields}


#: From Slack's reference of block elements and composition objects.
IN_MESSAGES: dict[str, tuple[Json, str]] = {
    "menu without entries": (without(menu(), "options"), f"missing required field: options [json-pointer:{ELEMENT}]"),
    "entry in mrkdwn": (
        menu({"text": MRKDWN, "value": "1"}),
        f"must be a plain_text object [json-pointer:{ELEMENT}/options/0/text]",
    ),
    "entry without a value": (
        menu({"text": plain("x")}),
        f"missing required field: value [json-pointer:{ELEMENT}/options/0]",
    ),
    "entry with what no entry has": (
        menu(option("a") | {"style": "danger"}),
        f"invalid additional property: style [json-pointer:{ELEMENT}/options/0]",
    ),
    "link of 3001 characters": (
        menu(option("a") | {"url": "https://example.com/".ljust(3001, "x")}),
        f"must be less than 3001 characters [json-pointer:{ELEMENT}/options/0/url]",
    ),
    "menu with a placeholder": (
        menu(placeholder=plain("x")),
        f"invalid additional property: placeholder [json-pointer:{ELEMENT}]",
    ),
    "confirmation without a way back": (
        menu(confirm=without(CONFIRM, "deny")),
        f"missing required field: deny [json-pointer:{ELEMENT}/confirm]",
    ),
    "confirmation titled in mrkdwn": (
        menu(confirm=CONFIRM | {"title": MRKDWN}),
        f"must be a plain_text object [json-pointer:{ELEMENT}/confirm/title]",
    ),
    "confirmation of 31 characters": (
        menu(confirm=CONFIRM | {"confirm": plain("x" * 31)}),
        f"must be less than 31 characters [json-pointer:{ELEMENT}/confirm/confirm/text]",
    ),
    "group without a label": (
        grouped(without(group("a"), "label")),
        f"missing required field: label [json-pointer:{ELEMENT}/option_groups/0]",
    ),
    "group without options": (
        grouped(group()),
        f"no less than 1 items allowed [json-pointer:{ELEMENT}/option_groups/0/options]",
    ),
    "groups beside options": (
        grouped(group("a"), options=[option("b")]),
        f"options and option_groups cannot both be specified [json-pointer:{ELEMENT}]",
    ),
    "first option that is not offered": (
        select("it", "a", initial_option=option("b")),
        f"must match one of the options [json-pointer:{ELEMENT}/initial_option]",
    ),
    "first option that no group offers": (
        grouped(group("a"), group("b"), initial_option=option("c")),
        f"must match one of the options [json-pointer:{ELEMENT}/initial_option]",
    ),
    "first ticks that are not offered": (
        ticks("checkboxes", initial_options=[option("a"), option("c")]),
        f"must match one of the options [json-pointer:{ELEMENT}/initial_options]",
    ),
    "first ticks that are none": (
        ticks("checkboxes", initial_options=[]),
        f"no less than 1 items allowed [json-pointer:{ELEMENT}/initial_options]",
    ),
    "radio buttons without options": (
        without(ticks("radio_buttons"), "options"),
        f"missing required field: options [json-pointer:{ELEMENT}]",
    ),
}


@pytest.mark.parametrize("what", IN_MESSAGES)
async def test_element_no_message_may_hold_is_refused_with_its_place(bot: Bot, what: str):
    element, words = IN_MESSAGES[what]
    answer = await refusal(bot.chat_postMessage(channel="#general", text="hi", blocks=[actions(element)]))
    assert (answer["error"], words in answer["errors"]) == ("invalid_blocks", True)


@pytest.mark.parametrize(
    "element",
    [
        menu(*[option(str(number)) for number in range(5)], confirm=CONFIRM | {"style": "danger"}),
        menu(option("a") | {"url": "https://example.com", "description": plain("x")}),
        grouped(group("a"), group("b", "c"), initial_option=option("c"), confirm=CONFIRM),
        ticks("radio_buttons", options=[{"text": MRKDWN, "value": "1"}], initial_option={"text": MRKDWN, "value": "1"}),
        ticks("checkboxes", initial_options=[option("a"), option("b")], focus_on_load=True),
    ],
)
async def test_element_within_the_limits_is_taken(bot: Bot, element: Json):
    assert (await bot.chat_postMessage(channel="#general", text="hi", blocks=[actions(element)]))["ok"]


NUMBER: Json = {"is_decimal_allowed": False}
FIELD = "/view/blocks/0/element"


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (
            field("n", initial_value="x" * 3001),
            f"must be less than 3001 characters [json-pointer:{FIELD}/initial_value]",
        ),
        (field("n", initial_value=3), f"must provide a string [json-pointer:{FIELD}/initial_value]"),
        (field("n", multiline="yes"), f"must provide a boolean [json-pointer:{FIELD}/multiline]"),
        (field("n", min_length=3001), f"must be less than or equal to 3000 [json-pointer:{FIELD}/min_length]"),
        (field("n", block={"optional": "yes"}), "must provide a boolean [json-pointer:/view/blocks/0/optional]"),
        (
            field("n", block={"hint": plain("x" * 2001)}),
            "must be less than 2001 characters [json-pointer:/view/blocks/0/hint/text]",
        ),
        # Slack's reference of number_input: its bounds are strings.
        (field("n", "number_input", **NUMBER, min_value=1), f"must provide a string [json-pointer:{FIELD}/min_value]"),
        (
            field("n", "number_input", **NUMBER, initial_value="1,5"),
            f"must be a valid number [json-pointer:{FIELD}/initial_value]",
        ),
        (
            field("n", "multi_users_select", max_selected_items=0),
            f"must be greater than or equal to 1 [json-pointer:{FIELD}/max_selected_items]",
        ),
        (
            field("n", "multi_users_select", initial_users="U1"),
            f"must provide an array [json-pointer:{FIELD}/initial_users]",
        ),
        (
            field("n", "datepicker", initial_date="1.2.2026"),
            f"initial_date attribute must be in format 'YYYY-MM-DD' [json-pointer:{FIELD}]",
        ),
        (field("n", "overflow", options=[option("a")]), f"unsupported type: overflow [json-pointer:{FIELD}/type]"),
    ],
)
async def test_field_no_modal_may_hold_is_refused_with_its_place(
    slack: SlackPlayground, bot: Bot, block: Json, words: str
):
    async with Line(slack) as line:
        answer = await refusal(bot.views_open(trigger_id=await triggered(slack, line), view=modal(block)))
    assert (answer["error"], words in answer["errors"]) == ("invalid_arguments", True)
