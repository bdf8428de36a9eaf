"""Whoever counts hears of each conversation that is held: taken, saved, lost, let go."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.conversation import Conversation, Transition
from app.core.errors import LostConversation
from app.ports.store import Store
from app.runtime.lease import hold_conversation
from tests.contract.store.events import claim, claimed, happened
from tests.fakes import virtual
from tests.memory_store import memory_store
from tests.unit.runtime.test_lease import TIMES
from tests.virtual import VirtualClock


class Heard:
    """Implements `app.ports.Watch` and keeps what it hears."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def note_taken(self, conversation: Conversation) -> None:
        """See `Watch.taken`."""
        self.words.append("taken")

    def note_saved(self, made: Transition) -> None:
        """See `Watch.saved`."""
        self.words.append(f"saved {len(made.audit)}")

    def note_denied(self, tool: str) -> None:
        """See `Watch.note_denied`."""
        self.words.append(f"denied {tool}")

    def lost(self) -> None:
        """See `Watch.lost`."""
        self.words.append("lost")

    def let_go(self, conversation: Conversation) -> None:
        """See `Watch.let_go`."""
        self.words.append("let go")


@virtual
async def test_a_step_is_heard_of_once_it_is_saved_with_its_audit() -> None:
    clock, heard = VirtualClock(), Heard()
    store = memory_store(clock)
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, store.conversations, clock, TIMES, heard) as hold:
        await hold.change(lambda now: Transition(conversation=now, audit=(happened("a"), happened("b"))))
    assert heard.words == ["taken", "saved 2", "let go"]


@virtual
async def test_a_step_that_could_not_be_saved_is_not_heard_of() -> None:
    clock, heard = VirtualClock(), Heard()
    store = memory_store(clock)
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, store.conversations, clock, TIMES, heard) as hold:
        with pytest.raises(LostConversation):
            await hold.change(lambda now: Transition(conversation=replace(now, version=7), audit=(happened("a"),)))
    assert heard.words == ["taken", "let go"]


@virtual
async def test_a_lease_that_is_lost_is_heard_of_once_whoever_finds_out_how_often() -> None:
    clock, heard = VirtualClock(), Heard()
    store: Store = memory_store(clock)
    conversation = await claimed(store, seconds=1.0)
    async with hold_conversation(conversation, store.conversations, clock, TIMES, heard) as hold:
        await clock.sleep(1.2)
        await claim(store)
        await hold.lost.wait()
        hold.lose()
    assert heard.words == ["taken", "lost", "let go"]


@virtual
async def test_a_conversation_that_was_erased_by_its_holder_was_not_lost() -> None:
    clock, heard = VirtualClock(), Heard()
    store: Store = memory_store(clock)
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, store.conversations, clock, TIMES, heard) as hold:
        hold.lost.set()  # as the performer does
        hold.lose()
    assert heard.words == ["taken", "let go"]
