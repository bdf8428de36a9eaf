"""Pareto dominance: alternatives that another one matches or beats on every objective.

Ratings dominate only where no known amount speaks against them. A gap may hold any step of its objective, and a rating
any value of the range that people gave. A finding is *certain* if it is true for every content of gaps and ranges, and
*possible* if it is true for some content. Both compare bounds. Bounds are exact because one content of all cells
attains them in each comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import ge, sub
from typing import Final, NamedTuple

from app.decision.analysis.measures import MeasuredTable
from app.decision.analysis.ratings import At, Cell, RatingTable, Span
from app.decision.analysis.standing.verdicts import (
    NONE_GIVEN,
    SetAside,
    Verdicts,
    is_conditional,
    is_kept,
    is_set_aside,
)
from app.decision.analysis.variation import find_unvarying

NO_AMOUNTS: Final = MeasuredTable({}, {})


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
    """The dominator to show: if possible one for which the alternative drops out, then one that people spoke of, then
    one that is new since people kept the alternative, then one that counts on nothing more, then one that is left, then
    that with the largest margin, then the first."""
    all_dominators: tuple[str, ...]
    kind: DominanceKind
    better_on: tuple[str, ...]
    equal_on: tuple[str, ...]
    """Objectives where both are equal or, if a cell is missing, the dominator is at least equal."""
    certain_by: tuple[str, ...]
    """The dominators for every rating inside the given ranges; if there is none, it could turn out otherwise."""
    despite: tuple[str, ...] = ()
    """Objectives where the amounts of `dominated_by` are worse, if people set the alternative aside all the same."""


@dataclass(frozen=True, slots=True)
class DisputedDominance:
    """An alternative that `by` dominates by the ratings, while amounts on these objectives speak for it."""

    alternative: str
    by: str
    better_on: tuple[str, ...]
    despite: tuple[str, ...]
    is_kept: bool = False
    """True if people have said that it stays beside `by`."""


@dataclass(frozen=True, slots=True)
class PossibleDominance:
    """An alternative that `by` dominates for some content of gaps and ranges."""

    alternative: str
    by: str
    fill: tuple[At, ...]
    """The missing ratings to ask for."""
    ranges: tuple[At, ...]
    """The ratings whose ranges leave it open."""


@dataclass(frozen=True, slots=True)
class Dominance:
    """Certain and possible dominance. Final only for a table without gaps."""

    dominated: tuple[DominatedOption, ...]
    kept: tuple[str, ...]
    """The dominated alternatives that people keep, and the conditional ones."""
    conditional: tuple[str, ...]
    """The dominated alternatives whose dominators all count on something more, while people have not decided."""
    set_aside: tuple[str, ...]
    """The dominated alternatives that drop out by people's own words, whatever turns out within the ranges."""
    left: tuple[str, ...]
    """The alternatives that are not dominated, and those kept; there is always one."""
    disputed: tuple[DisputedDominance, ...]
    """The alternatives that are left because an amount speaks for them."""
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
    """Return the bounds of each alternative: its ratings, or all steps of the objective for a gap."""
    return _build_bounds(table, lambda cell: (cell.rating, cell.rating))


def read_ranges(table: RatingTable) -> dict[str, Bounds]:
    """Return the bounds of each alternative: the ranges of its ratings, or all steps of the objective for a gap."""
    return _build_bounds(table, lambda cell: cell.bounds)


def find_dominators(bounds: Mapping[str, Bounds], measured: MeasuredTable = NO_AMOUNTS) -> dict[str, tuple[str, ...]]:
    """Return, for each alternative, those that certainly dominate it and have no worse amount, in display order."""
    return {
        alternative: tuple(each for each in over if not measured.find_worse(each, alternative))
        for alternative, over in _find_by_ratings(bounds).items()
    }


