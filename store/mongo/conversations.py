"""Conversations in MongoDB: each document with its transcript, lease and audit, and lists of those that stand open."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TypeAlias

from pymongo import ASCENDING, DESCENDING, ReturnDocument

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.errors import LostConversation
from app.core.state.status import Status
from app.core.thread import ThreadKey
from app.ports import Claimed
from store.crypto.cipher import SealBroken, SealingKey
from store.crypto.codec import STATES, UndecryptableLog
from store.crypto.document_marks import WITH_MARK
from store.crypto.keys import DataKeys, KeyName
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import CONVERSATIONS
from store.mongo.audit_log import append_events
from store.mongo.claims import Claims
from store.mongo.documents import (
    IS_CURRENT,
    NOT_LISTED,
    Sightings,
    build_listed_fields,
    build_open_fields,
    build_saved,
    filter_document,
    filter_held,
    open_document,
    read_open_fields,
)
from store.mongo.erasing import Erasing
from store.mongo.transcript import MessageRows

WITHOUT_TRAIL: Document = {"trail": 0}
Order: TypeAlias = Sequence[tuple[str, int]]
NEWEST_FIRST: Order = [("active_at", DESCENDING), ("root", DESCENDING)]
OLDEST_FIRST: Mapping[str, Order] = {
    field: [(field, ASCENDING), ("root", ASCENDING)] for field in ("quiet_from", "next_run_at", "active_at", "ends_at")
}


def filter_by_owner(team: str, owner: str) -> Document:
    """Return the filter for a person's conversations."""
    return {"team": team, "owner": owner, **IS_CURRENT}


def filter_until(team: str, field: str, moment: datetime) -> Document:
    """Return the filter for conversations in which the time of a field has come. Other documents lack the field."""
    return {"team": team, field: {"$lte": moment}}


def filter_silent(team: str, moment: datetime) -> Document:
    """Return the filter for open conversations without a schedule and without a message since then."""
    still = [Status.ACTIVE.value, Status.WAITING_INPUT.value]
    return {"team": team, "status": {"$in": still}, "active_at": {"$lte": moment}, **IS_CURRENT}


def build_page_pipeline(where: Document, order: Order, passed: int, limit: int) -> list[Document]:
    """Return the aggregation that reads a page of a list, each document with its mark."""
    page: list[Document] = [{"$match": where}, {"$sort": dict(order)}, {"$skip": passed}, {"$limit": limit}]
    return [*page, {"$project": WITHOUT_TRAIL}, WITH_MARK]


