"""Cards: Slack messages of the app that are no replies, and that change with what they show.

A card is a message of the transcript, so it is posted, found again and edited exactly as a reply is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from app.core.state import permission
from app.core.state.decision import Decision
from app.core.state.interview import FileTrace, MissingGround, UnsaidFigure
from app.core.state.question import Question, QuestionState
from app.core.state.schedule import Schedule
from app.core.state.sheet import Sheet
from app.core.state.tool_use import Use
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionCard:
    """A question with its buttons. Once closed, it shows the outcome and has no buttons."""

    question: Question
    owner: str
    """Slack's user id of the person who is asked."""
    state: QuestionState = QuestionState.OPEN
    answer: str = ""
    by: str = ""
    at: str = ""
    """Time of closing, as Slack's ts."""
    mapped: bool = False
    """True if the model took a typed reply as this answer; the card then shows that reading."""
    outdated: bool = False
    """True if the message that gave the answer says something else since it was edited."""
    kind: Literal["question"] = "question"


class ScheduleState(StrEnum):
    """State of a schedule on its card."""

    SET = "set"
    REPLACED = "replaced"
    CANCELLED = "cancelled"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleCard:
    """A schedule, with buttons that pause and cancel it."""

    schedule: Schedule
    next_run: str
    """ISO, UTC; empty if there is none."""
    at: str
    """Time of this state, as Slack's ts: "tomorrow" is relative to it."""
    state: ScheduleState = ScheduleState.SET
    paused: bool = False
    """True while a question is open: no run begins."""
    held: bool = False
    """True while its owner has paused it."""
    kind: Literal["schedule"] = "schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledCard:
    """Notice that a conversation was archived, with a button to reopen it, or that it was reopened."""

    by: str
    """The person who archived or reopened it; the owner if `silent`."""
    at: str
    reopened: bool = False
    silent: bool = False
    """True if the app did it: archived it after a long silence, or reopened it because a step was in use."""
    ends: str = ""
    """Time of erasure unless it is reopened before, as Slack's ts; empty for never."""
    forgotten: bool = False
    """True once it is erased: there is nothing left to reopen."""
    kind: Literal["filed"] = "filed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionCard:
    """A request for permission to use a tool, with four answers.

    `place` and `count` locate the tool use in its round.
    """

    question: Question
    owner: str
    use: Use
    place: int
    count: int
    decision: permission.PermissionChoice | None = None
    """None while undecided, or if the request was withdrawn."""
    withdrawn: bool = False
    by: str = ""
    at: str = ""
    together: tuple[str, ...] = ()
    """All writes that one button allows, in words and in their order; empty if there is only this one."""
    all_allowed: bool = False
    """True if that button was pressed."""
    forbidden: int = 0
    """Number of the writes that were allowed and are not done all the same: a rule made meanwhile forbids them."""
    kind: Literal["permission"] = "permission"


class StepState(StrEnum):
    """State of a draft that was shown for approval."""

    OPEN = "open"
    APPROVED = "approved"
    CHANGING = "changing"
    """The owner wants changes; the draft is kept."""
    SUPERSEDED = "superseded"
    """A newer draft was shown."""
    WITHDRAWN = "withdrawn"
    """The conversation continued without the draft: it was restarted, archived, or closed with its last version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCard:
    """The result of a step, with the actions open to its owner.

    `question` is the one that waits for the owner's OK: its first option approves, its second asks for changes.
    While `missing` or `unsaid` has entries, approval is impossible.
    """

    question: Question
    owner: str
    component: str
    title: str
    draft: int
    """Number of the draft, counted from 1."""
    edition: int
    """`Interview.edition` of the draft shown. Nothing reads it; versions that run beside this one need it."""
    sheet: Sheet
    missing: tuple[str, ...] = ()
    """What is still needed before approval, in words."""
    remarks: tuple[str, ...] = ()
    """Questions and notes about the draft."""
    unsaid: tuple[UnsaidFigure, ...] = ()
    """Numbers and dates that nobody said. While there are any, approval is impossible."""
    traces: tuple[FileTrace, ...] = ()
    """What of it stands in files, and where."""
    sums: tuple[str, ...] = ()
    """Equations of the numbers whose terms people said."""
    changes: tuple[str, ...] = ()
    """What changed since the draft that was shown before, or since the approved version; empty on a first draft."""
    edited_by: str = ""
    """The person who last edited it by hand; empty if no one did."""
    closable: bool = False
    """True if the step was reopened, so that it can be closed with its last version."""
    state: StepState = StepState.OPEN
    by: str = ""
    at: str = ""
    """Time of the state, as Slack's ts; of an open card, when it was shown."""
    version: int = 0
    """Number of the version that its approval made."""
    replaced: int = 0
    """Number of the later version that replaced this one; 0 while it stands."""
    repeated: bool = False
    """True if the same draft was shown again below, on a card that superseded this one."""
    decision: ThreadKey | None = None
    """Thread of the decision, on a card that was approved as a later version after the next step has begun: what builds
    on it is marked there."""
    kind: Literal["step"] = "step"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubCard:
    """The hub: the first Slack message of a decision, with its steps, their status and what comes next."""

    decision: Decision
    owner: str
    kind: Literal["hub"] = "hub"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    """Notice in the thread of a finished step that its basis has changed. `sheet` is what would follow now."""

    title: str
    causes: tuple[str, ...]
    """The changed results, such as *Objectives v2*."""
    version: int
    """Number of the approved version."""
    sheet: Sheet
    grounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What has changed in the steps that it builds on, by their titles."""
    changes: tuple[str, ...] = ()
    """What would change in the approved version."""
    remarks: tuple[str, ...] = ()
    """What it would be asked about now, and was not before."""
    missing: tuple[str, ...] = ()
    """What it lacks by now. While there are any, it cannot be left as it is."""
    gist: str = ""
    """The approved version in a few words, as it would read now."""
    later: tuple[str, ...] = ()
    """Titles of the finished steps that need another look after this one."""
    done: bool = False
    """True once the step was reopened, or left unchanged."""
    kind: Literal["review"] = "review"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextCard:
    """Actions after a step was approved. `next_key` is empty after the last step."""

    title: str
    version: int
    next_key: str
    next_title: str
    decision: ThreadKey
    """Thread of the decision."""
    begun: ThreadKey | None = None
    """Thread of the next step; None if it has not begun."""
    kind: Literal["next"] = "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundCard:
    """The way to an earlier step whose result a step lacks when it begins. It never changes."""

    step: MissingGround
    decision: ThreadKey
    """Thread of the decision, where it starts if it has not begun."""
    kind: Literal["ground"] = "ground"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesCard:
    """What is noted in a discussion so far, as it was when the owner wanted to see it. It never changes."""

    title: str
    sheet: Sheet
    missing: tuple[str, ...] = ()
    """What is still needed before approval, in words."""
    kind: Literal["notes"] = "notes"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteCard:
    """A fact about the thread in a sentence of the app. It has no buttons and never changes."""

    text: str
    """Mrkdwn, in which words of people are escaped."""
    kind: Literal["note"] = "note"


Card = Annotated[
    QuestionCard
    | PermissionCard
    | ScheduleCard
    | FiledCard
    | StepCard
    | HubCard
    | ReviewCard
    | NextCard
    | GroundCard
    | NotesCard
    | NoteCard,
    Field(discriminator="kind"),
]