def find_dominance(
    table: RatingTable, measured: MeasuredTable = NO_AMOUNTS, verdicts: Verdicts = NONE_GIVEN
) -> Dominance:
    """Compare all pairs of alternatives, and keep those that people keep."""
    bounds = read_bounds(table)
    rated = _find_by_ratings(bounds)
    over = {
        alternative: tuple(each for each in found if _is_settled(measured, verdicts, each, alternative))
        for alternative, found in rated.items()
    }
    beaten = [alternative for alternative in table.alternatives if over[alternative]]
    kept = tuple(each for each in beaten if not any(_drops(verdicts, by, each, over[each]) for by in over[each]))
    conditional = tuple(each for each in kept if not any(is_kept(verdicts, by, each, over[each]) for by in over[each]))
    left = tuple(each for each in table.alternatives if each not in beaten or each in kept)
    set_aside = [each for each in beaten if any(is_set_aside(verdicts, by, each) for by in over[each])]
    ties = _find_ties(table)
    return Dominance(
        dominated=tuple(_build_finding(table, measured, verdicts, each, over) for each in beaten),
        kept=kept,
        conditional=conditional,
        set_aside=tuple(each for each in set_aside if each not in kept),
        left=left,
        disputed=tuple(
            _build_disputed(table, measured, verdicts, each, rated[each])
            for each in table.alternatives
            if rated[each] and not over[each]
        ),
        possible=tuple(_list_possible(table, measured, [each for each in left if each not in kept], rated)),
        ties=ties,
        like_baseline=tuple(each for tie in ties if table.baseline in tie for each in tie if each != table.baseline),
        baseline_dominated=table.baseline in beaten,
    )


def _build_bounds(table: RatingTable, read: Callable[[Cell], Span]) -> dict[str, Bounds]:
    """Return the bounds of each row; `read` gives the bounds of a cell that is present."""
    bounds: dict[str, Bounds] = {}
    for alternative in table.alternatives:
        cells = ((objective, table.cells.get((alternative, objective))) for objective in table.objectives)
        ends = (read(cell) if cell else table.scale(objective) for objective, cell in cells)
        worst, best = zip(*ends, strict=True)
        bounds[alternative] = Bounds(worst, best)
    return bounds


def _find_by_ratings(bounds: Mapping[str, Bounds]) -> dict[str, tuple[str, ...]]:
    return {
        alternative: tuple(other for other, theirs in bounds.items() if surely_dominates(theirs, own))
        for alternative, own in bounds.items()
    }


def _is_settled(measured: MeasuredTable, verdicts: Verdicts, by: str, alternative: str) -> bool:
    """Return True if no amount speaks against it, or people set the alternative aside knowing all that do."""
    despite = measured.find_worse(by, alternative)
    return not despite or SetAside(alternative, by, frozenset(despite)) in verdicts.set_aside


def _drops(verdicts: Verdicts, by: str, alternative: str, over: tuple[str, ...]) -> bool:
    """Return True if the alternative drops out for `by`: it is not kept, and waits for nothing that people can say."""
    is_decided = is_set_aside(verdicts, by, alternative) or not is_conditional(verdicts, by, alternative)
    return is_decided and not is_kept(verdicts, by, alternative, over)


def _build_finding(
    table: RatingTable,
    measured: MeasuredTable,
    verdicts: Verdicts,
    alternative: str,
    over: Mapping[str, tuple[str, ...]],
) -> DominatedOption:
    """Return the finding on an alternative; `over` holds the dominators of all alternatives."""
    rows = table.among((alternative, *over[alternative]))
    bounds, ranges = read_bounds(rows), read_ranges(rows)
    despite = {each: measured.find_worse(each, alternative) for each in over[alternative]}
    spoken_of = _list_spoken_of(verdicts, alternative)
    ranks = {
        by: (
            _drops(verdicts, by, alternative, over[alternative]),
            not despite[by],
            by in spoken_of,
            (alternative, by) not in verdicts.kept_before,
            not is_conditional(verdicts, by, alternative),
            not over[by],
            sum(bounds[by].worst),
        )
        for by in over[alternative]
    }
    shown = max(ranks, key=lambda by: ranks[by])  # `max` keeps the first
    better = _list_better(table, bounds[shown], bounds[alternative])
    equal = tuple(objective for objective in table.objectives if objective not in better)
    return DominatedOption(
        alternative,
        shown,
        over[alternative],
        DominanceKind.STRICT if set(equal) <= set(find_unvarying(table)) else DominanceKind.WEAK,
        better,
        equal,
        certain_by=tuple(each for each in over[alternative] if surely_dominates(ranges[each], ranges[alternative])),
        despite=despite[shown],
    )


