"""Between the core's values and the sealed field of their documents: JSON inside, by one adapter for each kind."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from app.core.events import SlackEvent
from app.core.model import Conversation, Message
from store.cipher import SealBroken, SealingKey, place
from store.client import Document
from store.schema import CONVERSATIONS, INBOX, MESSAGES

T = TypeVar("T")


class UnknownShape(SealBroken):
    """A value opens, so one of us wrote it, but not as this version knows it: another version runs or ran beside it."""


class Codec(Generic[T]):
    """Seals and opens the values of one collection, each bound to the id of its document."""

    def __init__(self, collection: str, adapter: TypeAdapter[T]) -> None:
        self._collection = collection
        self._adapter = adapter

    def seal(self, key: SealingKey, id_: str, value: T) -> bytes:
        """Return the sealed field for the document with this id."""
        return key.seal(self._adapter.dump_json(value), place(self._collection, id_, "sealed"))

    def open(self, key: SealingKey, document: Document) -> T:
        """Return the value in a document. Raises `SealBroken`, and `UnknownShape` for what another version wrote."""
        where = place(self._collection, document["_id"], "sealed")
        try:
            return self._adapter.validate_json(key.open(document["sealed"], where))
        except ValidationError:
            # Not chained: its message quotes the content.
            raise UnknownShape(f"of another shape than this version knows at {where!r}") from None


_EVENT: TypeAdapter[SlackEvent] = TypeAdapter(SlackEvent)

EVENTS = Codec(INBOX, _EVENT)
STATES = Codec(CONVERSATIONS, TypeAdapter(Conversation))
ROWS = Codec(MESSAGES, TypeAdapter(Message))