class Listing:
    """Finder of conversations in MongoDB."""

    def __init__(self, database: Database, keys: DataKeys, unreadable: UndecryptableLog) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._keys, self._unreadable = keys, unreadable

    @translate_errors
    async def of_owner(self, team: str, owner: str, limit: int = 100) -> tuple[Conversation, ...]:
        """See `Conversations.of_owner`."""
        return await self._first(filter_by_owner(team, owner), NEWEST_FIRST, limit)

    @translate_errors
    async def quiet_since(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """See `Conversations.quiet_since`."""
        return await self._until(team, "quiet_from", moment, limit)

    @translate_errors
    async def silent_since(
        self, team: str, moment: datetime, passed: int = 0, limit: int = 50
    ) -> tuple[Conversation, ...]:
        """See `Conversations.silent_since`."""
        return await self._first(filter_silent(team, moment), OLDEST_FIRST["active_at"], limit, passed)

    @translate_errors
    async def ended(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """See `Conversations.ended`."""
        return await self._until(team, "ends_at", moment, limit)

    @translate_errors
    async def due(self, team: str, moment: datetime, limit: int = 5) -> tuple[Conversation, ...]:
        """See `Conversations.due`."""
        return await self._until(team, "next_run_at", moment, limit)

    async def _until(self, team: str, field: str, moment: datetime, limit: int) -> tuple[Conversation, ...]:
        return await self._first(filter_until(team, field, moment), OLDEST_FIRST[field], limit)

    async def _first(self, where: Document, order: Order, limit: int, passed: int = 0) -> tuple[Conversation, ...]:
        """Return the first conversations that can be decrypted, so that the others take up no places."""
        found: list[Conversation] = []
        while len(found) < limit:
            page = await self._documents.aggregate(build_page_pipeline(where, order, passed, limit)).to_list(limit)
            found += await self._openable(page)
            if len(page) < limit:
                break
            passed += limit
        return tuple(found[:limit])

    async def _openable(self, documents: Sequence[Document]) -> list[Conversation]:
        await self._keys.read_ahead([KeyName.of(read_open_fields(document)) for document in documents])
        read = [await self._open(document) for document in documents]
        return [conversation for conversation in read if conversation]

    async def _open(self, document: Document) -> Conversation | None:
        try:
            return await open_document(self._keys, document)
        except SealBroken as error:
            # If it was erased since it was found, there is nothing to report.
            if await self._documents.find_one(
                {**filter_document(read_open_fields(document)), **IS_CURRENT}, {"_id": 1}
            ):
                self._unreadable.report("conversation_unreadable", error, conversation=document["_id"])
            return None


class MongoConversations(Listing):
    """Implementation of the `Conversations` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys, sightings: Sightings | None = None) -> None:
        super().__init__(database, keys, UndecryptableLog())
        self._rows = MessageRows(database, keys)
        self._erasing = Erasing(database, keys)
        self._claims = Claims(database, keys, self._erasing, self._unreadable, sightings or Sightings())

    @translate_errors
    async def claim_some(
        self, team: str, worker: str, seconds: float, busy: Several[ThreadKey], limit: int
    ) -> tuple[Claimed, ...]:
        """See `Conversations.claim_some`."""
        return await self._claims.claim(team, worker, seconds, busy, limit)

    @translate_errors
    async def claim_thread(self, worker: str, seconds: float, thread: ThreadKey, receipt: str) -> Claimed | None:
        """See `Conversations.claim_thread`."""
        return await self._claims.claim_thread(worker, seconds, thread, receipt)

    @translate_errors
    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        """See `Conversations.renew`."""
        return await self._claims.renew(conversation, seconds)

    @translate_errors
    async def release(self, conversation: Conversation) -> None:
        """See `Conversations.release`."""
        await self._claims.release(conversation)

    @translate_errors
    async def save(self, step: Transition, head: int | None = None) -> Conversation:
        """See `Conversations.save`. Without rows it is a single write."""
        now = step.conversation
        unchanged = {**filter_held(now), "version": now.version}
        # Before the rows: without a key, rows would be left behind that nothing removes.
        key, before = await self._keys.of(now), now.head
        if step.messages:
            before = await self._head(unchanged) if head is None else head
            await self._rows.write(now, step.messages)
        after = build_saved(step, before)
        state = {**_build_state(key, after), **append_events(after, str(after.version), step.audit)}
        saved = await self._documents.find_one_and_update(
            unchanged, [{"$set": state}], {"trail": 1}, return_document=ReturnDocument.AFTER
        )
        if not saved:
            if step.messages:
                await self._erasing.require_current(now)
            raise LostConversation
        self._claims.note_trail(after, saved.get("trail", ()))
        return after

    @translate_errors
    async def save_and_release(self, conversation: Conversation) -> Conversation:
        """See `Conversations.save_and_release`."""
        key = await self._keys.of(conversation)
        after = build_saved(Transition(conversation=conversation), conversation.head)
        if not await self._claims.save_and_release(conversation, after, _build_state(key, after)):
            raise LostConversation
        return after

    @translate_errors
    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        """See `Conversations.erase`."""
        await self._erasing.erase(conversation, audit)

    @translate_errors
    async def record_draft(self, conversation: Conversation, reply: Message) -> None:
        """See `Conversations.record_draft`. A single write: the claim has put its fence into every open row."""
        await self._rows.redraft(conversation, reply)

    @translate_errors
    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        """See `Conversations.transcript`."""
        return await self._rows.read(conversation, {"$gt": after})

    @translate_errors
    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        """See `Conversations.row`."""
        return next(iter(await self._rows.read(conversation, {"$eq": seq})), None)

    @translate_errors
    async def rows_of(self, conversation: Conversation, ts: str) -> tuple[Message, ...]:
        """See `Conversations.rows_of`."""
        return await self._rows.read(conversation, {"$gt": 0}, ts=ts)

    @translate_errors
    async def threads_of(self, team: str, ts: str) -> tuple[ThreadKey, ...]:
        """See `Conversations.threads_of`."""
        return await self._rows.list_threads(team, ts)

    @translate_errors
    async def find(self, thread: ThreadKey) -> Conversation | None:
        """See `Conversations.find`."""
        which: list[Document] = [{"$match": {**asdict(thread), **IS_CURRENT}}, WITH_MARK]
        found = await self._documents.aggregate(which).to_list(1)
        return await open_document(self._keys, found[0]) if found else None

    async def _head(self, unchanged: Document) -> int:
        """Return the number of committed rows. Raise `LostConversation` before a row is written.

        Another process may claim the conversation between this and the write. A committed row can then briefly show the
        content of the worker that lost the lease. Its event is still open, and the new holder writes the same row with
        its higher fence.
        """
        if document := await self._documents.find_one(unchanged, {"head": 1}):
            return document["head"]
        raise LostConversation


def _build_state(key: SealingKey, after: Conversation) -> Document:
    """Return what a save writes into the document, as an update by pipeline, without audit events."""
    owner = {"$literal": after.owner}  # `of_owner` queries the open field: a decision can be handed over
    open_ = {"version": after.version, "head": after.head, "owner": owner, **NOT_LISTED, **build_listed_fields(after)}
    return {**open_, "sealed": STATES.seal(key, build_open_fields(after), after)}
