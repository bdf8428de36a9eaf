"""The contract of the signals, and what MongoDB alone must do for them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pymongo
import pytest

from app.core.errors import LostConversation
from app.core.thread import ThreadKey
from app.ports import ChangeFeed
from app.ports.store import Store
from store.database.connection import connect
from store.database.mongod import Home
from store.mongo.signals import MongoChangeFeed, build_watch_pipeline
from store.open import drop_database
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claimed, posted, said, saved, thread
from tests.mongo import Documents, as_stranger

Heard = asyncio.Queue[ThreadKey]

ROUSING = 900
"""The first of the threads that find out whether somebody listens yet."""


@asynccontextmanager
async def listening(signals: ChangeFeed, store: Store) -> AsyncGenerator[Heard]:
    """Give what is heard, from when it is certain that what `store` takes in is."""
    heard, awake = Heard(), asyncio.Event()

    def hear(where: ThreadKey, receipt: str) -> None:
        if where.root < thread(ROUSING).root:
            heard.put_nowait(where)
        awake.set()

    task = asyncio.ensure_future(signals.listen("T1", hear))
    number = ROUSING
    while not awake.is_set():
        await store.inbox.take_in(posted(number, opens=True))
        number += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await awake.wait()
    try:
        yield heard
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_each_event_that_is_taken_in_is_heard_once_in_order_and_nothing_else(store: Store) -> None:
    async with listening(store.signals, store) as heard:
        await store.inbox.take_in(posted(1, opens=True))
        await store.inbox.take_in(posted(1, opens=True))
        await store.inbox.take_in(posted(2, thread(3)))
        await store.inbox.take_in(posted(4, thread(4, team="T2"), opens=True))
        await store.inbox.take_in(posted(5, thread(1)))
        await store.inbox.close_rows([posted(1).receipt])
        await store.inbox.take_in(posted(6, opens=True))
        assert [await heard.get() for _ in range(3)] == [thread(1), thread(1), thread(6)]


async def test_nothing_is_told_any_more_to_whoever_has_stopped_listening(store: Store) -> None:
    async with listening(store.signals, store) as first:
        pass
    async with listening(store.signals, store) as second:
        await store.inbox.take_in(posted(1, opens=True))
        assert await second.get() == thread(1)
    assert first.empty()


async def test_what_one_process_takes_in_the_other_hears(mongo_store: Store, other_store: Store) -> None:
    async with listening(mongo_store.signals, other_store) as heard:
        for number in range(1, 4):
            await other_store.inbox.take_in(posted(number, opens=True))
        assert [await heard.get() for _ in range(3)] == [thread(1), thread(2), thread(3)]


async def test_a_key_that_another_process_deletes_opens_nothing_here_any_more(
    mongo_store: Store, other_store: Store, database: Documents
) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store), said(1))
    async with listening(mongo_store.signals, other_store) as heard:
        assert await mongo_store.conversations.transcript(conversation, 0) == (said(1),)
        database.keys.delete_one({"_id": f"conversation:{conversation.id}"})
        await other_store.inbox.take_in(posted(2, opens=True))
        await heard.get()  # signals come in order
        with pytest.raises(LostConversation):
            await mongo_store.conversations.transcript(conversation, 0)


async def test_whoever_listens_again_hears_what_came_meanwhile(mongo_store: Store, other_store: Store) -> None:
    async with listening(mongo_store.signals, other_store):
        pass
    await other_store.inbox.take_in(posted(1, opens=True))
    async with listening(mongo_store.signals, other_store) as heard:
        assert await heard.get() == thread(1)


async def test_a_stream_that_mongodb_has_ended_for_good_is_begun_anew(mongo_uri: str, clock: ManualClock) -> None:
    database, heard = connect(mongo_uri, "passing"), Heard()
    task = asyncio.ensure_future(
        MongoChangeFeed(database, lambda _: None, clock).listen("T1", lambda where, _: heard.put_nowait(where))
    )
    for _ in range(2):  # with the database its streams end, and cannot be resumed where they ended
        while heard.empty():
            await database.inbox.insert_one({"team": "T1", "channel": "C1", "root": "1.5"})
            await asyncio.sleep(0.05)
        await drop_database(mongo_uri, "passing")
        while not heard.empty():
            heard.get_nowait()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    database.client.close()


async def streams(database: Documents) -> set[int]:
    """Return the cursors of all change streams that are open."""
    found: set[int] = set()
    for _ in range(10):  # on its way between two looks a cursor is neither at work nor idle, and not listed
        operations = database.client.admin.aggregate([{"$currentOp": {"allUsers": True, "idleCursors": True}}])
        cursors = [operation["cursor"] for operation in operations if "cursor" in operation]
        found |= {cursor["cursorId"] for cursor in cursors if "$changeStream" in str(cursor.get("originatingCommand"))}
        await asyncio.sleep(0.01)
    return found


async def test_whoever_stops_listening_leaves_no_stream_open(mongo_store: Store, database: Documents) -> None:
    of_others = await streams(database)  # MongoDB keeps the stream of a process that ended for minutes
    async with listening(mongo_store.signals, mongo_store):
        ours = await streams(database) - of_others
        assert len(ours) == 1
    while ours & await streams(database):  # the look that was under way ends by itself
        pass


async def test_neither_content_nor_what_other_teams_do_comes_over_the_line(
    mongo_store: Store, database: Documents
) -> None:
    with database.watch(build_watch_pipeline("T1")) as stream:
        await mongo_store.inbox.take_in(posted(1, thread(1, team="T2"), opens=True))
        await mongo_store.inbox.take_in(posted(1, opens=True))
        await mongo_store.inbox.close_rows([posted(1).receipt])
        [gone] = [each["_id"] for each in database["keys"].find({"team": "T1"})]
        database["keys"].delete_one({"_id": gone})
        row, key = next(stream), next(stream)
    assert row["fullDocument"] == {"team": "T1", "channel": thread(1).channel, "root": thread(1).root}
    assert set(row) == {"_id", "fullDocument", "ns", "documentKey"}
    assert key["documentKey"] == {"_id": gone}


class PatientClock(ManualClock):
    """Tells when it was slept on for the third time."""

    def __init__(self) -> None:
        super().__init__()
        self.sleeps = 0
        self.third = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.sleeps += 1
        if self.sleeps == 3:
            self.third.set()


@pytest.mark.parametrize("trouble", ["away", "refuses us"])
async def test_neither_an_outage_nor_a_refusal_ends_the_listening(tmp_path: Path, mongo_uri: str, trouble: str) -> None:
    uri = Home.under(tmp_path).uri if trouble == "away" else as_stranger(mongo_uri)
    clock, nobody = PatientClock(), connect(uri, "t")
    with pymongo.timeout(0.1):
        task = asyncio.ensure_future(MongoChangeFeed(nobody, lambda _: None, clock).listen("T1", lambda _, __: None))
    third = asyncio.ensure_future(clock.third.wait())
    await asyncio.wait((task, third), return_when=asyncio.FIRST_COMPLETED)
    assert not task.done()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    nobody.client.close()


PROCESS = """
import asyncio, sys
from store.database.connection import connect
from store.mongo.signals import MongoChangeFeed
from app.clock import SystemClock

async def main():
    database = connect(sys.argv[1], "contract")
    heard = asyncio.ensure_future(MongoChangeFeed(database, print, SystemClock()).listen("T1", print))
    await database.command("ping")
    await asyncio.wait((heard,), timeout=0.2)
    heard.cancel()
    await asyncio.wait((heard,))
    assert heard.cancelled()
    database.client.close()

asyncio.run(main())
"""


async def test_a_process_that_has_listened_ends_without_a_word(mongo_uri: str) -> None:
    command = [sys.executable, "-W", "error", "-X", "dev", "-c", PROCESS, mongo_uri]
    ended = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
