"""What happened, in the past tense. Intake makes the outer ones from Slack's payloads, the worker makes the inner ones.

Each outer event carries the receipt under which it was taken in and the thread it belongs to. What only the owner may
do stands in `acts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from app.core.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    EraseConfirmed,
    EraseRequested,
    QuestionAnswered,
    ReopenRequested,
    RetryPressed,
    ScheduleCancelled,
    StopRequested,
    WordAsked,
)
from app.core.model import Message, ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePosted:
    """A person wrote in a thread. The same for `app_mention` and `message`, which Slack sends both."""

    receipt: str
    thread: ThreadKey
    ts: str
    user: str
    text: str
    opens: bool
    """True if it may begin a conversation: it mentions us, or it is a direct message."""
    addressed: bool
    """False if it speaks to other people and not to us: then it never starts a turn (requirements C-20)."""
    user_name: str = ""
    """Filled in by the worker: Slack's payload has only the id."""
    wait: int = 0
    """Filled in by the worker: seconds until this person may write again, if they are over their limit."""
    zone: str = ""
    """Filled in by the worker: the owner's time zone, if it is not known yet."""
    idle: bool = False
    """Filled in by the worker: True if the thread was quiet for so long that its goal counts as left (C-25)."""
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    kind: Literal["message_posted"] = "message_posted"

    @property
    def at(self) -> str:
        """When it happened, as Slack's ts: the order in which events are applied."""
        return self.ts


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEdited:
    """A person changed what they had written."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    """When it happened, as Slack's ts; `ts` names the message it happened to."""
    user: str
    text: str
    targets: tuple[Message, ...] = ()
    """Filled in by the worker: the rows that hold what this message said so far, oldest first."""
    kind: Literal["message_edited"] = "message_edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDeleted:
    """A message was removed from the thread."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    """When it happened, as Slack's ts; `ts` names the message it happened to."""
    targets: tuple[Message, ...] = ()
    """Filled in by the worker: the message's row, and a note for each correction that came too late."""
    kind: Literal["message_deleted"] = "message_deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdlePassed:
    """The sweep found that the owner has been silent for as long as a goal waits. Nobody is told (C-25)."""

    receipt: str
    thread: ThreadKey
    at: str
    newest: str
    """The message since which it was quiet: if there is a newer one now, this means nothing."""
    kind: Literal["idle_passed"] = "idle_passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkDue:
    """The sweep found that a schedule is due."""

    receipt: str
    thread: ThreadKey
    at: str
    due: str
    """The `next_run` that has come: another one now means that this was overtaken."""
    kind: Literal["work_due"] = "work_due"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    """A turn is over, well or badly; `reply` is its row, closed, with what the model called for."""

    turn: str
    reply: Message
    at: str
    """When it ended, as Slack's ts."""
    cards: tuple[Message, ...] = ()
    """As in `MessagePosted`."""
    kind: Literal["turn_ended"] = "turn_ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochStarted:
    """The history became too long to send: rows up to `since` are from now on told by `summary`."""

    since: int
    summary: str
    kind: Literal["epoch_started"] = "epoch_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkParked:
    """Work on this receipt failed too often and is given up, so that the thread can go on."""

    reference: str
    at: str
    """When it was given up, as Slack's ts."""
    effect: str = ""
    """The id of the effect that cannot be performed; empty if it was an event that could not be applied."""
    reply: Message | None = None
    """Filled in by the worker: the reply row of a turn that was under way."""
    cards: tuple[Message, ...] = ()
    """As in `MessagePosted`."""
    kind: Literal["work_parked"] = "work_parked"


OwnersAct = (
    RetryPressed
    | ContinuePressed
    | StopRequested
    | EraseRequested
    | EraseConfirmed
    | QuestionAnswered
    | ArchiveRequested
    | ArchiveConfirmed
    | ReopenRequested
    | ScheduleCancelled
    | WordAsked
)
"""What only the owner may do (requirements C-20, guard G3). Others may write: that is context for the owner's turn."""

Outer = MessagePosted | MessageEdited | MessageDeleted | OwnersAct | IdlePassed | WorkDue

SlackEvent = Annotated[Outer, Field(discriminator="kind")]
"""What comes from outside, from Slack or from the calendar, and is kept in the inbox."""

Inner = TurnEnded | EpochStarted | WorkParked
"""What the worker itself finds out."""

Event = Outer | Inner


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Heard, and not for us. The reason is logged; it is one of a few constants, never content."""

    reason: str
