"""Data keys: one for each conversation and one for a workspace's rules, kept sealed by the master key.

Whoever deletes a key erases what it sealed, everywhere at once and in every backup, after at most `CACHE` seconds.
"""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Collection as Several
from contextlib import suppress
from dataclasses import dataclass

from pymongo import ASCENDING, UpdateOne
from pymongo.errors import DuplicateKeyError

from app.core.errors import LostConversation, SettingsError
from app.core.model import Conversation
from app.ports import Clock
from store.cipher import KEY_BYTES, MasterKeys, SealBroken, SealingKey, place
from store.client import Collection, Database, Document, translated
from store.schema import KEYS, SCHEMA_VERSION
from store.store import Rotated

CACHE = 60.0
"""Seconds for which a key may be used without looking whether it still exists (design D13), and new ones made without
looking whether our master keys are still those of the database."""
BATCH = 500  # keys that are sealed anew in one write


class KeyErased(SealBroken):
    """There is no such key (any more)."""


@dataclass(frozen=True, slots=True)
class KeyName:
    """Which key."""

    team: str
    id: str

    @classmethod
    def of_conversation(cls, team: str, conversation: str) -> KeyName:
        """Name the key of a conversation: of its state, transcript, versions and inbox rows."""
        return cls(team, f"conversation:{conversation}")

    @classmethod
    def of_permissions(cls, team: str) -> KeyName:
        """Name the key of the rules that the people of a workspace have made."""
        return cls(team, f"permissions:{team}")

    @classmethod
    def of(cls, conversation: Conversation) -> KeyName:
        """Name the key of this conversation."""
        return cls.of_conversation(conversation.thread.team, conversation.id)


CANARY = KeyName("", "canary")
"""Seals nothing. It is made before the first key and sealed anew after the last, so whoever opens it opens them all.

Whoever makes keys with a master key that was replaced looks at it again within `CACHE` seconds, and makes no more.
"""


