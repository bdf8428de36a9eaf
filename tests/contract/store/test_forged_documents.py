"""Who writes to the database without keys forges nothing.

Documents are changed, swapped, moved and put back; each is refused and reported, and everything else goes on working.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import pytest
from structlog.testing import capture_logs

from app.core.conversation.conversation import Conversation, MessageStatus
from app.ports import Acceptance
from app.ports.store import Store
from store.admin.diagnosis import Trouble
from store.crypto.cipher import SealBroken
from store.crypto.codec import PutBack
from store.open import MongoStore
from tests.contract.store.events import NEVER, claim, claimed, posted, said, saved, thread, ts
from tests.contract.store.forging import SOMETIME, Document, Documents, at_rest, document_of, refused, with_work
from tests.contract.store.versions import DECISION, version
from tests.contract.store.watched import Watching, dying_after

# --- conversations


@pytest.mark.req("SE-14")
@pytest.mark.parametrize(
    "change",
    [
        {"team": "T2"},
        {"channel": "C9"},
        {"root": ts(99)},
        {"owner": "U9"},
        {"version": 7},
        {"version": 0},
        {"head": 3},
        {"head": 1},
        {"status": "archived"},
        {"active_at": SOMETIME},
        {"next_run_at": SOMETIME},
        {"quiet_from": SOMETIME},
        {"ends_at": SOMETIME},
    ],
    ids=str,
)
async def test_a_conversation_of_which_an_open_field_is_changed_is_never_worked_on(
    mongo_store: Store, database: Documents, change: Document
) -> None:
    mine = await with_work(mongo_store, 1)
    database.conversations.update_one({"_id": mine.id}, {"$set": change})
    await refused(mongo_store, mine)
    for owner in ("U1", "U9"):
        with capture_logs():
            listed = await mongo_store.conversations.of_owner("T1", owner)
        assert mine.id not in {each.id for each in listed}


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("ends", ["", "2126-03-01T00:00:00+00:00"], ids=["never", "later"])
async def test_nobody_without_keys_brings_the_end_of_a_conversation_forward(
    mongo_store: Store, database: Documents, ends: str
) -> None:
    held = await claimed(mongo_store)
    await saved(mongo_store, replace(held, ends=ends), said(1))
    assert await mongo_store.conversations.find(thread()), "an end of its own is no forgery"
    database.conversations.update_one({"_id": held.id}, {"$set": {"ends_at": SOMETIME}})
    with capture_logs() as lines:
        assert await mongo_store.conversations.ended("T1", datetime.now(UTC)) == ()
    assert [line["event"] for line in lines] == ["conversation_unreadable"]


@pytest.mark.req("SE-14")
async def test_a_conversation_that_is_given_to_somebody_else_is_shown_to_nobody(
    mongo_store: Store, database: Documents
) -> None:
    mine = await at_rest(mongo_store, 1)
    database.conversations.update_one({"_id": mine.id}, {"$set": {"owner": "U9"}})
    with pytest.raises(SealBroken, match="moved or changed"):
        await mongo_store.conversations.find(thread())
    with capture_logs() as lines:
        assert await mongo_store.conversations.of_owner("T1", "U9") == ()
    assert [(line["event"], line["conversation"]) for line in lines] == [("conversation_unreadable", mine.id)]


@pytest.mark.req("SE-19")
@pytest.mark.parametrize("fields", [("sealed",), ("sealed", "version", "head", "owner", "status", "active_at")])
async def test_states_that_are_swapped_between_conversations_are_both_refused(
    mongo_store: Store, database: Documents, fields: tuple[str, ...]
) -> None:
    ones = [await with_work(mongo_store, number) for number in (1, 2)]
    first, second = (document_of(database, "conversations", _id=each.id) for each in ones)
    for mine, other in ((first, second), (second, first)):
        swapped = {field: other[field] for field in fields}
        database.conversations.update_one({"_id": mine["_id"]}, {"$set": swapped})
    await refused(mongo_store, ones[0])
    cases = await cast("MongoStore", mongo_store).diagnosis.cases()
    assert {each.id for each in cases if each.trouble is Trouble.CONVERSATION_UNREADABLE} == {each.id for each in ones}


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("changes", [{}, {"version": 2}], ids=["alone", "with the newest number"])
async def test_a_conversation_that_is_put_back_is_refused_and_goes_on_when_the_newest_is_there_again(
    mongo_store: Store, database: Documents, changes: Document
) -> None:
    mine = await at_rest(mongo_store, 1)
    before = document_of(database, "conversations", _id=mine.id)
    await mongo_store.inbox.take_in(posted(2, thread()))
    newest = await saved(mongo_store, await claim(mongo_store), said(3, "and now nobody may"))
    await mongo_store.inbox.close_rows([posted(2, thread()).receipt])
    await mongo_store.conversations.release(newest)
    await mongo_store.inbox.take_in(posted(3, thread()))
    after = document_of(database, "conversations", _id=mine.id)
    database.conversations.replace_one({"_id": mine.id}, before | changes)
    with pytest.raises(SealBroken):
        await mongo_store.conversations.find(thread())
    with capture_logs():
        assert await mongo_store.conversations.of_owner("T1", "U1") == ()
    await refused(mongo_store, mine)
    database.conversations.replace_one({"_id": mine.id}, after)
    database.inbox.update_many({}, {"$unset": {"hidden_until": ""}})
    again = await claim(mongo_store)
    assert (again.id, again.version) == (mine.id, newest.version)
    assert await mongo_store.conversations.row(again, 3) == said(3, "and now nobody may")


@pytest.mark.req("SE-14")
async def test_what_was_put_back_is_told_from_what_was_changed(mongo_store: Store, database: Documents) -> None:
    mine = await at_rest(mongo_store, 1)
    before = document_of(database, "conversations", _id=mine.id)
    await mongo_store.inbox.take_in(posted(2, thread()))
    await mongo_store.conversations.release(await saved(mongo_store, await claim(mongo_store)))
    database.conversations.replace_one({"_id": mine.id}, before)
    with capture_logs() as lines:
        assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert [(line["event"], line["error"]) for line in lines] == [("conversation_unreadable", "PutBack")]


@pytest.mark.req("SE-14")
async def test_a_state_that_is_newer_than_its_mark_is_taken_and_lifts_it(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    mine = await at_rest(mongo_store, 1)
    await mongo_store.inbox.take_in(posted(2, thread()))
    dying = watching(dying_after(2))  # the lease and the save; not even the release
    [held] = await dying.conversations.claim_some("T1", "worker", 0, (), 1)
    newest = await saved(cast("Store", dying), held.conversation)
    assert document_of(database, "marks", _id=mine.id)["version"] == mine.version < newest.version
    again = await claim(mongo_store)
    assert again.version == newest.version
    await mongo_store.conversations.release(again)
    assert document_of(database, "marks", _id=mine.id)["version"] == newest.version


@pytest.mark.req("SE-14")
async def test_a_mark_never_sinks(mongo_store: Store, database: Documents) -> None:
    held = await saved(mongo_store, await saved(mongo_store, await claimed(mongo_store)))
    await mongo_store.conversations.release(held)
    await mongo_store.inbox.take_in(posted(2, thread()))
    late = await claim(mongo_store)
    await mongo_store.conversations.release(replace(late, version=1))
    assert document_of(database, "marks", _id=held.id)["version"] == 2


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("change", [{"version": 40}, {"hmac": bytes(32)}], ids=["raised", "without the key"])
async def test_a_mark_that_is_forged_is_noticed(mongo_store: Store, database: Documents, change: Document) -> None:
    mine = await with_work(mongo_store, 1)
    database["marks"].update_one({"_id": mine.id}, {"$set": change})
    await refused(mongo_store, mine)


@pytest.mark.req("SE-14")
async def test_the_mark_of_another_conversation_counts_for_nothing(mongo_store: Store, database: Documents) -> None:
    mine, other = await with_work(mongo_store, 1), await at_rest(mongo_store, 2)
    others = document_of(database, "marks", _id=other.id)
    database["marks"].replace_one({"_id": mine.id}, {**others, "_id": mine.id})
    await refused(mongo_store, mine)


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("owner", ["U1", "U9"])
async def test_a_conversation_without_a_seal_is_not_taken_for_a_new_one(
    mongo_store: Store, database: Documents, owner: str
) -> None:
    mine = await with_work(mongo_store, 1)
    emptied: Document = {"$set": {"owner": owner, "version": 0, "head": 0}, "$unset": {"sealed": ""}}
    database.conversations.update_one({"_id": mine.id}, emptied)
    database["marks"].delete_many({})
    await refused(mongo_store, mine)


@pytest.mark.req("SE-14")
async def test_not_even_a_conversation_that_has_said_nothing_yet_can_be_given_to_somebody_else(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    mine = document_of(database, "conversations")
    database.conversations.update_one({}, {"$set": {"owner": "U9"}})
    await refused(mongo_store, Conversation(id=mine["_id"], thread=thread(), owner="U1"))


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("collection", ["conversations", "messages", "inbox", "extractions"])
async def test_nothing_of_today_can_be_passed_off_as_sealed_in_the_former_way(
    mongo_store: Store, database: Documents, collection: str
) -> None:
    mine = await with_work(mongo_store, 1)
    await mongo_store.versions.keep(mine, version("objectives", 1))
    sealed = {"sealed": {"$exists": True}}
    for document in [*database[collection].find(sealed)]:
        bare = document["sealed"][1:]  # as it stood there without a format
        database[collection].update_one({"_id": document["_id"]}, {"$set": {"sealed": bare, "schema_version": 0}})
    with capture_logs() as lines:
        await touched(mongo_store, collection, mine)
    assert lines[0]["event"].endswith("_unreadable")


async def touched(store: Store, collection: str, mine: Conversation) -> None:
    """Read what a collection holds of a conversation: it must give nothing."""
    match collection:
        case "conversations":
            assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
        case "messages":
            with pytest.raises(SealBroken):
                await store.conversations.transcript(mine, 0)
        case "inbox":
            assert await store.inbox.open_rows(mine.thread) == ()
        case _:
            assert await store.versions.list(DECISION) == ()


# --- transcripts


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("change", [{"ts": ts(99)}, {"status": "deleted"}, {"seq": 3}], ids=str)
async def test_a_row_of_which_an_open_field_is_changed_is_refused_and_reported(
    mongo_store: Store, database: Documents, change: Document
) -> None:
    mine = await saved(mongo_store, replace(await claimed(mongo_store), head=3), said(1), said(2))
    other = await at_rest(mongo_store, 2)
    database.messages.update_one({"_id": f"{mine.id}:2"}, {"$set": change})
    await unreadable_row(mongo_store, mine, f"{mine.id}:2")
    assert await mongo_store.conversations.transcript(other, 0) == (said(1), said(2))


async def unreadable_row(store: Store, conversation: Conversation, id_: str) -> None:
    with capture_logs() as lines:
        for _ in range(2):
            with pytest.raises(SealBroken):
                await store.conversations.transcript(conversation, 0)
    assert [(line["event"], line["reference"]) for line in lines] == [("message_unreadable", id_)]


@pytest.mark.req("SE-14", "SE-19")
@pytest.mark.parametrize(
    "fields", [("sealed",), ("sealed", "ts", "status", "fence")], ids=["content", "all but the place"]
)
async def test_rows_that_are_swapped_in_a_transcript_are_refused(
    mongo_store: Store, database: Documents, fields: tuple[str, ...]
) -> None:
    mine = await saved(mongo_store, await claimed(mongo_store), said(1), said(2, "You may not."))
    other = document_of(database, "messages", seq=2)
    database.messages.update_one({"seq": 1}, {"$set": {field: other[field] for field in fields}})
    await unreadable_row(mongo_store, mine, f"{mine.id}:1")


@pytest.mark.parametrize("id_", ["{to}:3", "{of}:2"], ids=["under a new id", "under its own id"])
async def test_a_row_that_is_moved_into_another_transcript_is_refused(
    mongo_store: Store, database: Documents, id_: str
) -> None:
    mine = await at_rest(mongo_store, 2)
    other = await saved(mongo_store, replace(await claimed(mongo_store), head=3), said(1), said(2))
    row = document_of(database, "messages", _id=f"{mine.id}:2")
    moved = id_.format(to=other.id, of=mine.id)
    database.messages.delete_one({"_id": row["_id"]})
    database.messages.insert_one({**row, "_id": moved, "conversation": other.id, "seq": 3})
    await unreadable_row(mongo_store, other, moved)
    assert await mongo_store.conversations.row(mine, 1) == said(1)


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("fence", [{}, {"fence": 2}], ids=["as it was", "with the newest fence"])
async def test_a_row_that_was_written_anew_cannot_be_put_back(
    mongo_store: Store, database: Documents, fence: Document
) -> None:
    mine = await with_work(mongo_store, 1)
    before = document_of(database, "messages", seq=1)
    gone = replace(said(1, ""), status=MessageStatus.DELETED)
    now = await saved(mongo_store, await claim(mongo_store), gone, said(3))
    assert await mongo_store.conversations.transcript(now, 0) == (gone, said(2), said(3))
    database.messages.replace_one({"seq": 1}, before | fence)
    await unreadable_row(mongo_store, now, f"{mine.id}:1")
    with pytest.raises(PutBack):
        await mongo_store.conversations.row(now, 1)
    assert await mongo_store.conversations.row(now, 2) == said(2)


# --- the inbox


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("change", [{"channel": "C9"}, {"root": ts(2)}, {"ts": ts(99)}, {"conversation": "other"}])
async def test_an_event_of_which_an_open_field_is_changed_is_parked_and_applied_nowhere(
    mongo_store: Store, database: Documents, change: Document
) -> None:
    mine, other = await with_work(mongo_store, 1), await with_work(mongo_store, 2)
    row = posted(101, thread(1)).receipt
    if "conversation" in change:
        change = {"conversation": other.id}
    database.inbox.update_one({"_id": row}, {"$set": change})
    where = [mine.thread, other.thread, replace(thread(1), channel="C9")]
    with capture_logs() as lines:
        read = [each.event for place in where for each in await mongo_store.inbox.open_rows(place)]
    assert read == [posted(102, thread(2))]
    assert [(line["event"], line["receipt"]) for line in lines] == [("inbox_row_unreadable", row)]
    assert document_of(database, "inbox", _id=row)["state"] == "parked"


@pytest.mark.req("SE-14")
async def test_an_event_that_is_moved_to_another_workspace_is_applied_nowhere(
    mongo_store: Store, database: Documents
) -> None:
    mine = await with_work(mongo_store, 1)
    database.inbox.update_many({"sealed": {"$exists": True}}, {"$set": {"team": "T2"}})
    assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert await mongo_store.conversations.claim_some("T2", "worker", NEVER, (), 1) == ()
    for team in ("T1", "T2"):
        assert await mongo_store.inbox.open_rows(replace(mine.thread, team=team)) == ()
    cases = await cast("MongoStore", mongo_store).diagnosis.cases()
    assert [each.trouble for each in cases] == [Trouble.PARKED]


@pytest.mark.req("SE-14")
async def test_events_that_are_swapped_are_both_parked_and_a_third_is_applied(
    mongo_store: Store, database: Documents
) -> None:
    for number in (1, 2, 3):
        await mongo_store.inbox.take_in(posted(number, thread(), opens=number == 1))
    first, second = (document_of(database, "inbox", _id=posted(number, thread()).receipt) for number in (1, 2))
    for mine, other in ((first, second), (second, first)):
        swapped = {field: other[field] for field in ("sealed", "ts")}
        database.inbox.update_one({"_id": mine["_id"]}, {"$set": swapped})
    with capture_logs() as lines:
        assert [row.event for row in await mongo_store.inbox.open_rows(thread())] == [posted(3, thread())]
    assert [line["event"] for line in lines] == ["inbox_row_unreadable"] * 2


@pytest.mark.req("SE-14")
async def test_an_event_under_another_receipt_is_parked(mongo_store: Store, database: Documents) -> None:
    await with_work(mongo_store, 1)
    row = document_of(database, "inbox", sealed={"$exists": True})
    database.inbox.insert_one({**row, "_id": "T1:C1:again"})
    assert [each.receipt for each in await mongo_store.inbox.open_rows(thread())] == [row["_id"]]
    assert document_of(database, "inbox", _id="T1:C1:again")["state"] == "parked"


async def test_a_thread_that_leads_to_another_conversation_leaves_that_one_alone(
    mongo_store: Store, database: Documents
) -> None:
    mine, other = await at_rest(mongo_store, 1), await at_rest(mongo_store, 2)
    database.conversations.delete_one({"_id": other.id})
    database.conversations.update_one({"_id": mine.id}, {"$set": {"root": other.thread.root}})
    assert await mongo_store.inbox.take_in(posted(9, other.thread)) is Acceptance.NEW
    await refused(mongo_store, mine)
