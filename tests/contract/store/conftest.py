"""The stores under contract. Every test finds an empty database on one mongod."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

import pytest
from pymongo import MongoClient

from app.core.conversation.audit import AuditEvent
from app.ports.store import Store
from store.crypto.cipher import MasterKeys
from store.database.connection import connect
from store.database.schema import SHAPES
from store.open import open_store
from tests.contract.store.audit import audit_trail
from tests.contract.store.clock import ManualClock
from tests.contract.store.watched import Watching, watched
from tests.memory_store import memory_store
from tests.mongo import Documents, empty
from tests.wrapped import secrets_dir, wrapping


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def master_key() -> str:
    return MasterKeys.generate()


@pytest.fixture
def database(mongo_uri: str) -> Generator[Documents]:
    """The test's database, to look at what is really stored."""
    with MongoClient[dict[str, Any]](mongo_uri) as client:
        empty(client.contract, tuple(SHAPES))  # a new database for each would cost a tenth of a second more
        shutil.rmtree(secrets_dir() / "contract", ignore_errors=True)
        yield client.contract


@pytest.fixture
async def mongo_store(
    mongo_uri: str, database: Documents, master_key: str, clock: ManualClock
) -> AsyncGenerator[Store]:
    store = await open_store(mongo_uri, database.name, wrapping(master_key), clock)
    yield store
    store.close()


@pytest.fixture
async def other_store(
    mongo_store: Store, mongo_uri: str, database: Documents, master_key: str, clock: ManualClock
) -> AsyncGenerator[Store]:
    """Another process' store on the same database."""
    store = await open_store(mongo_uri, database.name, wrapping(master_key), clock)
    yield store
    store.close()


@pytest.fixture(params=["memory", "mongodb"])
def store(request: pytest.FixtureRequest, clock: ManualClock) -> Store:
    return memory_store(clock) if request.param == "memory" else request.getfixturevalue("mongo_store")


@pytest.fixture
def trail(store: Store, database: Documents) -> Callable[[], dict[str, AuditEvent]]:
    """Gives the audit trail, which no port reads, by the events' ids."""
    return lambda: audit_trail(store, database)


@pytest.fixture
async def watching(mongo_uri: str, database: Documents, master_key: str) -> AsyncGenerator[Watching]:
    """Gives the ports of another process, whose writes are watched."""
    connection = connect(mongo_uri, database.name)
    yield lambda before, master_keys="": watched(connection, master_keys or master_key, before)
    connection.client.close()
