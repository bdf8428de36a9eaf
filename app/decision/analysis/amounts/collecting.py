"""Amounts of one objective, brought to one unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.decision.analysis.amounts.units import convert
from app.decision.analysis.ratings import At


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount as people gave it; the unit may be empty."""

    number: float
    unit: str


@dataclass(frozen=True, slots=True)
class Collected:
    """Amounts in one unit, and the units of those that cannot be brought to it."""

    unit: str
    amounts: Mapping[At, float]
    unlike: tuple[str, ...]
    """Empty if all amounts can be compared; an empty text stands for a missing unit."""
    instead_of: str = ""
    """The preferred unit if all amounts are in one that is unlike it; empty otherwise, or if none is preferred."""


def collect_amounts(given: Mapping[At, Amount], preferred: str) -> Collected:
    """Bring the amounts of one objective to one unit.

    The unit is the preferred one, unless more amounts fit another. An amount without a unit is in the preferred one.
    """
    said = {at: (each.number, each.unit or preferred) for at, each in given.items()}
    candidates = dict.fromkeys([preferred, *(unit for _, unit in said.values())])
    converted = {
        unit: {at: convert(number, start, unit) for at, (number, start) in said.items()} for unit in candidates
    }
    # `max` keeps the first, which is the preferred one.
    unit = max(converted, key=lambda each: sum(amount is not None for amount in converted[each].values()))
    amounts = {at: amount for at, amount in converted[unit].items() if amount is not None}
    unlike = tuple(dict.fromkeys(said[at][1] for at in said if at not in amounts))
    return Collected(unit, amounts, unlike, "" if unlike or unit == preferred else preferred)
