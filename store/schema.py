"""The collections: their names, what may stand in a document beside the sealed field, and their indexes.

Validators refuse every field that is not listed, so that nothing a person wrote can be stored open by mistake
(design D13). Open are ids, enums, times, counters and Slack's ts; all else is inside `sealed`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pymongo import ASCENDING, IndexModel
from pymongo.errors import OperationFailure

from store.client import Database, Document, translated

SCHEMA_VERSION = 1
INBOX = "inbox"
CONVERSATIONS = "conversations"
MESSAGES = "messages"
KEYS = "keys"

KEPT_WHEN_DONE = 48 * 3600
"""Seconds. Slack redelivers an event for about an hour, or longer by hand; afterwards a receipt is of no use."""
NAMESPACE_EXISTS = 48


class RowState(StrEnum):
    """How far an inbox row has come."""

    OPEN = "open"
    DONE = "done"
    PARKED = "parked"


Field = Mapping[str, Any]
STRING: Field = {"bsonType": "string"}
COUNT: Field = {"bsonType": ["int", "long"], "minimum": 0}
TIME: Field = {"bsonType": "date"}
SEALED: Field = {"bsonType": "binData"}
THREAD = {"channel": STRING, "root": STRING}


@dataclass(frozen=True, slots=True)
class Shape:
    """One collection. Every document has an `_id`, a team and a schema version besides."""

    required: Mapping[str, Field]
    optional: Mapping[str, Field]
    indexes: Sequence[IndexModel]

    def validator(self) -> dict[str, Any]:
        """Return the JSON Schema, closed."""
        required = {"_id": STRING, "team": STRING, "schema_version": COUNT, **self.required}
        properties = {**required, **self.optional}
        return {"$jsonSchema": {"required": [*required], "properties": properties, "additionalProperties": False}}


def _index(name: str, *fields: str, **options: Any) -> IndexModel:
    return IndexModel([(field, ASCENDING) for field in fields], name=name, **options)


IS_OPEN: Document = {"state": RowState.OPEN.value}
"""Queries must name it literally, or the partial indexes do not serve them."""
IS_VISIBLE: Document = {"$expr": {"$not": [{"$gt": ["$hidden_until", "$$NOW"]}]}}
"""Not waiting for a later attempt. By the server's clock: those of the processes differ."""

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
            _index("work", "ts", "_id", partialFilterExpression=IS_OPEN),
            _index("of_thread", "team", "channel", "root", "ts", "_id", partialFilterExpression=IS_OPEN),
            _index("forget_done", "done_at", expireAfterSeconds=KEPT_WHEN_DONE),
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
        optional={"holder": STRING, "sealed": SEALED},
        indexes=[
            _index(
                "current_of_thread", "team", "channel", "root", unique=True, partialFilterExpression={"current": True}
            ),
        ],
    ),
    MESSAGES: Shape(
        required={"conversation": STRING, "seq": COUNT, "ts": STRING, "fence": COUNT, "sealed": SEALED},
        optional={},
        indexes=[
            _index("transcript", "team", "conversation", "seq", unique=True),
            _index("by_ts", "team", "conversation", "ts"),
        ],
    ),
    KEYS: Shape(required={"sealed": SEALED}, optional={}, indexes=[]),
}


@translated
async def ensure_schema(database: Database) -> None:
    """Create what is missing and bring validators up to date. Any number of processes may do it at once."""
    for name, shape in SHAPES.items():
        try:
            await database.command("create", name, validator=shape.validator())
        except OperationFailure as error:
            if error.code != NAMESPACE_EXISTS:
                raise
            await database.command("collMod", name, validator=shape.validator())
        if shape.indexes:
            await database[name].create_indexes(shape.indexes)
