"""Effects of the model's calls on a conversation.

They are the same on a copy while the turn is active and when its end is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from app.core.conversation.call import (
    AskPerson,
    Call,
    CancelSchedule,
    DraftNoted,
    InconsistencyFlagged,
    InconsistencySettled,
    OfferDecision,
    ResolveQuestion,
    SetSchedule,
    StepCall,
    WorkCall,
)
from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.conversation.transition import Trigger, combine
from app.core.decisions import interview_turns
from app.core.errors import IllegalEvent
from app.core.events import audit_entries
from app.core.goals import moves
from app.core.goals.goals import follow_call
from app.core.pending import answer_reading, asking
from app.core.state.goal import Call as GoalCall
from app.core.state.goal import ChangesWanted, GoalNamed, InfoAsked, InfoRecorded, PlanProposed, WorkStarted
from app.core.state.question import Origin, Question, QuestionEvent
from app.core.turns import scheduled_run

NOTES = GoalNamed | InfoRecorded | InfoAsked | PlanProposed | WorkStarted | ChangesWanted
"""Calls that note what a goal is about and where it stands. Not that it is reached: what was to be done was not."""
STEP_NOTES = DraftNoted | InconsistencyFlagged | InconsistencySettled


def carry_out_call(now: Conversation, call: Call, trigger: Trigger) -> Transition:
    """Apply one call. Raises `IllegalEvent` with a text for the model if it is not possible now."""
    if isinstance(call, StepCall):  # the interview applies these when its turn ends
        raise IllegalEvent("NOT_COMPONENT")
    # The end of the turn applies these. Here the model only learns whether the call is allowed.
    if isinstance(call, WorkCall):
        return scheduled_run.check(now, call)
    match call:
        case AskPerson():
            return asking.ask(now, call, trigger)
        case ResolveQuestion():
            return _resolve(now, call, trigger)
        case OfferDecision():  # its reply shows it, and nothing else follows from it
            return Transition(conversation=now)
        case SetSchedule():
            return scheduled_run.set_schedule(now, call, trigger)
        case CancelSchedule():
            return scheduled_run.cancel_schedule(now, trigger)
        case _:
            return Transition(conversation=replace(now, goals=moves.apply_call(now.goals, call, trigger.at).state))


def try_call(made: Transition, call: Call, trigger: Trigger) -> Transition:
    """Apply a call; audit it as refused if an event since the model's request made it impossible."""
    now = made.conversation
    try:
        return combine(made, carry_out_call(now, call, trigger))
    except IllegalEvent as refusal:
        return replace(made, audit=(*made.audit, audit_entries.audit_refused_call(now, refusal.code, trigger.cause)))


def carry_out_told(made: Transition, reply: Message, trigger: Trigger) -> Transition:
    """Apply the calls of a reply that broke off: the model was told that they were made."""
    for call in reply.calls:
        if isinstance(call, GoalCall):
            made = combine(made, follow_call(made.conversation, call, trigger.at, trigger.cause))
        elif not isinstance(call, StepCall | WorkCall):
            made = try_call(made, call, trigger.after(made))
    return interview_turns.follow_finished_calls(made, reply, trigger) if made.conversation.interview else made


def _resolve(now: Conversation, call: ResolveQuestion, trigger: Trigger) -> Transition:
    if now.question is None:
        raise IllegalEvent("NO_QUESTION", "no question is open")
    return RESOLUTIONS[now.question.origin](now, now.question, call, trigger)


def _resolve_question(now: Conversation, asked: Question, call: ResolveQuestion, trigger: Trigger) -> Transition:
    return asking.answer(now, answer_reading.read_resolution(asked, call.value), trigger, QuestionEvent.RESOLVE)


def _resolve_run(now: Conversation, asked: Question, call: ResolveQuestion, trigger: Trigger) -> Transition:
    return scheduled_run.decide(now, answer_reading.read_resolution(asked, call.value), trigger, QuestionEvent.RESOLVE)


def _refuse_draft(now: Conversation, asked: Question, call: ResolveQuestion, trigger: Trigger) -> Transition:
    raise IllegalEvent("ILLEGAL", "a draft waits for the owner's OK: call resolve_confirmation")


RESOLUTIONS: Final[Mapping[Origin, Callable[[Conversation, Question, ResolveQuestion, Trigger], Transition]]] = (
    MappingProxyType(
        {
            Origin.MODEL: _resolve_question,
            Origin.INTERRUPT: _resolve_question,
            Origin.PERMISSION: _resolve_question,
            Origin.EXTRACTION: _refuse_draft,
            Origin.AUTH: _resolve_run,
            Origin.FAILURE: _resolve_run,
        }
    )
)
"""Handlers of `resolve_question` by the origin of the question."""
