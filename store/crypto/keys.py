"""Data keys: one per conversation and one for a workspace's rules, each wrapped twice (`store.crypto.wrapping`).

Destroying the secret of a key erases everything that it sealed, in the database and in every backup. A process that
knows the key uses it for at most `CACHE` seconds more.
"""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from collections.abc import Collection as Several
from contextlib import suppress
from dataclasses import dataclass

from pymongo import ASCENDING, UpdateOne
from pymongo.errors import DuplicateKeyError

from app.core.conversation.conversation import Conversation
from app.core.errors import LostConversation, SettingsError
from app.ports import Clock
from app.ports.store import Rotated
from store.crypto.cipher import KEY_BYTES, SealBroken, SealingKey
from store.crypto.tombstones import Tombstones
from store.crypto.wrapping import Wrapping, Wraps
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import KEYS, SCHEMA_VERSION

CACHE = 60.0
"""Seconds for which a key is used without checking that it still exists. New keys are made for as long without checking
that our master keys are still those of the database."""
BATCH = 500  # keys that are sealed anew in one write


class KeyErased(SealBroken):
    """There is no such key (any more)."""


@dataclass(frozen=True, slots=True)
class KeyName:
    """Name of a data key."""

    team: str
    id: str

    @classmethod
    def of_conversation(cls, team: str, conversation: str) -> KeyName:
        """Return the name of the key of a conversation: of its state, transcript, versions and inbox rows."""
        return cls(team, f"conversation:{conversation}")

    @classmethod
    def of_permissions(cls, team: str) -> KeyName:
        """Return the name of the key of a workspace's permission rules."""
        return cls(team, f"permissions:{team}")

    @classmethod
    def of(cls, conversation: Conversation) -> KeyName:
        """Return the name of this conversation's key."""
        return cls.of_conversation(conversation.thread.team, conversation.id)


CANARY = KeyName("", "canary")
"""A key that seals no content and has no secret. It is made before the first key and sealed anew after the last, so a
master key that opens it opens them all. A process that makes keys with a replaced master key checks it within `CACHE`
seconds, and then stops. It never changes: from it the names of secrets are derived, and it seals erasures."""


