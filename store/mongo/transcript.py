"""The rows of transcripts. A row is replaced by the same or a higher fence only.

A claim gives its fence to the rows that are being written, so a row's fence alone keeps a stale writer out. Replacing a
row removes its content: this is how a deleted message is erased. Does not know whether a row is committed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection as Several
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pymongo import ASCENDING, ReplaceOne
from pymongo.errors import BulkWriteError

from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.errors import LostConversation
from app.ports import Clock
from store.crypto.cipher import SealBroken, SealingKey
from store.crypto.codec import ROWS, PutBack, UndecryptableLog
from store.crypto.keys import DataKeys, KeyName
from store.database.connection import Collection, Database, Document, is_only_duplicates
from store.database.schema import MESSAGES, SCHEMA_VERSION

UNCLOSED = (MessageStatus.STREAMING, MessageStatus.OPEN, MessageStatus.HELD)
"""Statuses of rows that still change: a reply that is being written, a card that waits for an answer."""

CONVERSATIONS_REMEMBERED, ROWS_REMEMBERED = 50, 500
"""Conversations whose rows are remembered, and the most rows of each."""

REMEMBERED = 600.0
"""Seconds after which rows that nobody asked for are forgotten."""


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

    async def read(self, conversation: Conversation, seq: Document, **also: Any) -> tuple[Message, ...]:
        """Return the committed rows whose `seq` meets these conditions, in order.

        Raise `SealBroken` if one of them cannot be decrypted or is a restored older copy.
        """
        documents = await self._documents.find(
            _filter_committed(conversation, seq) | also, sort=[("seq", ASCENDING)]
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
            self._unreadable.report_row(document["_id"], error)
            raise
        return row


@dataclass(slots=True)
class _Remembered:
    """Rows of a conversation beyond `after`, as of this fence and version, without those that may have changed."""

    fence: int
    version: int
    after: int
    rows: dict[int, Message]
    until: float = 0.0
    """Time of the monotonic clock at which they are forgotten."""


class RowMemory:
    """Rows of the conversations that this process has held, so that the next turn does not read them again.

    Each lease raises the fence by one and each save the version, so rows count only if nobody else has held the
    conversation since. They are forgotten with its key, and some minutes after they were used.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[str, _Remembered] = OrderedDict()

    def note_claimed(self, held: Conversation) -> None:
        """Keep the rows of a conversation that was leased if this process was the last to hold it."""
        self._drop_old()
        known = self._known.get(_name(held))
        if known is None or (known.fence + 1, known.version) != (held.fence, held.version):
            known = _Remembered(held.fence, held.version, held.head, {})
        known.fence = held.fence
        self._touch(held, known)

    def note_saved(self, saved: Conversation, messages: Sequence[Message]) -> None:
        """Add the rows of a save that has succeeded."""
        known = self._known.get(_name(saved))
        if known and (known.fence, known.version + 1) == (saved.fence, saved.version):
            known.version = saved.version
            known.rows |= {row.seq: row for row in messages if row.seq > known.after}
            self._touch(saved, known)
        else:
            self.forget(_name(saved))

    def note_drafted(self, conversation: Conversation, row: Message) -> None:
        """Replace a row that was written. What an open one shows now depends on what was stored, so it is left out."""
        if known := self._find(conversation):
            known.rows.pop(row.seq, None)
            if row.status not in UNCLOSED:
                known.rows[row.seq] = row

    def note_read(self, conversation: Conversation, after: int, rows: Sequence[Message]) -> None:
        """Remember all committed rows beyond `after`, but no open ones: their holder may be another process."""
        if known := self._find(conversation):
            known.after = min(after, known.after)
            known.rows |= {row.seq: row for row in rows if row.status not in UNCLOSED}
            self._touch(conversation, known)

    def recall(self, conversation: Conversation, after: int) -> tuple[Message, ...] | None:
        """Return the committed rows beyond `after`, in order; None if one of them is not known."""
        known, wanted = self._find(conversation), range(after + 1, conversation.head + 1)
        if known is None or after < known.after or not known.rows.keys() >= {*wanted}:
            return None
        return tuple(known.rows[seq] for seq in wanted)

    def forget(self, key: str) -> None:
        """Forget the rows that are sealed with the key of this id."""
        self._known.pop(key, None)

    def _find(self, conversation: Conversation) -> _Remembered | None:
        known = self._known.get(_name(conversation))
        is_same = known and (known.fence, known.version) == (conversation.fence, conversation.version)
        return known if is_same else None

    def _touch(self, conversation: Conversation, known: _Remembered) -> None:
        if len(known.rows) > ROWS_REMEMBERED:
            known.rows, known.after = {}, conversation.head
        known.until = self._clock.monotonic() + REMEMBERED
        self._known[_name(conversation)] = known
        self._known.move_to_end(_name(conversation))
        self._drop_old()

    def _drop_old(self) -> None:
        """Forget what nobody has asked for, and what there is no room for."""
        now = self._clock.monotonic()
        while self._known and (
            len(self._known) > CONVERSATIONS_REMEMBERED or next(iter(self._known.values())).until <= now
        ):
            self._known.popitem(last=False)


def _name(conversation: Conversation) -> str:
    return KeyName.of(conversation).id


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


def _filter_committed(conversation: Conversation, seq: Document) -> Document:
    return {
        "team": conversation.thread.team,
        "conversation": conversation.id,
        "seq": {**seq, "$lte": conversation.head},
    }
