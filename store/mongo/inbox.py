"""The inbox in MongoDB: each event once, under its receipt, on disk before Slack gets its acknowledgement.

A row is sealed with the key of its conversation and erased with it. It loses its content when it is done, and its
receipt 48 hours later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping
from dataclasses import asdict

import structlog
from pymongo import ASCENDING
from pymongo.errors import DuplicateKeyError

from app.core.events.heard import MessageDeleted, SlackEvent, find_initial_owner
from app.core.thread import ThreadKey
from app.ports import Acceptance, InboxRow, Queue
from store.crypto.cipher import SealBroken, SealingKey
from store.crypto.codec import EVENTS, UnknownShape
from store.crypto.keys import DataKeys, KeyErased, KeyName
from store.database.connection import Collection, Database, Document, limit_time, translate_errors
from store.database.schema import (
    CONVERSATIONS,
    HAS_CONTENT,
    INBOX,
    IS_OPEN,
    IS_PARKED,
    SCHEMA_VERSION,
    SET_ASIDE,
    RowState,
    build_deadline,
)
from store.mongo.documents import Sightings, find_or_begin

INTAKE_LIMIT = 1.5  # seconds; Slack waits 3 for its acknowledgement
CLOSED: list[Document] = [{"$set": {"state": RowState.DONE, "done_at": "$$NOW"}}, {"$unset": "sealed"}]
"""Update that reduces a row to its receipt, by which a late redelivery is recognised."""

PARKED: list[Document] = [{"$set": {"state": RowState.PARKED}}]
OLDEST_FIRST = [("ts", ASCENDING), ("_id", ASCENDING)]

RECEIPTS = 200
"""The last receipts of this process, whose second delivery is recognised without asking MongoDB."""

log = structlog.get_logger(__name__)


class OpenRows:
    """Reader of the open rows of threads."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[INBOX]
        self._keys = keys

    async def of(self, thread: ThreadKey) -> tuple[InboxRow, ...]:
        """See `Inbox.open_rows`."""
        return await self.open(await self._documents.find(_filter_open(thread), sort=OLDEST_FIRST).to_list(None))

    async def open(self, documents: Iterable[Document]) -> tuple[InboxRow, ...]:
        """Return the rows in these documents that can be read now. Park those that can never be decrypted."""
        rows = [await self._open(document) for document in documents]
        return tuple(row for row in rows if row)

    async def change(self, receipts: Several[str], change: list[Document]) -> None:
        """Change those of these rows that are open."""
        await self._documents.update_many({"_id": {"$in": [*receipts]}, **IS_OPEN}, change)

    async def _open(self, document: Document) -> InboxRow | None:
        receipt = document["_id"]
        try:
            key = await self._keys.find(KeyName.of_conversation(document["team"], document["conversation"]))
        except SealBroken:  # erased with its conversation, or not for our master keys: the next claim handles either
            return None
        try:
            event = EVENTS.open(key, document)
        except UnknownShape:
            log.warning("inbox_row_of_newer_version", receipt=receipt)
            await self.change((receipt,), SET_ASIDE)
            return None
        except SealBroken as error:
            log.error("inbox_row_unreadable", receipt=receipt, error=type(error).__name__)  # noqa: TRY400
            await self.change((receipt,), PARKED)
            return None
        return InboxRow(receipt=receipt, event=event, attempts=document["attempts"])


