"""One tree's machine over stored JSON: events, conversations, rows and audit go in and out as the store writes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from types import GenericAlias
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from tests.replay.layout import facts_of, find, is_there

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an event: the parts are the stored bytes. Of a refusal the code; of a bug `error` alone."""

    conversation: bytes
    messages: bytes
    audit: bytes
    code: str = ""
    error: str = ""

    @property
    def parts(self) -> tuple[bytes, ...]:
        """All that must be the same in both trees."""
        return (self.conversation, self.messages, self.audit, self.code.encode(), self.error.encode())


class Tree:
    """Drives whichever tree the process was started in."""

    def __init__(self) -> None:
        self._apply, self._refuse, self._ends_turn = find("apply"), find("refuse"), find("ends_turn")
        self._closed, self._goes_on = find("closed_after_death"), find("goes_on_after_death")
        self._new_epoch, self._api_messages = find("new_epoch"), find("api_messages")
        self._said_so_far = find("said_so_far")
        self._illegal, self._broken = find("IllegalEvent"), find("BrokenInvariant")
        self._events = _adapter(_tagged(find("Event")))
        self._facts = _adapter(find("Facts")) if is_there("Facts") else None
        self._states, self._row = _adapter(find("Conversation")), _adapter(find("Message"))
        self._rows, self._audit = _adapter(_many("Message")), _adapter(_many("AuditEvent"))

    def event(self, filled: Json) -> Any:
        """Read an event, with all that the worker knows for it unless the tree keeps that beside its events."""
        return self._events.validate_python(filled)

    def facts(self, filled: Json) -> tuple[Any, ...]:
        """Read what the worker knows for an event, if the tree keeps it beside its events."""
        found = facts_of(filled)
        return () if found is None or self._facts is None else (self._facts.validate_python(found),)

    def apply(self, now: Json, filled: Json, cause: str) -> Outcome:
        """Apply an event, or leave behind what its refusal does."""
        before, code = self._state(now), ""
        try:
            event, facts = self.event(filled), self.facts(filled)
            try:
                made = self._apply(before, event, cause, *facts)
            except self._illegal as refusal:
                code = refusal.code
                made = self._refuse(before, event, code, cause, *facts)
        except self._broken as error:
            return Outcome(_dumped(self._states, before), b"", b"", error=f"broken: {error}")
        except Exception as error:  # noqa: BLE001 – that there is one is compared; how it is called may change
            return Outcome(_dumped(self._states, before), b"", b"", error=type(error).__name__)
        rows, audit = _dumped(self._rows, made.messages), _dumped(self._audit, made.audit)
        return Outcome(_dumped(self._states, made.conversation), rows, audit, code)

    def state(self, now: Json) -> bytes:
        """A conversation as it is stored, read and written once."""
        return _dumped(self._states, self._state(now))

    def performed(self, now: Json, effect: str) -> bytes:
        """The conversation after one of its effects was performed."""
        return _dumped(self._states, self._state(now).without_effect(effect))

    def ends_turn(self, now: Json, filled: Json) -> bool:
        """Whether the reply under way has to be closed for this event."""
        return bool(self._ends_turn(self._state(now), self.event(filled), *self.facts(filled)))

    def after_death(self, now: Json, reply: Json, at: str, unheard: Sequence[Json]) -> tuple[bytes, bool]:
        """How the reply of a turn whose process died is closed (nothing: it is run again), and whether it goes on."""
        state, row = self._state(now), self._row.validate_python(reply)
        closed = self._closed(state, row)
        events = [self.event(each) for each in unheard]
        return _dumped(self._row, closed) if closed else b"", bool(closed) and self._goes_on(state, row, at, events)

    def epoch(self, now: Json, rows: Sequence[Json], budget: int) -> bytes:
        """The event that shortens the history before it is sent; nothing if it fits."""
        epoch = self._new_epoch(self._state(now), self._rows.validate_python(list(rows)), budget)
        return _dumped(self._events, epoch) if epoch else b""

    def request(self, now: Json, rows: Sequence[Json], reply: Json) -> bytes:
        """What the model is sent for the turn under way."""
        state, said = self._state(now), self._rows.validate_python(list(rows))
        sent: list[Json] = self._api_messages(state, said)
        if now["turn"]["uses"]:
            sent += self._said_so_far(state, self._row.validate_python(reply))
        return json.dumps(sent).encode()

    def _state(self, now: Json) -> Any:
        return self._states.validate_json(json.dumps(now))


def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


def _tagged(union: Any) -> Any:
    annotated: Any = Annotated
    return annotated[union, Field(discriminator="kind")]


def _many(name: str) -> Any:
    return GenericAlias(tuple, (find(name), ...))


def _dumped(adapter: TypeAdapter[Any], value: Any) -> bytes:
    return adapter.dump_json(value, by_alias=True)
