"""What a free thread is after: its goal, what must be known for it, and the goals that came before (S1).

Pure values. How they change stands in `goal_phase` (the tables), `goal_words` and `goal_info` (what words mean) and
`goal_moves` (what follows).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal

from app.core.states import GoalPhase, GoalStatus, InfoStatus
from app.core.uses import Made

MOST_MADE: Final = 50


class GoalType(StrEnum):
    """What kind of thing somebody wants (S1-018…S1-023)."""

    ARTIFACT_CREATION = "artifact_creation"
    QUESTION_ANSWER = "question_answer"
    TASK_EXECUTION = "task_execution"
    EXPLORATION = "exploration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """Something that must be known before there can be a plan. `value` is empty until it is provided."""

    name: str
    label: str
    status: InfoStatus = InfoStatus.UNKNOWN
    value: str = ""


REQUIRED: Final[Mapping[GoalType, tuple[Info, ...]]] = MappingProxyType(
    {
        GoalType.ARTIFACT_CREATION: (
            Info(name="component_type", label="Type of component"),
            Info(name="requirements", label="Requirements"),
        ),
        GoalType.QUESTION_ANSWER: (),
        GoalType.TASK_EXECUTION: (
            Info(name="target", label="What to change"),
            Info(name="desired_change", label="Desired change"),
        ),
        GoalType.EXPLORATION: (),
    }
)
"""What a goal of each type needs, unless the model names something else (S1-019, S1-022)."""

ANSWERED: Final = frozenset({GoalType.QUESTION_ANSWER, GoalType.EXPLORATION})
"""Goals that an answer meets: they need no plan and go from understanding to review (C-23)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One thing that somebody wants. Times are as the caller gave them; `completed_at` is empty until it has ended."""

    id: str
    """Unique in its thread: `G1` is the first."""
    type: GoalType
    description: str
    info: tuple[Info, ...] = ()
    status: GoalStatus = GoalStatus.ACTIVE
    created_at: str = ""
    completed_at: str = ""
    artefacts: tuple[str, ...] = ()
    """What the work has brought forth, by name."""
    made: tuple[Made, ...] = ()
    """What tools have made of it outside, the newest `MOST_MADE`."""

    @property
    def missing(self) -> tuple[Info, ...]:
        """What is not provided yet."""
        return tuple(info for info in self.info if info.status is not InfoStatus.PROVIDED)

    @property
    def is_answered(self) -> bool:
        """True if an answer meets it, without plan and work (C-23)."""
        return self.type in ANSWERED


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalState:
    """All that a free thread remembers of its goals. The current one is there exactly while it is worked on (I10)."""

    phase: GoalPhase = GoalPhase.GREETING
    turns: int = 0
    """Messages of either side; it only grows (S1-028)."""
    exchanges: int = 0
    """Replies since understanding was entered (C-24)."""
    goal: Goal | None = None
    completed: tuple[Goal, ...] = ()
    """Goals that have ended, completed or abandoned, in that order (S1-034, S1-036)."""
    guessed: bool = False
    """True while the goal is only what a rule made of the words: the model's next reply may put it right."""
    assuming: bool = False
    """True while the plan rests on assumptions because questions took too long: they must be stated (C-24)."""
    lapsed: bool = False
    """True if the newest goal ended by silence alone: any word without a new goal takes it up again (C-25)."""
    resumed: bool = False
    """True while the message to answer has taken up a goal that had ended by silence: that is worth half a sentence."""
    leaving: bool = False
    """True after "bye" in the middle of work: ask whether to drop it; a yes does (T5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalNamed:
    """The model says what the person wants. Elsewhere than at rest it means that they confirmed a switch."""

    type: GoalType
    description: str
    info: tuple[tuple[str, str], ...] = ()
    """Name and label of each thing that must be known; none means those of the type."""
    call: Literal["goal_named"] = "goal_named"


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoRecorded:
    """The model has learned something that the goal needs."""

    name: str
    value: str
    call: Literal["info_recorded"] = "info_recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoAsked:
    """The model has asked for something that the goal needs."""

    name: str
    call: Literal["info_asked"] = "info_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposed:
    """The model has put a plan to the person."""

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
    """The model understood that the person no longer wants it."""

    call: Literal["goal_dropped"] = "goal_dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Satisfied:
    """The model understood that the person is content."""

    call: Literal["satisfied"] = "satisfied"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesWanted:
    """The model understood that the person wants the plan or the last result changed."""

    call: Literal["changes_wanted"] = "changes_wanted"


InfoCall = InfoRecorded | InfoAsked
PhaseCall = GoalNamed | PlanProposed | WorkStarted | WorkFinished | GoalDropped | Satisfied | ChangesWanted
Call = InfoCall | PhaseCall
"""What the model tells about the goal by calling a tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One hop from phase to phase, for the audit trail. `reason` is one of our own sentences, never content."""

    before: GoalPhase
    after: GoalPhase
    reason: str
    milestone: bool
    """True if it entered understanding, executing or completed (S1-029)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What something that happened made of the state: the hops in order, and what was refused on the way."""

    state: GoalState
    changes: tuple[Change, ...] = ()
    refused: tuple[str, ...] = ()
    """The event of each call that could not happen now (`goal_phase.GoalOn`), for the audit trail."""


TAKEN_BACK: Final = "(deleted)"
"""What stands where the words of a message stood that its author has deleted."""

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
"""S1-062. A piece of information counts as missing (✗) only when its goal has been abandoned: `ended` shows that."""


def summary(state: GoalState) -> str:
    """Say where the thread stands, for the prompt and for people; made of the state alone (S1-058, S1-059)."""
    head = [f"Conversation Phase: {state.phase}", f"Turn Count: {state.turns}", ""]
    tail = [f"Completed Goals: {len(state.completed)}"]
    return "\n".join([*head, *(_described(state.goal) if state.goal else ()), *tail])


def _described(goal: Goal) -> list[str]:
    lines = ["Current Goal:", f"  Type: {goal.type}", f"  Description: {_line(goal.description)}"]
    if goal.info:
        lines += [
            "  Required Information:",
            *(f"    {MARKS[info.status]} {info.name}: {_line(info.label)}" for info in goal.info),
        ]
    if things := brought_forth(goal):
        lines += ["  Artefacts:", *(f"    {_line(each.name)}" for each in things)]
    return [*lines, ""]


def _line(words: str) -> str:
    return " ".join(words.split())


def brought_forth(goal: Goal) -> tuple[Made, ...]:
    """What the work has brought forth: what tools have made, and what else the model has named."""
    known = [each.name.casefold() for each in goal.made]
    named = (
        name for name in dict.fromkeys(goal.artefacts) if not any(each.startswith(name.casefold()) for each in known)
    )
    return (*goal.made, *(Made(name=name) for name in named))


def forgetting(state: GoalState, words: str) -> GoalState:
    """The same, without what was taken over from a message with these words, which its author has taken back."""
    current = _forgetting(state.goal, words) if state.goal else None
    return replace(state, goal=current, completed=tuple(_forgetting(each, words) for each in state.completed))


def _forgetting(goal: Goal, words: str) -> Goal:
    info = tuple(replace(each, value=_without(each.value, words)) for each in goal.info)
    return replace(goal, info=info, description=_without(goal.description, words))


def _without(taken_over: str, words: str) -> str:
    return TAKEN_BACK if taken_over and taken_over.casefold() in words.casefold() else taken_over


def ended(state: GoalState) -> tuple[str, ...]:
    """One line for each goal that has ended, in order: ✓ completed, ✗ abandoned (S1-062)."""
    return tuple(f"{MARKS[goal.status]} {goal.description}" for goal in state.completed)
