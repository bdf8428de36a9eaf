"""Approved results in MongoDB: one document per version of a step, changed only if a message that it quotes goes.

It is sealed with the key of the step's conversation and erased with it. Does not know the content of a result.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from pymongo import ASCENDING
from pymongo.errors import DuplicateKeyError

from app.core.conversation.conversation import Conversation
from app.core.state.decision import Version
from app.core.thread import ThreadKey
from store.crypto.cipher import SealBroken
from store.crypto.codec import VERSIONS, UndecryptableLog
from store.crypto.document_marks import WITH_MARK, Marks, require_new
from store.crypto.keys import DataKeys, KeyErased, KeyName
from store.database.connection import Collection, Database, Document, translate_errors
from store.database.schema import EXTRACTIONS, SCHEMA_VERSION
from store.mongo.erasing import Erasing

IN_ORDER = [("component", ASCENDING), ("number", ASCENDING)]


def filter_by_decision(decision: ThreadKey) -> Document:
    """Return the filter for the versions of all steps of a decision."""
    return {"team": decision.team, "decision.channel": decision.channel, "decision.root": decision.root}


class MongoVersions:
    """Implementation of the `Versions` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[EXTRACTIONS]
        self._erasing, self._marks = Erasing(database, keys), Marks(database)
        self._unreadable = UndecryptableLog()
        self._keys = keys

    @translate_errors
    async def keep(self, conversation: Conversation, version: Version) -> None:
        """See `Versions.keep`."""
        key, open_ = await self._keys.of(conversation), _build_open_fields(conversation, version)
        document = {**open_, "schema_version": SCHEMA_VERSION, **VERSIONS.fields(key, open_, version)}
        with suppress(DuplicateKeyError):
            await self._documents.insert_one(document)
        await self._erasing.require_current(conversation)

    @translate_errors
    async def amend(self, conversation: Conversation, version: Version) -> None:
        """See `Versions.amend`. After an erasure, the write finds nothing. The older version is no longer accepted."""
        key, open_ = await self._keys.of(conversation), _build_open_fields(conversation, version)
        kept = await self._documents.find_one({"_id": open_["_id"]}, {"_id": 1})

        async def write(number: int) -> None:
            amended = {**open_, **VERSIONS.fields(key, open_, version, number)}
            await self._documents.update_one({"_id": open_["_id"]}, {"$set": amended})

        if kept:
            await self._marks.replace(key, open_["team"], open_["_id"], write)
        await self._erasing.require_current(conversation)

    @translate_errors
    async def list(self, decision: ThreadKey) -> tuple[Version, ...]:
        """See `Versions.of`. Two round trips, one if the keys are cached. An unreadable version is logged."""
        which: list[Document] = [{"$match": filter_by_decision(decision)}, {"$sort": dict(IN_ORDER)}, WITH_MARK]
        documents = await self._documents.aggregate(which).to_list(None)
        await self._keys.read_ahead({_name_key(document) for document in documents})
        read = [await self._open(document) for document in documents]
        return tuple(version for version in read if version)

    async def _open(self, document: Document) -> Version | None:
        try:
            key = await self._keys.find(_name_key(document))
            version, number = VERSIONS.open_numbered(key, document)
            require_new(key, document, number)
        except KeyErased:  # erased with its step
            return None
        except SealBroken as error:
            self._unreadable.report("version_unreadable", error, reference=document["_id"])
            return None
        return version


def _build_open_fields(conversation: Conversation, version: Version) -> Document:
    """Return the open fields of a version's document that its seal covers."""
    return {
        "_id": f"{conversation.id}:{version.number}",
        "team": conversation.thread.team,
        "conversation": conversation.id,
        "decision": {"channel": version.decision.channel, "root": version.decision.root},
        "component": version.component,
        "number": version.number,
        "approved_at": datetime.fromisoformat(version.approved_at),
        "approved_by": version.approved_by,
    }


def _name_key(document: Document) -> KeyName:
    return KeyName.of_conversation(document["team"], document["conversation"])
