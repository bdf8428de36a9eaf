"""The guards: what is refused before an event is looked at more closely (requirements §3.3, G3 and what follows it).

That a request is authentic and new is proved at the door; how much somebody may do is counted by the shell.
"""

from __future__ import annotations

from app.core import lifecycle, phase, phases, status
from app.core import question as questions
from app.core.effects import Erase
from app.core.events import (
    ArchiveConfirmed,
    ArchiveRequested,
    ComponentStarted,
    ContinuePressed,
    DecisionClosed,
    DecisionStarted,
    DraftEdited,
    EraseConfirmed,
    EraseRequested,
    Event,
    IdlePassed,
    MessageEdited,
    MessagePosted,
    NewsHeard,
    OwnersAct,
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
    WorkDue,
)
from app.core.findings import StageReached
from app.core.lifecycle import LifecycleOn
from app.core.model import Conversation
from app.core.news import StepMove
from app.core.question import QuestionOn
from app.core.run import REFUSALS
from app.core.states import Kind, Lifecycle, Phase, Status
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
    DecisionStarted,
    ComponentStarted,
    NewsHeard,
    SummaryAsked,
    DraftEdited,
    RestartRequested,
    StepClosed,
    StepRequested,
    OwnershipGiven,
    DecisionClosed,
)
"""What wants something of a conversation. One that is being erased has nothing to give any more."""

OF_STEPS = (SummaryAsked, DraftEdited, RestartRequested, StepClosed)
OF_DECISIONS = (StepRequested, OwnershipGiven, DecisionClosed)

GOING_ON = (RetryPressed, ContinuePressed, QuestionAnswered, ScheduleCancelled, *OF_STEPS, *OF_DECISIONS)
"""What only makes sense where a conversation goes on."""

LED = (QuestionAnswered, SummaryAsked, DraftEdited, RestartRequested, StepRequested)
"""What needs somebody who leads the step."""


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
    if code := _by_kind(now, event):
        return code
    return _by_tables(now, event) or _of_interview(now, event) or REFUSALS.get((now.run, type(event)))


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


def _by_kind(now: Conversation, event: Event) -> str | None:
    """What only steps know, or only decisions; and a finished step hears nothing but that it is reopened (G6)."""
    match event:
        case DecisionStarted() if now.head:
            return "STALE_RUN"
        case ComponentStarted() if now.interview:
            return "STALE_RUN"
        case _ if now.interview is None and _is_of_step(event):
            return "NOT_COMPONENT"
        case _ if now.decision is None and _is_of_decision(event):
            return "NOT_DECISION"
        case MessagePosted() if now.lifecycle is Lifecycle.COMPLETE:
            is_owner = event.user == now.owner and event.addressed
            return refusal_by(lifecycle.TABLE, now.lifecycle, LifecycleOn.MESSAGE_POSTED) if is_owner else "UNHEARD"
        case RetryPressed() | ContinuePressed() | SummaryAsked() if now.lifecycle is Lifecycle.COMPLETE:
            return "READ_ONLY"
        case RetryPressed() | ContinuePressed() if _is_past(now, event):
            return "QUESTION_CLOSED"
        case _:
            return None


def _is_past(now: Conversation, event: RetryPressed | ContinuePressed) -> bool:
    """True if a later reply was begun since, also while that is written; and an opening is no answer."""
    overtaken = event.target is not None and event.target.seq < now.answered
    return overtaken or now.lifecycle is Lifecycle.READY


def _is_of_step(event: Event) -> bool:
    """News for a step may come when it is erased, and another conversation has begun in its thread."""
    return isinstance(event, OF_STEPS) or (isinstance(event, NewsHeard) and not isinstance(event.news, StepMove))


def _is_of_decision(event: Event) -> bool:
    return isinstance(event, OF_DECISIONS) or (isinstance(event, NewsHeard) and isinstance(event.news, StepMove))


