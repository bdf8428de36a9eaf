"""Gains and losses of choosing one alternative over another, usually among those left.

All differences are in steps of the rating scale. Nothing here weighs one objective against another: only the person can
say what a step is worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from operator import mul
from typing import Final

from app.decision.analysis.ratings import At, RatingTable, Steps
from app.decision.analysis.variation import find_varying

PRACTICAL_GAIN: Final = 3
"""Smallest total gain, in steps on at least two objectives, that justifies asking about one lost step."""


@dataclass(frozen=True, slots=True)
class Tension:
    """Arguments for and against an alternative. Gains and losses share no objective."""

    alternative: str
    gains: tuple[str, ...]
    """Varying objectives where it has the best rating."""
    losses: tuple[str, ...]
    """Varying objectives where it has the worst rating."""
    better: tuple[str, ...]
    """Objectives where it is better than the baseline."""
    worse: tuple[str, ...]
    """Objectives where it is worse than the baseline."""
    all_rounder: bool
    """True if the alternatives differ and this one is surely nowhere the best and nowhere the worst."""
    shared: tuple[str, ...] = ()
    """The losses where another alternative is as weak."""
    unknown: tuple[At, ...] = ()
    """The missing ratings that keep it open whether it is the best or the worst of all on an objective."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Gains and costs of taking `one` instead of `other`, on the objectives where both ratings are known."""

    one: str
    other: str
    better: tuple[Steps, ...]
    worse: tuple[Steps, ...]
    equal: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    """The other objectives."""

    @property
    def turned(self) -> Pair:
        """Return the same pair from the side of `other`."""
        better, worse = (
            tuple(Steps(each.objective, -each.steps) for each in steps) for steps in (self.worse, self.better)
        )
        return Pair(self.other, self.one, better, worse, self.equal, self.unknown)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Number of pairs of alternatives that two objectives order oppositely, and of those that they order alike."""

    one: str
    other: str
    discordant: int
    concordant: int


@dataclass(frozen=True, slots=True)
class Leeway:
    """What the given ranges leave open of a number of steps."""

    less: bool = False
    more: bool = False

    @property
    def ends(self) -> tuple[bool, bool]:
        """Return whether it may be less, and whether it may be more."""
        return self.less, self.more

    @property
    def is_open(self) -> bool:
        """Return True if it may be another number."""
        return any(self.ends)


@dataclass(frozen=True, slots=True)
class PracticalDominance:
    """A question, never a finding: the gain on `by` against the one step lost on `gives_up`."""

    alternative: str
    by: str
    gives_up: Steps
    gains: tuple[Steps, ...]
    step: Leeway
    """Whether the loss may be less or more than one step."""
    gain: Leeway
    """Whether `by` may bring less or more than the gains, on any other objective."""


def find_tensions(table: RatingTable) -> tuple[Tension, ...]:
    """Return the tension of each alternative. A single alternative has no gains and no losses."""
    columns = find_varying(table)
    found: list[Tension] = []
    for index, alternative in enumerate(table.alternatives):
        gains = tuple(objective for objective, column in columns.items() if column[index] == max(column))
        losses = tuple(objective for objective, column in columns.items() if column[index] == min(column))
        row = [
            (objective, rating or 0) for objective, rating in zip(table.objectives, table.row(alternative), strict=True)
        ]
        better = tuple(objective for objective, rating in row if rating > 0)
        worse = tuple(objective for objective, rating in row if rating < 0)
        shared = tuple(objective for objective in losses if columns[objective].count(min(columns[objective])) > 1)
        unknown = tuple(at for at in table.missing if _is_kept_open(table, alternative, at[1]))
        all_rounder = bool(columns) and not gains and not losses and not unknown
        found.append(Tension(alternative, gains, losses, better, worse, all_rounder, shared, unknown))
    return tuple(found)


def _is_kept_open(table: RatingTable, alternative: str, objective: str) -> bool:
    """Return True if the missing ratings on this objective can make the alternative the best or the worst of all."""
    own = table.rating(alternative, objective)
    known = [rating for rating in table.column(objective) if rating is not None]
    return len(table.alternatives) > 1 and (own is None or own in (max(known), min(known)))


def list_pairs(table: RatingTable) -> tuple[Pair, ...]:
    """Return all pairs; `one` is first in display order."""
    return tuple(compare_pair(table, one, other) for one, other in combinations(table.alternatives, 2))


def compare_pair(table: RatingTable, one: str, other: str) -> Pair:
    """Compare taking `one` with taking `other`."""
    both = zip(table.objectives, table.row(one), table.row(other), strict=True)
    steps = [Steps(objective, a - b) for objective, a, b in both if a is not None and b is not None]
    known = {each.objective for each in steps}
    return Pair(
        one,
        other,
        better=tuple(each for each in steps if each.steps > 0),
        worse=tuple(each for each in steps if each.steps < 0),
        equal=tuple(each.objective for each in steps if not each.steps),
        unknown=tuple(each for each in table.objectives if each not in known),
    )


def find_conflicts(table: RatingTable) -> tuple[Conflict, ...]:
    """Return the conflict of each pair of varying objectives."""
    orders = {
        objective: [(a > b) - (a < b) for a, b in combinations(column, 2)]
        for objective, column in find_varying(table).items()
    }
    found: list[Conflict] = []
    for one, other in combinations(orders, 2):
        products = list(map(mul, orders[one], orders[other]))
        found.append(Conflict(one, other, products.count(-1), products.count(1)))
    return tuple(found)


def find_headline(table: RatingTable) -> Conflict | None:
    """Return the conflict between the two objectives that are most often opposed; None if no two are.

    Ordered by discordant minus concordant pairs, then by the spread of the ratings, then by display order.
    """
    spread = {objective: max(column) - min(column) for objective, column in find_varying(table).items()}
    opposed = (conflict for conflict in find_conflicts(table) if conflict.discordant)
    return max(
        opposed,
        key=lambda each: (each.discordant - each.concordant, spread[each.one] + spread[each.other]),
        default=None,
    )


def list_as_opposed(table: RatingTable, headline: Conflict) -> tuple[Conflict, ...]:
    """Return the other conflicts that oppose at least as many pairs of alternatives, in display order."""
    return tuple(each for each in find_conflicts(table) if each != headline and each.discordant >= headline.discordant)


def find_practical_dominance(table: RatingTable) -> tuple[PracticalDominance, ...]:
    """Return the pairs where one alternative leads by a single step, and the other by far."""
    complete = [alternative for alternative in table.alternatives if None not in table.row(alternative)]
    pairs = (compare_pair(table, by, alternative) for alternative, by in permutations(complete, 2))
    return tuple(_build_practical(table, each) for each in pairs if _dominates_in_practice(each))


def _dominates_in_practice(pair: Pair) -> bool:
    """Return True if `one` loses a single step on one objective and gains far more on several."""
    lost, gained = (sum(each.steps for each in steps) for steps in (pair.worse, pair.better))
    return lost == -1 and len(pair.better) > 1 and gained >= PRACTICAL_GAIN


def _build_practical(table: RatingTable, pair: Pair) -> PracticalDominance:
    """Return the question, with what the ranges of the two rows may change."""
    gives_up, gains = pair.turned.better[0], dict[str, Leeway]()
    for objective in table.objectives:
        ours, theirs = (table.cells[each, objective] for each in (pair.one, pair.other))
        (low, high), (least, most), rated = ours.bounds, theirs.bounds, ours.rating - theirs.rating
        gains[objective] = Leeway(less=low - most < rated, more=high - least > rated)
    loss = gains.pop(gives_up.objective)
    step = Leeway(less=loss.more, more=loss.less)
    gain = Leeway(any(each.less for each in gains.values()), any(each.more for each in gains.values()))
    return PracticalDominance(pair.other, pair.one, gives_up, pair.better, step, gain)
