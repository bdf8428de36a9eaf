"""The state of a step as the model is told it: its phase, and what is noted and known in it.

The blocks of earlier turns stay in the request as they were sent. A block that is not sent any more has told nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from app.core.state.interview import Phase
from app.core.text import marks
from app.core.turns.state_changes import STANDING, Section, Told, follow, gather, write_changes

PHASE: Final = "Phase: "
AGAIN: Final = "{phase} again: what this phase wants was told above, and holds."
AFTER: Final = "{phase} after draft {draft}"
"""A phase to which the request for changes of a draft has led back."""
TAKEN_BACK: Final = (
    "The owner has taken the card of this draft back: ask what to change, unless they have said it. Note what they "
    "have said, and do not ask whether that is all: if you ask nothing, the draft is shown again when your turn ends."
)
NOTED: Final = "Noted "
"""Beginning of the headings of what the model notes."""

_BLOCK = re.compile(r"<step>\n(.*?)\n</step>", re.DOTALL)
_PHASE_NAME = re.compile(rf"{PHASE}(\w+(?: after draft \d+)?)")

Earlier: TypeAlias = str | tuple[Section, ...]
"""A text that the request holds already, or the notes as the model's own calls have left them."""


def write_state(
    phase: Phase,
    guidance: str,
    sections: Iterable[Section],
    earlier: Iterable[Earlier] = (),
    *,
    taken_back: int = 0,
) -> str:
    """Return the block of a turn in this phase; empty if nothing has changed that the model was not told, oldest first.

    `taken_back` is the number of the draft whose card led back here; 0 if none did. What the model has noted itself is
    not told again.
    """
    phases, told = _read(earlier)
    parts = [_write_phase(phase, guidance, phases, taken_back), write_changes(gather(sections), told)]
    return marks.write_block("step", "\n\n".join(filter(None, parts))) if any(parts) else ""


def _write_phase(phase: Phase, guidance: str, phases: list[str], taken_back: int) -> str:
    name = AFTER.format(phase=phase.value, draft=taken_back) if taken_back else phase.value
    if phases and phases[-1] == name:
        return ""
    is_known = phase in (each.split()[0] for each in phases)
    if taken_back and name not in phases:
        wanted = "\n".join([name, TAKEN_BACK, *([] if is_known else [guidance])])
    else:
        wanted = AGAIN.format(phase=name) if is_known else f"{name}\n{guidance}"
    return f"{PHASE}{wanted}"


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
    now = gather(noted)
    told.setdefault(STANDING, {}).update(now.pop(STANDING, {}))
    told.update(now)


def _follow_blocks(text: str, phases: list[str], told: Told) -> None:
    for block in (found[1] for found in _BLOCK.finditer(text)):
        if named := _PHASE_NAME.match(block):
            phases.append(named[1])
            _, _, block = block.partition("\n\n")
        follow(block, told)
