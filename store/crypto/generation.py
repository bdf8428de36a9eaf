"""The generation of a database: a number kept in MongoDB and beside the erasure secrets, which only grows.

It is raised in MongoDB first. So the folder is ahead only if an older copy of the database was restored, wherever a
process dies. A database without keys has none: it contains nothing that could be repeated.
"""

from __future__ import annotations

from app.core.errors import SettingsError
from store.crypto.erasure_secrets import ErasureSecrets
from store.crypto.keys import CANARY, DataKeys
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import KEYS

PUT_BACK = (
    "THREADWISE_DATABASE names a database that was put back from an older copy: it would do again what is done. "
    "Run `threadwise restored` first; it says what it does."
)


class MongoGeneration:
    """Implementation of the `Generation` port over MongoDB and the folder of the secrets."""

    def __init__(self, database: Database, keys: DataKeys, secrets: ErasureSecrets) -> None:
        self._documents: Collection = database[KEYS]
        self._keys, self._secrets = keys, secrets

    @translate_errors
    async def advance(self) -> None:
        """See `Generation.advance`."""
        if not await self._keys.prove():
            return
        own = (await self._keys.canary()).id.hex()
        # In this order: another process may raise both in between, MongoDB first.
        known = await self._secrets.generation(own)
        not_older: Document = {"generation": {"$gte": known}} if known else {}
        raised: Document | None = await self._documents.find_one_and_update(
            {"_id": CANARY.id, "team": CANARY.team, **not_older}, {"$inc": {"generation": 1}}
        )
        if not raised:
            raise SettingsError(PUT_BACK)
        await self._secrets.raise_generation(own, raised.get("generation", 0) + 1)

    @translate_errors
    async def catch_up(self) -> None:
        """See `Generation.catch_up`."""
        if await self._keys.prove():
            known = await self._secrets.generation((await self._keys.canary()).id.hex())
            await self._documents.update_one({"_id": CANARY.id, "team": CANARY.team}, {"$max": {"generation": known}})
