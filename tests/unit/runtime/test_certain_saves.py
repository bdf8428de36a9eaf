"""What a session takes for granted of what it saved: only while its lease and its last save are certain."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition
from app.core.conversation.effect import PublishHome, React
from app.core.errors import LostConversation, StoreUnavailable
from app.ports import Conversations
from app.ports.store import Store
from app.runtime.lease import REMEMBERED, ROW_OVERHEAD, HeldConversation, LeaseTimes, RowMemory
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claim, claimed
from tests.memory_store import memory_store

TIMES = LeaseTimes()
ROW = Message(seq=1, role=Role.PERSON, text="Hi", ts="1.1")


class Heads:
    """Conversations that note which number of rows a save takes for granted, and how often a row is read."""

    def __init__(self, store: Store) -> None:
        self._conversations = store.conversations
        self.told: list[int | None] = []
        self.reads = 0
        self.is_away = self.is_torn = False
        self.after_read: Callable[[], Awaitable[None]] | None = None

    async def save(self, step: Transition, head: int | None = None) -> Conversation:
        self.told.append(head)
        if self.is_away:
            raise StoreUnavailable
        saved = await self._conversations.save(step, head)
        if self.is_torn:
            raise StoreUnavailable
        return saved

    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        self.reads += 1
        return await self._conversations.row(conversation, seq)

    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        self.reads += 1
        rows = await self._conversations.transcript(conversation, after)
        if act := self.after_read:
            self.after_read = None
            await act()
        return rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conversations, name)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(clock: ManualClock) -> Store:
    return memory_store(clock)


@pytest.fixture
def heads(store: Store) -> Heads:
    return Heads(store)


async def held(heads: Heads, store: Store, clock: ManualClock) -> HeldConversation:
    now = await claimed(store, seconds=TIMES.lease)
    return HeldConversation(now, cast("Conversations", heads), clock, TIMES)


def says(now: Conversation) -> Transition:
    return Transition(conversation=replace(now, head=1), messages=(ROW,))


async def test_a_save_says_how_many_rows_there_are_only_while_the_lease_is_certain(
    heads: Heads, store: Store, clock: ManualClock
) -> None:
    hold = await held(heads, store, clock)
    await hold.change(says)
    clock.advance(TIMES.lease - TIMES.margin + 0.01)
    await hold.change(says)
    assert heads.told == [0, None]


async def test_after_a_save_of_unknown_outcome_the_store_has_to_look_before_it_writes_a_row(
    heads: Heads, store: Store, clock: ManualClock
) -> None:
    hold = await held(heads, store, clock)
    heads.is_torn = True
    for lost in (StoreUnavailable, LostConversation):  # it was saved, so that the second has an old version
        with pytest.raises(lost):
            await hold.change(says)
    assert heads.told == [0, None]


async def test_what_was_performed_is_taken_out_by_the_next_save_that_succeeds(
    heads: Heads, store: Store, clock: ManualClock
) -> None:
    hold, effects = (
        await held(heads, store, clock),
        (PublishHome(id="r:0", user="U1"), React(id="r:1", ts="1", name="x")),
    )
    await hold.change(lambda now: Transition(conversation=replace(now, effects=effects)))
    hold.performed.add("r:0")
    heads.is_away = True
    with pytest.raises(StoreUnavailable):
        await hold.change(says)
    heads.is_away = False
    await hold.change(says)
    assert (hold.conversation.effects, hold.performed) == (effects[1:], set())
    saves = len(heads.told)
    await hold.save_performed()
    assert len(heads.told) == saves, "nothing is left to be saved"


async def test_a_row_that_was_saved_here_is_not_read_again_while_it_is_known(
    heads: Heads, store: Store, clock: ManualClock
) -> None:
    hold = await held(heads, store, clock)
    await hold.change(says)
    assert (await hold.row(1), heads.reads) == (ROW, 0)
    shown = replace(ROW, parts=("1.2",))
    await hold.record_draft(shown)
    assert (await hold.row(1), heads.reads) == (shown, 0)
    late = replace(ROW, text="Late", status=MessageStatus.STREAMING)
    await hold.record_draft(late)
    assert (await hold.row(1), heads.reads) == (shown, 1), "what grows changes no closed row"


@pytest.mark.req("MW-09")
async def test_a_transcript_is_read_only_where_a_row_of_it_is_unknown(
    heads: Heads, store: Store, clock: ManualClock
) -> None:
    hold, second = await held(heads, store, clock), replace(ROW, seq=2, text="And?")
    await hold.change(says)
    await hold.change(lambda now: Transition(conversation=replace(now, head=2), messages=(second,)))
    assert [await hold.transcript(after) for after in (0, 1, 2)] == [(ROW, second), (second,), ()]
    assert heads.reads == 0
    await hold.record_draft(replace(ROW, text="Late", status=MessageStatus.STREAMING))
    assert (await hold.transcript(0), heads.reads) == ((ROW, second), 1)
    assert (await hold.transcript(0), heads.reads) == ((ROW, second), 1)


async def test_a_row_is_unknown_after_a_write_of_unknown_outcome(
    heads: Heads, store: Store, clock: ManualClock
) -> None:
    hold, other = await held(heads, store, clock), replace(ROW, text="Other")
    await hold.change(says)
    heads.is_torn = True
    with pytest.raises(StoreUnavailable):
        await hold.change(lambda now: Transition(conversation=now, messages=(other,)))
    assert (await hold.row(1), heads.reads) == (other, 1)
    assert hold.known_rows == {}


async def test_nothing_is_known_once_the_lease_is_lost(heads: Heads, store: Store, clock: ManualClock) -> None:
    hold = await held(heads, store, clock)
    await hold.change(says)
    assert hold.known_rows == {1: ROW}
    hold.lose()
    assert hold.known_rows == {}


async def test_what_was_read_while_it_was_written_is_not_kept(heads: Heads, store: Store, clock: ManualClock) -> None:
    hold, other = await held(heads, store, clock), replace(ROW, text="Other")
    await hold.change(says)
    await hold.record_draft(replace(ROW, status=MessageStatus.STREAMING))  # the row is unknown from now on

    async def write() -> None:
        await hold.record_draft(other)

    heads.after_read = write
    assert await hold.transcript(0) == (ROW,)
    assert await hold.transcript(0) == (other,)


async def test_a_transcript_that_another_holder_has_begun_is_read(
    heads: Heads, store: Store, clock: ManualClock
) -> None:
    former = await store.conversations.save(says(await claimed(store, seconds=0)))
    hold = HeldConversation(await claim(store), cast("Conversations", heads), clock, TIMES)
    await hold.change(lambda now: Transition(conversation=replace(now, head=2), messages=(replace(ROW, seq=2),)))
    assert (former.head, await hold.transcript(0)) == (1, (ROW, replace(ROW, seq=2)))
    assert heads.reads == 1


KEPT = {1: ROW}


async def test_rows_are_remembered_for_the_next_lease(store: Store, clock: ManualClock) -> None:
    memory, now = RowMemory(clock), await store.conversations.save(says(await claimed(store)))
    memory.keep(now, KEPT)
    await store.conversations.release(now)
    assert memory.take(await claim(store)) == KEPT


async def test_rows_are_not_remembered_past_another_lease(store: Store, clock: ManualClock) -> None:
    memory, now = RowMemory(clock), await store.conversations.save(says(await claimed(store)))
    memory.keep(now, KEPT)
    for _ in range(2):
        await store.conversations.release(now)
        now = await claim(store)
    assert memory.take(now) == {}


async def test_rows_are_not_remembered_past_a_save_without_a_lease(store: Store, clock: ManualClock) -> None:
    memory, now = RowMemory(clock), await store.conversations.save(says(await claimed(store)))
    memory.keep(now, KEPT)
    await store.conversations.release(await store.conversations.save(Transition(conversation=now)))
    assert memory.take(await claim(store)) == {}


async def test_rows_are_remembered_for_a_minute_and_once(store: Store, clock: ManualClock) -> None:
    memory, now = RowMemory(clock), await claimed(store)
    after = replace(now, fence=now.fence + 1)
    memory.keep(now, KEPT)
    clock.advance(REMEMBERED - 0.01)
    assert (memory.take(after), memory.take(after)) == (KEPT, {})
    memory.keep(now, KEPT)
    clock.advance(REMEMBERED)
    assert memory.take(after) == {}


async def test_what_is_remembered_has_a_largest_size_and_the_newest_stay(store: Store, clock: ManualClock) -> None:
    memory = RowMemory(clock, largest=2 * ROW_OVERHEAD + 100)
    one, two, three = [await claimed(store, number) for number in (1, 2, 3)]
    for each in (one, two, three):
        memory.keep(each, KEPT)
    memory.keep(two, {})
    memory.keep(two, {1: replace(ROW, text="x" * 3 * ROW_OVERHEAD)})
    assert [bool(memory.take(replace(each, fence=each.fence + 1))) for each in (one, two, three)] == [
        False,
        False,
        True,
    ]
