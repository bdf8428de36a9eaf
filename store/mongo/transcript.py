"""The rows of transcripts. A row is replaced by the same or a higher fence only.

A claim gives its fence to the rows that are being written, so a row's fence alone keeps a stale writer out. Replacing a
row removes its content: this is how a deleted message is erased. Does not know whether a row is committed.
"""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Sequence
from typing import Any

from pymongo import ASCENDING, ReplaceOne
from pymongo.errors import BulkWriteError

from app.core.conversation.conversation import UNCLOSED, Conversation, Message
from app.core.errors import LostConversation
from app.core.thread import ThreadKey
from store.crypto.cipher import SealBroken, SealingKey
from store.crypto.codec import ROWS, PutBack, UndecryptableLog
from store.crypto.keys import DataKeys
from store.database.connection import Collection, Database, Document, is_only_duplicates
from store.database.schema import CONVERSATIONS, MESSAGES, SCHEMA_VERSION


def build_threads_pipeline(team: str, ts: str) -> list[Document]:
    """Return the aggregation over rows that finds the threads which have one with this Slack ts."""
    return [
        {"$match": {"team": team, "ts": ts}},
        {"$group": {"_id": "$conversation"}},
        {"$lookup": {"from": CONVERSATIONS, "localField": "_id", "foreignField": "_id", "as": "kept"}},
        {"$match": {"kept.current": True}},
        {"$project": {"channel": {"$first": "$kept.channel"}, "root": {"$first": "$kept.root"}}},
        {"$sort": {"channel": 1, "root": 1}},
    ]


class MessageRows:
    """The transcripts of all conversations, in MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[MESSAGES]
        self._unreadable = UndecryptableLog()
        self._keys = keys

    async def write(self, conversation: Conversation, messages: Sequence[Message]) -> None:
        """Write rows. Raise `LostConversation` if one of them has a higher fence."""
        team, fence = conversation.thread.team, conversation.fence
        key = await self._keys.of(conversation)
        writes: list[ReplaceOne[Document]] = []
        for message in messages:
            id_ = _build_id(conversation, message.seq)
            document: Document = {
                **_build_open_fields(conversation, message),
                "schema_version": SCHEMA_VERSION,
                "fence": fence,
                "sealed": _seal_row(key, conversation, message),
            }
            # If the row has a higher fence, this finds nothing, inserts, and fails because the id exists.
            writes.append(ReplaceOne({"_id": id_, "team": team, "fence": {"$lte": fence}}, document, upsert=True))
        try:
            await self._documents.bulk_write(writes, ordered=False)  # pyright: ignore[reportUnknownMemberType]: Motor's stub
        except BulkWriteError as error:
            if not is_only_duplicates(error):
                raise
            raise LostConversation from error

    async def redraft(self, conversation: Conversation, reply: Message) -> None:
        """Change text and Slack messages of a reply or a card.

        Raise `LostConversation` if the row is not committed or has a higher fence.
        """
        if reply.seq > conversation.head:
            raise LostConversation
        key, id_ = await self._keys.of(conversation), _build_id(conversation, reply.seq)
        sealed = _seal_row(key, conversation, reply)
        row: Document = {"fence": conversation.fence, "ts": reply.ts, "status": reply.status, "sealed": sealed}
        if reply.status in UNCLOSED:
            goes_on = {"$in": ["$status", UNCLOSED]}
            row |= {field: {"$cond": [goes_on, row[field], f"${field}"]} for field in ("ts", "status", "sealed")}
        ours = {"_id": id_, "team": conversation.thread.team, "fence": {"$lte": conversation.fence}}
        result = await self._documents.update_one(ours, [{"$set": row}])
        if not result.matched_count:
            raise LostConversation

    async def take_over(self, conversation: Conversation, rows: Several[int]) -> None:
        """Raise the fence of these rows, so that no former holder writes them from now on."""
        if not rows:
            return
        former = {
            "_id": {"$in": [_build_id(conversation, seq) for seq in rows]},
            "team": conversation.thread.team,
            "fence": {"$lt": conversation.fence},
        }
        await self._documents.update_many(former, {"$set": {"fence": conversation.fence}})

    async def delete(self, conversation: Conversation) -> None:
        """Delete all rows, whichever process wrote them."""
        await self._documents.delete_many({"team": conversation.thread.team, "conversation": conversation.id})

    async def list_threads(self, team: str, ts: str) -> tuple[ThreadKey, ...]:
        """Return the threads whose conversations have a row with this Slack ts and are not erased, in order."""
        found = await self._documents.aggregate(build_threads_pipeline(team, ts)).to_list(None)
        return tuple(ThreadKey(team=team, channel=each["channel"], root=each["root"]) for each in found)

    async def read(self, conversation: Conversation, seq: Document, **also: Any) -> tuple[Message, ...]:
        """Return the committed rows whose `seq` meets these conditions, in order.

        Raise `SealBroken` if one of them cannot be decrypted or is a restored older copy.
        """
        documents = await self._documents.find(
            {
                "team": conversation.thread.team,
                "conversation": conversation.id,
                "seq": {**seq, "$lte": conversation.head},
            }
            | also,
            sort=[("seq", ASCENDING)],
        ).to_list(None)
        if not documents:
            return ()
        key, oldest = await self._keys.of(conversation), dict(conversation.rewritten)
        return tuple(self._open(key, document, oldest.get(document["seq"], 0)) for document in documents)

    def _open(self, key: SealingKey, document: Document, oldest: int) -> Message:
        """Return the row in a document; log a row that is unreadable or was written below the fence `oldest`."""
        try:
            row, fence = ROWS.open_numbered(key, document)
            if fence < oldest:
                raise PutBack(f"put back at {document['_id']!r}")
        except SealBroken as error:
            self._unreadable.report("message_unreadable", error, reference=document["_id"])
            raise
        return row


def _build_open_fields(conversation: Conversation, message: Message) -> Document:
    """Return the open fields of a row's document that its seal covers."""
    return {
        "_id": _build_id(conversation, message.seq),
        "team": conversation.thread.team,
        "conversation": conversation.id,
        "seq": message.seq,
        "ts": message.ts,
        "status": message.status,
    }


def _seal_row(key: SealingKey, conversation: Conversation, message: Message) -> bytes:
    return ROWS.seal(key, _build_open_fields(conversation, message), message, conversation.fence)


def _build_id(conversation: Conversation, seq: int) -> str:
    return f"{conversation.id}:{seq}"
