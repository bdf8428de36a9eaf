"""What MongoDB alone must do: keep secrets, use its indexes, refuse what does not belong, and admit an outage."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import bson
import pymongo
import pytest
from pymongo import MongoClient
from pymongo.database import Database
from pymongo.errors import WriteError

from app.core.effects import TellPrivately
from app.core.errors import LostConversation, SettingsError, StoreUnavailable
from app.core.model import Message, MessageStatus, Role
from app.ports import Taken
from store.cipher import MasterKeys, SealBroken
from store.client import connect
from store.conversations import work_waiting
from store.keys import DataKeys, KeyName
from store.mongo import open_store
from store.mongod import Home, find_mongod
from store.schema import SHAPES, ensure_schema
from store.store import Store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import NEVER, claim, claimed, posted, said, saved, thread

Documents = Database[dict[str, Any]]


async def test_no_word_of_a_person_or_the_model_is_stored_open(mongo_store: Store, database: Documents) -> None:
    store, word = mongo_store, "Rumpelstilzchen"
    parked, waiting = posted(2, thread(), text=f"{word} parked"), posted(3, thread(), text=f"{word} waiting")
    await store.inbox.take_in(posted(1, opens=True, text=f"{word} done"))
    for event in (parked, waiting):
        await store.inbox.take_in(event)
    await store.inbox.done([posted(1).receipt])
    await store.inbox.park([parked.receipt])
    reply = Message(seq=2, role=Role.ASSISTANT, text=word, content=f'["{word}"]', status=MessageStatus.STREAMING)
    effect = TellPrivately(id="r:1", user="U1", text=f"{word} told")
    conversation = replace(await claim(store), summary=f"{word} in short", effects=(effect,))
    conversation = await saved(store, conversation, replace(said(1, word), author_name=word), reply)
    await store.conversations.record_draft(conversation, 2, f"{word} streamed", ())

    names = database.list_collection_names()
    assert set(names) == set(SHAPES)
    dump = b"".join(bson.encode(document) for name in names for document in database[name].find())
    oplog = b"".join(map(bson.encode, database.client.local["oplog.rs"].find({"ns": {"$regex": f"^{database.name}"}})))
    assert thread().root.encode() in dump
    assert thread().root.encode() in oplog, "these are not the stored bytes"
    assert word.encode() not in dump + oplog


async def test_a_done_row_keeps_no_content(mongo_store: Store, database: Documents) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    await mongo_store.inbox.done([posted(1).receipt])
    [row] = database.inbox.find()
    assert "sealed" not in row
    assert row["done_at"] is not None


async def test_claiming_reads_the_index_of_open_work_and_neither_sorts_nor_scans(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    command: dict[str, Any] = {"aggregate": "inbox", "pipeline": work_waiting((thread(2),)), "cursor": {}}
    plan = str(database.command("explain", command, verbosity="queryPlanner"))
    assert "'indexName': 'work'" in plan
    assert "COLLSCAN" not in plan
    assert "'stage': 'SORT'" not in plan


async def test_a_row_without_its_conversation_is_no_work(mongo_store: Store, database: Documents) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    database.conversations.delete_many({})
    async with asyncio.timeout(8):
        assert await mongo_store.conversations.claim("worker", NEVER, ()) is None


@pytest.mark.parametrize(
    ("collection", "field", "value"),
    [
        ("inbox", "text", "open content"),
        ("inbox", "state", "eaten"),
        ("inbox", "attempts", -1),
        ("conversations", "summary", "open content"),
        ("conversations", "version", "1"),
        ("messages", "sealed", "open content"),
        ("messages", "text", "open content"),
        ("keys", "secret", b"open key"),
    ],
)
async def test_a_field_that_is_not_allowed_is_refused(
    mongo_store: Store, database: Documents, collection: str, field: str, value: object
) -> None:
    await saved(mongo_store, await claimed(mongo_store), said(1))
    with pytest.raises(WriteError, match="failed validation"):
        database[collection].update_one({}, {"$set": {field: value}})


async def test_processes_that_start_at_once_agree_on_the_schema(mongo_uri: str, database: Documents) -> None:
    database.client.drop_database("fresh")
    fresh = database.client["fresh"]
    connections = [connect(mongo_uri, fresh.name) for _ in range(4)]
    await asyncio.gather(*map(ensure_schema, connections))
    await ensure_schema(connections[0])
    for connection in connections:
        connection.client.close()
    for name, shape in SHAPES.items():
        wanted = {"_id_", *(index.document["name"] for index in shape.indexes)}
        assert set(fresh[name].index_information()) == wanted


async def test_racing_creators_of_a_data_key_agree_on_one(mongo_uri: str, database: Documents, master_key: str) -> None:
    connection = connect(mongo_uri, database.name)
    rivals = [DataKeys(connection, MasterKeys.parse(master_key), ManualClock()) for _ in range(20)]
    keys = await asyncio.gather(*(rival.obtain(KeyName.of_workspace("T1")) for rival in rivals))
    connection.client.close()
    assert len({key.id for key in keys}) == 1


async def test_a_new_master_key_opens_what_the_old_one_sealed_while_both_are_set(
    mongo_uri: str, database: Documents, mongo_store: Store, master_key: str
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    new = MasterKeys.generate()
    both = await open_store(mongo_uri, database.name, MasterKeys.parse(f"{new},{master_key}"), ManualClock())
    assert [row.event for row in await both.inbox.open_rows(thread())] == [posted(1, opens=True)]
    both.close()
    alone = await open_store(mongo_uri, database.name, MasterKeys.parse(new), ManualClock())
    with pytest.raises(SealBroken, match="THREADWISE_MASTER_KEY"):
        await alone.inbox.open_rows(thread())
    alone.close()


async def test_an_erased_key_erases_its_conversation_after_a_minute(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store), said(1))
    database.get_collection("keys").delete_one({"_id": f"conversation:{conversation.id}"})
    clock.advance(59)
    assert await mongo_store.conversations.row(conversation, 1) == said(1)
    clock.advance(1)
    with pytest.raises(SealBroken, match="does not exist"):
        await mongo_store.conversations.row(conversation, 1)


async def test_a_sealed_row_that_was_moved_to_another_place_does_not_open(
    mongo_store: Store, database: Documents
) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store), said(1), said(2))
    first = database.messages.find_one({"seq": 1})
    assert first
    database.messages.update_one({"seq": 2}, {"$set": {"sealed": first["sealed"]}})
    with pytest.raises(SealBroken, match="moved or changed"):
        await mongo_store.conversations.row(conversation, 2)


async def test_a_row_of_a_higher_fence_is_never_replaced(mongo_store: Store, database: Documents) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store), said(1))
    database.messages.update_one({"seq": 1}, {"$inc": {"fence": 1}})
    with pytest.raises(LostConversation):
        await saved(mongo_store, conversation, said(1, "changed"))
    with pytest.raises(LostConversation):
        await mongo_store.conversations.record_draft(conversation, 1, "changed", ())
    assert await mongo_store.conversations.row(conversation, 1) == said(1)


async def test_where_no_mongodb_is_the_store_says_that_it_is_unavailable(tmp_path: Path, master_key: str) -> None:
    with pymongo.timeout(0.1), pytest.raises(StoreUnavailable):
        await open_store(Home.under(tmp_path).uri, "t", MasterKeys.parse(master_key), ManualClock())


async def test_intake_gives_up_on_a_mongod_that_hangs_and_whatever_it_kept_is_there_once(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    mongod = database.client.admin.command("serverStatus")["pid"]
    os.kill(mongod, signal.SIGSTOP)
    try:
        async with asyncio.timeout(8):  # any other call would wait for 10 seconds
            with pytest.raises(StoreUnavailable):
                await mongo_store.inbox.take_in(posted(2, thread()))
    finally:
        os.kill(mongod, signal.SIGCONT)
    assert await mongo_store.inbox.take_in(posted(2, thread())) in (Taken.NEW, Taken.DUPLICATE)
    assert len(await mongo_store.inbox.open_rows(thread())) == 2


async def test_a_mongod_that_is_no_replica_set_is_refused_with_what_to_do(tmp_path: Path, master_key: str) -> None:
    home = Home.under(tmp_path)
    command = [str(find_mongod()), "--dbpath", str(home.path / "db"), "--bind_ip", str(home.socket), "--nounixsocket"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as mongod:
        try:
            with MongoClient[dict[str, Any]](home.uri) as client:
                client.admin.command("ping")
            with pytest.raises(SettingsError, match="--replSet"):
                await open_store(home.uri, "t", MasterKeys.parse(master_key), ManualClock())
        finally:
            mongod.kill()


async def test_a_connection_string_that_makes_no_sense_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="MONGODB_URI"):
        connect("postgres://localhost", "t")
