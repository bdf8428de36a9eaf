"""What is noted so far is shown while the talk goes on."""

from __future__ import annotations

from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.playground.claude import ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.called import labels
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import begins, card, conversation, details, interview, presses


async def test_whoever_wants_to_see_the_notes_sees_them_and_the_talk_goes_on(room: Chat) -> None:
    _, thread = await begins(room)
    await presses(room, thread, action_ids.SHOW)
    await room.sees(decision_steps.NOTHING_NOTED[:30], thread=thread)
    noted = {"list": "potential_decisions", "fields": {"description": "Where to meet"}, "quote": "where to meet"}
    room.will_answer(Turn(parts=[ToolCall("note_item", noted)]), "What else?")
    await room.says("We do not know where to meet", thread=thread)
    await room.sees("What else?", thread=thread)
    await room.rests()

    await presses(room, thread, action_ids.SHOW)
    shown = await card(room, thread, "noted so far")
    assert labels(shown) == [decision_steps.SHOW_DETAILS]
    assert decision_steps.NOTHING_HAS_ENDED in text_of(shown)
    assert "Where to meet" in await details(room, thread)
    asked = len(room.claude.requests)
    await room.says("Show me what you've captured", thread=thread)
    await room.until(lambda: sum("noted so far" in text_of(m) for m in room.thread(thread)) == 2)
    await room.rests()
    assert (await conversation(room, thread)).phase is Phase.GATHER
    assert len(room.claude.requests) == asked, "the model was not asked"
    assert (await interview(room, thread)).drafts == 0

    await room.exchanges("Also when to meet", "And who is coming?", thread=thread)
