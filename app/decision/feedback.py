"""Feedback to the model on the data it submitted.

The parts are ordered by attention: first the result, then the errors, and last the instruction. The schema is left out,
because the tool has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

from app.decision.findings import Issue, IssueKind
from app.decision.paths import is_list, is_object

SHOWN: Final = 100
"""Characters of a provided text that are repeated; more would add nothing."""


class Result(StrEnum):
    """Outcome of a submission."""

    ACCEPTED = "accepted"
    VALIDATION_FAILED = "validation_failed"
    TOOL_ERROR = "tool_error"


_ACTIONS: Final = {
    Result.ACCEPTED: "Nothing is left to do.",
    Result.VALIDATION_FAILED: "Call {tool}() with corrected data.",
    Result.TOOL_ERROR: "Call {tool}() with the data as one JSON object.",
}
_TYPOS: Final = " Unknown fields may be typos."


def feedback(tool: str, issues: Sequence[Issue]) -> dict[str, Any]:
    """Return the answer to a call of the finalization tool."""
    return _answer(tool, Result.VALIDATION_FAILED if issues else Result.ACCEPTED, issues)


def unreadable(tool: str) -> dict[str, Any]:
    """Return the answer to a call whose input is not JSON, or is too long or too deep."""
    return _answer(tool, Result.TOOL_ERROR, ())


def _answer(tool: str, result: Result, issues: Sequence[Issue]) -> dict[str, Any]:
    by_kind = {kind: [issue for issue in issues if issue.kind is kind] for kind in IssueKind}
    return {
        "result": result.value,
        "issues": {
            "invalid": [
                {
                    "field": issue.field,
                    "provided": provided(issue.provided),
                    "problem": issue.problem,
                    "requirement": issue.requirement,
                }
                for issue in by_kind[IssueKind.INVALID]
            ],
            "missing": [
                {"field": issue.field, "requirement": issue.requirement} for issue in by_kind[IssueKind.MISSING]
            ],
            "unknown": [issue.field for issue in by_kind[IssueKind.UNKNOWN]],
        },
        "issue_count": len(issues),
        "action": _ACTIONS[result].format(tool=tool) + (_TYPOS if by_kind[IssueKind.UNKNOWN] else ""),
    }


def provided(value: Any) -> Any:
    """Return the value, shortened to what helps to find it again."""
    if is_list(value) or is_object(value):
        return f"{'list' if is_list(value) else 'object'} of {len(value)}"
    if isinstance(value, str) and len(value) > SHOWN:
        return value[:SHOWN] + "…"
    return value
