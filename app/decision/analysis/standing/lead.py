"""Whether a lead holds if doubtful ratings move.

A lead is read by a worth of one step on each objective: 1 everywhere for the plain sum, or what people's points give.
Both are linear, so the ends of a range are the hardest cases. A gap is read against the leader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from app.decision.analysis.dominance import Bounds, read_bounds, read_ranges
from app.decision.analysis.ratings import At, RatingTable

Worth: TypeAlias = Mapping[str, Fraction]
"""The worth of one step by objective; one that is not in it is worth nothing."""


@dataclass(frozen=True, slots=True)
class LeadCheck:
    """What may become of a lead."""

    shaken_by: tuple[At, ...]
    """Doubtful ratings that end a lead alone, at an end of their range, or one step on if none was given."""
    rivals: tuple[str, ...]
    """Alternatives that could draw level or lead if all the given ranges count together."""


def check_lead(table: RatingTable, leader: str, worths: Sequence[Worth]) -> LeadCheck:
    """Check the lead by each worth. A tie ends a lead."""
    rated, ranges = read_bounds(table), read_ranges(table)
    shaken = {at for worth in worths for at in _list_shaking(table, leader, worth, rated)}
    rivals = {
        each for worth in worths for each, margin in _list_margins(table, leader, worth, ranges).items() if margin <= 0
    }
    return LeadCheck(
        tuple(at for at in product(table.alternatives, table.objectives) if at in shaken),
        tuple(each for each in table.alternatives if each in rivals),
    )


def _list_shaking(table: RatingTable, leader: str, worth: Worth, rated: Mapping[str, Bounds]) -> Iterator[At]:
    margins = _list_margins(table, leader, worth, rated)
    for at, cell in table.cells.items():
        low, high = cell.reach
        # Only a move changes a margin: a lead that was none before is not ended by it.
        loss = (cell.rating - low if at[0] == leader else high - cell.rating) * worth.get(at[1], Fraction())
        against = margins.values() if at[0] == leader else filter(None, [margins[at[0]]])
        if cell.doubtful and loss and any(margin <= loss for margin in against):
            yield at


def _list_margins(table: RatingTable, leader: str, worth: Worth, rows: Mapping[str, Bounds]) -> dict[str, Fraction]:
    """Return how far the leader is ahead of each other alternative, at its worst and the other's best."""
    steps = [worth.get(objective, Fraction()) for objective in table.objectives]
    return {
        each: sum(
            (step * (low - high) for step, low, high in zip(steps, rows[leader].worst, rows[each].best, strict=True)),
            Fraction(),
        )
        for each in table.alternatives
        if each != leader
    }
