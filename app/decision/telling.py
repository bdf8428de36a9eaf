"""Issues in words: the errors of a draft, for people and for a model in a conversation.

The given values are left out, because the reader has the draft.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.decision.component import Component
from app.decision.findings import Issue, IssueKind
from app.decision.outline import label, lists
from app.decision.paths import Draft, is_list, is_object


def in_words(issue: Issue) -> str:
    """Describe the error in a field, and the condition it has to meet."""
    match issue.kind:
        case IssueKind.MISSING:
            return f"{issue.field}: {issue.requirement}"
        case IssueKind.UNKNOWN:
            return f"{issue.field}: there is no such field"
        case _:
            return f"{issue.field}: {issue.problem}, it has to be {issue.requirement}"


def to_mend(component: Component, draft: Draft, found: Iterable[Issue]) -> tuple[str, ...]:
    """Return the errors for which the draft would be refused, in words."""
    return tuple(in_words(replace(issue, field=_spoken(component, draft, issue.field))) for issue in found)


def _spoken(component: Component, draft: Draft, field: str) -> str:
    """Return the field in people's words: an item by its name, and no index."""
    path, said, node = "", list[str](), draft
    for step in field.split("."):
        if is_list(node) and path in lists(component):
            node = node[int(step)]
            path, said = "", [label(component, path, node)]
        else:
            node = node.get(step) if is_object(node) else None
            path, said = f"{path}.{step}".lstrip("."), [*said, step.replace("_", " ")]
    return " ".join(said)
