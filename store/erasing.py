"""Erasing a conversation: first nobody can write it any more, then its key is gone, then all the rest.

It goes on from wherever it was broken off: by doing it again, by whoever next finds work in that thread, and at the
next start. Events that were being taken in meanwhile are erased with it.
"""

from __future__ import annotations

from dataclasses import asdict

from app.core.audit import AuditEvent
from app.core.model import Conversation
from store.client import Collection, Database, Document, translated
from store.inbox import CLOSED
from store.keys import DataKeys, KeyName
from store.messages import MessageRows
from store.schema import CONVERSATIONS, EXTRACTIONS, HAS_CONTENT, INBOX
from store.states import IS_CURRENT, LONG_AGO, NOT_LISTED, at, unopened
from store.trail import Trail, extended

IS_ERASED: Document = {"current": False}
"""The partial index needs it literally, and has it as its first field: this filter alone uses it."""


class Erasing:
    """Erases conversations and finishes what others began."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._inbox: Collection = database[INBOX]
        self._versions: Collection = database[EXTRACTIONS]
        self._rows = MessageRows(database, keys)
        self._trail = Trail(database)
        self._keys = keys

    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        """See `Conversations.erase`."""
        erased: Document = {
            "current": False,
            "fence": {"$add": ["$fence", 1]},
            "lease_until": LONG_AGO,
            **extended(conversation, "erased", (audit,)),
        }
        change = [{"$set": erased}, {"$unset": ["sealed", "holder", *NOT_LISTED]}]
        await self._documents.update_one({**at(conversation), **IS_CURRENT}, change)
        await self.finish(conversation)

    async def finish(self, conversation: Conversation) -> None:
        """Remove what is left of a conversation that was marked as erased, or of which there is no document."""
        await self._keys.erase(KeyName.of(conversation))
        await self._rows.delete(conversation)
        await self._versions.delete_many({"team": conversation.thread.team, "conversation": conversation.id})
        erased = {**at(conversation), **IS_ERASED}
        if document := await self._documents.find_one(erased, {"trail": 1}):
            await self._trail.move(conversation, document.get("trail", ()))
        # An open row brings the next claim here, so the rows are closed when nothing is left but an empty document.
        content = {**asdict(conversation.thread), "conversation": conversation.id, **HAS_CONTENT}
        await self._inbox.update_many(content, CLOSED)
        await self._documents.delete_one(erased)

    async def finish_if_erased(self, conversation: Conversation) -> bool:
        """Remove what a writer left who was overtaken by an erasure. True if there was one."""
        if await self._documents.find_one({**at(conversation), **IS_CURRENT}, {"_id": 1}):
            return False
        await self.finish(conversation)
        return True

    @translated
    async def finish_all(self) -> None:
        """Finish what was begun by processes that have died."""
        for document in await self._documents.find(IS_ERASED).to_list(None):
            await self.finish(unopened(document))
