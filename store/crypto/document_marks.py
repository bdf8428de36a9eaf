"""Marks: the lowest valid version of a document, kept apart from it, so that a restored older copy is noticed.

A mark only rises. It is an HMAC by the key that seals the document, so it cannot be forged without that key. A document
newer than its mark is accepted, because a process may die between the two writes. Removing both is not noticed here.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable

from pymongo.errors import DuplicateKeyError

from app.core.conversation.conversation import Conversation
from store.crypto.cipher import SealBroken, SealingKey
from store.crypto.codec import PutBack
from store.database.connection import Collection, Database, Document
from store.database.schema import MARKS, SCHEMA_VERSION

WITH_MARK: Document = {"$lookup": {"from": MARKS, "localField": "_id", "foreignField": "_id", "as": "mark"}}
"""Stage of an aggregation that adds each document's mark, in the same round trip."""


def require_new(key: SealingKey, document: Document, number: int) -> None:
    """Raise `PutBack` if a document is older than its mark, `SealBroken` if the mark is forged."""
    for mark in document.get("mark", ()):
        if not hmac.compare_digest(_compute_hmac(key, document["_id"], mark["version"]), mark["hmac"]):
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
        """Raise a document's mark to this number. A single write; a higher mark stays."""
        mark: Document = {"schema_version": SCHEMA_VERSION, "version": number, "hmac": _compute_hmac(key, id_, number)}
        lower: Document = {"_id": id_, "team": team, "version": {"$lt": number}}
        try:
            await self._documents.update_one(lower, {"$set": mark}, upsert=True)
        except DuplicateKeyError:  # the mark is as high already
            return

    async def replace(self, key: SealingKey, team: str, id_: str, write: Callable[[int], Awaitable[None]]) -> None:
        """Write a document with a number that is higher than its mark, and raise the mark.

        A writer that is overtaken by another one in between writes once more, so that the document is never below its
        mark.
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
        """Raise the mark above the document of this id, so that neither it nor an older copy is accepted."""
        await self.lift(key, team, id_, await self._number(team, id_) + 1)

    async def forget(self, conversation: Conversation) -> None:
        """Remove the marks of an erased conversation and of its versions, whose ids begin with its own."""
        whose: Document = {"$gte": conversation.id, "$lt": f"{conversation.id};"}  # `;` follows the colon in ASCII
        await self._documents.delete_many({"team": conversation.thread.team, "_id": whose})

    async def _number(self, team: str, id_: str) -> int:
        return max((mark["version"] for mark in await self.of(team, id_)), default=0)


def _compute_hmac(key: SealingKey, id_: str, number: int) -> bytes:
    return key.digest(json.dumps(["mark", id_, number]).encode())
