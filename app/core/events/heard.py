"""Events from Slack, from the calendar and from other conversations.

Each has the receipt under which it was stored, and its thread. Acts of the owner stand in `acts`, the worker's own
events in `internal`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from pydantic import Field, WrapSerializer

from app.core.conversation.news import News
from app.core.conversation.shared_file import SharedFile
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    DecisionClosed,
    DraftEdited,
    EraseConfirmed,
    EraseRequested,
    FiguresConfirmed,
    HelpRequested,
    OwnershipTransferred,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    SchedulePaused,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryRequested,
)
from app.core.events.internal import InternalEvent
from app.core.events.stored_form import add_former_fields
from app.core.state.decision import DecisionStep
from app.core.state.interview import Mode, SourceMessage
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePosted:
    """Message that a person posted in a thread.

    Slack sends a mention both as `app_mention` and as `message`, and once more as `app_mention` when it is edited.
    """

    receipt: str
    thread: ThreadKey
    ts: str
    user: str
    text: str
    opens: bool
    """True if it may begin a conversation: it mentions the app, or it is a direct message."""
    addressed: bool
    """False if it is addressed to other people: then it never starts a turn."""
    files: tuple[SharedFile, ...] = ()
    """The files that it shares."""
    edited_at: str = ""
    """Slack's ts of the edit that has added the mention; empty for a message that is heard as it was posted."""
    kind: Literal["message_posted"] = "message_posted"

    @property
    def at(self) -> str:
        """Return the time of the message as Slack's ts. Events are applied in this order."""
        return self.ts

    @property
    def is_written(self) -> bool:
        """Return True: an emoji can be added to the message."""
        return True


TIME = re.compile(r"\d+\.\d+")
"""Slack's ts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEdited:
    """Edit of a message by its author."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    """When it was edited, as Slack's ts; `ts` names the edited message."""
    user: str
    text: str
    origin: ThreadKey | None = None
    """The thread that the message is in, if a step of `thread` was drafted from it."""
    kind: Literal["message_edited"] = "message_edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDeleted:
    """Deletion of a message in the thread."""

    receipt: str
    thread: ThreadKey
    ts: str
    at: str
    """When it was deleted, as Slack's ts; `ts` names the deleted message."""
    origin: ThreadKey | None = None
    """The thread that the message was in, if a step of `thread` was drafted from it."""
    kind: Literal["message_deleted"] = "message_deleted"

    @property
    def undone(self) -> str:
        """Return the receipt of the deleted message; empty if it cannot come any more.

        That is in another thread, or if `ts` is no time, as it is stored open.
        """
        is_awaited = self.origin is None and TIME.fullmatch(self.ts)
        return build_message_receipt(self.thread, self.ts) if is_awaited else ""


MessageChange = MessageEdited | MessageDeleted
"""What happens to a message after it was posted."""


def build_copy(event: MessageChange, thread: ThreadKey) -> MessageChange:
    """Return the event for a thread that has taken the message over from the event's own."""
    receipt = f"{event.receipt}:{thread.channel}:{thread.root}"
    return replace(event, receipt=receipt, thread=thread, origin=event.thread)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDeleted:
    """Deletion of a file that was shared in the thread. Its message may stay."""

    receipt: str
    thread: ThreadKey
    at: str
    file: str
    """Slack's id."""
    kind: Literal["file_deleted"] = "file_deleted"


def build_file_deleted(thread: ThreadKey, file: str, at: str) -> FileDeleted:
    """Return the event of a deleted file. Slack tells of it in two ways, which give the same receipt."""
    receipt = f"file:{thread.team}:{thread.channel}:{thread.root}:{file}"
    return FileDeleted(receipt=receipt, thread=thread, at=at, file=file)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionStarted:
    """Start of a decision. Its hub was posted as the first Slack message of this thread."""

    receipt: str
    thread: ThreadKey
    at: str
    user: str
    question: str
    steps: tuple[DecisionStep, ...]
    mode: Mode = Mode.INTERACTIVE
    material: tuple[SourceMessage, ...] = ()
    """The discussion that its first step is drafted from, in direct mode."""
    sources: tuple[str, ...] = ()
    """The channel of that discussion."""
    example: bool = False
    """True for the worked example, which people open to explore."""
    kind: Literal["decision_started"] = "decision_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentStarted:
    """Start of a step. Its first Slack message was posted in its thread."""

    receipt: str
    thread: ThreadKey
    at: str
    user: str
    decision: ThreadKey
    """The thread of the decision."""
    question: str = ""
    """The decision question as it was typed."""
    name: str = ""
    """The decision question as it was approved. It tells apart the steps of several decisions."""
    component: str
    mode: Mode = Mode.INTERACTIVE
    material: tuple[SourceMessage, ...] = ()
    sources: tuple[str, ...] = ()
    """The channels that the decision's content came from."""
    example: bool = False
    """True for a step of the worked example, which is finished from the start."""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest handle number used per letter before the step was restarted."""
    kind: Literal["component_started"] = "component_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeReceived:
    """Notice from another conversation."""

    receipt: str
    thread: ThreadKey
    at: str
    news: News
    sources: tuple[str, ...] = ()
    """Labels of what that conversation knew, which its results may tell of."""
    kind: Literal["news_heard"] = "news_heard"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalIdled:
    """Silence of the owner for as long as a goal waits, found by the sweep. No message is sent about it."""

    receipt: str
    thread: ThreadKey
    at: str
    newest: str
    """Slack's ts of the owner's last words before the silence. If there are newer ones, this event is stale."""
    kind: Literal["idle_passed"] = "idle_passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDue:
    """Due schedule, found by the sweep."""

    receipt: str
    thread: ThreadKey
    at: str
    due: str
    """The `next_run` that was reached. If it has changed, this event is stale."""
    kind: Literal["work_due"] = "work_due"


OwnerAct = (
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
    | SchedulePaused
    | HelpRequested
    | SummaryRequested
    | DraftEdited
    | FiguresConfirmed
    | RestartRequested
    | StepClosed
    | StepRequested
    | OwnershipTransferred
    | DecisionClosed
)
"""Acts of the owner alone. Other people may write messages, which are context for the owner's turn."""

Opener = DecisionStarted | ComponentStarted
"""Events that begin a conversation whose first Slack message is the app's own."""

InboxEvent = (
    MessagePosted
    | MessageEdited
    | MessageDeleted
    | FileDeleted
    | OwnerAct
    | Opener
    | NoticeReceived
    | GoalIdled
    | RunDue
)

SlackEvent = Annotated[InboxEvent, Field(discriminator="kind"), WrapSerializer(add_former_fields)]
"""Events from Slack, from the calendar or from another conversation. They are stored in the inbox."""

Event = InboxEvent | InternalEvent


def build_message_receipt(thread: ThreadKey, ts: str) -> str:
    """Return the receipt of a message in this thread."""
    return f"message:{thread.team}:{thread.channel}:{ts}"


def find_initial_owner(event: InboxEvent) -> str | None:
    """Return the owner of the conversation that the event begins; None if it begins none."""
    match event:
        case DecisionStarted() | ComponentStarted():
            return event.user
        case MessagePosted() if event.opens:
            return event.user
        case _:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Payload from Slack that is not for the app. The reason is logged: a constant, never content."""

    reason: str
