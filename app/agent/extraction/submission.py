"""What the model submits in the serialize stage: how much room it gets, and what is said of it.

Knows no request and no conversation. What is logged of a submission is never its content (S0-025).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.agent.extraction.material import measure_draft
from app.core.errors import ExtractionError
from app.core.text.untrusted import parse
from app.core.turns.history import CHARS_PER_TOKEN
from app.decision.drafts.draft import Accepted, Rejected, read, strip_false_sources
from app.decision.drafts.rating_edits import find_chosen, remove_chosen, restore_chosen
from app.decision.record import SoFar
from app.decision.schema.component import Component
from app.decision.schema.feedback import build_feedback, build_unreadable
from app.decision.schema.findings import Issue, IssueKind

TOKENS_PER_CELL = 200
"""Of a table: two handles, a rating, a sentence of reasons and a quote of doubt."""

MOST_TOKENS = 64_000
"""The longest answer of the smallest model that takes strict tools (Claude 4.5)."""

_CELL = frozenset({"alternative_id", "objective_id"})


@dataclass(frozen=True, slots=True)
class Unusable:
    """A submission that has to be made again: what the model is told, and what is wrong with it in words (C-07)."""

    told: Mapping[str, Any]
    issues: tuple[str, ...]


def build_submission_tool(component: Component) -> dict[str, Any]:
    """The one tool of the serialize stage (S4-041, S4-042)."""
    return {
        "name": component.tool,
        "description": f"Submit what this step came to: {component.title}. Call it once, with all of it.",
        "input_schema": dict(component.asked_schema),
    }


def judged(
    component: Component, submitted: Any, so_far: SoFar, draft: Mapping[str, Any] | None = None
) -> Accepted | Unusable:
    """Take a submission: under the limits of size and depth, then against schema and rules (S0-033 to S0-036).

    `draft` is what was noted before: its items keep their handles, what a person wrote there by hand stays theirs
    (S0-228), and the ratings that they chose there stand, whatever is submitted.
    """
    try:
        # As text again: the limits are those of JSON, and it is sanitised before it is parsed (S0-032).
        data = parse(json.dumps(submitted, ensure_ascii=False))
        before = dict(draft or {})
        verdict = read(component, restore_chosen(strip_false_sources(data, before), before, so_far), so_far, before)
    except ExtractionError as error:
        return Unusable(build_unreadable(component.tool), (f"the data could not be read: {error.kind.value}",))
    if isinstance(verdict, Rejected):
        return Unusable(build_feedback(component.tool, verdict.issues), tuple(map(_describe_issue, verdict.issues)))
    return verdict


def compute_token_limit(component: Component, so_far: SoFar, draft: Mapping[str, Any], least: int) -> int:
    """Tokens that the first submission may take: `least`, or more for a wide table and for a long draft (S0-219)."""
    is_table = any(set(keyed.key) >= _CELL for keyed in component.keyed)
    cells = len(so_far.alternatives) * len(so_far.objectives) - len(find_chosen(draft, so_far)) if is_table else 0
    # Twice, since what is noted grows in the telling and JSON is dense.
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
