"""Ratings on one objective that do not go with the amounts beside them: questions, never corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

from app.decision.analysis.measures import MeasuredTable
from app.decision.analysis.ratings import RatingTable

FAR_APART: Final = 0.25
"""Share of the range of an objective's amounts; equal ratings that are farther apart are asked about."""


class MismatchKind(StrEnum):
    """How ratings and amounts differ."""

    EQUAL_RATINGS = "equal_ratings"
    EQUAL_AMOUNTS = "equal_amounts"
    """With a target: equally far from it."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Two alternatives with equal ratings and amounts far apart, or with different ratings and equal amounts."""

    kind: MismatchKind
    objective: str
    one: str
    other: str


def find_mismatches(table: RatingTable, measured: MeasuredTable) -> tuple[Mismatch, ...]:
    """Return all mismatches, those of one objective with the largest distance first."""
    return tuple(each for objective in table.objectives for each in _list_of(table, measured, objective))


def _list_of(table: RatingTable, measured: MeasuredTable, objective: str) -> Iterator[Mismatch]:
    values = {
        alternative: measured.measures[objective].value(measured.amounts[alternative, objective])
        for alternative in table.alternatives
        if (alternative, objective) in measured.amounts and (alternative, objective) in table.cells
    }
    spread = _measure_range(table, measured, objective, values)
    pairs = sorted(combinations(values, 2), key=lambda pair: -abs(values[pair[0]] - values[pair[1]]))
    for one, other in pairs:
        is_same = table.rating(one, objective) == table.rating(other, objective)
        amounts = (measured.amounts[one, objective], measured.amounts[other, objective])
        if is_same and abs(values[one] - values[other]) > spread * FAR_APART:
            yield Mismatch(MismatchKind.EQUAL_RATINGS, objective, one, other)
        elif not is_same and not measured.measures[objective].compare(*amounts):
            yield Mismatch(MismatchKind.EQUAL_AMOUNTS, objective, one, other)


def _measure_range(table: RatingTable, measured: MeasuredTable, objective: str, values: Mapping[str, float]) -> float:
    """Return the range of the amounts; from 0 if today's amount is unknown, because it may lie far from the others."""
    spread = max(values.values(), default=0) - min(values.values(), default=0)
    if table.baseline is None or table.baseline in values:
        return spread
    return max([spread, *(abs(measured.amounts[each, objective]) for each in values)])
