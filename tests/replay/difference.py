"""What two trees made of the same history, for people: its events in order, and a diff of the first that differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any

Json = dict[str, Any]
MOST_LINES = 200
AROUND = 4
MOST_CHARS = 110


def describe(before: Sequence[Json], after: Sequence[Json]) -> Iterator[str]:
    """Tell both lists of what happened as far as the first difference. `before` is the reference's."""
    for place in range(max(len(before), len(after))):
        old = before[place] if place < len(before) else None
        new = after[place] if place < len(after) else None
        if old == new:
            yield f"  {place + 1:3} {_line(old or {})}"
            continue
        yield f"→ {place + 1:3} reference: {_line(old) if old else 'nothing more happens'}"
        yield f"      this tree: {_line(new) if new else 'nothing more happens'}"
        yield from _diff(old, new)
        return
    yield "  what happened is the same; the digests differ in what ends a turn"


def _line(happened: Json) -> str:
    given = happened["given"]
    event = given.get("event", given.get("effect", {}))
    told = {key: event[key] for key in ("user", "text", "value", "word", "component", "status", "id") if event.get(key)}
    if news := event.get("news"):
        told["news"] = news.get("on", news["news"])
    reply: Any = event.get("reply")
    if isinstance(reply, dict):
        told["reply"] = _reply(event["reply"])
    words = ", ".join(f"{key}={value!r}" for key, value in told.items())
    words = words if len(words) <= MOST_CHARS else f"{words[:MOST_CHARS]}…"
    return f"{happened['what']}: {words}" if words else happened["what"]


def _reply(row: Json) -> str:
    return " ".join((row["status"], *(call["call"] for call in row["calls"])))


def _diff(old: Json | None, new: Json | None) -> Iterator[str]:
    lines = unified_diff(_lines(old), _lines(new), "reference", "this tree", n=AROUND, lineterm="")
    for place, line in enumerate(lines):
        if place == MOST_LINES:
            yield "…"
            return
        yield line


def _lines(value: object) -> list[str]:
    return json.dumps(value, indent=1, ensure_ascii=False).splitlines()
