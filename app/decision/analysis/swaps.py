"""Even swaps (Hammond, Keeney, Raiffa): level one objective by paying with another, until one alternative dominates.

Works on amounts, not on steps: the swapped amount matters, not the importance of an objective. Only the person can
judge if a swap is even; this module writes the imagined row and compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.decision.analysis.measures import MeasuredTable
from app.decision.analysis.ratings import Flaw, InvalidInput


@dataclass(frozen=True, slots=True)
class EvenSwap:
    """A swap after which the person likes `alternative` no less, with these two amounts instead of its own."""

    alternative: str
    level: str
    """The objective to be levelled."""
    level_to: float
    pay_with: str
    """The objective that pays for it."""
    pay_to: float


@dataclass(frozen=True, slots=True)
class LoggedSwap:
    """An applied swap, with the amounts before it."""

    swap: EvenSwap
    level_from: float
    pay_from: float


@dataclass(frozen=True, slots=True)
class SwapResult:
    """Two alternatives after all swaps, compared by amounts."""

    rows: Mapping[str, Mapping[str, float]]
    """The two rows by alternative, with the imagined amounts."""
    equal: tuple[str, ...]
    """Objectives that no longer matter for this pair and drop out."""
    better: Mapping[str, tuple[str, ...]]
    """Objectives where an alternative is better, by alternative."""
    preferred: str | None
    """The alternative that now dominates; None while each is better somewhere, or both are equal."""
    log: tuple[LoggedSwap, ...]


def apply_swaps(measured: MeasuredTable, pair: tuple[str, str], swaps: Sequence[EvenSwap]) -> SwapResult:
    """Apply the swaps to the pair, one after the other.

    Raises `InvalidInput`: UNKNOWN for an alternative outside the pair, GAPS for a missing amount, NO_SWAP unless one
    amount gets better and the other worse.
    """
    rows = {alternative: measured.row(alternative) for alternative in pair}
    for alternative, objective in ((alternative, objective) for alternative in pair for objective in measured.measures):
        if objective not in rows[alternative]:
            raise InvalidInput(Flaw.GAPS, alternative, objective)
    log: list[LoggedSwap] = []
    for swap in swaps:
        if swap.alternative not in rows:
            raise InvalidInput(Flaw.UNKNOWN, swap.alternative)
        log.append(_apply(measured, rows[swap.alternative], swap))
    orders = {
        objective: measure.compare(*(rows[alternative][objective] for alternative in pair))
        for objective, measure in measured.measures.items()
    }
    better = {
        alternative: tuple(objective for objective, order in orders.items() if order == sign)
        for alternative, sign in zip(pair, (1, -1), strict=True)
    }
    ahead = [alternative for alternative in pair if better[alternative]]
    equal = tuple(objective for objective, order in orders.items() if not order)
    return SwapResult(rows, equal, better, ahead[0] if len(ahead) == 1 else None, tuple(log))


def _apply(measured: MeasuredTable, row: dict[str, float], swap: EvenSwap) -> LoggedSwap:
    changes = {swap.level: swap.level_to, swap.pay_with: swap.pay_to}
    for objective in (swap.level, swap.pay_with):
        if objective not in row:
            raise InvalidInput(Flaw.UNKNOWN, swap.alternative, objective)
    orders = [measured.measures[objective].compare(amount, row[objective]) for objective, amount in changes.items()]
    if sorted(orders) != [-1, 1]:
        raise InvalidInput(Flaw.NO_SWAP, swap.alternative, swap.level, swap.pay_with)
    logged = LoggedSwap(swap, row[swap.level], row[swap.pay_with])
    row.update(changes)
    return logged
