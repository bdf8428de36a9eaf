"""Guards: each gives the code with which an event is refused, or None. An event's row in `registry` lists its guards.

That a request is authentic and new is proved at the door; how much a person may do is counted by the shell.
"""

from __future__ import annotations

from app.core.conversation.conversation import Conversation
from app.core.conversation.effect import Erase
from app.core.conversation.news import StepMove
from app.core.decisions import phases
from app.core.events.acts import (
    Act,
    ArchiveConfirmed,
    ContinuePressed,
    EraseConfirmed,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    StepClosed,
    StopRequested,
)
from app.core.events.heard import (
    ComponentStarted,
    DecisionStarted,
    Event,
    IdlePassed,
    MessageEdited,
    MessagePosted,
    NewsHeard,
    WorkDue,
)
from app.core.events.internal import StageReached
from app.core.state import interview, lifecycle, question, status
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle, LifecycleOn
from app.core.state.question import QuestionOn
from app.core.state.status import Kind, Status, StatusOn
from app.core.state.table import find_refusal as refusal_by


def require_rate(now: Conversation, event: MessagePosted) -> str | None:
    """RATE_LIMITED for a person who has written too much."""
    return "RATE_LIMITED" if event.wait else None


def require_not_erasing(now: Conversation, event: Event) -> str | None:
    """ERASING where the conversation is about to be forgotten: it has nothing to give any more."""
    return "ERASING" if any(isinstance(effect, Erase) for effect in now.effects) else None


def require_not_archived(now: Conversation, event: Event) -> str | None:
    """ARCHIVED for what only makes sense where a conversation goes on."""
    return "ARCHIVED" if now.status is Status.ARCHIVED else None


def check_archive(now: Conversation, event: MessagePosted) -> str | None:
    """ARCHIVED, NOT_OWNER or UNHEARD in the archive: nothing said there is kept, and only who speaks to us is told."""
    if now.status is not Status.ARCHIVED:
        return None
    if event.user == now.owner and event.addressed:
        return "ARCHIVED"
    return "NOT_OWNER" if event.opens else "UNHEARD"


def check_complete(now: Conversation, event: MessagePosted) -> str | None:
    """READ_ONLY or UNHEARD in a finished step: it hears nothing but that it is reopened."""
    if now.lifecycle is not Lifecycle.COMPLETE:
        return None
    is_owner = event.user == now.owner and event.addressed
    return refusal_by(lifecycle.TABLE, now.lifecycle, LifecycleOn.MESSAGE_POSTED) if is_owner else "UNHEARD"


def check_edit(now: Conversation, event: MessageEdited) -> str | None:
    """UNHEARD in the archive."""
    return "UNHEARD" if now.status is Status.ARCHIVED else None


def require_step(now: Conversation, event: Event) -> str | None:
    """NOT_COMPONENT where no interview is led."""
    return "NOT_COMPONENT" if now.interview is None else None


def require_decision(now: Conversation, event: Event) -> str | None:
    """NOT_DECISION in every thread but a decision's own."""
    return "NOT_DECISION" if now.decision is None else None


def require_addressee(now: Conversation, event: NewsHeard) -> str | None:
    """NOT_DECISION or NOT_COMPONENT: a step may be erased, and another conversation have begun in its thread."""
    return (require_decision if isinstance(event.news, StepMove) else require_step)(now, event)


def require_empty(now: Conversation, event: DecisionStarted) -> str | None:
    """STALE_RUN where the thread has a first message already."""
    return "STALE_RUN" if now.head else None


def require_no_interview(now: Conversation, event: ComponentStarted) -> str | None:
    """STALE_RUN where a step has begun already."""
    return "STALE_RUN" if now.interview else None


def require_not_complete(now: Conversation, event: Event) -> str | None:
    """READ_ONLY in a finished step."""
    return "READ_ONLY" if now.lifecycle is Lifecycle.COMPLETE else None


def require_newest_reply(now: Conversation, event: RetryPressed | ContinuePressed) -> str | None:
    """QUESTION_CLOSED if a later reply was begun, also while that is written; and an opening is no answer."""
    overtaken = event.target is not None and event.target.seq < now.answered
    return "QUESTION_CLOSED" if overtaken or now.lifecycle is Lifecycle.READY else None


def require_component(now: Conversation, event: Act) -> str | None:
    """RETIRED for what needs a component that leads the step."""
    return "RETIRED" if event.retired else None


