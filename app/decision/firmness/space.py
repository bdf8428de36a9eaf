"""What people called possible: the ratings that each cell may have, and the points that each objective may have.

A cell has the ratings of its range, each counted alike; a doubt without a range reaches one step up and down, and what
nobody knows may be anything, both within the steps that the objective has. Points that were given stay. Where none were
given, any points from 0 to 100 are possible, each counted alike. Only proportions of points matter for the lead, so
where no points were given, each objective may as well have the largest swing as any.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import lcm, prod
from typing import Final

from app.decision.analysis.ratings import BEST, WORST, At, RatingTable
from app.decision.analysis.swing import Swing

ENUMERATED: Final = 200_000
"""Number of cases up to which all are counted."""
_WIDTHS: Final = lcm(*range(1, BEST - WORST + 1))
"""A unit that every range divides, so that values stay whole numbers."""


@dataclass(frozen=True, slots=True)
class Column:
    """An objective whose ratings may differ. `points` is None if any are possible."""

    objective: str
    points: int | None
    worst: int
    unit: int
    """Value of a step for each point."""


@dataclass(frozen=True, slots=True)
class Space:
    """All cases: the ratings of the alternatives that may lead, on the objectives that may tell them apart."""

    alternatives: tuple[str, ...]
    columns: tuple[Column, ...]
    bounds: Mapping[At, tuple[int, int]]
    """Lowest and highest possible rating of every cell of the table, also of those that cannot lead."""

    def count_steps(self, alternative: str, column: Column) -> int:
        """Return the number of ratings that a cell may have."""
        low, high = self.bounds[alternative, column.objective]
        return high - low + 1

    @property
    def open(self) -> tuple[str, ...]:
        """Return the objectives that may have any points."""
        return tuple(column.objective for column in self.columns if column.points is None)

    @property
    def cases(self) -> int:
        """Return the number of cases that the ratings alone make."""
        return prod(self.count_steps(each, column) for each in self.alternatives for column in self.columns)

    @property
    def exact(self) -> bool:
        """Return True if all cases can be counted."""
        return not self.open and self.cases <= ENUMERATED


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of all cases, 0 to 1."""

    firsts: Mapping[str, float]
    """Of each alternative that may lead: cases in which it is ahead of all others."""
    level: tuple[str, ...]
    """The alternatives that lead in some case together with others."""
    turning: Mapping[At, float]
    """Of each doubtful cell of theirs: cases in which another rating of this cell alone would change who leads."""


def build_space(table: RatingTable, swings: Sequence[Swing], points: Mapping[str, int]) -> Space:
    """Return the cases of a table without gaps. `points` are those that count for the ranges of `swings`."""
    bounds = {at: cell.reach for at, cell in table.cells.items()}
    asked = {swing.objective: (swing.worst, swing.best) for swing in swings}
    worthless = {each for each in asked if points.get(each) == 0}
    left = tuple(each for each in table.alternatives if not _is_beaten(table, bounds, each, worthless))
    columns: list[Column] = []
    for objective in table.objectives:
        spans = [bounds[each, objective] for each in left]
        widest = (min(low for low, _ in spans), max(high for _, high in spans))
        if widest[0] < widest[1]:
            worst, best = asked.get(objective, widest)
            given = points.get(objective) if objective in asked else None
            columns.append(Column(objective, given, worst, _WIDTHS // (best - worst)))
    return Space(left, tuple(columns), bounds)


def _is_beaten(
    table: RatingTable, bounds: Mapping[At, tuple[int, int]], alternative: str, worthless: Collection[str]
) -> bool:
    """Return True if another alternative is never worse and somewhere better in all cases: it then cannot lead.

    Who is better only on objectives that are worth nothing is level.
    """
    return any(
        all(bounds[other, each][0] >= bounds[alternative, each][1] for each in table.objectives)
        and any(
            bounds[other, each][0] > bounds[alternative, each][1] for each in table.objectives if each not in worthless
        )
        for other in table.alternatives
        if other != alternative
    )