def _by_tables(now: Conversation, event: Event) -> str | None:
    match event:
        case QuestionAnswered() if now.question is None or now.question.card != event.card:
            return refusal_by(status.TABLE, now.status, StatusOn.ANSWER_TO_CLOSED_QUESTION)
        case ReopenRequested() if now.interview and now.status is not Status.ARCHIVED:
            return refusal_by(lifecycle.TABLE, now.lifecycle, LifecycleOn.REOPENED)
        case ReopenRequested():
            return refusal_by(status.TABLE, now.status, StatusOn.UNARCHIVED)
        case ScheduleCancelled():
            return _of_plan(now, event)
        case WorkDue() | IdlePassed() | ArchiveConfirmed() | EraseConfirmed() if _is_overtaken(now, event):
            return "STALE_RUN"
        case StopRequested() if not _means(event, now):
            return "NO_STREAM"
        case _:
            return None


def _is_overtaken(now: Conversation, event: WorkDue | IdlePassed | ArchiveConfirmed | EraseConfirmed) -> bool:
    """True of what time has brought about if somebody was quicker. What people have pressed themselves never is."""
    match event:
        case WorkDue():
            return not _comes_round(event, now)
        case IdlePassed():
            return (event.newest, Status.ACTIVE, Kind.FREE) != (now.newest, now.status, now.kind)
        case ArchiveConfirmed():
            return bool(event.silent) and not _is_silent(now, event.silent)
        case _:
            return bool(event.ends) and (event.ends, Status.ARCHIVED) != (now.ends, now.status)


def _is_silent(now: Conversation, since: str) -> bool:
    """True if nobody has said anything since then. What is planned keeps a conversation open."""
    newest = now.newest or now.thread.root
    return newest == since and now.status is not Status.ARCHIVED and now.schedule is None


def _of_plan(now: Conversation, event: ScheduleCancelled) -> str | None:
    """Whoever calls a plan off has read what it was: that of another card is left alone."""
    if now.schedule is None:
        return refusal_by(status.TABLE, now.status, StatusOn.SCHEDULE_CANCELLED_WITHOUT_ONE)
    return "STALE_PLAN" if event.card and event.card not in now.cards else None


def _of_interview(now: Conversation, event: Event) -> str | None:
    """What would end the answer under way is refused before that has ended; and what nobody leads any more."""
    match event:
        case _ if isinstance(event, LED) and event.retired:
            return "RETIRED"
        case ReopenRequested() if event.retired and now.status is not Status.ARCHIVED:
            return "RETIRED"
        case RestartRequested():
            lived, moving = phases.restarting(now, event)
            by_phase = refusal_by(phase.TABLE, now.phase or phase.INITIAL, moving)
            return refusal_by(lifecycle.TABLE, now.lifecycle, lived) or by_phase
        case StepClosed():
            has_version = now.approved > 0
            closing = LifecycleOn.CLOSED_WITH_VERSION if has_version else LifecycleOn.CLOSED_WITHOUT_VERSION
            return refusal_by(lifecycle.TABLE, now.lifecycle, closing)
        case StageReached() if now.phase is not Phase.EXTRACT:
            return "STALE_RUN"
        case QuestionAnswered() if now.question and event.question not in ("", now.question.id):
            return "STALE_EDIT"
        case _:
            return None


def _comes_round(work: WorkDue, now: Conversation) -> bool:
    """False if it was overtaken, or if that run is under way or waits for its turn."""
    is_planned = now.status is Status.BACKGROUND and now.next_run == work.due
    return is_planned and not now.planned and not now.work.due_by


def _means(stop: StopRequested, now: Conversation) -> bool:
    """False if the wish was about another answer: one that had ended before it was heard.

    At rest there is one thing to stop: what was interrupted, and waits to be told what to do instead (T6).
    """
    if now.turn is None:
        return now.question is not None and questions.stopping(now.question) is QuestionOn.STOP_HELD
    return stop.reply in (0, now.turn.reply) and stop.at >= now.turn.since
