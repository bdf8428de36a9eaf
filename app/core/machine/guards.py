"""Guards: each returns the code with which an event is refused, or None. An event's row in `registry` lists its guards.

Listeners have already checked that a request is authentic and new. The worker counts how much a person may do.
"""

from __future__ import annotations

from app.core.conversation.conversation import BEFORE, Conversation
from app.core.conversation.effect import Erase
from app.core.conversation.facts import Facts
from app.core.conversation.news import StepMove
from app.core.decisions import phases
from app.core.events.acts import (
    Act,
    ArchiveConfirmed,
    ContinuePressed,
    EraseConfirmed,
    FiguresConfirmed,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    SchedulePaused,
    StepClosed,
    StopRequested,
)
from app.core.events.heard import (
    ComponentStarted,
    DecisionStarted,
    Event,
    GoalIdled,
    MessageChange,
    MessageEdited,
    MessagePosted,
    NoticeReceived,
    RunDue,
)
from app.core.events.internal import StageReached
from app.core.state import interview, lifecycle, question, status
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle, LifecycleEvent
from app.core.state.question import QuestionEvent
from app.core.state.status import Kind, Status, StatusEvent
from app.core.state.table import find_refusal as refusal_by
from app.core.turns import permission_request, scheduled_run


def require_rate(now: Conversation, event: MessagePosted, facts: Facts) -> str | None:
    """Return RATE_LIMITED for a person who is over the message limit."""
    return "RATE_LIMITED" if facts.retry_after else None


def check_known(now: Conversation, event: MessagePosted, facts: Facts) -> str | None:
    """Return UNHEARD if the message has been heard. Slack sends a mention again as `app_mention` when it is edited."""
    return "UNHEARD" if facts.targets else None


def require_not_erasing(now: Conversation, event: Event, facts: Facts) -> str | None:
    """Return ERASING if the conversation is about to be erased."""
    return "ERASING" if any(isinstance(effect, Erase) for effect in now.effects) else None


def require_not_archived(now: Conversation, event: Event, facts: Facts) -> str | None:
    """Return ARCHIVED if the conversation is archived, for events that need one that continues."""
    return "ARCHIVED" if now.status is Status.ARCHIVED else None


def check_archive(now: Conversation, event: MessagePosted, facts: Facts) -> str | None:
    """Return a code if the conversation is archived, where no message is kept.

    ARCHIVED tells the owner and ARCHIVED_FOR_OTHERS anybody else. UNHEARD, for words to other people, is silent.
    """
    if now.status is not Status.ARCHIVED:
        return None
    if not (event.addressed or event.opens):
        return "UNHEARD"
    return "ARCHIVED" if event.user == now.owner else "ARCHIVED_FOR_OTHERS"


def check_complete(now: Conversation, event: MessagePosted, facts: Facts) -> str | None:
    """Return a code if the step is finished: its owner must reopen it first, and its author is told so.

    In a closed decision they must reopen that before. UNHEARD, for words to other people, is silent.
    """
    if now.lifecycle is not Lifecycle.COMPLETE:
        return None
    if not (event.addressed or event.opens):
        return "UNHEARD"
    if event.user != now.owner:
        return "READ_ONLY_FOR_OTHERS"
    return phases.explain_read_only(refusal_by(lifecycle.TABLE, now.lifecycle, LifecycleEvent.MESSAGE_POSTED), facts)


def check_edit(now: Conversation, event: MessageEdited, facts: Facts) -> str | None:
    """Return UNHEARD if the conversation is archived, unless an approved result uses the message."""
    return "UNHEARD" if now.status is Status.ARCHIVED and not facts.uses else None


def check_origin(now: Conversation, event: MessageChange, facts: Facts) -> str | None:
    """Return UNHEARD for a message of another thread, unless this one was drafted from it.

    Messages of two channels may have the same ts. What a step is drafted from is older than its thread.
    """
    if event.origin is None:
        return None
    is_source = event.origin.channel in now.sources or BEFORE in now.sources
    return None if is_source and facts.targets and event.ts < now.thread.root else "UNHEARD"


