"""One transition of a goal: the table's next phase, and the changes of goal, information and counters.

It does not know how an event was recognized.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from app.core.errors import IllegalEvent
from app.core.goal import Change, Goal, GoalState, Moved
from app.core.goal_phase import (
    ENDS,
    GOAL_STATUS,
    INFO_STATUS,
    MILESTONES,
    PASSED,
    REASONS,
    TABLE,
    GoalOn,
    GoalStatusOn,
    InfoOn,
)
from app.core.states import GoalPhase, GoalStatus
from app.core.table import following


def move(moved: Moved, event: GoalOn, at: str, new: Goal | None = None) -> Moved:
    """Apply one event; `new` is the goal that it brings. Raises `IllegalEvent` if the table refuses it."""
    state = moved.state
    after = following(TABLE, state.phase, event)
    if after is None or (after is state.phase and new is None):
        return moved
    ended = (_ended(state.goal, ENDS[event], at),) if state.goal and event in ENDS else ()
    entered = replace(
        state,
        phase=after,
        goal=new or (None if ended else state.goal),
        completed=(*state.completed, *ended),
        exchanges=0 if after is GoalPhase.UNDERSTANDING else state.exchanges,
        guessed=False,
        leaving=False,
        assuming=event is GoalOn.ASKED_ENOUGH,
        lapsed=event is GoalOn.IDLED and bool(ended),
    )
    return replace(moved, state=entered, changes=(*moved.changes, *_hops(state.phase, after, event)))


def again(state: GoalState, at: str) -> Goal:
    """Return the goal that ended last as a new one, with all its information."""
    return replace(state.completed[-1], id=next_id(state), status=GoalStatus.ACTIVE, created_at=at, completed_at="")


def next_id(state: GoalState) -> str:
    """Return the id of the next goal of the thread."""
    return f"G{len(state.completed) + (state.goal is not None) + 1}"


def informed(moved: Moved, event: InfoOn, name: str, value: str = "") -> Moved:
    """Record that information was asked for or provided.

    Raises `IllegalEvent`, with words for the model, if unknown.
    """
    goal = moved.state.goal
    if goal is None or all(info.name != name for info in goal.info):
        needed = ", ".join(info.name for info in goal.info) if goal else ""
        raise IllegalEvent("ILLEGAL", f"Nothing of that name is needed. Needed: {needed or 'nothing'}.")
    info = tuple(
        replace(each, status=status, value=value or each.value)
        if each.name == name and (status := following(INFO_STATUS, each.status, event))
        else each
        for each in goal.info
    )
    return replace(moved, state=replace(moved.state, goal=replace(goal, info=info)))


def settled(moved: Moved, at: str) -> Moved:
    """Start planning if all required information is known. A goal that requires none waits for its answer."""
    goal = moved.state.goal
    if moved.state.phase is GoalPhase.UNDERSTANDING and goal and goal.info and not goal.missing:
        return move(moved, GoalOn.INFO_COMPLETE, at)
    return moved


def _ended(goal: Goal, event: GoalStatusOn, at: str) -> Goal:
    status = following(GOAL_STATUS, goal.status, event)
    assert status is not None, "a goal ends or is refused to"
    return replace(goal, status=status, completed_at=at)


def _hops(before: GoalPhase, after: GoalPhase, event: GoalOn) -> tuple[Change, ...]:
    passed = PASSED.get((before, after))
    path = (before, passed, after) if passed else (before, after)
    return tuple(
        Change(before=one, after=next_, reason=REASONS[event], milestone=next_ in MILESTONES and next_ is not one)
        for one, next_ in pairwise(path)
    )
