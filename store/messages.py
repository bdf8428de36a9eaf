"""The rows of transcripts. A row is replaced by the same or a higher fence only; whether it counts is not known here.

A claim gives its fence to the rows that are being written, so the fence of a row alone keeps a lost writer out of it.
A row that was replaced is gone: this is how the content of a deleted message is erased.
"""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Sequence
from typing import Any

from pymongo import ASCENDING, ReplaceOne
from pymongo.errors import BulkWriteError

from app.core.errors import LostConversation
from app.core.model import Conversation, Message, MessageStatus
from store.client import Collection, Database, Document, only_duplicates
from store.codec import ROWS
from store.keys import DataKeys
from store.schema import MESSAGES, SCHEMA_VERSION

UNCLOSED = (MessageStatus.STREAMING, MessageStatus.OPEN, MessageStatus.HELD)
"""Rows that go on: a reply that is being written, a card that waits for somebody."""


class MessageRows:
    """The transcripts of all conversations, in MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[MESSAGES]
        self._keys = keys

    async def write(self, conversation: Conversation, messages: Sequence[Message]) -> None:
        """Put rows in place. Raises `LostConversation` if one of them has a higher fence."""
        team, fence = conversation.thread.team, conversation.fence
        key = await self._keys.of(conversation)
        writes: list[ReplaceOne[Document]] = []
        for message in messages:
            id_ = _id(conversation, message.seq)
            document = {
                "_id": id_,
                "team": team,
                "schema_version": SCHEMA_VERSION,
                "conversation": conversation.id,
                "seq": message.seq,
                "ts": message.ts,
                "status": message.status,
                "fence": fence,
                "sealed": ROWS.seal(key, id_, message),
            }
            # Where the row has a higher fence this finds nothing, inserts, and stumbles over the id.
            writes.append(ReplaceOne({"_id": id_, "team": team, "fence": {"$lte": fence}}, document, upsert=True))
        try:
            await self._documents.bulk_write(writes, ordered=False)  # pyright: ignore[reportUnknownMemberType]: Motor's stub
        except BulkWriteError as error:
            if not only_duplicates(error):
                raise
            raise LostConversation from error

    async def redraft(self, conversation: Conversation, reply: Message) -> None:
        """Change what a reply or a card shows and where.

        Raises `LostConversation` if the row does not count or has a higher fence.
        """
        if reply.seq > conversation.head:
            raise LostConversation
        key, id_ = await self._keys.of(conversation), _id(conversation, reply.seq)
        row: Document = {"fence": conversation.fence, "status": reply.status, "sealed": ROWS.seal(key, id_, reply)}
        if reply.status in UNCLOSED:
            goes_on = {"$in": ["$status", UNCLOSED]}
            row |= {field: {"$cond": [goes_on, row[field], f"${field}"]} for field in ("status", "sealed")}
        ours = {"_id": id_, "team": conversation.thread.team, "fence": {"$lte": conversation.fence}}
        result = await self._documents.update_one(ours, [{"$set": row}])
        if not result.matched_count:
            raise LostConversation

    async def take_over(self, conversation: Conversation, rows: Several[int]) -> None:
        """Keep everybody with a lower fence from writing these rows from now on."""
        if not rows:
            return
        former = {
            "_id": {"$in": [_id(conversation, seq) for seq in rows]},
            "team": conversation.thread.team,
            "fence": {"$lt": conversation.fence},
        }
        await self._documents.update_many(former, {"$set": {"fence": conversation.fence}})

    async def delete(self, conversation: Conversation) -> None:
        """Remove all rows, whoever wrote them."""
        await self._documents.delete_many({"team": conversation.thread.team, "conversation": conversation.id})

    async def read(self, conversation: Conversation, seq: Document, **also: Any) -> tuple[Message, ...]:
        """Return the committed rows whose `seq` meets these conditions, in order."""
        documents = await self._documents.find(_committed(conversation, seq) | also, sort=[("seq", ASCENDING)]).to_list(
            None
        )
        if not documents:
            return ()
        key = await self._keys.of(conversation)
        return tuple(ROWS.open(key, document) for document in documents)


def _id(conversation: Conversation, seq: int) -> str:
    return f"{conversation.id}:{seq}"


def _committed(conversation: Conversation, seq: Document) -> Document:
    return {
        "team": conversation.thread.team,
        "conversation": conversation.id,
        "seq": {**seq, "$lte": conversation.head},
    }
