"""The collections: their names, the open fields of their documents, and their indexes.

Validators refuse every field that is not listed, so that no text of a person can be stored open by mistake. Open fields
are ids, enums, times, counters, Slack's ts and HMACs. Everything else is inside `sealed`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pymongo import ASCENDING, IndexModel

from app.core.conversation.audit import AuditType
from app.core.conversation.conversation import MessageStatus
from app.core.state.goal import REASONS
from app.core.state.status import Status
from store.database.connection import Document

SCHEMA_VERSION = 1
INBOX = "inbox"
CONVERSATIONS = "conversations"
MESSAGES = "messages"
EXTRACTIONS = "extractions"
FILES = "files"
KEYS = "keys"
TOMBSTONES = "tombstones"
PACING = "pacing"
RATE_LIMITS = "rate_limits"
AUDIT = "audit_events"
PLACES = "places"
PERMISSIONS = "permissions"
MARKS = "marks"

KEPT_WHEN_DONE = 48 * 3600
"""Seconds. Slack redelivers an event for about an hour, or longer by hand. Later, a receipt is of no use."""
DAY = 24 * 3600  # seconds


class RowState(StrEnum):
    """The state of an inbox row."""

    OPEN = "open"
    DONE = "done"
    PARKED = "parked"


Field = Mapping[str, Any]
STRING: Field = {"bsonType": "string"}
CONSTANT: Field = {"bsonType": "string", "pattern": r"^\S*$"}
"""An id or one of our own constants. A sentence is refused."""
REASON: Field = {"anyOf": [CONSTANT, {"enum": sorted(set(REASONS.values()))}]}
"""A constant, or one of the sentences in the tables."""
COUNT: Field = {"bsonType": ["int", "long"], "minimum": 0}
TIME: Field = {"bsonType": "date"}
YES_OR_NO: Field = {"bsonType": "bool"}
SEALED: Field = {"bsonType": "binData"}
HMAC: Field = {"bsonType": "binData"}
"""Made with a sealed key, so that the content cannot be guessed from it."""
NUMBERS: Field = {"bsonType": "object", "additionalProperties": {"bsonType": "array", "items": {"bsonType": "double"}}}
"""Lists of numbers, each under one of our names."""
THREAD = {"channel": STRING, "root": STRING}
AUDIT_EVENT: Mapping[str, Field] = {
    "conversation": STRING,
    "at": TIME,
    "type": {"enum": [kind.value for kind in AuditType]},
    "reason": REASON,
    **dict.fromkeys(("actor", "before", "after", "correlation"), CONSTANT),
    "counts": {"bsonType": "object", "additionalProperties": COUNT},
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A collection. Every document also has an `_id`, a team and a schema version."""

    required: Mapping[str, Field]
    optional: Mapping[str, Field]
    indexes: Sequence[IndexModel]

    def validator(self) -> dict[str, Any]:
        """Return the JSON Schema, which allows no other fields."""
        return {"$jsonSchema": _build_document_schema(self.required, self.optional)}


def _build_document_schema(required: Mapping[str, Field], optional: Mapping[str, Field]) -> Field:
    return _build_closed_schema({"_id": STRING, "team": STRING, "schema_version": COUNT, **required}, optional)


def _build_closed_schema(required: Mapping[str, Field], optional: Mapping[str, Field]) -> Field:
    return {"required": [*required], "properties": {**required, **optional}, "additionalProperties": False}


def build_index(name: str, *fields: str, **options: Any) -> IndexModel:
    """Return an ascending index over fields."""
    return IndexModel([(field, ASCENDING) for field in fields], name=name, **options)


IS_OPEN: Document = {"state": RowState.OPEN.value}
IS_PARKED: Document = {"state": RowState.PARKED.value}
HAS_CONTENT: Document = {"sealed": {"$exists": True}}
"""Queries must contain these literally, or the partial indexes do not serve them."""
IS_VISIBLE: Document = {"$expr": {"$not": [{"$gt": ["$hidden_until", "$$NOW"]}]}}
"""Not waiting for a later attempt, by the server's clock, because the clocks of processes differ."""


def build_deadline(seconds: float) -> Document:
    """Return the time this far from now by the server's clock, for an update by pipeline."""
    return {"$add": ["$$NOW", round(seconds * 1000)]}


SET_ASIDE: list[Document] = [{"$set": {"hidden_until": build_deadline(60)}}]
"""Update that hides inbox rows for a minute if this process cannot handle them."""

LEDGER = Shape(
    required={"version": COUNT, "numbers": NUMBERS, "expires_at": TIME},
    optional={},
    indexes=[build_index("forget", "expires_at", expireAfterSeconds=0)],
)

