"""The audit log: events by type, subject, actor and reason. It never holds what anyone wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class AuditType(StrEnum):
    """Type of an event of the audit log."""

    STATE_TRANSITION = "state_transition"
    STATUS_TRANSITION = "status_transition"
    PHASE_TRANSITION = "phase_transition"
    STAGE_TRANSITION = "stage_transition"
    OWNER_TRANSITION = "owner_transition"
    GOAL_TRANSITION = "goal_transition"
    QUESTION_ASKED = "question_asked"
    QUESTION_CLOSED = "question_closed"
    SCHEDULE_CHANGED = "schedule_changed"
    STREAM_CANCELLED = "stream_cancelled"
    AUTHORIZATION_FAILED = "authorization_failed"
    RATE_LIMITED = "rate_limited"
    COMPONENT_TRANSITION = "component_transition"
    EXTRACTION_ATTEMPT = "extraction_attempt"
    PERMISSION_DECISION = "permission_decision"
    RULE_USED = "rule_used"
    """An external tool ran because a rule of the owner allows it."""
    UNDELIVERED = "undelivered"
    """Slack no longer accepts a message in this thread."""
    THREAD_SUMMARIZED = "thread_summarized"
    """Older messages of a thread are no longer sent to the model; a summary stands for them."""
    RUN_FINISHED = "run_finished"
    ILLEGAL_TRANSITION = "illegal_transition"
    CONVERSATION_ERASED = "conversation_erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One entry of the audit log. Every field is an id, a constant of the app, or a number."""

    type: AuditType
    reason: str
    """The kind of the event that caused the entry, or the code of a refusal."""
    actor: str = ""
    """Slack's id of the person who acted; empty if the app did."""
    before: str = ""
    after: str = ""
    correlation: str = ""
    """The receipt of the person's event that led to this; the logs carry it, too."""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
