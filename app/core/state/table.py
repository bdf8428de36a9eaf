"""What a transition table is: for each event and each state the state that follows, or a refusal, or nothing at all.

A table is complete: a pair that is missing is a bug, and a test of each table says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from app.core.errors import IllegalEvent

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Refused:
    """The event cannot happen in this state; `code` is that of requirements part 6."""

    code: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """The event is fine here and means nothing: no change and nothing that follows ("–" in the requirements)."""


NOTHING: Final = Nothing()

Table = Mapping[E, Mapping[S, S | Refused | Nothing]]


def find_next_state(table: Table[E, S], state: S, event: E) -> S | None:
    """The state after the event, which may be the same one; None if the event means nothing here.

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
    """The code with which the event would be refused; None if it would not."""
    cell = table[event][state]
    return cell.code if isinstance(cell, Refused) else None
