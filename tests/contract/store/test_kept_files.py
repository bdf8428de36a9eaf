"""The contract of what is kept of files: whole or not at all, sealed in pieces, and gone with what it belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.errors import LostConversation
from app.ports import KeptFile
from app.ports.store import Store
from store.mongo.kept_files import PIECE, MongoFiles
from tests.contract.store.events import ERASED, claimed, thread
from tests.contract.store.watched import Watching, once
from tests.mongo import Documents

SMALL = KeptFile(
    file="F1",
    content='[{"type": "text", "text": "Berlin 1200 \\ud83d"}]',
    tokens=7,
    problem="No “rent”.",
    gap="No rows.",
)
LARGE = KeptFile(file="F2", content="ü" * (2 * PIECE + 5), tokens=9)


@pytest.mark.req("IN-05")
async def test_files_come_back_as_they_were_kept_however_large(store: Store) -> None:
    conversation = await claimed(store)
    assert await store.files.list(conversation) == ()
    for each in (LARGE, SMALL):
        await store.files.keep(conversation, each)
    assert await store.files.list(conversation) == (SMALL, LARGE)


@pytest.mark.req("IN-05")
async def test_a_file_that_is_kept_again_takes_the_place_of_the_former(store: Store) -> None:
    conversation = await claimed(store)
    await store.files.keep(conversation, KeptFile(file="F1", content="x" * (3 * PIECE), tokens=1))
    await store.files.keep(conversation, SMALL)
    assert await store.files.list(conversation) == (SMALL,)


@pytest.mark.req("IN-05")
async def test_a_forgotten_file_is_gone_and_the_others_stay(store: Store) -> None:
    conversation, other = await claimed(store), await claimed(store, 2)
    for each, where in ((SMALL, conversation), (LARGE, conversation), (SMALL, other)):
        await store.files.keep(where, each)
    await store.files.forget(conversation, ["F1", "F9"])
    assert await store.files.list(conversation) == (LARGE,)
    assert await store.files.list(other) == (SMALL,)


@pytest.mark.req("IN-05")
async def test_all_threads_that_keep_something_of_a_file_are_found_in_one_workspace(store: Store) -> None:
    for number in (2, 1):
        await store.files.keep(await claimed(store, number), SMALL)
    assert set(await store.files.threads_of("T1", "F1")) == {thread(1), thread(2)}
    assert await store.files.threads_of("T1", "F2") == ()
    assert await store.files.threads_of("T0OTHER", "F1") == ()


@pytest.mark.req("IN-05")
async def test_files_are_erased_with_their_conversation_and_no_late_writer_brings_one_back(store: Store) -> None:
    conversation = await claimed(store)
    await store.files.keep(conversation, SMALL)
    await store.conversations.erase(conversation, ERASED)
    assert await store.files.threads_of("T1", "F1") == ()
    with pytest.raises(LostConversation):
        await store.files.keep(conversation, SMALL)
    assert await store.files.threads_of("T1", "F1") == ()


@pytest.mark.req("IN-05")
async def test_a_writer_whom_an_erasure_overtakes_leaves_nothing_behind(
    mongo_store: Store, watching: Watching, database: Documents
) -> None:
    conversation = await claimed(mongo_store)
    late = watching(once("files.bulk_write", lambda: mongo_store.conversations.erase(conversation, ERASED)))
    with pytest.raises(LostConversation):
        await MongoFiles(late.database, late.keys).keep(conversation, SMALL)
    assert database.files.count_documents({}) == 0


@pytest.mark.req("IN-05")
@pytest.mark.parametrize("store", ["mongodb"], indirect=True)
async def test_a_file_of_which_a_piece_is_missing_or_changed_counts_as_not_kept(
    store: Store, database: Documents
) -> None:
    conversation = await claimed(store)
    await store.files.keep(conversation, LARGE)
    await store.files.keep(conversation, SMALL)
    database.files.delete_one({"file": "F2", "piece": 1})
    piece = database.files.find_one({"file": "F1"})
    assert piece
    database.files.update_one({"file": "F1"}, {"$set": {"sealed": piece["sealed"][:-1] + b"x"}})
    assert await store.files.list(conversation) == ()


@pytest.mark.req("SE-14", "IN-05")
@pytest.mark.parametrize("store", ["mongodb"], indirect=True)
@pytest.mark.parametrize("change", [{"file": "F9"}, {"channel": "C9"}, {"root": "9.9"}, {"piece": 1}, {"pieces": 2}])
async def test_a_piece_of_which_an_open_field_is_changed_counts_as_not_kept(
    store: Store, database: Documents, change: dict[str, Any]
) -> None:
    conversation = await claimed(store)
    await store.files.keep(conversation, SMALL)
    database.files.update_one({"file": "F1"}, {"$set": change})
    assert await store.files.list(conversation) == ()


@pytest.mark.req("IN-05")
@pytest.mark.parametrize("store", ["mongodb"], indirect=True)
async def test_what_lies_in_the_database_is_sealed(store: Store, database: Documents) -> None:
    await store.files.keep(await claimed(store), SMALL)
    [piece] = database.files.find()
    open_ = {name: value for name, value in piece.items() if name != "sealed"}
    assert "Berlin" not in str(open_)
    assert b"Berlin" not in piece["sealed"]
