"""Swing weights: the worth of the step from the worst to the best rating, objective by objective.

The person gives 100 points to the swing that matters most and measures the others by it. Importance means nothing
without the ranges: exactly the varying objectives get points, and points count only for the range they were given for.
Arithmetic is exact, so that ties are found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
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
class GivenPoints:
    """Points of an objective, with the range they were given for."""

    objective: str
    points: int
    worst: int | None = None
    """None if nobody noted the range: it is then the range of the table."""
    best: int | None = None

    def fits(self, swing: Swing) -> bool:
        """Return True if the points were given for this objective and range."""
        worst = swing.worst if self.worst is None else self.worst
        best = swing.best if self.best is None else self.best
        return (self.objective, worst, best) == (swing.objective, swing.worst, swing.best)


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Points of `objective` at which the lead ends. Farther away, others than `to` may lead."""

    objective: str
    points: float
    to: tuple[str, ...]
    """Those that lead at the whole points next beyond, or at the end of the scale. Several if they are level there."""
    given: int
    """Points that the person gave."""

    @property
    def whole(self) -> int:
        """Return the whole points just below which (`points` < `given`) or just above which `to` leads."""
        return max(1, ceil(self.points)) if self.points < self.given else min(FULL_SWING - 1, floor(self.points))


@dataclass(frozen=True, slots=True)
class WeighedTable:
    """All alternatives by value."""

    values: Mapping[str, float]
    """The person's points for each alternative, in display order."""
    leaders: tuple[str, ...]
    """Alternatives with the largest value; several in a tie."""
    break_evens: tuple[BreakEven, ...]
    """The nearest changes of one objective's points, up and down, that end the lead: the smallest change first.

    All lie in 0 to 100; at either end the lead ends in a tie. None in a tie.
    """
    step_worth: Mapping[str, Fraction]
    """Points of one step by objective."""

    @property
    def spans(self) -> Mapping[str, tuple[int, int]]:
        """Return the first and the last whole points between which nobody passes the leader, by objective.

        There are only those of objectives by which others can pass it. The points of all others are those given.
        """
        ends: dict[str, dict[bool, int]] = {}
        for each in self.break_evens:
            if 0 < each.points < FULL_SWING:  # at an end of the scale others are only level
                ends.setdefault(each.objective, {})[each.points < each.given] = each.whole
        return {each: (found.get(True, 0), found.get(False, FULL_SWING)) for each, found in ends.items()}


def find_swings(table: RatingTable) -> tuple[Swing, ...]:
    """Return the ranges of the varying objectives, about which the person is asked."""
    return tuple(Swing(objective, min(column), max(column)) for objective, column in find_varying(table).items())


def select_points(given: Iterable[GivenPoints], swings: Iterable[Swing]) -> dict[str, int]:
    """Return the points that count, by objective: those given for the ranges of the table."""
    ranges = {swing.objective: swing for swing in swings}
    return {
        each.objective: each.points for each in given if each.objective in ranges and each.fits(ranges[each.objective])
    }


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
    return WeighedTable(
        values=dict(zip(options, map(float, worth), strict=True)),
        leaders=tuple(options[index] for index in first),
        break_evens=tuple(_find_break_evens(options, worth, reached, points)) if len(first) == 1 else (),
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


def _find_break_evens(
    options: Sequence[str], worth: list[Fraction], reached: Mapping[str, list[Fraction]], points: Mapping[str, int]
) -> list[BreakEven]:
    found = [
        BreakEven(objective, float(at), tuple(options[index] for index in ahead), points[objective])
        for objective, parts in reached.items()
        for at, ahead in _find_nearest(worth, parts, points[objective])
    ]
    return sorted(found, key=lambda each: abs(each.points - each.given))


def _find_nearest(worth: list[Fraction], parts: list[Fraction], points: int) -> list[tuple[Fraction, list[int]]]:
    """Return the nearest points on the scale, below and above, where the lead ends, each with who leads then."""
    leader = worth.index(max(worth))
    found: list[tuple[Fraction, list[int]]] = []
    for way, room in ((-1, points), (1, FULL_SWING - points)):
        gains = [way * (part - parts[leader]) for part in parts]
        changes = [(worth[leader] - each) / gain for each, gain in zip(worth, gains, strict=True) if gain > 0]
        change = min(changes, default=None)
        if change is not None and change <= room:
            whole = min(room, floor(change) + 1)
            values = [each + whole * gain for each, gain in zip(worth, gains, strict=True)]
            found.append((points + way * change, [index for index, each in enumerate(values) if each == max(values)]))
    return found
