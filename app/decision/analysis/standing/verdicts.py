"""Decisions of people about findings. They change what the analysis weighs, never what it finds.

A verdict on a dominated alternative holds for the dominator that it was given beside, and for no other one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from app.decision.analysis.conflict import PracticalDominance
from app.decision.analysis.ratings import RatingTable, Steps


@dataclass(frozen=True, slots=True)
class Kept:
    """An alternative that people keep although others dominate it."""

    alternative: str
    by: str = ""
    """The dominator that was shown to them; empty for the one that is shown now."""
    dominators: frozenset[str] = frozenset()
    """All that dominated it then."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """An alternative that people set aside in words, whatever the dominator counts on."""

    alternative: str
    by: str = ""
    """The dominator that was shown to them; empty for the one that is shown now."""
    despite: frozenset[str] = frozenset()
    """Objectives on which amounts spoke for the alternative."""


@dataclass(frozen=True, slots=True)
class NotWorth:
    """The answer that the single step of `alternative` is not worth what `by` brings instead."""

    alternative: str
    by: str
    gives_up: frozenset[Steps]
    gains: frozenset[Steps]

    def answers(self, found: PracticalDominance) -> bool:
        """Return True if this was said of exactly these steps."""
        of = (found.alternative, found.by, frozenset((found.gives_up,)), frozenset(found.gains))
        return of == (self.alternative, self.by, self.gives_up, self.gains)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All that people decided about the findings of one table."""

    kept: frozenset[Kept] = frozenset()
    kept_before: frozenset[tuple[str, str]] = frozenset()
    """Each alternative that was kept before others came to dominate it too, with a dominator it was kept beside."""
    set_aside: frozenset[SetAside] = frozenset()
    counts_on: frozenset[tuple[str, str]] = frozenset()
    """Each alternative with something that it counts on and that may not come."""
    left_out: frozenset[str] = frozenset()
    """Objectives that people called redundant or dismissed."""
    not_worth: frozenset[NotWorth] = frozenset()
    dropped: frozenset[str] = frozenset()
    """Alternatives that people leave out of the choice, whatever their ratings."""


NONE_GIVEN = Verdicts()


def is_kept(verdicts: Verdicts, by: str, alternative: str, over: Collection[str]) -> bool:
    """Return True if people keep the alternative beside `by`, which is one of `over`, its dominators of now."""
    own = [each for each in verdicts.kept if each.alternative == alternative]
    return any(not each.by or (each.by in over and by in (each.by, *each.dominators)) for each in own)


def is_set_aside(verdicts: Verdicts, by: str, alternative: str) -> bool:
    """Return True if people set the alternative aside for `by`."""
    return any(each.alternative == alternative and each.by in ("", by) for each in verdicts.set_aside)


def is_conditional(verdicts: Verdicts, by: str, alternative: str) -> bool:
    """Return True if `by` counts on something that `alternative` does not count on."""
    own, theirs = ({what for each, what in verdicts.counts_on if each == option} for option in (by, alternative))
    return not own <= theirs


def list_left_out(table: RatingTable, verdicts: Verdicts) -> tuple[str, ...]:
    """Return the objectives that do not count. If none would be left, all count."""
    found = tuple(each for each in table.objectives if each in verdicts.left_out)
    return found if len(found) < len(table.objectives) else ()


def list_dropped(table: RatingTable, verdicts: Verdicts) -> tuple[str, ...]:
    """Return the alternatives that people leave out. The baseline stays, and if fewer than two would stay, all do."""
    found = tuple(each for each in table.alternatives if each in verdicts.dropped and each != table.baseline)
    return found if len(table.alternatives) - len(found) > 1 else ()


def list_given_up(found: tuple[PracticalDominance, ...], verdicts: Verdicts) -> tuple[str, ...]:
    """Return the alternatives that people gave up for one that is ahead by far."""
    given_up = (each.alternative for each in found if any(said.answers(each) for said in verdicts.not_worth))
    return tuple(dict.fromkeys(given_up))
