"""The order of values that amounts give, linear between worst and best, against the order that ratings give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from app.decision.analysis.measures import Measure, MeasuredTable
from app.decision.analysis.ratings import At, RatingTable
from app.decision.analysis.swing import Swing


@dataclass(frozen=True, slots=True)
class Reversal:
    """Two alternatives that ratings and amounts order oppositely, and the cells that cause it, the largest first."""

    by_ratings: str
    by_amounts: str
    cells: tuple[At, ...]


@dataclass(frozen=True, slots=True)
class ValueOrder:
    """Values by alternative. An objective without all amounts counts by its ratings in both.

    Where a swing is worth its steps, the values by ratings are the plain sums, and those by amounts have their zero.
    """

    by_ratings: Mapping[str, float]
    by_amounts: Mapping[str, float]
    reversals: tuple[Reversal, ...]


def compare_orders(
    table: RatingTable, measured: MeasuredTable, swings: Sequence[Swing], points: Mapping[str, int]
) -> ValueOrder | None:
    """Compare both orders of a table; None if ratings are missing or no objective that varies has all its amounts.

    A swing is worth its points or, unless all have some, its number of steps.
    """
    whole = all(each.objective in points for each in swings)
    worths = {each.objective: points[each.objective] if whole else each.best - each.worst for each in swings}
    measures = {each: measured.measures[each] for each in worths if _has_all(table, measured, each)}
    if table.missing or not measures:
        return None
    rated: dict[At, Fraction] = {}
    for swing in swings:
        for each in table.alternatives:
            steps = Fraction((table.rating(each, swing.objective) or 0) - swing.worst, swing.best - swing.worst)
            rated[each, swing.objective] = steps * worths[swing.objective]
    counted = dict(rated)
    for objective, measure in measures.items():
        counted |= _place_amounts(table, measured, objective, measure, worths[objective])
    base = Fraction(0 if whole else _sum_worst(table))
    values, others = (
        {each: sum((found[each, objective] for objective in worths), base) for each in table.alternatives}
        for found in (rated, counted)
    )
    shifts = {at: counted[at] - rated[at] for at in rated}
    reversals = tuple(
        Reversal(one, other, _find_causes(shifts, one, other))
        for one, other in permutations(table.alternatives, 2)
        if values[one] > values[other] and others[one] < others[other]
    )
    return ValueOrder(_as_numbers(values), _as_numbers(others), reversals)


def _sum_worst(table: RatingTable) -> int:
    """Return the plain sum of an alternative that would be the worst everywhere. The table has no gaps."""
    return sum(min(table.rating(each, objective) or 0 for each in table.alternatives) for objective in table.objectives)


def _has_all(table: RatingTable, measured: MeasuredTable, objective: str) -> bool:
    return objective in measured.measures and all((each, objective) in measured.amounts for each in table.alternatives)


def _place_amounts(
    table: RatingTable, measured: MeasuredTable, objective: str, measure: Measure, worth: int
) -> dict[At, Fraction]:
    """Return the values of the amounts of an objective: 0 for the worst, its whole worth for the best."""
    good = {
        (each, objective): Fraction(measure.value(measured.amounts[each, objective])) for each in table.alternatives
    }
    worst, best = min(good.values()), max(good.values())
    return {at: worth * (each - worst) / (best - worst) if best > worst else Fraction() for at, each in good.items()}


def _find_causes(shifts: Mapping[At, Fraction], one: str, other: str) -> tuple[At, ...]:
    """Return the cells by which amounts move `other` ahead of `one`."""
    toward = {at: shift if at[0] == other else -shift for at, shift in shifts.items() if at[0] in (one, other)}
    return tuple(sorted((at for at, shift in toward.items() if shift > 0), key=lambda at: -toward[at]))


def _as_numbers(values: Mapping[str, Fraction]) -> dict[str, float]:
    return {each: float(value) for each, value in values.items()}