class DataKeys:
    """Finder, maker and eraser of data keys, with a cache of a minute."""

    def __init__(self, database: Database, wrapping: Wrapping, clock: Clock) -> None:
        self._documents: Collection = database[KEYS]
        self._wraps, self._master_keys = Wraps(wrapping.master_keys), wrapping.master_keys
        self._secrets = wrapping.secrets
        self._tombstones = Tombstones(database, wrapping.secrets)
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, SealingKey]] = OrderedDict()  # the next to expire is the first
        self._proven_until = 0.0
        self._canary: SealingKey | None = None

    @translate_errors
    async def prove(self) -> bool:
        """Raise `SettingsError` if the master keys are not this database's.

        Return False if the database is empty: it accepts any.
        """
        canary = await self._documents.find_one(_filter_key(CANARY))
        if canary is None:
            return False
        try:
            self._canary = SealingKey(self._wraps.unwrap(canary, {}, ""))
        except SealBroken as error:
            raise SettingsError(
                "THREADWISE_MASTER_KEY is not the key that this database was begun with: set that one "
                "(`threadwise keys rotate --help` says how to replace it), or name another THREADWISE_DATABASE."
            ) from error
        self._proven_until = self._clock.monotonic() + CACHE
        return True

    async def canary(self) -> SealingKey:
        """Return the canary's key, which is read once. Raise `KeyErased` if the database has no keys yet."""
        self._canary = self._canary or await self.find(CANARY)
        return self._canary

    async def find(self, name: KeyName) -> SealingKey:
        """Return the key, to open or to seal with. Raise `KeyErased`."""
        if key := self._recall(name) or await self._load(name):
            return key
        raise KeyErased(f"the key {name.id!r} does not exist")

    async def read_ahead(self, names: Several[KeyName]) -> None:
        """Read these keys into the cache in one query, so that none of them is read by itself."""
        missing = {name.id: name for name in names if not self._recall(name)}
        if not missing:
            return
        where = {"_id": {"$in": [*missing]}, "team": {"$in": [*{name.team for name in missing.values()}]}}
        if not (documents := await self._documents.find(where).to_list(None)):
            return
        canary = await self.canary()
        names = {document["_id"]: name_secret(canary, missing[document["_id"]]) for document in documents}
        found = await self._secrets.read(names.values())
        for document in documents:
            id_ = document["_id"]
            with suppress(SealBroken):  # reported when that key is requested
                self._remember(missing[id_], self._wraps.unwrap(document, found, names[id_]))

    async def of(self, conversation: Conversation) -> SealingKey:
        """Return the key of a conversation that is being worked on.

        Raise `LostConversation` if it was erased meanwhile.
        """
        try:
            return await self.find(KeyName.of(conversation))
        except KeyErased as error:
            raise LostConversation from error

    async def create(self, name: KeyName) -> SealingKey:
        """Make the key, or return the one that another process made first. Raise `SettingsError` as `prove` does."""
        if self._clock.monotonic() >= self._proven_until and not await self.prove():
            await self._insert({**_filter_key(CANARY), **self._wraps.around(CANARY.id, secrets.token_bytes(KEY_BYTES))})
            await self.prove()
        own = name_secret(await self.canary(), name)
        made = await self._secrets.make((own,))
        if own not in made:
            raise KeyErased(f"the key {name.id!r} was erased")
        key = secrets.token_bytes(KEY_BYTES)
        is_ours = await self._insert({**_filter_key(name), **self._wraps.wrap(name.id, key, made[own])})
        return self._remember(name, key) if is_ours else await self.find(name)

    async def erase(self, name: KeyName) -> None:
        """Destroy the key and, with it, everything that it sealed.

        Other processes may use it until their cache expires. The order is tombstone, secret, key, so that an
        interrupted erasure can be repeated.
        """
        with suppress(KeyErased):  # without a canary there is no key
            canary = await self.canary()
            await self._tombstones.bury(canary, (name_secret(canary, name),))
        await self.drop(name)

    async def drop(self, name: KeyName) -> bool:
        """Delete the document of a key but not its secret: a copy of the document still opens what it sealed."""
        gone = await self._documents.delete_one(_filter_key(name))
        self.forget(name.id)
        return gone.deleted_count > 0

    def forget(self, id_: str) -> None:
        """Remove the key with this id from the cache."""
        self._cache.pop(id_, None)

    @translate_errors
    async def rotate(self) -> Rotated:
        """Seal every key with the first master key. Values stay as they are. An interrupted rotation is resumed."""
        counts = await self._renew_all()
        if not counts["strange"]:
            await self._renew(await self._documents.find(_filter_key(CANARY)).to_list(1))
            # A process with only the older master key may have made keys before the new canary stopped it.
            while (late := await self._renew_all())["renewed"]:
                counts["renewed"] += late["renewed"]
            counts["strange"] = late["strange"]
        return Rotated(**counts)

    @translate_errors
    async def unreadable(self) -> tuple[str, ...]:
        """Return the ids of the keys that none of our master keys opens."""
        found: list[str] = []
        async for document in self._documents.find({"_id": {"$ne": CANARY.id}}, sort=[("_id", ASCENDING)]):
            try:
                self._wraps.within(document)
            except SealBroken:
                found.append(document["_id"])
        return tuple(found)

    @translate_errors
    async def give_secrets(self) -> Counter[str]:
        """Wrap the keys that were made before there were secrets. An interrupted call is resumed.

        Returns the number of keys `given` one, and of `strange` keys: none of the master keys opens these, and they
        still have no secret.
        """
        canary, counts = await self.canary(), Counter[str]()
        async for batch in self._batches({"has_secret": {"$ne": True}}):
            counts += await self._give(canary, batch)
        return counts

    async def _give(self, canary: SealingKey, documents: list[Document]) -> Counter[str]:
        names = {document["_id"]: name_secret(canary, read_key_name(document)) for document in documents}
        made = await self._secrets.make(names.values())
        counts, writes = Counter[str](), list[UpdateOne]()
        for document in documents:
            id_ = document["_id"]
            try:
                key = self._wraps.unwrap({**document, "has_secret": False}, {}, "")
            except SealBroken:
                counts["strange"] += 1
                continue
            if names[id_] in made:  # otherwise it was erased just now
                writes.append(_replace_key(document, self._wraps.wrap(id_, key, made[names[id_]])))
        counts["given"] = await self._write(writes)
        return counts

    async def _renew_all(self) -> Counter[str]:
        counts = Counter[str]()
        async for batch in self._batches({}):
            counts += await self._renew(batch)
        return counts

    async def _batches(self, where: Document) -> AsyncIterator[list[Document]]:
        """Yield all keys but the canary, in order."""
        last = ""
        while batch := await self._documents.find(
            {"_id": {"$gt": last, "$ne": CANARY.id}, **where}, sort=[("_id", ASCENDING)], limit=BATCH
        ).to_list(BATCH):
            yield batch
            last = batch[-1]["_id"]

    async def _renew(self, documents: list[Document]) -> Counter[str]:
        old = [document for document in documents if not self._master_keys.is_current(document["sealed"])]
        counts, writes = Counter(current=len(documents) - len(old)), list[UpdateOne]()
        for document in old:
            try:
                inner = self._wraps.within(document)
            except SealBroken:
                counts["strange"] += 1
                continue
            writes.append(_replace_key(document, self._wraps.around(document["_id"], inner)))
        counts["renewed"] = await self._write(writes)
        return counts

    async def _write(self, writes: list[UpdateOne]) -> int:
        if not writes:
            return 0
        return (await self._documents.bulk_write(writes, ordered=False)).modified_count  # pyright: ignore[reportUnknownMemberType]: Motor's stub

    def _recall(self, name: KeyName) -> SealingKey | None:
        known_until, key = self._cache.get(name.id, (0.0, None))
        return key if self._clock.monotonic() < known_until else None

    async def _load(self, name: KeyName) -> SealingKey | None:
        document = await self._documents.find_one(_filter_key(name))
        if document is None:
            return None
        if not document.get("has_secret"):
            return self._remember(name, self._wraps.unwrap(document, {}, ""))
        own = name_secret(await self.canary(), name)
        try:
            return self._remember(name, self._wraps.unwrap(document, await self._secrets.read((own,)), own))
        except SealBroken:
            if await self._secrets.is_buried(own):  # erased just now
                return None
            raise

    async def _insert(self, document: Document) -> bool:
        """Return False if another process was first."""
        try:
            await self._documents.insert_one({**document, "schema_version": SCHEMA_VERSION})
        except DuplicateKeyError:
            return False
        return True

    def _remember(self, name: KeyName, key: bytes) -> SealingKey:
        found = SealingKey(key)
        now = self._clock.monotonic()
        self._cache[name.id] = (now + CACHE, found)
        self._cache.move_to_end(name.id)
        while next(iter(self._cache.values()))[0] <= now:
            self._cache.popitem(last=False)
        return found


def name_secret(canary: SealingKey, name: KeyName) -> str:
    """Return the name of a key's secret. Without the master key, it reveals nothing."""
    return canary.digest(f"erasure secret|{name.team}|{name.id}".encode()).hex()


def read_key_name(document: Document) -> KeyName:
    """Return the name of the key in a document."""
    return KeyName(document["team"], document["_id"])


def read_conversation_id(name: KeyName) -> str | None:
    """Return the id of the conversation of a key; None for a key of rules."""
    kind, _, id_ = name.id.partition(":")
    return id_ if kind == "conversation" else None


def _replace_key(document: Document, fields: Document) -> UpdateOne:
    """Replace a key only if it is still the one that was read, so that an erased one stays erased."""
    return UpdateOne({"_id": document["_id"], "team": document["team"], "sealed": document["sealed"]}, {"$set": fields})


def _filter_key(name: KeyName) -> Document:
    return {"_id": name.id, "team": name.team}
