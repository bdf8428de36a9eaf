"""Tables and rich text: what Slack refuses in their rows, cells and columns."""

import json
from typing import Any

import pytest

from app.playground.slack import SlackPlayground
from app.playground.slack.page.message import render_message
from tests.contract.playground_slack.kit import Json, plain
from tests.contract.playground_slack.sdk import Bot, refusal, refused


def raw(text: str) -> Json:
    return {"type": "raw_text", "text": text}


def rich(*texts: str) -> Json:
    elements = [{"type": "text", "text": text} for text in texts]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def table(*rows: list[Any], **fields: Any) -> Json:
    return {"type": "table", "rows": list(rows), **fields}


CELLS = "/blocks/0/rows"
SETTINGS = "/blocks/0/column_settings"

#: Slack's reference of the table block, and refusals that others quote word for word.
REFUSED: dict[str, tuple[Json, str]] = {
    "empty cell": (table([raw("")]), f"must be more than 0 characters [json-pointer:{CELLS}/0/0/text]"),
    "empty text in a rich cell": (
        table([raw("a")], [rich("")]),
        f"must be more than 0 characters [json-pointer:{CELLS}/1/0/elements/0/elements/0/text]",
    ),
    "rich cell with nothing in it": (
        table([rich()]),
        f"no less than 1 items allowed [json-pointer:{CELLS}/0/0/elements/0/elements]",
    ),
    "cell without text": (table([{"type": "raw_text"}]), f"missing required field: text [json-pointer:{CELLS}/0/0]"),
    "cell that is a string": (table(["a"]), f"must be a raw_text or rich_text object [json-pointer:{CELLS}/0/0]"),
    "cell of plain text": (table([plain("a")]), f"must be a raw_text or rich_text object [json-pointer:{CELLS}/0/0]"),
    "cell that is a number": (
        table([{"type": "raw_number", "value": 1, "text": "1"}]),
        f"must be a raw_text or rich_text object [json-pointer:{CELLS}/0/0]",
    ),
    "no rows": (table(), f"no less than 1 items allowed [json-pointer:{CELLS}]"),
    "row without cells": (table([]), f"no less than 1 items allowed [json-pointer:{CELLS}/0]"),
    "unknown alignment": (
        table([raw("a")], column_settings=[{"align": "middle"}]),
        f"must be a valid enum value [json-pointer:{SETTINGS}/0/align]",
    ),
    "wrapping that is a word": (
        table([raw("a")], column_settings=[{"is_wrapped": "yes"}]),
        f"must provide a boolean [json-pointer:{SETTINGS}/0/is_wrapped]",
    ),
    "unknown setting": (
        table([raw("a")], column_settings=[{"width": 3}]),
        f"invalid additional property: width [json-pointer:{SETTINGS}/0]",
    ),
    "setting that is no object": (
        table([raw("a")], column_settings=["left"]),
        f"must provide an object [json-pointer:{SETTINGS}/0]",
    ),
    "settings of 21 columns": (
        table([raw("a")], column_settings=[{"align": "left"}] * 21),
        f"no more than 20 items allowed [json-pointer:{SETTINGS}]",
    ),
    "more than 10,000 characters in its cells": (
        table(*[[raw("x" * 1000)]] * 9, [rich("x" * 999, "xx")]),
        "table text must be less than 10001 characters [json-pointer:/blocks]",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
async def test_table_no_message_may_hold_is_refused_with_its_place(bot: Bot, what: str):
    block, words = REFUSED[what]
    answer = await refusal(bot.chat_postMessage(channel="#general", text="hi", blocks=[block]))
    assert (answer["error"], words in answer["errors"]) == ("invalid_blocks", True)


async def test_table_at_every_limit_is_taken_read_back_and_updated(slack: SlackPlayground, bot: Bot):
    settings = [{"align": "right", "is_wrapped": True}, None, *[{"align": "center"}] * 18]
    block = table(*[[raw("abcde")] * 20] * 99, [rich("hello")] * 20, block_id="t", column_settings=settings)
    posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=[block])
    assert posted["message"]["blocks"] == [block]
    place = {"channel": posted["channel"], "ts": posted["ts"], "text": "hi"}
    await bot.chat_update(**place, blocks=[table([raw("Sam")], block_id="u")])
    read = await bot.conversations_history(channel=posted["channel"])
    assert read["messages"][0]["blocks"] == [table([raw("Sam")], block_id="u")]
    assert await refused(bot.chat_update(**place, blocks=[table([raw("")])])) == "invalid_blocks"


async def test_empty_text_in_rich_text_of_a_message_is_refused_too(bot: Bot):
    answer = await refusal(bot.chat_postMessage(channel="#general", text="hi", blocks=[rich("")]))
    assert "must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]" in answer["errors"]


async def test_table_is_for_messages_and_not_for_views(slack: SlackPlayground, bot: Bot):
    # Slack's reference: the table block is available in messages.
    view = {"type": "home", "blocks": [table([raw("a")])]}
    member = slack.workspace.member("Maya")
    assert member
    answer = await refusal(bot.views_publish(user_id=member.id, view=json.dumps(view)))
    assert "unsupported type: table [json-pointer:/view/blocks/0/type]" in answer["errors"]


def test_wrapped_column_is_drawn_as_one():
    block = table(
        [raw("a"), raw("b"), raw("c")], column_settings=[{"is_wrapped": True}, {"align": "right", "is_wrapped": False}]
    )
    drawn = render_message("", [block], {})
    assert [cell.split('"')[1] for cell in drawn.split("<th")[1:]] == ["left wrapped", "right", "left"]
