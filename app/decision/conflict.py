"""What must be given up for what, among the alternatives in the table (those that are left, as a rule).

All differences are in steps of the rating scale. Whether a step on one objective is worth a step on another is for the
person to say: nothing here weighs one against the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from operator import mul
from typing import Final

from app.decision.ratings import RatingTable, Steps
from app.decision.variation import varying

PRACTICAL_GAIN: Final = 3
"""Steps in total, on at least two objectives, that make one lost step worth a question."""


@dataclass(frozen=True, slots=True)
class Tension:
    """What speaks for an alternative and what against it (S0-169). Gains and losses share no objective."""

    alternative: str
    gains: tuple[str, ...]
    """Where it has the best rating. Only objectives that vary."""
    losses: tuple[str, ...]
    """Where it has the worst rating."""
    better: tuple[str, ...]
    """Where it is better than the baseline."""
    worse: tuple[str, ...]
    """Where it is worse than the baseline."""
    all_rounder: bool
    """True if alternatives differ and it is nowhere the best and nowhere the worst."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`one` instead of `other`: what that brings and what it costs. Objectives that are unknown are left out."""

    one: str
    other: str
    better: tuple[Steps, ...]
    worse: tuple[Steps, ...]
    equal: tuple[str, ...]

    @property
    def turned(self) -> Pair:
        """The same pair, told as `other` instead of `one`."""
        better, worse = (
            tuple(Steps(each.objective, -each.steps) for each in steps) for steps in (self.worse, self.better)
        )
        return Pair(self.other, self.one, better, worse, self.equal)


@dataclass(frozen=True, slots=True)
class Conflict:
    """How often two objectives order a pair of alternatives oppositely, and how often alike."""

    one: str
    other: str
    discordant: int
    concordant: int


@dataclass(frozen=True, slots=True)
class PracticalDominance:
    """A question, never a finding: is the one step on `gives_up` worth all that `by` is better on."""

    alternative: str
    by: str
    gives_up: Steps
    gains: tuple[Steps, ...]


def tensions(table: RatingTable) -> tuple[Tension, ...]:
    """The tension of each alternative; one alone has no gains and no losses."""
    columns = varying(table)
    found: list[Tension] = []
    for index, alternative in enumerate(table.alternatives):
        gains = tuple(objective for objective, column in columns.items() if column[index] == max(column))
        losses = tuple(objective for objective, column in columns.items() if column[index] == min(column))
        row = [
            (objective, rating or 0) for objective, rating in zip(table.objectives, table.row(alternative), strict=True)
        ]
        better = tuple(objective for objective, rating in row if rating > 0)
        worse = tuple(objective for objective, rating in row if rating < 0)
        all_rounder = bool(columns) and not gains and not losses
        found.append(Tension(alternative, gains, losses, better, worse, all_rounder))
    return tuple(found)


def pairs(table: RatingTable) -> tuple[Pair, ...]:
    """All pairs, the first one in display order as `one`."""
    return tuple(instead(table, one, other) for one, other in combinations(table.alternatives, 2))


def instead(table: RatingTable, one: str, other: str) -> Pair:
    """Take `one` instead of `other`."""
    both = zip(table.objectives, table.row(one), table.row(other), strict=True)
    steps = [Steps(objective, a - b) for objective, a, b in both if a is not None and b is not None]
    return Pair(
        one,
        other,
        better=tuple(each for each in steps if each.steps > 0),
        worse=tuple(each for each in steps if each.steps < 0),
        equal=tuple(each.objective for each in steps if not each.steps),
    )


def conflicts(table: RatingTable) -> tuple[Conflict, ...]:
    """All pairs of objectives that vary."""
    orders = {
        objective: [(a > b) - (a < b) for a, b in combinations(column, 2)]
        for objective, column in varying(table).items()
    }
    found: list[Conflict] = []
    for one, other in combinations(orders, 2):
        products = list(map(mul, orders[one], orders[other]))
        found.append(Conflict(one, other, products.count(-1), products.count(1)))
    return tuple(found)


def headline(table: RatingTable) -> Conflict | None:
    """The heart of the decision: the two objectives that are most often opposed; None if no two ever are.

    By discordant less concordant pairs, then by the spread of their ratings, then by display order.
    """
    spread = {objective: max(column) - min(column) for objective, column in varying(table).items()}
    opposed = (conflict for conflict in conflicts(table) if conflict.discordant)
    return max(
        opposed,
        key=lambda each: (each.discordant - each.concordant, spread[each.one] + spread[each.other]),
        default=None,
    )


def practical_dominance(table: RatingTable) -> tuple[PracticalDominance, ...]:
    """The pairs where one alternative is better by a single step, and the other by far."""
    complete = [alternative for alternative in table.alternatives if None not in table.row(alternative)]
    found = (_practical(instead(table, by, alternative)) for alternative, by in permutations(complete, 2))
    return tuple(each for each in found if each)


def _practical(pair: Pair) -> PracticalDominance | None:
    given_up = tuple(Steps(each.objective, -each.steps) for each in pair.worse)
    gained = sum(each.steps for each in pair.better)
    if sum(each.steps for each in given_up) != 1 or len(pair.better) < 2 or gained < PRACTICAL_GAIN:
        return None
    return PracticalDominance(pair.other, pair.one, given_up[0], pair.better)
