"""Issues in words: what is wrong with a draft, for people and for the model that submitted it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from app.core.text.labels import join_words
from app.decision.schema.component import Component
from app.decision.schema.findings import Issue, IssueKind
from app.decision.schema.outline import label_item, list_lists
from app.decision.schema.paths import Draft, is_list, is_object

_FORM: Final = "a text"
"""Beginning of a requirement that says nothing of what is missing."""
_PAIR: Final = re.compile(r"(?<=\d):(?=[A-Z]{1,2}\d)")
"""Between the handles of a rating, as in `A2:O1`."""
_NUMBERS: Final = re.compile(r"(\d+)")
_PLAIN: Final = {"rationale": "reason"}
"""Names of fields that are no words of people."""


def describe_issue(issue: Issue) -> str:
    """Describe the error in a field, and the condition it has to meet."""
    match issue.kind:
        case IssueKind.MISSING:
            return _add_meaning(f"{issue.field} is missing", issue)
        case IssueKind.UNKNOWN:
            return f"there is no `{issue.field}`" + (f"; {issue.requirement}" if issue.requirement else "")
        case _:
            return f"{issue.field}: {issue.problem}, it has to be {issue.requirement}"


def list_corrections(component: Component, draft: Draft, found: Iterable[Issue]) -> tuple[str, ...]:
    """Return the errors for which the draft would be refused, in words; of what is missing the name alone.

    What several items lack is told once, where the first of them stands.
    """
    told = dict[tuple[object, ...], list[tuple[str, Issue]]]()
    for number, issue in enumerate(found):
        *about, last = _name_field(component, draft, issue.field)
        lacks = about and issue.kind is IssueKind.MISSING
        key = (last, issue.requirement) if lacks else (number,)
        told.setdefault(key, []).append((" ".join(about), replace(issue, field=last)))
    return tuple(_tell_alike(each) for each in told.values())


def _tell_alike(found: Sequence[tuple[str, Issue]]) -> str:
    """Return one error of these items in words."""
    (about, issue), *others = found
    if others:
        items = sorted((item for item, _ in found), key=_read_order)
        return _add_meaning(f"{issue.field} for {join_words(items)}", issue)
    whole = replace(issue, field=f"{about} {issue.field}".strip())
    return _add_meaning(whole.field, whole) if issue.kind is IssueKind.MISSING else describe_issue(whole)


def _read_order(item: str) -> list[tuple[int, str]]:
    """Return by what items stand in the order of their numbers, whichever was changed last: A2 before A10."""
    return [(int(each) if each.isdecimal() else 0, each) for each in _NUMBERS.split(item)]


def _add_meaning(told: str, issue: Issue) -> str:
    """Return the words with what the field is about, unless it is any text."""
    form, _, about = issue.requirement.partition("; ")
    meaning = about or ("" if form.startswith(_FORM) else form)
    return f"{told}: {meaning}" if meaning else told


def _name_field(component: Component, draft: Draft, field: str) -> list[str]:
    """Return the field in people's words from the outside in: an item by its name, and no index."""
    path, said, node = "", list[str](), draft
    for step in field.split("."):
        if is_list(node) and path in list_lists(component):
            node = node[int(step)]
            path, said = "", [_PAIR.sub(" on ", label_item(component, path, node))]
        else:
            node = node.get(step) if is_object(node) else None
            path, said = f"{path}.{step}".lstrip("."), [*said, _PLAIN.get(step, step).replace("_", " ")]
    return said


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
_TYPOS: Final = " Unknown fields may be typos. Not there: {named}."


def build_feedback(tool: str, issues: Sequence[Issue]) -> dict[str, Any]:
    """Return the answer to a call of the finalization tool."""
    return _build_answer(tool, Result.VALIDATION_FAILED if issues else Result.ACCEPTED, issues)


def build_unreadable(tool: str) -> dict[str, Any]:
    """Return the answer to a call whose input is not JSON, or is too long or too deep."""
    return _build_answer(tool, Result.TOOL_ERROR, ())


def _build_answer(tool: str, result: Result, issues: Sequence[Issue]) -> dict[str, Any]:
    by_kind = {kind: [issue for issue in issues if issue.kind is kind] for kind in IssueKind}
    return {
        "result": result.value,
        "issues": {
            "invalid": [
                {
                    "field": issue.field,
                    "provided": abridge(issue.provided),
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
        "action": _ACTIONS[result].format(tool=tool) + _name_typos(by_kind[IssueKind.UNKNOWN]),
    }


def _name_typos(unknown: Sequence[Issue]) -> str:
    """Return which fields are probably meant; empty if none is unknown."""
    return _TYPOS.format(named="; ".join(f"{each.field} ({each.requirement})" for each in unknown)) if unknown else ""


def abridge(value: Any) -> Any:
    """Return the value, shortened to what helps to find it again."""
    if is_list(value) or is_object(value):
        return f"{'list' if is_list(value) else 'object'} of {len(value)}"
    if isinstance(value, str) and len(value) > SHOWN:
        return value[:SHOWN] + "…"
    return value
