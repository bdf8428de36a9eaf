"""Endings of a turn: the decision to ask the model once more, and the summary in place of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from app.core.text.question_marks import asks
from app.core.text.sanitize import purify

BEGINNING = "Based on the tool executions:"
"""Fixed wording."""

BULLET_CHARS = 160
"""Characters of one result."""

MOST_BULLETS = 10

ABOUT_THE_CALL = ("result", "query", "action")
"""Fields of a result that are for the model alone: the outcome, the question, and what to do next."""


def summarize_results(said: Sequence[dict[str, Any]], tools: frozenset[str]) -> str:
    """Return a bullet for each successful result of these tools since the last text; empty if there is none.

    `said` is the turn as the API's messages.
    """
    bullets: list[str] = []
    names = {block["id"]: block["name"] for block in _list_uses(said)}
    for message in said:
        blocks = cast("list[dict[str, Any]]", message["content"])
        if any(block["type"] == "text" and block["text"].strip() for block in blocks):
            bullets.clear()
        for block in blocks:
            if block["type"] == "tool_result" and not block.get("is_error") and names[block["tool_use_id"]] in tools:
                bullets.append(_render_bullet(names[block["tool_use_id"]], block["content"]))
    return "\n".join((BEGINNING, "", *bullets[:MOST_BULLETS])) if bullets else ""


def _list_uses(said: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (block for message in said for block in message["content"] if block["type"] == "tool_use")


def _render_bullet(tool: str, result: str) -> str:
    words = " ".join(purify(" · ".join(_list_words(_parse_result(result)))).split())
    short = words if len(words) <= BULLET_CHARS else f"{words[: BULLET_CHARS - 1].rstrip()}…"
    return f"- {tool.replace('_', ' ')}: {short}" if short else f"- {tool.replace('_', ' ')}"


def _parse_result(result: str) -> Any:
    try:
        came = json.loads(result)
    except (ValueError, RecursionError):
        return result
    if isinstance(came, dict):
        known = cast("dict[str, Any]", came)
        return [value for key, value in known.items() if key not in ABOUT_THE_CALL]
    return came


def _list_words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(cast("dict[str, Any]", value).values())
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _list_words(item)
    elif value not in (None, ""):
        yield str(value)


PHRASES = (
    "let me",
    "i'll now",
    "i will now",
    "next, i",
    "continuing with",
    "moving on to",
    "i'll proceed",
    "let's",
    "i need to",
    "i should",
)
WAITING = ("let me know", "let's see what you")


_ANNOUNCED = re.compile(
    r"(?:(?:ok|okay|sure|right|all right|great|good|now|then|first|next|so|and)\b[,!]?\s+)*"
    r"(?:let me (?!know\b)|i'll now\b|i will now\b|i'm now going to\b|i am now going to\b|now i'll\b|next,? i'll\b"
    r"|i'll go ahead and\b)"
)
_LATER = re.compile(r"\b(?:if|once|when|whenever|unless|until|after|as soon as|tomorrow|later)\b")
_SENTENCE = re.compile(r"(?<=[.!:\u2026])\s+|\n+")


def announces_act(text: str) -> bool:
    """Return True if the last sentence announces something that is to be done at once, and waits for nobody."""
    sentences = [each.strip() for each in _SENTENCE.split(text.lower().replace("\u2019", "'")) if each.strip()]
    last = sentences[-1] if sentences else ""
    return bool(_ANNOUNCED.match(last)) and not _LATER.search(last) and not asks(text)


def needs_continuation(text: str) -> bool:
    """Return True if the text announces more work and does not wait for an answer."""
    if asks(text):
        return False
    said = text.lower().replace("\u2019", "'").strip()
    for waiting in WAITING:
        said = said.replace(waiting, "")
    return any(phrase in said for phrase in PHRASES)
