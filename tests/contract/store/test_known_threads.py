"""The contract of a claim without a search: what this process has just taken in is known, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.errors import LostConversation, StoreUnavailable
from app.ports import Acceptance, Claimed
from app.ports.store import Store
from store.mongo.documents import ROWS, SIGHTINGS, Sightings
from tests.contract.store.events import ERASED, NEVER, claim, claimed, posted, said, saved, thread
from tests.contract.store.watched import Watched, Watching, dying_after, noting, once
from tests.mongo import Documents


async def claim_known(store: Store | Watched, number: int = 1, root: int = 1) -> Claimed | None:
    """Claim a thread of which its n-th event was taken in."""
    receipt = posted(number, thread(root)).receipt
    return await store.conversations.claim_thread("worker", NEVER, thread(root), receipt)


@pytest.mark.req("MW-09")
async def test_a_thread_that_was_taken_in_is_claimed_with_all_its_open_rows(store: Store) -> None:
    await store.inbox.take_in(posted(2, thread(), opens=True))
    await store.inbox.count_failure(thread(), 60)
    await store.inbox.take_in(posted(1, thread(), opens=True))
    await store.inbox.take_in(posted(5, opens=True))
    found = await claim_known(store)
    assert found
    assert (found.conversation.thread, found.conversation.fence) == (thread(), 1)
    assert found.rows == await store.inbox.open_rows(thread())
    assert [row.attempts for row in found.rows or ()] == [0, 1]
    with pytest.raises(LostConversation):
        await saved(store, replace(found.conversation, fence=0), said(1))


async def test_a_thread_that_goes_on_is_claimed_as_its_last_holder_left_it(store: Store) -> None:
    held = await saved(store, await claimed(store), said(1))
    await store.inbox.close_rows([posted(1).receipt])
    await store.conversations.release(held)
    await store.inbox.take_in(posted(2, thread()))
    found = await claim_known(store, 2)
    assert found
    assert found.conversation == replace(held, fence=held.fence + 1)
    assert [row.receipt for row in found.rows or ()] == [posted(2, thread()).receipt]


async def test_a_thread_that_somebody_holds_is_not_claimed(store: Store) -> None:
    held = await claimed(store)
    await store.inbox.take_in(posted(2, thread()))
    assert await claim_known(store, 2) is None
    assert await store.conversations.renew(held, NEVER)


async def test_an_unknown_event_and_an_erased_thread_claim_nothing(store: Store) -> None:
    held = await claimed(store)
    await store.inbox.take_in(posted(2, thread()))
    await store.conversations.erase(held, ERASED)
    assert await claim_known(store, 2) is None
    assert await claim_known(store, 3, 3) is None


@pytest.mark.req("MW-09")
async def test_a_claim_of_a_known_thread_is_one_write_and_no_query(mongo_store: Store, watching: Watching) -> None:
    steps: list[str] = []
    other = watching(noting(steps))
    held = await saved(mongo_store, await claimed(mongo_store), said(1))
    await mongo_store.conversations.release(held)
    await other.inbox.take_in(posted(2, thread()))
    steps.clear()
    assert await claim_known(other, 2)
    assert steps == ["conversations.find_one_and_update"]


async def test_what_another_process_has_taken_in_is_not_known(mongo_store: Store, watching: Watching) -> None:
    await watching(noting([])).inbox.take_in(posted(1, opens=True))
    assert await claim_known(mongo_store) is None
    assert (await claim(mongo_store)).thread == thread()


async def test_what_was_known_before_the_event_of_another_process_is_not_used(
    mongo_store: Store, watching: Watching
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    await watching(noting([])).inbox.take_in(posted(2, thread()))
    assert await claim_known(mongo_store, 2) is None


@pytest.mark.parametrize("held_before", [False, True], ids=["since then", "at that time"])
async def test_rows_that_another_holder_may_have_closed_are_not_brought(
    mongo_store: Store, watching: Watching, *, held_before: bool
) -> None:
    other = watching(noting([]))
    await mongo_store.inbox.take_in(posted(1, opens=True))
    held = await claim(mongo_store) if held_before else None
    await other.inbox.take_in(posted(2, thread()))
    held = held or await claim(mongo_store)
    await mongo_store.inbox.close_rows([posted(1).receipt])
    await mongo_store.conversations.release(held)
    found = await claim_known(other, 2)
    assert found is None if held_before else found and found.rows is None


async def test_a_thread_with_more_rows_than_are_brought_has_them_read_after_the_lease(mongo_store: Store) -> None:
    for number in range(1, ROWS + 2):
        await mongo_store.inbox.take_in(posted(number, thread(), opens=True))
    found = await claim_known(mongo_store, ROWS + 1)
    assert found
    assert found.rows is None


async def test_a_state_that_was_put_back_is_not_claimed(mongo_store: Store, database: Documents) -> None:
    held = await saved(mongo_store, await claimed(mongo_store), said(1))
    former = database.conversations.find_one()
    assert former
    await mongo_store.conversations.release(await saved(mongo_store, held, said(2)))
    database.conversations.replace_one({"_id": held.id}, {**former, "lease_until": former["lease_until"].min})
    await mongo_store.inbox.take_in(posted(2, thread()))
    assert await claim_known(mongo_store, 2) is None


async def test_an_event_that_was_not_stored_claims_nothing(watching: Watching) -> None:
    torn = watching(dying_after(2))  # its key and its conversation are stored
    with pytest.raises(StoreUnavailable):
        await torn.inbox.take_in(posted(1, opens=True))
    assert await claim_known(torn) is None


async def test_an_event_that_another_process_stores_first_claims_nothing(
    mongo_store: Store, watching: Watching
) -> None:
    async def be_faster() -> None:
        await mongo_store.inbox.take_in(posted(2, thread()))

    await mongo_store.inbox.take_in(posted(1, opens=True))
    slow = watching(once("inbox.insert_one", be_faster))
    assert await slow.inbox.take_in(posted(2, thread())) is Acceptance.DUPLICATE
    assert await claim_known(slow, 2) is None


async def test_what_is_known_is_known_before_anybody_can_hear_of_the_event(watching: Watching) -> None:
    heard: list[Claimed | None] = []

    async def hear(step: str) -> None:
        if step == "inbox.insert_one":
            heard.append(await claim_known(process))

    process = watching(hear)
    await process.inbox.take_in(posted(1, opens=True))
    assert [type(each) for each in heard] == [Claimed]


def test_only_the_last_threads_are_known() -> None:
    known = Sightings()
    seen: dict[str, Any] = {"_id": "v2-1", "fence": 0, "mark": [], "rows": [], "is_free": True}
    for number in range(SIGHTINGS + 1):
        known.note(thread(number), seen, {"_id": "r", "ts": "1"})
    assert known.take(thread(0), "r") is None
    assert known.take(thread(1), "r")
    assert known.take(thread(1), "r") is None, "each is used once"
