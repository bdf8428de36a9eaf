"""The guards: what is refused before an event is looked at more closely (requirements §3.3, G3 and what follows it).

That a request is authentic and new is proved at the door; how much somebody may do is counted by the shell.
"""

from __future__ import annotations

from app.core import status
from app.core.effects import Erase
from app.core.events import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    EraseConfirmed,
    EraseRequested,
    Event,
    IdlePassed,
    MessageEdited,
    MessagePosted,
    OwnersAct,
    QuestionAnswered,
    ReopenRequested,
    RetryPressed,
    ScheduleCancelled,
    StopRequested,
    WordAsked,
    WorkDue,
)
from app.core.model import Conversation, Turn
from app.core.run import REFUSALS
from app.core.states import Status
from app.core.status import StatusOn
from app.core.table import refusal as refusal_by

WANTING = (
    MessagePosted,
    RetryPressed,
    ContinuePressed,
    EraseRequested,
    EraseConfirmed,
    QuestionAnswered,
    ArchiveRequested,
    ArchiveConfirmed,
    ReopenRequested,
    ScheduleCancelled,
    WordAsked,
    WorkDue,
)
"""What wants something of a conversation. One that is being erased has nothing to give any more."""

GOING_ON = (RetryPressed, ContinuePressed, QuestionAnswered, ScheduleCancelled)
"""What only makes sense where a conversation goes on."""


def refusal(now: Conversation, event: Event) -> str | None:
    """The code with which an event is refused now (requirements part 6); None if it may be."""
    if isinstance(event, OwnersAct) and event.user != now.owner:
        return "NOT_OWNER"
    if isinstance(event, MessagePosted) and event.wait:
        return "RATE_LIMITED"
    if isinstance(event, WANTING) and any(isinstance(effect, Erase) for effect in now.effects):
        return "ERASING"
    if now.status is Status.ARCHIVED and (code := _in_archive(now, event)):
        return code
    return _by_tables(now, event) or REFUSALS.get((now.run, type(event)))


def _in_archive(now: Conversation, event: Event) -> str | None:
    """Nothing that is said in an archived thread is kept; who speaks to us in it is told (C-04)."""
    match event:
        case MessagePosted() if event.user == now.owner and event.addressed:
            return "ARCHIVED"
        case MessagePosted():
            return "NOT_OWNER" if event.opens else "UNHEARD"
        case MessageEdited():
            return "UNHEARD"
        case _:
            return "ARCHIVED" if isinstance(event, GOING_ON) else None


def _by_tables(now: Conversation, event: Event) -> str | None:
    match event:
        case QuestionAnswered() if now.question is None or now.question.card != event.card:
            return refusal_by(status.TABLE, now.status, StatusOn.ANSWER_TO_CLOSED_QUESTION)
        case ReopenRequested():
            return refusal_by(status.TABLE, now.status, StatusOn.UNARCHIVED)
        case ScheduleCancelled() if now.schedule is None:
            return refusal_by(status.TABLE, now.status, StatusOn.SCHEDULE_CANCELLED_WITHOUT_ONE)
        case WorkDue() if now.status is not Status.BACKGROUND or now.next_run != event.due or now.planned:
            return "STALE_RUN"
        case IdlePassed() if now.newest != event.newest or now.status is not Status.ACTIVE:
            return "STALE_RUN"
        case StopRequested() if now.turn and not _means(event, now.turn):
            return "NO_STREAM"
        case _:
            return None


def _means(stop: StopRequested, turn: Turn) -> bool:
    """False if the wish was about another answer: one that had ended before it was heard."""
    return stop.reply in (0, turn.reply) and stop.at >= turn.since
