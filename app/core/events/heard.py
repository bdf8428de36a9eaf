"""What happened, in the past tense: made by intake from Slack's payloads, by the calendar, or by other conversations.

Each carries the receipt under which it was taken in and the thread it belongs to. What only the owner may do stands in
`acts`, what the worker itself finds out in `findings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from app.core.conversation.conversation import Message
from app.core.conversation.news import News
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    DecisionClosed,
    DraftEdited,
    EraseConfirmed,
    EraseRequested,
    OwnershipGiven,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryAsked,
    WordAsked,
)
from app.core.events.internal import Inner
from app.core.state.decision import DecisionStep
from app.core.state.interview import Drafted, Mode, Prepared, Said, Signal
from app.core.thread import ThreadKey


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
    signal: Signal | None = None
    """Filled in by the worker, of a step: what the message says to the interview itself."""
    retired: bool = False
    """As in `Act`."""
    held: Message | None = None
    """Filled in by the worker: the reply that waits for a permission, if one does."""
    kind: Literal["message_posted"] = "message_posted"

    @property
    def at(self) -> str:
        """When it happened, as Slack's ts: the order in which events are applied."""
        return self.ts

    @property
    def is_written(self) -> bool:
        """True: a mark can be left on it."""
        return True


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
    quoting: tuple[Message, ...] = ()
    """Filled in by the worker: of a step, the rows that may repeat its words."""
    kind: Literal["message_deleted"] = "message_deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionStarted:
    """Somebody began a decision, and its hub was posted: the first message of this thread (C-01)."""

    receipt: str
    thread: ThreadKey
    at: str
    user: str
    question: str
    steps: tuple[DecisionStep, ...]
    mode: Mode = Mode.INTERACTIVE
    material: tuple[Said, ...] = ()
    """The discussion that its first step is drafted from, in direct mode."""
    sources: tuple[str, ...] = ()
    """The channel where that discussion was held."""
    example: bool = False
    """True if it is the worked example, to look at and to play with."""
    kind: Literal["decision_started"] = "decision_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentStarted:
    """The first message of a step's thread was posted (S0-049)."""

    receipt: str
    thread: ThreadKey
    at: str
    user: str
    decision: ThreadKey
    """The thread of the decision."""
    question: str = ""
    """The decision's question: among steps of several decisions, it tells them apart."""
    component: str
    mode: Mode = Mode.INTERACTIVE
    material: tuple[Said, ...] = ()
    sources: tuple[str, ...] = ()
    """The places that what the decision holds came from."""
    example: bool = False
    """True if it is a step of the worked example, which is finished from the start."""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that was given with each letter before the step was begun anew."""
    prepared: Prepared | None = None
    """Filled in by the worker: what the component brings."""
    drafted: Drafted | None = None
    """Filled in by the worker, of the worked example: its result."""
    kind: Literal["component_started"] = "component_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsHeard:
    """Another conversation tells something."""

    receipt: str
    thread: ThreadKey
    at: str
    news: News
    drafted: Drafted | None = None
    """Filled in by the worker, of a step whose ground has changed: its draft or approved version, judged anew."""
    partial: Message | None = None
    """Filled in by the worker: the reply under way, closed, if this ends it."""
    cards: tuple[Message, ...] = ()
    """As in `MessagePosted`."""
    kind: Literal["news_heard"] = "news_heard"


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
    | SummaryAsked
    | DraftEdited
    | RestartRequested
    | StepClosed
    | StepRequested
    | OwnershipGiven
    | DecisionClosed
)
"""What only the owner may do (requirements C-20, guard G3). Others may write: that is context for the owner's turn."""

Opener = DecisionStarted | ComponentStarted
"""What begins a conversation whose first message is ours."""

Outer = MessagePosted | MessageEdited | MessageDeleted | OwnersAct | Opener | NewsHeard | IdlePassed | WorkDue

SlackEvent = Annotated[Outer, Field(discriminator="kind")]
"""What comes from outside, from Slack, from the calendar or from another conversation, and is kept in the inbox."""

Event = Outer | Inner


def find_initial_owner(event: Outer) -> str | None:
    """The owner of the conversation that the event begins where there is none; None if it begins none."""
    match event:
        case DecisionStarted() | ComponentStarted():
            return event.user
        case MessagePosted() if event.opens:
            return event.user
        case _:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Heard, and not for us. The reason is logged; it is one of a few constants, never content."""

    reason: str
