"""The audit log: written with the state in one update, and moved to its own collection when the lease ends.

In between, the events wait in the conversation's document. If a process dies, none is lost, and the next release of the
conversation moves them. Every event has an id, so a repeated move stores it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from pymongo.errors import BulkWriteError

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import Conversation
from store.database.connection import Collection, Database, Document, is_only_duplicates
from store.database.schema import AUDIT, CONVERSATIONS, SCHEMA_VERSION
from store.mongo.documents import filter_document


def append_events(conversation: Conversation, stem: str, events: Sequence[AuditEvent]) -> Document:
    """Return the update by pipeline that adds events to the document's audit events, at the server's time."""
    if not events:
        return {}
    more: list[Document] = [
        {
            **asdict(event),
            "_id": f"{conversation.id}:{stem}:{index}",
            "team": conversation.thread.team,
            "schema_version": SCHEMA_VERSION,
            "conversation": conversation.id,
        }
        for index, event in enumerate(events)
    ]
    timed = {"$map": {"input": {"$literal": more}, "in": {"$mergeObjects": ["$$this", {"at": "$$NOW"}]}}}
    return {"trail": {"$concatArrays": [{"$ifNull": ["$trail", []]}, timed]}}


class AuditLog:
    """Mover of audit events from a conversation's document."""

    def __init__(self, database: Database) -> None:
        self._conversations: Collection = database[CONVERSATIONS]
        self._events: Collection = database[AUDIT]

    async def move(self, conversation: Conversation, events: Sequence[Document]) -> None:
        """Store events from the conversation's document in the audit log, and only then remove them there."""
        if not events:
            return
        await self.copy(events)
        moved = {"_id": {"$in": [event["_id"] for event in events]}}
        await self._conversations.update_one(filter_document(conversation), {"$pull": {"trail": moved}})

    async def copy(self, events: Sequence[Document]) -> None:
        """Store events in the audit log. Those that it has already are left out."""
        if not events:
            return
        try:
            await self._events.insert_many(events, ordered=False)
        except BulkWriteError as error:
            if not is_only_duplicates(error):
                raise


def keep_other_events(events: Sequence[Document]) -> Document:
    """Return the update by pipeline that removes these events from the document's audit events."""
    ids = {"$literal": [event["_id"] for event in events]}
    others = {"$not": [{"$in": ["$$this._id", ids]}]}
    return {"trail": {"$filter": {"input": {"$ifNull": ["$trail", []]}, "cond": others}}}
