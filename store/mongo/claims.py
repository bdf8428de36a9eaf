"""Claims and leases, timed by the server's `$$NOW`, so that the clocks of the processes do not matter.

Each claim raises the fence, and a lower fence writes nothing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Collection as Several
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict

from pymongo import ReturnDocument
from pymongo.errors import PyMongoError

from app.core.conversation.conversation import Conversation
from app.core.conversation.effect import find_shown_seq
from app.core.errors import LostConversation
from app.core.thread import ThreadKey
from app.ports import Claimed
from store.crypto.cipher import SealBroken
from store.crypto.codec import UndecryptableLog
from store.crypto.document_marks import Marks
from store.crypto.keys import DataKeys
from store.database.connection import Collection, Database, Document
from store.database.schema import (
    CONVERSATIONS,
    HAS_CONTENT,
    INBOX,
    IS_OPEN,
    IS_VISIBLE,
    MARKS,
    SET_ASIDE,
    build_deadline,
)
from store.mongo.audit_log import AuditLog, keep_other_events
from store.mongo.documents import (
    IS_CURRENT,
    LONG_AGO,
    ROWS,
    WITH_ROWS,
    Sightings,
    filter_document,
    filter_held,
    open_document,
    read_open_fields,
)
from store.mongo.erasing import Erasing
from store.mongo.inbox import OpenRows
from store.mongo.transcript import MessageRows

IS_FREE: Document = {"$expr": {"$lte": ["$lease_until", "$$NOW"]}}
FREED: Document = {"$set": {"lease_until": LONG_AGO}, "$unset": {"holder": ""}}
TRAILS = 1_000
"""Conversations whose audit events are remembered; those of others are read from the document."""

CANDIDATES = 8
"""Rows that one search returns, so that it is not repeated for each row that another worker claims first."""

_OF_WORK = dict.fromkeys(("conversation", "channel", "root", "team", "mark", "rows"), 1)


def build_work_pipeline(team: str, busy: Several[ThreadKey], tried: Several[str] = ()) -> list[Document]:
    """Return the aggregation over the inbox that finds the oldest rows whose conversation is free or erased."""
    passed_over = [*map(asdict, busy), *({"conversation": id_} for id_ in tried)]
    others = {"$nor": passed_over} if passed_over else {}
    return [
        {"$match": {"team": team, **IS_OPEN, **IS_VISIBLE, **others}},
        {"$sort": {"ts": 1, "_id": 1}},
        {"$lookup": {"from": CONVERSATIONS, "localField": "conversation", "foreignField": "_id", "as": "kept"}},
        # Neither `$unwind` nor a pipeline in `$lookup`: measured three and seven times slower for each row skipped. The
        # missing lease of an erased conversation compares as less than any time.
        {"$match": {"$expr": {"$lte": [{"$first": "$kept.lease_until"}, "$$NOW"]}}},
        {"$limit": CANDIDATES},
        # Read before the lease begins, so it may be lower than the mark at that time. A lower mark is still valid.
        {"$lookup": {"from": MARKS, "localField": "conversation", "foreignField": "_id", "as": "mark"}},
        WITH_ROWS,
        {"$project": {**_OF_WORK, "current": {"$first": "$kept.current"}, "fence": {"$first": "$kept.fence"}}},
    ]


class Claims:
    """Claims of conversations in MongoDB."""

    def __init__(
        self,
        database: Database,
        keys: DataKeys,
        erasing: Erasing,
        unreadable: UndecryptableLog,
        sightings: Sightings,
    ) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._inbox: Collection = database[INBOX]
        self._rows, self._open_rows = MessageRows(database, keys), OpenRows(database, keys)
        self._trail, self._marks = AuditLog(database), Marks(database)
        self._trails: OrderedDict[str, tuple[tuple[int, int], Sequence[Document]]] = OrderedDict()
        """For each conversation that is held here, the audit events in its document, as of this fence and version."""
        self._keys, self._erasing, self._unreadable, self._sightings = keys, erasing, unreadable, sightings

    async def claim(
        self, team: str, worker: str, seconds: float, busy: Several[ThreadKey], limit: int
    ) -> tuple[Claimed, ...]:
        """See `Conversations.claim_some`."""
        lease = _build_lease(worker, seconds)
        tried: list[str] = []
        held: list[Claimed] = []
        has_more = True
        while has_more and len(held) < limit:
            found = await self._inbox.aggregate(build_work_pipeline(team, busy, tried)).to_list(CANDIDATES)
            has_more = len(found) == CANDIDATES
            rows = deque({row["conversation"]: row for row in found}.values())
            tried += [row["conversation"] for row in rows]
            while rows and len(held) < limit:
                batch = [rows.popleft() for _ in range(min(len(rows), limit - len(held)))]
                results = await asyncio.gather(*(self._try(row, lease) for row in batch), return_exceptions=True)
                held += [each for each in results if isinstance(each, Claimed)]
                if errors := [each for each in results if isinstance(each, BaseException)]:
                    if not held:
                        raise errors[0]
                    return tuple(held)  # what is leased must be worked on; the rest is found again
        return tuple(held)

    async def claim_thread(self, worker: str, seconds: float, thread: ThreadKey, receipt: str) -> Claimed | None:
        """See `Conversations.claim_thread`. A single write."""
        seen = self._sightings.take(thread, receipt)
        return await self._lease(seen, _build_lease(worker, seconds)) if seen else None

    async def _try(self, row: Document, lease: Document) -> Claimed | None:
        """Lease the conversation of a row; complete its erasure if it is erased."""
        if row.get("current"):
            return await self._lease(row, lease)
        await self._erasing.finish(read_open_fields({**row, "_id": row["conversation"], "owner": ""}))
        return None

    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        """See `Conversations.renew`. A late heartbeat does not revive a released lease."""
        ours = {**filter_held(conversation), "holder": {"$exists": True}}
        result = await self._documents.update_one(ours, [{"$set": {"lease_until": build_deadline(seconds)}}])
        return result.matched_count == 1

    def note_trail(self, conversation: Conversation, trail: Sequence[Document]) -> None:
        """Remember the audit events that a save left in the document, for the end of this lease."""
        self._trails[conversation.id] = (conversation.fence, conversation.version), trail
        self._trails.move_to_end(conversation.id)
        if len(self._trails) > TRAILS:
            self._trails.popitem(last=False)

    async def release(self, conversation: Conversation) -> None:
        """See `Conversations.release`."""
        await self._free(filter_held(conversation), conversation, conversation)

    async def save_and_release(self, before: Conversation, after: Conversation, state: Document) -> bool:
        """Write a state that follows `before`, and end the lease. Return False if version or fence do not match."""
        unchanged = {**filter_held(before), "version": before.version}
        return await self._free(unchanged, before, after, {"$set": state})

    async def _free(self, ours: Document, before: Conversation, after: Conversation, *changes: Document) -> bool:
        """End the lease of the document that `ours` finds, with further changes. Return False if it finds none.

        Audit events that are known to be in the document are removed with the same write. Others are moved after it.
        """
        saved, known = self._trails.pop(before.id, ((0, 0), ()))
        copied = known if saved == (before.fence, before.version) else ()
        try:
            await self._trail.copy(copied)
        except PyMongoError:  # the lease ends all the same, and they are moved after it
            copied = ()
        free: Document = {"$set": {"lease_until": LONG_AGO, **keep_other_events(copied)}}
        document = await self._documents.find_one_and_update(
            ours, [*changes, free, {"$unset": "holder"}], {"trail": 1}, return_document=ReturnDocument.AFTER
        )
        if not document:
            return False
        await self._trail.move(after, document.get("trail", ()))
        await self._mark(after)
        return True

    async def _mark(self, conversation: Conversation) -> None:
        """Raise the mark to the present version, once per lease. From then on no older version is accepted."""
        if conversation.version:
            with suppress(LostConversation):  # it was erased just now
                key = await self._keys.of(conversation)
                await self._marks.lift(key, conversation.thread.team, conversation.id, conversation.version)

    async def _lease(self, row: Document, lease: Document) -> Claimed | None:
        free = {"_id": row["conversation"], "team": row["team"], **IS_CURRENT, **IS_FREE}
        document = await self._documents.find_one_and_update(
            free, [{"$set": lease}], return_document=ReturnDocument.AFTER
        )
        if not document or not (held := await self._take_over({**document, "mark": row["mark"]})):
            return None
        # Only its holders close a conversation's rows: where nobody held it since the search, they are still open, or
        # its last holder closes them just now and the state has applied them.
        are_open = held.fence == row["fence"] + 1 and len(row["rows"]) <= ROWS
        return Claimed(held, await self._open_rows.open(row["rows"]) if are_open else None)

    async def _take_over(self, document: Document) -> Conversation | None:
        try:
            conversation = await open_document(self._keys, document)
        except SealBroken as error:
            await self._set_aside(document, error)
            return None
        await self._rows.take_over(conversation, find_open_messages(conversation))
        return conversation

    async def _set_aside(self, document: Document, error: SealBroken) -> None:
        conversation = read_open_fields(document)
        self._unreadable.report("conversation_unreadable", error, conversation=conversation.id)
        rows = {**asdict(conversation.thread), **IS_OPEN, **HAS_CONTENT}
        await self._inbox.update_many(rows, SET_ASIDE)
        await self._documents.update_one({**filter_document(conversation), "fence": document["fence"]}, FREED)


def _build_lease(worker: str, seconds: float) -> Document:
    return {
        "holder": {"$literal": worker},
        "lease_until": build_deadline(seconds),
        "fence": {"$add": ["$fence", 1]},
    }


def find_open_messages(conversation: Conversation) -> frozenset[int]:
    """Return the `seq` of each reply and card that a former holder may still be writing."""
    written = frozenset(seq for effect in conversation.effects if (seq := find_shown_seq(effect)))
    return written | {conversation.turn.reply} if conversation.turn else written
