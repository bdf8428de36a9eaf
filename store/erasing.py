"""Erasing a conversation: first nobody can write it any more, then its key is gone, then all the rest.

The mark that it begins with is sealed. A conversation that somebody marked who only writes in the database, or whose
document they took away, loses what stands there, as it would anyhow; the secret of its key stays, and a backup opens.

It goes on from wherever it was broken off: by doing it again, by whoever next finds work in that thread, and at the
next start. Events that were being taken in meanwhile are erased with it.
"""

from __future__ import annotations

from dataclasses import asdict

import structlog

from app.core.audit import AuditEvent
from app.core.model import Conversation
from store.cipher import SealBroken, SealingKey, place
from store.client import Collection, Database, Document, translated
from store.inbox import CLOSED
from store.keys import DataKeys, KeyName
from store.marks import Marks
from store.messages import MessageRows
from store.schema import CONVERSATIONS, EXTRACTIONS, HAS_CONTENT, INBOX
from store.states import IS_CURRENT, LONG_AGO, NOT_LISTED, at, unopened
from store.trail import Trail, extended

log = structlog.get_logger(__name__)

IS_ERASED: Document = {"current": False}
"""The partial index needs it literally, and has it as its first field: this filter alone uses it."""


class Erasing:
    """Erases conversations and finishes what others began."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._inbox: Collection = database[INBOX]
        self._versions: Collection = database[EXTRACTIONS]
        self._rows = MessageRows(database, keys)
        self._trail, self._marks = Trail(database), Marks(database)
        self._keys = keys

    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        """See `Conversations.erase`."""
        erased: Document = {
            "current": False,
            "fence": {"$add": ["$fence", 1]},
            "lease_until": LONG_AGO,
            "sealed": _mark(await self._keys.canary(), conversation),
            **extended(conversation, "erased", (audit,)),
        }
        change = [{"$set": erased}, {"$unset": ["holder", *NOT_LISTED]}]
        await self._documents.update_one({**at(conversation), **IS_CURRENT}, change)
        await self.finish(conversation, wanted=True)

    async def finish(self, conversation: Conversation, *, wanted: bool = False) -> None:
        """Remove what is left of a conversation that was marked as erased, or of which there is no document."""
        erased = {**at(conversation), **IS_ERASED}
        document = await self._documents.find_one(erased, {"trail": 1, "sealed": 1})
        if wanted or (document and await self._is_marked(document, conversation)):
            await self._keys.erase(KeyName.of(conversation))
        elif await self._keys.drop(KeyName.of(conversation)):
            log.warning("erasure_without_mark", conversation=conversation.id)
        await self._rows.delete(conversation)
        await self._versions.delete_many({"team": conversation.thread.team, "conversation": conversation.id})
        await self._marks.forget(conversation)
        if document:
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

    async def _is_marked(self, document: Document, conversation: Conversation) -> bool:
        canary = await self._keys.canary()
        try:
            canary.open(document.get("sealed", b""), _place(conversation))
        except SealBroken:
            return False
        return True


def _mark(canary: SealingKey, conversation: Conversation) -> bytes:
    return canary.seal(b"", _place(conversation))


def _place(conversation: Conversation) -> bytes:
    return place(CONVERSATIONS, conversation.id, "erased")