def require_step(now: Conversation, event: Event, facts: Facts) -> str | None:
    """Return NOT_COMPONENT if the thread has no interview."""
    return "NOT_COMPONENT" if now.interview is None else None


def require_decision(now: Conversation, event: Event, facts: Facts) -> str | None:
    """Return NOT_DECISION if the thread is not a decision's own."""
    return "NOT_DECISION" if now.decision is None else None


def require_addressee(now: Conversation, event: NoticeReceived, facts: Facts) -> str | None:
    """Return NOT_DECISION or NOT_COMPONENT if the notice does not fit.

    A step may have been erased, and another conversation may have begun in its thread.
    """
    return (require_decision if isinstance(event.news, StepMove) else require_step)(now, event, facts)


def require_empty(now: Conversation, event: DecisionStarted, facts: Facts) -> str | None:
    """Return STALE_RUN if the thread already has a first message."""
    return "STALE_RUN" if now.head else None


def require_no_interview(now: Conversation, event: ComponentStarted, facts: Facts) -> str | None:
    """Return STALE_RUN if a step has already begun."""
    return "STALE_RUN" if now.interview else None


def require_not_complete(now: Conversation, event: Event, facts: Facts) -> str | None:
    """Return READ_ONLY if the step is finished; DECISION_CLOSED if its decision is closed as well."""
    return phases.explain_read_only("READ_ONLY", facts) if now.lifecycle is Lifecycle.COMPLETE else None


def require_newest_reply(now: Conversation, event: RetryPressed | ContinuePressed, facts: Facts) -> str | None:
    """Return QUESTION_CLOSED if a later reply has begun, or if the reply is the opening of a step."""
    overtaken = facts.pressed_reply is not None and facts.pressed_reply.seq < now.answered
    return "QUESTION_CLOSED" if overtaken or now.lifecycle is Lifecycle.READY else None


def require_asked(now: Conversation, event: RetryPressed, facts: Facts) -> str | None:
    """Return TAKEN_BACK if the owner has deleted all that the reply was to answer."""
    return "TAKEN_BACK" if facts.taken_back else None


def require_component(now: Conversation, event: Act, facts: Facts) -> str | None:
    """Return RETIRED if the event needs a component that is no longer installed."""
    return "RETIRED" if facts.component_missing else None


def require_component_to_reopen(now: Conversation, event: ReopenRequested, facts: Facts) -> str | None:
    """Return RETIRED if the component is no longer installed. The step can still leave the archive, without a talk."""
    is_talk = now.status is not Status.ARCHIVED or facts.left_message is not None
    return "RETIRED" if facts.component_missing and is_talk else None


def require_open_decision(now: Conversation, event: ReopenRequested, facts: Facts) -> str | None:
    """Return DECISION_CLOSED for a step of a closed decision. It can still leave the archive, without a talk."""
    is_talk = now.status is not Status.ARCHIVED or facts.left_message is not None
    return "DECISION_CLOSED" if facts.decision_closed and is_talk else None


def require_open_question(now: Conversation, event: QuestionAnswered | FiguresConfirmed, facts: Facts) -> str | None:
    """Return QUESTION_CLOSED, NO_QUESTION or ARCHIVED if the answered card has no open question.

    *Never* is heard on a card that was answered before, too, as long as what it allowed has not begun.
    """
    is_answer = isinstance(event, QuestionAnswered)
    if is_answer and permission_request.is_late_ban(now, event.value, facts.pressed_card):
        return None
    if now.question is None or now.question.card != event.card:
        return refusal_by(status.TABLE, now.status, StatusEvent.ANSWER_TO_CLOSED_QUESTION)
    return None


def require_shown_question(now: Conversation, event: QuestionAnswered | FiguresConfirmed, facts: Facts) -> str | None:
    """Return STALE_EDIT if the card now asks another question than the one that was answered."""
    is_open = now.question is not None and now.question.card == event.card
    return "STALE_EDIT" if is_open and now.question and event.question not in ("", now.question.id) else None


def require_reopenable(now: Conversation, event: ReopenRequested, facts: Facts) -> str | None:
    """Return NOT_COMPLETE for an unfinished step, NOT_ARCHIVED for any other open thread.

    A message to go on with is welcome in an open thread as well.
    """
    if facts.left_message:
        return None
    if now.interview and now.status is not Status.ARCHIVED:
        return refusal_by(lifecycle.TABLE, now.lifecycle, LifecycleEvent.REOPENED)
    return refusal_by(status.TABLE, now.status, StatusEvent.UNARCHIVED)


