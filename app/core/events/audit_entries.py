"""What a step leaves in the audit trail (requirements part 6, S0-007): ids, our own constants and counts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Message, read_turn_state
from app.core.conversation.effect import Erase
from app.core.events.acts import StopRequested
from app.core.events.heard import Event
from app.core.state.goal import Change

REFUSED: dict[str, AuditType] = {
    "NOT_OWNER": AuditType.AUTHORIZATION_FAILED,
    "RATE_LIMITED": AuditType.RATE_LIMITED,
}
"""Codes that have a type of their own; every other refusal is an illegal transition."""


def audit_changes(
    before: Conversation, event: Event, reacted: Conversation, after: Conversation
) -> tuple[AuditEvent, ...]:
    """The changes of state that one event brought about; `reacted` is what was reached before anything followed."""
    actor = find_actor(event)
    correlation = after.turn.cause if after.turn else before.turn.cause if before.turn else _find_receipt(event)
    by_event = _find_receipt(event) or correlation
    changes = [*_list_changes(before, reacted, event.kind, actor, by_event)]
    changes += _list_changes(reacted, after, "settled", "", correlation)
    if isinstance(event, StopRequested):
        stopped = AuditEvent(type=AuditType.STREAM_CANCELLED, reason=event.kind, actor=actor, correlation=by_event)
        changes.append(stopped)
    return tuple(changes)


def audit_goal_change(change: Change, correlation: str) -> AuditEvent:
    """One hop of a goal's phase, with the reason that its table gives."""
    return AuditEvent(
        type=AuditType.GOAL_TRANSITION,
        reason=change.reason,
        before=change.before.value,
        after=change.after.value,
        correlation=correlation,
        counts={"milestone": int(change.milestone)},
    )


def audit_turn(now: Conversation, reply: Message) -> AuditEvent:
    """How a turn ended and what it cost; an unknown price is left out, never zero."""
    usage = reply.usage
    counts = {
        "input_tokens": usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
    }
    if reply.rounds:
        counts["rounds"] = reply.rounds
    if reply.cost:
        counts["micro_dollars"] = round(Decimal(reply.cost) * 1_000_000)
    correlation = now.turn.cause if now.turn else ""
    return AuditEvent(
        type=AuditType.RUN_FINISHED, reason=reply.failure or reply.status.value, correlation=correlation, counts=counts
    )


def audit_undelivered(count: int, reason: str, correlation: str) -> AuditEvent:
    """That Slack takes no words any more where the thread is, and how many replies and cards are kept back."""
    return AuditEvent(type=AuditType.UNDELIVERED, reason=reason, correlation=correlation, counts={"kept_back": count})


def audit_refusal(now: Conversation, event: Event, code: str, cause: str) -> AuditEvent:
    """That somebody was not allowed to do something, or that it could not happen in this state."""
    kind = REFUSED.get(code, AuditType.ILLEGAL_TRANSITION)
    state = read_turn_state(now.turn).value
    return AuditEvent(type=kind, reason=code, actor=find_actor(event), before=state, after=state, correlation=cause)


def audit_erasure(effect: Erase) -> AuditEvent:
    """That a conversation was erased, on whose wish. The effect's id begins with the receipt of that wish."""
    return AuditEvent(
        type=AuditType.CONVERSATION_ERASED,
        reason=effect.kind,
        actor=effect.user,
        correlation=effect.id.rpartition(":")[0],
    )


def audit_refused_call(now: Conversation, code: str, correlation: str) -> AuditEvent:
    """That what the model called for could not happen any more when its turn was over."""
    state = now.status.value
    return AuditEvent(
        type=AuditType.ILLEGAL_TRANSITION, reason=code, before=state, after=state, correlation=correlation
    )


def _list_changes(
    before: Conversation, after: Conversation, reason: str, actor: str, correlation: str
) -> list[AuditEvent]:
    return [
        AuditEvent(type=kind, reason=reason, actor=actor, before=was, after=is_, correlation=correlation)
        for kind, was, is_ in _find_differences(before, after)
    ]


def _find_differences(before: Conversation, after: Conversation) -> Iterator[tuple[AuditType, str, str]]:
    """Each dimension that changed, but for phases of goals and interviews: their tables tell every hop themselves."""
    for kind, dimension in DIMENSIONS:
        was, is_ = dimension(before), dimension(after)
        if was != is_:
            yield kind, was, is_
    if before.schedule != after.schedule:
        yield AuditType.SCHEDULE_CHANGED, _describe_schedule(before), _describe_schedule(after)
    was, is_ = (now.question.id if now.question else "" for now in (before, after))
    if was != is_ and was:
        yield AuditType.QUESTION_CLOSED, was, ""
    if was != is_ and is_:
        yield AuditType.QUESTION_ASKED, "", is_


def find_actor(event: Event) -> str:
    """Return whose act the event is; empty for what nobody does."""
    return str(getattr(event, "user", ""))


def _find_receipt(event: Event) -> str:
    return str(getattr(event, "receipt", ""))


def _describe_schedule(now: Conversation) -> str:
    return now.schedule.kind.value if now.schedule else ""


DIMENSIONS: tuple[tuple[AuditType, Callable[[Conversation], str]], ...] = (
    (AuditType.STATE_TRANSITION, lambda now: now.run.value),
    (AuditType.STATE_TRANSITION, lambda now: now.lifecycle.value),
    (AuditType.STATUS_TRANSITION, lambda now: now.status.value),
    (AuditType.STAGE_TRANSITION, lambda now: now.stage.value),
)
