"""Between the core's values and the sealed field of their documents: JSON inside, by one adapter for each kind."""

from __future__ import annotations

import hmac
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from app.core.decisions import Version
from app.core.events import SlackEvent
from app.core.model import Conversation, Message
from app.core.permissions import Rule
from store.cipher import SealBroken, SealingKey, place
from store.client import Document
from store.schema import CONVERSATIONS, EXTRACTIONS, INBOX, MESSAGES, PERMISSIONS

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
        return key.seal(self._plain(value), self._place(id_))

    def open(self, key: SealingKey, document: Document) -> T:
        """Return the value in a document. Raises `SealBroken`, and `UnknownShape` for what another version wrote."""
        plain = self._opened(key, document)
        try:
            return self._adapter.validate_json(plain)
        except ValidationError:
            # Not chained: its message quotes the content.
            where = self._place(document["_id"])
            raise UnknownShape(f"of another shape than this version knows at {where!r}") from None

    def _plain(self, value: T) -> bytes:
        return self._adapter.dump_json(value)

    def _opened(self, key: SealingKey, document: Document) -> bytes:
        return key.open(document["sealed"], self._place(document["_id"]))

    def _place(self, id_: str) -> bytes:
        return place(self._collection, id_, "sealed")


class DigestCodec(Codec[T]):
    """For values that nothing may change any more: the HMAC of each stands open beside it, and must fit."""

    def fields(self, key: SealingKey, id_: str, value: T) -> Document:
        """Return the sealed field for the document with this id, and the HMAC."""
        return {"sealed": self.seal(key, id_, value), "hmac": key.digest(self._plain(value))}

    def _opened(self, key: SealingKey, document: Document) -> bytes:
        plain = super()._opened(key, document)
        if not hmac.compare_digest(key.digest(plain), document["hmac"]):
            raise SealBroken(f"changed since it was kept at {self._place(document['_id'])!r}")
        return plain


_EVENT: TypeAdapter[SlackEvent] = TypeAdapter(SlackEvent)

EVENTS = Codec(INBOX, _EVENT)
STATES = Codec(CONVERSATIONS, TypeAdapter(Conversation))
ROWS = Codec(MESSAGES, TypeAdapter(Message))
RULES = Codec(PERMISSIONS, TypeAdapter(Rule))
VERSIONS = DigestCodec(EXTRACTIONS, TypeAdapter(Version))
