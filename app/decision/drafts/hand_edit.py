"""Check of a draft that a person changed by hand.

The window checks a change against what it shows; the conversation checks it again when the change arrives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from app.core.text.untrusted import clean
from app.decision.drafts.derived import mended, other_names
from app.decision.drafts.draft import Accepted, Rejected, tidied
from app.decision.drafts.noting import begun
from app.decision.record import SoFar
from app.decision.rules.checks import findings, missing
from app.decision.schema.component import Component, general
from app.decision.schema.feedback import to_mend
from app.decision.schema.findings import Issue, IssueKind, Remark, issues, remarks
from app.decision.schema.handles import handles_of, renumbered
from app.decision.schema.paths import Draft, lists
from app.decision.schema.validation import schema_issues


@dataclass(frozen=True, slots=True)
class Changed(Accepted):
    """A draft after an accepted change."""

    news: tuple[Remark, ...] = ()
    """Remarks that the draft before the change did not cause."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A draft with the derived values, and the findings on it."""

    draft: Draft
    issues: tuple[Issue, ...]
    remarks: tuple[Remark, ...] = ()
    is_formed: bool = True
    """False if the draft breaks its schema; it is then not checked further."""


def changed(component: Component, before: Draft, after: Draft, so_far: SoFar) -> Changed | Rejected:
    """Judge a person's change of a draft.

    Raises `ExtractionError` if the draft is nested too deep. A change is refused only for errors that it adds. Older
    errors, as in a half-finished draft, do not count against it. Nor do gaps in what a person is still adding. Both
    must be settled before approval.
    """
    now, then = _seen(component, after, before, so_far), _seen(component, before, before, so_far)
    is_building = now.is_formed and _items(now.draft) > _items(then.draft)
    wrong = [each for each in _fresh(now.issues, then.issues) if not (is_building and each.kind is IssueKind.MISSING)]
    if wrong:
        return Rejected(tuple(wrong))
    needs = (*missing(component, now.draft, so_far), *to_mend(component, now.draft, now.issues))
    return Changed(now.draft, now.remarks, needs, tuple(each for each in now.remarks if each not in then.remarks))


def _seen(component: Component, data: Draft, before: Draft, so_far: SoFar) -> _Seen:
    draft = other_names(component, tidied(clean(begun(component, data))))
    if wrong := schema_issues(component, draft):
        return _Seen(draft, wrong, is_formed=False)
    known = (*so_far.handles, *handles_of([before or so_far.before]))
    # If a value follows from another one, as with the status quo, the server writes it: the person need not.
    draft, made = mended(component, renumbered(component, draft, so_far.spent, known), so_far)
    found = findings(component, draft, so_far)
    return _Seen(draft, issues(found), (*made, *remarks(found)))


def _fresh(now: tuple[Issue, ...], then: tuple[Issue, ...]) -> list[Issue]:
    """Return the issues of `now` that were not in `then`."""
    tolerated, fresh = Counter(map(_nature, then)), list[Issue]()
    for issue in now:
        if tolerated[_nature(issue)]:
            tolerated[_nature(issue)] -= 1
        else:
            fresh.append(issue)
    return fresh


def _nature(issue: Issue) -> tuple[IssueKind, str, str]:
    """Identify an issue without list positions, because positions move with every change."""
    steps = [int(step) if step.isdigit() else step for step in issue.field.split(".")]
    return issue.kind, general(steps), issue.problem


def _items(draft: Draft) -> int:
    """Count the items. A person who adds an item may still be adding; one who removes an item is not."""
    return sum(len(listed) for _, listed in lists(draft))
