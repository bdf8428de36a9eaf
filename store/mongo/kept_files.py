"""What was read of the files in conversations, in MongoDB: pieces, each sealed with the key of its conversation.

Which conversations keep something of a file stands open, so that it is erased everywhere when Slack says that it was
deleted. A file is whole when all its pieces are there, so a writer that died has kept nothing.
"""

from __future__ import annotations

import json
from collections.abc import Collection as Several
from dataclasses import asdict
from itertools import groupby

from pymongo import ASCENDING, ReplaceOne

from app.core.conversation.conversation import Conversation
from app.core.thread import ThreadKey
from app.ports.store import KeptFile
from store.crypto.cipher import SealBroken, SealingKey
from store.crypto.codec import PIECES, UndecryptableLog
from store.crypto.keys import DataKeys
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import FILES, SCHEMA_VERSION
from store.mongo.erasing import Erasing

PIECE = 1_000_000
"""Characters of a piece. A document of MongoDB has at most 16 MB."""

IN_ORDER = [("file", ASCENDING), ("piece", ASCENDING)]


class MongoFiles:
    """Implementation of the `Files` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[FILES]
        self._erasing = Erasing(database, keys)
        self._unreadable = UndecryptableLog()
        self._keys = keys

    @translate_errors
    async def keep(self, conversation: Conversation, kept: KeptFile) -> None:
        """See `Files.keep`."""
        key = await self._keys.of(conversation)
        pieces = _cut(json.dumps(asdict(kept), ensure_ascii=False))
        documents = [_seal(key, conversation, kept.file, pieces, place) for place in range(len(pieces))]
        await self._documents.delete_many({**_filter(conversation), "file": kept.file})
        for document in documents:  # one by one, because a command has at most 48 MB
            await self._documents.bulk_write([ReplaceOne({"_id": document["_id"]}, document, upsert=True)])  # pyright: ignore[reportUnknownMemberType]: Motor's stub
        await self._erasing.require_current(conversation)

    @translate_errors
    async def list(self, conversation: Conversation) -> tuple[KeptFile, ...]:
        """See `Files.of`. One round trip."""
        documents = await self._documents.find(_filter(conversation), sort=IN_ORDER).to_list(None)
        if not documents:
            return ()
        key = await self._keys.of(conversation)
        read = (self._open(key, list(pieces)) for _, pieces in groupby(documents, lambda each: each["file"]))
        return tuple(kept for kept in read if kept)

    def _open(self, key: SealingKey, pieces: list[Document]) -> KeptFile | None:
        if [each["piece"] for each in pieces] != [*range(pieces[0]["pieces"])]:
            return None
        try:
            return KeptFile(**json.loads("".join(PIECES.open(key, each) for each in pieces)))
        except SealBroken as error:
            self._unreadable.report("file_unreadable", error, reference=pieces[0]["_id"])
            return None

    @translate_errors
    async def forget(self, conversation: Conversation, files: Several[str]) -> None:
        """See `Files.forget`."""
        await self._documents.delete_many({**_filter(conversation), "file": {"$in": [*files]}})

    @translate_errors
    async def threads_of(self, team: str, file: str) -> tuple[ThreadKey, ...]:
        """See `Files.threads_of`."""
        fields = {"channel": 1, "root": 1}
        documents = await self._documents.find({"team": team, "file": file, "piece": 0}, fields).to_list(None)
        found = {(each["channel"], each["root"]) for each in documents}
        return tuple(ThreadKey(team=team, channel=channel, root=root) for channel, root in sorted(found))


def _filter(conversation: Conversation) -> Document:
    return {"team": conversation.thread.team, "conversation": conversation.id}


def _cut(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def _seal(key: SealingKey, conversation: Conversation, file: str, pieces: list[str], place: int) -> Document:
    document: Document = {
        "_id": f"{conversation.id}:{file}:{place}",
        **asdict(conversation.thread),
        "conversation": conversation.id,
        "file": file,
        "piece": place,
        "pieces": len(pieces),
    }
    return {**document, "schema_version": SCHEMA_VERSION, "sealed": PIECES.seal(key, document, pieces[place])}
