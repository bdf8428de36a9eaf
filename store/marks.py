"""Marks: how new a document was at least, kept apart from it, so that a former one that is put back is noticed.

A mark only rises. It is an HMAC by the key that seals the document: nobody else can make one. What is newer than its
mark is taken, for a process may die between the two writes; who takes away both has to be stopped elsewhere.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable

from pymongo.errors import DuplicateKeyError

from app.core.model import Conversation
from store.cipher import SealBroken, SealingKey
from store.client import Collection, Database, Document
from store.codec import PutBack
from store.schema import MARKS, SCHEMA_VERSION

WITH_MARK: Document = {"$lookup": {"from": MARKS, "localField": "_id", "foreignField": "_id", "as": "mark"}}
"""The stage of an aggregation that brings each document's mark with it, in the same round trip."""


def require_new(key: SealingKey, document: Document, number: int) -> None:
    """Raise `PutBack` if a document that came with its mark is older than that, `SealBroken` if the mark is forged."""
    for mark in document.get("mark", ()):
        if not hmac.compare_digest(_hmac(key, document["_id"], mark["version"]), mark["hmac"]):
            raise SealBroken(f"the mark of {document['_id']!r} is forged")
        if number < mark["version"]:
            raise PutBack(f"put back at {document['_id']!r}")


class Marks:
    """The marks of conversations, versions and rules, each under the id of its document."""

    def __init__(self, database: Database) -> None:
        self._documents: Collection = database[MARKS]

    async def of(self, team: str, id_: str) -> list[Document]:
        """Return the mark of a document as `WITH_MARK` does: one or none."""
        return await self._documents.find({"_id": id_, "team": team}).to_list(1)

    async def lift(self, key: SealingKey, team: str, id_: str, number: int) -> None:
        """Note that the document has come this far. One write; a higher mark stays."""
        mark: Document = {"schema_version": SCHEMA_VERSION, "version": number, "hmac": _hmac(key, id_, number)}
        lower: Document = {"_id": id_, "team": team, "version": {"$lt": number}}
        try:
            await self._documents.update_one(lower, {"$set": mark}, upsert=True)
        except DuplicateKeyError:  # it is as high already
            return

    async def replace(self, key: SealingKey, team: str, id_: str, write: Callable[[int], Awaitable[None]]) -> None:
        """Write a document with a number that is higher than its mark, and lift that.

        Whoever was overtaken in between by others, who do the same, writes once more: what stays is never below.
        """
        number = await self._number(team, id_) + 1
        while True:
            await write(number)
            await self.lift(key, team, id_, number)
            newest = await self._number(team, id_)
            if newest <= number:
                return
            number = newest

    async def retire(self, key: SealingKey, team: str, id_: str) -> None:
        """Make whatever is under this id now, and was before, count no more."""
        await self.lift(key, team, id_, await self._number(team, id_) + 1)

    async def forget(self, conversation: Conversation) -> None:
        """Remove the marks of an erased conversation and of its versions, whose ids begin with its own."""
        whose: Document = {"$gte": conversation.id, "$lt": f"{conversation.id};"}  # the next after a colon
        await self._documents.delete_many({"team": conversation.thread.team, "_id": whose})

    async def _number(self, team: str, id_: str) -> int:
        return max((mark["version"] for mark in await self.of(team, id_)), default=0)


def _hmac(key: SealingKey, id_: str, number: int) -> bytes:
    return key.digest(json.dumps(["mark", id_, number]).encode())