def require_component_to_reopen(now: Conversation, event: ReopenRequested) -> str | None:
    """RETIRED for a step that nobody leads any more; out of the archive it may come all the same."""
    return "RETIRED" if event.retired and now.status is not Status.ARCHIVED else None


def require_open_question(now: Conversation, event: QuestionAnswered) -> str | None:
    """QUESTION_CLOSED, NO_QUESTION or ARCHIVED for the answer on a card that asks nothing any more."""
    if now.question is None or now.question.card != event.card:
        return refusal_by(status.TABLE, now.status, StatusOn.ANSWER_TO_CLOSED_QUESTION)
    return None


def require_shown_question(now: Conversation, event: QuestionAnswered) -> str | None:
    """STALE_EDIT where the card has come to ask something else since it was seen."""
    return "STALE_EDIT" if now.question and event.question not in ("", now.question.id) else None


def require_reopenable(now: Conversation, event: ReopenRequested) -> str | None:
    """NOT_COMPLETE for a step, NOT_ARCHIVED for any other thread."""
    if now.interview and now.status is not Status.ARCHIVED:
        return refusal_by(lifecycle.TABLE, now.lifecycle, LifecycleOn.REOPENED)
    return refusal_by(status.TABLE, now.status, StatusOn.UNARCHIVED)


def require_shown_schedule(now: Conversation, event: ScheduleCancelled) -> str | None:
    """NO_SCHEDULE, or STALE_PLAN: whoever calls a plan off has read it, and that of another card is left alone."""
    if now.schedule is None:
        return refusal_by(status.TABLE, now.status, StatusOn.SCHEDULE_CANCELLED_WITHOUT_ONE)
    return "STALE_PLAN" if event.card and event.card not in now.cards else None


def require_restartable(now: Conversation, event: RestartRequested) -> str | None:
    """Refuse by the tables before anything is ended for the wish."""
    lived, moving = phases.read_restart(now, event)
    by_phase = refusal_by(interview.TABLE, now.phase or interview.INITIAL, moving)
    return refusal_by(lifecycle.TABLE, now.lifecycle, lived) or by_phase


def require_closable(now: Conversation, event: StepClosed) -> str | None:
    """CRITERIA for a step without an approved version."""
    closing = LifecycleOn.CLOSED_WITH_VERSION if now.approved > 0 else LifecycleOn.CLOSED_WITHOUT_VERSION
    return refusal_by(lifecycle.TABLE, now.lifecycle, closing)


def require_stoppable(now: Conversation, event: StopRequested) -> str | None:
    """NO_STREAM if the wish was about another answer: one that had ended before it was heard.

    At rest there is one thing to stop: what was interrupted, and waits to be told what to do instead.
    """
    if now.turn is None:
        is_meant = now.question is not None and question.read_stop(now.question) is QuestionOn.STOP_HELD
    else:
        is_meant = event.reply in (0, now.turn.reply) and event.at >= now.turn.since
    return None if is_meant else "NO_STREAM"


# What time has brought about is overtaken if a person was quicker; what people have pressed themselves never is.


def require_due_run(now: Conversation, event: WorkDue) -> str | None:
    """STALE_RUN if another time is planned by now, or if that run is under way or waits for its turn."""
    is_planned = now.status is Status.BACKGROUND and now.next_run == event.due
    return None if is_planned and not now.planned and not now.work.due_by else "STALE_RUN"


def require_idle_goal(now: Conversation, event: IdlePassed) -> str | None:
    """STALE_RUN if anything was said since, or if the next move is not the owner's."""
    is_idle = (event.newest, Status.ACTIVE, Kind.FREE) == (now.newest, now.status, now.kind)
    return None if is_idle else "STALE_RUN"


def require_silence(now: Conversation, event: ArchiveConfirmed) -> str | None:
    """STALE_RUN if anything was said since. What is planned keeps a conversation open."""
    if not event.silent:
        return None
    newest = now.newest or now.thread.root
    is_silent = newest == event.silent and now.status is not Status.ARCHIVED and now.schedule is None
    return None if is_silent else "STALE_RUN"


def require_archive_end(now: Conversation, event: EraseConfirmed) -> str | None:
    """STALE_RUN if the conversation has left the archive, or is kept there for another time."""
    is_over = (event.ends, Status.ARCHIVED) == (now.ends, now.status)
    return None if not event.ends or is_over else "STALE_RUN"


def require_extraction(now: Conversation, event: StageReached) -> str | None:
    """STALE_RUN outside of an extraction."""
    return None if now.phase is Phase.EXTRACT else "STALE_RUN"
