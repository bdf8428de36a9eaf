"""Swing weights: the worth of the step from the worst to the best rating, objective by objective.

The person gives 100 points to the swing that matters most and measures the others by it. Importance means nothing
without the ranges, so exactly the varying objectives get points. Arithmetic is exact, so that ties are found.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.decision.analysis.ratings import Flaw, InvalidInput, RatingTable
from app.decision.analysis.variation import find_varying

FULL_SWING: Final = 100


@dataclass(frozen=True, slots=True)
class Swing:
    """Range of an objective, about which the person is asked."""

    objective: str
    worst: int
    best: int


@dataclass(frozen=True, slots=True)
class Value:
    """Value of an alternative by the person's points."""

    alternative: str
    points: float
    share: float
    """Share of all points, 0 to 1."""


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Points of `objective` at which `to` draws level with the leader; beyond them it leads."""

    objective: str
    points: float
    to: str


@dataclass(frozen=True, slots=True)
class WeighedTable:
    """All alternatives by value."""

    values: tuple[Value, ...]
    leaders: tuple[str, ...]
    """Alternatives with the largest value; several in a tie."""
    break_evens: tuple[BreakEven, ...]
    """For each objective, the nearest changes of its points, up and down, that end the lead. None in a tie."""
    step_worth: Mapping[str, Fraction]
    """Points of one step by objective."""


def find_swings(table: RatingTable) -> tuple[Swing, ...]:
    """Return the ranges of the varying objectives, about which the person is asked."""
    return tuple(Swing(objective, min(column), max(column)) for objective, column in find_varying(table).items())


def weigh(table: RatingTable, points: Mapping[str, int], given_up: Collection[str] = ()) -> WeighedTable:
    """Value each alternative: the sum of points · (rating − worst) / (best − worst).

    Those given up still span the ranges that the points are about, but are not compared.
    Raises `InvalidInput` (GAPS) if ratings are missing. Raises `InvalidInput` (POINTS) unless exactly the varying
    objectives have points in 0..100, and at least one has 100.
    """
    if table.missing:
        raise InvalidInput(Flaw.GAPS, *table.missing[0])
    reached = {
        objective: [Fraction(rating - min(column), max(column) - min(column)) for rating in column]
        for objective, column in find_varying(table).items()
    }
    _check(points, reached)
    compared = [index for index, alternative in enumerate(table.alternatives) if alternative not in given_up]
    options = [table.alternatives[index] for index in compared]
    reached = {objective: [parts[index] for index in compared] for objective, parts in reached.items()}
    worth = [
        sum((points[objective] * parts[index] for objective, parts in reached.items()), Fraction())
        for index in range(len(options))
    ]
    first = [index for index, each in enumerate(worth) if each == max(worth)]
    total = sum(points.values())
    return WeighedTable(
        values=tuple(
            Value(alternative, float(each), float(each / total))
            for alternative, each in zip(options, worth, strict=True)
        ),
        leaders=tuple(options[index] for index in first),
        break_evens=tuple(
            BreakEven(objective, float(at), options[index])
            for objective, parts in reached.items()
            for at, index in _find_nearest(worth, parts, points[objective])
            if len(first) == 1
        ),
        step_worth={
            objective: Fraction(points[objective], max(column) - min(column))
            for objective, column in find_varying(table).items()
        },
    )


def _check(points: Mapping[str, int], reached: Mapping[str, object]) -> None:
    for objective in (*reached, *points):
        if (objective in points) != (objective in reached) or not 0 <= points[objective] <= FULL_SWING:
            raise InvalidInput(Flaw.POINTS, objective)
    if max(points.values(), default=0) != FULL_SWING:
        raise InvalidInput(Flaw.POINTS)


def _find_nearest(worth: list[Fraction], parts: list[Fraction], points: int) -> list[tuple[Fraction, int]]:
    """Return the nearest points, below and above the current ones, at which another alternative draws level."""
    leader = worth.index(max(worth))
    level = [
        (points - (worth[leader] - worth[index]) / (parts[leader] - parts[index]), index)
        for index in range(len(worth))
        if parts[index] != parts[leader]
    ]
    below = max((each for each in level if 0 <= each[0] < points), key=lambda each: each[0], default=None)
    above = min((each for each in level if each[0] > points), key=lambda each: each[0], default=None)
    return [each for each in (below, above) if each]
