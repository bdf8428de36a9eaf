"""What people are told of the goal of a thread, in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.core.copy import texts
from app.core.state.goal import Goal, GoalPhase, GoalState, list_ended, list_goal_outputs
from app.core.text.labels import join_words

_THING = re.compile(
    r"(?:build|create|make|generate|design|write|draft)(?: me| us)? (?:an?|the|some|my|our) (?P<thing>[^\s,;:][^,;:]*)",
    re.IGNORECASE,
)

SAYING: Final[Mapping[GoalPhase, str]] = MappingProxyType(
    {
        GoalPhase.UNDERSTANDING: texts.UNDERSTANDING,
        GoalPhase.PLANNING: texts.PLANNING,
        GoalPhase.EXECUTING: texts.EXECUTING,
        GoalPhase.REVIEWING: texts.REVIEWING,
    }
)

NEXT_MOVE: Final[Mapping[GoalPhase, str]] = MappingProxyType(
    {
        GoalPhase.UNDERSTANDING: texts.WAITS_FOR_WORDS,
        GoalPhase.PLANNING: texts.WAITS_FOR_OK,
        GoalPhase.EXECUTING: texts.WAITS_FOR_GO_ON,
        GoalPhase.REVIEWING: texts.WAITS_FOR_VERDICT,
    }
)
"""What the owner is waited for while nothing else goes on."""


def describe_goal(state: GoalState, *, is_waiting: bool) -> str:
    """Return a few lines about the goal, what is known for it, and former goals.

    `is_waiting` says that nothing goes on: then the owner reads what they are waited for, if only for a wish.
    """
    goal = state.goal
    if goal is None and state.lapsed and is_waiting:
        left = texts.LEFT_OFF.format(goal=name_goal(state.completed[-1]))
        return "\n".join([left, *list_ended(state)[:-1]])
    if goal is None:
        return "\n".join([*([texts.NO_GOAL] if is_waiting else []), *list_ended(state)])
    waits = NEXT_MOVE[state.phase] if is_waiting else ""
    lines = [SAYING[state.phase].format(goal=name_goal(goal)) + waits, *_list_info(goal)]
    if things := list_goal_outputs(goal):
        lines.append(texts.MADE.format(things=join_words(each.name for each in things)))
    return "\n".join([*lines, *list_ended(state)])


def name_goal(goal: Goal) -> str:
    """Return the goal as part of a sentence: "the calculator" for "Build a calculator", else its words in quotes.

    Of several clauses one cannot stand for all.
    """
    found = _THING.fullmatch(goal.description)
    return f"the {found['thing']}" if found else f"“{goal.description}”"


def _list_info(goal: Goal) -> list[str]:
    known = [f"{info.label}: {info.value}" for info in goal.info if info.value]
    missing = [info.label for info in goal.missing]
    told = [texts.KNOWN.format(list="; ".join(known))] if known else []
    return [*told, *([texts.STILL_NEEDED.format(list="; ".join(missing))] if missing else [])]
