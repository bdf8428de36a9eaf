"""Pareto dominance: alternatives that another one matches or beats on every objective.

A gap may hold any rating. A finding is *certain* if it is true for every content of the gaps, and *possible* if it is
true for some content. Both compare bounds. Bounds are exact because one content of all gaps attains them in each
comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import ge
from typing import NamedTuple

from app.decision.analysis.ratings import BEST, WORST, At, Cell, RatingTable
from app.decision.analysis.variation import find_unvarying


class DominanceKind(StrEnum):
    """Degree of a dominator's lead."""

    STRICT = "strict"
    """Better on every objective that varies."""
    WEAK = "weak"
    """Better on some, equal on others."""


@dataclass(frozen=True, slots=True)
class DominatedOption:
    """An alternative that `dominated_by` beats somewhere and matches everywhere else."""

    alternative: str
    dominated_by: str
    """The dominator to show: one that is not dominated, with the largest total margin, then first in display order."""
    all_dominators: tuple[str, ...]
    kind: DominanceKind
    better_on: tuple[str, ...]
    equal_on: tuple[str, ...]
    """Objectives where both are equal or, if a cell is missing, the dominator is at least equal."""
    robust: bool
    """True if `dominated_by` stays ahead for every rating inside the given ranges."""


@dataclass(frozen=True, slots=True)
class PossibleDominance:
    """An alternative that `by` dominates for some content of the gaps; `fill` lists the ratings to ask for."""

    alternative: str
    by: str
    fill: tuple[At, ...]


@dataclass(frozen=True, slots=True)
class Dominance:
    """Certain and possible dominance. Final only for a table without gaps."""

    dominated: tuple[DominatedOption, ...]
    left: tuple[str, ...]
    """The alternatives that are not dominated; there is always one."""
    possible: tuple[PossibleDominance, ...]
    """Possible dominance among the alternatives left; a dominated alternative needs no second reason."""
    ties: tuple[tuple[str, ...], ...]
    """Groups of identical full rows. None dominates another, so ask what else differs."""
    like_baseline: tuple[str, ...]
    """Alternatives that do not differ from the baseline on these objectives."""
    baseline_dominated: bool
    """True if the baseline is dominated. Its row stays, because it is the zero of the scale."""


class Bounds(NamedTuple):
    """Worst and best ratings that a row may have."""

    worst: tuple[int, ...]
    best: tuple[int, ...]


def surely_dominates(one: Bounds, other: Bounds) -> bool:
    """Return True if `one` is as good everywhere and better somewhere, for every rating inside the bounds."""
    return one.worst != other.best and all(map(ge, one.worst, other.best))


def possibly_dominates(one: Bounds, other: Bounds) -> bool:
    """Return True if `one` is as good everywhere and better somewhere, for some rating inside the bounds."""
    return one.best != other.worst and all(map(ge, one.best, other.worst))


def read_bounds(table: RatingTable) -> dict[str, Bounds]:
    """Return the bounds of each alternative: its ratings, or the whole scale for a gap."""
    return _build_bounds(table, lambda cell: (cell.rating, cell.rating))


def find_dominators(bounds: Mapping[str, Bounds]) -> dict[str, tuple[str, ...]]:
    """Return, for each alternative, those that certainly dominate it, in display order."""
    return {
        alternative: tuple(other for other, theirs in bounds.items() if surely_dominates(theirs, own))
        for alternative, own in bounds.items()
    }


def find_dominance(table: RatingTable) -> Dominance:
    """Compare all pairs of alternatives."""
    bounds, ranges = read_bounds(table), _build_bounds(table, lambda cell: cell.bounds)
    found = find_dominators(bounds)
    left = tuple(alternative for alternative in table.alternatives if not found[alternative])
    dominated: list[DominatedOption] = []
    for alternative, over in found.items():
        if over:
            # The dominator farthest ahead is not dominated itself: its dominator would be farther ahead. `max` keeps
            # the first.
            shown = max(over, key=lambda each: sum(bounds[each].worst))
            robust = surely_dominates(ranges[shown], ranges[alternative])
            dominated.append(_build_finding(table, alternative, shown, over, robust))
    ties = _find_ties(table)
    return Dominance(
        dominated=tuple(dominated),
        left=left,
        possible=_find_possible(table, bounds, left),
        ties=ties,
        like_baseline=tuple(each for tie in ties if table.baseline in tie for each in tie if each != table.baseline),
        baseline_dominated=table.baseline is not None and table.baseline not in left,
    )


def _build_bounds(table: RatingTable, read: Callable[[Cell], tuple[int, int]]) -> dict[str, Bounds]:
    """Return the bounds of each row; `read` gives the bounds of a cell that is present."""
    bounds: dict[str, Bounds] = {}
    for alternative in table.alternatives:
        cells = (table.cells.get((alternative, objective)) for objective in table.objectives)
        worst, best = zip(*((WORST, BEST) if cell is None else read(cell) for cell in cells), strict=True)
        bounds[alternative] = Bounds(worst, best)
    return bounds


def _build_finding(
    table: RatingTable, alternative: str, shown: str, over: tuple[str, ...], robust: bool
) -> DominatedOption:
    bounds = read_bounds(table.among((alternative, shown)))
    gaps = zip(table.objectives, bounds[shown].worst, bounds[alternative].best, strict=True)
    better = tuple(objective for objective, worst, best in gaps if worst > best)
    equal = tuple(objective for objective in table.objectives if objective not in better)
    kind = DominanceKind.STRICT if set(equal) <= set(find_unvarying(table)) else DominanceKind.WEAK
    return DominatedOption(alternative, shown, over, kind, better, equal, robust)


def _find_possible(
    table: RatingTable, bounds: Mapping[str, Bounds], left: tuple[str, ...]
) -> tuple[PossibleDominance, ...]:
    return tuple(
        PossibleDominance(alternative, by, tuple(at for at in table.missing if at[0] in (alternative, by)))
        for alternative in left
        for by in table.alternatives
        if by != alternative and possibly_dominates(bounds[by], bounds[alternative])
    )


def _find_ties(table: RatingTable) -> tuple[tuple[str, ...], ...]:
    groups: dict[tuple[int | None, ...], list[str]] = {}
    for alternative in table.alternatives:
        groups.setdefault(table.row(alternative), []).append(alternative)
    return tuple(tuple(group) for row, group in groups.items() if len(group) > 1 and None not in row)
