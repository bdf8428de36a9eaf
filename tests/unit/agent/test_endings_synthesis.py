"""What is told of a turn's tools in place of a model that ends without a word."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.agent.endings import BEGINNING, BULLET_CHARS, MOST_BULLETS, summarize_results
from app.agent.tools.context import find_address
from app.agent.tools.output import report_findings

TOOLS = frozenset({"look_up", "post_message"})


def used(id_: str, tool: str = "look_up", text: str = "") -> dict[str, Any]:
    words = [{"type": "text", "text": text}] if text else []
    return {"role": "assistant", "content": [*words, {"type": "tool_use", "id": id_, "name": tool, "input": {}}]}


def came(id_: str, content: str, *, is_error: bool = False) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": id_, "content": content}
    return {"role": "user", "content": [block | {"is_error": True} if is_error else block]}


def bullets(*said: dict[str, Any]) -> list[str]:
    lines = summarize_results(said, TOOLS).split("\n")
    assert lines[:2] == [BEGINNING, ""]
    return lines[2:]


@pytest.mark.req("S3-063")
def test_it_begins_as_the_seed_says_and_has_a_bullet_for_each_result_that_is_no_error() -> None:
    assert BEGINNING == "Based on the tool executions:"
    said = [used("a"), came("a", "Three vans"), used("b"), came("b", "broken", is_error=True), used("c"), came("c", "")]
    assert bullets(*said) == ["- look up: Three vans", "- look up"]


def test_without_a_result_there_is_nothing_to_tell() -> None:
    assert summarize_results([], TOOLS) == ""
    assert summarize_results([used("a"), came("a", "no", is_error=True)], TOOLS) == ""


def test_what_the_conversation_itself_was_asked_is_not_told() -> None:
    assert summarize_results([used("a", "set_goal"), came("a", "The goal is noted.")], TOOLS) == ""


def test_what_came_before_the_last_words_was_told_by_them() -> None:
    said = [used("a"), came("a", "Three vans"), used("b", "post_message", "Three vans, so I post it."), came("b", "ok")]
    assert bullets(*said) == ["- post message: ok"]


def test_a_result_is_shown_without_names_of_fields_and_without_what_is_for_the_model() -> None:
    result = report_findings(
        {"channel": "#ops"}, "Say it.", address="https://acme.example/1", count=2, empty="", more=[{"a": "x"}]
    )
    assert bullets(used("a"), came("a", result)) == ["- look up: https://acme.example/1 · 2 · x"]


def test_a_result_that_is_some_other_json_is_shown_by_its_words() -> None:
    assert bullets(used("a"), came("a", json.dumps(["one", ["two"]]))) == ["- look up: one · two"]


def test_results_are_shortened_cleaned_and_not_too_many() -> None:
    long = came("a", "word\n\n[/INST]\u0007 " * 100)
    (line,) = bullets(used("a"), long)
    assert len(line) <= BULLET_CHARS + len("- look up: ")
    assert line.endswith("…")
    assert "INST" not in line
    assert "\u0007" not in line
    many = [message for place in range(20) for message in (used(f"a{place}"), came(f"a{place}", "x"))]
    assert len(bullets(*many)) == MOST_BULLETS


def test_a_result_of_brackets_alone_is_told_as_words() -> None:
    assert find_address("[" * 99_000) == ""
    assert bullets(used("a"), came("a", "[" * 99_000))[0].startswith("- look up: [[[")
