"""A notebook of a step, and what became of a change."""

from __future__ import annotations

from app.decision.drafts.draft import Rejected
from app.decision.drafts.notebook import DraftChange, DraftEditor
from app.decision.record import DecisionRecord
from app.decision.schema.feedback import describe_issue
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, before


def book(key: str, so_far: DecisionRecord | None = None, *spent: str) -> DraftEditor:
    return DraftEditor(PLAYBOOK[key], so_far or before(key), frozenset(spent))


def done(change: DraftChange | Rejected) -> Draft:
    assert isinstance(change, DraftChange), change
    return change.draft


def refused(change: DraftChange | Rejected) -> str:
    assert isinstance(change, Rejected), change
    return "; ".join(map(describe_issue, change.issues))
