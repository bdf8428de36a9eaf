"""The goal of a free thread, what must be known for it, and the tables of its phases, ends and information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final, Literal

from app.core.state.table import NOTHING, Refused, Table, build_row
from app.core.state.tool_use import ToolOutput


class GoalPhase(StrEnum):
    """Phase of a free thread's goal."""

    GREETING = "greeting"
    UNDERSTANDING = "understanding"
    PLANNING = "planning"
    EXECUTING = "executing"
    REVIEWING = "reviewing"
    COMPLETED = "completed"
    IDLE = "idle"


class GoalStatus(StrEnum):
    """Status of a goal: active, or its end."""

    ACTIVE = "active"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class InfoStatus(StrEnum):
    """Status of a piece of required information."""

    UNKNOWN = "unknown"
    ASKED = "asked"
    PROVIDED = "provided"


MOST_MADE: Final = 50


class GoalType(StrEnum):
    """What somebody wants. A reminder, a greeting or a remark is none of these."""

    ARTIFACT_CREATION = "artifact_creation"
    QUESTION_ANSWER = "question_answer"
    TASK_EXECUTION = "task_execution"
    EXPLORATION = "exploration"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredInfo:
    """Information that is required before a plan. `value` is empty until it is provided."""

    name: str
    label: str
    status: InfoStatus = InfoStatus.UNKNOWN
    value: str = ""


REQUIRED: Final[Mapping[GoalType, tuple[RequiredInfo, ...]]] = MappingProxyType(
    {
        GoalType.ARTIFACT_CREATION: (
            RequiredInfo(name="component_type", label="Type of component"),
            RequiredInfo(name="requirements", label="Requirements"),
        ),
        GoalType.QUESTION_ANSWER: (),
        GoalType.TASK_EXECUTION: (
            RequiredInfo(name="target", label="What to change"),
            RequiredInfo(name="desired_change", label="Desired change"),
        ),
        GoalType.EXPLORATION: (),
    }
)
"""Information that a goal requires whose type people's own words state, unless the model names other information."""

ANSWERED: Final = frozenset({GoalType.QUESTION_ANSWER, GoalType.EXPLORATION})
"""Goals that an answer fulfils: they need no plan and go from understanding to review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One goal of a person. Times are as the caller gave them; `completed_at` is empty until the goal has ended.

    Both times are kept for the record alone.
    """

    id: str
    """Unique in its thread: `G1` is the first."""
    type: GoalType
    description: str
    info: tuple[RequiredInfo, ...] = ()
    status: GoalStatus = GoalStatus.ACTIVE
    created_at: str = ""
    completed_at: str = ""
    artefacts: tuple[str, ...] = ()
    """Results of the work, by name."""
    made: tuple[ToolOutput, ...] = ()
    """Results of tools outside of the thread, the newest `MOST_MADE`."""
    delivered: bool = False
    """True if silence completed it: its result was shown, and nothing was said about it."""

    @property
    def missing(self) -> tuple[RequiredInfo, ...]:
        """Return the information that is not provided yet."""
        return tuple(info for info in self.info if info.status is not InfoStatus.PROVIDED)

    @property
    def is_answered(self) -> bool:
        """Return True if an answer fulfils the goal, without plan and work."""
        return self.type in ANSWERED


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalState:
    """All that a free thread stores about its goals. The current goal is set exactly while it is being pursued."""

    phase: GoalPhase = GoalPhase.GREETING
    turns: int = 0
    """Messages of either side; the number only grows."""
    exchanges: int = 0
    """Replies since understanding was entered that asked something."""
    goal: Goal | None = None
    completed: tuple[Goal, ...] = ()
    """Goals that have ended, completed or abandoned, in that order of time."""
    guessed: bool = False
    """True while only a rule has recognized the goal: the model's next reply may correct it."""
    assuming: bool = False
    """True while the plan rests on assumptions, because questions took too long. The reply must state them."""
    lapsed: bool = False
    """True if the newest goal ended by silence before its result. Any message without a new goal then resumes it,
    but for a greeting or thanks.
    """
    resumed: bool = False
    """True if the message to answer has resumed a goal that had ended by silence; the reply briefly says so."""
    leaving: bool = False
    """True after "bye" in the middle of work: the reply asks if the goal is dropped, and a yes drops it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalNamed:
    """The model names the person's goal. Outside of rest it means that they confirmed a switch."""

    type: GoalType
    description: str
    info: tuple[tuple[str, str], ...] | None = None
    """Name and label of each required piece of information; None leaves it to the person's words."""
    call: Literal["goal_named"] = "goal_named"


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoRecorded:
    """The model has learned a piece of required information."""

    name: str
    value: str
    call: Literal["info_recorded"] = "info_recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoAsked:
    """The model has asked for a piece of required information."""

    name: str
    call: Literal["info_asked"] = "info_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposed:
    """The model has proposed a plan."""

    call: Literal["plan_proposed"] = "plan_proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkStarted:
    """The model has begun the work."""

    call: Literal["work_started"] = "work_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkFinished:
    """The model shows a result."""

    summary: str = ""
    artefacts: tuple[str, ...] = ()
    call: Literal["work_finished"] = "work_finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalDropped:
    """The model understood that the person has dropped the goal."""

    call: Literal["goal_dropped"] = "goal_dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Satisfied:
    """The model understood that the person is satisfied."""

    call: Literal["satisfied"] = "satisfied"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesWanted:
    """The model understood that the person wants the plan or the last result changed."""

    call: Literal["changes_wanted"] = "changes_wanted"


