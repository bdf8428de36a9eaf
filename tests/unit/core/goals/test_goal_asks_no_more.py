"""What somebody wants is never taken for more than it is: reminders, remarks and goals that need nothing."""

from __future__ import annotations

import pytest

from app.core.goals.intent import find_goal
from app.core.goals.moves import apply_call
from app.core.state.goal import REQUIRED, Goal, GoalNamed, GoalPhase, GoalState, GoalType
from tests.unit.core.goal_threads import Thread

REMINDERS = [
    "Remind me every Monday to update the sheet",
    "Please create a weekly reminder for the report",
    "Can you make me a reminder to change the filter?",
    "I want you to write me a reminder",
    "Update me every Friday on the budget",
    "write to us tomorrow about the page",
]
REMARKS = [
    "Design is important to us",
    "The update went out on Friday",
    "Change is hard.",
    "Update from the meeting: the script is late",
    "Build failed again",
    "Draft two was better",
]
WORK = [
    ("Fix what is broken", GoalType.TASK_EXECUTION),
    ("Change the date from Monday to Friday", GoalType.TASK_EXECUTION),
    ("Change from weekly to monthly billing", GoalType.TASK_EXECUTION),
    ("Fix failed tests", GoalType.TASK_EXECUTION),
    ("Update the docs that are out of date", GoalType.TASK_EXECUTION),
    ("Draft my will", GoalType.ARTIFACT_CREATION),
    ("Write a reminder e-mail to the team", GoalType.ARTIFACT_CREATION),
    ("Create a page that has a search", GoalType.ARTIFACT_CREATION),
    ("What is a weekly reminder?", GoalType.QUESTION_ANSWER),
]


@pytest.mark.req("FA-29")
@pytest.mark.parametrize("text", [*REMINDERS, *REMARKS])
def test_a_reminder_or_a_remark_states_no_goal_and_asks_for_nothing(text: str) -> None:
    chat = Thread()

    assert chat.says(text) is GoalPhase.GREETING
    assert chat.state.goal is None


@pytest.mark.parametrize(("text", "type_"), WORK)
def test_work_is_still_recognised_beside_words_of_reminders_and_remarks(text: str, type_: GoalType) -> None:
    wish = find_goal(text)
    assert wish
    assert wish.type is type_


def name(state: GoalState, type_: GoalType, info: tuple[tuple[str, str], ...] | None) -> tuple[GoalPhase, Goal]:
    after = apply_call(state, GoalNamed(type=type_, description="Remind them", info=info), "now").state
    assert after.goal
    return after.phase, after.goal


@pytest.mark.req("FA-29")
@pytest.mark.parametrize("info", [None, ()])
@pytest.mark.parametrize("type_", list(GoalType))
def test_a_goal_that_the_model_names_requires_nothing_that_the_words_did_not_call_for(
    type_: GoalType, info: tuple[tuple[str, str], ...] | None
) -> None:
    chat = Thread()
    chat.says("Remind me every Monday to update the sheet")

    phase, goal = name(chat.state, type_, info)

    assert goal.info == ()
    assert phase is (GoalPhase.UNDERSTANDING if goal.is_answered else GoalPhase.PLANNING)


@pytest.mark.req("S1-022", "FA-29")
def test_the_model_keeps_drops_or_replaces_what_the_persons_words_call_for() -> None:
    chat = Thread()
    chat.says("I want to fix the login page")

    kept = name(chat.state, GoalType.TASK_EXECUTION, None)[1].info
    assert [(each.name, each.value) for each in kept] == [("target", "The login page"), ("desired_change", "")]
    assert {each.name for each in kept} == {each.name for each in REQUIRED[GoalType.TASK_EXECUTION]}
    phase, bare = name(chat.state, GoalType.TASK_EXECUTION, ())
    assert (phase, bare.info) == (GoalPhase.PLANNING, ())
    assert name(chat.state, GoalType.ARTIFACT_CREATION, None)[1].info == ()
    other = name(chat.state, GoalType.TASK_EXECUTION, (("browser", "Which browser"),))[1].info
    assert [each.name for each in other] == ["browser"]
