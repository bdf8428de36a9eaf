"""Transition tables of a goal's phase, its end, and its information.

The effects of a transition (a goal created or ended, counters) and the recognition of events are elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from app.core.states import GoalPhase, GoalStatus, InfoStatus
from app.core.table import NOTHING, Nothing, Refused, Table


class GoalOn(StrEnum):
    """Events of the phase. If a transition depends on a condition, each outcome is an event of its own."""

    GOAL_STATED = "goal_stated"
    """During another goal only by the model, after the person confirmed the switch."""
    GOAL_RESUMED = "goal_resumed"
    """A message without a new goal, after the last one ended by silence."""
    PERSON_SPOKE = "person_spoke"
    INFO_COMPLETE = "info_complete"
    AGREED = "agreed"
    """Agreement with a statement; approval of a result is `SATISFIED`."""
    ASKED_ENOUGH = "asked_enough"
    PLANNED = "planned"
    PLANNED_EARLY = "planned_early"
    """While information is missing that may still be asked for."""
    APPROVED = "approved"
    WORK_STARTED = "work_started"
    ANSWER_STARTED = "answer_started"
    """The same for a goal that an answer fulfils: it needs no plan."""
    WORK_FINISHED = "work_finished"
    ANSWER_GIVEN = "answer_given"
    """The same for a goal that an answer fulfils."""
    SATISFIED = "satisfied"
    CHANGES_WANTED = "changes_wanted"
    RESULT_REOPENED = "result_reopened"
    """Changes are wanted, at rest, to a goal that had ended."""
    DROPPED = "dropped"
    LEFT = "left"
    """"Bye". During work the person is asked first, and a yes is `DROPPED`."""
    IDLED = "idled"
    IDLED_BUSY = "idled_busy"
    """Silence while a turn, a schedule or an open question explains it."""
    ASSISTANT_SPOKE = "assistant_spoke"


INITIAL: Final = GoalPhase.GREETING

Cell = GoalPhase | Refused | Nothing

GREET, UNDERSTAND, PLAN, EXECUTE, REVIEW, COMPLETE, IDLE = GoalPhase
ILLEGAL: Final = Refused("ILLEGAL")


def _row(*cells: Cell) -> Mapping[GoalPhase, Cell]:
    """Return one row of the table, in the order of the phases."""
    return MappingProxyType(dict(zip(GoalPhase, cells, strict=True)))


# fmt: off
TABLE: Final[Table[GoalOn, GoalPhase]] = MappingProxyType({
    # event                      greeting    understanding planning    executing   reviewing   completed   idle
    GoalOn.GOAL_STATED:     _row(UNDERSTAND, UNDERSTAND,   UNDERSTAND, UNDERSTAND, UNDERSTAND, UNDERSTAND, UNDERSTAND),
    GoalOn.GOAL_RESUMED:    _row(ILLEGAL,    ILLEGAL,      ILLEGAL,    ILLEGAL,    ILLEGAL,    ILLEGAL,    UNDERSTAND),
    GoalOn.PERSON_SPOKE:    _row(GREET,      UNDERSTAND,   PLAN,       EXECUTE,    REVIEW,     COMPLETE,   GREET),
    GoalOn.INFO_COMPLETE:   _row(ILLEGAL,    PLAN,         NOTHING,    NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalOn.AGREED:          _row(GREET,      PLAN,         EXECUTE,    NOTHING,    REVIEW,     COMPLETE,   GREET),
    GoalOn.ASKED_ENOUGH:    _row(ILLEGAL,    PLAN,         NOTHING,    NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalOn.PLANNED:         _row(GREET,      PLAN,         PLAN,       NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalOn.PLANNED_EARLY:   _row(GREET,      UNDERSTAND,   PLAN,       NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalOn.APPROVED:        _row(GREET,      PLAN,         EXECUTE,    NOTHING,    NOTHING,    NOTHING,    GREET),
    GoalOn.WORK_STARTED:    _row(ILLEGAL,    ILLEGAL,      EXECUTE,    EXECUTE,    ILLEGAL,    ILLEGAL,    ILLEGAL),
    GoalOn.ANSWER_STARTED:  _row(ILLEGAL,    NOTHING,      EXECUTE,    EXECUTE,    ILLEGAL,    ILLEGAL,    ILLEGAL),
    GoalOn.WORK_FINISHED:   _row(ILLEGAL,    ILLEGAL,      ILLEGAL,    REVIEW,     REVIEW,     ILLEGAL,    ILLEGAL),
    GoalOn.ANSWER_GIVEN:    _row(ILLEGAL,    REVIEW,       ILLEGAL,    REVIEW,     REVIEW,     ILLEGAL,    ILLEGAL),
    GoalOn.SATISFIED:       _row(GREET,      NOTHING,      NOTHING,    NOTHING,    COMPLETE,   COMPLETE,   IDLE),
    GoalOn.CHANGES_WANTED:  _row(GREET,      UNDERSTAND,   UNDERSTAND, EXECUTE,    UNDERSTAND, COMPLETE,   GREET),
    GoalOn.RESULT_REOPENED: _row(ILLEGAL,    ILLEGAL,      ILLEGAL,    ILLEGAL,    ILLEGAL,    UNDERSTAND, UNDERSTAND),
    GoalOn.DROPPED:         _row(IDLE,       IDLE,         IDLE,       IDLE,       IDLE,       IDLE,       IDLE),
    GoalOn.LEFT:            _row(IDLE,       IDLE,         IDLE,       NOTHING,    IDLE,       IDLE,       IDLE),
    GoalOn.IDLED:           _row(IDLE,       IDLE,         IDLE,       IDLE,       IDLE,       IDLE,       IDLE),
    GoalOn.IDLED_BUSY:      _row(NOTHING,    NOTHING,      NOTHING,    NOTHING,    NOTHING,    NOTHING,    NOTHING),
    GoalOn.ASSISTANT_SPOKE: _row(GREET,      UNDERSTAND,   PLAN,       EXECUTE,    REVIEW,     COMPLETE,   IDLE),
})
# fmt: on
"""`{event: {phase: phase after}}`."""

PASSED: Final[Mapping[tuple[GoalPhase, GoalPhase], GoalPhase]] = MappingProxyType({(COMPLETE, UNDERSTAND): GREET})
"""Phase that is passed through, and logged, between two others."""

MILESTONES: Final = frozenset({UNDERSTAND, EXECUTE, COMPLETE})
"""Entering one of these is a milestone; staying is not."""

WORKING: Final = frozenset({UNDERSTAND, PLAN, EXECUTE, REVIEW})
"""Phases with a goal; in the others there is none."""

REASONS: Final[Mapping[GoalOn, str]] = MappingProxyType(
    {
        GoalOn.GOAL_STATED: "User stated a goal",
        GoalOn.GOAL_RESUMED: "User came back to the goal",
        GoalOn.PERSON_SPOKE: "User came back without a goal",
        GoalOn.INFO_COMPLETE: "Gathered sufficient information",
        GoalOn.AGREED: "User agreed",
        GoalOn.ASKED_ENOUGH: "Asked long enough, planning with assumptions",
        GoalOn.PLANNED: "Plan proposed",
        GoalOn.PLANNED_EARLY: "Plan proposed before everything was known",
        GoalOn.APPROVED: "Plan approved, starting work",
        GoalOn.WORK_STARTED: "Work started",
        GoalOn.ANSWER_STARTED: "Work on an answer started",
        GoalOn.WORK_FINISHED: "Work completed",
        GoalOn.ANSWER_GIVEN: "Question answered",
        GoalOn.SATISFIED: "User satisfied with result",
        GoalOn.CHANGES_WANTED: "User requested changes",
        GoalOn.RESULT_REOPENED: "User requested changes to an earlier result",
        GoalOn.DROPPED: "User dropped the goal",
        GoalOn.LEFT: "User said goodbye",
        GoalOn.IDLED: "Nothing was said for long",
        GoalOn.IDLED_BUSY: "Nothing was said, work goes on",
        GoalOn.ASSISTANT_SPOKE: "Assistant replied",
    }
)
"""Reason for a change of phase, in the words of the audit log."""


class GoalStatusOn(StrEnum):
    """Ends of a goal."""

    COMPLETED = "completed"
    ABANDONED = "abandoned"


GOAL_STATUS: Final[Table[GoalStatusOn, GoalStatus]] = MappingProxyType(
    {
        GoalStatusOn.COMPLETED: {
            GoalStatus.ACTIVE: GoalStatus.COMPLETED,
            GoalStatus.COMPLETED: ILLEGAL,
            GoalStatus.ABANDONED: ILLEGAL,
        },
        GoalStatusOn.ABANDONED: {
            GoalStatus.ACTIVE: GoalStatus.ABANDONED,
            GoalStatus.COMPLETED: ILLEGAL,
            GoalStatus.ABANDONED: ILLEGAL,
        },
    }
)
"""A goal ends once. Resuming it creates a new one."""

ENDS: Final[Mapping[GoalOn, GoalStatusOn]] = MappingProxyType(
    {
        GoalOn.GOAL_STATED: GoalStatusOn.ABANDONED,
        GoalOn.SATISFIED: GoalStatusOn.COMPLETED,
        GoalOn.DROPPED: GoalStatusOn.ABANDONED,
        GoalOn.LEFT: GoalStatusOn.ABANDONED,
        GoalOn.IDLED: GoalStatusOn.ABANDONED,
    }
)
"""End of the current goal by each event that ends it."""


class InfoOn(StrEnum):
    """Events of a piece of required information."""

    ASKED = "asked"
    PROVIDED = "provided"


INFO_STATUS: Final[Table[InfoOn, InfoStatus]] = MappingProxyType(
    {
        InfoOn.ASKED: {
            InfoStatus.UNKNOWN: InfoStatus.ASKED,
            InfoStatus.ASKED: InfoStatus.ASKED,
            InfoStatus.PROVIDED: NOTHING,
        },
        InfoOn.PROVIDED: {
            InfoStatus.UNKNOWN: InfoStatus.PROVIDED,
            InfoStatus.ASKED: InfoStatus.PROVIDED,
            InfoStatus.PROVIDED: InfoStatus.PROVIDED,
        },
    }
)
"""Provided information stays provided, with a new value if corrected."""
