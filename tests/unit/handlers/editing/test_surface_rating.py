"""The window in which a column is rated: opened from the thread, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

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
from tests.unit.decision.components.worked import before
from tests.unit.handlers.editing.fronts import (
    FixedSteps,
    filled,
    form,
    front_of,
    front_with,
    opened,
    pressed,
    shown,
    step,
)
from tests.unit.handlers.editing.windows import chosen, said
from tests.unit.handlers.payloads import MAYA


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


@virtual
async def test_there_is_nothing_to_rate_before_there_are_options() -> None:
    class Nothing(FixedSteps):
        async def so_far(self, now: Conversation) -> DecisionRecord:
            return before("issue_raising")

    now = step("consequences", {})
    front = await front_with(Nothing(), now)
    await front.sends(pressed(now, action_ids.RATE))
    assert front.made("chat.postEphemeral")[-1]["text"] == draft_editing.NOTHING_TO_RATE
