"""Assembly of the store over MongoDB."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import dataclass

from pymongo import WriteConcern

from app.core.errors import SettingsError
from app.ports import Clock
from app.ports.store import Store
from store.admin.diagnosis import Diagnosis, has_lease
from store.admin.remedies import MongoUpkeep, Remedies
from store.admin.settling import Settling
from store.crypto.generation import MongoGeneration
from store.crypto.keys import DataKeys
from store.crypto.wrapping import Wrapping
from store.database.connection import Database, connect, translate_errors
from store.database.migrations import ensure_schema
from store.database.rights import require_rights
from store.database.schema import PACING, RATE_LIMITS
from store.mongo.conversations import MongoConversations
from store.mongo.documents import Sightings
from store.mongo.inbox import MongoInbox
from store.mongo.kept_files import MongoFiles
from store.mongo.ledger import MongoLedger, MongoOnceFlags
from store.mongo.permission_rules import MongoPermissions
from store.mongo.signals import MongoChangeFeed
from store.mongo.versions import MongoVersions


@dataclass(frozen=True, slots=True, kw_only=True)
class MongoStore(Store):
    """The store with tools for stuck items. The in-memory store needs none, because it ends with the process."""

    diagnosis: Diagnosis
    remedies: Remedies
    missing_rights: tuple[str, ...]
    """Rights, by MongoDB's names, that the user lacks and that a newer version may need."""


AUDIT_DAYS = 365
"""Days for which the audit log is kept by default."""


async def open_store(
    uri: str, database: str, wrapping: Wrapping, clock: Clock, audit_days: int = AUDIT_DAYS
) -> MongoStore:
    """Connect, update schema and rules, settle erasures and their secrets, and return the ports.

    Raise `StoreUnavailable` for an outage. Raise `SettingsError` for a master key or secrets of another database, and
    for a user without the necessary rights, which it names.
    """
    connected = connect(uri, database)
    keys = DataKeys(connected, wrapping, clock)
    permissions, sightings = MongoPermissions(connected, keys), Sightings()
    try:
        await _require_replica_set(connected)
        missing = await require_rights(connected)
        await ensure_schema(connected, audit_days)
        await asyncio.to_thread(wrapping.secrets.prepare)
        await Settling(connected, keys, wrapping.secrets).settle(wrapping.gives_up)
        await permissions.migrate()
    except BaseException:
        connected.client.close()
        raise
    return MongoStore(
        inbox=MongoInbox(connected, keys, sightings),
        conversations=MongoConversations(connected, keys, sightings),
        versions=MongoVersions(connected, keys),
        files=MongoFiles(connected, keys),
        permissions=permissions,
        signals=MongoChangeFeed(connected, keys.forget, clock),
        places=MongoOnceFlags(connected, clock),
        pacing=MongoLedger(connected.get_collection(PACING, write_concern=WriteConcern(w=1))),
        limits=MongoLedger(connected[RATE_LIMITS]),
        upkeep=MongoUpkeep(connected, keys),
        generation=MongoGeneration(connected, keys, wrapping.secrets),
        diagnosis=Diagnosis(connected, keys),
        remedies=Remedies(connected, keys),
        missing_rights=missing,
        close=connected.client.close,
    )


@translate_errors
async def probe(uri: str, database: str) -> tuple[str, ...]:
    """Return the rights that the user lacks and a newer version may need. It writes nothing and needs no key.

    Raise `StoreUnavailable` for an outage, `SettingsError` if it is no replica set or lacks a necessary right.
    """
    connected = connect(uri, database)
    with closing(connected.client):
        await _require_replica_set(connected)
        return await require_rights(connected)


@translate_errors
async def is_leased(uri: str, database: str) -> bool:
    """Return True if a process works on a conversation, or died while it did. It writes nothing and needs no key."""
    connected = connect(uri, database)
    with closing(connected.client):
        return await has_lease(connected)


@translate_errors
async def drop_database(uri: str, database: str) -> None:
    """Drop a database. The demo uses this, which promises to keep nothing."""
    connected = connect(uri, database)
    with closing(connected.client):
        await connected.client.drop_database(database)


@translate_errors
async def _require_replica_set(database: Database) -> None:
    hello = await database.command("hello")
    if "setName" not in hello and hello.get("msg") != "isdbgrid":  # the answer of a sharded cluster's router
        raise SettingsError(
            "MONGODB_URI names a MongoDB that is no replica set, so writes could not be repeated safely: "
            "start it with --replSet and run rs.initiate() once."
        )
