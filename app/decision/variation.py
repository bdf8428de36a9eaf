"""Which objectives tell the alternatives apart, and which ones tell the same story.

An objective that does not is irrelevant *for this choice*, not unimportant: often it is a condition in disguise.
Judges full columns only. Knows nothing of dominance: who asks decides which alternatives are in the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.decision.ratings import RatingTable


class IrrelevantKind(StrEnum):
    """Over which alternatives an objective does not vary; the words are those of what is stored."""

    NO_VARIATION = "no_variation"
    NO_VARIATION_REMAINING = "no_variation_remaining"
    """Only after the dominated alternatives are set aside."""


@dataclass(frozen=True, slots=True)
class Irrelevant:
    """All alternatives have the same rating on this objective."""

    objective: str
    rating: int
    kind: IrrelevantKind


def varying(table: RatingTable) -> dict[str, tuple[int, ...]]:
    """The columns that are full and hold more than one rating, by objective."""
    return {objective: column for objective, column in _full(table).items() if len(set(column)) > 1}


def unvarying(table: RatingTable) -> dict[str, int]:
    """The one rating of each column that is full and holds no other. Needs two alternatives, else none."""
    if len(table.alternatives) < 2:
        return {}
    return {objective: column[0] for objective, column in _full(table).items() if len(set(column)) == 1}


def irrelevant(table: RatingTable, left: RatingTable) -> tuple[Irrelevant, ...]:
    """The objectives that do not vary over all alternatives, or not over those that are left (S0-165)."""
    ratings = {
        IrrelevantKind.NO_VARIATION_REMAINING: unvarying(left),
        IrrelevantKind.NO_VARIATION: unvarying(table),
    }
    kinds = {objective: kind for kind, found in ratings.items() for objective in found}
    return tuple(
        Irrelevant(each, ratings[kinds[each]][each], kinds[each]) for each in table.objectives if each in kinds
    )


def same_patterns(table: RatingTable) -> tuple[tuple[str, ...], ...]:
    """Groups of objectives that vary, and vary alike: a sum counts one difference as often as a group is long."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for objective, column in varying(table).items():
        groups.setdefault(column, []).append(objective)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _full(table: RatingTable) -> dict[str, tuple[int, ...]]:
    columns = {objective: table.column(objective) for objective in table.objectives}
    return {
        objective: tuple(rating for rating in column if rating is not None)
        for objective, column in columns.items()
        if None not in column
    }
