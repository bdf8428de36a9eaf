"""Effects of a model's call on the goal of a free thread: on a copy during the turn, then at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, assert_never

from app.core.errors import IllegalEvent
from app.core.goal import (
    REQUIRED,
    Call,
    ChangesWanted,
    Goal,
    GoalDropped,
    GoalNamed,
    GoalState,
    Info,
    InfoAsked,
    InfoRecorded,
    Moved,
    PlanProposed,
    Satisfied,
    WorkFinished,
    WorkStarted,
)
from app.core.goal_phase import TABLE, GoalOn, InfoOn
from app.core.goal_speech import LONGEST_LINE, line
from app.core.goal_steps import again, informed, move, next_id, settled
from app.core.states import GoalPhase
from app.core.table import refusal

NO_GOAL = "There is no goal now. Name the goal first."
ADVICE: Final[Mapping[GoalPhase, str]] = MappingProxyType(
    {
        GoalPhase.GREETING: NO_GOAL,
        GoalPhase.UNDERSTANDING: "The plan comes first: propose one, then start the work.",
        GoalPhase.PLANNING: "Start the work before you finish it.",
        GoalPhase.EXECUTING: "The work is under way.",
        GoalPhase.REVIEWING: "The result is under review. Say first that the person wants changes.",
        GoalPhase.COMPLETED: NO_GOAL,
        GoalPhase.IDLE: NO_GOAL,
    }
)
"""Advice to the model if a call is impossible in a phase."""


def called(moved: Moved, call: Call, at: str) -> Moved:
    """Apply one call after earlier changes. Raises `IllegalEvent`, with words for the model."""
    match call:
        case GoalNamed():
            return settled(_named(moved, call, at), at)
        case InfoRecorded(name=name, value=value):
            return settled(informed(moved, InfoOn.PROVIDED, name, line(value)), at)
        case InfoAsked(name=name):
            return informed(moved, InfoOn.ASKED, name)
        case WorkFinished(artefacts=artefacts):
            return finished(moved, artefacts, at)
        case _:
            return _moved(moved, _event(moved.state, call), at)


def finished(moved: Moved, artefacts: tuple[str, ...], at: str) -> Moved:
    """Finish the work, whose result is shown. Raises `IllegalEvent` if there was no work."""
    goal = moved.state.goal
    after = _moved(moved, GoalOn.ANSWER_GIVEN if goal and goal.is_answered else GoalOn.WORK_FINISHED, at)
    assert goal is not None, "T5 refuses it without a goal"
    shown = replace(goal, artefacts=(*goal.artefacts, *(name[:LONGEST_LINE] for name in artefacts)))
    return replace(after, state=replace(after.state, goal=shown))


def _moved(moved: Moved, event: GoalOn, at: str) -> Moved:
    phase = moved.state.phase
    code = refusal(TABLE, phase, event)
    if code:
        raise IllegalEvent(code, ADVICE[phase])
    return move(moved, event, at, again(moved.state, at) if event is GoalOn.RESULT_REOPENED else None)


def _event(state: GoalState, call: PlanProposed | WorkStarted | GoalDropped | Satisfied | ChangesWanted) -> GoalOn:
    """Return the event that the call stands for in this state."""
    match call:
        case PlanProposed():
            return GoalOn.PLANNED_EARLY if state.goal and state.goal.missing else GoalOn.PLANNED
        case WorkStarted():
            return GoalOn.ANSWER_STARTED if state.goal and state.goal.is_answered else GoalOn.WORK_STARTED
        case GoalDropped():
            return GoalOn.DROPPED
        case Satisfied():
            return GoalOn.AGREED if state.phase is GoalPhase.PLANNING else GoalOn.SATISFIED
        case ChangesWanted():
            at_rest = state.phase in (GoalPhase.COMPLETED, GoalPhase.IDLE)
            return GoalOn.RESULT_REOPENED if at_rest and state.completed else GoalOn.CHANGES_WANTED
        case _:
            assert_never(call)


def _named(moved: Moved, call: GoalNamed, at: str) -> Moved:
    """Set a goal that the model named, in place of one just recognized by rule, or as a new one."""
    state = moved.state
    required = tuple(Info(name=name, label=line(label)) for name, label in call.info) or REQUIRED[call.type]
    goal = Goal(id=next_id(state), type=call.type, description=line(call.description), info=required, created_at=at)
    if not (state.guessed and state.goal):
        return move(moved, GoalOn.GOAL_STATED, at, goal)
    guess = state.goal
    known = {info.name: info for info in guess.info}
    kept = tuple(
        replace(info, status=known[info.name].status, value=known[info.name].value) if info.name in known else info
        for info in required
    )
    # Remove the recognized goal first, so that it is corrected and not abandoned.
    without = replace(moved, state=replace(state, goal=None))
    return move(without, GoalOn.GOAL_STATED, at, replace(goal, id=guess.id, info=kept))
