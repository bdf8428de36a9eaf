"""Questions that a thread waits for: put, answered, withdrawn (requirements T6, and what of T1 belongs to it)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from app.core.conversation.call import AskPerson
from app.core.conversation.card import Card, PermissionCard, QuestionCard, StepCard, StepState
from app.core.conversation.conversation import Conversation, Step
from app.core.conversation.transition import Trigger, closing, joined, kept, moment, posting
from app.core.errors import IllegalEvent
from app.core.pending import answer_reading, recurrence
from app.core.pending.scheduling import shown_again
from app.core.state import question, status
from app.core.state.question import Answered, Origin, Question, QuestionOn, QuestionState
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import StatusOn

STEP_STATES: Mapping[QuestionState, StepState] = MappingProxyType(
    {QuestionState.SUPERSEDED: StepState.SUPERSEDED, QuestionState.CANCELLED: StepState.WITHDRAWN}
)
"""What becomes of a draft that was shown when its question goes unanswered."""


def ask(
    now: Conversation,
    call: AskPerson,
    trigger: Trigger,
    origin: Origin = Origin.MODEL,
    moving: StatusOn = StatusOn.ASKED,
) -> Step:
    """Put a question to the owner; one that is open is overtaken, a run that was due waits. Raises `IllegalEvent`.

    What waits for approval is overtaken by nothing but a newer draft. `moving` is what asking means to the status.
    """
    if now.question and now.question.origin is Origin.EXTRACTION:
        raise IllegalEvent("ILLEGAL", "The draft waits for the owner's OK. Ask in your text.")
    made = making_room(now, trigger, moving)
    asked = posed(made.conversation, call, origin, trigger)
    put = replace(made.conversation, question=asked)
    made = joined(made, posting(put, trigger, QuestionCard(question=asked, owner=now.owner)))
    return joined(made, shown_again(made.conversation, trigger))


def posed(now: Conversation, call: AskPerson, origin: Origin, trigger: Trigger) -> Question:
    """The question whose card is the next row. Raises `IllegalEvent` if it cannot be asked so."""
    seq = now.head + 1
    return answer_reading.checked(
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


def making_room(now: Conversation, trigger: Trigger, moving: StatusOn = StatusOn.ASKED) -> Step:
    """Begin to wait for an answer: a question that is open is overtaken, and a run that was due waits."""
    return superseded(replace(now, status=status.moved(now.status, moving)), trigger)


def answer(now: Conversation, given: Answered, trigger: Trigger, by: QuestionOn) -> Step:
    """The owner has answered: the thread goes on. `by` tells how: click or form, words, or the model.

    What came by a form stands nowhere in the thread: the card shows all of it.
    """
    asked = now.question
    assert asked is not None, "an answer is understood by its question"
    in_form = by is QuestionOn.CLICK and given.option is None
    card = QuestionCard(
        question=asked,
        owner=now.owner,
        state=_after(by),
        answer=given.value if in_form else answer_reading.label(asked, given),
        by=now.owner,
        at=trigger.at,
        mapped=by is QuestionOn.RESOLVE,
    )
    return answered(now, card, trigger)


def answered(now: Conversation, card: Card, trigger: Trigger) -> Step:
    """The open question has its answer, which this last form of its card tells: what was paused goes on."""
    assert now.question is not None, "only an open question is answered"
    heard = StatusOn.ANSWERED_WITH_SCHEDULE if now.schedule else StatusOn.ANSWERED_WITHOUT_SCHEDULE
    after = replace(now, question=None, status=status.moved(now.status, heard))
    made = closing(after, trigger, now.question.card, card)
    return joined(made, _resumed(made.conversation, trigger))


def withdraw(now: Conversation, trigger: Trigger) -> Step:
    """Nobody needs the answer any more."""
    with_schedule = StatusOn.QUESTION_CANCELLED_WITH_SCHEDULE
    withdrawn = with_schedule if now.schedule else StatusOn.QUESTION_CANCELLED_WITHOUT_SCHEDULE
    made = _closed(replace(now, status=status.moved(now.status, withdrawn)), QuestionOn.WITHDRAW, trigger)
    return joined(made, _resumed(made.conversation, trigger))


def superseded(now: Conversation, trigger: Trigger) -> Step:
    """A newer question takes the place of the one that is open, if one is."""
    return _closed(now, QuestionOn.ASK, trigger) if now.question else Step(conversation=now)


def _closed(now: Conversation, by: QuestionOn, trigger: Trigger) -> Step:
    asked = now.question
    assert asked is not None, "only an open question can be closed"
    card, state = kept(trigger.cards, asked.card).card, _after(by)
    if isinstance(card, PermissionCard):
        closed: Card = replace(card, withdrawn=True, at=trigger.at)
    elif isinstance(card, StepCard):
        closed = replace(card, state=STEP_STATES[state], at=trigger.at)
    else:
        closed = QuestionCard(question=asked, owner=now.owner, state=state, at=trigger.at)
    return closing(replace(now, question=None), trigger, asked.card, closed)


def _after(by: QuestionOn) -> QuestionState:
    """What becomes of the open question (T6)."""
    state = question.moved(QuestionState.OPEN, by)
    assert state is not None, "what closes a question means something to it"
    return state


def _resumed(now: Conversation, trigger: Trigger) -> Step:
    """Work that was paused goes on: what was due meanwhile is due now, a cron expression waits for its next time.

    A run that gave way was due before.
    """
    if now.schedule is None:
        return Step(conversation=now)
    next_run = _after_answer(now, now.schedule, moment(trigger.at))
    after = replace(now, next_run=next_run.isoformat() if next_run else "", work=replace(now.work, due_by=""))
    return shown_again(after, trigger)


def _after_answer(now: Conversation, schedule: Schedule, at: datetime) -> datetime | None:
    is_cron, work = schedule.kind is ScheduleKind.CRON, now.work
    if work.gave_way or (work.due_by and not is_cron):
        return at
    # By a clock that is behind, what was found due is still to come.
    return recurrence.after_answer(schedule, max(at, datetime.fromisoformat(now.next_run)) if work.due_by else at)
