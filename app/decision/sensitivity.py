"""What one step of one rating would change: who leads by sum, and who is dominated.

Each rating but the baseline's is tried one step lower and one higher; the others stay. Doubtful ratings come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.decision.dominance import Bounds, as_rated, dominators, surely_over
from app.decision.ratings import BEST, WORST, RatingTable
from app.decision.scores import leaders, nets, scores

ALL_TRIED: Final = 15 * 15
"""Cells up to which all are tried; in a larger table only the doubtful ones."""


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
    """What a nudge leads to: who then leads, or who is then dominated, in display order."""

    nudge: Nudge
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The nudges that change something: those of doubtful ratings first, then in display order."""

    leaders: tuple[Change, ...]
    """A lead that becomes a tie is a change."""
    dominated: tuple[Change, ...]
    doubtful_only: bool
    """True if the table is so large that only doubtful ratings were tried."""


def sensitivity(table: RatingTable) -> Sensitivity:
    """Try all nudges. Gaps stay gaps: what is then dominated is so with certainty."""
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
    """Only comparisons with the nudged row can change, so only those are made again."""
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
