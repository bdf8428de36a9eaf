"""Sensitivity: changes of leader and of dominance if one rating moves by one step.

Each rating except the baseline's is moved one step down and one step up; the others stay. Doubtful ratings come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.decision.analysis.dominance import NO_AMOUNTS, Bounds, find_dominators, read_bounds, surely_dominates
from app.decision.analysis.measures import MeasuredTable
from app.decision.analysis.ratings import BEST, WORST, RatingTable
from app.decision.analysis.scores import compute_nets, compute_scores, find_leaders

ALL_TRIED: Final = 15 * 15
"""Number of cells up to which all are tried; in a larger table only the doubtful ones are."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """One rating, moved by one step."""

    alternative: str
    objective: str
    rating: int
    to: int
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Change:
    """Result of a nudge: the new leaders, or the alternatives then dominated, in display order."""

    nudge: Nudge
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The nudges that change a result: those of doubtful ratings first, then in display order."""

    leaders: tuple[Change, ...]
    """Changes of leader, including a lead that becomes a tie."""
    dominated: tuple[Change, ...]
    doubtful_only: bool
    """True if the table is so large that only doubtful ratings were tried."""


def find_sensitivity(table: RatingTable, measured: MeasuredTable = NO_AMOUNTS) -> Sensitivity:
    """Try all nudges. Amounts stay, and where one speaks against a dominance, there is none.

    Gaps stay gaps, so a dominance reported here does not depend on them.
    """
    doubtful_only = table.size > ALL_TRIED
    tried = [nudge for nudge in _list_nudges(table) if nudge.doubtful or not doubtful_only]
    tried.sort(key=lambda nudge: not nudge.doubtful)
    return Sensitivity(_find_lead_changes(table, tried), _find_dominance_changes(table, measured, tried), doubtful_only)


def _list_nudges(table: RatingTable) -> list[Nudge]:
    return [
        Nudge(alternative, objective, cell.rating, to, cell.doubtful)
        for alternative in table.alternatives
        for objective in table.objectives
        if alternative != table.baseline and (cell := table.cells.get((alternative, objective)))
        for to in (cell.rating - 1, cell.rating + 1)
        if WORST <= to <= BEST
    ]


def _find_lead_changes(table: RatingTable, nudges: list[Nudge]) -> tuple[Change, ...]:
    sums = compute_nets(compute_scores(table))
    before = find_leaders(sums)
    found: list[Change] = []
    for nudge in nudges:
        net = sums[nudge.alternative]
        moved = None if net is None else net + nudge.to - nudge.rating
        found.append(Change(nudge, find_leaders({**sums, nudge.alternative: moved})))
    return tuple(change for change in found if change.after != before)


def _find_dominance_changes(table: RatingTable, measured: MeasuredTable, nudges: list[Nudge]) -> tuple[Change, ...]:
    """Compare only pairs with the nudged row, because no other comparison can change."""
    rows = read_bounds(table)
    over = find_dominators(rows, measured)
    before = tuple(alternative for alternative in rows if over[alternative])
    found: list[Change] = []
    for nudge in nudges:
        moved = _move(rows[nudge.alternative], table.objectives.index(nudge.objective), nudge.to)
        after = {
            alternative: any(each != nudge.alternative for each in over[alternative])
            or (surely_dominates(moved, row) and not measured.find_worse(nudge.alternative, alternative))
            for alternative, row in rows.items()
        }
        after[nudge.alternative] = any(
            surely_dominates(row, moved) and not measured.find_worse(name, nudge.alternative)
            for name, row in rows.items()
            if name != nudge.alternative
        )
        found.append(Change(nudge, tuple(alternative for alternative, dominated in after.items() if dominated)))
    return tuple(change for change in found if change.after != before)


def _move(row: Bounds, index: int, to: int) -> Bounds:
    return Bounds(*((*bound[:index], to, *bound[index + 1 :]) for bound in row))
