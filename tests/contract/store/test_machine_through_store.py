"""Whatever happens to a thread, whoever dies over it: no wish is lost, no state is wrong, the trail tells all once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import MessageStatus
from app.core.errors import StoreUnavailable
from app.core.events.internal import TurnEnded
from app.core.machine import apply
from app.core.state.status import Status
from app.core.turns import takeover
from app.ports.store import Store
from store.database.schema import SHAPES
from store.open import open_store
from tests.contract.store.audit import audit_trail
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claim
from tests.contract.store.through_store import ThroughStore
from tests.contract.store.watched import Watching, dying_after
from tests.memory_store import MemoryStore, memory_store
from tests.mongo import Documents
from tests.properties import limit_examples
from tests.unit.core.live import CHOICE, Live
from tests.wrapped import wrapping


def live(
    opened: Callable[[], Awaitable[Store]], trail: Callable[[Store], Mapping[str, AuditEvent]], often: int
) -> None:
    """Let threads live in stores that are opened so."""

    class Here(ThroughStore):
        def __init__(self) -> None:
            super().__init__(opened, trail)

    run_state_machine_as_test(Here, settings=settings(limit_examples(often), stateful_step_count=30))


def test_a_thread_that_lives_in_the_twin_loses_nothing() -> None:
    async def opened() -> Store:
        return memory_store(ManualClock())

    def trail(store: Store) -> Mapping[str, AuditEvent]:
        assert isinstance(store, MemoryStore)
        return store.audit

    live(opened, trail, often=40)


@pytest.mark.req("M-007")
def test_a_thread_that_lives_in_mongodb_loses_nothing(mongo_uri: str, database: Documents, master_key: str) -> None:
    async def opened() -> Store:
        for name in SHAPES:
            database[name].delete_many({})
        return await open_store(mongo_uri, database.name, wrapping(master_key), ManualClock())

    live(opened, lambda store: audit_trail(store, database), often=8)


@pytest.mark.req("M-007")
async def test_what_a_turn_called_for_survives_a_save_that_came_only_to_its_rows(
    mongo_store: Store, watching: Watching
) -> None:
    live = Live()
    opener = live.message("Hi", opens=True)
    await mongo_store.inbox.take_in(opener)
    begun = await claim(mongo_store, 0.0)
    begun = await mongo_store.conversations.save(apply.apply(begun, opener, opener.receipt))
    turn = begun.turn
    assert turn
    reply = await mongo_store.conversations.row(begun, turn.reply)
    assert reply
    closed = replace(reply, text="", status=MessageStatus.COMPLETE, acted=True, calls=(CHOICE,))
    torn = apply.apply(begun, TurnEnded(turn=turn.id, reply=closed, at=live.ts), turn.id)
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(1)).conversations.save(torn)

    again = await claim(mongo_store, 0.0)
    assert again.turn == turn
    left = await mongo_store.conversations.row(again, turn.reply)
    assert left
    ended = takeover.close_after_crash(again, left)
    assert ended
    made = apply.apply(again, TurnEnded(turn=turn.id, reply=ended, at=live.ts), turn.id)
    saved = await mongo_store.conversations.save(made)
    assert saved.question
    assert (saved.question.prompt, saved.status) == (CHOICE.prompt, Status.WAITING_INPUT)
