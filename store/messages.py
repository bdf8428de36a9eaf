"""The rows of transcripts. A row is replaced by the same or a higher fence only; whether it counts is not known here.

A row that was replaced is gone: this is how the content of a deleted message is erased.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pymongo import ASCENDING, ReplaceOne
from pymongo.errors import BulkWriteError

from app.core.errors import LostConversation
from app.core.model import Conversation, Message, MessageStatus
from store.client import Collection, Database, Document
from store.codec import ROWS
from store.keys import DataKeys, KeyName
from store.schema import MESSAGES, SCHEMA_VERSION

DUPLICATE_KEY = 11000


class MessageRows:
    """The transcripts of all conversations, in MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[MESSAGES]
        self._keys = keys

    async def write(self, conversation: Conversation, messages: Sequence[Message]) -> None:
        """Put rows in place. Raises `LostConversation` if one of them has a higher fence."""
        team, fence = conversation.thread.team, conversation.fence
        key = await self._keys.obtain(KeyName.of_conversation(team, conversation.id))
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
                "fence": fence,
                "sealed": ROWS.seal(key, id_, message),
            }
            # Where the row has a higher fence this finds nothing, inserts, and stumbles over the id.
            writes.append(ReplaceOne({"_id": id_, "team": team, "fence": {"$lte": fence}}, document, upsert=True))
        try:
            await self._documents.bulk_write(writes, ordered=False)  # pyright: ignore[reportUnknownMemberType]: Motor's stub
        except BulkWriteError as error:
            if any(each["code"] != DUPLICATE_KEY for each in error.details["writeErrors"]):
                raise
            raise LostConversation from error

    async def redraft(self, conversation: Conversation, reply: int, text: str, parts: Sequence[str]) -> None:
        """Change what a reply shows and where. Raises `LostConversation` if it has a higher fence."""
        key = await self._keys.obtain(KeyName.of_conversation(conversation.thread.team, conversation.id))
        while True:
            document = await self._documents.find_one(_committed(conversation, {"$eq": reply}))
            if document is None or document["fence"] > conversation.fence:
                raise LostConversation
            row = ROWS.open(key, document)
            drafted = replace(row, text=text if row.status is MessageStatus.STREAMING else row.text, parts=tuple(parts))
            result = await self._documents.update_one(
                # `sealed` is new with every write: if the row was closed since we read it, it is read again.
                {field: document[field] for field in ("_id", "team", "sealed")},
                {"$set": {"fence": conversation.fence, "sealed": ROWS.seal(key, document["_id"], drafted)}},
            )
            if result.matched_count:
                return

    async def read(self, conversation: Conversation, seq: Document, **also: Any) -> tuple[Message, ...]:
        """Return the committed rows whose `seq` meets these conditions, in order."""
        documents = await self._documents.find(_committed(conversation, seq) | also, sort=[("seq", ASCENDING)]).to_list(
            None
        )
        if not documents:
            return ()
        key = await self._keys.existing(KeyName.of_conversation(conversation.thread.team, conversation.id))
        return tuple(ROWS.open(key, document) for document in documents)


def _id(conversation: Conversation, seq: int) -> str:
    return f"{conversation.id}:{seq}"


def _committed(conversation: Conversation, seq: Document) -> Document:
    return {
        "team": conversation.thread.team,
        "conversation": conversation.id,
        "seq": {**seq, "$lte": conversation.head},
    }
