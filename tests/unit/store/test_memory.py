"""What the twin in memory does as its clock moves. MongoDB's own clock cannot be moved."""

from __future__ import annotations

import pytest

from app.ports import Acceptance
from app.ports.store import Store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claimed, posted, thread
from tests.memory_store import memory_store


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(clock: ManualClock) -> Store:
    return memory_store(clock)


async def test_a_lease_lasts_to_the_second_and_as_long_as_it_is_renewed(store: Store, clock: ManualClock) -> None:
    conversation = await claimed(store, seconds=6)
    clock.advance(5)
    assert await store.conversations.renew(conversation, 6)
    clock.advance(5.9)
    assert await store.conversations.claim_some("T1", "other", 6, (), 1) == ()
    clock.advance(0.1)
    assert await store.conversations.claim_some("T1", "other", 6, (), 1)


async def test_failed_rows_are_work_again_after_their_delay(store: Store, clock: ManualClock) -> None:
    conversation = await claimed(store)
    await store.inbox.count_failure(thread(), 30)
    await store.conversations.release(conversation)
    clock.advance(29)
    assert await store.conversations.claim_some("T1", "worker", 6, (), 1) == ()
    clock.advance(1)
    assert await store.conversations.claim_some("T1", "worker", 6, (), 1)


async def test_receipts_are_forgotten_48_hours_after_their_row_is_done(store: Store, clock: ManualClock) -> None:
    old, new = posted(1, opens=True), posted(2, thread())
    for event in (old, new):
        await store.inbox.take_in(event)
    await store.inbox.close_rows([old.receipt])
    clock.advance(48 * 3600)
    await store.inbox.close_rows([new.receipt])
    assert await store.inbox.take_in(old) is Acceptance.NEW
    assert await store.inbox.take_in(new) is Acceptance.DUPLICATE
