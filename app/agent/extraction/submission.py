"""Submissions of the serialize stage: their size limit, and the feedback on them.

It does not know requests or conversations. The content of a submission is never logged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.agent.extraction.material import measure_draft
from app.agent.tools.interview.said_ratings import SpokenRatings
from app.core.errors import ExtractionError
from app.core.text.untrusted import parse
from app.core.turns.history import CHARS_PER_TOKEN
from app.decision.drafts.computed_tradeoffs import restore_points
from app.decision.drafts.dated_notes import keep_dates
from app.decision.drafts.draft import Accepted, Rejected, read, restore_sources, strip_false_sources
from app.decision.drafts.rating_edits import find_chosen, remove_chosen, restore_chosen
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.schema.component import Component
from app.decision.schema.corrections import keep_corrections
from app.decision.schema.feedback import build_feedback, build_unreadable
from app.decision.schema.findings import Issue, IssueKind, Remark
from app.decision.schema.paths import find_values, is_object, omit
from app.decision.schema.terms import format_signed
from app.decision.tracing.said import SaidFigures
from app.decision.tracing.tracing import remove_unsaid_dates

TOKENS_PER_CELL = 200
"""Tokens of a table's cell: two handles, a rating, a sentence of reasons and a quote of doubt."""

NO_RANGE = "Nobody gave this range, so it was left out: {low} to {high} ({where})."

MOST_TOKENS = 64_000
"""Longest reply of the smallest model with strict tools (Claude 4.5)."""

_CELL = frozenset({"alternative_id", "objective_id"})
RANGE = "rating_range"


@dataclass(frozen=True, slots=True)
class Unusable:
    """A rejected submission: the feedback for the model, and the faults in words."""

    told: Mapping[str, Any]
    issues: tuple[str, ...]


def build_submission_tool(component: Component) -> dict[str, Any]:
    """Return the only tool of the serialize stage."""
    return {
        "name": component.tool,
        "description": f"Submit what this step came to: {component.title}. Call it once, with all of it.",
        "input_schema": dict(component.asked_schema),
    }


def judge(
    component: Component,
    submitted: Any,
    so_far: DecisionRecord,
    said: SaidFigures,
    draft: Mapping[str, Any] | None = None,
) -> Accepted | Unusable:
    """Judge a submission: first its size and depth, then schema and rules.

    Items of the earlier `draft` keep their handles, and what a person edited there by hand stays theirs. Ratings that
    people chose there are kept, whatever is submitted, and so are points for another range than now. A date that is
    not in `said` is left out, with a remark.
    """
    try:
        # As text again, because the limits are those of JSON, and sanitizing comes before parsing.
        data = parse(json.dumps(submitted, ensure_ascii=False))
        before = dict(draft or {})
        given = keep_dates(keep_corrections(restore_sources(strip_false_sources(data, before), before), before), before)
        data, unsaid = remove_unsaid_dates(given, said, so_far)
        data = restore_points(restore_chosen(data, before, so_far), before, so_far)
        verdict = read(component, data, so_far, before)
    except ExtractionError as error:
        return Unusable(build_unreadable(component.tool), (f"the data could not be read: {error.kind.value}",))
    if isinstance(verdict, Rejected):
        return Unusable(build_feedback(component.tool, verdict.issues), tuple(map(_describe_issue, verdict.issues)))
    return replace(verdict, remarks=(*unsaid, *verdict.remarks))


def remove_unsaid_ranges(
    submitted: Any, before: Mapping[str, Any], spoken: SpokenRatings
) -> tuple[Any, tuple[Remark, ...]]:
    """Return a submission without the ranges of ratings that nobody gave and that were not noted, and a remark on each.

    A range is never invented: the rating stays, and people are told.
    """
    noted = {find_place(each): each.get(RANGE) for each in find_values(before, "table.cells[]")}
    cells = find_values(submitted, "table.cells[]")
    ranges = ((index, _read_range(each, spoken.so_far)) for index, each in enumerate(cells))
    new = {index: span for index, span in ranges if span and cells[index][RANGE] != noted.get(find_place(cells[index]))}
    unsaid = {index: span for index, span in new.items() if not spoken.knows_range(*find_place(cells[index]), span)}
    if not unsaid:
        return submitted, ()
    kept = [omit(each, RANGE) if index in unsaid else each for index, each in enumerate(cells)]
    told = (
        NO_RANGE.format(
            low=format_signed(low), high=format_signed(high), where=spoken.so_far.label_place(find_place(cells[index]))
        )
        for index, (low, high) in unsaid.items()
    )
    return {**submitted, "table": {**submitted["table"], "cells": kept}}, tuple(map(Remark, told))


def _read_range(cell: Any, so_far: DecisionRecord) -> tuple[int, int] | None:
    """Return the range of a submitted rating; None if it has none, or is of a wrong form, which is refused later."""
    span = cell.get(RANGE) if is_object(cell) and cell.keys() >= _CELL else None
    known = [*so_far.alternatives, *so_far.objectives]  # in place of a handle may stand what is no text
    if not is_object(span) or not all(each in known for each in find_place(cell)):
        return None
    low, high = span.get("low"), span.get("high")
    return (low, high) if isinstance(low, int) and isinstance(high, int) and low < high else None


def compute_token_limit(component: Component, so_far: DecisionRecord, draft: Mapping[str, Any], least: int) -> int:
    """Return the tokens for the first submission: `least`, or more for a wide table or a long draft."""
    is_table = any(set(keyed.key) >= _CELL for keyed in component.keyed)
    cells = len(so_far.alternatives) * len(so_far.objectives) - len(find_chosen(draft, so_far)) if is_table else 0
    # Twice, because a draft grows when it is written out, and JSON needs more tokens for its length.
    again = 2 * measure_draft(remove_chosen(draft, so_far)) // CHARS_PER_TOKEN
    return min(max(least, cells * TOKENS_PER_CELL, again), MOST_TOKENS)


def _describe_issue(issue: Issue) -> str:
    match issue.kind:
        case IssueKind.INVALID:
            return f"{issue.field}: {issue.problem}; it has to be {issue.requirement}"
        case IssueKind.MISSING:
            return f"{issue.field} is missing; it has to be {issue.requirement}"
        case IssueKind.UNKNOWN:
            return f"{issue.field} is no field of this step"
