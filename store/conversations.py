"""Conversations in MongoDB: the port over document, transcript, lease and erasure."""

from __future__ import annotations

from collections.abc import Collection as Several
from dataclasses import asdict
from datetime import datetime

from app.core.audit import AuditEvent
from app.core.errors import LostConversation
from app.core.model import Conversation, Message, Step, ThreadKey
from store.claims import Claims
from store.client import Collection, Database, Document, translated
from store.codec import STATES
from store.erasing import Erasing
from store.keys import DataKeys
from store.listing import Listing
from store.marks import WITH_MARK
from store.messages import MessageRows
from store.schema import CONVERSATIONS
from store.states import IS_CURRENT, NOT_LISTED, fields, held, listed, opened, saved
from store.trail import extended
from store.unreadable import Unreadable


class MongoConversations:
    """Implementation of the `Conversations` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._rows = MessageRows(database, keys)
        self._erasing = Erasing(database, keys)
        unreadable = Unreadable()
        self._claims = Claims(database, keys, self._erasing, unreadable)
        self._listing = Listing(database, keys, unreadable)
        self._keys = keys

    @translated
    async def claim(self, team: str, worker: str, seconds: float, busy: Several[ThreadKey]) -> Conversation | None:
        """See `Conversations.claim`."""
        return await self._claims.claim(team, worker, seconds, busy)

    @translated
    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        """See `Conversations.renew`."""
        return await self._claims.renew(conversation, seconds)

    @translated
    async def release(self, conversation: Conversation) -> None:
        """See `Conversations.release`."""
        await self._claims.release(conversation)

    @translated
    async def save(self, step: Step) -> Conversation:
        """See `Conversations.save`. Without rows it is a single write."""
        now = step.conversation
        unchanged = {**held(now), "version": now.version}
        # Before the rows: without a key, rows would be left behind that nothing removes.
        key, head = await self._keys.of(now), now.head
        if step.messages:
            head = await self._head(unchanged)
            await self._rows.write(now, step.messages)
        after = saved(step, head)
        trail = extended(after, str(after.version), step.audit)
        owner = {"$literal": after.owner}  # `of_owner` queries the open field: a decision can be handed over
        open_ = {"version": after.version, "head": after.head, "owner": owner, **NOT_LISTED, **listed(after)}
        state: Document = {**open_, "sealed": STATES.seal(key, fields(after), after), **trail}
        result = await self._documents.update_one(unchanged, [{"$set": state}])
        if not result.matched_count:
            if step.messages:
                await self._erasing.finish_if_erased(now)
            raise LostConversation
        return after

    @translated
    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        """See `Conversations.erase`."""
        await self._erasing.erase(conversation, audit)

    @translated
    async def record_draft(self, conversation: Conversation, reply: Message) -> None:
        """See `Conversations.record_draft`. A single write: the claim has put its fence into every open row."""
        await self._rows.redraft(conversation, reply)

    @translated
    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        """See `Conversations.transcript`."""
        return await self._rows.read(conversation, {"$gt": after})

    @translated
    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        """See `Conversations.row`."""
        return next(iter(await self._rows.read(conversation, {"$eq": seq})), None)

    @translated
    async def rows_of(self, conversation: Conversation, ts: str) -> tuple[Message, ...]:
        """See `Conversations.rows_of`."""
        return await self._rows.read(conversation, {"$gt": 0}, ts=ts)

    @translated
    async def find(self, thread: ThreadKey) -> Conversation | None:
        """See `Conversations.find`."""
        which: list[Document] = [{"$match": {**asdict(thread), **IS_CURRENT}}, WITH_MARK]
        found = await self._documents.aggregate(which).to_list(1)
        return await opened(self._keys, found[0]) if found else None

    @translated
    async def of_owner(self, team: str, owner: str, limit: int = 100) -> tuple[Conversation, ...]:
        """See `Conversations.of_owner`."""
        return await self._listing.of_owner(team, owner, limit)

    @translated
    async def quiet_since(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """See `Conversations.quiet_since`."""
        return await self._listing.quiet_since(team, moment, limit)

    @translated
    async def silent_since(
        self, team: str, moment: datetime, passed: int = 0, limit: int = 50
    ) -> tuple[Conversation, ...]:
        """See `Conversations.silent_since`."""
        return await self._listing.silent_since(team, moment, passed, limit)

    @translated
    async def ended(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """See `Conversations.ended`."""
        return await self._listing.ended(team, moment, limit)

    @translated
    async def due(self, team: str, moment: datetime, limit: int = 5) -> tuple[Conversation, ...]:
        """See `Conversations.due`."""
        return await self._listing.due(team, moment, limit)

    async def _head(self, unchanged: Document) -> int:
        """Return the number of committed rows. Raise `LostConversation` before a row is written.

        Another process may claim the conversation between this and the write. A committed row can then briefly show the
        content of the worker that lost the lease. Its event is still open, and the new holder writes the same row with
        its higher fence.
        """
        if document := await self._documents.find_one(unchanged, {"head": 1}):
            return document["head"]
        raise LostConversation
