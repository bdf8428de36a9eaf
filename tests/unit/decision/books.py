"""A notebook of a step, and what became of a change."""

from __future__ import annotations

from app.decision.draft import Rejected
from app.decision.notebook import Notebook, Noted
from app.decision.paths import Draft
from app.decision.so_far import SoFar
from app.decision.telling import in_words
from tests.unit.decision.components.worked import PLAYBOOK, before


def book(key: str, so_far: SoFar | None = None, *spent: str) -> Notebook:
    return Notebook(PLAYBOOK[key], so_far or before(key), frozenset(spent))


def done(change: Noted | Rejected) -> Draft:
    assert isinstance(change, Noted), change
    return change.draft


def refused(change: Noted | Rejected) -> str:
    assert isinstance(change, Rejected), change
    return "; ".join(map(in_words, change.issues))
