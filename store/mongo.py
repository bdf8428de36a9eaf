"""Opens the store over MongoDB."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pymongo import WriteConcern

from app.core.errors import SettingsError
from app.ports import Clock
from store.client import Database, connect, translated
from store.conversations import MongoConversations
from store.diagnosis import Diagnosis
from store.generation import MongoGeneration
from store.inbox import MongoInbox
from store.keys import DataKeys
from store.ledger import MongoLedger
from store.migrating import ensure_schema
from store.permissions import MongoPermissions
from store.places import MongoPlaces
from store.remedies import Remedies
from store.rights import require_rights
from store.schema import PACING, RATE_LIMITS
from store.settling import Settling
from store.signals import MongoSignals
from store.store import Store
from store.upkeep import MongoUpkeep
from store.versions import MongoVersions
from store.wrapping import Wrapping


@dataclass(frozen=True, slots=True, kw_only=True)
class MongoStore(Store):
    """The store, and what looks after what is stuck in it; its twin in memory ends with whoever might get stuck."""

    diagnosis: Diagnosis
    remedies: Remedies
    missing_rights: tuple[str, ...]
    """What its user may not do and a newer version may have to, by MongoDB's names."""


AUDIT_DAYS = 365
"""How long the audit trail is kept, if nothing else is said."""


async def open_store(
    uri: str, database: str, wrapping: Wrapping, clock: Clock, audit_days: int = AUDIT_DAYS
) -> MongoStore:
    """Connect, bring schema and rules up to date, settle erasures and their secrets, and return the ports.

    Raises `SettingsError`, also for another master key or other secrets than the database was begun with and for a user
    whom MongoDB refuses, with the rights that it lacks, and `StoreUnavailable`.
    """
    connected = connect(uri, database)
    keys = DataKeys(connected, wrapping, clock)
    permissions = MongoPermissions(connected, keys)
    try:
        await _require_replica_set(connected)
        missing = await require_rights(connected)
        await ensure_schema(connected, audit_days)
        await asyncio.to_thread(wrapping.secrets.prepare)
        await Settling(connected, keys, wrapping.secrets).settle(gives_up=wrapping.gives_up)
        await permissions.migrate()
    except BaseException:
        connected.client.close()
        raise
    return MongoStore(
        inbox=MongoInbox(connected, keys),
        conversations=MongoConversations(connected, keys),
        versions=MongoVersions(connected, keys),
        permissions=permissions,
        signals=MongoSignals(connected, keys.forget, clock),
        places=MongoPlaces(connected, clock),
        pacing=MongoLedger(connected.get_collection(PACING, write_concern=WriteConcern(w=1))),
        limits=MongoLedger(connected[RATE_LIMITS]),
        upkeep=MongoUpkeep(connected, keys),
        generation=MongoGeneration(connected, keys, wrapping.secrets),
        diagnosis=Diagnosis(connected, keys),
        remedies=Remedies(connected, keys),
        missing_rights=missing,
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
