"""Measures of objectives, and the check of ratings against measured amounts.

Amounts are in the person's own units. Only this module knows a direction. A missing amount is unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import permutations
from math import isclose
from types import MappingProxyType

from app.decision.analysis.ratings import At, Flaw, InvalidInput, RatingTable


class Direction(StrEnum):
    """Direction in which amounts get better; the words are the stored ones."""

    MAXIMIZE = "maximize"
    MINIMIZE = "minimize"
    TARGET = "target"
    """The nearer to the target the better, on both sides."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Measure of one objective. Raises `InvalidInput` (TARGET)."""

    direction: Direction
    target: float | None = None

    def __post_init__(self) -> None:
        """Check that a target is given if, and only if, the direction needs one."""
        if (self.direction is Direction.TARGET) != (self.target is not None):
            raise InvalidInput(Flaw.TARGET)

    def compare(self, one: float, other: float) -> int:
        """Return a positive number if `one` is better, 0 if both are equal, and a negative number if it is worse."""
        good, reference = self.value(one), self.value(other)
        if isclose(good, reference):  # a difference or a conversion may leave the last digits apart
            return 0
        return 1 if good > reference else -1

    def value(self, amount: float) -> float:
        """Return a number that is larger for a better amount, in the unit of the amounts."""
        if self.target is not None:
            return -abs(amount - self.target)
        return amount if self.direction is Direction.MAXIMIZE else -amount


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """Measures by objective, and amounts by alternative and objective. Raises `InvalidInput` (UNKNOWN)."""

    measures: Mapping[str, Measure]
    amounts: Mapping[At, float]
    """All amounts of one objective are in one unit."""
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    """That unit, by objective, as people write it."""

    def __post_init__(self) -> None:
        """Check that all amounts belong to measured objectives, and take copies that cannot be changed."""
        for at in self.amounts:
            if at[1] not in self.measures:
                raise InvalidInput(Flaw.UNKNOWN, *at)
        object.__setattr__(self, "measures", MappingProxyType(dict(self.measures)))
        object.__setattr__(self, "amounts", MappingProxyType(dict(self.amounts)))
        object.__setattr__(self, "units", MappingProxyType(dict(self.units)))

    def regarding(self, objectives: Collection[str]) -> MeasuredTable:
        """Return the same measures and amounts of these objectives only."""
        return MeasuredTable(
            {objective: measure for objective, measure in self.measures.items() if objective in objectives},
            {at: amount for at, amount in self.amounts.items() if at[1] in objectives},
            {objective: unit for objective, unit in self.units.items() if objective in objectives},
        )

    def find_worse(self, one: str, other: str) -> tuple[str, ...]:
        """Return the objectives on which `one` has a worse amount than `other`. An unknown amount is not worse."""
        found: list[str] = []
        for objective, measure in self.measures.items():
            ours, theirs = (self.amounts.get((each, objective)) for each in (one, other))
            if ours is not None and theirs is not None and measure.compare(ours, theirs) < 0:
                found.append(objective)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A conflict of rating and amount, mostly an error of sign.

    `rated_higher` has the higher rating, but `rated_lower` has the better amount.
    """

    objective: str
    rated_higher: str
    rated_lower: str


def find_contradictions(table: RatingTable, measured: MeasuredTable) -> tuple[Contradiction, ...]:
    """Return the pairs whose known ratings are ordered the opposite way of their amounts."""
    known = table.known
    worse = {pair: measured.find_worse(*pair) for pair in permutations(known.alternatives, 2)}
    return tuple(
        Contradiction(objective, *pair)
        for objective in known.objectives
        for pair, found in worse.items()
        if objective in found and _is_rated_above(known, objective, *pair)
    )


def _is_rated_above(table: RatingTable, objective: str, one: str, other: str) -> bool:
    ours, theirs = (table.rating(each, objective) for each in (one, other))
    return ours is not None and theirs is not None and ours > theirs
