"""The window in which a column is rated: opened from the thread, and what comes of it."""

from __future__ import annotations

from app.core.conversation.conversation import Conversation
from app.core.copy import draft_editing
from app.core.events.acts import DraftEdited
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
async def test_there_is_nothing_to_rate_before_there_are_options() -> None:
    class Nothing(FixedSteps):
        async def so_far(self, now: Conversation) -> DecisionRecord:
            return before("issue_raising")

    now = step("consequences", {})
    front = await front_with(Nothing(), now)
    await front.sends(pressed(now, action_ids.RATE))
    assert front.made("chat.postEphemeral")[-1]["text"] == draft_editing.NOTHING_TO_RATE
