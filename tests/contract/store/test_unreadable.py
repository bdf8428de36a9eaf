"""What cannot be opened is reported and set aside, and keeps nobody else waiting."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter
from structlog.testing import capture_logs

from app.core.errors import LostConversation
from app.ports.store import Store
from store.crypto.cipher import MasterKeys, SealBroken
from store.crypto.codec import Codec
from store.open import open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, NEVER, claim, claimed, posted, said, saved, thread
from tests.contract.store.keyring import key_of
from tests.contract.store.watched import Watching, once
from tests.mongo import Documents
from tests.wrapped import wrapping


async def broken(store: Store, database: Documents, change: dict[str, Any]) -> str:
    """Leave a conversation that cannot be opened, with work, older than that of the second thread."""
    conversation = await saved(store, await claimed(store, seconds=0), said(1))
    database.conversations.update_one({"_id": conversation.id}, change)
    await store.inbox.take_in(posted(2, opens=True))
    return conversation.id


@pytest.mark.parametrize("change", [{"$set": {"sealed": b"nonsense"}}, {"$set": {"sealed": bytes(40)}}])
async def test_a_conversation_that_cannot_be_opened_is_reported_once_and_passed_over(
    mongo_store: Store, database: Documents, change: dict[str, Any]
) -> None:
    broken_id = await broken(mongo_store, database, change)
    with capture_logs() as lines:
        assert (await claim(mongo_store)).thread == thread(2)
        assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
        await mongo_store.inbox.take_in(posted(3, thread()))
        assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert [line["event"] for line in lines] == ["conversation_unreadable"]
    assert lines[0]["conversation"] == broken_id


async def test_a_conversation_that_cannot_be_opened_is_in_no_list_and_takes_nobodys_place_there(
    mongo_store: Store, database: Documents
) -> None:
    broken_id = await broken(mongo_store, database, {"$set": {"sealed": b"nonsense", "active_at": datetime.now(UTC)}})
    with capture_logs() as lines:
        for _ in range(2):
            [listed] = await mongo_store.conversations.of_owner("T1", "U1", limit=1)
            assert listed.thread == thread(2)
        assert (await claim(mongo_store)).thread == thread(2)
    assert [(line["event"], line["conversation"]) for line in lines] == [("conversation_unreadable", broken_id)]


async def test_a_conversation_that_is_erased_while_a_list_is_read_is_left_out_and_no_trouble(
    mongo_store: Store, watching: Watching
) -> None:
    held = await saved(mongo_store, await claimed(mongo_store), said(1))
    other = watching(once("keys.to_list", lambda: mongo_store.conversations.erase(held, ERASED)))
    with capture_logs() as lines:
        assert await other.conversations.of_owner("T1", "U1") == ()
    assert lines == []


async def test_a_conversation_whose_key_is_gone_is_passed_over_even_if_it_is_new(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    database["keys"].delete_many({"_id": {"$regex": "^conversation:"}})
    clock.advance(60)
    await mongo_store.inbox.take_in(posted(2, opens=True))
    assert (await claim(mongo_store)).thread == thread(2)


async def test_whoever_cannot_open_a_conversation_does_not_free_it_from_who_has_taken_it_meanwhile(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store, seconds=0), said(1))
    await mongo_store.inbox.take_in(posted(2, thread()))
    [kept_] = database.conversations.find()
    database.conversations.update_one({}, {"$set": {"sealed": b"nonsense"}})

    async def is_taken_by_somebody_who_can_open_it() -> None:
        database.conversations.update_one(
            {}, {"$set": {"sealed": kept_["sealed"], "lease_until": datetime.fromtimestamp(0, UTC)}}
        )
        assert (await claim(mongo_store)).id == conversation.id

    other = watching(once("inbox.update_many", is_taken_by_somebody_who_can_open_it))
    with capture_logs():
        assert await other.conversations.claim_some("T1", "slow", NEVER, (), 1) == ()
    [document] = database.conversations.find()
    assert document["holder"] == "worker"
    assert document["lease_until"] > database.client.admin.command("hello")["localTime"]


async def test_after_a_minute_it_is_tried_again(mongo_store: Store, database: Documents) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store, seconds=0), said(1))
    [kept] = database.conversations.find()
    database.conversations.update_one({}, {"$set": {"sealed": b"nonsense"}})
    now = database.client.admin.command("hello")["localTime"]
    assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    [row] = database.inbox.find()
    assert 50 < (row["hidden_until"] - now).total_seconds() < 120
    assert row["attempts"] == 0
    database.conversations.update_one({}, {"$set": {"sealed": kept["sealed"]}})
    database.inbox.update_one({}, {"$set": {"hidden_until": datetime.fromtimestamp(0, UTC)}})
    again = await claim(mongo_store)
    assert (again.id, again.version) == (conversation.id, conversation.version)


async def test_an_inbox_row_that_cannot_be_opened_is_reported_and_parked_and_the_others_are_read(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    await mongo_store.inbox.take_in(posted(2, thread()))
    database.inbox.update_one({"_id": posted(1).receipt}, {"$set": {"sealed": b"nonsense"}})
    with capture_logs() as lines:
        assert [row.receipt for row in await mongo_store.inbox.open_rows(thread())] == [posted(2).receipt]
        assert [row.receipt for row in await mongo_store.inbox.open_rows(thread())] == [posted(2).receipt]
    assert [(line["event"], line["receipt"]) for line in lines] == [("inbox_row_unreadable", posted(1).receipt)]


async def test_an_inbox_row_of_a_newer_version_is_let_be_for_a_minute_and_read_by_who_knows_it(
    mongo_store: Store, database: Documents, master_key: str
) -> None:
    newer, known = posted(1, opens=True), posted(2, thread())
    for event in (newer, known):
        await mongo_store.inbox.take_in(event)
    row = kept(database, newer.receipt)
    key = key_of(database, row["conversation"], master_key)
    bound = ("_id", "team", "channel", "root", "conversation", "ts")
    tomorrow = Codec("inbox", TypeAdapter(dict[str, str]), bound, lambda _: {})
    unknown = tomorrow.seal(key, row, {"kind": "of_tomorrow"})
    database.inbox.update_one({"_id": newer.receipt}, {"$set": {"sealed": unknown}})
    with capture_logs() as lines:
        assert [row.receipt for row in await mongo_store.inbox.open_rows(thread())] == [known.receipt]
    assert [(line["event"], line["receipt"]) for line in lines] == [("inbox_row_of_newer_version", newer.receipt)]
    await mongo_store.inbox.close_rows([known.receipt])
    assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == (), (
        "it is claimed again and again"
    )
    now = database.client.admin.command("hello")["localTime"]
    assert 50 < (kept(database, newer.receipt)["hidden_until"] - now).total_seconds() < 120
    assert (kept(database, newer.receipt)["state"], kept(database, newer.receipt)["attempts"]) == ("open", 0)
    database.inbox.update_one({"_id": newer.receipt}, {"$set": {"sealed": row["sealed"]}})
    assert [row.event for row in await mongo_store.inbox.open_rows(thread())] == [newer]


def kept(database: Documents, receipt: str) -> dict[str, Any]:
    found = database.inbox.find_one({"_id": receipt})
    assert found
    return found


async def test_inbox_rows_whose_key_this_process_cannot_open_are_left_to_others(
    mongo_uri: str, mongo_store: Store, database: Documents, clock: ManualClock, master_key: str
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    both = wrapping(f"{MasterKeys.generate()},{master_key}")
    newer = await open_store(mongo_uri, database.name, both, clock)
    await newer.upkeep.rotate_keys()
    clock.advance(60)
    assert await mongo_store.inbox.open_rows(thread()) == ()
    assert [row.receipt for row in await newer.inbox.open_rows(thread())] == [posted(1).receipt]
    newer.close()


async def test_nothing_is_taken_in_for_a_conversation_that_has_lost_its_key(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    database["keys"].delete_many({"_id": {"$regex": "^conversation:"}})
    clock.advance(60)
    with pytest.raises(SealBroken):
        await mongo_store.inbox.take_in(posted(2, thread()))
    assert database.inbox.count_documents({}) == 1


async def test_a_holder_whose_key_is_gone_has_lost_the_conversation(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    held = await saved(mongo_store, await claimed(mongo_store), said(1))
    database["keys"].delete_many({"_id": {"$regex": "^conversation:"}})
    clock.advance(60)
    for rows in ((), (said(2),)):
        with pytest.raises(LostConversation):
            await saved(mongo_store, held, *rows)
    assert database["keys"].count_documents({"_id": {"$regex": "^conversation:"}}) == 0
