"""The table of ratings that all analysis reads: alternatives by objectives, in display order.

A rating compares with the baseline. Its sign includes the direction of the objective: more is better. A missing cell is
unknown and never 0. Knows no measures (`app.decision.analysis.measures`) and no text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

from app.core.errors import ThreadwiseError

WORST: Final = -2
"""Much worse than the baseline."""
BEST: Final = 2
"""Much better than the baseline."""
MOST: Final = 50
"""Highest number of rows, and of columns; the whole analysis then takes about a second."""

At: TypeAlias = tuple[str, str]
"""A place in the table: the handles of the alternative and of the objective."""


class Flaw(StrEnum):
    """Reason why a table or an input cannot be analysed."""

    EMPTY = "empty"
    """No alternative, or no objective."""
    TOO_LARGE = "too_large"
    DUPLICATE = "duplicate"
    """A handle occurs twice."""
    UNKNOWN = "unknown"
    """A handle that is not in the table."""
    OFF_SCALE = "off_scale"
    """A number outside its scale."""
    RANGE = "range"
    """A range that does not hold its rating, or leaves the scale."""
    BASELINE = "baseline"
    """The baseline is not rated 0 everywhere."""
    GAPS = "gaps"
    """This needs cells that are missing."""
    POINTS = "points"
    """Swing points are due for each objective that varies and for no other, and the largest is 100."""
    TARGET = "target"
    """A measure has a target if, and only if, it is to be met."""
    AMOUNT = "amount"
    """A swap starts from another amount than the known one."""
    NO_SWAP = "no_swap"
    """One thing is not given for another: both get better, both get worse, or one does not change."""


class InvalidInput(ThreadwiseError):
    """Input that cannot be analysed; `handles` name the first wrong place."""

    def __init__(self, flaw: Flaw, *handles: str) -> None:
        super().__init__(" ".join((flaw.value, *handles)))
        self.flaw = flaw
        self.handles = handles


@dataclass(frozen=True, slots=True)
class Cell:
    """Rating of an alternative on an objective, against the baseline."""

    rating: int
    span: tuple[int, int] | None = None
    """Lowest and highest rating that the person considers possible, if given."""
    doubtful: bool = False
    """True if the person doubts the rating."""

    @property
    def bounds(self) -> tuple[int, int]:
        """Return the span, or the rating alone if there is no span."""
        return self.span or (self.rating, self.rating)

    @property
    def reach(self) -> tuple[int, int]:
        """Return the lowest and highest rating that the doubt may lead to: the span, or one step without a span."""
        if self.span or not self.doubtful:
            return self.bounds
        return max(WORST, self.rating - 1), min(BEST, self.rating + 1)


BASELINE_CELL: Final = Cell(0)


@dataclass(frozen=True, slots=True)
class Steps:
    """A difference of ratings on one objective, in steps of the scale."""

    objective: str
    steps: int


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Ratings by handle. Raises `InvalidInput`.

    The cells of the baseline need not be given: they are 0. They may have a range, because today may not last.
    """

    alternatives: tuple[str, ...]
    objectives: tuple[str, ...]
    cells: Mapping[At, Cell]
    baseline: str | None = None

    def __post_init__(self) -> None:
        """Check all cells, set those of the baseline, and take a copy that cannot be changed."""
        for handles in (self.alternatives, self.objectives):
            _check_handles(handles)
        if self.baseline is not None and self.baseline not in self.alternatives:
            raise InvalidInput(Flaw.UNKNOWN, self.baseline)
        for at, cell in self.cells.items():
            self._check(at, cell)
        zeros = {
            (self.baseline, objective): BASELINE_CELL for objective in self.objectives if self.baseline is not None
        }
        object.__setattr__(self, "cells", MappingProxyType({**zeros, **self.cells}))

    def _check(self, at: At, cell: Cell) -> None:
        low, high = cell.bounds
        if at[0] not in self.alternatives or at[1] not in self.objectives:
            raise InvalidInput(Flaw.UNKNOWN, *at)
        if not WORST <= cell.rating <= BEST:
            raise InvalidInput(Flaw.OFF_SCALE, *at)
        if not WORST <= low <= cell.rating <= high <= BEST:
            raise InvalidInput(Flaw.RANGE, *at)
        if at[0] == self.baseline and cell.rating:
            raise InvalidInput(Flaw.BASELINE, *at)

    @property
    def missing(self) -> tuple[At, ...]:
        """Return the places without a rating, objective by objective: the order in which people are asked."""
        places = ((alternative, objective) for objective, alternative in product(self.objectives, self.alternatives))
        return tuple(at for at in places if at not in self.cells)

    @property
    def unknown(self) -> tuple[At, ...]:
        """Return the places whose rating nobody knows: each step is possible, and the one given holds the place."""
        return tuple(at for at, cell in self.cells.items() if cell.bounds == (WORST, BEST))

    @property
    def known(self) -> RatingTable:
        """Return the table without the ratings that nobody knows."""
        unknown = {*self.unknown}
        cells = {at: cell for at, cell in self.cells.items() if at not in unknown}
        return RatingTable(self.alternatives, self.objectives, cells, self.baseline) if unknown else self

    @property
    def size(self) -> int:
        """Return the number of cells, rated or not."""
        return len(self.alternatives) * len(self.objectives)

    def rating(self, alternative: str, objective: str) -> int | None:
        """Return the rating; None if it is unknown."""
        cell = self.cells.get((alternative, objective))
        return None if cell is None else cell.rating

    def row(self, alternative: str) -> tuple[int | None, ...]:
        """Return the ratings of an alternative, in the order of the objectives."""
        found = [self.cells.get((alternative, objective)) for objective in self.objectives]
        return tuple([None if cell is None else cell.rating for cell in found])

    def column(self, objective: str) -> tuple[int | None, ...]:
        """Return the ratings on an objective, in the order of the alternatives."""
        found = [self.cells.get((alternative, objective)) for alternative in self.alternatives]
        return tuple([None if cell is None else cell.rating for cell in found])

    def among(self, alternatives: Sequence[str]) -> RatingTable:
        """Return the same table with these rows only, in its own order."""
        return self._part([handle for handle in self.alternatives if handle in alternatives], self.objectives)

    def select_columns(self, objectives: Sequence[str]) -> RatingTable:
        """Return the same table with these columns only, in its own order."""
        return self._part(self.alternatives, [handle for handle in self.objectives if handle in objectives])

    def _part(self, alternatives: Sequence[str], objectives: Sequence[str]) -> RatingTable:
        cells = {at: self.cells[at] for at in product(alternatives, objectives) if at in self.cells}
        baseline = self.baseline if self.baseline in alternatives else None
        return RatingTable(tuple(alternatives), tuple(objectives), cells, baseline)


def _check_handles(handles: tuple[str, ...]) -> None:
    if not handles:
        raise InvalidInput(Flaw.EMPTY)
    if len(handles) > MOST:
        raise InvalidInput(Flaw.TOO_LARGE)
    twice = [handle for handle, count in Counter(handles).items() if count > 1]
    if twice:
        raise InvalidInput(Flaw.DUPLICATE, twice[0])
