"""Conversations in MongoDB. Version, fence, head and lease stand open in the document and are the authority for it.

Leases are timed by the server's `$$NOW`, so that the clocks of the processes do not matter. Each claim raises the
fence, and a lower fence writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from uuid import uuid4

from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError

from app.core.errors import LostConversation
from app.core.model import Conversation, Message, Step, ThreadKey
from store.client import Collection, Database, Document, translated
from store.codec import STATES
from store.keys import DataKeys, KeyName
from store.messages import MessageRows
from store.schema import CONVERSATIONS, INBOX, IS_OPEN, IS_VISIBLE, SCHEMA_VERSION

LONG_AGO = datetime.fromtimestamp(0, UTC)
IS_FREE: Document = {"$expr": {"$lte": ["$lease_until", "$$NOW"]}}


def work_waiting(busy: Several[ThreadKey]) -> list[Document]:
    """Return the aggregation over the inbox that finds the oldest row whose conversation is free."""
    not_busy = {"$nor": [asdict(thread) for thread in busy]} if busy else {}
    return [
        {"$match": {**IS_OPEN, **IS_VISIBLE, **not_busy}},
        {"$sort": {"ts": 1, "_id": 1}},
        {"$lookup": {"from": CONVERSATIONS, "localField": "conversation", "foreignField": "_id", "as": "kept"}},
        # Neither `$unwind` nor a pipeline in `$lookup`: measured three and seven times slower for each row passed over.
        {"$match": {"kept": {"$ne": []}, "$expr": {"$lte": [{"$first": "$kept.lease_until"}, "$$NOW"]}}},
        {"$limit": 1},
        {"$project": {"team": 1, "conversation": 1}},
    ]


def _lease_until(seconds: float) -> Document:
    return {"$add": ["$$NOW", round(seconds * 1000)]}


class MongoConversations:
    """The `Conversations` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._inbox: Collection = database[INBOX]
        self._rows = MessageRows(database, keys)
        self._keys = keys

    @translated
    async def claim(self, worker: str, seconds: float, busy: Several[ThreadKey]) -> Conversation | None:
        """See `Conversations.claim`."""
        lease: Document = {
            "holder": {"$literal": worker},
            "lease_until": _lease_until(seconds),
            "fence": {"$add": ["$fence", 1]},
        }
        # Each time round, the one that another worker took first is no longer free and no longer found.
        while found := await self._inbox.aggregate(work_waiting(busy)).to_list(1):
            document = await self._documents.find_one_and_update(
                {"_id": found[0]["conversation"], "team": found[0]["team"], **IS_FREE},
                [{"$set": lease}],
                return_document=ReturnDocument.AFTER,
            )
            if document:
                return await self._value(document)
        return None

    @translated
    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        """See `Conversations.renew`. A lease that was released stays so, however late a heartbeat comes."""
        held = {**_held(conversation), "holder": {"$exists": True}}
        result = await self._documents.update_one(held, [{"$set": {"lease_until": _lease_until(seconds)}}])
        return result.matched_count == 1

    @translated
    async def release(self, conversation: Conversation) -> None:
        """See `Conversations.release`."""
        free: Document = {"$set": {"lease_until": LONG_AGO}, "$unset": {"holder": ""}}
        await self._documents.update_one(_held(conversation), free)

    @translated
    async def save(self, step: Step) -> Conversation:
        """See `Conversations.save`."""
        conversation = step.conversation
        held = {**_held(conversation), "version": conversation.version}
        if step.messages:
            await self._check(held)
            await self._rows.write(conversation, step.messages)
        saved = replace(conversation, version=conversation.version + 1)
        key = await self._keys.obtain(KeyName.of_conversation(saved.thread.team, saved.id))
        state = {"version": saved.version, "head": saved.head, "sealed": STATES.seal(key, saved.id, saved)}
        result = await self._documents.update_one(held, {"$set": state})
        if not result.matched_count:
            raise LostConversation
        return saved

    @translated
    async def record_draft(self, conversation: Conversation, reply: int, text: str, parts: Sequence[str]) -> None:
        """See `Conversations.record_draft`."""
        await self._check(_held(conversation))
        await self._rows.redraft(conversation, reply, text, parts)

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
        document = await self._documents.find_one({**asdict(thread), "current": True})
        return await self._value(document) if document else None

    async def _check(self, held: Document) -> None:
        """Raise `LostConversation` before a row is touched.

        Somebody may still take over between this and the write. Then a committed row can briefly show what a lost
        worker made of it; its event is still open, and the new holder writes the same row with its higher fence.
        """
        if not await self._documents.find_one(held, {"_id": 1}):
            raise LostConversation

    async def _value(self, document: Document) -> Conversation:
        thread = ThreadKey(team=document["team"], channel=document["channel"], root=document["root"])
        state = Conversation(id=document["_id"], thread=thread, owner=document["owner"])
        if "sealed" in document:
            key = await self._keys.existing(KeyName.of_conversation(thread.team, state.id))
            state = STATES.open(key, document)
        return replace(state, version=document["version"], fence=document["fence"], head=document["head"])


def _held(conversation: Conversation) -> Document:
    return {"_id": conversation.id, "team": conversation.thread.team, "fence": conversation.fence}


async def conversation_of(documents: Collection, thread: ThreadKey, opener: str | None) -> str | None:
    """Return the id of a thread's conversation; make its stub, owned by `opener`, if there is none and they may."""
    current = {**asdict(thread), "current": True}
    if found := await documents.find_one(current, {"_id": 1}):
        return found["_id"]
    if opener is None:
        return None
    id_ = uuid4().hex
    stub: Document = {
        "_id": id_,
        **current,
        "schema_version": SCHEMA_VERSION,
        "owner": opener,
        "version": 0,
        "fence": 0,
        "head": 0,
        "lease_until": LONG_AGO,
    }
    try:
        await documents.insert_one(stub)
    except DuplicateKeyError:  # somebody else opened it just now
        return await conversation_of(documents, thread, None)
    return id_
