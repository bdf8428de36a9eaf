"""A state as the model is told it: once as a whole, and after that what has changed.

A state is lines, some of them under a heading. What earlier blocks have told is read off them again, so that nothing
has to be stored beside them. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from app.core.text import marks

CHANGES: Final = "Changed since; the rest stands."
GONE: Final = "Gone: "
NOTHING_LEFT: Final = "(nothing any more)"

ONCE: Final = "In this turn alone:"
"""A heading of lines that are told whenever they hold, and never stand for the next turn."""

_ITEM = re.compile(r"- ([A-Z]{1,2}\d{1,3}(?: on [A-Z]{1,2}\d{1,3})?)\b")
_INFORMATION = re.compile(r"[?✓] (\w+): ")
_FIELD = re.compile(r"([a-z_.]+|[A-Z][A-Za-z0-9 ,()]{0,50}): ")
_STANDING = re.compile(r"Still needed: |Nothing is missing |Nothing is noted |Does not fit yet \(")
_NEEDED = re.compile(r"Still needed: |Nothing is missing ")
_UNNOTED = "Nothing is noted "

STANDING: Final = "standing"
"""In place of a heading: how far the work is. Such lines come last and are known by their beginnings."""

Told: TypeAlias = dict[str, dict[str, str]]
"""Lines by heading and key. Lines without a heading have an empty one."""


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading, which ends with a colon. Lines of `STANDING` or without a heading stand for themselves."""

    heading: str
    lines: tuple[str, ...]


def gather(sections: Iterable[Section]) -> Told:
    """Return the lines of a state by heading and key. A line cannot pose as a heading."""
    now: Told = {"": {}}
    for section in sections:
        held = now.setdefault(section.heading, {})
        held.update((_find_key(line), line) for line in map(_keep_apart, section.lines))
    return {heading: lines for heading, lines in now.items() if lines}


def _keep_apart(line: str) -> str:
    """Return the line so that it is no heading, which ends with a colon."""
    clean = marks.clean_line(line)
    return f"{clean} …" if clean.endswith(":") else clean


def _find_key(line: str) -> str:
    """Return what a line is about: an item, or one on another, some information, a field, or its words."""
    if _NEEDED.match(line):
        return "needed"
    if found := _ITEM.match(line) or _INFORMATION.match(line):
        return found[1]
    if not line.startswith(("-", "•")) and (found := _FIELD.match(line)):
        return found[1]
    return line


def list_changes(now: Told, told: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the lines that tell what a state is, to a reader who was told this before: also what is gone."""
    nothing = dict[str, str]()
    told = {heading: lines for heading, lines in told.items() if heading != ONCE}
    headings = dict.fromkeys(("", *now, *told, STANDING))
    for heading in sorted(headings, key=lambda each: each == STANDING):
        known, held = told.get(heading, nothing), now.get(heading, nothing)
        lines = [line for key, line in held.items() if known.get(key) != line]
        lines += [f"{GONE}{key}" for key in known if key not in held and not key.startswith(_UNNOTED)]
        if lines and not held and heading.endswith(":"):
            lines = [NOTHING_LEFT]
        yield from [heading, *lines] if lines and heading.endswith(":") else lines


def write_changes(now: Told, told: Mapping[str, Mapping[str, str]]) -> str:
    """Return the same as text, which says that it tells changes if something was told before; empty without any."""
    lines = "\n".join(list_changes(now, told))
    return f"{CHANGES}\n{lines}" if lines and told else lines


def follow(block: str, told: Told) -> None:
    """Apply what one block has told."""
    heading = ""
    for line in filter(None, block.removeprefix(CHANGES).split("\n")):
        said = line.removeprefix(GONE)
        if said.endswith(":"):
            heading = said
        elif line == NOTHING_LEFT:
            told.pop(heading, None)
        elif line.startswith(GONE):
            told.get(STANDING if _STANDING.match(said) else heading, {}).pop(said, None)
        else:
            told.setdefault(STANDING if _STANDING.match(line) else heading, {})[_find_key(line)] = line
