"""Erasing a conversation: all of it goes, whoever holds it loses it, and nobody brings anything of it back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Transition
from app.core.errors import LostConversation, StoreUnavailable
from app.core.state.goal import GoalPhase, GoalState
from app.core.state.status import Status
from app.ports import Acceptance, KeptFile
from app.ports.store import Store
from store.mongo.documents import NOT_LISTED
from store.mongo.erasing import IS_ERASED
from store.open import open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, NEVER, claim, claimed, happened, posted, said, saved, thread, ts
from tests.contract.store.versions import DECISION, version
from tests.contract.store.watched import Watching, dying_after, once
from tests.mongo import Documents
from tests.wrapped import wrapping

Restart = Callable[[], Awaitable[None]]
WRITES = 11
"""Of one erasure: mark, tombstone, key, transcript, versions, files, marks, two for the trail, inbox, document."""


@pytest.fixture
def restart(mongo_uri: str, database: Documents, master_key: str) -> Restart:
    """Gives what opens the store as a process does that starts."""

    async def start() -> None:
        (await open_store(mongo_uri, database.name, wrapping(master_key), ManualClock())).close()

    return start


async def talked(store: Store) -> Conversation:
    """Hold a conversation with a transcript, a version, and rows that are open, done and parked."""
    conversation = await claimed(store)
    for number in (2, 3):
        await store.inbox.take_in(posted(number, thread(), text=f"message {number}"))
    await store.inbox.close_rows([posted(2, thread()).receipt])
    await store.inbox.park([posted(3, thread()).receipt])
    await store.versions.keep(conversation, version("frame", 1))
    await store.files.keep(conversation, KeptFile(file="F1", content="[]", tokens=1))
    return await saved(store, conversation, said(1), said(2), audit=(happened("a"),))


def remains(database: Documents, conversation: Conversation) -> list[str]:
    """Name each document that still has to do with a conversation, receipts and its audit trail aside."""
    names = ("conversations", "messages", "extractions", "files", "keys", "marks")
    left = [
        f"{name}: {each['_id']}" for name in names for each in database[name].find() if conversation.id in each["_id"]
    ]
    return left + [f"inbox: {row['_id']}" for row in database.inbox.find() if row["state"] != "done" or "sealed" in row]


@pytest.mark.req("S0-007")
async def test_an_erased_conversation_is_gone_and_the_trail_says_who_wanted_it(
    store: Store, trail: Callable[[], dict[str, AuditEvent]]
) -> None:
    conversation = await talked(store)
    await store.conversations.erase(conversation, ERASED)
    assert await store.conversations.find(thread()) is None
    assert await store.conversations.transcript(conversation, 0) == ()
    assert await store.versions.list(DECISION) == ()
    assert await store.inbox.open_rows(thread()) == ()
    assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert list(trail().values()) == [happened("a"), ERASED]


async def test_whoever_holds_an_erased_conversation_has_lost_it(store: Store) -> None:
    held = await talked(store)
    stranger = await store.conversations.find(thread())
    assert stranger
    await store.conversations.erase(replace(stranger, fence=0), ERASED)
    assert not await store.conversations.renew(held, NEVER)
    with pytest.raises(LostConversation):
        await store.conversations.record_draft(held, said(2, "draft"))
    for rows in ((), (said(3),)):
        with pytest.raises(LostConversation):
            await saved(store, held, *rows)
    with pytest.raises(LostConversation):
        await store.versions.keep(held, version("frame", 2))
    assert await store.versions.list(DECISION) == ()
    await store.conversations.release(held)
    assert await store.conversations.find(thread()) is None


async def test_an_erased_thread_can_begin_anew_and_knows_nothing_of_before(store: Store) -> None:
    erased = await talked(store)
    await store.conversations.erase(erased, ERASED)
    assert await store.inbox.take_in(posted(8, thread())) is Acceptance.FOREIGN
    assert await store.inbox.take_in(posted(9, thread(), opens=True)) is Acceptance.NEW
    new = await claim(store)
    assert (new.thread, new.version, new.head) == (thread(), 0, 0)
    assert new.id != erased.id
    await store.conversations.erase(erased, ERASED)
    assert await saved(store, new, said(1, "again"))
    assert [row.receipt for row in await store.inbox.open_rows(thread())] == [posted(9, thread()).receipt]


async def test_receipts_outlive_an_erasure_so_that_nothing_is_taken_in_again(store: Store) -> None:
    await store.conversations.erase(await talked(store), ERASED)
    await store.inbox.take_in(posted(9, thread(), opens=True))
    for number in (1, 2, 3):
        assert await store.inbox.take_in(posted(number, thread(), opens=True)) is Acceptance.DUPLICATE


async def test_other_conversations_are_left_alone(mongo_store: Store, database: Documents) -> None:
    other = await saved(mongo_store, await claimed(mongo_store, 5), said(1, "mine"))
    await mongo_store.versions.keep(other, version("objectives", 1))
    await mongo_store.conversations.erase(await talked(mongo_store), ERASED)
    assert await mongo_store.conversations.transcript(other, 0) == (said(1, "mine"),)
    assert await mongo_store.versions.list(DECISION) == (version("objectives", 1),)
    assert [row.receipt for row in await mongo_store.inbox.open_rows(other.thread)] == [posted(5).receipt]
    assert await saved(mongo_store, other, said(2))


async def resumed(way: str, store: Store, restart: Callable[[], Awaitable[None]], conversation: Conversation) -> None:
    """Go on with an erasure in one of three ways."""
    match way:
        case "by doing it again":
            await store.conversations.erase(conversation, ERASED)
        case "by a claim":
            assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
        case _:
            await restart()


@pytest.mark.parametrize("writes", range(1, WRITES))
@pytest.mark.parametrize("way", ["by doing it again", "by a claim", "by a start"])
async def test_an_erasure_that_was_broken_off_anywhere_is_finished(
    mongo_store: Store, database: Documents, watching: Watching, restart: Restart, writes: int, way: str
) -> None:
    conversation = await talked(mongo_store)
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(writes)).conversations.erase(conversation, ERASED)
    await resumed(way, mongo_store, restart, conversation)
    if way == "by a claim" and writes == WRITES - 1:  # nothing but the empty document was left, and no work to find
        await restart()
    assert remains(database, conversation) == []
    kinds = [event["type"] for event in database.audit_events.find(sort=[("_id", 1)])]
    assert kinds == [AuditType.STATE_TRANSITION, AuditType.CONVERSATION_ERASED]


async def test_from_the_first_write_of_an_erasure_its_holder_can_write_no_more(
    mongo_store: Store, watching: Watching
) -> None:
    held = await talked(mongo_store)
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(1)).conversations.erase(held, ERASED)
    assert not await mongo_store.conversations.renew(held, NEVER)
    for rows in ((), (said(3),)):
        with pytest.raises(LostConversation):
            await saved(mongo_store, held, *rows)


async def test_from_the_first_write_of_an_erasure_it_is_in_no_list_and_nothing_tells_how_it_stood(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    left = {"goals": GoalState(phase=GoalPhase.PLANNING), "newest": ts(2)}
    due = {"status": Status.BACKGROUND, "next_run": "2026-03-01T09:00:00+00:00"}
    for number, state in ((1, left), (5, due)):
        held = await saved(mongo_store, replace(await claimed(mongo_store, number), **state))
        with pytest.raises(StoreUnavailable):
            await watching(dying_after(1)).conversations.erase(held, ERASED)
    assert await mongo_store.conversations.of_owner("T1", "U1") == ()
    fields = {field for document in database.conversations.find() for field in document}
    assert not fields & set(NOT_LISTED)
    assert fields >= {"current", "owner"}, "they are gone already"


async def test_an_erasure_has_as_many_writes_as_are_broken_off_here(mongo_store: Store, watching: Watching) -> None:
    conversation = await talked(mongo_store)
    await watching(dying_after(WRITES)).conversations.erase(conversation, ERASED)


@pytest.mark.parametrize("place", ["messages.bulk_write", "conversations.find_one_and_update"])
async def test_a_save_overtaken_by_an_erasure_leaves_no_row_and_no_key(
    mongo_store: Store, database: Documents, watching: Watching, place: str
) -> None:
    held = await talked(mongo_store)
    late = watching(once(place, lambda: mongo_store.conversations.erase(held, ERASED)))
    assert await late.conversations.row(held, 1), "it has the key and may use it for a minute"
    with pytest.raises(LostConversation):
        await late.conversations.save(Transition(conversation=held, messages=(said(3, "late"),)))
    assert remains(database, held) == []


async def test_saves_and_drafts_that_race_with_an_erasure_bring_nothing_back(
    mongo_store: Store, database: Documents
) -> None:
    held = await talked(mongo_store)
    writes = [
        *(saved(mongo_store, held, said(3, f"late {n}")) for n in range(5)),
        *(mongo_store.conversations.record_draft(held, said(2, f"late {n}")) for n in range(5)),
    ]
    *_, erased = await asyncio.gather(*writes, mongo_store.conversations.erase(held, ERASED), return_exceptions=True)
    assert erased is None
    assert remains(database, held) == []


async def test_what_is_taken_in_while_its_conversation_is_erased_keeps_no_content(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    held = await talked(mongo_store)
    other = watching(once("inbox.insert_one", lambda: mongo_store.conversations.erase(held, ERASED)))
    await other.inbox.take_in(posted(9, thread(), text="in between"))
    assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert remains(database, held) == []


@pytest.mark.parametrize("opens", [False, True])
async def test_what_meets_an_erasure_before_its_key_is_read_opens_a_thread_anew_or_is_foreign(
    mongo_store: Store, database: Documents, watching: Watching, opens: bool
) -> None:
    held = await talked(mongo_store)
    other = watching(once("keys.find_one", lambda: mongo_store.conversations.erase(held, ERASED)))
    event = posted(9, thread(), opens=opens)
    assert await other.inbox.take_in(event) is (Acceptance.NEW if opens else Acceptance.FOREIGN)
    assert remains(database, held) == ([f"inbox: {event.receipt}"] if opens else [])
    assert [row.event for row in await mongo_store.inbox.open_rows(thread())] == [event] * opens


async def test_what_is_left_of_an_erased_conversation_is_not_told_to_the_one_after_it(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    held = await talked(mongo_store)
    other = watching(once("inbox.insert_one", lambda: mongo_store.conversations.erase(held, ERASED)))
    await other.inbox.take_in(posted(8, thread(), text="to be forgotten"))
    await mongo_store.inbox.take_in(posted(9, thread(), opens=True))
    rows = await mongo_store.inbox.open_rows(thread())
    assert [row.receipt for row in rows] == [posted(9, thread()).receipt]
    assert (await claim(mongo_store)).id != held.id
    assert remains(database, held) == [f"inbox: {posted(9, thread()).receipt}"]


async def test_a_start_finds_what_was_broken_off_by_an_index(mongo_store: Store, database: Documents) -> None:
    plan = str(database.command("explain", {"find": "conversations", "filter": IS_ERASED}, verbosity="queryPlanner"))
    assert "'indexName': 'erased'" in plan
    assert "COLLSCAN" not in plan


async def test_of_openers_that_race_no_key_is_left_without_its_conversation(
    mongo_store: Store, database: Documents
) -> None:
    await asyncio.gather(*(mongo_store.inbox.take_in(posted(n, thread(), opens=True)) for n in range(1, 11)))
    [conversation] = database.conversations.find()
    keys = {key["_id"] for key in database["keys"].find()}
    assert keys == {"canary", f"conversation:{conversation['_id']}"}


async def test_an_erased_key_is_of_no_use_to_others_after_a_minute_or_once_they_are_told(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    conversation = await talked(mongo_store)
    database["keys"].delete_one({"_id": f"conversation:{conversation.id}"})
    clock.advance(59)
    assert await mongo_store.conversations.row(conversation, 1) == said(1)
    clock.advance(1)
    with pytest.raises(LostConversation):
        await mongo_store.conversations.row(conversation, 1)
