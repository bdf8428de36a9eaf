"""A step whose component was taken out of the program: what is pressed there is kept for when it is back."""

from __future__ import annotations

from dataclasses import replace

from app.clock import SystemClock, format_ts
from app.core.conversation.conversation import Transition
from app.core.copy import decision_steps, texts
from app.core.errors import FailureKind
from app.core.events.acts import HelpRequested
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.wiring import connect_store
from handlers.slack import action_ids
from store.database.schema import IS_PARKED
from tests.flow.chat import Chat
from tests.flow.deciding import (
    APPROVE,
    CHANGE,
    begins,
    conversation,
    interview,
    leads_to_card,
    presses,
    versions,
)
from tests.unit.decision.components.worked import minimal


async def restarts_with(room: Chat, thread: str, component: str) -> None:
    """Restart the program, which then finds that the step is led by this component."""
    before = await conversation(room, thread)
    assert before.interview is not None
    await room.stops()
    clock = SystemClock()
    async with connect_store(room.settings, clock) as store:
        receipt, at = f"restart:{component}", format_ts(clock.now())
        word = HelpRequested(receipt=receipt, thread=before.thread, ts=at, at=at, user=before.owner, word="help")
        await store.inbox.take_in(word)
        [held] = await store.conversations.claim_some(before.thread.team, "installer", 60, (), 1)
        assert held.conversation.interview is not None
        led = replace(held.conversation, interview=replace(held.conversation.interview, component=component))
        saved = await store.conversations.save(Transition(conversation=led))
        await store.inbox.close_rows([receipt])
        await store.conversations.release(saved)
    await room.starts()


async def test_what_is_pressed_while_it_is_gone_is_told_alone_and_works_when_it_is_back(room: Chat) -> None:
    hub, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "Where do we meet?")
    await room.rests()
    draft, asked = (await interview(room, thread)).draft, len(room.claude.requests)
    await restarts_with(room, thread, "weather")
    for count, action in enumerate((APPROVE, CHANGE, action_ids.EDIT), 1):
        await presses(room, thread, action)
        await room.until(lambda count=count: told(room, thread) == count)
    await room.says("yes", thread=thread)
    await room.sees(texts.FAILURES[FailureKind.RETIRED], thread=thread)
    await room.rests()
    assert room.slack.people.modal("Maya") is None
    now = await conversation(room, thread)
    assert (now.lifecycle, now.phase, now.approved) == (Lifecycle.CONFIRMED, Phase.CONFIRM, 0)
    assert (await interview(room, thread)).draft == draft
    assert await versions(room, hub) == {}
    assert len(room.claude.requests) == asked, "no model was asked"
    assert await room.documents("inbox", IS_PARKED) == 0
    assert texts.FAILURES[FailureKind.INTERNAL] not in room.slack.people.transcript()
    await restarts_with(room, thread, "issue_raising")
    await presses(room, thread, APPROVE)
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    assert [*await versions(room, hub)] == [("issue_raising", 1)]


def told(room: Chat, thread: str) -> int:
    """How often Maya was told that the step is gone, and that nothing was changed."""
    return sum(decision_steps.RETIRED in message.text for message in room.thread(thread))
