"""Erasure of a conversation: first no process can write it, then its key is destroyed, then the rest is removed.

The mark that begins it is sealed. If it is missing or invalid, an intruder who can only write to the database
may have marked or removed the document. The conversation then loses what is in MongoDB, as it would anyway. The secret
of its key stays, and a backup can be decrypted.

An interrupted erasure is finished by a repeated call, by the next claim of its thread, or at the next start. Events
that were accepted meanwhile are erased with it.
"""

from __future__ import annotations

from dataclasses import asdict

import structlog

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import Conversation
from app.core.errors import LostConversation
from store.crypto.cipher import build_associated_data
from store.crypto.document_marks import Marks
from store.crypto.keys import DataKeys, KeyName
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import CONVERSATIONS, EXTRACTIONS, FILES, HAS_CONTENT, INBOX
from store.mongo.audit_log import AuditLog, append_events
from store.mongo.documents import IS_CURRENT, LONG_AGO, NOT_LISTED, filter_document, read_open_fields
from store.mongo.inbox import CLOSED
from store.mongo.transcript import MessageRows

log = structlog.get_logger(__name__)

IS_ERASED: Document = {"current": False}
"""First field and filter of the partial index, which serves this literal filter alone."""


class Erasing:
    """Eraser of conversations, which also finishes erasures that other processes began."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._inbox: Collection = database[INBOX]
        self._versions: Collection = database[EXTRACTIONS]
        self._files: Collection = database[FILES]
        self._rows = MessageRows(database, keys)
        self._trail, self._marks = AuditLog(database), Marks(database)
        self._keys = keys

    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        """See `Conversations.erase`."""
        erased: Document = {
            "current": False,
            "fence": {"$add": ["$fence", 1]},
            "lease_until": LONG_AGO,
            "sealed": (await self._keys.canary()).seal(b"", _build_mark_data(conversation)),
            **append_events(conversation, "erased", (audit,)),
        }
        change = [{"$set": erased}, {"$unset": ["holder", *NOT_LISTED]}]
        await self._documents.update_one({**filter_document(conversation), **IS_CURRENT}, change)
        await self.finish(conversation, wanted=True)

    async def finish(self, conversation: Conversation, *, wanted: bool = False) -> None:
        """Remove what is left of a conversation that is marked as erased or has no document."""
        erased = {**filter_document(conversation), **IS_ERASED}
        document = await self._documents.find_one(erased, {"trail": 1, "sealed": 1})
        if wanted or (document and await self._is_marked(document, conversation)):
            await self._keys.erase(KeyName.of(conversation))
        elif await self._keys.drop(KeyName.of(conversation)):
            log.warning("erasure_without_mark", conversation=conversation.id)
        await self._rows.delete(conversation)
        for held in (self._versions, self._files):
            await held.delete_many({"team": conversation.thread.team, "conversation": conversation.id})
        await self._marks.forget(conversation)
        if document:
            await self._trail.move(conversation, document.get("trail", ()))
        # An open row brings the next claim here. So the rows are closed last, when only an empty document is left.
        content = {**asdict(conversation.thread), "conversation": conversation.id, **HAS_CONTENT}
        await self._inbox.update_many(content, CLOSED)
        await self._documents.delete_one(erased)

    async def require_current(self, conversation: Conversation) -> None:
        """Raise `LostConversation` if an erasure has overtaken a writer, and remove what it left behind.

        Called after a write: an erasure that begins later finds what was written, and removes it.
        """
        if not await self._documents.find_one({**filter_document(conversation), **IS_CURRENT}, {"_id": 1}):
            await self.finish(conversation)
            raise LostConversation

    @translate_errors
    async def finish_all(self) -> None:
        """Finish erasures that were begun by dead processes."""
        for document in await self._documents.find(IS_ERASED).to_list(None):
            await self.finish(read_open_fields(document))

    async def _is_marked(self, document: Document, conversation: Conversation) -> bool:
        canary = await self._keys.canary()
        return canary.opens(document.get("sealed", b""), _build_mark_data(conversation))


def _build_mark_data(conversation: Conversation) -> bytes:
    return build_associated_data(CONVERSATIONS, conversation.id, "erased")
