"""What happened, in the past tense. Intake makes the outer ones from Slack's payloads, the worker makes the inner ones.

Each outer event carries the receipt under which it was taken in and the thread it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

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
    kind: Literal["erase_confirmed"] = "erase_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    """A turn is over, well or badly; `reply` is its row, closed."""

    turn: str
    reply: Message
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
    effect: str = ""
    """The id of the effect that cannot be performed; empty if it was an event that could not be applied."""
    reply: Message | None = None
    """Filled in by the worker: the reply row of a turn that was under way."""
    kind: Literal["work_parked"] = "work_parked"


SlackEvent = Annotated[
    MessagePosted
    | MessageEdited
    | MessageDeleted
    | RetryPressed
    | ContinuePressed
    | StopRequested
    | EraseRequested
    | EraseConfirmed,
    Field(discriminator="kind"),
]
"""What comes from outside and is kept in the inbox."""

Inner = TurnEnded | EpochStarted | WorkParked
"""What the worker itself finds out."""

Event = (
    MessagePosted
    | MessageEdited
    | MessageDeleted
    | RetryPressed
    | ContinuePressed
    | StopRequested
    | EraseRequested
    | EraseConfirmed
    | Inner
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Heard, and not for us. The reason is logged; it is one of a few constants, never content."""

    reason: str
