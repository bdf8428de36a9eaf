"""Transition tables: for each event and state the next state, a refusal, or nothing.

A table is complete: a missing pair is a bug, and each table has a test of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from app.core.errors import IllegalEvent

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Refused:
    """Refusal of an event in this state; `code` selects the sentence for people."""

    code: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """Acceptance of an event that changes nothing and has no consequence."""


NOTHING: Final = Nothing()

Table = Mapping[E, Mapping[S, S | Refused | Nothing]]


def build_row(states: Iterable[S], *cells: S | Refused | Nothing) -> Mapping[S, S | Refused | Nothing]:
    """Return one row of a table: a cell for each state, in the order of the states."""
    return MappingProxyType(dict(zip(states, cells, strict=True)))


def find_next_state(table: Table[E, S], state: S, event: E) -> S | None:
    """Return the state after the event, which may be the same one; None if the event means nothing here.

    Raises `IllegalEvent` with the refusal's code.
    """
    cell = table[event][state]
    match cell:
        case Refused(code):
            raise IllegalEvent(code)
        case Nothing():
            return None
        case _:
            return cell


def find_refusal(table: Table[E, S], state: S, event: E) -> str | None:
    """Return the code of the event's refusal; None if it is allowed."""
    cell = table[event][state]
    return cell.code if isinstance(cell, Refused) else None
