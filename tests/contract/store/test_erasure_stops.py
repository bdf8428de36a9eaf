"""A process dies after each single step of making, erasing, giving and rotating keys: none is lost, and none that was
erased stays. Steps are the writes in MongoDB and those on files; the next process goes on from where the dead one was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation
from app.core.errors import StoreUnavailable
from app.ports import Acceptance
from app.ports.store import Store
from store.admin.settling import Settling
from store.crypto.cipher import MasterKeys
from store.crypto.erasure_secrets import ErasureSecrets
from store.database.connection import Database as MotorDatabase
from store.database.connection import connect
from store.database.schema import SHAPES
from store.open import open_store
from tests.contract.store.attacker import Attacker
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, posted, said, thread
from tests.contract.store.stops import Stops, stopping
from tests.contract.store.versions import DECISION, talked
from tests.contract.store.watched import Watched, watched
from tests.contract.store.without_secrets import take_secrets_away
from tests.mongo import Documents
from tests.wrapped import secrets_dir, wrapping

FOLDER = secrets_dir() / "contract"
FEWEST = 8
"""Steps below which a line of them is not told whole: then they are not watched."""


@pytest.fixture
async def started(mongo_uri: str, database: Documents, master_key: str, request: pytest.FixtureRequest) -> Any:
    """Gives what opens the store as a process does that starts."""

    async def start(master_keys: str = master_key) -> Store:
        store = await open_store(mongo_uri, database.name, wrapping(master_keys), ManualClock())
        request.addfinalizer(store.close)
        return store

    return start


@pytest.fixture
def connection(mongo_uri: str, database: Documents) -> Iterator[MotorDatabase]:
    """That of the processes which die."""
    opened = connect(mongo_uri, database.name)
    yield opened
    opened.client.close()


async def dies(act: Callable[[Stops], Awaitable[object]], after: int) -> bool:
    """Let a process do something and die after so many steps. False if that was its last one."""
    stops = Stops(FOLDER, after)
    work = act(stops)
    with stopping(stops):
        try:
            await work
        except StoreUnavailable:
            assert stops.died
    return stops.died


def settled_by(process: Watched) -> Awaitable[object]:
    """What a start does."""
    secrets = ErasureSecrets(secrets_dir(), "contract")
    secrets.prepare()
    return Settling(process.database, process.keys, secrets).settle(None)


def erased_by(connection: MotorDatabase, master_key: str, conversation: Conversation, stops: Stops) -> Awaitable[None]:
    return watched(connection, master_key, stops.before).conversations.erase(conversation, ERASED)


def rotated_by(connection: MotorDatabase, master_keys: str, stops: Stops) -> Awaitable[object]:
    return watched(connection, master_keys, stops.before).keys.rotate()


def emptied(database: Documents) -> None:
    for name in SHAPES:
        database[name].delete_many({})


async def outlived(database: Documents, life: Callable[[int], Awaitable[bool]]) -> int:
    """Live in an empty database and die after no step, then after one, and so on. Gives how many steps there are.

    `life` gives whether it died after that many.
    """
    steps, died = -1, True
    while died:
        steps += 1
        emptied(database)
        died = await life(steps)
    return steps


@pytest.mark.req("SE-03")
async def test_a_conversation_whose_beginning_was_cut_off_anywhere_begins_and_opens(
    connection: MotorDatabase, database: Documents, master_key: str, started: Any
) -> None:
    async def begins(steps: int) -> bool:
        (await started()).close()
        died = await dies(
            lambda stops: watched(connection, master_key, stops.before).inbox.take_in(posted(1, opens=True)), steps
        )
        store = await started()
        assert await store.inbox.take_in(posted(1, opens=True)) in (Acceptance.NEW, Acceptance.DUPLICATE)
        assert [row.event for row in await store.inbox.open_rows(thread())] == [posted(1, opens=True)]
        return died

    assert await outlived(database, begins) >= FEWEST


@pytest.mark.req("SE-03")
async def test_an_erasure_that_was_cut_off_anywhere_leaves_all_or_after_the_next_start_nothing_that_opens(
    connection: MotorDatabase, database: Documents, master_key: str, started: Any
) -> None:
    since = database.command("hello")["operationTime"]

    async def erases(steps: int) -> bool:
        attacker = Attacker(database, master_key, FOLDER, since)
        store = await started()
        conversation, other = await talked(store), await talked(store, 5)
        attacker.takes_a_backup()
        own = attacker.sealed_of(conversation.id)

        died = await dies(partial(erased_by, connection, master_key, conversation), steps)
        after = await started()
        if steps:  # the first one marks it
            assert await after.conversations.find(thread()) is None
            assert not own & attacker.opens(), f"it opens after {steps} steps"
            left = [name for name in SHAPES for each in database[name].find() if conversation.id in str(each["_id"])]
            assert set(left) <= {"audit_events"}
        else:
            assert await after.conversations.row(conversation, 1) == said(1)
        assert await after.conversations.row(other, 1) == said(1)
        return died

    assert await outlived(database, erases) >= FEWEST


@pytest.mark.req("SE-03")
async def test_giving_secrets_to_old_data_goes_on_wherever_it_was_cut_off(
    connection: MotorDatabase, database: Documents, master_key: str, started: Any
) -> None:
    since = database.command("hello")["operationTime"]

    async def gives(steps: int) -> bool:
        store = await started()
        old = [await talked(store, number) for number in (1, 5)]
        take_secrets_away(database, master_key, FOLDER)
        died = await dies(lambda stops: settled_by(watched(connection, master_key, stops.before)), steps)
        after = await started()
        for conversation in old:
            assert await after.conversations.row(conversation, 1) == said(1)
        assert len(await after.versions.list(DECISION)) == 2
        attacker = Attacker(database, master_key, Path("nowhere"), since)
        attacker.takes_a_backup()
        assert len(attacker.opens()) == 1, "more than the canary opens with the master key alone"
        return died

    assert await outlived(database, gives) >= FEWEST


@pytest.mark.req("SE-03")
async def test_a_rotation_that_was_cut_off_anywhere_loses_no_key_and_touches_no_secret(
    connection: MotorDatabase, database: Documents, master_key: str, started: Any
) -> None:
    async def rotates(steps: int) -> bool:
        conversation = await talked(await started())
        secrets = {path: path.read_bytes() for path in (FOLDER / "secrets").rglob("*") if path.is_file()}
        both = f"{MasterKeys.generate()},{master_key}"

        died = await dies(partial(rotated_by, connection, both), steps)
        after = await started(both)
        await after.upkeep.rotate_keys()
        assert secrets == {path: path.read_bytes() for path in (FOLDER / "secrets").rglob("*") if path.is_file()}
        alone = await started(both.partition(",")[0])
        assert await alone.conversations.row(conversation, 1) == said(1)
        return died

    assert await outlived(database, rotates) == 2
