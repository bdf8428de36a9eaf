"""Data of tools in words that people can read: names and values line by line, without ids. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from app.core.copy import permission_cards
from app.core.text.cutting import cut
from app.core.text.marks import clean
from app.core.text.sanitize import purify

LONGEST: Final = 6_000
"""Characters of what one tool brought."""

DEEPEST: Final = 6

_HIDDEN: Final = frozenset({"result", "action", "query", "user", "role", "thread", "conversation", "is_this_thread"})
"""Fields that are meant for the model, or name something by its id."""

_ID: Final = re.compile(r"[A-Z][A-Z0-9]{6,}(?:[:/][\d.]+)?")

_MOMENT: Final = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d)\S{0,20}")


_STATES: Final = frozenset({"kind", "status"})
"""Fields whose values are words of ours."""


def render_input(given: Mapping[str, Any]) -> str:
    """Return what a tool of ours was given as lines for people: by names that they know, without what is not set."""
    names = {name: permission_cards.ASKED_AS.get(name, name) for name in given}
    known = {names[name]: value for name, value in given.items() if names[name] and value}
    if "step" in known:
        known["step"] = permission_cards.name_tool(str(known["step"]))
    return render_data(json.dumps(known, ensure_ascii=False))


def render_data(text: str) -> str:
    """Return JSON as lines for people, cut at a length; text that is no JSON as it is, clean."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = text
    words = "\n".join(_render_value("", given, 0))
    return cut(purify(clean(words)).strip(), LONGEST)


def _render_value(name: str, value: Any, depth: int) -> Iterator[str]:
    """Yield the lines of one value; what belongs to it is indented."""
    indent, label = "    " * max(depth - 1, 0), f"{permission_cards.name_tool(name)}: " if name else ""
    if isinstance(value, Mapping | list) and depth < DEEPEST:
        if label and value:
            yield f"{indent}{label.strip()}"
        yield from _render_all(cast("Mapping[str, Any] | list[Any]", value), depth + bool(label))
    elif (words := _render_plain(_name_state(name, value))) and not _ID.fullmatch(words):
        first, *more = words.split("\n")
        yield f"{indent}{label}{first}"
        yield from (f"{indent}    {line}" for line in more)


def _render_all(value: Mapping[str, Any] | list[Any], depth: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in _HIDDEN:
                yield from _render_value(name, inner, max(depth, 1))
        return
    for inner in value:
        if message := _read_message(inner):
            yield from _render_value("", message, max(depth, 1))
        else:
            yield from _render_value("", inner, depth)


def _read_message(value: Any) -> str:
    """Return a message of somebody in one line: who, when, what; empty for anything else."""
    if not isinstance(value, Mapping):
        return ""
    said = cast("Mapping[str, Any]", value)
    if not {"from", "at", "text"} <= said.keys() or said.keys() & {"answers"}:
        return ""
    return f"{said['from']}, {_render_plain(said['at'])}: {said['text']}"


def _name_state(name: str, value: Any) -> Any:
    return permission_cards.STATES.get(str(value), value) if name in _STATES else value


def _render_plain(value: Any) -> str:
    if isinstance(value, bool):
        return permission_cards.YES if value else permission_cards.NO
    words = "" if value is None else str(value).strip()
    moment = _MOMENT.fullmatch(words)
    return f"{moment['date']} {moment['time']}" if moment else words
