"""Prometheus metrics, fed by the audit events of saved transitions and by the holders of conversations.

A label's value is always one of our own constants. Ids and people's words become `other`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields
from typing import get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, MessageStatus, Transition
from app.core.errors import FailureKind
from app.core.events.heard import Event
from app.core.machine.refusals import TELLING
from app.core.state import decision, goal, interview, lifecycle, status
from app.core.state.permission import PermissionChoice, PermissionVerdict
from app.core.state.schedule import ScheduleKind
from app.core.turns.rate_limits import MILLIONTHS
from app.ports import Clock, Queue
from app.runtime.watch.backlog import Books

OTHER = "other"

STATES = frozenset(
    value.value
    for enum in (
        status.Status, lifecycle.Lifecycle, interview.Phase, interview.Stage, goal.GoalPhase, status.TurnState,
        decision.ComponentStatus, ScheduleKind, PermissionChoice, PermissionVerdict,
    )
    for value in enum
)  # fmt: skip
"""Allowed values of the label `to`."""

REASONS = frozenset(
    {
        "settled",
        *TELLING,
        *(status.value for status in MessageStatus),
        *(kind.value for kind in FailureKind),
        *(str(field.default) for event in get_args(Event) for field in fields(event) if field.name == "kind"),
    }
)
"""Allowed values of the label `reason`: kinds of events, codes of refusals, endings of replies, names of tools."""

SECONDS = (1, 2, 5, 10, 20, 40, 60, 120, 240)
ROUNDS = (1, 2, 3, 5, 8, 13, 25)
"""Upper bounds of the buckets. They cover the default limits of a reply: 120 seconds and 25 rounds."""

TOKENS = {"input_tokens": "input", "output_tokens": "output"}

disable_created_metrics()  # otherwise each counter is exported twice, the second time as its creation time


class Metrics:
    """Implementation of `app.ports.Watch`. The numbers are those of this process since its start."""

    def __init__(self, clock: Clock, tools: Iterable[str]) -> None:
        """Create the metrics. `tools` are the names of the tools that permissions refer to."""
        self._clock, self._reasons = clock, REASONS.union(tools)
        self._began: dict[str, tuple[str, float]] = {}
        """The active turn of each held conversation, and when it began."""
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._events = Counter(
            "threadwise_events",
            "Audit events of saved steps: what happened, what it led to, and why.",
            ("type", "to", "reason"),
            registry=registry,
        )
        self._begun = Counter("threadwise_conversations", "Conversations begun.", registry=registry)
        self._tokens = Counter("threadwise_tokens", "Tokens of the model.", ("direction",), registry=registry)
        self._cost = Counter("threadwise_micro_dollars", "What answers cost, as far as it is known.", registry=registry)
        self._turns = Histogram(
            "threadwise_turn_seconds", "From the beginning of an answer to its end.", registry=registry, buckets=SECONDS
        )
        self._rounds = Histogram(
            "threadwise_rounds", "Requests to the model in one answer.", registry=registry, buckets=ROUNDS
        )
        self._held = Gauge("threadwise_sessions", "Conversations that are worked on here just now.", registry=registry)
        self._lost = Counter("threadwise_leases_lost", "Conversations lost while worked on.", registry=registry)
        self._denials = Counter(
            "threadwise_denials",
            "Uses of tools that a rule of a person or the workspace denied.",
            ("tool",),
            registry=registry,
        )
        self._rows = Gauge("threadwise_inbox_rows", "Events not finished with.", ("state",), registry=registry)
        self._rules = Gauge("threadwise_rules", "What people have allowed or forbidden for good.", registry=registry)
        self._spent_tokens = Gauge(
            "threadwise_spent_tokens_today", "Tokens that the workspace has used today (UTC).", registry=registry
        )
        self._spent_dollars = Gauge(
            "threadwise_spent_dollars_today", "What that cost, as far as prices are known.", registry=registry
        )
        self._oldest = Gauge("threadwise_inbox_oldest_seconds", "Age of the oldest open one.", registry=registry)

    def note_taken(self, conversation: Conversation) -> None:
        """See `Watch.note_taken`."""
        self._held.inc()

    def note_saved(self, made: Transition) -> None:
        """See `Watch.note_saved`."""
        for event in made.audit:
            self._count(event)
        self._time(made.conversation, made.audit)

    def note_denied(self, tool: str) -> None:
        """See `Watch.note_denied`."""
        self._denials.labels(_mask_unknown(tool, self._reasons)).inc()

    def lost(self) -> None:
        """See `Watch.lost`."""
        self._lost.inc()

    def let_go(self, conversation: Conversation) -> None:
        """See `Watch.let_go`."""
        self._held.dec()
        self._began.pop(conversation.id, None)

    def page(self, queue: Queue | None, books: Books | None = None) -> bytes:
        """Return all metrics in Prometheus' text format. Inbox and cost are NaN if they are not known."""
        self._rules.set(books.rules if books else math.nan)
        self._spent_tokens.set(books.spent.tokens if books else math.nan)
        self._spent_dollars.set(books.spent.millionths / MILLIONTHS if books else math.nan)
        self._rows.labels("open").set(queue.open if queue else math.nan)
        self._rows.labels("parked").set(queue.parked if queue else math.nan)
        self._oldest.set(self._age(queue))
        return generate_latest(self.registry)

    def _age(self, queue: Queue | None) -> float:
        if queue is None:
            return math.nan
        return max(self._clock.now().timestamp() - float(queue.oldest), 0) if queue.oldest else 0

    def _count(self, event: AuditEvent) -> None:
        self._events.labels(
            event.type.value, _mask_unknown(event.after, STATES), _mask_unknown(event.reason, self._reasons)
        ).inc()
        if event.type is AuditType.STATE_TRANSITION and event.before == lifecycle.Lifecycle.INITIALIZING:
            self._begun.inc()
        if event.type is not AuditType.RUN_FINISHED:
            return
        for name, direction in TOKENS.items():
            self._tokens.labels(direction).inc(event.counts.get(name, 0))
        self._cost.inc(event.counts.get("micro_dollars", 0))
        if "rounds" in event.counts:
            self._rounds.observe(event.counts["rounds"])

    def _time(self, now: Conversation, audit: Iterable[AuditEvent]) -> None:
        """Note when a turn begins, and observe how long it took. A turn that began in another process is not timed."""
        turn, began = self._began.get(now.id, ("", 0.0))
        if turn and any(event.type is AuditType.RUN_FINISHED for event in audit):
            self._turns.observe(self._clock.monotonic() - began)
        if now.turn is None:
            self._began.pop(now.id, None)
        elif now.turn.id != turn:
            self._began[now.id] = now.turn.id, self._clock.monotonic()


def _mask_unknown(value: str, among: frozenset[str]) -> str:
    return value if not value or value in among else OTHER
