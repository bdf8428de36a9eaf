"""What the audit trail keeps: that something happened, to what, by whom and why. Never what anybody wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class AuditType(StrEnum):
    """The kinds of events (requirements part 6)."""

    STATE_TRANSITION = "state_transition"
    STATUS_TRANSITION = "status_transition"
    PHASE_TRANSITION = "phase_transition"
    STAGE_TRANSITION = "stage_transition"
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
    """Something was done outside because a rule of the owner allows it."""
    UNDELIVERED = "undelivered"
    """What was to be said in a thread, Slack takes there no more."""
    RUN_FINISHED = "run_finished"
    ILLEGAL_TRANSITION = "illegal_transition"
    CONVERSATION_ERASED = "conversation_erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One line of the trail. Every field is an id, one of our own constants, or a number."""

    type: AuditType
    reason: str
    """The kind of the event that caused it, or the code with which it was refused."""
    actor: str = ""
    """Slack's id of the person who acted; empty if it was the program."""
    before: str = ""
    after: str = ""
    correlation: str = ""
    """The receipt of what people did that led to this; the logs carry the same."""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
