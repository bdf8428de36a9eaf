"""Sensitivity: changes of leader and of dominance if one rating moves by one step.

Each rating except the baseline's is moved one step down and one step up, inside of its range if people gave one; the
others stay. Doubtful ratings come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import gt, lt
from typing import Final

from app.decision.analysis.dominance import NO_AMOUNTS, find_dominators, read_bounds
from app.decision.analysis.measures import MeasuredTable
from app.decision.analysis.ratings import Cell, RatingTable
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
    denied: tuple[Change, ...]
    """What the ratings alone would set aside in such a case, and an amount keeps."""
    doubtful_only: bool
    """True if the table is so large that only doubtful ratings were tried."""
    in_ranges: bool
    """True if a range kept a rating from being moved where the scale goes on."""


def find_sensitivity(table: RatingTable, measured: MeasuredTable = NO_AMOUNTS) -> Sensitivity:
    """Try all nudges. Amounts stay, and where one speaks against a dominance, there is none.

    Gaps stay gaps, and so does what nobody knows: a dominance reported here does not depend on them.
    """
    doubtful_only, known = table.size > ALL_TRIED, table.known
    moves = [nudge for nudge in _list_nudges(known) if nudge.doubtful or not doubtful_only]
    tried = [nudge for nudge in moves if _is_possible(known.cells[nudge.alternative, nudge.objective], nudge.to)]
    tried.sort(key=lambda nudge: not nudge.doubtful)
    dominated = _find_dominance_changes(known, measured, tried)
    denied = _find_denied(known, dominated, tried) if measured.amounts else ()
    in_ranges = len(tried) < len(moves)
    return Sensitivity(_find_lead_changes(table, tried), dominated, denied, doubtful_only, in_ranges)


def _list_nudges(table: RatingTable) -> list[Nudge]:
    """Return all nudges on the scale of their objective, also those out of the range of their rating."""
    return [
        Nudge(alternative, objective, cell.rating, to, cell.doubtful)
        for alternative in table.alternatives
        for objective in table.objectives
        if alternative != table.baseline and (cell := table.cells.get((alternative, objective)))
        for to in (cell.rating - 1, cell.rating + 1)
        if cell.scale[0] <= to <= cell.scale[1]
    ]


def _is_possible(cell: Cell, to: int) -> bool:
    """Return True if people may hold this rating possible: inside of the range that they gave, if they gave one."""
    low, high = cell.span or cell.scale
    return low <= to <= high


def _find_lead_changes(table: RatingTable, nudges: list[Nudge]) -> tuple[Change, ...]:
    sums = compute_nets(compute_scores(table))
    before = find_leaders(sums)
    found: list[Change] = []
    best = max((net for net in sums.values() if net is not None), default=0)
    for nudge in nudges:
        net = sums[nudge.alternative]
        moved = None if net is None else net + nudge.to - nudge.rating
        if moved is not None and (moved >= best or nudge.alternative in before):
            found.append(Change(nudge, find_leaders({**sums, nudge.alternative: moved})))
    return tuple(change for change in found if change.after != before)


def _find_dominance_changes(table: RatingTable, measured: MeasuredTable, nudges: list[Nudge]) -> tuple[Change, ...]:
    """Compare only pairs with the nudged row that one rating keeps from dominance, or less: no others can change."""
    rows = read_bounds(table)
    over = find_dominators(rows, measured)
    before = tuple(alternative for alternative in rows if over[alternative])
    pairs = [(one, other) for one in rows for other in rows if one != other and not measured.find_worse(one, other)]
    counts = {pair: count for pair in pairs if (count := _count(rows[pair[0]].worst, rows[pair[1]].best))[0] <= 1}
    beats = {alternative: [pair for pair in counts if pair[0] == alternative] for alternative in rows}
    beaten = {alternative: [pair for pair in counts if pair[1] == alternative] for alternative in rows}
    places = {objective: index for index, objective in enumerate(table.objectives)}
    found: list[Change] = []
    for nudge in nudges:
        own, at, move = nudge.alternative, places[nudge.objective], (nudge.rating, nudge.to)
        after = {each for each in before if any(by != own for by in over[each])} - {own}
        after |= {pair[1] for pair in beats[own] if _leads(counts[pair], move, rows[pair[1]].best[at], 1)}
        if any(_leads(counts[pair], move, rows[pair[0]].worst[at], -1) for pair in beaten[own]):
            after.add(own)
        found.append(Change(nudge, tuple(alternative for alternative in rows if alternative in after)))
    return tuple(change for change in found if change.after != before)


def _find_denied(table: RatingTable, dominated: tuple[Change, ...], nudges: list[Nudge]) -> tuple[Change, ...]:
    """Return whom only the ratings would set aside, after moves that set nobody aside by the amounts too."""
    over = find_dominators(read_bounds(table), NO_AMOUNTS)
    by_both = {each.nudge: each.after for each in dominated}
    found = (
        Change(each.nudge, tuple(one for one in each.after if not over[one] and one not in by_both.get(each.nudge, ())))
        for each in _find_dominance_changes(table, NO_AMOUNTS, nudges)
    )
    return tuple(each for each in found if each.after)


def _count(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, int]:
    """Return on how many objectives `one` is worse, and on how many it is better."""
    return sum(map(lt, one, other)), sum(map(gt, one, other))


def _leads(counts: tuple[int, int], moved: tuple[int, int], fixed: int, side: int) -> bool:
    """Return True if one row dominates another after a move from `moved[0]` to `moved[1]` against `fixed`.

    `side` is 1 if the move is in the row that may dominate, and -1 if it is in the other.
    """
    was, now = (side * (each - fixed) for each in moved)
    worse, better = counts
    return worse - (was < 0) + (now < 0) == 0 and better - (was > 0) + (now > 0) > 0