SHAPES: Mapping[str, Shape] = {
    INBOX: Shape(
        required={
            **THREAD,
            "conversation": STRING,
            "ts": STRING,
            "state": {"enum": [state.value for state in RowState]},
            "attempts": COUNT,
        },
        optional={"hidden_until": TIME, "done_at": TIME, "sealed": SEALED},
        indexes=[
            build_index("work", "team", "ts", "_id", partialFilterExpression=IS_OPEN),
            build_index("parked", "team", partialFilterExpression=IS_PARKED),
            build_index("of_thread", "team", "channel", "root", "ts", "_id", partialFilterExpression=HAS_CONTENT),
            build_index("forget_done", "done_at", expireAfterSeconds=KEPT_WHEN_DONE),
        ],
    ),
    CONVERSATIONS: Shape(
        required={
            **THREAD,
            "current": {"bsonType": "bool"},
            "owner": STRING,
            "version": COUNT,
            "fence": COUNT,
            "head": COUNT,
            "lease_until": TIME,
        },
        optional={
            "holder": STRING,
            "sealed": SEALED,
            "trail": {"bsonType": "array", "items": _build_document_schema(AUDIT_EVENT, {})},
            "status": {"enum": [status.value for status in Status]},
            **dict.fromkeys(("active_at", "next_run_at", "quiet_from", "ends_at"), TIME),
        },
        indexes=[
            build_index(
                "current_of_thread", "team", "channel", "root", unique=True, partialFilterExpression={"current": True}
            ),
            build_index("erased", "current", "team", partialFilterExpression={"current": False}),
            # Read backwards: the newest first.
            build_index("of_owner", "team", "owner", "active_at", "root", partialFilterExpression={"current": True}),
            build_index(
                "quiet", "team", "quiet_from", "root", partialFilterExpression={"quiet_from": {"$exists": True}}
            ),
            build_index("silent", "team", "active_at", "root", partialFilterExpression={"current": True}),
            build_index("ended", "team", "ends_at", "root", partialFilterExpression={"ends_at": {"$exists": True}}),
            build_index(
                "due", "team", "next_run_at", "root", partialFilterExpression={"next_run_at": {"$exists": True}}
            ),
        ],
    ),
    MESSAGES: Shape(
        required={
            "conversation": STRING,
            "seq": COUNT,
            "ts": STRING,
            "status": {"enum": [status.value for status in MessageStatus]},
            "fence": COUNT,
            "sealed": SEALED,
        },
        optional={},
        indexes=[
            build_index("transcript", "team", "conversation", "seq", unique=True),
            build_index("by_ts", "team", "ts", "conversation"),
        ],
    ),
    EXTRACTIONS: Shape(
        required={
            "conversation": CONSTANT,
            "decision": {"bsonType": "object", **_build_closed_schema(THREAD, {})},
            "component": CONSTANT,
            "number": COUNT,
            "approved_at": TIME,
            "approved_by": CONSTANT,
            "hmac": HMAC,
            "sealed": SEALED,
        },
        optional={},
        indexes=[
            build_index("of_decision", "team", "decision.channel", "decision.root", "component", "number"),
            build_index("of_conversation", "team", "conversation"),
        ],
    ),
    FILES: Shape(
        required={
            **THREAD,
            "conversation": CONSTANT,
            "file": CONSTANT,
            "piece": COUNT,
            "pieces": COUNT,
            "sealed": SEALED,
        },
        optional={},
        indexes=[
            build_index("of_conversation", "team", "conversation", "file", "piece"),
            build_index("of_file", "team", "file"),
        ],
    ),
    KEYS: Shape(required={"sealed": SEALED}, optional={"has_secret": YES_OR_NO, "generation": COUNT}, indexes=[]),
    TOMBSTONES: Shape(required={"_id": CONSTANT, "sealed": SEALED}, optional={}, indexes=[]),
    PACING: LEDGER,
    RATE_LIMITS: LEDGER,
    PERMISSIONS: Shape(
        required={
            "_id": CONSTANT,
            "user": CONSTANT,
            "tool": CONSTANT,
            "allows": {"bsonType": "bool"},
            "at": TIME,
            "sealed": SEALED,
        },
        optional={},
        indexes=[build_index("of_person", "team", "user")],
    ),
    PLACES: Shape(required={"_id": CONSTANT, "at": TIME}, optional={}, indexes=[]),
    MARKS: Shape(required={"_id": CONSTANT, "version": COUNT, "hmac": HMAC}, optional={}, indexes=[]),
    AUDIT: Shape(
        required=AUDIT_EVENT,
        optional={},
        indexes=[build_index("of_conversation", "team", "conversation", "at")],
    ),
}
