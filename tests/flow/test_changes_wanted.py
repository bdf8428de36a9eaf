"""*Request changes* on the card of a draft: what it asks, and how soon the changed draft is there."""

from __future__ import annotations

import pytest

from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.playground.claude import Text, ToolCall, Turn
from tests.flow.called import labels
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import CHANGE, approves, card, conversation, presses
from tests.flow.test_decision_endings import CHANGE as TO_THURSDAY
from tests.flow.test_decision_endings import READY, THURSDAY, room, shown

__all__ = ["room"]

WRONG = ToolCall("change_item", {"item": "D7", "fields": {"description": THURSDAY}})


@pytest.mark.req("FA-18", "FA-28")
async def test_who_wants_changes_is_asked_to_write_them_and_sees_the_changed_draft_after_one_answer(room: Chat) -> None:
    thread = await shown(room)
    asked = len(room.claude.requests)
    await presses(room, thread, CHANGE)
    await room.sees(decision_steps.WRITE_CHANGES_OR_APPROVE, thread=thread)
    await room.rests()
    assert len(room.claude.requests) == asked, "no model was asked"
    assert "Approve" in labels(await card(room, thread, "draft 1"))

    room.will_answer(Turn(parts=[Text("I have changed the day."), TO_THURSDAY]), "It says Thursday now.")
    await room.says("It has to be Thursday", thread=thread)
    assert THURSDAY in text_of(await card(room, thread, "draft 2"))
    await room.rests()
    told = room.claude.requests[-1].prompt.messages
    assert decision_steps.CHANGES_PRESSED_FOR_MODEL in "".join(each.text for each in told)
    assert "Approve" not in labels(await room.sees("draft 1", thread=thread))
    await approves(room, thread)


async def test_who_wanted_changes_may_approve_all_the_same_while_nothing_was_written(room: Chat) -> None:
    thread = await shown(room)
    await presses(room, thread, CHANGE)
    await room.sees(decision_steps.WRITE_CHANGES_OR_APPROVE, thread=thread)
    await approves(room, thread)


async def test_a_call_for_the_summary_beside_a_slip_does_not_keep_the_changed_draft_back(room: Chat) -> None:
    thread = await shown(room)
    await presses(room, thread, CHANGE)
    await room.sees(decision_steps.WRITE_CHANGES, thread=thread)
    room.will_answer(Turn(parts=[WRONG]), Turn(parts=[TO_THURSDAY, READY]), "It says Thursday now.")
    await room.says("It has to be Thursday", thread=thread)
    assert THURSDAY in text_of(await card(room, thread, "draft 2"))
    await room.rests()
    refused = room.claude.requests[-1].prompt.messages[-1].of("tool_result")[-1]["content"]
    assert "the changed draft is shown when your turn ends" in refused
    assert (await conversation(room, thread)).phase is Phase.CONFIRM
