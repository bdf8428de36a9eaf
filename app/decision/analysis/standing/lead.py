"""Whether a lead holds if doubtful ratings move.

A lead is read by a worth of one step on each objective: 1 everywhere for the plain sum, or what people's points give.
Both are linear, so the ends of a range are the hardest cases. A gap is read against the leader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from app.decision.analysis.dominance import Bounds, read_bounds, read_ranges
from app.decision.analysis.ratings import At, RatingTable


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to compare: the worth of one step by objective, and the alternatives that are compared."""

    worth: Mapping[str, Fraction]
    """An objective that is not in it is worth nothing."""
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeadCheck:
    """What may become of a lead."""

    shaken_by: tuple[At, ...]
    """Doubtful ratings that end a lead alone, at an end of their range, or one step on if none was given."""
    rivals: tuple[str, ...]
    """Alternatives that could draw level or lead if all the given ranges count together."""


def read_plainly(table: RatingTable) -> Reading:
    """Return the reading of the plain sum."""
    return Reading(dict.fromkeys(table.objectives, Fraction(1)), table.alternatives)


def check_lead(table: RatingTable, leader: str, readings: tuple[Reading, ...]) -> LeadCheck:
    """Check the lead by each reading. A tie ends a lead."""
    rated, ranges = read_bounds(table), read_ranges(table)
    shaken = {at for reading in readings for at in _list_shaking(table, leader, reading, rated)}
    rivals = {
        each
        for reading in readings
        for each, margin in _list_margins(table, leader, reading, ranges).items()
        if margin <= 0
    }
    return LeadCheck(
        tuple(at for at in product(table.alternatives, table.objectives) if at in shaken),
        tuple(each for each in table.alternatives if each in rivals),
    )


def _list_shaking(table: RatingTable, leader: str, reading: Reading, rated: Mapping[str, Bounds]) -> Iterator[At]:
    margins = _list_margins(table, leader, reading, rated)
    for at, cell in table.cells.items():
        (low, high), worth = cell.reach, reading.worth.get(at[1], Fraction())
        # Only a move changes a margin: a lead that was none before is not ended by it.
        loss = (cell.rating - low if at[0] == leader else high - cell.rating) * worth
        against = margins.values() if at[0] == leader else filter(None, [margins.get(at[0])])
        if cell.doubtful and loss and any(margin <= loss for margin in against):
            yield at


def _list_margins(table: RatingTable, leader: str, reading: Reading, rows: Mapping[str, Bounds]) -> dict[str, Fraction]:
    """Return how far the leader is ahead of each other alternative, at its worst and the other's best."""
    worth = [reading.worth.get(objective, Fraction()) for objective in table.objectives]
    return {
        each: sum(
            (step * (low - high) for step, low, high in zip(worth, rows[leader].worst, rows[each].best, strict=True)),
            Fraction(),
        )
        for each in reading.alternatives
        if each != leader
    }
