"""How a goal is given up, by words and by silence, and how it is taken up again (C-25)."""

import pytest

from app.core.goals.moves import is_idle
from app.core.state.goal import GoalPhase, GoalStatus
from tests.unit.core.goal_threads import ALL_TOLD, thread

GREETING, UNDERSTANDING, PLANNING, EXECUTING, REVIEWING, COMPLETED, IDLE = GoalPhase
AT_WORK = [UNDERSTANDING, PLANNING, EXECUTING, REVIEWING]


@pytest.mark.req("S1-016", "S1-032", "S1-033")
@pytest.mark.parametrize("phase", list(GoalPhase))
def test_never_mind_drops_the_goal_from_everywhere(phase: GoalPhase):
    chat = thread(phase)

    assert chat.says("Never mind, I found it myself") is IDLE
    if phase in AT_WORK:
        assert (chat.state.completed[-1].status, chat.state.completed[-1].completed_at != "") == (
            GoalStatus.ABANDONED,
            True,
        )


def test_never_mind_and_a_new_goal_in_one_message_abandon_the_old_one():
    chat = thread(PLANNING)

    assert chat.says("Never mind. Build a calculator") is UNDERSTANDING
    assert [each.status for each in chat.state.completed] == [GoalStatus.ABANDONED]


@pytest.mark.parametrize("text", ["never mind", "bye"])
def test_while_a_run_is_live_never_mind_and_bye_leave_the_goal_alone(text: str):
    chat = thread(PLANNING)

    assert chat.says(text, running=True) is PLANNING
    assert chat.says("go ahead", running=True) is EXECUTING
    assert chat.says(text, running=True) is EXECUTING
    assert not chat.state.leaving


@pytest.mark.parametrize("phase", [UNDERSTANDING, PLANNING, REVIEWING])
def test_bye_abandons_a_goal_that_is_not_worked_on(phase: GoalPhase):
    chat = thread(phase)

    assert chat.says("bye") is IDLE
    assert chat.state.completed[-1].status is GoalStatus.ABANDONED


@pytest.mark.parametrize("text", ["yes", "bye", "never mind"])
def test_bye_in_the_midst_of_work_asks_and_a_yes_drops_it(text: str):
    chat = thread(EXECUTING)

    assert chat.says("bye") is EXECUTING
    assert chat.state.leaving
    chat.hears("Shall I stop?")
    assert chat.says(text) is IDLE
    assert not chat.state.leaving


def test_bye_in_the_midst_of_work_is_forgotten_unless_confirmed():
    chat = thread(EXECUTING)
    chat.says("bye")

    assert chat.says("no, go on") is EXECUTING
    assert chat.says("yes") is EXECUTING


@pytest.mark.req("S1-054", "S1-056")
def test_ten_minutes_after_the_last_message_is_idle_and_a_second_less_is_not():
    last = 1_700_000_000.0

    assert not is_idle(last, last + 9 * 60 + 59, 10)
    assert is_idle(last, last + 10 * 60, 10)


@pytest.mark.req("S1-007", "S1-057")
@pytest.mark.parametrize("phase", list(GoalPhase))
def test_silence_abandons_the_goal_unless_something_explains_it(phase: GoalPhase):
    chat = thread(phase)
    before = chat.state

    assert chat.is_silent(busy=True) is phase
    assert chat.state == before
    assert chat.is_silent() is IDLE
    assert chat.state.goal is None
    assert [each.status for each in chat.state.completed[len(before.completed) :]] == (
        [GoalStatus.COMPLETED] if phase is REVIEWING else [GoalStatus.ABANDONED] if phase in AT_WORK else []
    )


@pytest.mark.req("S1-017")
def test_after_silence_a_word_takes_the_goal_up_as_a_new_one_with_what_is_known():
    chat = thread(UNDERSTANDING)
    chat.says("With React components")
    chat.is_silent()

    assert chat.says("I'm back") is UNDERSTANDING
    assert [change.reason for change in chat.changes] == ["User came back to the goal"]
    assert (chat.goal.id, chat.known()) == ("G2", {"component_type": "React"})
    assert chat.state.completed[0].status is GoalStatus.ABANDONED


def test_a_goal_resumed_with_all_it_needs_is_planned_again():
    chat = thread(UNDERSTANDING)
    chat.says(ALL_TOLD)
    chat.is_silent()

    chat.says("I'm back")

    assert chat.path == [UNDERSTANDING, PLANNING]


def test_after_silence_a_new_goal_takes_the_place_of_the_old():
    chat = thread(UNDERSTANDING)
    chat.is_silent()

    chat.says("Build a calculator")

    assert (chat.goal.description, chat.path) == ("Build a calculator", [UNDERSTANDING])


@pytest.mark.parametrize("text", ["never mind", "bye", "thanks"])
def test_after_silence_the_goal_can_be_let_go(text: str):
    chat = thread(UNDERSTANDING)
    chat.is_silent()

    assert chat.says(text) is IDLE
    assert chat.says("hello") is GREETING


def test_silence_after_a_completed_goal_leaves_nothing_to_take_up():
    chat = thread(COMPLETED)
    chat.is_silent()

    assert chat.says("hello") is GREETING


@pytest.mark.req("S1-017")
def test_after_never_mind_a_word_without_a_goal_only_greets():
    chat = thread(UNDERSTANDING)
    chat.says("never mind")

    assert chat.says("hello") is GREETING
    assert [change.reason for change in chat.changes] == ["User came back without a goal"]


def test_from_idle_changes_to_it_take_the_last_goal_up():
    chat = thread(REVIEWING)
    chat.says("bye")

    assert chat.says("make it blue") is UNDERSTANDING
    assert chat.goal.description == "Build a todo app"