class MongoInbox:
    """Implementation of the `Inbox` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys, sightings: Sightings) -> None:
        self._sightings = sightings
        self._stored: deque[str] = deque(maxlen=RECEIPTS)
        self._documents: Collection = database[INBOX]
        self._rows = OpenRows(database, keys)
        self._conversations: Collection = database[CONVERSATIONS]
        self._keys = keys

    @translate_errors
    async def take_in(self, event: SlackEvent) -> Acceptance:
        """See `Inbox.take_in`. Takes at most 1.5 s.

        After a timeout the event may be stored nevertheless. Its redelivery is then a duplicate.
        """
        if event.receipt in self._stored:
            return Acceptance.DUPLICATE
        async with limit_time(INTAKE_LIMIT):
            if isinstance(event, MessageDeleted) and event.undone:
                await self._close_unheard(event)
            found = await self._conversation_of(event)
            if found is None:  # a message that may not begin a conversation was here before, or is taken back
                return Acceptance.DUPLICATE if find_initial_owner(event) else Acceptance.FOREIGN
            seen, key = found
            row: Document = {
                "_id": event.receipt,
                **asdict(event.thread),
                "schema_version": SCHEMA_VERSION,
                "conversation": seen["_id"],
                "ts": event.at,
                "state": RowState.OPEN,
                "attempts": 0,
            }
            row["sealed"] = EVENTS.seal(key, row, event)
            self._sightings.note(
                event.thread, seen, row
            )  # before: the change feed may tell of it before MongoDB answers
            try:
                await self._documents.insert_one(row)
            except BaseException as error:
                self._sightings.take(event.thread, event.receipt)
                if isinstance(error, DuplicateKeyError):
                    return Acceptance.DUPLICATE
                raise
            self._stored.append(event.receipt)
            return Acceptance.NEW

    @translate_errors
    async def open_rows(self, thread: ThreadKey) -> tuple[InboxRow, ...]:
        """See `Inbox.open_rows`."""
        return await self._rows.of(thread)

    @translate_errors
    async def close_rows(self, receipts: Several[str]) -> None:
        """See `Inbox.done`."""
        await self._rows.change(receipts, CLOSED)

    @translate_errors
    async def count_failure(self, thread: ThreadKey, seconds: float) -> Mapping[str, int]:
        """See `Inbox.count_failure`."""
        failed: Document = {"attempts": {"$add": ["$attempts", 1]}, "hidden_until": build_deadline(seconds)}
        await self._documents.update_many(_filter_open(thread), [{"$set": failed}])
        rows = await self._documents.find(_filter_open(thread), {"attempts": 1}).to_list(None)
        return {row["_id"]: row["attempts"] for row in rows}

    @translate_errors
    async def park(self, receipts: Several[str]) -> None:
        """See `Inbox.park`."""
        await self._rows.change(receipts, PARKED)

    @translate_errors
    async def queue(self, team: str) -> Queue:
        """See `Inbox.queue`. Reads three indexes that hold no finished rows."""
        rows, open_, parked = self._documents, {"team": team, **IS_OPEN}, {"team": team, **IS_PARKED}
        oldest = await rows.find_one(open_, {"ts": 1}, sort=[("ts", 1), ("_id", 1)])
        return Queue(
            open=await rows.count_documents(open_),
            parked=await rows.count_documents(parked),
            oldest=oldest["ts"] if oldest else "",
        )

    async def _close_unheard(self, event: MessageDeleted) -> None:
        """Close the receipt of the deleted message, unless it is here: one that comes later has been taken back."""
        row: Document = {
            **asdict(event.thread),
            "schema_version": SCHEMA_VERSION,
            "conversation": "",
            "ts": event.ts,
            "state": RowState.DONE,
            "attempts": 0,
            "done_at": "$$NOW",
        }
        is_new = {"$eq": [{"$type": "$state"}, "missing"]}
        closed = {"$cond": [is_new, {"_id": event.undone, **row}, "$$ROOT"]}
        await self._documents.update_one({"_id": event.undone}, [{"$replaceWith": closed}], upsert=True)

    async def _conversation_of(self, event: SlackEvent, lost: str = "") -> tuple[Document, SealingKey] | None:
        """Return what was seen of the conversation that an event belongs to, and its key; None if there is none.

        Raise `SealBroken` if that conversation's key is lost, or cannot be opened with the master keys.
        """
        owner = find_initial_owner(event)
        found = await find_or_begin(self._conversations, self._keys, event.thread, owner, event.receipt)
        if found is None:
            return None
        try:
            return found, await self._keys.find(KeyName.of_conversation(event.thread.team, found["_id"]))
        except KeyErased:
            if found["_id"] == lost:
                raise
            return await self._conversation_of(event, lost=found["_id"])  # it was erased just now


def _filter_open(thread: ThreadKey) -> Document:
    return {**asdict(thread), **IS_OPEN, **HAS_CONTENT}
