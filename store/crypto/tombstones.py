"""Tombstones: the names of destroyed erasure secrets, kept for good in MongoDB and in their folder.

If either is restored from a copy, the other still knows. In MongoDB each is sealed with the canary's key, so that write
access to the database does not suffice to have secrets destroyed.
"""

from __future__ import annotations

from collections.abc import Collection as Several

from pymongo.errors import BulkWriteError

from store.crypto.cipher import SealingKey, build_associated_data
from store.crypto.erasure_secrets import ErasureSecrets
from store.database.connection import Collection, Database, Document, is_only_duplicates
from store.database.schema import SCHEMA_VERSION, TOMBSTONES

NO_TEAM = ""
"""Empty: a secret's name does not reveal its team either."""


class Tombstones:
    """The tombstones in both places."""

    def __init__(self, database: Database, secrets: ErasureSecrets) -> None:
        self._documents: Collection = database[TOMBSTONES]
        self._secrets = secrets

    async def bury(self, canary: SealingKey, names: Several[str]) -> None:
        """Write tombstones of these names in both places, then destroy the secrets. Idempotent."""
        await self._write(canary, names)
        await self._secrets.bury(names)

    async def reconcile(self, canary: SealingKey) -> frozenset[str]:
        """Reconcile both places, destroy secrets that were restored, and return the names of all tombstones."""
        kept, buried = await self._secrets.list_names(), await self._secrets.list_buried()
        known = {each["_id"]: each["sealed"] for each in await self._documents.find({}).to_list(None)}
        back = {name for name in known if name not in buried or name in kept}
        ours = {name for name in back if canary.opens(known[name], _build_place(name))}
        if destroyed := ours | (buried & kept):
            await self._secrets.bury(destroyed)
        if unknown := buried - known.keys():
            await self._write(canary, unknown)
        return frozenset(buried | ours)

    async def _write(self, canary: SealingKey, names: Several[str]) -> None:
        try:
            await self._documents.insert_many([_build_document(canary, name) for name in names], ordered=False)
        except BulkWriteError as error:
            if not is_only_duplicates(error):
                raise


def _build_document(canary: SealingKey, name: str) -> Document:
    sealed = canary.seal(b"", _build_place(name))
    return {"_id": name, "team": NO_TEAM, "schema_version": SCHEMA_VERSION, "sealed": sealed}


def _build_place(name: str) -> bytes:
    return build_associated_data(TOMBSTONES, name, "sealed")
