"""What is told of a turn's tools in place of a model that ends without a word."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.agent.endings import BEGINNING, BULLET_CHARS, MOST_BULLETS, MOST_LINKS, cite_pages, summarize_results
from app.agent.tools.context import Access, TurnContext, find_address
from app.agent.tools.tool import ExternalTool, Nothing


async def _run(_context: TurnContext, _given: Nothing) -> str:
    return ""


def _tool(name: str, tell: Callable[[Mapping[str, Any]], str]) -> ExternalTool[Nothing]:
    return ExternalTool(name=name, description="", input=Nothing, access=Access.READ, run=_run, tell=tell)


TOOLS = {
    "look_up": _tool("look_up", lambda result: result["told"]),
    "post_message": _tool("post_message", lambda _: ""),
}


def telling(words: str) -> str:
    """A result of `look_up` whose own words are these."""
    return json.dumps({"told": words})


def used(id_: str, tool: str = "look_up", text: str = "") -> dict[str, Any]:
    words = [{"type": "text", "text": text}] if text else []
    return {"role": "assistant", "content": [*words, {"type": "tool_use", "id": id_, "name": tool, "input": {}}]}


def came(id_: str, content: str, *, is_error: bool = False) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": id_, "content": content}
    return {"role": "user", "content": [block | {"is_error": True} if is_error else block]}


def bullets(*said: dict[str, Any]) -> list[str]:
    lines = summarize_results(said, TOOLS).split("\n")
    assert lines[0] == BEGINNING
    return lines[1:]


@pytest.mark.req("S3-063")
def test_it_begins_as_the_seed_says_and_has_a_bullet_for_each_result_that_is_no_error() -> None:
    assert BEGINNING == "Based on the tool executions:"
    said = [used("a"), came("a", telling("Three vans.")), used("b"), came("b", "broken", is_error=True)]
    assert bullets(*said) == ["- Three vans."]


@pytest.mark.req("AG-12")
@pytest.mark.parametrize("result", ["", "47", "null", "[1, 2]", '<message from="Ann">47</message>', "[" * 99_000])
@pytest.mark.parametrize("tool", list(TOOLS))
def test_without_words_of_the_tool_it_says_that_it_was_used_and_shows_no_mark_no_number_and_no_empty_line(
    tool: str, result: str
) -> None:
    assert bullets(used("a", tool), came("a", result)) == [f"- Used: {tool.replace('_', ' ')}."]


@pytest.mark.req("AG-12")
def test_without_a_result_there_is_nothing_to_tell() -> None:
    assert summarize_results([], TOOLS) == ""
    assert summarize_results([used("a"), came("a", "no", is_error=True)], TOOLS) == ""


def test_what_the_conversation_itself_was_asked_is_not_told() -> None:
    assert summarize_results([used("a", "set_goal"), came("a", "The goal is noted.")], TOOLS) == ""


@pytest.mark.req("AG-12")
def test_what_came_before_the_last_words_was_told_by_them() -> None:
    vans = came("a", telling("Three vans."))
    said = [used("a"), vans, used("b", "post_message", "Three vans, so I post it."), came("b", "ok")]
    assert bullets(*said) == ["- Used: post message."]


@pytest.mark.req("AG-12")
def test_results_are_shortened_cleaned_and_not_too_many() -> None:
    long = came("a", telling("word\n\n[/INST]\u0007 " * 100))
    (line,) = bullets(used("a"), long)
    assert len(line) <= BULLET_CHARS + len("- ")
    assert line.endswith("…")
    assert "INST" not in line
    assert "\u0007" not in line
    many = [message for place in range(20) for message in (used(f"a{place}"), came(f"a{place}", "x"))]
    assert len(bullets(*many)) == MOST_BULLETS


def test_the_address_in_brackets_alone_is_none() -> None:
    assert find_address("[" * 99_000) == ""


def _list_pages(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    return result["pages"]


READ_PAGES = {
    "search_web": replace(_tool("search_web", lambda _: ""), links=_list_pages),
    "look_up": _tool("look_up", lambda _: ""),
}
PAGE, OTHER = "https://a.example.org/x", "https://b.example.org/x"


def cited(*pages: tuple[str, str], text: str = "", tool: str = "search_web", is_error: bool = False) -> str:
    result = came("a", json.dumps({"pages": pages}), is_error=is_error)
    return cite_pages([used("a", tool), result], READ_PAGES, text)


@pytest.mark.req("IN-08")
def test_the_pages_that_words_come_from_are_linked_below_unless_the_words_name_them() -> None:
    assert cited(("Ay", PAGE), ("Bee", OTHER)) == f"Sources:\n- [Ay]({PAGE})\n- [Bee]({OTHER})"
    assert cited(("Ay", PAGE), ("Ay", PAGE), ("Bee", OTHER), text=f"[B]({OTHER})") == f"Sources:\n- [Ay]({PAGE})"
    assert cited(("Ay", PAGE), text=f"See {PAGE}") == ""
    assert cited(("Ay", PAGE), text=f"See {PAGE}/other") == f"Sources:\n- [Ay]({PAGE})"
    assert cited(("No", "javascript:alert(1)")) == ""
    assert cited(("Ay", PAGE), is_error=True) == ""
    assert cited(("Ay", PAGE), tool="look_up") == ""
    assert cited(("Ay", PAGE), tool="gone") == ""
    assert cite_pages([used("a", "search_web"), came("a", "47")], READ_PAGES, "") == ""
    assert cited(("Ay", "a.example.org"), ("Ay", "a.example.org")) == (
        "Sources:\n- Ay (a.example.org): its address is too long for a link"
    )
    many = cited(*(("x", f"https://p{number}.example.org/") for number in range(MOST_LINKS + 5)))
    assert len(many.splitlines()) == 1 + MOST_LINKS
