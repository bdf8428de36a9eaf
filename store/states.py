"""The document of a conversation: how it is begun, addressed, listed and opened.

Fence and lease stand open in it, and what they say there counts. The state is sealed from the beginning; what of it
stands open besides, so that it can be found and changed by it, is bound into the seal.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from uuid import uuid4

from pymongo.errors import DuplicateKeyError

from app.core.goal_phase import WORKING
from app.core.model import ID_PREFIX, Conversation, Step, ThreadKey
from app.core.states import Kind, Run, Status
from app.core.steps import moment
from store.cipher import SealBroken
from store.client import Collection, Document
from store.codec import STATES, in_milliseconds, may_be_former
from store.keys import DataKeys, KeyName
from store.marks import require_new
from store.schema import SCHEMA_VERSION

LONG_AGO = datetime.fromtimestamp(0, UTC)
REWRITTEN = 512
"""Rows of a transcript of which it is remembered when they were written anew, the last ones."""
IS_CURRENT: Document = {"current": True}
"""Not erased. Only one conversation of a thread is; the partial index needs it literally."""
NOT_LISTED: Document = dict.fromkeys(("status", "active_at", "next_run_at", "quiet_from", "ends_at"), "$$REMOVE")
"""What, in an update by pipeline, takes away the fields by which conversations are listed."""


def at(conversation: Conversation) -> Document:
    """Return the filter that finds its document."""
    return {"_id": conversation.id, "team": conversation.thread.team}


def held(conversation: Conversation) -> Document:
    """Return the filter that finds its document if nobody has claimed or erased it since."""
    return {**at(conversation), "fence": conversation.fence}


def listed(conversation: Conversation) -> Document:
    """Return the open fields by which a conversation is listed, as its state has them: enums and times only."""
    active_at = in_milliseconds(moment(conversation.newest or conversation.thread.root))
    found: Document = {"status": conversation.status, "active_at": active_at}
    if _can_come_due(conversation):
        found["next_run_at"] = in_milliseconds(datetime.fromisoformat(conversation.next_run))
    if conversation.ends:
        found["ends_at"] = in_milliseconds(datetime.fromisoformat(conversation.ends))
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


def fields(conversation: Conversation) -> Document:
    """Return all open fields of its document that its seal is bound to."""
    return {
        "_id": conversation.id,
        **asdict(conversation.thread),
        **listed(conversation),
        "owner": conversation.owner,
        "version": conversation.version,
        "head": conversation.head,
    }


def saved(step: Step, former_head: int) -> Conversation:
    """Return what a step leaves in the store: its conversation with the next version, and which rows it has replaced.

    Of the rows that were there before, it is remembered under which fence they were written anew.
    """
    now = step.conversation
    anew = {row.seq: now.fence for row in step.messages if row.seq <= former_head}
    rewritten = sorted((dict(now.rewritten) | anew).items())
    return replace(now, version=now.version + 1, rewritten=tuple(rewritten[-REWRITTEN:]))


def unopened(document: Document) -> Conversation:
    """Return what stands open in a document."""
    thread = ThreadKey(team=document["team"], channel=document["channel"], root=document["root"])
    return Conversation(id=document["_id"], thread=thread, owner=document["owner"])


async def opened(keys: DataKeys, document: Document) -> Conversation:
    """Return the conversation in a document.

    Raises `SealBroken`, also for one that has lost its key and, where the document came with its mark, for one that
    was put back. Only where the former format is possible may a new one have no seal yet.
    """
    state = unopened(document)
    key = await keys.existing(KeyName.of(state))
    if "sealed" in document:
        state = STATES.open(key, document)
    elif document["version"] or document["head"] or not may_be_former(document):
        raise SealBroken(f"nothing is sealed at {state.id!r}")
    require_new(key, document, state.version)
    return replace(state, fence=document["fence"])


async def conversation_of(documents: Collection, keys: DataKeys, thread: ThreadKey, opener: str | None) -> str | None:
    """Return the id of a thread's conversation; begin it, owned by `opener`, if there is none and they may."""
    current = {**asdict(thread), **IS_CURRENT}
    if found := await documents.find_one(current, {"_id": 1}):
        return found["_id"]
    if opener is None:
        return None
    new = Conversation(id=f"{ID_PREFIX}{uuid4().hex}", thread=thread, owner=opener)
    stub = {**fields(new), **IS_CURRENT, "schema_version": SCHEMA_VERSION, "fence": 0, "lease_until": LONG_AGO}
    # The key comes before the conversation and never after: so no late writer brings back the key of an erased one.
    name = KeyName.of(new)
    sealed = STATES.seal(await keys.create(name), stub, new)
    try:
        await documents.insert_one({**stub, "sealed": sealed})
    except DuplicateKeyError:  # somebody else opened it just now
        await keys.erase(name)
        return await conversation_of(documents, keys, thread, opener)
    return new.id
