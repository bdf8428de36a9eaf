"""What only the owner of a thread may do: by buttons, forms, commands and words (requirements C-20, guard G3).

Each carries the receipt under which it was taken in and the thread it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.model import Message, ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPressed:
    """Somebody pressed *Retry* under a reply that went wrong."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    """When it happened, as Slack's ts; `ts` names the message it happened to."""
    user: str
    reply: int
    target: Message | None = None
    """Filled in by the worker: the reply that the button stands under."""
    kind: Literal["retry_pressed"] = "retry_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuePressed:
    """Somebody pressed *Continue* under a reply that was cut off at its longest."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    reply: int
    target: Message | None = None
    """Filled in by the worker: the reply that the button stands under."""
    kind: Literal["continue_pressed"] = "continue_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequested:
    """Somebody wants the answer under way to end: by the button, by Slack's own Stop, or by writing *stop*."""

    receipt: str
    thread: ThreadKey
    ts: str
    """The message it was said in, or the one the button stands under; empty for Slack's own Stop."""
    at: str
    user: str
    written: bool = False
    """True if `ts` is a message of that person."""
    reply: int = 0
    """Which reply the button stands under; 0 if the wish names none."""
    partial: Message | None = None
    """Filled in by the worker, which has closed the model's stream: the reply's row, closed."""
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    kind: Literal["stop_requested"] = "stop_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseRequested:
    """Somebody wrote that the app shall forget this conversation; it asks back before it does."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    kind: Literal["erase_requested"] = "erase_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseConfirmed:
    """Somebody pressed the button that erases the conversation."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    partial: Message | None = None
    """As in `StopRequested`, if an answer was under way."""
    cards: tuple[Message, ...] = ()
    """As in `StopRequested`."""
    kind: Literal["erase_confirmed"] = "erase_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswered:
    """Somebody answered a question by button, select or form. `card` is the row it stands in."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    card: int
    value: str
    """The option's place counted from 0, `yes` or `no`, or free text."""
    target: Message | None = None
    """Filled in by the worker: the card that was pressed."""
    cards: tuple[Message, ...] = ()
    """As in `StopRequested`."""
    kind: Literal["question_answered"] = "question_answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRequested:
    """Somebody wants the conversation put away; where work would stop, they are warned first (T1)."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    written: bool = False
    """True if `ts` is a message of that person."""
    partial: Message | None = None
    """As in `StopRequested`, if an answer was under way that this ends."""
    cards: tuple[Message, ...] = ()
    kind: Literal["archive_requested"] = "archive_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveConfirmed:
    """Somebody has read what would stop, and wants it put away."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    partial: Message | None = None
    cards: tuple[Message, ...] = ()
    kind: Literal["archive_confirmed"] = "archive_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenRequested:
    """Somebody wants to go on with what was archived or finished (C-04)."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    written: bool = False
    cards: tuple[Message, ...] = ()
    kind: Literal["reopen_requested"] = "reopen_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleCancelled:
    """Somebody wants what was planned not to be done any more."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    partial: Message | None = None
    """As in `StopRequested`, if a run of it was under way."""
    cards: tuple[Message, ...] = ()
    kind: Literal["schedule_cancelled"] = "schedule_cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordAsked:
    """Somebody asked in the thread how it stands, or what can be done."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    user: str
    word: Literal["status", "help"]
    kind: Literal["word_asked"] = "word_asked"
