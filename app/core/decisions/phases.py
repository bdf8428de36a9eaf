"""Phases of an interview: each move adds an audit entry per hop and sets the stage.

A restart is read here too, because the guards check it before the active turn is ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.facts import Facts
from app.core.events.acts import RestartRequested
from app.core.state import interview
from app.core.state.interview import HOPS, Phase, PhaseEvent, Stage
from app.core.state.lifecycle import LifecycleEvent
from app.core.state.table import find_next_state

STAGES: Mapping[Phase, Stage] = MappingProxyType(
    {
        Phase.INTRO: Stage.DISCUSS,
        Phase.GATHER: Stage.DISCUSS,
        Phase.CLARIFY: Stage.DISCUSS,
        Phase.EXTRACT: Stage.SUMMARIZE,
        Phase.CONFIRM: Stage.NONE,
    }
)
"""The first stage of each phase. In direct mode an extraction discusses first."""

RESTARTS: Mapping[Phase, tuple[PhaseEvent, PhaseEvent]] = MappingProxyType(
    {
        Phase.INTRO: (PhaseEvent.RESTARTED_FROM_INTRO, PhaseEvent.RESTARTED_FROM_INTRO),
        Phase.GATHER: (PhaseEvent.RESTARTED_FROM_GATHER, PhaseEvent.RESTARTED_FROM_GATHER),
        Phase.CLARIFY: (PhaseEvent.RESTARTED_FROM_CLARIFY, PhaseEvent.RESTARTED_FROM_CLARIFY),
        Phase.EXTRACT: (
            PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT,
            PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT,
        ),
        Phase.CONFIRM: (PhaseEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT, PhaseEvent.RESTARTED_CONFIRM_WITH_DRAFT),
    }
)
"""Events by the phase to restart: without the content or draft that it needs, and with it."""


def read_restart(now: Conversation, event: RestartRequested, facts: Facts) -> tuple[LifecycleEvent, PhaseEvent]:
    """Return the lifecycle event and the phase event of a restart."""
    has_draft = facts.current_draft is not None
    has_content = now.interview is not None and now.interview.has_content
    if event.phase is Phase.CONFIRM:
        lived = (
            LifecycleEvent.RESTARTED_CONFIRM_WITH_DRAFT if has_draft else LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT
        )
        return lived, RESTARTS[event.phase][has_draft]
    return LifecycleEvent.RESTARTED, RESTARTS[event.phase][has_content]


def explain_read_only(code: str | None, facts: Facts) -> str | None:
    """Return the code for a finished step, or DECISION_CLOSED: its owner reopens the decision before the step."""
    return "DECISION_CLOSED" if facts.decision_closed else code


def restarts(now: Conversation, event: RestartRequested, facts: Facts) -> bool:
    """Return False if the interview is already in that phase, so that no turn ends for it. Raises `IllegalEvent`."""
    moving = read_restart(now, event, facts)[1]
    return find_next_state(interview.TABLE, now.phase or interview.INITIAL, moving) is not None


def move(now: Conversation, event: PhaseEvent, cause: str) -> Transition:
    """Move the phase by an event. Raises `IllegalEvent` if the table does not allow it."""
    before = now.phase or interview.INITIAL
    return place(now, interview.move(before, event), HOPS.get((event, before), ()), event, cause)


def place(now: Conversation, after: Phase, hops: tuple[Phase, ...], reason: str, cause: str) -> Transition:
    """Set the phase, by way of the given hops."""
    way = [now.phase.value if now.phase else "", *(hop.value for hop in (*hops, after))]
    audit = tuple(
        AuditEvent(type=AuditType.PHASE_TRANSITION, reason=str(reason), before=one, after=other, correlation=cause)
        for one, other in pairwise(way)
        if one != other
    )
    stage = now.stage if after is now.phase else STAGES[after]
    return Transition(conversation=replace(now, phase=after, stage=stage), audit=audit)
