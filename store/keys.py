"""Data keys: one for each conversation and one for a workspace's rules, each wrapped twice (`store.wrapping`).

Whoever destroys the secret of a key erases what it sealed, everywhere at once and in every backup of the database;
processes that know the key use it for `CACHE` seconds more at most.
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

from app.core.errors import LostConversation, SettingsError
from app.core.model import Conversation
from app.ports import Clock
from store.cipher import KEY_BYTES, SealBroken, SealingKey
from store.client import Collection, Database, Document, translated
from store.schema import KEYS, SCHEMA_VERSION
from store.store import Rotated
from store.tombstones import Tombstones
from store.wrapping import Wrapping, Wraps

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
"""Seals nothing that anybody wrote, and has no secret. It is made before the first key and sealed anew after the last,
so whoever opens it opens them all.

Whoever makes keys with a master key that was replaced looks at it again within `CACHE` seconds, and makes no more. It
stays the same for as long as there is the database: by it secrets are named, and erasures sealed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """How many keys were given secrets."""

    given: int = 0
    strange: int = 0
    """Those that none of the master keys opens: they have none still."""


class DataKeys:
    """Finds, makes and erases data keys, and remembers them for a minute."""

    def __init__(self, database: Database, wrapping: Wrapping, clock: Clock) -> None:
        self._documents: Collection = database[KEYS]
        self._wraps, self._master_keys = Wraps(wrapping.master_keys), wrapping.master_keys
        self._secrets = wrapping.secrets
        self._tombstones = Tombstones(database, wrapping.secrets)
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, SealingKey]] = OrderedDict()  # the next to be forgotten is the first
        self._proven_until = 0.0
        self._canary: SealingKey | None = None

    @translated
    async def prove(self) -> bool:
        """Raise `SettingsError` if the master keys are not this database's. False if it is empty: it takes any."""
        canary = await self._documents.find_one(_at(CANARY))
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
        """Return the canary's key, which is read once. Raises `KeyErased` if there is none, and so no other."""
        self._canary = self._canary or await self.existing(CANARY)
        return self._canary

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
        if not (documents := await self._documents.find(where).to_list(None)):
            return
        canary = await self.canary()
        names = {document["_id"]: secret_of(canary, missing[document["_id"]]) for document in documents}
        found = await self._secrets.read(names.values())
        for document in documents:
            id_ = document["_id"]
            with suppress(SealBroken):  # whoever asks for that key is told
                self._remember(missing[id_], self._wraps.unwrap(document, found, names[id_]))

    async def of(self, conversation: Conversation) -> SealingKey:
        """Return the key of a conversation somebody works on. Raises `LostConversation` if it was erased meanwhile."""
        try:
            return await self.existing(KeyName.of(conversation))
        except KeyErased as error:
            raise LostConversation from error

    async def create(self, name: KeyName) -> SealingKey:
        """Make the key, or return the one that somebody else made first. Raises `SettingsError` as `prove` does."""
        if self._clock.monotonic() >= self._proven_until and not await self.prove():
            await self._insert({**_at(CANARY), **self._wraps.around(CANARY.id, secrets.token_bytes(KEY_BYTES))})
            await self.prove()
        own = secret_of(await self.canary(), name)
        made = await self._secrets.make((own,))
        if own not in made:
            raise KeyErased(f"the key {name.id!r} was erased")
        key = secrets.token_bytes(KEY_BYTES)
        is_ours = await self._insert({**_at(name), **self._wraps.wrap(name.id, key, made[own])})
        return self._remember(name, key) if is_ours else await self.existing(name)

    async def erase(self, name: KeyName) -> None:
        """Destroy the key: what it sealed is lost. Other processes may use it until they forget it.

        First a tombstone, then the secret goes, then the key: what was broken off can be done again.
        """
        with suppress(KeyErased):  # without a canary there is no key
            canary = await self.canary()
            await self._tombstones.bury(canary, (secret_of(canary, name),))
        await self.drop(name)

    async def drop(self, name: KeyName) -> bool:
        """Delete the document of a key and leave its secret: what it sealed opens again with a copy of the document."""
        gone = await self._documents.delete_one(_at(name))
        self.forget(name.id)
        return gone.deleted_count > 0

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
                self._wraps.within(document)
            except SealBroken:
                found.append(document["_id"])
        return tuple(found)

    @translated
    async def give_secrets(self) -> Given:
        """Wrap the keys that are from before there were secrets. What was broken off is gone on with."""
        canary, counts = await self.canary(), Counter[str]()
        async for batch in self._batches({"has_secret": {"$ne": True}}):
            counts += await self._give(canary, batch)
        return Given(**counts)

    async def _give(self, canary: SealingKey, documents: list[Document]) -> Counter[str]:
        names = {document["_id"]: secret_of(canary, name_of(document)) for document in documents}
        made = await self._secrets.make(names.values())
        counts, writes = Counter[str](), list[UpdateOne]()
        for document in documents:
            id_ = document["_id"]
            try:
                key = self._wraps.unwrap({**document, "has_secret": False}, {}, "")
            except SealBroken:
                counts["strange"] += 1
                continue
            if names[id_] in made:  # else it was erased just now
                writes.append(_instead(document, self._wraps.wrap(id_, key, made[names[id_]])))
        counts["given"] = await self._write(writes)
        return counts

    async def _renew_all(self) -> Counter[str]:
        counts = Counter[str]()
        async for batch in self._batches({}):
            counts += await self._renew(batch)
        return counts

    async def _batches(self, where: Document) -> AsyncIterator[list[Document]]:
        """Give all keys but the canary, in order."""
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
            writes.append(_instead(document, self._wraps.around(document["_id"], inner)))
        counts["renewed"] = await self._write(writes)
        return counts

    async def _write(self, writes: list[UpdateOne]) -> int:
        if not writes:
            return 0
        return (await self._documents.bulk_write(writes, ordered=False)).modified_count  # pyright: ignore[reportUnknownMemberType]: Motor's stub

    def _cached(self, name: KeyName) -> SealingKey | None:
        known_until, key = self._cache.get(name.id, (0.0, None))
        return key if self._clock.monotonic() < known_until else None

    async def _load(self, name: KeyName) -> SealingKey | None:
        document = await self._documents.find_one(_at(name))
        if document is None:
            return None
        if not document.get("has_secret"):
            return self._remember(name, self._wraps.unwrap(document, {}, ""))
        own = secret_of(await self.canary(), name)
        try:
            return self._remember(name, self._wraps.unwrap(document, await self._secrets.read((own,)), own))
        except SealBroken:
            if await self._secrets.is_buried(own):  # just now
                return None
            raise

    async def _insert(self, document: Document) -> bool:
        """False if somebody else was first."""
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


def secret_of(canary: SealingKey, name: KeyName) -> str:
    """Return the name of the secret of a key. It tells nothing to whoever lacks the master key."""
    return canary.digest(f"erasure secret|{name.team}|{name.id}".encode()).hex()


def name_of(document: Document) -> KeyName:
    """Return which key a document of this collection holds."""
    return KeyName(document["team"], document["_id"])


def conversation_of(name: KeyName) -> str | None:
    """Return the id of the conversation that a key is of; None for that of rules."""
    kind, _, id_ = name.id.partition(":")
    return id_ if kind == "conversation" else None


def _instead(document: Document, fields: Document) -> UpdateOne:
    """Change a key only in place of what was read: one that was erased meanwhile stays erased."""
    return UpdateOne({"_id": document["_id"], "team": document["team"], "sealed": document["sealed"]}, {"$set": fields})


def _at(name: KeyName) -> Document:
    return {"_id": name.id, "team": name.team}
