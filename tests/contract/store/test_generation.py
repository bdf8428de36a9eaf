"""The generation: it reveals a database that was put back from an older copy, and nothing else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.core.errors import SettingsError, StoreUnavailable
from app.ports.store import Store
from store.crypto.generation import MongoGeneration
from store.database.connection import connect
from tests.contract.store.events import claimed, posted
from tests.contract.store.stops import Stops, stopping
from tests.contract.store.watched import noting, watched
from tests.mongo import Documents
from tests.wrapped import secrets_dir, wrapping


def kept(database: Documents) -> dict[str, Any]:
    [canary] = database["keys"].find({"_id": "canary"})
    return canary


@pytest.mark.req("MW-22")
async def test_a_database_that_was_put_back_is_refused_until_it_counts_as_the_newest(
    mongo_store: Store, database: Documents
) -> None:
    await claimed(mongo_store)
    before = kept(database)
    await mongo_store.generation.advance()
    for copy in (before, kept(database)):
        await mongo_store.generation.advance()
        database["keys"].replace_one({"_id": "canary"}, copy)
        for _ in range(3):  # it cannot be worn down
            with pytest.raises(SettingsError, match="`threadwise restored`"):
                await mongo_store.generation.advance()
        await mongo_store.generation.catch_up()
        await mongo_store.generation.advance()


async def test_a_database_without_keys_has_no_generation_and_may_begin_anew(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.generation.advance()
    await mongo_store.generation.catch_up()
    assert database["keys"].count_documents({}) == 0
    await mongo_store.inbox.take_in(posted(1, opens=True))
    await mongo_store.generation.advance()
    assert kept(database)["generation"] == 1


@pytest.mark.req("MW-22")
async def test_a_process_that_dies_over_it_anywhere_raises_no_false_alarm(
    mongo_store: Store, mongo_uri: str, database: Documents, master_key: str
) -> None:
    await claimed(mongo_store)
    connection, secrets = connect(mongo_uri, database.name), wrapping(master_key).secrets
    steps, died = -1, True
    while died:
        steps += 1
        stops = Stops(secrets_dir() / "contract", steps)
        process = watched(connection, master_key, stops.before)
        dying = MongoGeneration(process.database, process.keys, secrets)
        with stopping(stops):
            try:
                await dying.advance()
            except StoreUnavailable:
                assert stops.died
        died = stops.died
        await mongo_store.generation.advance()
    connection.client.close()
    assert steps >= 4


async def test_processes_that_raise_it_at_once_raise_no_false_alarm(
    mongo_store: Store, mongo_uri: str, database: Documents, master_key: str
) -> None:
    await claimed(mongo_store)
    connection, secrets = connect(mongo_uri, database.name), wrapping(master_key).secrets
    processes = [watched(connection, master_key, noting([])) for _ in range(4)]
    rivals = [MongoGeneration(each.database, each.keys, secrets) for each in processes]
    await asyncio.gather(*(rival.advance() for rival in rivals for _ in range(5)))
    assert kept(database)["generation"] == 20
    await mongo_store.generation.advance()
    connection.client.close()
