"""What a model's call makes of a conversation. The same while the turn runs, on a copy, and when its end is saved."""

from __future__ import annotations

from dataclasses import replace

from app.core import asking, goal_moves, working
from app.core import question as questions
from app.core.calls import AskPerson, Call, CancelSchedule, ResolveQuestion, SetSchedule, StepCall, WorkCall
from app.core.errors import IllegalEvent
from app.core.goal import Call as GoalCall
from app.core.model import Conversation, Step
from app.core.question import Origin, QuestionOn
from app.core.steps import Trigger


def called(now: Conversation, call: Call, trigger: Trigger) -> Step:
    """Carry out one call. Raises `IllegalEvent` with words for the model if it cannot be now."""
    if isinstance(call, StepCall):  # the interview of a step takes these when its turn ends
        raise IllegalEvent("NOT_COMPONENT")
    if isinstance(call, WorkCall):  # and so does a run of the schedule: here it hears whether it may end so
        return working.check(now, call)
    match call:
        case AskPerson():
            return asking.ask(now, call, trigger)
        case ResolveQuestion():
            return _resolved(now, call, trigger)
        case SetSchedule():
            return working.planned(now, call, trigger)
        case CancelSchedule():
            return working.cancelled(now, trigger)
        case _:
            return _on_goal(now, call, trigger.at)


def _resolved(now: Conversation, call: ResolveQuestion, trigger: Trigger) -> Step:
    if now.question is None:
        raise IllegalEvent("NO_QUESTION", "no question is open")
    if now.question.origin is Origin.EXTRACTION:
        raise IllegalEvent("ILLEGAL", "a draft waits for the owner's OK: call resolve_confirmation")
    given = questions.resolved(now.question, call.value)
    return (working.decided if working.is_asked(now) else asking.answer)(now, given, trigger, QuestionOn.RESOLVE)


def _on_goal(now: Conversation, call: GoalCall, at: str) -> Step:
    return Step(conversation=replace(now, goals=goal_moves.apply_call(now.goals, call, at).state))
