"""Plain sums of ratings. A sum adds steps of different objectives: it points somewhere and proves nothing.

An unknown cell makes the sum unknown, and no one leads while a sum is unknown. A tie is a tie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.decision.ratings import RatingTable
from app.decision.variation import same_patterns


@dataclass(frozen=True, slots=True)
class Score:
    """What an alternative adds up to."""

    alternative: str
    net: int | None
    """The sum of its ratings; None while one is missing."""
    plus: int
    """On how many objectives it is better than the baseline, of those that are known."""
    minus: int
    """On how many it is worse."""


def scores(table: RatingTable) -> tuple[Score, ...]:
    """The score of each alternative."""
    found: list[Score] = []
    for alternative in table.alternatives:
        row = table.row(alternative)
        known = [rating for rating in row if rating is not None]
        net = sum(known) if len(known) == len(row) else None
        found.append(Score(alternative, net, sum(each > 0 for each in known), sum(each < 0 for each in known)))
    return tuple(found)


def nets(found: tuple[Score, ...]) -> dict[str, int | None]:
    """The sums, by alternative."""
    return {score.alternative: score.net for score in found}


def leaders(sums: Mapping[str, int | None]) -> tuple[str, ...]:
    """The alternatives with the largest sum: several in a tie, none while a sum is unknown."""
    known = [net for net in sums.values() if net is not None]
    if len(known) < len(sums):
        return ()
    return tuple(alternative for alternative, net in sums.items() if net == max(known))


def counted_once(table: RatingTable) -> tuple[Score, ...]:
    """The scores if objectives with the same pattern are one: only the first of each group is added."""
    repeated = {objective for group in same_patterns(table) for objective in group[1:]}
    return scores(table.regarding([objective for objective in table.objectives if objective not in repeated]))
