"""Remedies by hand: for what is stuck, and keys, erasure and export. Nothing here loses data."""

from __future__ import annotations

from dataclasses import replace

from pymongo import ReturnDocument

from app.core.conversation.conversation import Conversation, Transition
from app.ports.store import Rotated
from store.crypto.document_marks import Marks
from store.crypto.keys import DataKeys
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import (
    CONVERSATIONS,
    HAS_CONTENT,
    INBOX,
    IS_OPEN,
    IS_PARKED,
    KEYS,
    PERMISSIONS,
    RowState,
    build_deadline,
)
from store.mongo.audit_log import AuditLog
from store.mongo.claims import FREED, IS_FREE
from store.mongo.conversations import MongoConversations
from store.mongo.documents import IS_CURRENT, open_document, read_open_fields

OPEN_FIELDS: Document = dict.fromkeys(("team", "channel", "root", "owner"), 1)


class MongoUpkeep:
    """Implementation of the `Upkeep` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._rules: Collection = database[PERMISSIONS]
        self._inbox: Collection = database[INBOX]
        self._keys_kept: Collection = database[KEYS]
        self._keys = keys

    @translate_errors
    async def find(self, id_: str) -> Conversation | None:
        """See `Upkeep.find`."""
        document = await self._documents.find_one({"_id": id_})
        return read_open_fields(document) if document else None

    @translate_errors
    async def owners(self) -> tuple[tuple[str, str], ...]:
        """See `Upkeep.owners`."""
        grouped = [{"$match": IS_CURRENT}, {"$group": {"_id": {"team": "$team", "owner": "$owner"}}}]
        found = await self._documents.aggregate(grouped).to_list(None)
        return tuple(sorted((each["_id"]["team"], each["_id"]["owner"]) for each in found))

    @translate_errors
    async def owned_by(self, user: str) -> tuple[Conversation, ...]:
        """See `Upkeep.owned_by`."""
        which: Document = {"owner": user, **IS_CURRENT}
        documents = await self._documents.find(which, OPEN_FIELDS, sort=[("team", 1), ("root", 1)]).to_list(None)
        return tuple(map(read_open_fields, documents))

    @translate_errors
    async def is_empty(self) -> bool:
        """See `Upkeep.is_empty`. The first key is made with the first conversation, and stays."""
        return await self._keys_kept.find_one({}, {"_id": 1}) is None

    @translate_errors
    async def people(self) -> tuple[tuple[str, str], ...]:
        """See `Upkeep.people`."""
        grouped = [{"$group": {"_id": {"team": "$team", "user": "$user"}}}]
        found = await self._rules.aggregate(grouped).to_list(None)
        return tuple(sorted({*await self.owners(), *((each["_id"]["team"], each["_id"]["user"]) for each in found)}))

    @translate_errors
    async def rules(self, team: str) -> int:
        """See `Upkeep.rules`."""
        return await self._rules.count_documents({"team": team})

    @translate_errors
    async def park_all(self) -> int:
        """See `Upkeep.park_all`."""
        return (await self._inbox.update_many(IS_OPEN, {"$set": {"state": RowState.PARKED}})).modified_count

    async def rotate_keys(self) -> Rotated:
        """See `Upkeep.rotate_keys`."""
        return await self._keys.rotate()


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
        self._trail, self._marks = AuditLog(database), Marks(database)
        self._keys = keys

    @translate_errors
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

    @translate_errors
    async def retry_waiting(self, receipt: str) -> bool:
        """Let an open row be retried at once, regardless of its failures."""
        done = await self._inbox.update_one({"_id": receipt, **IS_OPEN, **HAS_CONTENT}, AFRESH)
        return done.matched_count == 1

    @translate_errors
    async def release(self, conversation: str) -> bool:
        """End an expired lease, and move the audit events that its holder left."""
        dead: Document = {"_id": conversation, **IS_CURRENT, **IS_FREE, "holder": {"$exists": True}}
        document = await self._documents.find_one_and_update(dead, FREED)
        if not document:
            return False
        await self._trail.move(read_open_fields(document), document.get("trail", ()))
        return True

    async def _forget_applied(self, which: Document, receipt: str) -> bool:
        """Return False if the conversation is leased just now, or was erased."""
        lease: Document = {"holder": HOLDER, "lease_until": build_deadline(LEASE), "fence": {"$add": ["$fence", 1]}}
        free = {**which, **IS_CURRENT, **IS_FREE}
        document = await self._documents.find_one_and_update(
            free, [{"$set": lease}], return_document=ReturnDocument.AFTER
        )
        if not document:
            return False
        held = read_open_fields(document)
        try:
            mark = await self._marks.of(held.thread.team, held.id)
            held = await open_document(self._keys, {**document, "mark": mark})
            forgetting = held.forget(receipt)
            if forgetting != held:
                held = await self._conversations.save(Transition(conversation=forgetting))
        finally:
            await self._conversations.release(replace(held, fence=document["fence"]))
        return True
