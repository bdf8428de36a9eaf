"""What MongoDB alone must do: keep secrets, use its indexes, refuse what does not belong, and admit an outage."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pymongo
import pytest
from pymongo import MongoClient

from app.core.errors import LostConversation, SettingsError, StoreUnavailable
from app.ports import Acceptance
from app.ports.store import Store
from store.crypto.cipher import SealBroken
from store.database.connection import Document, connect
from store.database.migrations import ensure_schema
from store.database.mongod import Home, find_mongod
from store.database.schema import AUDIT, SHAPES
from store.mongo.claims import build_work_pipeline
from store.mongo.conversations import NEWEST_FIRST, OLDEST_FIRST, Order, filter_by_owner, filter_until
from store.mongo.documents import build_opening_pipeline
from store.mongo.transcript import build_threads_pipeline
from store.open import open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import NEVER, claimed, posted, said, saved, thread
from tests.contract.store.watched import TOLD, WRITES, Watching, noting
from tests.mongo import Documents
from tests.wrapped import wrapping


async def test_a_done_row_keeps_no_content(mongo_store: Store, database: Documents) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    await mongo_store.inbox.close_rows([posted(1).receipt])
    [row] = database.inbox.find()
    assert "sealed" not in row
    assert row["done_at"] is not None


async def test_claiming_reads_the_index_of_open_work_and_neither_sorts_nor_scans(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    command: dict[str, Any] = {"aggregate": "inbox", "pipeline": build_work_pipeline("T1", (thread(2),)), "cursor": {}}
    plan = str(database.command("explain", command, verbosity="queryPlanner"))
    assert "'indexName': 'work'" in plan
    assert "COLLSCAN" not in plan
    assert "'stage': 'SORT'" not in plan


@pytest.mark.req("MW-09")
async def test_what_may_begin_a_thread_is_looked_up_in_one_query_of_indexes(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    queries: list[str] = []
    assert await watching(noting(queries, TOLD - WRITES)).inbox.take_in(posted(1, opens=True)) is Acceptance.NEW
    assert [query for query in queries if not query.startswith("keys.")] == ["conversations.to_list"]
    pipeline = build_opening_pipeline(thread(1), posted(1, opens=True).receipt)
    command: dict[str, Any] = {"aggregate": "conversations", "pipeline": pipeline, "cursor": {}}
    plan = str(database.command("explain", command, verbosity="queryPlanner"))
    assert "'indexName': 'current_of_thread'" in plan
    assert "IDHACK" in plan
    assert "COLLSCAN" not in plan


@pytest.mark.parametrize(
    ("where", "order", "index"),
    [
        (filter_by_owner("T1", "U1"), NEWEST_FIRST, "of_owner"),
        (filter_until("T1", "quiet_from", datetime.now(UTC)), OLDEST_FIRST["quiet_from"], "quiet"),
        (filter_until("T1", "next_run_at", datetime.now(UTC)), OLDEST_FIRST["next_run_at"], "due"),
    ],
    ids=["of_owner", "quiet", "due"],
)
async def test_lists_read_their_index_and_neither_sort_nor_scan(
    mongo_store: Store, database: Documents, where: Document, order: Order, index: str
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    command: dict[str, Any] = {"find": "conversations", "filter": where, "sort": dict(order), "limit": 100}
    plan = str(database.command("explain", command, verbosity="queryPlanner")["queryPlanner"]["winningPlan"])
    assert f"'indexName': '{index}'" in plan
    assert "COLLSCAN" not in plan
    assert "'stage': 'SORT'" not in plan


async def test_the_threads_that_have_a_message_are_read_from_an_index_in_one_query(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    await saved(mongo_store, await claimed(mongo_store), said(1))
    queries: list[str] = []
    assert await watching(noting(queries)).conversations.threads_of("T1", said(1).ts) == (thread(1),)
    assert queries == ["messages.to_list"]
    pipeline = build_threads_pipeline("T1", said(1).ts)
    command: dict[str, Any] = {"aggregate": "messages", "pipeline": pipeline, "cursor": {}}
    plan = str(database.command("explain", command, verbosity="queryPlanner"))
    assert "'indexName': 'by_ts'" in plan
    assert "COLLSCAN" not in plan


@pytest.mark.req("FA-20")
async def test_a_thread_that_is_being_erased_has_no_messages(mongo_store: Store, database: Documents) -> None:
    await saved(mongo_store, await claimed(mongo_store), said(1))
    database.conversations.update_one({}, {"$set": {"current": False}})
    assert await mongo_store.conversations.threads_of("T1", said(1).ts) == ()
    database.conversations.delete_many({})
    assert await mongo_store.conversations.threads_of("T1", said(1).ts) == ()


async def test_a_list_is_read_in_two_queries_and_in_one_when_the_keys_are_at_hand(
    mongo_store: Store, watching: Watching
) -> None:
    for number in range(1, 21):
        await mongo_store.inbox.take_in(posted(number, opens=True))
    queries: list[str] = []
    other = watching(noting(queries))
    await other.keys.prove()  # as a start does
    queries.clear()
    assert len(await other.conversations.of_owner("T1", "U1")) == 20
    assert queries == ["conversations.to_list", "keys.to_list"]
    assert len(await other.conversations.of_owner("T1", "U1", limit=10)) == 10
    assert queries[2:] == ["conversations.to_list"]


async def test_a_row_without_its_conversation_is_no_work_and_loses_its_content(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    database.conversations.delete_many({})
    assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    [row] = database.inbox.find()
    assert (row["state"], "sealed" in row) == ("done", False)


async def test_processes_that_start_at_once_agree_on_the_schema(mongo_uri: str, database: Documents) -> None:
    database.client.drop_database("fresh")
    fresh = database.client["fresh"]
    connections = [connect(mongo_uri, fresh.name) for _ in range(4)]
    await asyncio.gather(*(ensure_schema(connection, 365) for connection in connections))
    await ensure_schema(connections[0], 365)
    for connection in connections:
        connection.client.close()
    for name, shape in SHAPES.items():
        wanted = {"_id_", *(index.document["name"] for index in shape.indexes)}
        assert set(fresh[name].index_information()) == wanted | ({"forget"} if name == AUDIT else set())


async def test_an_index_that_was_another_is_made_anew(mongo_uri: str, database: Documents) -> None:
    database.client.drop_database("older")
    older = database.client["older"]
    older.inbox.create_index([("ts", 1)], name="work")
    older.inbox.create_index([("team", 1), ("channel", 1), ("root", 1), ("ts", 1), ("_id", 1)], name="of_thread")
    older.messages.create_index([("team", 1), ("conversation", 1), ("ts", 1)], name="by_ts")
    connections = [connect(mongo_uri, older.name) for _ in range(3)]
    await asyncio.gather(*(ensure_schema(connection, 365) for connection in connections))
    for connection in connections:
        connection.client.close()
    indexes = older.inbox.index_information()
    assert indexes["work"]["key"] == [("team", 1), ("ts", 1), ("_id", 1)]
    assert indexes["of_thread"]["partialFilterExpression"] == {"sealed": {"$exists": True}}
    by_ts = older.messages.index_information()["by_ts"]
    assert by_ts["key"] == [("team", 1), ("ts", 1), ("conversation", 1)]


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
        await mongo_store.conversations.record_draft(conversation, said(1, "changed"))
    assert await mongo_store.conversations.row(conversation, 1) == said(1)


async def test_where_no_mongodb_is_the_store_says_that_it_is_unavailable(tmp_path: Path, master_key: str) -> None:
    with pymongo.timeout(0.1), pytest.raises(StoreUnavailable):
        await open_store(Home.under(tmp_path).uri, "t", wrapping(master_key, "t"), ManualClock())


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
    assert await mongo_store.inbox.take_in(posted(2, thread())) in (Acceptance.NEW, Acceptance.DUPLICATE)
    assert len(await mongo_store.inbox.open_rows(thread())) == 2


async def test_a_mongod_that_is_no_replica_set_is_refused_with_what_to_do(tmp_path: Path, master_key: str) -> None:
    home = Home.under(tmp_path)
    command = [str(find_mongod()), "--dbpath", str(home.path / "db"), "--bind_ip", str(home.socket), "--nounixsocket"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as mongod:
        try:
            with MongoClient[dict[str, Any]](home.uri) as client:
                client.admin.command("ping")
            with pytest.raises(SettingsError, match="--replSet"):
                await open_store(home.uri, "t", wrapping(master_key, "t"), ManualClock())
        finally:
            mongod.kill()


async def test_a_connection_string_that_makes_no_sense_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="MONGODB_URI"):
        connect("postgres://localhost", "t")
