"""Data keys: one for each conversation and one for each workspace, kept sealed by the master key.

Whoever deletes a key erases what it sealed, everywhere at once and in every backup, after at most `CACHE` seconds.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from pymongo.errors import DuplicateKeyError

from app.ports import Clock
from store.cipher import KEY_BYTES, MasterKeys, SealBroken, SealingKey, place
from store.client import Collection, Database, Document
from store.schema import KEYS, SCHEMA_VERSION

CACHE = 60.0  # seconds a key may be used without looking whether it still exists (design D13)


@dataclass(frozen=True, slots=True)
class KeyName:
    """Which key. Workspace keys seal what has no conversation yet."""

    team: str
    id: str

    @classmethod
    def of_workspace(cls, team: str) -> KeyName:
        """Name the key of the inbox of a workspace."""
        return cls(team, f"workspace:{team}")

    @classmethod
    def of_conversation(cls, team: str, conversation: str) -> KeyName:
        """Name the key of a conversation and its transcript."""
        return cls(team, f"conversation:{conversation}")


class DataKeys:
    """Finds and makes data keys, and remembers them for a minute."""

    def __init__(self, database: Database, master_keys: MasterKeys, clock: Clock) -> None:
        self._documents: Collection = database[KEYS]
        self._master_keys = master_keys
        self._clock = clock
        self._cache: dict[KeyName, tuple[float, SealingKey]] = {}

    async def existing(self, name: KeyName) -> SealingKey:
        """Return the key, to open with. Raises `SealBroken` if there is none."""
        if key := self._cached(name) or await self._load(name):
            return key
        raise SealBroken(f"the key {name.id!r} does not exist")

    async def obtain(self, name: KeyName) -> SealingKey:
        """Return the key, to seal with; make it if there is none. All who race to make it get the same one."""
        return self._cached(name) or await self._load(name) or await self._create(name)

    def _cached(self, name: KeyName) -> SealingKey | None:
        known_until, key = self._cache.get(name, (0.0, None))
        return key if self._clock.monotonic() < known_until else None

    async def _load(self, name: KeyName) -> SealingKey | None:
        document = await self._documents.find_one({"_id": name.id, "team": name.team})
        return self._remember(name, document) if document else None

    async def _create(self, name: KeyName) -> SealingKey:
        wrapped = self._master_keys.seal(secrets.token_bytes(KEY_BYTES), place(KEYS, name.id, "sealed"))
        document: Document = {"_id": name.id, "team": name.team, "schema_version": SCHEMA_VERSION, "sealed": wrapped}
        try:
            await self._documents.insert_one(document)
        except DuplicateKeyError:
            return await self.existing(name)
        return self._remember(name, document)

    def _remember(self, name: KeyName, document: Document) -> SealingKey:
        key = SealingKey(self._master_keys.open(document["sealed"], place(KEYS, name.id, "sealed")))
        now = self._clock.monotonic()
        self._cache = {n: entry for n, entry in self._cache.items() if entry[0] > now}
        self._cache[name] = (now + CACHE, key)
        return key
