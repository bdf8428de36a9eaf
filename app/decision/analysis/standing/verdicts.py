"""Decisions of people about findings. They change what the analysis weighs, never what it finds."""

from __future__ import annotations

from dataclasses import dataclass

from app.decision.analysis.conflict import PracticalDominance
from app.decision.analysis.ratings import RatingTable, Steps


@dataclass(frozen=True, slots=True)
class SetAside:
    """An alternative that people set aside for `by` although amounts speak for it on these objectives."""

    alternative: str
    by: str
    despite: frozenset[str]


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

    kept: frozenset[str] = frozenset()
    """Dominated alternatives that stay."""
    agreed: frozenset[str] = frozenset()
    """Dominated alternatives that people set aside in words, whatever the others count on."""
    counts_on: frozenset[tuple[str, str]] = frozenset()
    """Each alternative with something that it counts on and that may not come."""
    set_aside: frozenset[SetAside] = frozenset()
    left_out: frozenset[str] = frozenset()
    """Objectives that people called redundant or dismissed."""
    not_worth: frozenset[NotWorth] = frozenset()


NONE_GIVEN = Verdicts()


def is_conditional(verdicts: Verdicts, by: str, alternative: str) -> bool:
    """Return True if `by` counts on something that `alternative` does not count on."""
    own, theirs = ({what for each, what in verdicts.counts_on if each == option} for option in (by, alternative))
    return not own <= theirs


def list_left_out(table: RatingTable, verdicts: Verdicts) -> tuple[str, ...]:
    """Return the objectives that do not count. If none would be left, all count."""
    found = tuple(each for each in table.objectives if each in verdicts.left_out)
    return found if len(found) < len(table.objectives) else ()


def list_given_up(found: tuple[PracticalDominance, ...], verdicts: Verdicts) -> tuple[str, ...]:
    """Return the alternatives that people gave up for one that is ahead by far."""
    given_up = (each.alternative for each in found if any(said.answers(each) for said in verdicts.not_worth))
    return tuple(dict.fromkeys(given_up))
