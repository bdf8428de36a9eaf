"""Between the core's values and the sealed field of their documents; what cannot be opened is logged once each."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar

import structlog
from pydantic import AfterValidator, TypeAdapter, ValidationError

from app.core.conversation.conversation import ID_PREFIX, Conversation, Message
from app.core.events.heard import SlackEvent
from app.core.state.decision import Version
from app.core.state.permission import Rule
from store.crypto.cipher import SealBroken, SealingKey, build_associated_data
from store.crypto.padding import pad, unpad
from store.database.connection import Document
from store.database.schema import CONVERSATIONS, EXTRACTIONS, FILES, INBOX, MESSAGES, PERMISSIONS

log = structlog.get_logger(__name__)


class UndecryptableLog:
    """The unreadable conversations, rows, versions and rules that this process has met."""

    def __init__(self) -> None:
        self._met: set[str] = set()

    def report(self, event: str, error: SealBroken, **named: str) -> None:
        """Log the id of what is unreadable, `named` as the log names it, the first time."""
        if self._met.isdisjoint(named.values()):
            self._met.update(named.values())
            log.error(event, **named, error=type(error).__name__)


T = TypeVar("T")

FORMAT = b"\x02"
"""Prefix of the present format. In the former format, a seal was bound to the id alone."""
NUMBER_BYTES = 8


class UnknownShape(SealBroken):
    """A value opens, so one of us wrote it, but not as this version knows it: another version runs or ran beside it."""


class PutBack(SealBroken):
    """A value opens, but it is one of former times: a newer one was here."""


def truncate_to_milliseconds(time: datetime) -> datetime:
    """Return a time with the precision that MongoDB keeps, so that the in-memory store keeps no more."""
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


def may_be_former(document: Document) -> bool:
    """Return True if a document, or its conversation, may be in the former format.

    Ids are covered by every seal, so no document of a newer conversation can pass as one in the former format.
    """
    return not document.get("conversation", document["_id"]).startswith(ID_PREFIX)


class Codec(Generic[T]):
    """Converter of the values of one collection.

    `bound` names the open fields that each seal covers. `shown` returns those of them that a value contains itself.
    """

    def __init__(
        self, collection: str, adapter: TypeAdapter[T], bound: Sequence[str], shown: Callable[[T], Document]
    ) -> None:
        self._collection, self._adapter, self._bound, self._shown = collection, adapter, bound, shown

    def seal(self, key: SealingKey, document: Document, value: T, number: int = 0) -> bytes:
        """Return the sealed field for a document with these open fields."""
        plain = number.to_bytes(NUMBER_BYTES, "big") + self._plain(value)
        return FORMAT + key.seal(pad(plain), self._fields(document))

    def open(self, key: SealingKey, document: Document) -> T:
        """Return the value in a document. Raise as `numbered` does."""
        return self.open_numbered(key, document)[0]

    def open_numbered(self, key: SealingKey, document: Document) -> tuple[T, int]:
        """Return the value in a document and its number, which is 0 in the former format.

        Raise `SealBroken`, also if the open fields differ from the sealed ones, and `UnknownShape` for a value that
        another version wrote.
        """
        plain, number = self._unseal(key, document)
        try:
            value = self._adapter.validate_json(plain)
        except ValidationError:
            # Not chained: its message quotes the content.
            raise UnknownShape(f"of another shape than this version knows at {self._place(document)!r}") from None
        if any(document.get(field) != each for field, each in self._shown(value).items()):
            raise SealBroken(f"something else stands open than is sealed at {self._place(document)!r}")
        return value, number

    def _plain(self, value: T) -> bytes:
        return self._adapter.dump_json(value)

    def _unseal(self, key: SealingKey, document: Document) -> tuple[bytes, int]:
        sealed: bytes = document["sealed"]
        if sealed.startswith(FORMAT + key.id):
            plain = unpad(key.open(sealed[len(FORMAT) :], self._fields(document)))
            return plain[NUMBER_BYTES:], int.from_bytes(plain[:NUMBER_BYTES], "big")
        if not may_be_former(document):
            raise SealBroken(f"not sealed with this key in this format at {self._place(document)!r}")
        return key.open(sealed, self._place(document)), 0

    def _fields(self, document: Document) -> bytes:
        """Return the associated data: the format, and every bound field, absent ones too."""
        fields = [[field, _make_comparable(document.get(field))] for field in self._bound]
        return FORMAT + json.dumps([self._collection, fields], sort_keys=True).encode()

    def _place(self, document: Document) -> bytes:
        return build_associated_data(self._collection, document["_id"], "sealed")


class DigestCodec(Codec[T]):
    """Converter of values that are not to change. The HMAC of each stands in an open field, and must match."""

    def fields(self, key: SealingKey, document: Document, value: T, number: int = 0) -> Document:
        """Return the sealed field for a document with these open fields, and the HMAC."""
        return {"sealed": self.seal(key, document, value, number), "hmac": key.digest(self._plain(value))}

    def _unseal(self, key: SealingKey, document: Document) -> tuple[bytes, int]:
        plain, number = super()._unseal(key, document)
        if not hmac.compare_digest(key.digest(plain), document["hmac"]):
            raise SealBroken(f"changed since it was kept at {self._place(document)!r}")
        return plain, number


def _make_comparable(value: Any) -> Any:
    return truncate_to_milliseconds(value).astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def _build_state_fields(state: Conversation) -> Document:
    # Not bound, because seals from before this field would no longer open: what is sealed has to say the same.
    ends_at = truncate_to_milliseconds(datetime.fromisoformat(state.ends)) if state.ends else None
    return {
        "_id": state.id,
        **asdict(state.thread),
        "owner": state.owner,
        "version": state.version,
        "head": state.head,
        "ends_at": ends_at,
    }


def _read_former_content(row: Message) -> Message:
    """Return the row with its content as messages. A reply from before there were tools has the blocks of one."""
    if not row.content.startswith("[{") or row.content.startswith('[{"role"'):  # all newer ones, without reading them
        return row
    said: list[Document] = json.loads(row.content)
    if "role" in said[0] or "type" not in said[0]:
        return row
    whole = [{"role": "assistant", "content": said}]
    return replace(row, content=json.dumps(whole, ensure_ascii=False, separators=(",", ":")))


def _build_rule_fields(rule: Rule) -> Document:
    at = truncate_to_milliseconds(datetime.fromisoformat(rule.at))
    return {"team": rule.team, "user": rule.user, "tool": rule.tool, "allows": rule.allows, "at": at}


def _build_version_fields(version: Version) -> Document:
    decision = version.decision
    return {
        "team": decision.team,
        "decision": {"channel": decision.channel, "root": decision.root},
        "component": version.component,
        "number": version.number,
        "approved_at": truncate_to_milliseconds(datetime.fromisoformat(version.approved_at)),
        "approved_by": version.approved_by,
    }


_EVENT: TypeAdapter[SlackEvent] = TypeAdapter(SlackEvent)
_THREAD = ("_id", "team", "channel", "root")
_LISTED = ("status", "active_at", "next_run_at", "quiet_from")

EVENTS = Codec(
    INBOX,
    _EVENT,
    (*_THREAD, "conversation", "ts"),
    lambda event: {"_id": event.receipt, **asdict(event.thread), "ts": event.at},
)
STATES = Codec(
    CONVERSATIONS, TypeAdapter(Conversation), (*_THREAD, "owner", "version", "head", *_LISTED), _build_state_fields
)
_ROW: TypeAdapter[Message] = TypeAdapter(Annotated[Message, AfterValidator(_read_former_content)])

ROWS = Codec(
    MESSAGES,
    _ROW,
    ("_id", "team", "conversation", "seq", "ts", "status"),
    lambda row: {"seq": row.seq, "ts": row.ts, "status": row.status},
)
RULES = Codec(PERMISSIONS, TypeAdapter(Rule), ("_id", "team", "user", "tool", "allows", "at"), _build_rule_fields)
VERSIONS = DigestCodec(
    EXTRACTIONS,
    TypeAdapter(Version),
    ("_id", "team", "conversation", "decision", "component", "number", "approved_at", "approved_by"),
    _build_version_fields,
)
PIECES = Codec(
    FILES,
    TypeAdapter(str),
    ("_id", "team", "channel", "root", "conversation", "file", "piece", "pieces"),
    lambda _: {},
)