def require_shown_schedule(now: Conversation, event: ScheduleCancelled | SchedulePaused, facts: Facts) -> str | None:
    """Return NO_SCHEDULE if nothing is scheduled, STALE_PLAN if the card shows another schedule.

    The owner cancels or pauses only the schedule that the card has shown.
    """
    if now.schedule is None:
        return refusal_by(status.TABLE, now.status, StatusEvent.SCHEDULE_CANCELLED_WITHOUT_ONE)
    return "STALE_PLAN" if event.card and event.card not in now.cards else None


def require_restartable(now: Conversation, event: RestartRequested, facts: Facts) -> str | None:
    """Return the code of the tables for this restart. The check comes before the active turn is ended."""
    lived, moving = phases.read_restart(now, event, facts)
    by_phase = refusal_by(interview.TABLE, now.phase or interview.INITIAL, moving)
    by_life = refusal_by(lifecycle.TABLE, now.lifecycle, lived)
    return (phases.explain_read_only(by_life, facts) if now.lifecycle is Lifecycle.COMPLETE else by_life) or by_phase


def require_closable(now: Conversation, event: StepClosed, facts: Facts) -> str | None:
    """Return CRITERIA if the step has no approved version."""
    closing = LifecycleEvent.CLOSED_WITH_VERSION if now.approved > 0 else LifecycleEvent.CLOSED_WITHOUT_VERSION
    return refusal_by(lifecycle.TABLE, now.lifecycle, closing)


def require_stoppable(now: Conversation, event: StopRequested, facts: Facts) -> str | None:
    """Return NO_STREAM if the request was for a turn that has already ended.

    If no turn is active, only an interrupted turn that awaits instructions can be stopped, and a schedule of which its
    owner is asked whether to go on: the word is the name of a button there.
    """
    if now.turn is None:
        asked = now.question
        is_held = asked is not None and question.read_stop(asked) is QuestionEvent.STOP_HELD
        is_meant = is_held or (event.written and scheduled_run.is_asked(now))
    else:
        is_meant = event.reply in (0, now.turn.reply) and event.at >= now.turn.since
    return None if is_meant else "NO_STREAM"


# Timed events are refused if a person was quicker. Presses of people never are.


def require_due_run(now: Conversation, event: RunDue, facts: Facts) -> str | None:
    """Return STALE_RUN if the schedule has changed or is paused, or if this run is active or already queued."""
    is_planned = now.status is Status.BACKGROUND and now.next_run == event.due and not now.paused
    return None if is_planned and not now.planned and not now.work.due_by else "STALE_RUN"


def require_idle_goal(now: Conversation, event: GoalIdled, facts: Facts) -> str | None:
    """Return STALE_RUN if the owner has spoken since, or if the next move is not the owner's."""
    is_idle = (event.newest, Status.ACTIVE, Kind.FREE) == (now.silent_from, now.status, now.kind)
    return None if is_idle else "STALE_RUN"


def require_silence(now: Conversation, event: ArchiveConfirmed, facts: Facts) -> str | None:
    """Return STALE_RUN if the thread has a newer message. A schedule keeps a conversation open."""
    if not event.silent:
        return None
    newest = now.newest or now.thread.root
    is_silent = newest == event.silent and now.status is not Status.ARCHIVED and now.schedule is None
    return None if is_silent else "STALE_RUN"


def require_archive_end(now: Conversation, event: EraseConfirmed | ReopenRequested, facts: Facts) -> str | None:
    """Return STALE_RUN if the conversation has left the archive, or now has another end of its time there."""
    is_over = (event.ends, Status.ARCHIVED) == (now.ends, now.status)
    return None if not event.ends or is_over else "STALE_RUN"


def require_extraction(now: Conversation, event: StageReached, facts: Facts) -> str | None:
    """Return STALE_RUN if no extraction is active."""
    return None if now.phase is Phase.EXTRACT else "STALE_RUN"
