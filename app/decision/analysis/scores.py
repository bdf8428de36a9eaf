"""Plain sums of ratings, and how much each alternative gives up against the best of the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.decision.analysis.ratings import RatingTable, Steps
from app.decision.analysis.variation import find_varying, group_patterns


@dataclass(frozen=True, slots=True)
class Score:
    """Sum of an alternative."""

    alternative: str
    net: int | None
    """Sum of its ratings; None while one is missing."""
    plus: int
    """Number of known ratings better than the baseline."""
    minus: int
    """Number of known ratings worse than the baseline."""


def compute_scores(table: RatingTable) -> tuple[Score, ...]:
    """Return the score of each alternative."""
    found: list[Score] = []
    for alternative in table.alternatives:
        row = table.row(alternative)
        known = [rating for rating in row if rating is not None]
        net = sum(known) if len(known) == len(row) else None
        found.append(Score(alternative, net, sum(each > 0 for each in known), sum(each < 0 for each in known)))
    return tuple(found)


def compute_nets(found: tuple[Score, ...]) -> dict[str, int | None]:
    """Return the sums by alternative."""
    return {score.alternative: score.net for score in found}


def find_leaders(sums: Mapping[str, int | None]) -> tuple[str, ...]:
    """Return the alternatives with the largest sum: several in a tie, none while a sum is unknown."""
    known = [net for net in sums.values() if net is not None]
    if len(known) < len(sums):
        return ()
    return tuple(alternative for alternative, net in sums.items() if net == max(known))


def count_once(table: RatingTable) -> tuple[Score, ...]:
    """Return the scores with objectives of the same pattern counted once: only the first of each group is added."""
    repeated = {objective for group in group_patterns(table) for objective in group[1:]}
    return compute_scores(
        table.select_columns([objective for objective in table.objectives if objective not in repeated])
    )


@dataclass(frozen=True, slots=True)
class Regret:
    """The steps given up by taking this alternative; objectives without a loss are left out."""

    alternative: str
    given_up: tuple[Steps, ...]

    @property
    def worst(self) -> int:
        """Return the largest single give-up."""
        return max((each.steps for each in self.given_up), default=0)

    @property
    def total(self) -> int:
        """Return the sum of all give-ups."""
        return sum(each.steps for each in self.given_up)


@dataclass(frozen=True, slots=True)
class Regrets:
    """The regret of each alternative, and the alternatives with the smallest. All empty while a cell is missing."""

    each: tuple[Regret, ...] = ()
    smallest_worst: tuple[str, ...] = ()
    """Several in a tie."""


def compute_regrets(table: RatingTable) -> Regrets:
    """Compare each alternative with the best rating on each objective."""
    if table.missing:
        return Regrets()
    columns = find_varying(table)
    each = tuple(
        Regret(
            alternative,
            tuple(
                Steps(objective, max(column) - column[index])
                for objective, column in columns.items()
                if column[index] < max(column)
            ),
        )
        for index, alternative in enumerate(table.alternatives)
    )
    worst = min(regret.worst for regret in each)
    return Regrets(each, smallest_worst=tuple(regret.alternative for regret in each if regret.worst == worst))
