"""Whatever is done to the stores in whatever order: the twin answers as MongoDB does, and who dies loses no wish."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import Conversation, MessageStatus, Turn
from app.core.conversation.transition import parse_ts
from app.core.errors import StoreUnavailable, ThreadwiseError
from app.core.events.internal import TurnEnded
from app.core.machine import apply
from app.core.state.goal import GoalPhase, GoalState
from app.core.state.status import Status
from app.core.turns import takeover
from app.ports.store import Store
from store.crypto.cipher import MasterKeys
from store.database.schema import SHAPES
from store.open import open_store
from tests.contract.store.audit import audit_trail
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, NEVER, claim, decided, happened, posted, said, saved, thread, ts
from tests.contract.store.rules import rule
from tests.contract.store.through_store import ThroughStore
from tests.contract.store.versions import DECISION, version
from tests.contract.store.watched import Watching, dying_after
from tests.memory_store import MemoryStore, memory_store
from tests.mongo import Documents
from tests.properties import limit_examples
from tests.unit.core.live import CHOICE, Live
from tests.wrapped import wrapping

LISTED: Mapping[int, Mapping[str, Any]] = {
    1: {"status": Status.ACTIVE, "newest": ts(3000), "goals": GoalState(phase=GoalPhase.PLANNING)},
    2: {"status": Status.ACTIVE, "newest": ts(6999), "goals": GoalState(phase=GoalPhase.EXECUTING)},
    3: {"status": Status.BACKGROUND, "newest": ts(5000), "next_run": parse_ts(ts(5000)).isoformat()},
}
"""What a save makes of a conversation, by its number: one can be left, one later, one is due."""


class Caller:
    """Does the same to any store, and remembers every conversation that it was given."""

    def __init__(self, store: Store, trail: Callable[[], dict[str, AuditEvent]]) -> None:
        self._store, self._trail = store, trail
        self._seen: list[Conversation] = []

    async def __call__(self, name: str, number: int, often: int, seconds: float) -> Any:
        """Return a comparable answer. `number` picks the thread and `often` the event or the conversation."""
        try:
            if name in ("renew", "release", "save", "draft", "keep", "amend", "read", "erase"):
                conversation = self._seen[often % len(self._seen)] if self._seen else None
                return conversation and self._comparable(await getattr(self, name)(conversation, number, seconds))
            return self._comparable(await getattr(self, name)(number, often, seconds))
        except ThreadwiseError as error:
            return type(error)

    def _comparable(self, answer: Any) -> Any:
        if isinstance(answer, Conversation):
            self._seen.append(answer)
            return replace(answer, id="")
        return answer

    async def take_in(self, number: int, often: int, _: float) -> Any:
        if often == 9:
            return await self._store.inbox.take_in(decided(10 * number + often, thread(number)))
        return await self._store.inbox.take_in(posted(10 * number + often, thread(number), opens=often % 3 == 0))

    async def claim(self, number: int, _: int, seconds: float) -> Any:
        held = await self._store.conversations.claim_some("T1", "worker", seconds, (thread(number),), 1)
        return held[0].conversation if held else None

    async def find(self, number: int, _: int, __: float) -> Any:
        return await self._store.conversations.find(thread(number))

    async def open_rows(self, number: int, _: int, __: float) -> Any:
        return await self._store.inbox.open_rows(thread(number))

    async def count_failure(self, number: int, _: int, seconds: float) -> Any:
        return dict(await self._store.inbox.count_failure(thread(number), seconds))

    async def done(self, number: int, often: int, _: float) -> Any:
        await self._store.inbox.close_rows([posted(10 * number + often, thread(number)).receipt])

    async def park(self, number: int, often: int, _: float) -> Any:
        await self._store.inbox.park([posted(10 * number + often, thread(number)).receipt])

    async def renew(self, conversation: Conversation, _: int, seconds: float) -> Any:
        return await self._store.conversations.renew(conversation, seconds)

    async def release(self, conversation: Conversation, _: int, __: float) -> Any:
        await self._store.conversations.release(conversation)

    async def save(self, conversation: Conversation, number: int, seconds: float) -> Any:
        status = MessageStatus.STREAMING if seconds else MessageStatus.COMPLETE
        text = f"by {conversation.fence}.{conversation.version}"
        under_way = replace(conversation, turn=Turn(id="t", reply=number) if seconds else None, **LISTED[number])
        row = replace(said(number, text), status=status)
        return await saved(self._store, under_way, row, audit=(happened(text.replace(" ", "_")),))

    async def draft(self, conversation: Conversation, number: int, seconds: float) -> Any:
        status = MessageStatus.STREAMING if seconds else MessageStatus.COMPLETE
        await self._store.conversations.record_draft(conversation, replace(said(number, "draft"), status=status))

    async def erase(self, conversation: Conversation, _: int, __: float) -> Any:
        await self._store.conversations.erase(conversation, ERASED)

    async def keep(self, conversation: Conversation, number: int, seconds: float) -> Any:
        made = version(f"step_{conversation.thread.root}", number, data={"by": conversation.version})
        await self._store.versions.keep(conversation, made)

    async def amend(self, conversation: Conversation, number: int, seconds: float) -> Any:
        made = version(f"step_{conversation.thread.root}", number, data={"amended": conversation.version})
        await self._store.versions.amend(conversation, made)

    async def versions(self, _: int, __: int, ___: float) -> Any:
        return await self._store.versions.list(DECISION)

    async def of_owner(self, number: int, _: int, __: float) -> Any:
        return _unnamed(await self._store.conversations.of_owner("T1", "U1", number))

    async def quiet_since(self, _: int, often: int, __: float) -> Any:
        return _unnamed(await self._store.conversations.quiet_since("T1", parse_ts(ts(1000 * often))))

    async def due(self, _: int, often: int, __: float) -> Any:
        return _unnamed(await self._store.conversations.due("T1", parse_ts(ts(1000 * often))))

    async def first(self, number: int, _: int, __: float) -> Any:
        return await self._store.places.note_once("T1", f"channel:C{number}")

    async def known(self, number: int, _: int, __: float) -> Any:
        return await self._store.places.is_noted("T1", f"channel:C{number}")

    async def allow(self, number: int, often: int, seconds: float) -> Any:
        made = rule(user=f"U{number}", scope=f"C{often // 2}", allows=not seconds, label=f"by {often}")
        await self._store.permissions.keep(made)

    async def rules(self, number: int, _: int, __: float) -> Any:
        return await self._store.permissions.list("T1", f"U{number}")

    async def revoke(self, number: int, often: int, _: float) -> Any:
        return await self._store.permissions.revoke("T1", f"U{number}", rule().tool, f"C{often // 2}")

    async def audit(self, _: int, __: int, ___: float) -> Any:
        return sorted(f"{id_.partition(':')[2]} {event}" for id_, event in self._trail().items())

    async def read(self, conversation: Conversation, number: int, _: float) -> Any:
        port = self._store.conversations
        reads: list[Callable[[], Awaitable[Any]]] = [
            lambda: port.transcript(conversation, 0),
            lambda: port.row(conversation, number),
            lambda: port.rows_of(conversation, said(number).ts),
            lambda: port.threads_of("T1", said(number).ts),
        ]
        return [await read() for read in reads]


def _unnamed(conversations: tuple[Conversation, ...]) -> list[Conversation]:
    return [replace(each, id="") for each in conversations]


CALLS = st.tuples(
    st.sampled_from(
        [
            *("take_in", "take_in", "take_in", "open_rows", "count_failure", "done", "park"),
            *("claim", "claim", "find", "renew", "release", "save", "save", "draft", "draft", "read", "erase", "audit"),
            *("of_owner", "quiet_since", "due", "first", "known", "keep", "keep", "amend", "versions"),
            *("allow", "allow", "rules", "revoke"),
        ]
    ),
    st.integers(1, 3),
    st.integers(0, 9),
    st.sampled_from([0.0, NEVER]),
)


@settings(limit_examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(calls=st.lists(CALLS, min_size=10, max_size=60))
async def test_the_twin_answers_as_mongodb_does(
    mongo_uri: str, database: Documents, calls: list[tuple[str, int, int, float]]
) -> None:
    clock = ManualClock()
    for name in SHAPES:
        database[name].delete_many({})
    mongo = await open_store(mongo_uri, database.name, wrapping(MasterKeys.generate()), clock)
    try:
        twin = memory_store(clock)
        ask_mongo = Caller(mongo, lambda: audit_trail(mongo, database))
        ask_twin = Caller(twin, lambda: audit_trail(twin, database))
        for call in calls:
            assert await ask_twin(*call) == await ask_mongo(*call), call
    finally:
        mongo.close()


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
