"""The document of a conversation: how it is begun, addressed and opened.

Version, fence, head and lease stand open in it, and what they say there counts; the rest of the state is sealed.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from uuid import uuid4

from pymongo.errors import DuplicateKeyError

from app.core.model import Conversation, ThreadKey
from store.client import Collection, Document
from store.codec import STATES
from store.keys import DataKeys, KeyName
from store.schema import SCHEMA_VERSION

LONG_AGO = datetime.fromtimestamp(0, UTC)
IS_CURRENT: Document = {"current": True}
"""Not erased. Only one conversation of a thread is; the partial index needs it literally."""


def at(conversation: Conversation) -> Document:
    """Return the filter that finds its document."""
    return {"_id": conversation.id, "team": conversation.thread.team}


def held(conversation: Conversation) -> Document:
    """Return the filter that finds its document if nobody has claimed or erased it since."""
    return {**at(conversation), "fence": conversation.fence}


def unopened(document: Document) -> Conversation:
    """Return what stands open in a document."""
    thread = ThreadKey(team=document["team"], channel=document["channel"], root=document["root"])
    return Conversation(id=document["_id"], thread=thread, owner=document["owner"])


async def opened(keys: DataKeys, document: Document) -> Conversation:
    """Return the conversation in a document. Raises `SealBroken`, also for one that is new and has lost its key."""
    state = unopened(document)
    key = await keys.existing(KeyName.of(state))
    if "sealed" in document:
        state = STATES.open(key, document)
    return replace(state, version=document["version"], fence=document["fence"], head=document["head"])


async def conversation_of(documents: Collection, keys: DataKeys, thread: ThreadKey, opener: str | None) -> str | None:
    """Return the id of a thread's conversation; begin it, owned by `opener`, if there is none and they may."""
    current = {**asdict(thread), **IS_CURRENT}
    if found := await documents.find_one(current, {"_id": 1}):
        return found["_id"]
    if opener is None:
        return None
    stub: Document = {
        "_id": uuid4().hex,
        **current,
        "schema_version": SCHEMA_VERSION,
        "owner": opener,
        "version": 0,
        "fence": 0,
        "head": 0,
        "lease_until": LONG_AGO,
    }
    # The key comes before the conversation and never after: so no late writer brings back the key of an erased one.
    name = KeyName.of_conversation(thread.team, stub["_id"])
    await keys.create(name)
    try:
        await documents.insert_one(stub)
    except DuplicateKeyError:  # somebody else opened it just now
        await keys.erase(name)
        return await conversation_of(documents, keys, thread, opener)
    return stub["_id"]
