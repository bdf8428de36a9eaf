"""What Slack refuses in blocks, with its words and the place."""

import pytest

from app.playground.slack import SlackPlayground
from tests.contract.playground_slack.line import Json
from tests.contract.playground_slack.sdk import Bot, refusal, refused


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def section(text: str = "hello", **more: object) -> Json:
    return {"type": "section", "text": mrkdwn(text), **more}


def button(action_id: str = "go", **more: object) -> Json:
    return {"type": "button", "action_id": action_id, "text": plain("Go"), **more}


def actions(*elements: Json, **more: object) -> Json:
    return {"type": "actions", "elements": list(elements), **more}


def markdown(text: str) -> Json:
    return {"type": "markdown", "text": text}


TABLE: Json = {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}]]}

#: What is wrong, and what Slack says about it and where; limits from Slack's Block Kit reference.
REFUSED: dict[str, tuple[list[Json], str]] = {
    "51 blocks": ([section()] * 51, "no more than 50 items allowed [json-pointer:/blocks]"),
    # Measured: a markdown block counts as the blocks Slack makes of it.
    "51 headings in markdown": ([markdown("# a\n\n" * 51)], "no more than 50 items allowed [json-pointer:/blocks]"),
    "section of 3001 characters": (
        [section("x" * 3001)],
        "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ),
    "long section names its text object": (
        [section("x" * 3001)],
        "failed to match all allowed schemas [json-pointer:/blocks/0/text]",
    ),
    "header of 151 characters": (
        [{"type": "header", "text": plain("x" * 151)}],
        "must be less than 151 characters [json-pointer:/blocks/0/text/text]",
    ),
    "header in mrkdwn": (
        [{"type": "header", "text": mrkdwn("x")}],
        "must be a plain_text object [json-pointer:/blocks/0/text]",
    ),
    "empty text": ([section("")], "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
    "section without text": (
        [{"type": "section"}],
        "text or fields attribute must be specified [json-pointer:/blocks/0]",
    ),
    "text object without text": (
        [{"type": "section", "text": {"type": "mrkdwn"}}],
        "missing required field: text [json-pointer:/blocks/0]",
    ),
    "text that is a number": (
        [{"type": "section", "text": {"type": "mrkdwn", "text": 5}}],
        "must provide a string [json-pointer:/blocks/0/text/text]",
    ),
    "elements that are no array": (
        [{"type": "actions", "elements": 5}],
        "must provide an array [json-pointer:/blocks/0/elements]",
    ),
    "rich text elements that are no array": (
        [{"type": "rich_text", "elements": 5}],
        "must provide an array [json-pointer:/blocks/0/elements]",
    ),
    "text that is a string": (
        [{"type": "section", "text": "hello"}],
        "must be a plain_text or mrkdwn object [json-pointer:/blocks/0/text]",
    ),
    "11 fields": (
        [{"type": "section", "fields": [mrkdwn("x")] * 11}],
        "no more than 10 items allowed [json-pointer:/blocks/0/fields]",
    ),
    "field of 2001 characters": (
        [{"type": "section", "fields": [mrkdwn("x" * 2001)]}],
        "must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]",
    ),
    "26 buttons": (
        [actions(*(button(f"b{n}") for n in range(26)))],
        "no more than 25 items allowed [json-pointer:/blocks/0/elements]",
    ),
    "no buttons": ([actions()], "no less than 1 items allowed [json-pointer:/blocks/0/elements]"),
    "11 context elements": (
        [{"type": "context", "elements": [mrkdwn("x")] * 11}],
        "no more than 10 items allowed [json-pointer:/blocks/0/elements]",
    ),
    "button in context": (
        [{"type": "context", "elements": [button()]}],
        "must be a image or plain_text or mrkdwn object [json-pointer:/blocks/0/elements/0]",
    ),
    "label of 76 characters": (
        [actions(button(text=plain("x" * 76)))],
        "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
    ),
    "button value of 2001 characters": (
        [section(accessory=button(value="x" * 2001))],
        "must be less than 2001 characters [json-pointer:/blocks/0/accessory/value]",
    ),
    "unknown style": (
        [actions(button(style="pink"))],
        "must be a valid enum value [json-pointer:/blocks/0/elements/0/style]",
    ),
    "block_id of 256 characters": (
        [section(block_id="x" * 256)],
        "must be less than 256 characters [json-pointer:/blocks/0/block_id]",
    ),
    "block_id twice": (
        [section(block_id="a"), section(block_id="a")],
        'block_id "a" already exists [json-pointer:/blocks/1/block_id]',
    ),
    "action_id twice in a block": (
        [actions(button("a"), button("a"))],
        'action_id "a" already exists [json-pointer:/blocks/0/elements/1/action_id]',
    ),
    "unknown block": ([{"type": "wall"}], "unsupported type: wall [json-pointer:/blocks/0]"),
    "unknown element": ([actions({"type": "lever"})], "unsupported type: lever [json-pointer:/blocks/0/elements/0]"),
    "unknown property of a block": (
        [{"type": "divider", "colour": "red"}],
        "invalid additional property: colour [json-pointer:/blocks/0]",
    ),
    "unknown property of a button": (
        [actions(button(disabled=True))],
        "invalid additional property: disabled [json-pointer:/blocks/0/elements/0]",
    ),
    "markdown of 12001 characters in two blocks": (
        [markdown("x" * 6001), markdown("x" * 6000)],
        "markdown text must be less than 12001 characters [json-pointer:/blocks]",
    ),
    "image without alt_text": (
        [{"type": "image", "image_url": "https://example.com/a.png"}],
        "missing required field: alt_text [json-pointer:/blocks/0]",
    ),
    "table of 101 rows": (
        [{"type": "table", "rows": [[{"type": "raw_text", "text": "a"}]] * 101}],
        "no more than 100 items allowed [json-pointer:/blocks/0/rows]",
    ),
    "row of 21 cells": (
        [{"type": "table", "rows": [[{"type": "raw_text", "text": "a"}] * 21]}],
        "no more than 20 items allowed [json-pointer:/blocks/0/rows/0]",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
async def test_bad_blocks_are_invalid_blocks_with_words_and_pointer(bot: Bot, what: str):
    blocks, words = REFUSED[what]
    answer = await refusal(bot.chat_postMessage(channel="#general", text="hi", blocks=blocks))
    assert answer["error"] == "invalid_blocks"
    assert words in answer["errors"]
    assert f"[ERROR] {words}" in answer["response_metadata"]["messages"]


async def test_update_refuses_bad_blocks_like_a_post(bot: Bot):
    posted = await bot.chat_postMessage(channel="#general", text="hi")
    call = bot.chat_update(channel=posted["channel"], ts=posted["ts"], text="hi", blocks=[section("")])
    assert await refused(call) == "invalid_blocks"


@pytest.mark.parametrize("blocks", ["{", "{}", '"text"', "[1]"])
async def test_blocks_that_are_no_array_of_objects_are_invalid_blocks_format(bot: Bot, blocks: str):
    # Slack: invalid_blocks_format where the blocks are no JSON or not Block Kit's shape.
    call = bot.api_call("chat.postMessage", json={"channel": "#general", "text": "hi", "blocks": blocks})
    assert await refused(call) == "invalid_blocks_format"


async def test_second_table_of_a_message_is_refused(bot: Bot):
    # Slack: one table per message, else invalid_attachments with only_one_table_allowed.
    answer = await refusal(bot.chat_postMessage(channel="#general", text="hi", blocks=[TABLE, TABLE]))
    assert answer["error"] == "invalid_attachments"
    assert answer["errors"] == ["only_one_table_allowed"]


async def test_more_than_13200_characters_in_all_blocks_is_msg_blocks_too_long(bot: Bot):
    # Measured: blocks of one message hold about 13,200 characters together.
    blocks = [section("x" * 2640) for _ in range(5)]
    assert (await bot.chat_postMessage(channel="#general", text="hi", blocks=blocks))["ok"]
    blocks.append(section("x"))
    assert await refused(bot.chat_postMessage(channel="#general", text="hi", blocks=blocks)) == "msg_blocks_too_long"


async def test_good_blocks_of_every_kind_are_taken(slack: SlackPlayground, bot: Bot):
    blocks = [
        section(fields=[mrkdwn("x")] * 10, accessory=button(value="v", style="primary")),
        {"type": "header", "text": plain("x" * 150)},
        {"type": "divider"},
        actions(*(button(f"b{n}") for n in range(25))),
        {"type": "context", "elements": [mrkdwn("x"), plain("y")]},
        {"type": "image", "image_url": "https://example.com/a.png", "alt_text": "a"},
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "a"}]}]},
        markdown("# Title\n\ntext **bold**\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
        TABLE,
    ]
    assert (await bot.chat_postMessage(channel="#general", text="hi", blocks=blocks))["ok"]


