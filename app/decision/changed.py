"""A draft that a person changed by hand, and whether the change may be taken in.

The window judges a change on what it shows, and the machine judges it once more: both by this.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from app.core.extraction import clean
from app.decision.checks import findings, missing
from app.decision.component import Component, general
from app.decision.draft import Accepted, Rejected, tidied
from app.decision.findings import Issue, IssueKind, Remark, issues, remarks
from app.decision.handles import handles_of, renumbered
from app.decision.mends import mended, other_names
from app.decision.noting import begun
from app.decision.paths import Draft, lists
from app.decision.so_far import SoFar
from app.decision.telling import to_mend
from app.decision.validation import schema_issues


@dataclass(frozen=True, slots=True)
class Changed(Accepted):
    """A draft after a change that was taken in."""

    news: tuple[Remark, ...] = ()
    """What was noticed that was not noticed before."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A draft with what the server writes into it, and what is found then."""

    draft: Draft
    issues: tuple[Issue, ...]
    remarks: tuple[Remark, ...] = ()
    is_formed: bool = True
    """False if it does not keep its schema: nothing else is known of it then."""


def changed(component: Component, before: Draft, after: Draft, so_far: SoFar) -> Changed | Rejected:
    """Judge what a person made of a draft. Raises `ExtractionError` if it is too deep.

    What was wrong already, as in a draft that is half noted, does not speak against the change, nor does what a person
    who adds something has not come to yet: both are still needed before anybody can approve. Only what the change makes
    wrong is refused.
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
    # Where a person says what follows from it elsewhere, as of the status quo, it is for the server to write it there.
    draft, made = mended(component, renumbered(component, draft, so_far.spent, known), so_far)
    found = findings(component, draft, so_far)
    return _Seen(draft, issues(found), (*made, *remarks(found)))


def _fresh(now: tuple[Issue, ...], then: tuple[Issue, ...]) -> list[Issue]:
    """Those that were not there before."""
    tolerated, fresh = Counter(map(_nature, then)), list[Issue]()
    for issue in now:
        if tolerated[_nature(issue)]:
            tolerated[_nature(issue)] -= 1
        else:
            fresh.append(issue)
    return fresh


def _nature(issue: Issue) -> tuple[IssueKind, str, str]:
    """What is wrong, wherever in a list: positions change with every change."""
    steps = [int(step) if step.isdigit() else step for step in issue.field.split(".")]
    return issue.kind, general(steps), issue.problem


def _items(draft: Draft) -> int:
    """How much stands in it: whoever adds something may have more to add, whoever takes something away has not."""
    return sum(len(listed) for _, listed in lists(draft))
