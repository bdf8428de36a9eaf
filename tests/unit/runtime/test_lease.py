"""Holding a conversation: heartbeats, the margin before the end of a lease, and losing it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import cast

import pytest

from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.conversation.effect import FinishReply, React
from app.core.errors import LostConversation, StoreUnavailable
from app.core.events.internal import EventParked
from app.ports import Conversations
from app.ports.store import Store
from app.runtime.lease import HeldConversation, LeaseTimes, hold_conversation
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claim, claimed, ts
from tests.memory_store import memory_store

TIMES = LeaseTimes(lease=6.0, heartbeat=1.5, margin=4.0)


class SteppedClock(ManualClock):
    """Whoever sleeps on it waits until the test says that the time has passed."""

    def __init__(self) -> None:
        super().__init__()
        self._sleeps = asyncio.Queue[tuple[float, asyncio.Event]]()

    async def sleep(self, seconds: float) -> None:
        over = asyncio.Event()
        self._sleeps.put_nowait((seconds, over))
        await over.wait()

    async def let_sleep(self) -> float:
        """Wait until somebody sleeps, let that time pass, and say how long it was."""
        seconds, over = await self._sleeps.get()
        self.advance(seconds)
        over.set()
        return seconds

    async def nobody_sleeps(self) -> None:
        """Let everything go on that can, and see that nobody has begun to sleep."""
        for _ in range(20):
            await asyncio.sleep(0)
        assert self._sleeps.empty()

    async def somebody_sleeps(self) -> None:
        """Wait until somebody sleeps; their time does not pass."""
        self._sleeps.put_nowait(await self._sleeps.get())


class Outage:
    """Leases that cannot be renewed while the store is away; counts how often one was let go."""

    def __init__(self, conversations: Conversations, clock: ManualClock | None = None) -> None:
        self._conversations, self._clock = conversations, clock
        self.away, self.slowness = False, 0.0
        self.released = self.renewed = 0
        self.ends = True

    async def save(self, step: Transition, head: int | None = None) -> Conversation:
        return await self._conversations.save(step, head)

    async def save_and_release(self, conversation: Conversation) -> Conversation:
        if not self.ends:
            raise StoreUnavailable
        return await self._conversations.save_and_release(conversation)

    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        if self.away:
            raise StoreUnavailable
        self.renewed += 1
        renewed = await self._conversations.renew(conversation, seconds)
        if self._clock:
            self._clock.advance(self.slowness)  # the store has renewed it, and its answer is on the way
        return renewed

    async def release(self, conversation: Conversation) -> None:
        self.released += 1
        await self._conversations.release(conversation)


@pytest.fixture
async def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
def store(clock: SteppedClock) -> Store:
    return memory_store(clock)


async def held(store: Store, clock: SteppedClock) -> HeldConversation:
    return HeldConversation(await claimed(store, seconds=TIMES.lease), store.conversations, clock, TIMES)


async def test_a_write_may_begin_only_while_it_will_end_within_the_lease(store: Store, clock: SteppedClock) -> None:
    hold = await held(store, clock)
    clock.advance(TIMES.lease - TIMES.margin)
    hold.check()
    clock.advance(0.01)
    with pytest.raises(StoreUnavailable, match=r"^the lease could not be renewed in time$"):
        hold.check()


async def test_a_lease_lasts_from_when_it_was_taken_however_long_the_machine_has_run(
    store: Store, clock: SteppedClock
) -> None:
    clock.advance(86_400)
    hold = await held(store, clock)
    hold.check()
    clock.advance(TIMES.lease - TIMES.margin + 0.01)
    with pytest.raises(StoreUnavailable):
        hold.check()


async def test_work_waits_while_the_database_is_away_as_long_as_it_is_told_and_leaves_no_timer_behind(
    store: Store, clock: SteppedClock
) -> None:
    hold, tries = await held(store, clock), list[int]()

    async def act() -> str:
        tries.append(1)
        if len(tries) < 3:
            raise StoreUnavailable
        return "done"

    work = asyncio.ensure_future(hold.outlast(act))
    for count in (1, 2):
        assert await clock.let_sleep() == StoreUnavailable().after
        assert len(tries) == count
    assert await work == "done"
    lost = asyncio.ensure_future(hold.pause(60))
    await clock.somebody_sleeps()
    before = asyncio.all_tasks()
    hold.lose()
    with pytest.raises(LostConversation):
        await lost
    await asyncio.sleep(0)
    assert asyncio.all_tasks() <= before - {lost}
    assert len(asyncio.all_tasks()) == 1


async def test_what_the_program_found_out_is_applied_and_saved_and_so_is_what_was_performed(
    store: Store, clock: SteppedClock
) -> None:
    hold = await held(store, clock)
    undone = (React(id="a:0", ts=ts(1), name="eyes"), React(id="a:1", ts=ts(1), name="wave"))
    await hold.change(lambda now: Transition(conversation=replace(now, effects=undone)))
    await hold.finish_effect(undone[0])
    assert hold.conversation.effects == undone[1:]
    await hold.apply(EventParked(reference="tw-1", at=ts(2), effect="a:1"), "found")
    (told,) = hold.conversation.effects
    assert (told.id, type(told)) == ("found:0", FinishReply)
    kept = hold.conversation
    assert await store.conversations.transcript(kept, 0)
    assert await store.conversations.renew(kept, TIMES.lease)


async def test_heartbeats_keep_a_lease_for_as_long_as_it_is_held(store: Store, clock: SteppedClock) -> None:
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, store.conversations, clock, TIMES) as hold:
        for _ in range(10):
            assert await clock.let_sleep() == TIMES.heartbeat
            await clock.somebody_sleeps()
            hold.check()
        assert await store.conversations.claim_some("T1", "other", TIMES.lease, (), 1) == ()


async def test_a_conversation_is_free_as_soon_as_it_is_let_go(store: Store, clock: SteppedClock) -> None:
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, store.conversations, clock, TIMES):
        assert await store.conversations.claim_some("T1", "other", TIMES.lease, (), 1) == ()
    assert await store.conversations.claim_some("T1", "other", TIMES.lease, (), 1)


async def test_a_conversation_is_let_go_when_the_work_fails(store: Store, clock: SteppedClock) -> None:
    conversation = await claimed(store, seconds=TIMES.lease)
    with suppress(ZeroDivisionError):
        async with hold_conversation(conversation, store.conversations, clock, TIMES):
            raise ZeroDivisionError
    assert await store.conversations.claim_some("T1", "other", TIMES.lease, (), 1)


async def test_an_outage_stops_writes_and_they_go_on_after_it(store: Store, clock: SteppedClock) -> None:
    outage = Outage(store.conversations)
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, cast("Conversations", outage), clock, TIMES) as hold:
        outage.away = True
        await clock.let_sleep()
        await clock.let_sleep()
        await clock.somebody_sleeps()
        with pytest.raises(StoreUnavailable):
            hold.check()
        outage.away = False
        await clock.let_sleep()
        await clock.somebody_sleeps()
        hold.check()


async def test_a_lease_counts_from_when_it_was_asked_for_and_not_from_the_answer(
    store: Store, clock: SteppedClock
) -> None:
    slow = Outage(store.conversations, clock)
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, cast("Conversations", slow), clock, TIMES) as hold:
        slow.slowness = TIMES.lease - TIMES.margin + 0.01
        await clock.let_sleep()
        await clock.somebody_sleeps()
        with pytest.raises(StoreUnavailable):
            hold.check()
        slow.slowness = TIMES.lease - TIMES.margin
        await clock.let_sleep()
        await clock.somebody_sleeps()
        hold.check()


async def test_whoever_lost_a_conversation_writes_nothing_and_does_not_free_it(
    store: Store, clock: SteppedClock
) -> None:
    watched = Outage(store.conversations)
    conversation = await claimed(store, seconds=TIMES.lease)
    async with hold_conversation(conversation, cast("Conversations", watched), clock, TIMES) as hold:
        clock.advance(TIMES.lease)
        other = await claim(store, TIMES.lease)
        await clock.let_sleep()
        await hold.lost.wait()
        with pytest.raises(LostConversation):
            hold.check()
    assert not watched.released
    assert await store.conversations.renew(other, TIMES.lease)


async def test_a_lease_that_a_save_has_ended_is_neither_renewed_nor_freed_nor_lost(
    store: Store, clock: SteppedClock
) -> None:
    watched, effect = Outage(store.conversations), React(id="a:0", ts=ts(1), name="eyes")
    async with hold_conversation(
        await claimed(store, seconds=TIMES.lease), cast("Conversations", watched), clock, TIMES
    ) as hold:
        await hold.change(lambda now: Transition(conversation=replace(now, effects=(effect,))))
        hold.performed.add("a:0")
        await clock.somebody_sleeps()
        await hold.save_and_release()
        assert (hold.conversation.effects, hold.performed) == ((), set())
        other = await claim(store, TIMES.lease)
        await clock.let_sleep()  # a heartbeat that had begun before
        await clock.nobody_sleeps()
        assert not hold.lost.is_set()
    assert (watched.released, watched.renewed) == (0, 1)
    assert other.version == hold.conversation.version
    assert await store.conversations.renew(other, TIMES.lease)


async def test_a_lease_whose_end_was_not_saved_is_kept(store: Store, clock: SteppedClock) -> None:
    watched = Outage(store.conversations)
    watched.ends = False
    async with hold_conversation(
        await claimed(store, seconds=TIMES.lease), cast("Conversations", watched), clock, TIMES
    ) as hold:
        hold.recall({1: Message(seq=1, role=Role.PERSON, text="Hi")})
        with pytest.raises(StoreUnavailable):
            await hold.save_and_release()
        assert hold.known_rows == {}, "nobody knows whether the lease has ended"
        for _ in range(5):
            await clock.let_sleep()
            await clock.somebody_sleeps()
        assert await store.conversations.renew(hold.conversation, TIMES.lease)
        watched.ends = True
        await hold.save_and_release()
        assert hold.is_released


async def test_a_pause_ends_when_its_time_is_over(store: Store, clock: SteppedClock) -> None:
    hold = await held(store, clock)
    pause = asyncio.ensure_future(hold.pause(3))
    assert await clock.let_sleep() == 3
    await pause


async def test_a_pause_ends_at_once_when_the_conversation_is_lost(store: Store, clock: SteppedClock) -> None:
    hold = await held(store, clock)
    pause = asyncio.ensure_future(hold.pause(3))
    await clock.somebody_sleeps()
    hold.lost.set()
    with pytest.raises(LostConversation):
        await pause


async def test_a_new_holder_waits_until_any_write_of_the_last_one_has_ended(store: Store, clock: SteppedClock) -> None:
    hold = await held(store, clock)
    wait = asyncio.ensure_future(hold.let_others_finish())
    assert await clock.let_sleep() == TIMES.margin
    await wait
