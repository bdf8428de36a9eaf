"""Remedies that an operator applies to stuck items. None of them loses data: the worker does the rest as usual."""

from __future__ import annotations

from dataclasses import replace

from pymongo import ReturnDocument

from app.core.model import Step
from store.claims import FREED, IS_FREE
from store.client import Collection, Database, Document, translated
from store.conversations import MongoConversations
from store.keys import DataKeys
from store.marks import Marks
from store.schema import CONVERSATIONS, HAS_CONTENT, INBOX, IS_OPEN, IS_PARKED, RowState, in_seconds
from store.states import IS_CURRENT, opened, unopened
from store.trail import Trail

HOLDER = "doctor"
LEASE = 10.0  # seconds; a read and a write take milliseconds
AFRESH: Document = {"$set": {"state": RowState.OPEN, "attempts": 0}, "$unset": {"hidden_until": ""}}
"""Update that reopens an inbox row as if it had never been tried."""


class Remedies:
    """Remedies for one item at a time. Each returns False if there is nothing to remedy, or not now."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._inbox: Collection = database[INBOX]
        self._documents: Collection = database[CONVERSATIONS]
        self._conversations = MongoConversations(database, keys)
        self._trail, self._marks = Trail(database), Marks(database)
        self._keys = keys

    @translated
    async def retry_parked(self, receipt: str) -> bool:
        """Reopen a parked row. Raise `SealBroken` if its conversation cannot be decrypted.

        The conversation may list the row as applied, because its parking was reported in the thread. That entry is
        removed first, or the row would be closed unread.
        """
        row = await self._inbox.find_one({"_id": receipt, **IS_PARKED, **HAS_CONTENT}, {"conversation": 1, "team": 1})
        if not row or not await self._forget_applied({"_id": row["conversation"], "team": row["team"]}, receipt):
            return False
        done = await self._inbox.update_one({"_id": receipt, **IS_PARKED, **HAS_CONTENT}, AFRESH)
        return done.matched_count == 1

    @translated
    async def retry_waiting(self, receipt: str) -> bool:
        """Let an open row be retried at once, regardless of its failures."""
        done = await self._inbox.update_one({"_id": receipt, **IS_OPEN, **HAS_CONTENT}, AFRESH)
        return done.matched_count == 1

    @translated
    async def release(self, conversation: str) -> bool:
        """End an expired lease, and move the audit events that its holder left."""
        dead: Document = {"_id": conversation, **IS_CURRENT, **IS_FREE, "holder": {"$exists": True}}
        document = await self._documents.find_one_and_update(dead, FREED)
        if not document:
            return False
        await self._trail.move(unopened(document), document.get("trail", ()))
        return True

    async def _forget_applied(self, which: Document, receipt: str) -> bool:
        """Return False if the conversation is leased just now, or was erased."""
        lease: Document = {"holder": HOLDER, "lease_until": in_seconds(LEASE), "fence": {"$add": ["$fence", 1]}}
        free = {**which, **IS_CURRENT, **IS_FREE}
        document = await self._documents.find_one_and_update(
            free, [{"$set": lease}], return_document=ReturnDocument.AFTER
        )
        if not document:
            return False
        held = unopened(document)
        try:
            mark = await self._marks.of(held.thread.team, held.id)
            held = await opened(self._keys, {**document, "mark": mark})
            forgetting = held.forgetting(receipt)
            if forgetting != held:
                held = await self._conversations.save(Step(conversation=forgetting))
        finally:
            await self._conversations.release(replace(held, fence=document["fence"]))
        return True
