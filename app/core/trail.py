"""What a step leaves in the audit trail (requirements part 6, S0-007): ids, our own constants and counts alone."""

from __future__ import annotations

from decimal import Decimal

from app.core.audit import AuditEvent, AuditType
from app.core.effects import Erase
from app.core.events import Event, StopRequested
from app.core.model import Conversation, Message, Run, Step

REFUSED: dict[str, AuditType] = {
    "NOT_OWNER": AuditType.AUTHORIZATION_FAILED,
    "RATE_LIMITED": AuditType.RATE_LIMITED,
}
"""Codes that have a type of their own; every other refusal is an illegal transition."""


def of_step(before: Conversation, event: Event, run: Run, made: Step) -> tuple[AuditEvent, ...]:
    """The changes of state that one event brought about; `run` is the state it led to before anything followed."""
    actor, after = _actor(event), made.conversation
    correlation = after.turn.cause if after.turn else before.turn.cause if before.turn else _receipt(event)
    changes: list[AuditEvent] = []
    if run is not before.run:
        changes.append(_change(before.run, run, event.kind, actor, _receipt(event) or correlation))
    if after.run is not run:
        changes.append(_change(run, after.run, "settled", "", correlation))
    if isinstance(event, StopRequested):
        stopped = AuditEvent(
            type=AuditType.STREAM_CANCELLED, reason=event.kind, actor=actor, correlation=_receipt(event)
        )
        changes.append(stopped)
    return tuple(changes)


def of_run(now: Conversation, reply: Message) -> AuditEvent:
    """How a turn ended and what it cost; an unknown price is left out, never zero."""
    usage = reply.usage
    counts = {
        "input_tokens": usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
    }
    if reply.cost:
        counts["micro_dollars"] = round(Decimal(reply.cost) * 1_000_000)
    correlation = now.turn.cause if now.turn else ""
    return AuditEvent(
        type=AuditType.RUN_FINISHED, reason=reply.failure or reply.status.value, correlation=correlation, counts=counts
    )


def refusal(now: Conversation, event: Event, code: str, cause: str) -> AuditEvent:
    """That somebody was not allowed to do something, or that it could not happen in this state."""
    kind = REFUSED.get(code, AuditType.ILLEGAL_TRANSITION)
    state = now.run.value
    return AuditEvent(type=kind, reason=code, actor=_actor(event), before=state, after=state, correlation=cause)


def erasure(effect: Erase) -> AuditEvent:
    """That a conversation was erased, on whose wish. The effect's id begins with the receipt of that wish."""
    return AuditEvent(
        type=AuditType.CONVERSATION_ERASED,
        reason=effect.kind,
        actor=effect.user,
        correlation=effect.id.rpartition(":")[0],
    )


def _change(before: Run, after: Run, reason: str, actor: str, correlation: str) -> AuditEvent:
    return AuditEvent(
        type=AuditType.STATE_TRANSITION,
        reason=reason,
        actor=actor,
        before=before.value,
        after=after.value,
        correlation=correlation,
    )


def _actor(event: Event) -> str:
    return str(getattr(event, "user", ""))


def _receipt(event: Event) -> str:
    return str(getattr(event, "receipt", ""))
