"""The search for our insides in what people were shown finds them, and nothing that may stand there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.flow.insides import find_insides, shown_by

PLANTED: dict[str, dict[str, Any]] = {
    "a mark in brackets": {"text": "[Tool execution interrupted - waiting for user feedback]"},
    "a tool's error": {"text": "I could not take that down: item: names nothing that is noted."},
    "an id": {"text": "Said by U0EDPEN1F85."},
    "a ts": {"text": "At 1770000000.000100."},
    "an id in plain text": {"view": {"title": {"type": "plain_text", "text": "<@U0EDPEN1F85>"}}},
    "a word of the code": {"text": "Type: artifact_creation"},
    "a raw date read aloud": {"text": "Next: <!date^1770000000^{time}|09:00>", "blocks": [{"type": "divider"}]},
    "a raw date in plain text": {
        "blocks": [{"type": "x", "text": {"type": "plain_text", "text": "<!date^1^{time}|9>"}}]
    },
    "a raw moment": {"blocks": [{"type": "markdown", "text": "Due 2026-11-22T21:00:00"}]},
    "an alternative text": {"blocks": [{"type": "image", "alt_text": "toolu_0123456789"}]},
    "a status": {"status": "is calling ask_user"},
}
CLEAN: list[dict[str, Any]] = [
    {"text": "<@U0EDPEN1F85>, *done* at <!date^1770000000^{time}|09:00 UTC> :white_check_mark:"},
    {"text": "<https://a.slack.com/archives/C0AAAAAAA/p1770000000000100|the thread>", "blocks": []},
    {"blocks": [{"type": "markdown", "text": "[Open it](https://a.slack.com/archives/C0AAAAAAA) and `snake_case`"}]},
    {"channel": "C0AAAAAAA", "ts": "1770000000.000100", "text": "A2 +1, O3 −2 (D1)"},
]


def found(args: dict[str, Any], theirs: str = "") -> list[str]:
    return [each for shown in shown_by(args) for each in find_insides(shown, theirs)]


@pytest.mark.req("NC-06")
@pytest.mark.parametrize("what", PLANTED)
def test_what_is_planted_is_found(what: str) -> None:
    assert found(PLANTED[what])


@pytest.mark.req("NC-06")
@pytest.mark.parametrize("args", CLEAN)
def test_what_people_may_read_is_left_alone(args: dict[str, Any]) -> None:
    assert found(args) == []


def test_what_somebody_wrote_themselves_is_theirs() -> None:
    assert found({"text": "You wrote: my_file"}, theirs="see my_file") == []
