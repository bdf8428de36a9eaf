"""Plain sums of ratings.

A sum adds steps of different objectives, so it is a hint and no proof. An unknown cell makes the sum unknown, and
nobody leads while a sum is unknown. Ties are not broken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.decision.ratings import RatingTable
from app.decision.variation import same_patterns


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


def scores(table: RatingTable) -> tuple[Score, ...]:
    """Return the score of each alternative."""
    found: list[Score] = []
    for alternative in table.alternatives:
        row = table.row(alternative)
        known = [rating for rating in row if rating is not None]
        net = sum(known) if len(known) == len(row) else None
        found.append(Score(alternative, net, sum(each > 0 for each in known), sum(each < 0 for each in known)))
    return tuple(found)


def nets(found: tuple[Score, ...]) -> dict[str, int | None]:
    """Return the sums by alternative."""
    return {score.alternative: score.net for score in found}


def leaders(sums: Mapping[str, int | None]) -> tuple[str, ...]:
    """Return the alternatives with the largest sum: several in a tie, none while a sum is unknown."""
    known = [net for net in sums.values() if net is not None]
    if len(known) < len(sums):
        return ()
    return tuple(alternative for alternative, net in sums.items() if net == max(known))


def counted_once(table: RatingTable) -> tuple[Score, ...]:
    """Return the scores with objectives of the same pattern counted once: only the first of each group is added."""
    repeated = {objective for group in same_patterns(table) for objective in group[1:]}
    return scores(table.regarding([objective for objective in table.objectives if objective not in repeated]))
