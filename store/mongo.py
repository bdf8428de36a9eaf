"""Opens the store over MongoDB."""

from __future__ import annotations

from app.core.errors import SettingsError
from app.ports import Clock
from store.cipher import MasterKeys
from store.client import Database, connect, translated
from store.conversations import MongoConversations
from store.inbox import MongoInbox
from store.keys import DataKeys
from store.schema import ensure_schema
from store.store import Store


async def open_store(uri: str, database: str, master_keys: MasterKeys, clock: Clock) -> Store:
    """Connect, bring the schema up to date and return the ports. Raises `SettingsError`, `StoreUnavailable`."""
    connected = connect(uri, database)
    try:
        await _require_replica_set(connected)
        await ensure_schema(connected)
    except BaseException:
        connected.client.close()
        raise
    keys = DataKeys(connected, master_keys, clock)
    return Store(
        inbox=MongoInbox(connected, keys),
        conversations=MongoConversations(connected, keys),
        close=connected.client.close,
    )


@translated
async def drop_database(uri: str, database: str) -> None:
    """Remove a database with everything in it, for a program that promised to keep nothing."""
    connected = connect(uri, database)
    try:
        await connected.client.drop_database(database)
    finally:
        connected.client.close()


@translated
async def _require_replica_set(database: Database) -> None:
    hello = await database.command("hello")
    if "setName" not in hello and hello.get("msg") != "isdbgrid":  # which a sharded cluster's router says
        raise SettingsError(
            "MONGODB_URI names a MongoDB that is no replica set, so writes could not be repeated safely: "
            "start it with --replSet and run rs.initiate() once."
        )
