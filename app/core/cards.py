"""Cards: messages of ours that are no answers, and that change when what they speak of changes.

A card is a row of the transcript, so it is posted, found again and edited exactly as a reply is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from app.core.question import Question
from app.core.schedule import Schedule
from app.core.states import QuestionState


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
    FAILED = "failed"


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
    at: str
    reopened: bool = False
    kind: Literal["filed"] = "filed"


Card = Annotated[QuestionCard | ScheduleCard | FiledCard, Field(discriminator="kind")]
