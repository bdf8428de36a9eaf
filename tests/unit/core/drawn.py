"""What arbitrary histories draw from: who does what, what is said, how an answer ends and what it calls for."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from app.core.conversation.call import Call, CancelSchedule, CompleteRun, ContinueRun, ResolveQuestion, YieldRun
from app.core.conversation.conversation import MessageStatus
from app.core.errors import FailureKind
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    EraseConfirmed,
    EraseRequested,
    ReopenRequested,
    ScheduleCancelled,
    StopRequested,
)
from app.core.state.goal import GoalNamed, GoalType, PlanProposed, Satisfied, WorkFinished, WorkStarted
from tests.unit.core.live import AT_ONCE, CHOICE, CONFIRMATION, DAILY, INPUT, ONCE
from tests.unit.core.threads import OTHER, OWNER

PEOPLE = st.sampled_from([OWNER, OWNER, OWNER, OTHER])
MANNERS = st.sampled_from([(True, True), (False, True), (False, False)])
"""`(opens, addressed)`: mentions us, speaks to nobody in particular, speaks to somebody else."""

DISTURBING: tuple[type[Any] | str, ...] = (
    *(StopRequested, StopRequested, ScheduleCancelled, ArchiveRequested, ArchiveRequested, ArchiveConfirmed),
    *(ReopenRequested, EraseRequested, EraseRequested, EraseRequested, EraseConfirmed, "park", "die", "status", "help"),
)
BADLY = [status for status in MessageStatus if status not in ("streaming", "complete", "deleted", "open", "held")]
ENDINGS = st.sampled_from([MessageStatus.COMPLETE] * len(BADLY) + BADLY)
FAILURES = st.sampled_from([FailureKind.CUT, FailureKind.INVALID, FailureKind.MISCONFIGURED])
SAYINGS = st.sampled_from(
    ["yes", "no", "2", "yes, but later", "I want to build a todo app", "sounds good", "go ahead", "Perfect!", "bye"]
)
QUIET_CALLS: tuple[Call, ...] = (
    DAILY,
    ONCE,
    AT_ONCE,
    CancelSchedule(),
    ContinueRun(update={"seen": 1}),
    CompleteRun(update={"seen": None}),
    YieldRun(),
    ResolveQuestion(value="yes"),
    ResolveQuestion(value="1"),
    GoalNamed(type=GoalType.EXPLORATION, description="look around"),
    PlanProposed(),
    WorkStarted(),
    WorkFinished(summary="s"),
    Satisfied(),
)
QUESTIONS: tuple[tuple[Call, ...], ...] = ((), (), (CHOICE,), (CONFIRMATION,), (INPUT,))
CALLS = st.tuples(st.lists(st.sampled_from(QUIET_CALLS), max_size=2), st.sampled_from(QUESTIONS)).map(
    lambda made: (*made[0], *made[1])
)
"""A question comes last: a turn ends with it."""