class DataKeys:
    """Finds, makes and erases data keys, and remembers them for a minute."""

    def __init__(self, database: Database, master_keys: MasterKeys, clock: Clock) -> None:
        self._documents: Collection = database[KEYS]
        self._master_keys = master_keys
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, SealingKey]] = OrderedDict()  # the next to be forgotten is the first
        self._proven_until = 0.0

    @translated
    async def prove(self) -> None:
        """Raise `SettingsError` if the master keys are not those of this database. An empty database takes any."""
        canary = await self._documents.find_one(_at(CANARY))
        if canary is None:
            return
        try:
            self._open(CANARY, canary)
        except SealBroken as error:
            raise SettingsError(
                "THREADWISE_MASTER_KEY is not the key that this database was begun with: set that one "
                "(`threadwise keys rotate --help` says how to replace it), or name another THREADWISE_DATABASE."
            ) from error
        self._proven_until = self._clock.monotonic() + CACHE

    async def existing(self, name: KeyName) -> SealingKey:
        """Return the key, to open with or to seal with. Raises `KeyErased`."""
        if key := self._cached(name) or await self._load(name):
            return key
        raise KeyErased(f"the key {name.id!r} does not exist")

    async def read_ahead(self, names: Several[KeyName]) -> None:
        """Read, in one query, which of these keys there are, so that none of them need be looked for by itself."""
        missing = {name.id: name for name in names if not self._cached(name)}
        if not missing:
            return
        where = {"_id": {"$in": [*missing]}, "team": {"$in": [*{name.team for name in missing.values()}]}}
        for document in await self._documents.find(where).to_list(None):
            with suppress(SealBroken):  # whoever asks for that key is told
                self._remember(missing[document["_id"]], document)

    async def of(self, conversation: Conversation) -> SealingKey:
        """Return the key of a conversation somebody works on. Raises `LostConversation` if it was erased meanwhile."""
        try:
            return await self.existing(KeyName.of(conversation))
        except KeyErased as error:
            raise LostConversation from error

    async def create(self, name: KeyName) -> SealingKey:
        """Make the key, or return the one that somebody else made first. Raises `SettingsError` as `prove` does."""
        if self._clock.monotonic() >= self._proven_until:
            await self._insert(CANARY)
            await self.prove()
        document = await self._insert(name)
        return self._remember(name, document) if document else await self.existing(name)

    async def erase(self, name: KeyName) -> None:
        """Delete the key: what it sealed is lost. Other processes may use it until they forget it."""
        await self._documents.delete_one(_at(name))
        self.forget(name.id)

    def forget(self, id_: str) -> None:
        """Look for the key with this id again before it is used."""
        self._cache.pop(id_, None)

    @translated
    async def rotate(self) -> Rotated:
        """Seal every key with the first master key. Values stay as they are; what was cut off is gone on with."""
        counts = await self._renew_all()
        if not counts["strange"]:
            await self._renew(await self._documents.find(_at(CANARY)).to_list(1))
            # Whoever has still the older key alone may have made some before the canary told them.
            while (late := await self._renew_all())["renewed"]:
                counts["renewed"] += late["renewed"]
            counts["strange"] = late["strange"]
        return Rotated(**counts)

    @translated
    async def unreadable(self) -> tuple[str, ...]:
        """Return the ids of the keys that none of our master keys opens."""
        found: list[str] = []
        async for document in self._documents.find({"_id": {"$ne": CANARY.id}}, sort=[("_id", ASCENDING)]):
            try:
                self._open(KeyName(document["team"], document["_id"]), document)
            except SealBroken:
                found.append(document["_id"])
        return tuple(found)

    async def _renew_all(self) -> Counter[str]:
        counts, last = Counter[str](), ""
        while batch := await self._documents.find(
            {"_id": {"$gt": last, "$ne": CANARY.id}}, sort=[("_id", ASCENDING)], limit=BATCH
        ).to_list(BATCH):
            counts += await self._renew(batch)
            last = batch[-1]["_id"]
        return counts

    async def _renew(self, documents: list[Document]) -> Counter[str]:
        old = [document for document in documents if not self._master_keys.is_current(document["sealed"])]
        counts = Counter(current=len(documents) - len(old))
        writes: list[UpdateOne] = []
        for document in old:
            name = KeyName(document["team"], document["_id"])
            try:
                secret = self._open(name, document)
            except SealBroken:
                counts["strange"] += 1
                continue
            # Only in place of what was read: a key that was erased meanwhile stays erased.
            writes.append(UpdateOne({**_at(name), "sealed": document["sealed"]}, {"$set": self._sealed(name, secret)}))
        if writes:
            result = await self._documents.bulk_write(writes, ordered=False)  # pyright: ignore[reportUnknownMemberType]: Motor's stub
            counts["renewed"] += result.modified_count
        return counts

    def _cached(self, name: KeyName) -> SealingKey | None:
        known_until, key = self._cache.get(name.id, (0.0, None))
        return key if self._clock.monotonic() < known_until else None

    async def _load(self, name: KeyName) -> SealingKey | None:
        document = await self._documents.find_one(_at(name))
        return self._remember(name, document) if document else None

    async def _insert(self, name: KeyName) -> Document | None:
        document = {**_at(name), "schema_version": SCHEMA_VERSION, **self._sealed(name, secrets.token_bytes(KEY_BYTES))}
        try:
            await self._documents.insert_one(document)
        except DuplicateKeyError:
            return None
        return document

    def _remember(self, name: KeyName, document: Document) -> SealingKey:
        key = SealingKey(self._open(name, document))
        now = self._clock.monotonic()
        self._cache[name.id] = (now + CACHE, key)
        self._cache.move_to_end(name.id)
        while next(iter(self._cache.values()))[0] <= now:
            self._cache.popitem(last=False)
        return key

    def _sealed(self, name: KeyName, secret: bytes) -> Document:
        return {"sealed": self._master_keys.seal(secret, place(KEYS, name.id, "sealed"))}

    def _open(self, name: KeyName, document: Document) -> bytes:
        return self._master_keys.open(document["sealed"], place(KEYS, name.id, "sealed"))


def _at(name: KeyName) -> Document:
    return {"_id": name.id, "team": name.team}
