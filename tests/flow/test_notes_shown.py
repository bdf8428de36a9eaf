"""What is noted so far is shown while the talk goes on."""

from __future__ import annotations

import asyncio

import pytest

from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.playground.claude import Gate, Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.called import labels
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import begins, card, conversation, details, interview, presses, submits
from tests.unit.decision.components.worked import example


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


@pytest.mark.req("FA-18")
async def test_what_an_answer_has_noted_is_shown_while_that_answer_goes_on(room: Chat) -> None:
    _, thread = await begins(room)
    noted = {"list": "potential_decisions", "fields": {"description": "Where to meet"}, "quote": "where to meet"}
    when = {"list": "potential_decisions", "fields": {"description": "When to meet"}, "quote": "when to meet"}
    waits = asyncio.Event()
    room.will_answer(
        Turn(parts=[ToolCall("note_item", noted), ToolCall("note_item", when)]),
        Turn(text="Anything more, please?", gates=[Gate(14, waits)]),
    )
    await room.says("We do not know where to meet, or when to meet", thread=thread)
    await room.sees("Anything more", thread=thread)

    await presses(room, thread, action_ids.SHOW)
    await card(room, thread, "noted so far")
    read = await details(room, thread)
    assert "Where to meet" in read
    assert "When to meet" in read
    waits.set()
    await room.sees("Anything more, please?", thread=thread)
    await room.rests()
    assert len((await interview(room, thread)).draft["potential_decisions"]) == 2


@pytest.mark.req("FA-11", "FA-24")
async def test_an_answer_that_asks_and_notes_is_over_at_once_and_the_step_can_be_ended(room: Chat) -> None:
    _, thread = await begins(room)
    noted = {"list": "potential_decisions", "fields": {"description": "Where to meet"}, "quote": "where to meet"}
    asked = len(room.claude.requests)
    room.will_answer(Turn(parts=[Text("Where, then. By when do you have to know?"), ToolCall("note_item", noted)]))
    await room.says("We do not know where to meet", thread=thread)
    await room.sees("By when do you have to know?", thread=thread)
    await room.rests()
    assert len(room.claude.requests) == asked + 1, "nothing was left to say"
    assert len((await interview(room, thread)).draft["potential_decisions"]) == 1

    await room.exchanges("By May", "And who pays for it?", thread=thread)
    await room.rests()
    room.will_answer(*submits("issue_raising", example("issue_raising")))
    await presses(room, thread, action_ids.SUMMARIZE)
    await card(room, thread)
    assert not any(decision_steps.AFTER_THIS_ANSWER in text_of(each) for each in room.thread(thread))
