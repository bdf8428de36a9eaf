"""Conversations found by their open fields: by owner, by silence, or by a due run.

Lists without leasing. A list costs two round trips: one for the documents, one for the keys that are not cached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from pymongo import ASCENDING, DESCENDING

from app.core.model import Conversation
from app.core.states import Status
from store.cipher import SealBroken
from store.client import Collection, Database, Document
from store.keys import DataKeys, KeyName
from store.marks import WITH_MARK
from store.schema import CONVERSATIONS
from store.states import IS_CURRENT, at, opened, unopened
from store.unreadable import Unreadable

WITHOUT_TRAIL: Document = {"trail": 0}
Order: TypeAlias = Sequence[tuple[str, int]]
NEWEST_FIRST: Order = [("active_at", DESCENDING), ("root", DESCENDING)]
OLDEST_FIRST: Mapping[str, Order] = {
    field: [(field, ASCENDING), ("root", ASCENDING)] for field in ("quiet_from", "next_run_at", "active_at", "ends_at")
}


def of_owner(team: str, owner: str) -> Document:
    """Return the filter for a person's conversations."""
    return {"team": team, "owner": owner, **IS_CURRENT}


def until(team: str, field: str, moment: datetime) -> Document:
    """Return the filter for conversations in which the time of a field has come. Other documents lack the field."""
    return {"team": team, field: {"$lte": moment}}


def silent(team: str, moment: datetime) -> Document:
    """Return the filter for open conversations without a schedule and without a message since then."""
    still = [Status.ACTIVE.value, Status.WAITING_INPUT.value]
    return {"team": team, "status": {"$in": still}, "active_at": {"$lte": moment}, **IS_CURRENT}


def listing(where: Document, order: Order, passed: int, limit: int) -> list[Document]:
    """Return the aggregation that reads a page of a list, each document with its mark."""
    page: list[Document] = [{"$match": where}, {"$sort": dict(order)}, {"$skip": passed}, {"$limit": limit}]
    return [*page, {"$project": WITHOUT_TRAIL}, WITH_MARK]


class Listing:
    """Finder of conversations in MongoDB."""

    def __init__(self, database: Database, keys: DataKeys, unreadable: Unreadable) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._keys, self._unreadable = keys, unreadable

    async def of_owner(self, team: str, owner: str, limit: int) -> tuple[Conversation, ...]:
        """See `Conversations.of_owner`."""
        return await self._first(of_owner(team, owner), NEWEST_FIRST, limit)

    async def quiet_since(self, team: str, moment: datetime, limit: int) -> tuple[Conversation, ...]:
        """See `Conversations.quiet_since`."""
        return await self._until(team, "quiet_from", moment, limit)

    async def silent_since(self, team: str, moment: datetime, passed: int, limit: int) -> tuple[Conversation, ...]:
        """See `Conversations.silent_since`."""
        return await self._first(silent(team, moment), OLDEST_FIRST["active_at"], limit, passed)

    async def ended(self, team: str, moment: datetime, limit: int) -> tuple[Conversation, ...]:
        """See `Conversations.ended`."""
        return await self._until(team, "ends_at", moment, limit)

    async def due(self, team: str, moment: datetime, limit: int) -> tuple[Conversation, ...]:
        """See `Conversations.due`."""
        return await self._until(team, "next_run_at", moment, limit)

    async def _until(self, team: str, field: str, moment: datetime, limit: int) -> tuple[Conversation, ...]:
        return await self._first(until(team, field, moment), OLDEST_FIRST[field], limit)

    async def _first(self, where: Document, order: Order, limit: int, passed: int = 0) -> tuple[Conversation, ...]:
        """Return the first conversations that can be decrypted, so that the others take up no places."""
        found: list[Conversation] = []
        while len(found) < limit:
            page = await self._documents.aggregate(listing(where, order, passed, limit)).to_list(limit)
            found += await self._openable(page)
            if len(page) < limit:
                break
            passed += limit
        return tuple(found[:limit])

    async def _openable(self, documents: Sequence[Document]) -> list[Conversation]:
        await self._keys.read_ahead([KeyName.of(unopened(document)) for document in documents])
        read = [await self._opened(document) for document in documents]
        return [conversation for conversation in read if conversation]

    async def _opened(self, document: Document) -> Conversation | None:
        try:
            return await opened(self._keys, document)
        except SealBroken as error:
            # If it was erased since it was found, there is nothing to report.
            if await self._documents.find_one({**at(unopened(document)), **IS_CURRENT}, {"_id": 1}):
                self._unreadable.report(document["_id"], error)
            return None
