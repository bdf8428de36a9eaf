"""Check of a draft that a person changed by hand.

The window checks a change against what it shows; the conversation checks it again when the change arrives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from app.core.text.untrusted import clean
from app.decision.drafts.derived import derive, resolve_aliases
from app.decision.drafts.draft import Accepted, Rejected, tidy
from app.decision.drafts.noting import begin_draft
from app.decision.record import DecisionRecord
from app.decision.rules.checks import check_rules, list_missing
from app.decision.schema.component import Component, generalize_path
from app.decision.schema.feedback import list_corrections
from app.decision.schema.findings import Issue, IssueKind, Remark, select_issues, select_remarks
from app.decision.schema.handles import list_handles, renumber
from app.decision.schema.paths import Draft, walk_lists
from app.decision.schema.validation import find_schema_issues


@dataclass(frozen=True, slots=True)
class HandEdit(Accepted):
    """A draft after an accepted change."""

    news: tuple[Remark, ...] = ()
    """Remarks that the draft before the change did not cause."""


@dataclass(frozen=True, slots=True)
class _CheckedDraft:
    """A draft with the derived values, and the findings on it."""

    draft: Draft
    issues: tuple[Issue, ...]
    remarks: tuple[Remark, ...] = ()
    is_formed: bool = True
    """False if the draft breaks its schema; it is then not checked further."""


def judge_hand_edit(component: Component, before: Draft, after: Draft, so_far: DecisionRecord) -> HandEdit | Rejected:
    """Judge a person's change of a draft.

    Raises `ExtractionError` if the draft is nested too deep. A change is refused only for errors that it adds. Older
    errors, as in a half-finished draft, do not count against it. Nor do gaps in what a person is still adding. Both
    must be settled before approval.
    """
    now, then = _check_draft(component, after, before, so_far), _check_draft(component, before, before, so_far)
    is_building = now.is_formed and _count_items(now.draft) > _count_items(then.draft)
    wrong = [
        each for each in _list_new(now.issues, then.issues) if not (is_building and each.kind is IssueKind.MISSING)
    ]
    if wrong:
        return Rejected(tuple(wrong))
    needs = (*list_missing(component, now.draft, so_far), *list_corrections(component, now.draft, now.issues))
    return HandEdit(now.draft, now.remarks, needs, tuple(each for each in now.remarks if each not in then.remarks))


def _check_draft(component: Component, data: Draft, before: Draft, so_far: DecisionRecord) -> _CheckedDraft:
    draft = resolve_aliases(component, tidy(clean(begin_draft(component, data))))
    if wrong := find_schema_issues(component, draft):
        return _CheckedDraft(draft, wrong, is_formed=False)
    known = (*so_far.handles, *list_handles([before or so_far.before]))
    # If a value follows from another one, as with the status quo, the server writes it: the person need not.
    draft, made = derive(component, renumber(component, draft, so_far.spent, known), so_far)
    found = check_rules(component, draft, so_far)
    return _CheckedDraft(draft, select_issues(found), (*made, *select_remarks(found)))


def _list_new(now: tuple[Issue, ...], then: tuple[Issue, ...]) -> list[Issue]:
    """Return the issues of `now` that were not in `then`."""
    tolerated, fresh = Counter(map(_classify, then)), list[Issue]()
    for issue in now:
        if tolerated[_classify(issue)]:
            tolerated[_classify(issue)] -= 1
        else:
            fresh.append(issue)
    return fresh


def _classify(issue: Issue) -> tuple[IssueKind, str, str]:
    """Identify an issue without list positions, because positions move with every change."""
    steps = [int(step) if step.isdigit() else step for step in issue.field.split(".")]
    return issue.kind, generalize_path(steps), issue.problem


def _count_items(draft: Draft) -> int:
    """Count the items. A person who adds an item may still be adding; one who removes an item is not."""
    return sum(len(listed) for _, listed in walk_lists(draft))
