"""The open question of a thread: asked, answered, withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from app.core.conversation.call import AskPerson
from app.core.conversation.card import Card, PermissionCard, QuestionCard, StepCard, StepState
from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.transition import Trigger, combine, message_at, parse_ts, queue_card, queue_card_close
from app.core.errors import IllegalEvent
from app.core.pending import answer_reading, recurrence
from app.core.pending.scheduling import queue_schedule_update
from app.core.state import question, status
from app.core.state.question import Answered, Origin, Question, QuestionEvent, QuestionState
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import StatusEvent

STEP_STATES: Mapping[QuestionState, StepState] = MappingProxyType(
    {QuestionState.SUPERSEDED: StepState.SUPERSEDED, QuestionState.CANCELLED: StepState.WITHDRAWN}
)
"""State of a shown draft whose question ends without an answer."""


def ask(
    now: Conversation,
    call: AskPerson,
    trigger: Trigger,
    origin: Origin = Origin.MODEL,
    moving: StatusEvent = StatusEvent.ASKED,
) -> Transition:
    """Ask the owner a question. It supersedes an open one, and a due run waits. Raises `IllegalEvent`.

    Only a newer draft supersedes a draft that waits for approval. `moving` is the status event of asking.
    """
    if now.question and now.question.origin is Origin.EXTRACTION:
        raise IllegalEvent("ILLEGAL", "The draft waits for the owner's OK. Ask in your text.")
    made = clear_question(now, trigger, moving)
    asked = build_question(made.conversation, call, origin, trigger)
    put = replace(made.conversation, question=asked)
    made = combine(made, queue_card(put, trigger, QuestionCard(question=asked, owner=now.owner)))
    return combine(made, queue_schedule_update(made.conversation, trigger))


def build_question(now: Conversation, call: AskPerson, origin: Origin, trigger: Trigger) -> Question:
    """Return the question whose card is the next row. Raises `IllegalEvent` if it is invalid."""
    seq = now.head + 1
    return answer_reading.normalize_question(
        Question(
            id=f"{now.version + 1}.{seq}",
            kind=call.type,
            prompt=call.prompt,
            options=call.options,
            other=call.other,
            origin=origin,
            asked_at=trigger.at,
            card=seq,
        )
    )


def clear_question(now: Conversation, trigger: Trigger, moving: StatusEvent = StatusEvent.ASKED) -> Transition:
    """Start waiting for an answer: an open question is superseded, and a due run waits."""
    return supersede(replace(now, status=status.move(now.status, moving)), trigger)


def answer(now: Conversation, given: Answered, trigger: Trigger, by: QuestionEvent) -> Transition:
    """Close the question with the owner's answer, and continue the thread.

    `by` is its source: a click or form, words, or the model. An answer from a form appears nowhere else in the thread,
    so the card shows all of it.
    """
    asked = now.question
    assert asked is not None, "an answer is understood by its question"
    in_form = by is QuestionEvent.CLICK and given.option is None
    card = QuestionCard(
        question=asked,
        owner=now.owner,
        state=_find_outcome(by),
        answer=given.value if in_form else answer_reading.format_answer(asked, given),
        by=now.owner,
        at=trigger.at,
        mapped=by is QuestionEvent.RESOLVE,
    )
    return close_answered(now, card, trigger)


def close_answered(now: Conversation, card: Card, trigger: Trigger) -> Transition:
    """Close the question with the last form of its card, and resume paused work."""
    assert now.question is not None, "only an open question is answered"
    heard = StatusEvent.ANSWERED_WITH_SCHEDULE if now.schedule else StatusEvent.ANSWERED_WITHOUT_SCHEDULE
    after = replace(now, question=None, status=status.move(now.status, heard))
    made = queue_card_close(after, trigger, now.question.card, card)
    return combine(made, resume_schedule(made.conversation, trigger))


def withdraw(now: Conversation, trigger: Trigger) -> Transition:
    """Withdraw the open question without an answer."""
    with_schedule = StatusEvent.QUESTION_CANCELLED_WITH_SCHEDULE
    withdrawn = with_schedule if now.schedule else StatusEvent.QUESTION_CANCELLED_WITHOUT_SCHEDULE
    made = _close(replace(now, status=status.move(now.status, withdrawn)), QuestionEvent.WITHDRAW, trigger)
    return combine(made, resume_schedule(made.conversation, trigger))


def supersede(now: Conversation, trigger: Trigger) -> Transition:
    """Close an open question, if there is one, because a newer one replaces it."""
    return _close(now, QuestionEvent.ASK, trigger) if now.question else Transition(conversation=now)


def _close(now: Conversation, by: QuestionEvent, trigger: Trigger) -> Transition:
    asked = now.question
    assert asked is not None, "only an open question can be closed"
    card, state = message_at(trigger.facts.open_cards, asked.card).card, _find_outcome(by)
    if isinstance(card, PermissionCard):
        closed: Card = replace(card, withdrawn=True, at=trigger.at)
    elif isinstance(card, StepCard):
        closed = replace(card, state=STEP_STATES[state], at=trigger.at)
    else:
        closed = QuestionCard(question=asked, owner=now.owner, state=state, at=trigger.at)
    return queue_card_close(replace(now, question=None), trigger, asked.card, closed)


def _find_outcome(by: QuestionEvent) -> QuestionState:
    state = question.move(QuestionState.OPEN, by)
    assert state is not None, "what closes a question means something to it"
    return state


def resume_schedule(now: Conversation, trigger: Trigger) -> Transition:
    """Let the schedule go on. A run that fell due meanwhile is due now; a cron expression waits for its next time.

    A run that yielded to the owner was due before.
    """
    if now.schedule is None:
        return Transition(conversation=now)
    next_run = _find_next_run(now, now.schedule, parse_ts(trigger.at))
    after = replace(now, next_run=next_run.isoformat() if next_run else "", work=replace(now.work, due_by=""))
    return queue_schedule_update(after, trigger)


def _find_next_run(now: Conversation, schedule: Schedule, at: datetime) -> datetime | None:
    is_cron, work = schedule.kind is ScheduleKind.CRON, now.work
    if work.gave_way or (work.due_by and not is_cron):
        return at
    # On a process whose clock is behind, a run that another process found due still lies ahead.
    return recurrence.find_resumed_run(schedule, max(at, datetime.fromisoformat(now.next_run)) if work.due_by else at)
