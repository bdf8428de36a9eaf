"""The fields that the server writes into a draft itself, which are not offered for editing.

A schema describes most of them as the server's own. These tables have the others. The keys are the names in
`app.decision.drafts.derived`; a component lists which of them it has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from app.core.copy import draft_editing
from app.decision.drafts.computed_tradeoffs import BY_PEOPLE, SAID
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.corrections import CORRECTIONS
from app.decision.schema.outline import is_servers_own
from handlers.views.editing.path import Path, find_node, generalize

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "baseline_marked": ("alternatives[].is_status_quo",),
    "as_computed": (
        "headline_conflict.objective_a_id",
        "headline_conflict.objective_b_id",
        "headline_conflict.said_of",
        "tensions[].said_of",
        "irrelevant_objectives[].uniform_rating",
        "swing_weights[].worst",
        "swing_weights[].best",
        "swing_weights[].rank",
        "swing_weights[].former",
    ),
}
"""Paths that belong to the server entirely."""

CORRECTED: Final = (f"{CORRECTIONS}[].was", f"{CORRECTIONS}[].step")
"""Paths that belong to it in every component: what a correction replaces, and where it was heard."""

Rows = Callable[[Mapping[str, Any], DecisionRecord], bool]


def _is_any_row(row: Mapping[str, Any], so_far: DecisionRecord) -> bool:
    return True


def _is_baseline_row(row: Mapping[str, Any], so_far: DecisionRecord) -> bool:
    return row.get("alternative_id") == so_far.baseline


def _is_finding(row: Mapping[str, Any], so_far: DecisionRecord) -> bool:
    return row.get("kind") not in BY_PEOPLE


ROWS: Final[Mapping[str, Mapping[str, Rows]]] = {
    "baseline_row": {"table.cells": _is_baseline_row},
    "as_computed": {
        "dominated_alternatives": _is_any_row,
        "tensions": _is_any_row,
        "practical_dominance": _is_any_row,
        "practical_dominance[].gives_up": _is_any_row,
        "practical_dominance[].gains": _is_any_row,
        "irrelevant_objectives": _is_finding,
    },
}
"""Lists with rows of the server, in which people can only add what they said."""


def is_written(component: Component, steps: Path) -> bool:
    """Return True if the server writes this field, or one that it is in."""
    own = {path for mend in component.mends for path in FIELDS.get(mend, ())}.union(CORRECTED)
    return any(_is_own(component, steps[:length], own) for length in range(1, len(steps) + 1))


def is_written_row(component: Component, steps: Path, row: Any, so_far: DecisionRecord) -> bool:
    """Return True if the server writes this row. A row that does not exist yet is a person's."""
    rule = _find_rule(component, steps)
    return rule is not None and row is not None and rule(row, so_far)


def explain_row(component: Component, steps: Path) -> str:
    """Return why a row in this list that the server writes cannot be changed, in a few words for people."""
    is_baseline = _find_rule(component, steps) is _is_baseline_row
    return draft_editing.BASELINE_ROW if is_baseline else draft_editing.COMPUTED_ROW


def is_written_list(component: Component, steps: Path) -> bool:
    """Return True if none can be added: the server writes every row, or what people say in the talk does."""
    return steps == (CORRECTIONS,) or _find_rule(component, steps) is _is_any_row


def is_own_field(name: tuple[str, ...]) -> bool:
    """Return True for a field that people fill in within a row of the server."""
    return bool(name) and name[0] in SAID


def _is_own(component: Component, steps: Path, own: Collection[str]) -> bool:
    schema = find_node(component, steps)
    return is_servers_own(schema) or generalize(steps) in own


def _find_rule(component: Component, steps: Path) -> Rows | None:
    at = generalize(steps)
    return next((ROWS[mend][at] for mend in component.mends if at in ROWS.get(mend, {})), None)
