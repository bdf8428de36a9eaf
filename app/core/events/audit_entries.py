"""Audit entries of transitions. They hold only ids, constants and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import Conversation, Message, read_turn_state
from app.core.conversation.effect import Erase
from app.core.events.acts import OwnershipTransferred, StopRequested
from app.core.events.heard import Event
from app.core.events.internal import ThreadSummarized
from app.core.state.goal import PhaseChange

REFUSED: dict[str, AuditType] = {
    "NOT_OWNER": AuditType.AUTHORIZATION_FAILED,
    "RATE_LIMITED": AuditType.RATE_LIMITED,
}
"""Refusal codes with an audit type of their own. Every other refusal is an illegal transition."""


def audit_changes(
    before: Conversation, event: Event, reacted: Conversation, after: Conversation
) -> tuple[AuditEvent, ...]:
    """Build the audit entries for the state changes of one event.

    `reacted` is the conversation after the reaction and before `settle`.
    """
    actor = _name_actor(event)
    correlation = after.turn.cause if after.turn else before.turn.cause if before.turn else _find_receipt(event)
    by_event = _find_receipt(event) or correlation
    changes = [*_list_changes(before, reacted, event.kind, actor, by_event)]
    changes += _list_changes(reacted, after, "settled", "", correlation)
    if isinstance(event, StopRequested):
        stopped = AuditEvent(type=AuditType.STREAM_CANCELLED, reason=event.kind, actor=actor, correlation=by_event)
        changes.append(stopped)
    return tuple(changes)


def audit_goal_change(change: PhaseChange, correlation: str) -> AuditEvent:
    """Build the audit entry for one change of a goal's phase, with the reason that its table gives."""
    return AuditEvent(
        type=AuditType.GOAL_TRANSITION,
        reason=change.reason,
        before=change.before.value,
        after=change.after.value,
        correlation=correlation,
        counts={"milestone": int(change.milestone)},
    )


def audit_turn(now: Conversation, reply: Message) -> AuditEvent:
    """Build the audit entry for a finished turn and its cost. An unknown price is left out, never zero."""
    usage = reply.usage
    counts = {
        "input_tokens": usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
    }
    if usage.searches:
        counts["searches"] = usage.searches
    if reply.rounds:
        counts["rounds"] = reply.rounds
    if reply.cost:
        counts["micro_dollars"] = round(Decimal(reply.cost) * 1_000_000)
    correlation = now.turn.cause if now.turn else ""
    return AuditEvent(
        type=AuditType.RUN_FINISHED, reason=reply.failure or reply.status.value, correlation=correlation, counts=counts
    )


def audit_summary(now: Conversation, event: ThreadSummarized) -> AuditEvent:
    """Build the audit entry for a summary of what is no longer sent: whether the model wrote it, and its length."""
    return AuditEvent(
        type=AuditType.THREAD_SUMMARIZED,
        reason="written" if event.summary else "quoted",
        correlation=now.turn.cause if now.turn else "",
        counts={"messages": now.since, "characters": len(event.summary or now.summary)},
    )


def audit_broken_extraction(attempts: Iterable[int], correlation: str) -> tuple[AuditEvent, ...]:
    """Build the audit entries for an extraction that broke off after attempts with so many problems."""
    return (*_list_refused(attempts, correlation), _build_attempt("broken_off", correlation))


def audit_extraction(call: DraftExtracted | ExtractionExhausted, correlation: str) -> tuple[AuditEvent, ...]:
    """Build the audit entries for the attempts of an extraction that came to its end."""
    refused = _list_refused(call.problems, correlation)
    if isinstance(call, ExtractionExhausted):
        return tuple(refused)
    drafted = call.drafted
    problems = len(drafted.missing) + len(drafted.unsaid)
    return (
        *refused,
        _build_attempt("accepted", correlation, attempt=len(call.problems) + 1, items=drafted.items, problems=problems),
    )


def _list_refused(attempts: Iterable[int], correlation: str) -> Iterator[AuditEvent]:
    for attempt, problems in enumerate(attempts, 1):
        yield _build_attempt("refused", correlation, attempt=attempt, problems=problems)


def _build_attempt(outcome: str, correlation: str, **counts: int) -> AuditEvent:
    return AuditEvent(type=AuditType.EXTRACTION_ATTEMPT, reason=outcome, correlation=correlation, counts=counts)


def audit_undelivered(count: int, reason: str, correlation: str) -> AuditEvent:
    """Build the audit entry for undelivered replies and cards, after Slack has refused posts to the channel."""
    return AuditEvent(type=AuditType.UNDELIVERED, reason=reason, correlation=correlation, counts={"kept_back": count})


def audit_refusal(now: Conversation, event: Event, code: str, cause: str) -> AuditEvent:
    """Build the audit entry for a refused event."""
    kind = REFUSED.get(code, AuditType.ILLEGAL_TRANSITION)
    state = read_turn_state(now.turn).value
    return AuditEvent(type=kind, reason=code, actor=_name_actor(event), before=state, after=state, correlation=cause)


def audit_erasure(effect: Erase) -> AuditEvent:
    """Build the audit entry for an erasure. The effect's id begins with the receipt of the request."""
    return AuditEvent(
        type=AuditType.CONVERSATION_ERASED,
        reason=effect.kind,
        actor=effect.user,
        correlation=effect.id.rpartition(":")[0],
    )


def audit_refused_call(now: Conversation, code: str, correlation: str) -> AuditEvent:
    """Build the audit entry for a tool call that had become impossible when its turn ended."""
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
    """List each dimension that changed.

    Phases of goals and interviews are missing here: their tables audit each hop.
    """
    for kind, dimension in DIMENSIONS:
        was, is_ = dimension(before), dimension(after)
        if was != is_:
            yield kind, was, is_
    if (before.schedule, before.paused) != (after.schedule, after.paused):
        yield AuditType.SCHEDULE_CHANGED, _describe_schedule(before), _describe_schedule(after)
    was, is_ = (now.question.id if now.question else "" for now in (before, after))
    if was != is_ and was:
        yield AuditType.QUESTION_CLOSED, was, ""
    if was != is_ and is_:
        yield AuditType.QUESTION_ASKED, "", is_


def find_actor(event: Event) -> str:
    """Return the person in whose name the event comes; empty if there is none."""
    return str(getattr(event, "user", ""))


def _name_actor(event: Event) -> str:
    """Return the person who acted; empty if nobody did, or the app's operator."""
    return "" if isinstance(event, OwnershipTransferred) and event.by_operator else find_actor(event)


def _find_receipt(event: Event) -> str:
    return str(getattr(event, "receipt", ""))


def _describe_schedule(now: Conversation) -> str:
    kind = now.schedule.kind.value if now.schedule else ""
    return f"{kind}_paused" if now.paused else kind


DIMENSIONS: tuple[tuple[AuditType, Callable[[Conversation], str]], ...] = (
    (AuditType.STATE_TRANSITION, lambda now: now.run.value),
    (AuditType.STATE_TRANSITION, lambda now: now.lifecycle.value),
    (AuditType.STATUS_TRANSITION, lambda now: now.status.value),
    (AuditType.STAGE_TRANSITION, lambda now: now.stage.value),
    (AuditType.OWNER_TRANSITION, lambda now: now.owner),
)
