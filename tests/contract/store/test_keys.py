"""Keys: made once, proven at the start, sealed anew without touching a value, and never brought back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing

import pytest

from app.core.errors import SettingsError, StoreUnavailable
from app.ports.store import Rotated, Store
from store.crypto.cipher import MasterKeys, SealBroken, build_associated_data
from store.crypto.keys import BATCH, DataKeys, KeyErased, KeyName
from store.database.connection import connect
from store.open import open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, claim, claimed, posted, said, saved, thread
from tests.contract.store.watched import Watching, dying_after, once
from tests.mongo import Documents
from tests.wrapped import wrapping

Opening = Callable[..., AbstractAsyncContextManager[Store]]


@pytest.fixture
def opening(mongo_uri: str, database: Documents) -> Opening:
    """Gives the store as a process opens it that was started with other master keys."""

    @asynccontextmanager
    async def opened(*master_keys: str) -> AsyncGenerator[Store]:
        store = await open_store(mongo_uri, database.name, wrapping(",".join(master_keys)), ManualClock())
        try:
            yield store
        finally:
            store.close()

    return opened


async def test_racing_creators_of_a_data_key_agree_on_one(mongo_uri: str, database: Documents, master_key: str) -> None:
    connection = connect(mongo_uri, database.name)
    rivals = [DataKeys(connection, wrapping(master_key), ManualClock()) for _ in range(20)]
    keys = await asyncio.gather(*(rival.create(KeyName.of_conversation("T1", "c")) for rival in rivals))
    connection.client.close()
    assert len({key.id for key in keys}) == 1


@pytest.mark.req("SE-03")
async def test_under_the_name_of_a_key_that_was_erased_none_is_made_again(
    mongo_uri: str, database: Documents, master_key: str
) -> None:
    connection, name = connect(mongo_uri, database.name), KeyName.of_conversation("T1", "c")
    with closing(connection.client):
        keys = DataKeys(connection, wrapping(master_key), ManualClock())
        await keys.create(name)
        await keys.erase(name)
        with pytest.raises(KeyErased):
            await keys.create(name)
    assert not [*database["keys"].find({"_id": name.id})]


async def test_another_master_key_is_refused_at_the_start_with_what_to_do(mongo_store: Store, opening: Opening) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    with pytest.raises(SettingsError, match=r"THREADWISE_MASTER_KEY is not the key .*`threadwise keys rotate --help`"):
        async with opening(MasterKeys.generate()):
            pass


async def test_an_empty_database_takes_any_master_key_and_then_keeps_to_it(
    database: Documents, opening: Opening
) -> None:
    first, second = MasterKeys.generate(), MasterKeys.generate()
    async with opening(first) as early, opening(second) as late:
        assert database["keys"].count_documents({}) == 0
        await late.inbox.take_in(posted(1, opens=True))
        with pytest.raises(SettingsError):
            await early.inbox.take_in(posted(2, opens=True))
        assert [row.event for row in await late.inbox.open_rows(thread())] == [posted(1, opens=True)]


async def test_a_new_master_key_opens_what_the_old_one_sealed_while_both_are_set(
    mongo_store: Store, opening: Opening, master_key: str
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    async with opening(MasterKeys.generate(), master_key) as both:
        assert [row.event for row in await both.inbox.open_rows(thread())] == [posted(1, opens=True)]


async def test_after_a_rotation_the_old_master_key_opens_nothing_and_the_new_one_all(
    mongo_store: Store, database: Documents, opening: Opening, master_key: str
) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store), said(1, "kept"))
    new = MasterKeys.generate()
    async with opening(new, master_key) as both:
        assert await both.upkeep.rotate_keys() == Rotated(renewed=1)
        assert await both.upkeep.rotate_keys() == Rotated(current=1)
    for key in database["keys"].find():
        with pytest.raises(SealBroken):
            MasterKeys.parse(master_key).open(key["sealed"], build_associated_data("keys", key["_id"], "sealed"))
    with pytest.raises(SettingsError, match="THREADWISE_MASTER_KEY"):
        async with opening(master_key):
            pass
    async with opening(new) as alone:
        assert await alone.conversations.transcript(conversation, 0) == (said(1, "kept"),)
        assert [row.event for row in await alone.inbox.open_rows(thread())] == [posted(1, opens=True)]
        assert await saved(alone, conversation, said(2))


async def test_work_goes_on_during_a_rotation(
    mongo_store: Store, database: Documents, opening: Opening, master_key: str
) -> None:
    new = MasterKeys.generate()
    async with opening(new, master_key) as one, opening(new, master_key) as two:
        held = [await claimed(mongo_store, number) for number in range(1, 9)]
        saves = [saved(mongo_store, conversation, said(1)) for conversation in held[1:]]
        opened = [two.inbox.take_in(posted(number, opens=True)) for number in range(50, 58)]
        erased = mongo_store.conversations.erase(held[0], ERASED)
        await asyncio.gather(one.upkeep.rotate_keys(), *saves, *opened, erased)
        await one.upkeep.rotate_keys()
    assert database["keys"].find_one({"_id": f"conversation:{held[0].id}"}) is None, "an erased key was brought back"
    async with opening(new) as alone:
        for _ in range(8):
            assert await saved(alone, await claim(alone), said(1))


async def test_a_key_that_is_made_with_the_old_master_key_during_a_rotation_is_sealed_anew_too(
    mongo_store: Store, mongo_uri: str, database: Documents, opening: Opening, watching: Watching, master_key: str
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    connection = connect(mongo_uri, database.name)
    old, passed_over = DataKeys(connection, wrapping(master_key), ManualClock()), KeyName("T1", "conversation:")
    new = MasterKeys.generate()
    rotating = watching(once("keys.bulk_write", lambda: old.create(passed_over)), f"{new},{master_key}")
    assert await rotating.keys.rotate() == Rotated(renewed=2)
    rotated = DataKeys(connection, wrapping(new), ManualClock())
    assert (await rotated.find(passed_over)).id == (await old.find(passed_over)).id
    connection.client.close()


async def test_a_minute_after_a_rotation_no_process_makes_keys_with_the_old_master_key_alone(
    mongo_store: Store, database: Documents, opening: Opening, clock: ManualClock, master_key: str
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    async with opening(MasterKeys.generate(), master_key) as both:
        await both.upkeep.rotate_keys()
    clock.advance(60)
    before = database["keys"].count_documents({})
    with pytest.raises(SettingsError, match="THREADWISE_MASTER_KEY"):
        await mongo_store.inbox.take_in(posted(2, opens=True))
    assert database["keys"].count_documents({}) == before


async def test_a_rotation_goes_on_where_it_was_cut_off_and_the_canary_comes_last(
    mongo_uri: str, database: Documents, opening: Opening, watching: Watching, master_key: str
) -> None:
    connection = connect(mongo_uri, database.name)
    keys = DataKeys(connection, wrapping(master_key), ManualClock())
    await asyncio.gather(*(keys.create(KeyName("T1", f"conversation:{n}")) for n in range(BATCH + 7)))
    connection.client.close()
    new = MasterKeys.generate()
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(1), f"{new},{master_key}").keys.rotate()
    with pytest.raises(SettingsError):
        async with opening(new):
            pass
    async with opening(new, master_key) as both:
        assert await both.upkeep.rotate_keys() == Rotated(renewed=7, current=BATCH)
    async with opening(new):
        pass


async def test_a_key_that_no_master_key_opens_is_counted_and_left_as_it_is(
    mongo_store: Store, database: Documents, opening: Opening, master_key: str
) -> None:
    await claimed(mongo_store)
    strange = MasterKeys.parse(MasterKeys.generate()).seal(
        bytes(32), build_associated_data("keys", "conversation:x", "sealed")
    )
    database["keys"].insert_one({"_id": "conversation:x", "team": "T9", "schema_version": 1, "sealed": strange})
    async with opening(MasterKeys.generate(), master_key) as both:
        assert await both.upkeep.rotate_keys() == Rotated(renewed=1, strange=1)
    found = database["keys"].find_one({"_id": "conversation:x"})
    assert found
    assert found["sealed"] == strange
    async with opening(master_key):
        pass  # the old one is still needed


async def test_a_conversation_is_found_by_its_id_even_if_it_cannot_be_opened(store: Store, database: Documents) -> None:
    conversation = await saved(store, await claimed(store), said(1))
    database.conversations.update_many({}, {"$set": {"sealed": b"nonsense"}})
    found = await store.upkeep.find(conversation.id)
    assert found
    assert (found.id, found.thread, found.owner) == (conversation.id, thread(), "U1")
    await store.conversations.erase(found, ERASED)
    assert await store.upkeep.find(conversation.id) is None
