"""The goals of a free thread, changed by messages, model calls and silence.

The model's calls come first, the rules on words second. Components have a phase of their own instead.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.call import AskPerson
from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.conversation.transition import Trigger, combine
from app.core.errors import IllegalEvent
from app.core.events import audit_entries
from app.core.events.heard import GoalIdled
from app.core.goals import moves, status_line
from app.core.state import goal
from app.core.state.goal import GoalChange, GoalPhase
from app.core.state.status import Kind, Status
from app.core.state.tool_use import ToolOutput


def follow_message(now: Conversation, text: str, trigger: Trigger, *, idle: bool = False) -> Transition:
    """Apply a message of the owner that wants an answer. After a long silence, the goal is left first."""
    if now.kind is not Kind.FREE:
        return Transition(conversation=now)
    quiet = (
        _apply_change(now, moves.on_idle(now.goals, trigger.at, busy=_is_busy(now)), trigger.cause) if idle else None
    )
    begun = quiet.conversation if quiet else now
    made = _apply_change(
        begun, moves.on_message(begun.goals, text, trigger.at, running=begun.turn is not None), trigger.cause
    )
    return combine(quiet, made) if quiet else made


def follow_reply(now: Conversation, reply: Message, trigger: Trigger) -> Transition:
    """Apply the model's answer and its calls."""
    if now.kind is not Kind.FREE:
        return Transition(conversation=now)
    calls = tuple(call for call in reply.calls if isinstance(call, goal.Call))
    by_card = any(isinstance(call, AskPerson) for call in reply.calls)
    asking = moves.Asking(by_card=by_card, most=trigger.facts.most_questions)
    return _apply_change(now, moves.on_reply(now.goals, reply.text, calls, trigger.at, asking), trigger.cause)


def follow_call(now: Conversation, call: goal.Call, at: str, cause: str) -> Transition:
    """Apply one call of a reply that broke off. Its words say nothing about the goal."""
    if now.kind is not Kind.FREE:
        return Transition(conversation=now)
    try:
        return _apply_change(now, moves.apply_call(now.goals, call, at), cause)
    except IllegalEvent:  # an event since the model's request made it impossible
        return Transition(conversation=now)


def add_tool_outputs(now: Conversation, things: tuple[ToolOutput, ...]) -> Conversation:
    """Add the results of tools to the current goal, if there is one."""
    pursued = now.goals.goal
    if pursued is None or not things:
        return now
    kept = replace(pursued, made=(*pursued.made, *things)[-goal.MOST_MADE :])
    return replace(now, goals=replace(now.goals, goal=kept))


def on_goal_idled(now: Conversation, event: GoalIdled, trigger: Trigger) -> Transition:
    """Apply the owner's silence, once it is as long as a goal waits. No one is notified."""
    return _apply_change(now, moves.on_idle(now.goals, event.at, busy=_is_busy(now)), trigger.cause)


def is_at_work(now: Conversation) -> bool:
    """Return True if the work for a goal is planned or under way."""
    return now.goals.phase in (GoalPhase.PLANNING, GoalPhase.EXECUTING)


def describe(now: Conversation) -> str:
    """Return what people are told of the goal, and of the ends of former goals."""
    is_open = now.status is not Status.ARCHIVED
    return status_line.describe_goal(now.goals, is_waiting=is_open and not _is_busy(now))


def read_home_state(now: Conversation) -> tuple[object, ...]:
    """Return the parts of a conversation that its owner's Home shows.

    While they stay the same, Home need not be updated.
    """
    asked = now.question.id if now.question else ""
    return (now.title, now.status, now.lifecycle, now.goals.phase, now.next_run, now.paused, asked, now.decision)


def _is_busy(now: Conversation) -> bool:
    return now.schedule is not None or now.question is not None or now.turn is not None


def _apply_change(now: Conversation, moved: GoalChange, cause: str) -> Transition:
    refused = tuple(audit_entries.audit_refused_call(now, "ILLEGAL", cause) for _ in moved.refused)
    audit = (*(audit_entries.audit_goal_change(change, cause) for change in moved.changes), *refused)
    return Transition(conversation=replace(now, goals=moved.state), audit=audit)
