"""A table that people rated by hand, as wide as one may be: it comes to a draft, whatever the model can write down."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.agent.extraction.extraction import ATTEMPTS
from app.agent.extraction.material import build_material
from app.agent.extraction.submission import TOKENS_PER_CELL, compute_token_limit, judge
from app.core.conversation.call import DraftExtracted
from app.core.state.interview import Interview, Phase
from app.core.text.sanitize import MAX_BYTES
from app.core.turns.history import CHARS_PER_TOKEN
from app.decision.analysis.ratings import MOST
from app.decision.drafts.draft import Accepted
from app.decision.playbook import step_prompt
from app.decision.record import DecisionRecord
from app.decision.tracing.said import SaidFigures
from tests.unit.agent.extracted import SETTINGS, Extracted, leading, submits, summary
from tests.unit.decision.components.worked import PLAYBOOK, before
from tests.unit.decision.components.worked import rated as ratings

STEP = PLAYBOOK["consequences"]
WIDE: DecisionRecord = ratings({f"A{option}": [0] * MOST for option in range(1, MOST + 1)}, key="consequences")


def by_hand(so_far: DecisionRecord, **more: Any) -> dict[str, Any]:
    """All cells, as people chose them in windows."""
    cells = [
        {"alternative_id": option, "objective_id": objective, "rating": 1, "origin": "user", **more}
        for option in so_far.alternatives
        for objective in so_far.objectives
        if option != so_far.baseline
    ]
    return {"table": {"cells": cells}, "uncertainties": []}


@pytest.mark.req("S0-157")
def test_2450_ratings_chosen_by_hand_are_approved_without_the_model_writing_down_one() -> None:
    draft = by_hand(WIDE, rationale="It is what we have seen in the last three winters.")
    assert len(json.dumps(draft)) > 2 * MAX_BYTES
    verdict = judge(STEP, {"table": {"cells": []}}, WIDE, SaidFigures(), draft)
    assert isinstance(verdict, Accepted)
    assert verdict.missing == ()
    assert len(verdict.draft["table"]["cells"]) == MOST * MOST
    assert {each["rating"] for each in verdict.draft["table"]["cells"]} == {0, 1}


def test_a_model_is_asked_for_no_more_than_it_has_to_write() -> None:
    draft = by_hand(WIDE)
    assert compute_token_limit(STEP, WIDE, draft, SETTINGS.extraction_tokens) == MOST * TOKENS_PER_CELL, (
        "the row of the status quo"
    )
    asked = "".join(
        build_material(leading(STEP.key, draft=draft), (), STEP, DecisionRecord({**WIDE.results}, WIDE.today))
    )
    assert asked.count('"rating"') == 0
    assert "O50: A2 +1, A3 +1" in asked


def test_a_turn_of_the_interview_has_room_for_all_ratings_and_for_all_that_are_missing() -> None:
    empty: dict[str, Any] = {"table": {"cells": []}}
    for draft in (by_hand(WIDE, rationale="x" * 100), empty):
        lead = leading(STEP.key, draft=draft).interview
        assert isinstance(lead, Interview)
        told = step_prompt.build_block(STEP, Phase.GATHER, lead, WIDE)
        assert len(told) // CHARS_PER_TOKEN < STEP.context_tokens // 2


@pytest.mark.req("FA-03")
async def test_what_a_person_chose_stands_against_what_the_model_submits() -> None:
    so_far = before(STEP.key)
    draft = by_hand(so_far)
    other: dict[str, Any] = {
        "table": {"cells": [{**each, "rating": -1} for each in draft["table"]["cells"][:3]]},
        "uncertainties": [],
    }
    closed = await Extracted(
        summary(), submits(other, STEP.tool), step=STEP.key, of=leading(STEP.key, draft=draft)
    ).closed()
    (call,) = closed.calls
    assert isinstance(call, DraftExtracted)
    assert call.attempts < ATTEMPTS
    assert {each["rating"] for each in call.drafted.draft["table"]["cells"]} == {0, 1}
