"""The goal as people and the model are shown it."""

import pytest

from app.core.state.goal import (
    REQUIRED,
    Goal,
    GoalPhase,
    GoalState,
    GoalStatus,
    GoalType,
    InfoStatus,
    RequiredInfo,
    list_ended,
    summarize_goals,
)

TODO = Goal(
    id="G2",
    type=GoalType.ARTIFACT_CREATION,
    description="Build a todo app",
    info=(
        RequiredInfo(name="component_type", label="Type of component", status=InfoStatus.PROVIDED, value="React"),
        RequiredInfo(name="requirements", label="Requirements"),
    ),
)
OLD = Goal(id="G1", type=GoalType.EXPLORATION, description="Show me the way", status=GoalStatus.COMPLETED)


@pytest.mark.req("S1-058", "S1-059", "S1-062")
def test_the_summary_is_the_seeds_letter_for_letter():
    state = GoalState(phase=GoalPhase.UNDERSTANDING, turns=5, goal=TODO, completed=(OLD,))

    assert summarize_goals(state) == (
        "Conversation Phase: understanding\n"
        "Turn Count: 5\n"
        "\n"
        "Current Goal:\n"
        "  Type: artifact_creation\n"
        "  Description: Build a todo app\n"
        "  Required Information:\n"
        "    ✓ component_type: Type of component = React\n"
        "    ? requirements: Requirements\n"
        "\n"
        "Completed Goals: 1"
    )


def test_a_summary_without_a_goal_shows_none():
    assert summarize_goals(GoalState()) == "Conversation Phase: greeting\nTurn Count: 0\n\nCompleted Goals: 0"


def test_a_goal_that_requires_nothing_shows_no_list_of_requirements():
    goal = Goal(id="G1", type=GoalType.QUESTION_ANSWER, description="What is a monad?")

    assert "Required" not in summarize_goals(GoalState(phase=GoalPhase.UNDERSTANDING, goal=goal))


def test_what_was_asked_for_still_counts_as_unknown():
    asked = RequiredInfo(name="requirements", label="Requirements", status=InfoStatus.ASKED)
    goal = Goal(id="G1", type=GoalType.ARTIFACT_CREATION, description="Build", info=(asked,))

    assert "    ? requirements" in summarize_goals(GoalState(phase=GoalPhase.UNDERSTANDING, goal=goal))
    assert goal.missing == (asked,)


@pytest.mark.req("AG-16")
def test_what_was_learned_for_a_goal_stands_in_its_summary_on_one_line() -> None:
    known = RequiredInfo(name="audience", label="For whom", status=InfoStatus.PROVIDED, value="new\n  customers")
    goal = Goal(id="G1", type=GoalType.ARTIFACT_CREATION, description="Build", info=(known,))

    assert "    ✓ audience: For whom = new customers\n" in summarize_goals(
        GoalState(phase=GoalPhase.PLANNING, goal=goal)
    )


@pytest.mark.req("S1-062")
def test_goals_that_ended_are_marked_by_how_and_stay_in_order():
    dropped = Goal(id="G2", type=GoalType.EXPLORATION, description="Help me", status=GoalStatus.ABANDONED)

    assert list_ended(GoalState(completed=(OLD, dropped))) == ("✓ Show me the way", "✗ Help me (no longer pursued)")


def test_each_type_requires_what_the_seed_names_and_knows_none_of_it():
    names = {type_: [info.name for info in required] for type_, required in REQUIRED.items()}

    assert names == {
        GoalType.ARTIFACT_CREATION: ["component_type", "requirements"],
        GoalType.QUESTION_ANSWER: [],
        GoalType.TASK_EXECUTION: ["target", "desired_change"],
        GoalType.EXPLORATION: [],
    }
    assert all(info.status is InfoStatus.UNKNOWN for required in REQUIRED.values() for info in required)
