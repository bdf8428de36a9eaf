"""The document of a conversation: how it is created, addressed, listed and opened.

Fence and lease are open fields, and are valid as they stand there. The state is sealed from the beginning. Some of its
fields are also open, for queries and updates; the seal covers them.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict, replace
from datetime import UTC, datetime
from uuid import uuid4

from pymongo.errors import DuplicateKeyError

from app.core.conversation.conversation import ID_PREFIX, Conversation, Transition
from app.core.conversation.transition import parse_ts
from app.core.state.goal import WORKING
from app.core.state.status import Kind, Status, TurnState
from app.core.thread import ThreadKey
from store.crypto.cipher import SealBroken
from store.crypto.codec import STATES, may_be_former, truncate_to_milliseconds
from store.crypto.document_marks import WITH_MARK, require_new
from store.crypto.keys import DataKeys, KeyName
from store.database.connection import Collection, Document
from store.database.schema import HAS_CONTENT, INBOX, IS_OPEN, SCHEMA_VERSION

LONG_AGO = datetime.fromtimestamp(0, UTC)
SIGHTINGS = 200
"""Threads of which it is remembered what the intake saw."""
REWRITTEN = 512
"""Number of rewritten rows of a transcript, the last ones, whose fence is remembered."""
IS_CURRENT: Document = {"current": True}
"""Not erased, which only one conversation of a thread is. The partial index needs this literally."""
NOT_LISTED: Document = dict.fromkeys(("status", "active_at", "next_run_at", "quiet_from", "ends_at"), "$$REMOVE")
"""Fields of an update by pipeline that remove a conversation from all lists."""


def filter_document(conversation: Conversation) -> Document:
    """Return the filter that finds its document."""
    return {"_id": conversation.id, "team": conversation.thread.team}


def filter_held(conversation: Conversation) -> Document:
    """Return the filter that finds its document unless it was claimed or erased since."""
    return {**filter_document(conversation), "fence": conversation.fence}


def build_listed_fields(conversation: Conversation) -> Document:
    """Return the open fields by which a conversation is listed, as its state has them: enums and times only."""
    active_at = truncate_to_milliseconds(parse_ts(conversation.newest or conversation.thread.root))
    found: Document = {"status": conversation.status, "active_at": active_at}
    if _can_come_due(conversation):
        found["next_run_at"] = truncate_to_milliseconds(datetime.fromisoformat(conversation.next_run))
    if conversation.ends:
        found["ends_at"] = truncate_to_milliseconds(datetime.fromisoformat(conversation.ends))
    if _can_be_left(conversation):
        found["quiet_from"] = truncate_to_milliseconds(parse_ts(conversation.silent_from or conversation.thread.root))
    return found


def _can_come_due(conversation: Conversation) -> bool:
    """Return True if its next run can begin. A run in progress would hide the conversations that are due after it."""
    is_waiting = conversation.status is Status.BACKGROUND and bool(conversation.next_run)
    return is_waiting and not (conversation.planned or conversation.paused)


def _can_be_left(conversation: Conversation) -> bool:
    """Return True if silence means that a goal is idle: no run is active, and no one is asked for the next step."""
    waits_for_nobody = conversation.status is Status.ACTIVE and conversation.run is TurnState.IDLE
    return conversation.kind is Kind.FREE and waits_for_nobody and conversation.goals.phase in WORKING


def build_open_fields(conversation: Conversation) -> Document:
    """Return all open fields of its document that its seal covers."""
    return {
        "_id": conversation.id,
        **asdict(conversation.thread),
        **build_listed_fields(conversation),
        "owner": conversation.owner,
        "version": conversation.version,
        "head": conversation.head,
    }


def build_saved(step: Transition, former_head: int) -> Conversation:
    """Return the conversation that a transition leaves in the store, with its next version and rewritten rows.

    For each row that existed before, the fence of its last rewriting is remembered.
    """
    now = step.conversation
    anew = {row.seq: now.fence for row in step.messages if row.seq <= former_head}
    rewritten = sorted((dict(now.rewritten) | anew).items())
    return replace(now, version=now.version + 1, rewritten=tuple(rewritten[-REWRITTEN:]))


def read_open_fields(document: Document) -> Conversation:
    """Return what the open fields of a document contain."""
    thread = ThreadKey(team=document["team"], channel=document["channel"], root=document["root"])
    return Conversation(id=document["_id"], thread=thread, owner=document["owner"])


async def open_document(keys: DataKeys, document: Document) -> Conversation:
    """Return the conversation in a document.

    Raise `SealBroken`, also if its key is lost, or if a document with a mark is a restored older copy. A new
    conversation may lack a seal only if its document can be in the former format.
    """
    state = read_open_fields(document)
    key = await keys.find(KeyName.of(state))
    if "sealed" in document:
        state = STATES.open(key, document)
    elif document["version"] or document["head"] or not may_be_former(document):
        raise SealBroken(f"nothing is sealed at {state.id!r}")
    require_new(key, document, state.version)
    return replace(state, fence=document["fence"])


ROWS = 8
"""Open rows of a conversation that a search brings along; where there are more, all of them are read after the lease.

