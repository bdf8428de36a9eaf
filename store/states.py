"""The document of a conversation: how it is begun, addressed, listed and opened.

Version, fence, head and lease stand open in it, and what they say there counts. The rest of the state is sealed; of
that, a few enums and times stand open besides, so that it can be found by them.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from uuid import uuid4

from pymongo.errors import DuplicateKeyError

from app.core.goal_phase import WORKING
from app.core.model import Conversation, ThreadKey
from app.core.states import Kind, Run, Status
from app.core.steps import moment
from store.client import Collection, Document
from store.codec import STATES
from store.keys import DataKeys, KeyName
from store.schema import SCHEMA_VERSION

LONG_AGO = datetime.fromtimestamp(0, UTC)
IS_CURRENT: Document = {"current": True}
"""Not erased. Only one conversation of a thread is; the partial index needs it literally."""
NOT_LISTED: Document = dict.fromkeys(("status", "active_at", "next_run_at", "quiet_from"), "$$REMOVE")
"""What, in an update by pipeline, takes away the fields by which conversations are listed."""


def at(conversation: Conversation) -> Document:
    """Return the filter that finds its document."""
    return {"_id": conversation.id, "team": conversation.thread.team}


def held(conversation: Conversation) -> Document:
    """Return the filter that finds its document if nobody has claimed or erased it since."""
    return {**at(conversation), "fence": conversation.fence}


def listed(conversation: Conversation) -> Document:
    """Return the open fields by which a conversation is listed, as its state has them: enums and times only."""
    active_at = _in_milliseconds(moment(conversation.newest or conversation.thread.root))
    found: Document = {"status": conversation.status, "active_at": active_at}
    if _can_come_due(conversation):
        found["next_run_at"] = _in_milliseconds(datetime.fromisoformat(conversation.next_run))
    if _can_be_left(conversation):
        found["quiet_from"] = active_at
    return found


def _can_come_due(conversation: Conversation) -> bool:
    """True if its next run can begin: one that is under way keeps nobody behind it from being seen (I4)."""
    return conversation.status is Status.BACKGROUND and bool(conversation.next_run) and not conversation.planned


def _can_be_left(conversation: Conversation) -> bool:
    """True if silence has a meaning: a goal is worked on, and neither a run nor a person has the next move (C-25)."""
    waits_for_nobody = conversation.status is Status.ACTIVE and conversation.run is Run.IDLE
    return conversation.kind is Kind.FREE and waits_for_nobody and conversation.goals.phase in WORKING


def _in_milliseconds(time: datetime) -> datetime:
    """MongoDB keeps no more; so its twin does not know more either."""
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


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
    new = Conversation(id=uuid4().hex, thread=thread, owner=opener)
    stub: Document = {
        "_id": new.id,
        **current,
        **listed(new),
        "schema_version": SCHEMA_VERSION,
        "owner": opener,
        "version": 0,
        "fence": 0,
        "head": 0,
        "lease_until": LONG_AGO,
    }
    # The key comes before the conversation and never after: so no late writer brings back the key of an erased one.
    name = KeyName.of(new)
    await keys.create(name)
    try:
        await documents.insert_one(stub)
    except DuplicateKeyError:  # somebody else opened it just now
        await keys.erase(name)
        return await conversation_of(documents, keys, thread, opener)
    return new.id
