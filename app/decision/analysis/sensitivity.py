"""Sensitivity: changes of leader and of dominance if one rating moves by one step.

Each rating except the baseline's is moved one step down and one step up; the others stay. Doubtful ratings come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.decision.analysis.dominance import Bounds, as_rated, dominators, surely_over
from app.decision.analysis.ratings import BEST, WORST, RatingTable
from app.decision.analysis.scores import leaders, nets, scores

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


def sensitivity(table: RatingTable) -> Sensitivity:
    """Try all nudges.

    Gaps stay gaps, so the dominance reported here is certain.
    """
    doubtful_only = table.size > ALL_TRIED
    tried = [nudge for nudge in _nudges(table) if nudge.doubtful or not doubtful_only]
    tried.sort(key=lambda nudge: not nudge.doubtful)
    return Sensitivity(_lead_changes(table, tried), _dominance_changes(table, tried), doubtful_only)


def _nudges(table: RatingTable) -> list[Nudge]:
    return [
        Nudge(alternative, objective, cell.rating, to, cell.doubtful)
        for alternative in table.alternatives
        for objective in table.objectives
        if alternative != table.baseline and (cell := table.cells.get((alternative, objective)))
        for to in (cell.rating - 1, cell.rating + 1)
        if WORST <= to <= BEST
    ]


def _lead_changes(table: RatingTable, nudges: list[Nudge]) -> tuple[Change, ...]:
    sums = nets(scores(table))
    before = leaders(sums)
    found: list[Change] = []
    for nudge in nudges:
        net = sums[nudge.alternative]
        moved = None if net is None else net + nudge.to - nudge.rating
        found.append(Change(nudge, leaders({**sums, nudge.alternative: moved})))
    return tuple(change for change in found if change.after != before)


def _dominance_changes(table: RatingTable, nudges: list[Nudge]) -> tuple[Change, ...]:
    """Compare only pairs with the nudged row, because no other comparison can change."""
    rows = as_rated(table)
    over = dominators(rows)
    before = tuple(alternative for alternative in rows if over[alternative])
    found: list[Change] = []
    for nudge in nudges:
        moved = _moved(rows[nudge.alternative], table.objectives.index(nudge.objective), nudge.to)
        after = {
            alternative: surely_over(moved, row) or any(each != nudge.alternative for each in over[alternative])
            for alternative, row in rows.items()
        }
        after[nudge.alternative] = any(
            surely_over(row, moved) for name, row in rows.items() if name != nudge.alternative
        )
        found.append(Change(nudge, tuple(alternative for alternative, dominated in after.items() if dominated)))
    return tuple(change for change in found if change.after != before)


def _moved(row: Bounds, index: int, to: int) -> Bounds:
    return Bounds(*((*bound[:index], to, *bound[index + 1 :]) for bound in row))
