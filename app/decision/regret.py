"""Regret: the steps that each alternative gives up against the best of the others, by objective.

The smallest worst give-up and the smallest total may name different alternatives. That is information, not an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.decision.ratings import RatingTable, Steps
from app.decision.variation import varying


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
    smallest_total: tuple[str, ...] = ()


def regrets(table: RatingTable) -> Regrets:
    """Compare each alternative with the best rating on each objective."""
    if table.missing:
        return Regrets()
    columns = varying(table)
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
    worst, total = min(regret.worst for regret in each), min(regret.total for regret in each)
    return Regrets(
        each,
        smallest_worst=tuple(regret.alternative for regret in each if regret.worst == worst),
        smallest_total=tuple(regret.alternative for regret in each if regret.total == total),
    )
