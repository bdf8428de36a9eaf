"""Even swaps (Hammond, Keeney, Raiffa): level one objective by paying with another, until one alternative dominates.

Works on amounts, not on steps: the swapped amount matters, not the importance of an objective. Only the person can
judge if a swap is even; this module writes the imagined row and compares it with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isclose

from app.decision.analysis.measures import MeasuredTable
from app.decision.analysis.ratings import At, Flaw, InvalidInput, RatingTable


@dataclass(frozen=True, slots=True)
class EvenSwap:
    """A swap after which the person likes `alternative` no less, with two amounts instead of those it had."""

    alternative: str
    level: str
    """The objective to be levelled."""
    level_from: float
    level_to: float
    pay_with: str
    """The objective that pays for it."""
    pay_from: float
    pay_to: float


@dataclass(frozen=True, slots=True)
class Cancelled:
    """An objective that no longer tells two alternatives apart."""

    objective: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Beaten:
    """An alternative that `by` dominates after the swaps, and did not dominate before."""

    alternative: str
    by: str


@dataclass(frozen=True, slots=True)
class ImaginedTable:
    """The amounts after all swaps that fit, and what follows from them."""

    measured: MeasuredTable
    swapped: tuple[At, ...]
    """Cells that the swaps changed, in the order of the table."""
    cancelled: tuple[Cancelled, ...]
    beaten: tuple[Beaten, ...]


def apply_swap(measured: MeasuredTable, swap: EvenSwap) -> MeasuredTable:
    """Return the amounts after the swap.

    Raises `InvalidInput`: GAPS for an amount that is not known, AMOUNT if the swap starts from another amount than the
    known one, NO_SWAP unless one amount gets better and the other worse.
    """
    orders: list[int] = []
    changes = ((swap.level, swap.level_from, swap.level_to), (swap.pay_with, swap.pay_from, swap.pay_to))
    for objective, start, end in changes:
        known = measured.amounts.get((swap.alternative, objective))
        if known is None:
            raise InvalidInput(Flaw.GAPS, swap.alternative, objective)
        if not isclose(start, known):
            raise InvalidInput(Flaw.AMOUNT, swap.alternative, objective)
        orders.append(measured.measures[objective].compare(end, known))
    if sorted(orders) != [-1, 1] or swap.level == swap.pay_with:
        raise InvalidInput(Flaw.NO_SWAP, swap.alternative, swap.level)
    after = {(swap.alternative, objective): end for objective, _, end in changes}
    return MeasuredTable(measured.measures, {**measured.amounts, **after}, measured.units)


def imagine(table: RatingTable, measured: MeasuredTable, swaps: Sequence[EvenSwap]) -> ImaginedTable:
    """Apply the swaps one after the other, without those that do not fit, and compare all alternatives of the table."""
    after = measured
    for swap in swaps:
        try:
            after = apply_swap(after, swap)
        except InvalidInput:
            continue
    places = ((alternative, objective) for alternative in table.alternatives for objective in table.objectives)
    swapped = tuple(at for at in places if measured.amounts.get(at) != after.amounts.get(at))
    imagined = _ImaginedRows(table, after, frozenset(swapped))
    known, pairs = _ImaginedRows(table, measured, frozenset()), list(permutations(table.alternatives, 2))
    return ImaginedTable(
        after,
        swapped,
        cancelled=tuple(
            Cancelled(objective, one, other)
            for one, other in pairs
            for objective in table.objectives
            if (one, objective) in swapped
            and ((other, objective) not in swapped or one < other)
            and imagined.compare(objective, one, other) == 0
        ),
        beaten=tuple(
            Beaten(other, one)
            for one, other in pairs
            if imagined.dominates(one, other) and not known.dominates(one, other)
        ),
    )


@dataclass(frozen=True, slots=True)
class _ImaginedRows:
    """Ratings and amounts, compared cell by cell."""

    table: RatingTable
    measured: MeasuredTable
    swapped: frozenset[At]
    """Cells whose rating says nothing, because a swap changed their amount."""

    def compare(self, objective: str, one: str, other: str) -> int | None:
        """Compare by amounts if both are known, else by ratings; None if that cannot be said."""
        places = (one, objective), (other, objective)
        ours, theirs = map(self.measured.amounts.get, places)
        if ours is not None and theirs is not None:
            return self.measured.measures[objective].compare(ours, theirs)
        rated, against = (self.table.rating(*at) for at in places)
        if rated is None or against is None or not self.swapped.isdisjoint(places):
            return None
        return (rated > against) - (rated < against)

    def dominates(self, one: str, other: str) -> bool:
        orders = [self.compare(each, one, other) for each in self.table.objectives]
        known = [order for order in orders if order is not None]
        return len(known) == len(orders) and min(known) >= 0 and max(known) > 0