def _build_disputed(
    table: RatingTable, measured: MeasuredTable, verdicts: Verdicts, alternative: str, found: tuple[str, ...]
) -> DisputedDominance:
    """Return the dispute with the one that people spoke of, or else with the one that fewest amounts speak against."""
    bounds, spoken_of = read_bounds(table.among((alternative, *found))), _list_spoken_of(verdicts, alternative)
    ranks = {by: (by in spoken_of, -len(measured.find_worse(by, alternative)), sum(bounds[by].worst)) for by in found}
    by = max(ranks, key=lambda each: ranks[each])
    return DisputedDominance(
        alternative,
        by,
        _list_better(table, bounds[by], bounds[alternative]),
        measured.find_worse(by, alternative),
        is_kept(verdicts, by, alternative, found),
    )


def _list_better(table: RatingTable, one: Bounds, other: Bounds) -> tuple[str, ...]:
    """Return the objectives on which `one` is better, for every rating inside the bounds."""
    ends = zip(table.objectives, one.worst, other.best, strict=True)
    return tuple(objective for objective, worst, best in ends if worst > best)


def _list_spoken_of(verdicts: Verdicts, alternative: str) -> frozenset[str]:
    """Return those beside which people kept the alternative or set it aside."""
    said = (*verdicts.kept, *verdicts.set_aside)
    return frozenset(each.by for each in said if each.alternative == alternative)


def _list_possible(
    table: RatingTable, measured: MeasuredTable, left: list[str], rated: Mapping[str, tuple[str, ...]]
) -> Iterator[PossibleDominance]:
    ranges = read_ranges(table)
    for alternative in left:
        for by in table.alternatives:
            found = by != alternative and possibly_dominates(ranges[by], ranges[alternative])
            if found and by not in rated[alternative] and not measured.find_worse(by, alternative):
                fill = tuple(at for at in table.missing if at[0] in (alternative, by))
                yield PossibleDominance(alternative, by, fill, tuple(_list_open_ranges(table, alternative, by)))


def _list_open_ranges(table: RatingTable, alternative: str, by: str) -> Iterator[At]:
    """Yield the cells of both with a range, on objectives where it decides the comparison.

    Where those alone would make both level at best, objectives on which `by` may be better decide it as well.
    """
    ranges = read_ranges(table.among((alternative, by)))
    least, most = (
        dict(zip(table.objectives, map(sub, ours, theirs), strict=True))
        for ours, theirs in ((ranges[by].worst, ranges[alternative].best), (ranges[by].best, ranges[alternative].worst))
    )
    is_ahead = any(least[each] > 0 or most[each] > 0 > least[each] for each in table.objectives)
    decisive = [each for each in table.objectives if least[each] < 0 or (most[each] > 0 and not is_ahead)]
    for at in ((each, objective) for objective in decisive for each in (alternative, by)):
        low, high = table.cells[at].bounds if at in table.cells else (0, 0)
        if low < high:
            yield at


def _find_ties(table: RatingTable) -> tuple[tuple[str, ...], ...]:
    groups: dict[tuple[int | None, ...], list[str]] = {}
    for alternative in table.alternatives:
        groups.setdefault(table.row(alternative), []).append(alternative)
    return tuple(tuple(group) for row, group in groups.items() if len(group) > 1 and None not in row)
