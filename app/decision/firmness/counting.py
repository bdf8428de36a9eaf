"""Exact shares: all cases of a small space, counted without listing them.

With given points the values of two alternatives do not depend on each other. So the cases of each alternative are
counted by its value, and cases of all are products of these counts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from math import prod

from app.decision.firmness.space import Column, Shares, Space


@dataclass(frozen=True, slots=True)
class _Spread:
    """The values that an alternative may have, ascending, and the number of its cases up to each."""

    values: list[int]
    upto: list[int]
    """One more than the values: 0 comes first."""

    def below(self, value: int) -> int:
        """Return the number of cases with less than this value."""
        return self.upto[bisect_left(self.values, value)]

    def most(self, value: int) -> int:
        """Return the number of cases with at most this value."""
        return self.upto[bisect_right(self.values, value)]


def count_cases(space: Space) -> Shares:
    """Return the shares of all cases. The space is exact."""
    counted = {each: _count_values(space, each, space.columns) for each in space.alternatives}
    spreads = {each: _build_spread(found) for each, found in counted.items()}
    firsts = {
        each: sum(
            cases * prod(spread.below(value) for other, spread in spreads.items() if other != each)
            for value, cases in found.items()
        )
        / space.cases
        for each, found in counted.items()
    }
    turning = {
        (each, column.objective): _count_turning(space, spreads, each, column) / space.cases
        for each in space.alternatives
        for column in space.columns
        if space.count_steps(each, column) > 1
    }
    level = tuple(each for each, found in counted.items() if _is_ever_level(each, found, spreads))
    return Shares(firsts, level, turning)


def _is_ever_level(alternative: str, counted: Iterable[int], spreads: dict[str, _Spread]) -> bool:
    """Return True if a value of this alternative is the best in some case, and that of another one as well."""
    others = [spread for each, spread in spreads.items() if each != alternative]
    return any(
        prod(each.most(value) for each in others) > prod(each.below(value) for each in others) for value in counted
    )


def _count_values(space: Space, alternative: str, columns: Iterable[Column]) -> Counter[int]:
    """Return the number of an alternative's cases by value."""
    found = Counter({0: 1})
    for column in columns:
        wider = Counter[int]()
        for step in _list_worths(space, alternative, column):
            for value, cases in found.items():
                wider[value + step] += cases
        found = wider
    return found


def _list_worths(space: Space, alternative: str, column: Column) -> list[int]:
    low, high = space.bounds[alternative, column.objective]
    return [(column.points or 0) * column.unit * (rating - column.worst) for rating in range(low, high + 1)]


def _build_spread(counted: Counter[int]) -> _Spread:
    values = sorted(counted)
    return _Spread(values, [0, *accumulate(counted[each] for each in values)])


def _count_turning(space: Space, spreads: dict[str, _Spread], alternative: str, column: Column) -> int:
    """Return the number of cases in which another rating of this cell alone would change who leads.

    So it is if the best of the others lies between the alternative's lowest and highest value, or on one of them.
    """
    worths = _list_worths(space, alternative, column)
    if worths[0] == worths[-1]:
        return 0
    others = [spread for each, spread in spreads.items() if each != alternative]
    without = _count_values(space, alternative, [each for each in space.columns if each is not column])
    between = sum(
        cases
        * (
            prod(each.most(value + worths[-1]) for each in others)
            - prod(each.below(value + worths[0]) for each in others)
        )
        for value, cases in without.items()
    )
    return between * len(worths)
