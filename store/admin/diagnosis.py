"""Diagnosis of what is stuck in the database, without leasing or changing anything.

Reports ids, times and counts. A conversation is decrypted only to count what it waits for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from app.core.conversation.conversation import Conversation
from app.core.conversation.transition import parse_ts
from app.core.state.status import Status
from app.core.thread import ThreadKey
from store.crypto.cipher import SealBroken
from store.crypto.codec import VERSIONS
from store.crypto.document_marks import WITH_MARK, require_new
from store.crypto.keys import DataKeys, KeyErased, KeyName
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import CONVERSATIONS, EXTRACTIONS, INBOX, IS_OPEN, IS_PARKED
from store.mongo.conversations import WITHOUT_TRAIL
from store.mongo.documents import IS_CURRENT, filter_document, open_document, read_open_fields

LONG = timedelta(minutes=10)
"""Longer than the longest turn with all its retries: an event that is older is no longer being handled."""
DEAD = timedelta(minutes=1)
"""A lease lasts seconds, and a living holder renews it. One that ended so long ago was left by a dead process."""
PAGE = 200  # documents that are read at a time, with their keys


class Trouble(StrEnum):
    """The kinds of stuck or broken items."""

    PARKED = "parked"
    WAITING = "waiting"
    UNPERFORMED = "unperformed"
    UNSAID = "unsaid"
    FAILING = "failing"
    HELD = "held"
    OVERDUE = "overdue"
    CONVERSATION_UNREADABLE = "conversation_unreadable"
    VERSION_UNREADABLE = "version_unreadable"
    KEY_UNREADABLE = "key_unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A stuck item. `id` is that of the inbox row, the conversation, the version or the key."""

    trouble: Trouble
    id: str
    thread: ThreadKey | None = None
    since: datetime | None = None
    count: int = 0
    """Failed attempts, waiting effects, or undelivered replies and cards."""


class Diagnosis:
    """Search for stuck items in a database."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._database, self._keys = database, keys
        self._inbox: Collection = database[INBOX]
        self._conversations: Collection = database[CONVERSATIONS]
        self._versions: Collection = database[EXTRACTIONS]

    @translate_errors
    async def cases(self) -> tuple[Case, ...]:
        """Return all stuck items, by the server's clock. Reads every conversation and every version."""
        now = (await self._database.command("hello"))["localTime"].replace(tzinfo=UTC)
        found = [case async for case in self._rows(now)]
        found += [case async for case in self._held_or_overdue(now)]
        found += [case async for case in self._of_states(now)]
        found += [case async for case in self._unreadable_versions()]
        keys = await self._keys.unreadable()
        return (*found, *(Case(trouble=Trouble.KEY_UNREADABLE, id=id_) for id_ in keys))

    async def _rows(self, now: datetime) -> AsyncIterator[Case]:
        long_ago = f"{(now - LONG).timestamp():.6f}"  # like a ts: of fixed length, so that it compares as text
        for trouble, which in ((Trouble.PARKED, IS_PARKED), (Trouble.WAITING, {**IS_OPEN, "ts": {"$lt": long_ago}})):
            async for row in self._inbox.find(which, {"sealed": 0}, sort=[("ts", 1)]):
                yield Case(
                    trouble=trouble,
                    id=row["_id"],
                    thread=ThreadKey(team=row["team"], channel=row["channel"], root=row["root"]),
                    since=parse_ts(row["ts"]),
                    count=row["attempts"],
                )

    async def _held_or_overdue(self, now: datetime) -> AsyncIterator[Case]:
        held: Document = {"holder": {"$exists": True}, "lease_until": {"$lt": now - DEAD}}
        overdue: Document = {"next_run_at": {"$lt": now - LONG}}
        for trouble, which, since in (
            (Trouble.HELD, held, "lease_until"),
            (Trouble.OVERDUE, overdue, "next_run_at"),
        ):
            async for document in self._conversations.find({**IS_CURRENT, **which}, WITHOUT_TRAIL, sort=[(since, 1)]):
                yield _build_case(trouble, document, document[since])

    async def _of_states(self, now: datetime) -> AsyncIterator[Case]:
        """Find what only the sealed state shows. A conversation with open rows or a holder proceeds by itself."""
        goes_on = {*await self._inbox.distinct("conversation", IS_OPEN)}
        async for document in self._pages(self._conversations, IS_CURRENT):
            try:
                state = await open_document(self._keys, document)
            except SealBroken:
                if await self._conversations.find_one(
                    {**filter_document(read_open_fields(document)), **IS_CURRENT}, {"_id": 1}
                ):
                    yield _build_case(Trouble.CONVERSATION_UNREADABLE, document, document.get("active_at"))
                continue
            if state.failures:
                yield _build_case(Trouble.FAILING, document, document.get("active_at"), state.failures)
            if state.effects and state.id not in goes_on and _has_rested_since(document, now - LONG):
                yield _build_case(Trouble.UNPERFORMED, document, document.get("active_at"), len(state.effects))
            if state.unsaid and state.status is not Status.ARCHIVED:  # no one waits for a reply in the archive
                yield _build_case(Trouble.UNSAID, document, document.get("active_at"), len(state.unsaid))

    async def _unreadable_versions(self) -> AsyncIterator[Case]:
        async for document in self._pages(self._versions, {}):
            try:
                key = await self._keys.find(_name_key(document))
                require_new(key, document, VERSIONS.open_numbered(key, document)[1])
            except KeyErased:  # erased with its step
                continue
            except SealBroken:
                yield Case(trouble=Trouble.VERSION_UNREADABLE, id=document["_id"], since=document["approved_at"])

    async def _pages(self, documents: Collection, which: Document) -> AsyncIterator[Document]:
        """Yield documents sealed with keys of conversations, reading the keys of a page at once."""
        cursor = documents.aggregate([{"$match": which}, {"$project": WITHOUT_TRAIL}, WITH_MARK])
        while page := await cursor.to_list(PAGE):
            await self._keys.read_ahead({_name_key(document) for document in page})
            for document in page:
                yield document


async def has_lease(database: Database) -> bool:
    """Return True if a lease is in force: its holder works, or died within the length of a lease."""
    held: Document = {"holder": {"$exists": True}, "$expr": {"$gt": ["$lease_until", "$$NOW"]}}
    return await database[CONVERSATIONS].find_one({**IS_CURRENT, **held}, {"_id": 1}) is not None


def _has_rested_since(document: Document, time: datetime) -> bool:
    return document["lease_until"] < time and document["active_at"] < time


def _build_case(trouble: Trouble, document: Document, since: datetime | None, count: int = 0) -> Case:
    state: Conversation = read_open_fields(document)
    return Case(trouble=trouble, id=state.id, thread=state.thread, since=since, count=count)


def _name_key(document: Document) -> KeyName:
    """Return the key name of a conversation's document, or of a version's."""
    return KeyName.of_conversation(document["team"], document.get("conversation", document["_id"]))