Without a limit, a thread with thousands of them would exceed the size of a document, and stop all searches.
"""

_THREAD = {name: f"${name}" for name in ("team", "channel", "root")}
_ROWS_OF_THREAD: list[Document] = [
    {"$match": {"$expr": {"$and": [{"$eq": [f"${name}", f"$${name}"]} for name in _THREAD]}, **IS_OPEN, **HAS_CONTENT}},
    {"$sort": {"ts": 1, "_id": 1}},
    {"$limit": ROWS + 1},
]
WITH_ROWS: Document = {"$lookup": {"from": INBOX, "let": _THREAD, "pipeline": _ROWS_OF_THREAD, "as": "rows"}}
"""Stage of an aggregation that adds the open rows of the thread of a row or conversation, hidden ones too.

They are those that `OpenRows.of` reads; one more than may be used.
"""

_SEEN: list[Document] = [
    WITH_MARK,
    WITH_ROWS,
    {
        "$project": {
            **dict.fromkeys(("root", "fence", "mark", "rows"), 1),
            "is_free": {"$lte": ["$lease_until", "$$NOW"]},
        }
    },
]


class Sightings:
    """What the intake of this process saw of a conversation just before it stored an event.

    That is what a search for work brings, so that the conversation can be leased without one. Only what was free is
    noted: nobody can close its rows without a lease. Each is used once, by whoever hears that its event is stored.
    """

    def __init__(self) -> None:
        self._of: OrderedDict[ThreadKey, tuple[str, Document]] = OrderedDict()

    def note(self, thread: ThreadKey, seen: Document, row: Document) -> None:
        """Note what was seen, together with the row that is stored next."""
        if seen["is_free"]:
            rows = sorted((*seen["rows"], row), key=lambda each: (each["ts"], each["_id"]))
            work = {"conversation": seen["_id"], "team": thread.team, "fence": seen["fence"], "mark": seen["mark"]}
            self._of[thread] = row["_id"], {**work, "rows": rows}
        if len(self._of) > SIGHTINGS:
            self._of.popitem(last=False)

    def take(self, thread: ThreadKey, receipt: str) -> Document | None:
        """Return what a search would bring for a thread whose newest event is this one, and forget it."""
        noted_with, work = self._of.pop(thread, ("", None))
        return work if noted_with == receipt else None


def build_opening_pipeline(thread: ThreadKey, receipt: str) -> list[Document]:
    """Return the aggregation over conversations that finds that of a thread, and the inbox row of an event.

    The second has no thread.
    """
    row: list[Document] = [{"$match": {"_id": receipt}}, {"$project": {"_id": 1}}]
    where: list[Document] = [{"$match": {**asdict(thread), **IS_CURRENT}}, *_SEEN]
    return [*where, {"$unionWith": {"coll": INBOX, "pipeline": row}}]


async def find_or_begin(
    documents: Collection, keys: DataKeys, thread: ThreadKey, opener: str | None, receipt: str
) -> Document | None:
    """Return what was seen of a thread's conversation. If there is none, create it for `opener`, if any.

    An event that has a row already begins none: its message was taken back before it came.
    """
    if opener is None:
        found = await documents.aggregate([{"$match": {**asdict(thread), **IS_CURRENT}}, *_SEEN]).to_list(1)
        return found[0] if found else None
    known = await documents.aggregate(build_opening_pipeline(thread, receipt)).to_list(2)
    if known:
        return next((each for each in known if "root" in each), None)
    new = Conversation(id=f"{ID_PREFIX}{uuid4().hex}", thread=thread, owner=opener)
    stub = {
        **build_open_fields(new),
        **IS_CURRENT,
        "schema_version": SCHEMA_VERSION,
        "fence": 0,
        "lease_until": LONG_AGO,
    }
    # The key comes before the conversation and never after, so that no late writer recreates the key of an erased one.
    name = KeyName.of(new)
    sealed = STATES.seal(await keys.create(name), stub, new)
    try:
        await documents.insert_one({**stub, "sealed": sealed})
    except DuplicateKeyError:  # another process opened it just now
        await keys.erase(name)
        return await find_or_begin(documents, keys, thread, opener, receipt)
    return {"_id": new.id, "fence": 0, "mark": [], "rows": [], "is_free": True}
