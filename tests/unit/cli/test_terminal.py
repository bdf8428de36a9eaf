"""A Slack message as lines of a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli.demo import terminal
from app.playground.slack.values.model import Message

NAMES = {"U1": "Maya"}


def lines(*blocks: dict[str, Any], text: str = "") -> list[str]:
    return list(terminal.render_lines(Message("C1", "1.1", "U1", text, blocks=list(blocks) or None), NAMES))


def rich(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": list(elements)}


SAID = {"type": "text", "text": "fast & <cheap>"}
MENU = {"type": "overflow", "options": [1, 2]}
SELECT = {"type": "static_select", "placeholder": {"type": "plain_text", "text": "Go"}}
CELLS = [{"type": "raw_text", "text": "A2"}, {"type": "rich_text", "elements": [rich(SAID)]}]
WITH_LABEL = {"text": {"type": "plain_text", "text": "Approve"}, "type": "button"}


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ({"type": "section", "text": {"type": "mrkdwn", "text": "<@U1> &amp; <https://x.test|us>"}}, ["@Maya & us"]),
        ({"type": "section", "text": {"type": "plain_text", "text": "a < b & <@U1>"}}, ["a < b & <@U1>"]),
        ({"type": "section", "text": {"type": "mrkdwn", "text": "<!date^1^{time}|15:02>"}}, ["15:02"]),
        ({"type": "section", "text": {"type": "mrkdwn", "text": "<!date^1^{time}>"}}, ["1"]),
        ({"type": "section", "fields": [{"type": "mrkdwn", "text": "one"}]}, ["one"]),
        ({"type": "markdown", "text": "one\n\ntwo"}, ["one", "two"]),
        ({"type": "context", "elements": [{"type": "mrkdwn", "text": "small"}]}, ["small"]),
        ({"type": "divider"}, []),
        ({"type": "actions", "elements": [WITH_LABEL, MENU]}, ["[Approve] [… 2 more]"]),
        (
            {"type": "actions", "elements": [SELECT]},
            ["[Go]"],
        ),
        ({"type": "rich_text", "elements": [rich(SAID, {"type": "user", "user_id": "U1"})]}, ["fast & <cheap>@Maya"]),
        ({"type": "rich_text", "elements": [rich({"type": "link", "url": "https://x.test"})]}, ["https://x.test"]),
        (
            {"type": "rich_text", "elements": [{"type": "rich_text_list", "elements": [rich(SAID), rich(SAID)]}]},
            ["• fast & <cheap>"] * 2,
        ),
        (
            {"type": "table", "rows": [CELLS]},
            ["A2 | fast & <cheap>"],
        ),
    ],
)
def test_each_block_says_its_words_and_nothing_of_its_marks(block: dict[str, Any], shown: list[str]) -> None:
    assert lines(block) == shown


def test_without_blocks_a_message_says_its_text() -> None:
    assert lines(text="one <@U1>\n\ntwo &gt; three <@U2>") == ["one @Maya", "two > three @U2"]
