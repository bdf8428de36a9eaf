"""The window in which a column is rated: opened from the thread, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation
from app.core.copy import draft_editing
from app.core.events.acts import DraftEdited
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.decision.record import DecisionRecord
from handlers.slack import action_ids
from handlers.views.editing.window_state import WindowCommand
from tests.fakes import virtual
from tests.unit.core.interviews import THREAD
from tests.unit.decision.components.worked import before
from tests.unit.handlers.editing.fronts import (
    FixedSteps,
    filled,
    form,
    front_of,
    front_with,
    opened,
    pressed,
    saved,
    shown,
    step,
)
from tests.unit.handlers.editing.windows import chosen, said
from tests.unit.handlers.front import Front
from tests.unit.handlers.payloads import MAYA

NOTHING = DraftEdited(receipt="x", thread=THREAD, ts="", at="1770000400.000100", user=MAYA, draft={}, edition=0)
"""Something to claim the conversation for."""


@virtual
async def test_a_column_is_rated_before_anything_was_noted_and_told_to_the_interview() -> None:
    now = step("consequences", {})
    front = await front_of(now)
    view = await opened(front, now, action_ids.RATE)
    sent = await form(front, view, WindowCommand.RATE, "O1:0")
    assert await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("1")})) == ""
    (event,) = front.taken
    assert isinstance(event, DraftEdited)
    label = before("consequences").label
    assert event.said == f"{label('O1')}: {label('A2')} +1"
    assert "1 of" in said(shown(front))


@virtual
@pytest.mark.req("NC-09")
async def test_the_first_thing_in_a_step_may_be_a_rating_and_in_no_finished_one() -> None:
    fresh = step("consequences", {}, lifecycle=Lifecycle.READY, phase=Phase.INTRO)
    assert await opened(await front_of(fresh), fresh, action_ids.RATE)
    for state in (Lifecycle.INITIALIZING, Lifecycle.COMPLETE):
        front = await front_of(replace(fresh, lifecycle=state))
        await front.sends(pressed(fresh, action_ids.RATE))
        assert front.made("views.open") == []


def rated(objective: str, rating: int, **more: str) -> dict[str, Any]:
    """A draft in which somebody has rated the second option."""
    return {"table": {"cells": [{"alternative_id": "A2", "objective_id": objective, "rating": rating, **more}]}}


async def change(front: Front, now: Conversation, draft: dict[str, Any], edition: int) -> None:
    """Let the draft be changed by something else."""
    await front.store.inbox.take_in(replace(NOTHING, thread=now.thread))
    await saved(front, now, draft, edition)


@virtual
@pytest.mark.req("NC-09")
async def test_a_column_is_taken_in_although_notes_on_another_one_came_while_it_was_open() -> None:
    now = step("consequences", {})
    front = await front_of(now)
    sent = await form(front, await opened(front, now, action_ids.RATE), WindowCommand.RATE, "O2:0")
    noted = rated("O1", 1, rationale="nearer")
    await change(front, now, noted, 6)
    assert await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("-1")})) == ""
    (event,) = front.taken
    assert isinstance(event, DraftEdited)
    assert event.edition == 6
    cells = event.draft["table"]["cells"]
    given = {each["objective_id"]: each["rating"] for each in cells if each["alternative_id"] == "A2"}
    assert given == {"O1": 1, "O2": -1}


@virtual
@pytest.mark.parametrize("cell", [rated("O2", 1), rated("O2", 0, rationale="as it was")])
async def test_a_column_that_was_rated_otherwise_meanwhile_keeps_what_was_typed_and_is_not_taken_in(
    cell: dict[str, Any],
) -> None:
    now = step("consequences", rated("O2", 0))
    front = await front_of(now)
    sent = await form(front, await opened(front, now, action_ids.RATE), WindowCommand.RATE, "O2:0")
    await change(front, now, cell, 6)
    answered = await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("-1")}))
    assert answered == {"response_action": "errors", "errors": {"A2.rating": draft_editing.CHANGED_BELOW}}
    assert front.taken == []


@virtual
async def test_the_next_column_opens_as_it_stands_now_whatever_was_noted_meanwhile() -> None:
    now = step("consequences", {})
    front = await front_of(now)
    view = await opened(front, now, action_ids.RATE)
    await change(front, now, rated("O2", 1), 6)
    sent = await form(front, view, WindowCommand.RATE, "O2:0")
    (asked,) = (each for each in sent["blocks"] if each["block_id"] == "A2.rating")
    assert asked["element"]["initial_option"]["value"] == "1"
    assert await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("-1")})) == ""


@virtual
async def test_there_is_nothing_to_rate_before_there_are_options() -> None:
    class Nothing(FixedSteps):
        async def so_far(self, now: Conversation) -> DecisionRecord:
            return before("issue_raising")

    now = step("consequences", {})
    front = await front_with(Nothing(), now)
    await front.sends(pressed(now, action_ids.RATE))
    assert front.made("chat.postEphemeral")[-1]["text"] == draft_editing.NOTHING_TO_RATE
