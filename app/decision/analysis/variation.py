"""Objectives that tell the alternatives apart, and objectives that vary alike.

An objective that does not vary is irrelevant *for this choice*, not unimportant: often it is a condition in disguise.
Only full columns are judged. Knows nothing of dominance: the caller chooses the alternatives in the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.decision.analysis.ratings import RatingTable


class IrrelevantKind(StrEnum):
    """The alternatives over which an objective does not vary; the words are the stored ones."""

    NO_VARIATION = "no_variation"
    NO_VARIATION_REMAINING = "no_variation_remaining"
    """Constant only after the dominated alternatives are set aside."""


@dataclass(frozen=True, slots=True)
class Irrelevant:
    """An objective on which all alternatives have the same rating."""

    objective: str
    rating: int
    kind: IrrelevantKind


def find_varying(table: RatingTable) -> dict[str, tuple[int, ...]]:
    """Return the full columns with more than one rating, by objective."""
    return {objective: column for objective, column in _list_full(table).items() if len(set(column)) > 1}


def find_unvarying(table: RatingTable) -> dict[str, int]:
    """Return the rating of each full column that has only one. Returns none for fewer than two alternatives."""
    if len(table.alternatives) < 2:
        return {}
    return {objective: column[0] for objective, column in _list_full(table).items() if len(set(column)) == 1}


def find_irrelevant(table: RatingTable, left: RatingTable) -> tuple[Irrelevant, ...]:
    """Return the objectives that do not vary over all alternatives, or over those left."""
    ratings = {
        IrrelevantKind.NO_VARIATION_REMAINING: find_unvarying(left),
        IrrelevantKind.NO_VARIATION: find_unvarying(table),
    }
    kinds = {objective: kind for kind, found in ratings.items() for objective in found}
    return tuple(
        Irrelevant(each, ratings[kinds[each]][each], kinds[each]) for each in table.objectives if each in kinds
    )


def group_patterns(table: RatingTable) -> tuple[tuple[str, ...], ...]:
    """Return groups of objectives that vary alike.

    A sum counts one difference once for each objective of such a group.
    """
    groups: dict[tuple[int, ...], list[str]] = {}
    for objective, column in find_varying(table).items():
        groups.setdefault(column, []).append(objective)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _list_full(table: RatingTable) -> dict[str, tuple[int, ...]]:
    columns = {objective: table.column(objective) for objective in table.objectives}
    return {
        objective: tuple(rating for rating in column if rating is not None)
        for objective, column in columns.items()
        if None not in column
    }
