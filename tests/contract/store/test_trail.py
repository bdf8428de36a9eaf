"""The audit trail: what happened is kept with the state, arrives once, and says nothing that anybody wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from pymongo.errors import OperationFailure, WriteError

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import Transition
from app.core.errors import LostConversation, StoreUnavailable
from app.ports.store import Store
from store.open import open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claim, claimed, happened, said, saved
from tests.contract.store.watched import WRITES, Watching, dying_after, noting
from tests.mongo import Documents
from tests.wrapped import wrapping

Trail = Callable[[], dict[str, AuditEvent]]


END = pytest.mark.parametrize("end", ["release", "save_and_release"])
"""How a lease ends."""


@pytest.mark.req("S0-007")
async def test_the_events_of_a_holders_steps_are_in_the_trail_when_it_lets_go(store: Store, trail: Trail) -> None:
    first = await saved(store, await claimed(store), said(1), audit=(happened("a"), happened("b")))
    last = await saved(store, first, audit=(happened("c"),))
    await store.conversations.release(last)
    ids = (f"{last.id}:1:0", f"{last.id}:1:1", f"{last.id}:2:0")
    assert trail() == dict(zip(ids, map(happened, "abc"), strict=True))


async def test_the_events_of_a_holder_who_died_arrive_with_the_next(store: Store, trail: Trail) -> None:
    dead = await saved(store, await claimed(store, seconds=0), audit=(happened("first"),))
    await store.conversations.release(await saved(store, await claim(store), audit=(happened("second"),)))
    assert trail() == {f"{dead.id}:1:0": happened("first"), f"{dead.id}:2:0": happened("second")}


async def test_a_step_that_was_not_saved_leaves_no_event(store: Store, trail: Trail) -> None:
    older = await claimed(store)
    newer = await saved(store, older, audit=(happened("saved"),))
    with pytest.raises(LostConversation):
        await saved(store, older, audit=(happened("lost"),))
    await store.conversations.release(newer)
    assert list(trail().values()) == [happened("saved")]


async def test_letting_go_twice_moves_nothing_twice(store: Store, trail: Trail) -> None:
    for _ in range(2):
        held = await claimed(store)
        await store.conversations.release(await saved(store, held, audit=(happened("once"),)))
        await store.conversations.release(held)
    assert list(trail().values()) == [happened("once")] * 2


def kept_of(database: Documents) -> tuple[list[str], list[str]]:
    """What is in the trail, and what of it is still to be moved there."""
    document = database.conversations.find_one()
    assert document
    return [event["_id"] for event in database.audit_events.find()], document["trail"]


@pytest.mark.parametrize("writes", [0, 1, 2])
async def test_whoever_dies_while_moving_the_trail_loses_and_doubles_nothing(
    mongo_store: Store, database: Documents, watching: Watching, writes: int
) -> None:
    held = await saved(mongo_store, await claimed(mongo_store, seconds=0), said(1), audit=(happened("kept"),))
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(writes)).conversations.release(held)
    await mongo_store.conversations.release(await claim(mongo_store))
    assert kept_of(database) == ([f"{held.id}:1:0"], [])


@END
@pytest.mark.parametrize("writes", [1, 2, 3])
async def test_whoever_dies_at_the_end_of_its_own_lease_loses_and_doubles_nothing(
    mongo_store: Store, database: Documents, watching: Watching, writes: int, end: str
) -> None:
    held, dying = await claimed(mongo_store, seconds=0), watching(dying_after(writes))
    held = await dying.conversations.save(Transition(conversation=held, audit=(happened("kept"),)))
    with pytest.raises(StoreUnavailable):
        await getattr(dying.conversations, end)(held)
    await getattr(mongo_store.conversations, end)(await saved(mongo_store, await claim(mongo_store), said(1)))
    assert kept_of(database) == ([f"{held.id}:1:0"], [])


@END
@pytest.mark.req("MW-09")
async def test_the_end_of_a_lease_that_has_saved_is_three_writes(
    mongo_store: Store, watching: Watching, end: str
) -> None:
    writes: list[str] = []
    other = watching(noting(writes, WRITES))
    held = await claimed(mongo_store)
    held = await other.conversations.save(Transition(conversation=held, audit=(happened("a"),)))
    writes.clear()
    await getattr(other.conversations, end)(held)
    assert writes == ["audit_events.insert_many", "conversations.find_one_and_update", "marks.update_one"]


async def test_the_trail_is_moved_also_by_a_save_that_releases(store: Store, trail: Trail) -> None:
    held = await saved(store, await claimed(store), audit=(happened("a"),))
    held = await saved(store, held, audit=(happened("b"),))
    await store.conversations.save_and_release(held)
    assert [event.reason for event in trail().values()] == ["a", "b"]


async def test_a_save_without_rows_is_one_write_and_a_draft_too(mongo_store: Store, watching: Watching) -> None:
    writes: list[str] = []
    held = await saved(mongo_store, await claimed(mongo_store), said(1))
    other = watching(noting(writes, WRITES))
    await other.conversations.record_draft(held, said(1, "draft"))
    await other.conversations.save(Transition(conversation=held, audit=(happened("a"),)))
    assert writes == ["messages.update_one", "conversations.find_one_and_update"]


async def test_an_event_has_the_time_of_the_server(mongo_store: Store, database: Documents) -> None:
    before = database.client.admin.command("hello")["localTime"]
    await mongo_store.conversations.release(
        await saved(mongo_store, await claimed(mongo_store), audit=(happened("a"),))
    )
    event = database.audit_events.find_one()
    assert event
    assert before <= event["at"] <= before + timedelta(minutes=1)


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("field", ["reason", "actor", "before", "after", "correlation"])
async def test_a_sentence_is_refused_wherever_the_trail_has_a_word(
    mongo_store: Store, database: Documents, field: str
) -> None:
    held = await claimed(mongo_store)
    with pytest.raises(OperationFailure, match="failed validation"):
        await saved(mongo_store, held, audit=(replace(happened("a"), **{field: "what I said"}),))
    await mongo_store.conversations.release(await saved(mongo_store, held, audit=(happened("a"),)))
    for change in ({field: "what I said"}, {"text": "said"}, {"counts.words": "said"}):
        with pytest.raises(WriteError, match="failed validation"):
            database.audit_events.update_one({}, {"$set": change})


async def test_the_trail_is_kept_as_long_as_it_is_set(mongo_uri: str, database: Documents, master_key: str) -> None:
    for days in (30, 365, 7):
        store = await open_store(mongo_uri, database.name, wrapping(master_key), ManualClock(), audit_days=days)
        store.close()
        assert database.audit_events.index_information()["forget"]["expireAfterSeconds"] == days * 24 * 3600