InfoCall = InfoRecorded | InfoAsked
PhaseCall = GoalNamed | PlanProposed | WorkStarted | WorkFinished | GoalDropped | Satisfied | ChangesWanted
Call = InfoCall | PhaseCall
"""A statement of the model about the goal, made by a tool call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseChange:
    """One change of phase, for the audit log. `reason` is one of the app's own sentences, never content."""

    before: GoalPhase
    after: GoalPhase
    reason: str
    milestone: bool
    """True if it entered understanding, executing or completed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChange:
    """A state after an event, with the changes of phase in order, and the refused calls."""

    state: GoalState
    changes: tuple[PhaseChange, ...] = ()
    refused: tuple[str, ...] = ()
    """The event of each call that was impossible (`GoalEvent`), for the audit log."""


TAKEN_BACK: Final = "(deleted)"
"""Replaces words from a message that its author has deleted."""

MARKS: Final[Mapping[GoalStatus | InfoStatus, str]] = MappingProxyType(
    {
        GoalStatus.ACTIVE: "?",
        GoalStatus.COMPLETED: "✓",
        GoalStatus.ABANDONED: "✗",
        InfoStatus.UNKNOWN: "?",
        InfoStatus.ASKED: "?",
        InfoStatus.PROVIDED: "✓",
    }
)
"""Missing information gets its mark (✗) only after its goal was abandoned, in `list_ended`."""


def summarize_goals(state: GoalState) -> str:
    """Return a summary of the goals for the prompt and for people, made of the state alone."""
    head = [f"Conversation Phase: {state.phase}", f"Turn Count: {state.turns}", ""]
    tail = [f"Completed Goals: {len(state.completed)}"]
    return "\n".join([*head, *(_describe_goal(state.goal) if state.goal else ()), *tail])


def _describe_goal(goal: Goal) -> list[str]:
    lines = ["Current Goal:", f"  Type: {goal.type}", f"  Description: {' '.join(goal.description.split())}"]
    if goal.info:
        lines += [
            "  Required Information:",
            *(f"    {describe_information(info)}" for info in goal.info),
        ]
    if things := list_goal_outputs(goal):
        lines += ["  Artefacts:", *(f"    {' '.join(each.name.split())}" for each in things)]
    return [*lines, ""]


def describe_information(info: RequiredInfo) -> str:
    """Return one line: whether it was told, its name and label, and what was told."""
    value = f" = {' '.join(info.value.split())}" if info.value else ""
    return f"{MARKS[info.status]} {info.name}: {' '.join(info.label.split())}{value}"


def list_goal_outputs(goal: Goal) -> tuple[ToolOutput, ...]:
    """Return the results of the work: those of tools, and others that the model has named."""
    known = [each.name.casefold() for each in goal.made]
    named = (
        name for name in dict.fromkeys(goal.artefacts) if not any(each.startswith(name.casefold()) for each in known)
    )
    return (*goal.made, *(ToolOutput(name=name) for name in named))


def forget_message(state: GoalState, words: str) -> GoalState:
    """Return the state without the words taken from a message with this text, which its author has deleted."""
    current = _forget_in_goal(state.goal, words) if state.goal else None
    return replace(state, goal=current, completed=tuple(_forget_in_goal(each, words) for each in state.completed))


def _forget_in_goal(goal: Goal, words: str) -> Goal:
    info = tuple(replace(each, value=_remove_words(each.value, words)) for each in goal.info)
    return replace(goal, info=info, description=_remove_words(goal.description, words))


def _remove_words(taken_over: str, words: str) -> str:
    return TAKEN_BACK if taken_over and taken_over.casefold() in words.casefold() else taken_over


def list_ended(state: GoalState) -> tuple[str, ...]:
    """Return one line for each goal that has ended, in order: ✓ completed, perhaps as delivered, ✗ abandoned."""
    return tuple(f"{MARKS[goal.status]} {goal.description}{_explain_end(goal)}" for goal in state.completed)


def _explain_end(goal: Goal) -> str:
    if goal.status is GoalStatus.ABANDONED:
        return " (no longer pursued)"
    return " (delivered)" if goal.delivered else ""


class GoalEvent(StrEnum):
    """Events of the phase. If a transition depends on a condition, each outcome is an event of its own."""

    GOAL_STATED = "goal_stated"
    """During another goal only by the model, after the person confirmed the switch."""
    GOAL_RESUMED = "goal_resumed"
    """A message without a new goal, after the last one ended by silence, at once or after a greeting."""
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
    DELIVERED = "delivered"
    """Silence after a result: nothing more was wanted."""
    IDLED_BUSY = "idled_busy"
    """Silence while a turn, a schedule or an open question explains it."""
    ASSISTANT_SPOKE = "assistant_spoke"


INITIAL: Final = GoalPhase.GREETING


GREET, UNDERSTAND, PLAN, EXECUTE, REVIEW, COMPLETE, IDLE = GoalPhase
ILLEGAL: Final = Refused("ILLEGAL")


_row = partial(build_row, GoalPhase)

# fmt: off
TABLE: Final[Table[GoalEvent, GoalPhase]] = MappingProxyType({
    # event                      greeting    understanding planning    executing   reviewing   completed   idle
    GoalEvent.GOAL_STATED:     _row(UNDERSTAND, UNDERSTAND,   UNDERSTAND, UNDERSTAND, UNDERSTAND, UNDERSTAND, UNDERSTAND),
    GoalEvent.GOAL_RESUMED:    _row(UNDERSTAND, ILLEGAL,      ILLEGAL,    ILLEGAL,    ILLEGAL,    ILLEGAL,    UNDERSTAND),
    GoalEvent.PERSON_SPOKE:    _row(GREET,      UNDERSTAND,   PLAN,       EXECUTE,    REVIEW,     COMPLETE,   GREET),
    GoalEvent.INFO_COMPLETE:   _row(ILLEGAL,    PLAN,         NOTHING,    NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalEvent.AGREED:          _row(GREET,      PLAN,         EXECUTE,    NOTHING,    REVIEW,     COMPLETE,   GREET),
    GoalEvent.ASKED_ENOUGH:    _row(ILLEGAL,    PLAN,         NOTHING,    NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalEvent.PLANNED:         _row(GREET,      PLAN,         PLAN,       NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalEvent.PLANNED_EARLY:   _row(GREET,      UNDERSTAND,   PLAN,       NOTHING,    NOTHING,    ILLEGAL,    ILLEGAL),
    GoalEvent.APPROVED:        _row(GREET,      PLAN,         EXECUTE,    NOTHING,    NOTHING,    NOTHING,    GREET),
    GoalEvent.WORK_STARTED:    _row(ILLEGAL,    ILLEGAL,      EXECUTE,    EXECUTE,    ILLEGAL,    ILLEGAL,    ILLEGAL),
    GoalEvent.ANSWER_STARTED:  _row(ILLEGAL,    NOTHING,      EXECUTE,    EXECUTE,    ILLEGAL,    ILLEGAL,    ILLEGAL),
    GoalEvent.WORK_FINISHED:   _row(ILLEGAL,    ILLEGAL,      ILLEGAL,    REVIEW,     REVIEW,     ILLEGAL,    ILLEGAL),
    GoalEvent.ANSWER_GIVEN:    _row(ILLEGAL,    REVIEW,       ILLEGAL,    REVIEW,     REVIEW,     ILLEGAL,    ILLEGAL),
    GoalEvent.SATISFIED:       _row(GREET,      NOTHING,      NOTHING,    NOTHING,    COMPLETE,   COMPLETE,   IDLE),
    GoalEvent.CHANGES_WANTED:  _row(GREET,      UNDERSTAND,   UNDERSTAND, EXECUTE,    UNDERSTAND, COMPLETE,   GREET),
    GoalEvent.RESULT_REOPENED: _row(UNDERSTAND, ILLEGAL,      ILLEGAL,    ILLEGAL,    ILLEGAL,    UNDERSTAND, UNDERSTAND),
    GoalEvent.DROPPED:         _row(IDLE,       IDLE,         IDLE,       IDLE,       IDLE,       IDLE,       IDLE),
    GoalEvent.LEFT:            _row(IDLE,       IDLE,         IDLE,       NOTHING,    IDLE,       IDLE,       IDLE),
    GoalEvent.IDLED:           _row(IDLE,       IDLE,         IDLE,       IDLE,       IDLE,       IDLE,       IDLE),
    GoalEvent.DELIVERED:       _row(ILLEGAL,    ILLEGAL,      ILLEGAL,    ILLEGAL,    IDLE,       ILLEGAL,    ILLEGAL),
    GoalEvent.IDLED_BUSY:      _row(NOTHING,    NOTHING,      NOTHING,    NOTHING,    NOTHING,    NOTHING,    NOTHING),
    GoalEvent.ASSISTANT_SPOKE: _row(GREET,      UNDERSTAND,   PLAN,       EXECUTE,    REVIEW,     COMPLETE,   IDLE),
})
# fmt: on
"""`{event: {phase: phase after}}`."""

PASSED: Final[Mapping[tuple[GoalPhase, GoalPhase], GoalPhase]] = MappingProxyType({(COMPLETE, UNDERSTAND): GREET})
"""Phase that is passed through, and logged, between two others."""

MILESTONES: Final = frozenset({UNDERSTAND, EXECUTE, COMPLETE})
"""Entering one of these is a milestone; staying is not."""

WORKING: Final = frozenset({UNDERSTAND, PLAN, EXECUTE, REVIEW})
"""Phases with a goal; in the others there is none."""

REASONS: Final[Mapping[GoalEvent, str]] = MappingProxyType(
    {
        GoalEvent.GOAL_STATED: "User stated a goal",
        GoalEvent.GOAL_RESUMED: "User came back to the goal",
        GoalEvent.PERSON_SPOKE: "User came back without a goal",
        GoalEvent.INFO_COMPLETE: "Gathered sufficient information",
        GoalEvent.AGREED: "User agreed",
        GoalEvent.ASKED_ENOUGH: "Asked long enough, planning with assumptions",
        GoalEvent.PLANNED: "Plan proposed",
        GoalEvent.PLANNED_EARLY: "Plan proposed before everything was known",
        GoalEvent.APPROVED: "Plan approved, starting work",
        GoalEvent.WORK_STARTED: "Work started",
        GoalEvent.ANSWER_STARTED: "Work on an answer started",
        GoalEvent.WORK_FINISHED: "Work completed",
        GoalEvent.ANSWER_GIVEN: "Question answered",
        GoalEvent.SATISFIED: "User satisfied with result",
        GoalEvent.CHANGES_WANTED: "User requested changes",
        GoalEvent.RESULT_REOPENED: "User requested changes to an earlier result",
        GoalEvent.DROPPED: "User dropped the goal",
        GoalEvent.LEFT: "User said goodbye",
        GoalEvent.IDLED: "Nothing was said for long",
        GoalEvent.DELIVERED: "Result delivered, nothing was said for long",
        GoalEvent.IDLED_BUSY: "Nothing was said, work goes on",
        GoalEvent.ASSISTANT_SPOKE: "Assistant replied",
    }
)
"""Reason for a change of phase, in the words of the audit log."""


class GoalStatusEvent(StrEnum):
    """Ends of a goal."""

    COMPLETED = "completed"
    ABANDONED = "abandoned"


GOAL_STATUS: Final[Table[GoalStatusEvent, GoalStatus]] = MappingProxyType(
    {
        GoalStatusEvent.COMPLETED: {
            GoalStatus.ACTIVE: GoalStatus.COMPLETED,
            GoalStatus.COMPLETED: ILLEGAL,
            GoalStatus.ABANDONED: ILLEGAL,
        },
        GoalStatusEvent.ABANDONED: {
            GoalStatus.ACTIVE: GoalStatus.ABANDONED,
            GoalStatus.COMPLETED: ILLEGAL,
            GoalStatus.ABANDONED: ILLEGAL,
        },
    }
)
"""A goal ends once. Resuming it creates a new one."""

ENDS: Final[Mapping[GoalEvent, GoalStatusEvent]] = MappingProxyType(
    {
        GoalEvent.GOAL_STATED: GoalStatusEvent.ABANDONED,
        GoalEvent.SATISFIED: GoalStatusEvent.COMPLETED,
        GoalEvent.DROPPED: GoalStatusEvent.ABANDONED,
        GoalEvent.LEFT: GoalStatusEvent.ABANDONED,
        GoalEvent.IDLED: GoalStatusEvent.ABANDONED,
        GoalEvent.DELIVERED: GoalStatusEvent.COMPLETED,
    }
)
"""End of the current goal by each event that ends it."""


class InfoEvent(StrEnum):
    """Events of a piece of required information."""

    ASKED = "asked"
    PROVIDED = "provided"


INFO_STATUS: Final[Table[InfoEvent, InfoStatus]] = MappingProxyType(
    {
        InfoEvent.ASKED: {
            InfoStatus.UNKNOWN: InfoStatus.ASKED,
            InfoStatus.ASKED: InfoStatus.ASKED,
            InfoStatus.PROVIDED: NOTHING,
        },
        InfoEvent.PROVIDED: {
            InfoStatus.UNKNOWN: InfoStatus.PROVIDED,
            InfoStatus.ASKED: InfoStatus.PROVIDED,
            InfoStatus.PROVIDED: InfoStatus.PROVIDED,
        },
    }
)
"""Provided information stays provided, with a new value if corrected."""
