"""Ratings on one objective that do not go with the amounts beside them: questions, never corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final, TypeAlias

from app.decision.analysis.amounts.bounds import read_span
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
    rating: int | None = None
    """The rating of both; None if they are rated differently."""
    outside: tuple[str, ...] = ()
    """Which of the two have an amount outside of what people defined that rating to mean."""


Meanings: TypeAlias = Mapping[tuple[str, int | None], str]
"""What people defined a rating to mean, by objective and rating."""


def find_mismatches(table: RatingTable, measured: MeasuredTable, defined: Meanings) -> tuple[Mismatch, ...]:
    """Return all mismatches, those of one objective with the largest distance first.

    Equal ratings are none if both amounts are within what people defined that rating to mean. A rating that nobody
    knows is in none.
    """
    known = table.known
    return tuple(each for objective in known.objectives for each in _list_of(known, measured, objective, defined))


def _list_of(table: RatingTable, measured: MeasuredTable, objective: str, defined: Meanings) -> Iterator[Mismatch]:
    values = {
        alternative: measured.measures[objective].value(measured.amounts[alternative, objective])
        for alternative in table.alternatives
        if (alternative, objective) in measured.amounts and (alternative, objective) in table.cells
    }
    spread = _measure_range(table, measured, objective, values)
    pairs = sorted(combinations(values, 2), key=lambda pair: -abs(values[pair[0]] - values[pair[1]]))
    for one, other in pairs:
        rating = table.rating(one, objective)
        is_same = rating == table.rating(other, objective)
        amounts = (measured.amounts[one, objective], measured.amounts[other, objective])
        if is_same and abs(values[one] - values[other]) > spread * FAR_APART:
            span = read_span(defined.get((objective, rating), ""), measured.units.get(objective, ""))
            pair = zip((one, other), amounts, strict=True)
            outside = tuple(at for at, amount in pair if not all(each.allows(amount, end) for each, end in span))
            if outside or not span:
                yield Mismatch(MismatchKind.EQUAL_RATINGS, objective, one, other, rating, outside)
        elif not is_same and not measured.measures[objective].compare(*amounts):
            yield Mismatch(MismatchKind.EQUAL_AMOUNTS, objective, one, other)


def _measure_range(table: RatingTable, measured: MeasuredTable, objective: str, values: Mapping[str, float]) -> float:
    """Return the range of the amounts; from 0 if today's amount is unknown, because it may lie far from the others."""
    spread = max(values.values(), default=0) - min(values.values(), default=0)
    if table.baseline is None or table.baseline in values:
        return spread
    return max([spread, *(abs(measured.amounts[each, objective]) for each in values)])
