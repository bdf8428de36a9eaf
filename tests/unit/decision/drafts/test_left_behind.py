"""What was noted in a talk and is not in the result that is submitted: people are told, so that nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.decision.drafts.draft import Accepted
from app.decision.schema.paths import Draft
from app.runtime.record.step_context import StepContext
from tests.unit.decision.components.worked import PLAYBOOK, before, minimal

FRAME = "problem_frame"
COUNCIL: dict[str, Any] = {"handle": "P3", "name": "Works council", "role": "stakeholder"}
BOARD: dict[str, Any] = {"handle": "P4", "name": "The board", "role": "stakeholder"}


def submitted(noted: Draft, draft: Draft, shown: Draft | None = None) -> tuple[str, ...]:
    """What the card notices of a submission after these notes."""
    context = StepContext(PLAYBOOK[FRAME], before(FRAME), {}, checked=(noted,), shown=shown or {})
    return context.judge_submitted(Accepted(draft)).remarks


def framed(*parties: dict[str, Any]) -> Draft:
    return {**minimal(FRAME), "parties": list(parties)}


@pytest.mark.req("FA-25")
def test_what_was_noted_and_is_not_submitted_is_named_on_the_card() -> None:
    told = "Noted before, but not in this draft: P3 Works council and P4 The board. Write if it belongs in."
    assert told in submitted(framed(COUNCIL, BOARD), framed())


def test_what_was_submitted_under_another_handle_or_is_an_idea_of_the_model_is_not_missed() -> None:
    assert not submitted(framed(COUNCIL), framed({**COUNCIL, "handle": "P7"}))
    assert not submitted(framed({**COUNCIL, "origin": "ai_suggested"}), framed())
    assert not submitted(framed(), framed())
    assert not submitted({}, framed())


def test_what_the_last_card_showed_is_told_as_taken_out_and_not_again() -> None:
    context = StepContext(PLAYBOOK[FRAME], before(FRAME), {}, checked=(framed(COUNCIL),), shown=framed(COUNCIL))
    judged = context.judge_submitted(Accepted(framed()))
    assert (judged.remarks, judged.changes) == ((), ("taken out: P3 Works council",))


def test_what_a_person_takes_out_by_hand_is_not_missed() -> None:
    context = StepContext(PLAYBOOK[FRAME], before(FRAME), {}, checked=(framed(COUNCIL),))
    assert not context.judge_entered(Accepted(framed()), framed(COUNCIL)).remarks


def test_it_is_asked_once() -> None:
    context = StepContext(PLAYBOOK[FRAME], before(FRAME), {}, checked=(framed(COUNCIL),))
    topics = context.judge_submitted(Accepted(framed())).topics
    assert not replace(context, topics=frozenset(topics)).judge_submitted(Accepted(framed())).remarks
