"""The table of ratings that all analysis reads: alternatives by objectives, in display order.

A rating compares with the baseline. Its sign includes the direction of the objective: more is better. A missing cell is
unknown and never 0. Knows no measures (`app.decision.analysis.measures`) and no text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
Span: TypeAlias = tuple[int, int]
"""A lowest and a highest rating."""
WHOLE: Final[Span] = (WORST, BEST)
"""As a range: nobody knows the rating. As a scale: each step has a meaning."""


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
    """A number outside its scale, or a scale that leaves out 0 or has steps beyond all others."""
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
    span: Span | None = None
    """Lowest and highest rating that the person considers possible, if given."""
    doubtful: bool = False
    """True if the person doubts the rating."""
    scale: Span = WHOLE
    """The steps that its objective has, and what people said of this cell beyond them. Its table sets it."""
    is_given: bool = False
    """True if people gave the rating although any may come of it: it is one of now, and the span reaches a year."""

    @property
    def is_unknown(self) -> bool:
        """Return True if nobody knows the rating: each step of the scale is possible, and this one holds the place."""
        return self.span == WHOLE and not self.is_given

    @property
    def bounds(self) -> Span:
        """Return the span, or the rating alone if there is no span."""
        return self.scale if self.is_unknown else self.span or (self.rating, self.rating)

    @property
    def reach(self) -> Span:
        """Return the lowest and highest rating that the doubt may lead to: the span, or one step without a span."""
        if self.span or not self.doubtful:
            return self.bounds
        return max(self.scale[0], self.rating - 1), min(self.scale[1], self.rating + 1)

    def on(self, scale: Span) -> Cell:
        """Return the same cell on this scale, widened by what people said of the cell."""
        low, high = (self.rating, self.rating) if self.span is None or self.is_unknown else self.span
        widened = (min(scale[0], low), max(scale[1], high))
        return self if widened == self.scale else replace(self, scale=widened)


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
    scales: Mapping[str, Span] = field(default_factory=dict[str, Span])
    """The lowest and highest step that people gave a meaning, by objective. One that is not in it has all steps.

    The steps between are possible, too. Nothing that nobody has said goes beyond; a rating or range of people may.
    """

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
        for objective, (low, high) in self.scales.items():
            if not WORST <= low <= 0 <= high <= BEST:
                raise InvalidInput(Flaw.OFF_SCALE, objective)
        cells = {at: cell.on(self.scale(at[1])) for at, cell in {**zeros, **self.cells}.items()}
        object.__setattr__(self, "cells", MappingProxyType(cells))
        object.__setattr__(self, "scales", MappingProxyType(dict(self.scales)))

    def _check(self, at: At, cell: Cell) -> None:
        low, high = cell.span or (cell.rating, cell.rating)
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
        """Return the places whose rating nobody knows."""
        return tuple(at for at, cell in self.cells.items() if cell.is_unknown)

    @property
    def known(self) -> RatingTable:
        """Return the table without the ratings that nobody knows."""
        unknown = {*self.unknown}
        cells = {at: cell for at, cell in self.cells.items() if at not in unknown}
        return replace(self, cells=cells) if unknown else self

    def scale(self, objective: str) -> Span:
        """Return the lowest and highest step that an objective has."""
        return self.scales.get(objective, WHOLE)

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

    def without(self, alternatives: Collection[str]) -> RatingTable:
        """Return the same table without these rows."""
        return self.among([handle for handle in self.alternatives if handle not in alternatives])

    def select_columns(self, objectives: Sequence[str]) -> RatingTable:
        """Return the same table with these columns only, in its own order."""
        return self._part(self.alternatives, [handle for handle in self.objectives if handle in objectives])

    def _part(self, alternatives: Sequence[str], objectives: Sequence[str]) -> RatingTable:
        cells = {at: self.cells[at] for at in product(alternatives, objectives) if at in self.cells}
        baseline = self.baseline if self.baseline in alternatives else None
        return RatingTable(tuple(alternatives), tuple(objectives), cells, baseline, self.scales)


def _check_handles(handles: tuple[str, ...]) -> None:
    if not handles:
        raise InvalidInput(Flaw.EMPTY)
    if len(handles) > MOST:
        raise InvalidInput(Flaw.TOO_LARGE)
    twice = [handle for handle, count in Counter(handles).items() if count > 1]
    if twice:
        raise InvalidInput(Flaw.DUPLICATE, twice[0])
