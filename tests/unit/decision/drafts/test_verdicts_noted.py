"""A verdict is noted beside the finding it is about, or refused with where it belongs: it is never lost unsaid."""

from __future__ import annotations

import pytest

from app.decision.drafts.draft import Rejected
from app.decision.drafts.notebook import DraftChange, DraftEditor
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, before, rated

ROWS = {"A1": [0, 0, 0], "A2": [2, 1, 1], "A3": [1, 1, 0], "A4": [2, -2, 2], "A5": [2, 2, 0]}
"""A2 dominates A3; A5 gives up a step against A2 or the other way round."""


def note(path: str, given: Draft, so_far: DecisionRecord) -> DraftChange | Rejected:
    return DraftEditor(PLAYBOOK["tradeoffs"], so_far).note({}, path, given)


def problem(path: str, given: Draft, so_far: DecisionRecord) -> str:
    made = note(path, given, so_far)
    assert isinstance(made, Rejected)
    return " ".join(f"{each.field}: {each.requirement}; {each.problem}" for each in made.issues)


@pytest.mark.req("FA-04")
def test_a_verdict_on_a_finding_of_the_list_is_noted_and_another_one_is_sent_there() -> None:
    so_far = rated(ROWS, "tradeoffs")
    kept = {"alternative_id": "A3", "user_verdict": "keep", "reason": "It is near"}
    assert isinstance(note("dominated_alternatives", kept, so_far), DraftChange)
    in_practice = {"alternative_id": "A3", "by": "A2", "user_verdict": "rejected", "reason": "It is near"}
    assert "a verdict in dominated_alternatives" in problem("practical_dominance", in_practice, so_far)
    nowhere = {"alternative_id": "A4", "user_verdict": "keep", "reason": "It is near"}
    assert "the ratings do not set it aside" in problem("dominated_alternatives", nowhere, so_far)
    unfound = {**in_practice, "alternative_id": "A4"}
    assert "the ratings do not set it aside" in problem("practical_dominance", unfound, so_far)


@pytest.mark.req("FA-04")
def test_a_verdict_on_what_holds_in_practice_is_noted_there_alone() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 2, 0], "A3": [-2, -2, 1], "A4": [0, 1, 1]}, "tradeoffs")
    assert so_far.analysis is not None
    (found, *_) = so_far.analysis.practical_dominance
    about = {"alternative_id": found.alternative, "by": found.by}
    accepted = {**about, "user_verdict": "accepted"}
    assert isinstance(note("practical_dominance", accepted, so_far), DraftChange)
    misplaced = {"alternative_id": found.alternative, "user_verdict": "set_aside"}
    assert "a verdict in practical_dominance" in problem("dominated_alternatives", misplaced, so_far)


def test_without_ratings_nothing_is_refused_for_it() -> None:
    so_far = before("tradeoffs")
    del so_far.results["consequences"]  # pyright: ignore[reportIndexIssue]
    given = {"alternative_id": "A4", "user_verdict": "set_aside"}
    assert isinstance(note("dominated_alternatives", given, so_far), DraftChange)