async def test_same_action_id_in_two_blocks_is_taken(bot: Bot):
    # Slack: an action_id is unique within its block.
    blocks = [actions(button("a")), actions(button("a"))]
    assert (await bot.chat_postMessage(channel="#general", text="hi", blocks=blocks))["ok"]


async def test_markdown_counts_one_block_for_each_run_between_headings_tables_and_rules(bot: Bot):
    # Measured: heading, table and rule are blocks of their own; text, lists and code between them are one.
    eight = markdown(
        "# a\n\ntext\n\n- list\n\n```\ncode\n```\n\n---\n\ntext\n\n| a |\n|---|\n| 1 |\n\ntext\n\n## b\n\nend"
    )
    blocks = [eight, *(section() for _ in range(42))]
    assert (await bot.chat_postMessage(channel="#general", text="hi", blocks=blocks))["ok"]
    blocks.append(section())
    assert await refused(bot.chat_postMessage(channel="#general", text="hi", blocks=blocks)) == "invalid_blocks"


async def test_blocks_and_buttons_without_ids_get_some(bot: Bot):
    # Slack: ids that are not given are generated.
    nameless = {"type": "button", "text": plain("Go")}
    posted = await bot.chat_postMessage(
        channel="#general", text="hi", blocks=[actions(nameless), section(accessory=nameless)]
    )
    first, second = posted["message"]["blocks"]
    assert first["block_id"] != second["block_id"]
    assert first["elements"][0]["action_id"]
    assert second["accessory"]["action_id"]
