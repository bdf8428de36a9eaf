"""How often each alternative comes first over what people called possible, and which doubts matter.

The same table and points always give the same numbers. The module holds no text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from app.decision.analysis.ratings import At, RatingTable
from app.decision.analysis.swing import Swing
from app.decision.firmness.counting import count_cases
from app.decision.firmness.drawing import DRAWS, draw_cases
from app.decision.firmness.space import Space, build_space

NOTABLE: Final = 0.05
"""Share of cases that is worth a word."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A rating that may be another one, and what that would change."""

    at: At
    alone: bool
    """True if another rating here changes who leads, by sum or by value, while all else stays as rated."""
    share: float
    """Share of cases in which another rating here would change who leads."""
    by_sum: bool
    """True if, with some ratings in the other doubts, another rating here changes who leads on the plain sum."""
    alone_by_value: bool = False
    """True if another rating here alone changes who leads by people's points."""

    @property
    def idle(self) -> bool:
        """Return True if it changed nothing in any case that was looked at, nor can on the plain sum."""
        return not (self.alone or self.by_sum or self.share)


@dataclass(frozen=True, slots=True)
class Firmness:
    """What holds over all cases that people called possible."""

    firsts: Mapping[str, float]
    """Share of cases in which an alternative comes first, ahead of all others: the largest first, and none of 0."""
    level: float
    """Share of cases in which several are level in the lead."""
    level_ones: tuple[str, ...]
    """The alternatives that are among them in some case."""
    doubts: tuple[Doubt, ...]
    """What to find out first: those that change the lead alone, then by share, then in display order."""
    open: tuple[str, ...]
    """Objectives for which any points were tried."""
    cases: int
    """Number of cases looked at."""
    exact: bool
    """True if these are all cases, so that nothing else is possible."""

    @property
    def most_often(self) -> str:
        """Return the alternative that comes first notably more often than each other one; empty if none does."""
        first, second = [*self.firsts.values(), 0.0, 0.0][:2]
        return next(iter(self.firsts)) if first - second >= NOTABLE else ""


def find_firmness(table: RatingTable, swings: Sequence[Swing], points: Mapping[str, int]) -> Firmness | None:
    """Compute the firmness; None while ratings are missing. `points` are those that count for `swings`."""
    if table.missing:
        return None
    space = build_space(table, swings, points)
    shares = count_cases(space) if space.exact else draw_cases(space)
    firsts = sorted(shares.firsts.items(), key=lambda each: -each[1])
    on_sum, by_value = _list_turning_alone(table, space)
    by_sum = _list_turning_sums(table, space)
    doubts = [
        Doubt(
            at,
            alone=at in on_sum or at in by_value,
            share=shares.turning.get(at, 0.0),
            by_sum=at[0] in by_sum,
            alone_by_value=at in by_value,
        )
        for at in product(table.alternatives, table.objectives)
        if space.bounds[at][0] < space.bounds[at][1]
    ]
    return Firmness(
        firsts={each: share for each, share in firsts if share},
        level=max(0.0, 1 - sum(shares.firsts.values())),
        level_ones=shares.level,
        doubts=tuple(sorted(doubts, key=lambda each: (not each.alone, -each.share))),
        open=space.open,
        cases=space.cases if space.exact else DRAWS,
        exact=space.exact,
    )


def _list_turning_alone(table: RatingTable, space: Space) -> tuple[set[At], set[At]]:
    """Return the cells that, anywhere in their range, change the lead by sum, and with all points those by value."""
    steps = dict.fromkeys(table.objectives, 1)
    worths = {each.objective: (each.points or 0) * each.unit for each in space.columns}
    return _list_turning(table, space, steps), set() if space.open else _list_turning(table, space, worths)


def _list_turning(table: RatingTable, space: Space, weights: Mapping[str, int]) -> set[At]:
    found: set[At] = set()
    values = {
        each: sum(weight * (table.rating(each, objective) or 0) for objective, weight in weights.items())
        for each in space.alternatives
    }
    for alternative, own in values.items():
        best = max((value for each, value in values.items() if each != alternative), default=None)
        found |= {
            (alternative, objective)
            for objective, weight in weights.items()
            if best is not None and _reaches(table, space, (alternative, objective), weight, best - own)
        }
    return found


def _list_turning_sums(table: RatingTable, space: Space) -> set[str]:
    """Return the alternatives of which every doubt may change who leads on the plain sum, all doubts together.

    Sums of an alternative, and the best of those of the others, may be each whole number between their ends. So a
    doubt changes the lead in some case if, and only if, the two meet.
    """
    lowest, highest = (
        {each: sum(space.bounds[each, objective][end] for objective in table.objectives) for each in table.alternatives}
        for end in (0, 1)
    )
    return {
        each
        for each in space.alternatives
        if len(space.alternatives) > 1
        and lowest[each] <= max(high for other, high in highest.items() if other != each)
        and highest[each] >= max(low for other, low in lowest.items() if other != each)
    }


def _reaches(table: RatingTable, space: Space, at: At, weight: int, gap: int) -> bool:
    """Return True if the ends of the cell's range lie on both sides of the gap to the best of the others."""
    rated, (low, high) = table.rating(*at) or 0, space.bounds[at]
    return weight * low < weight * high and weight * (low - rated) <= gap <= weight * (high - rated)
