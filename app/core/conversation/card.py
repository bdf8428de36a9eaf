"""Cards: messages of ours that are no answers, and that change when what they speak of changes.

A card is a row of the transcript, so it is posted, found again and edited exactly as a reply is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from app.core.state import permission
from app.core.state.decision import Decision
from app.core.state.question import Question, QuestionState
from app.core.state.schedule import Schedule
from app.core.state.sheet import Sheet
from app.core.state.tool_use import Use
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionCard:
    """A question with its buttons; once it is closed it tells how, and has none."""

    question: Question
    owner: str
    """Who is asked: Slack's user id."""
    state: QuestionState = QuestionState.OPEN
    answer: str = ""
    by: str = ""
    at: str = ""
    """When it was closed, as Slack's ts."""
    mapped: bool = False
    """True if the model understood a typed reply as this answer: then the card says how it was taken."""
    kind: Literal["question"] = "question"


class ScheduleState(StrEnum):
    """What became of a schedule."""

    SET = "set"
    REPLACED = "replaced"
    CANCELLED = "cancelled"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleCard:
    """What is done when, with a button that ends it."""

    schedule: Schedule
    next_run: str
    """ISO, UTC; empty if there is none."""
    at: str
    """When this was true, as Slack's ts: "tomorrow" is told from here."""
    state: ScheduleState = ScheduleState.SET
    paused: bool = False
    """True while a question waits: no run begins."""
    kind: Literal["schedule"] = "schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledCard:
    """That a conversation was archived, with a button to reopen it; or that it was reopened."""

    by: str
    """Who did it or, if it was `silent`, whose it is."""
    at: str
    reopened: bool = False
    silent: bool = False
    """True if nobody did it: it was silent for too long."""
    ends: str = ""
    """When it is erased, if it is not reopened before: Slack's ts; empty for never."""
    kind: Literal["filed"] = "filed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionCard:
    """Something that the model wants to do outside, with four answers (design §6, Permission).

    `place` of `count`: which of the uses of its round it is.
    """

    question: Question
    owner: str
    use: Use
    place: int
    count: int
    decision: permission.Decision | None = None
    """None while nobody has decided, or if it was withdrawn."""
    withdrawn: bool = False
    by: str = ""
    at: str = ""
    kind: Literal["permission"] = "permission"


class StepState(StrEnum):
    """What became of a draft that was shown for approval."""

    OPEN = "open"
    APPROVED = "approved"
    CHANGING = "changing"
    """The owner wants changes; the draft is kept."""
    SUPERSEDED = "superseded"
    """A newer draft was shown."""
    WITHDRAWN = "withdrawn"
    """The conversation went on without it: restarted, archived, or closed as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCard:
    """The result of a step, with what the owner can do about it (design §6, Confirm).

    `question` is the one that waits for the owner's OK: of its two options the first approves, the second asks for
    changes. While anything is in `missing`, there is no way to approve.
    """

    question: Question
    owner: str
    component: str
    title: str
    draft: int
    """Which draft it is, counted from 1."""
    edition: int
    """Of the draft that is shown: what `Interview.edition` was."""
    sheet: Sheet
    missing: tuple[str, ...] = ()
    """What is still needed, in words."""
    remarks: tuple[str, ...] = ()
    """What was noticed: questions and notes."""
    edited_by: str = ""
    """Who changed it last by hand; empty if nobody did."""
    closable: bool = False
    """True if the step was reopened, so that it can be left as it was approved."""
    state: StepState = StepState.OPEN
    by: str = ""
    at: str = ""
    """When the state was reached, as Slack's ts; of an open card, when it was shown."""
    version: int = 0
    """As which version it was approved."""
    kind: Literal["step"] = "step"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubCard:
    """The first message of a decision: its steps, where each is, and what comes next (design §6, Hub)."""

    decision: Decision
    owner: str
    kind: Literal["hub"] = "hub"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    """In the thread of a finished step: something that it builds on has changed; `sheet` is what would follow now."""

    title: str
    causes: tuple[str, ...]
    """What changed, such as *Objectives v2*."""
    version: int
    """The approved version that stands."""
    sheet: Sheet
    done: bool = False
    """True once the step was reopened, or left as it is."""
    kind: Literal["review"] = "review"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextCard:
    """Below an approved step: what can be done now. `next_key` is empty after the last one."""

    title: str
    version: int
    next_key: str
    next_title: str
    decision: ThreadKey
    """Whose step it is."""
    kind: Literal["next"] = "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteCard:
    """A fact about the thread, in one of our own sentences, filled in: no buttons, and it never changes."""

    text: str
    """Mrkdwn; words of people in it are escaped."""
    kind: Literal["note"] = "note"


Card = Annotated[
    QuestionCard | PermissionCard | ScheduleCard | FiledCard | StepCard | HubCard | ReviewCard | NextCard | NoteCard,
    Field(discriminator="kind"),
]
