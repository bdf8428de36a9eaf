"""The state of a step as the model is told it: once as a whole, and after that what has changed.

The blocks of earlier turns stay in the request as they were sent. What they have told is read off them again, so that
nothing has to be stored beside them, and a block that is not sent any more has told nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from app.core.state.interview import Phase
from app.core.text import marks

PHASE: Final = "Phase: "
AGAIN: Final = "{phase} again: what this phase wants was told above, and holds."
CHANGES: Final = "Changed since; the rest stands."
GONE: Final = "Gone: "
NOTHING_LEFT: Final = "(nothing any more)"
NOTED: Final = "Noted "
"""Beginning of the headings of what the model notes."""

_BLOCK = re.compile(r"<step>\n(.*?)\n</step>", re.DOTALL)
_PHASE_NAME = re.compile(rf"{PHASE}(\w+)")
_ITEM = re.compile(r"- ([A-Z]{1,2}\d{1,3})\b")
_FIELD = re.compile(r"([a-z_.]+|[A-Z][A-Za-z0-9 ,()]{0,50}): ")
_STANDING = re.compile(r"Still needed: |Nothing is missing |Nothing is noted |Does not fit yet \(")
_NEEDED = re.compile(r"Still needed: |Nothing is missing ")
_UNNOTED = "Nothing is noted "

STANDING: Final = "standing"
"""In place of a heading: how far the step is. Such lines come last and are known by their beginnings."""

Told: TypeAlias = dict[str, dict[str, str]]
"""Lines by heading and key. Lines without a heading have an empty one."""


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading, which ends with a colon. Lines of `STANDING` or without a heading stand for themselves."""

    heading: str
    lines: tuple[str, ...]


Earlier: TypeAlias = str | tuple[Section, ...]
"""A text that the request holds already, or the notes as the model's own calls have left them."""


def write_state(phase: Phase, guidance: str, sections: Iterable[Section], earlier: Iterable[Earlier] = ()) -> str:
    """Return the block of a turn in this phase; empty if nothing has changed that the model was not told, oldest first.

    What the model has noted itself is not told again.
    """
    phases, told = _read(earlier)
    parts = [_write_phase(phase, guidance, phases), "\n".join(_list_changes(_gather(sections), told))]
    if told and parts[1]:
        parts[1] = f"{CHANGES}\n{parts[1]}"
    return marks.write_block("step", "\n\n".join(filter(None, parts))) if any(parts) else ""


def _write_phase(phase: Phase, guidance: str, phases: list[str]) -> str:
    if phases and phases[-1] == phase:
        return ""
    wanted = AGAIN.format(phase=phase.value) if phase in phases else f"{phase.value}\n{guidance}"
    return f"{PHASE}{wanted}"


def _gather(sections: Iterable[Section]) -> Told:
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
    """Return what a line is about: an item, a field, or its words."""
    if _NEEDED.match(line):
        return "needed"
    if found := _ITEM.match(line) or (not line.startswith(("-", "•")) and _FIELD.match(line)):
        return found[1]
    return line


def _list_changes(now: Told, told: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    headings = dict.fromkeys(("", *now, *told, STANDING))
    for heading in sorted(headings, key=lambda each: each == STANDING):
        known, held = told.get(heading, {}), now.get(heading, {})
        lines = [line for key, line in held.items() if known.get(key) != line]
        lines += [f"{GONE}{key}" for key in known if key not in held and not key.startswith(_UNNOTED)]
        if lines and not held and heading.endswith(":"):
            lines = [NOTHING_LEFT]
        yield from [heading, *lines] if lines and heading.endswith(":") else lines


def _read(earlier: Iterable[Earlier]) -> tuple[list[str], Told]:
    phases, told = list[str](), Told()
    for each in earlier:
        if isinstance(each, str):
            _follow_blocks(each, phases, told)
        else:
            _take_notes(each, told)
    return phases, {heading: lines for heading, lines in told.items() if lines}


def _take_notes(noted: tuple[Section, ...], told: Told) -> None:
    """Replace the notes: a call that took something out has told that as well."""
    for heading in [each for each in told if each.startswith(NOTED)]:
        del told[heading]
    now = _gather(noted)
    told.setdefault(STANDING, {}).update(now.pop(STANDING, {}))
    told.update(now)


def _follow_blocks(text: str, phases: list[str], told: Told) -> None:
    for block in (found[1] for found in _BLOCK.finditer(text)):
        if named := _PHASE_NAME.match(block):
            phases.append(named[1])
            _, _, block = block.partition("\n\n")
        _follow(block.removeprefix(CHANGES).strip("\n"), told)


def _follow(block: str, told: Told) -> None:
    """Apply what one block has told."""
    heading = ""
    for line in filter(None, block.split("\n")):
        said = line.removeprefix(GONE)
        if said.endswith(":"):
            heading = said
        elif line == NOTHING_LEFT:
            told.pop(heading, None)
        elif line.startswith(GONE):
            told.get(STANDING if _STANDING.match(said) else heading, {}).pop(said, None)
        else:
            told.setdefault(STANDING if _STANDING.match(line) else heading, {})[_find_key(line)] = line
