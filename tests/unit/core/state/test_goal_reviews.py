"""What becomes of a result, and of the thread after it; and whom to believe, the model's calls or its words."""

import pytest

from app.core.state.goal import (
    GoalNamed,
    GoalPhase,
    GoalStatus,
    GoalType,
    InfoAsked,
    InfoStatus,
    WorkFinished,
    WorkStarted,
)
from tests.unit.core.goal_threads import ALL_TOLD, WISH, Thread, thread

GREETING, UNDERSTANDING, PLANNING, EXECUTING, REVIEWING, COMPLETED, IDLE = GoalPhase


@pytest.mark.req("S1-006", "S1-033", "S1-048")
def test_content_completes_the_goal_and_says_when():
    chat = thread(REVIEWING)

    assert chat.says("perfect!") is COMPLETED
    assert chat.state.completed[-1].completed_at == str(chat.state.turns)


@pytest.mark.req("S1-049")
def test_changes_go_back_to_understanding_with_the_same_goal_and_all_that_is_known():
    chat = Thread()
    chat.says(WISH)
    chat.says(ALL_TOLD)
    chat.hears("I'll build it. All done.")
    before = chat.goal

    assert chat.says("Perfect, but the title is wrong") is UNDERSTANDING
    assert chat.goal == before
    assert chat.state.exchanges == 0
    assert chat.says("It should say Todos") is PLANNING


def test_changes_to_a_plan_may_correct_what_is_known():
    chat = Thread()
    chat.says("I need a React component with validation")

    assert chat.says("Change it. The component type is a form") is UNDERSTANDING
    assert chat.known()["component_type"] == "A form"


@pytest.mark.req("S1-050")
@pytest.mark.parametrize("text", ["hm", "not perfect", "sounds good", "perfect?", "go ahead"])
def test_a_review_waits_for_clear_words(text: str):
    assert thread(REVIEWING).says(text) is REVIEWING


@pytest.mark.parametrize("text", ["perfect!", "make it blue", "sounds good", "go ahead", "yes"])
def test_words_to_work_under_way_wait_for_its_result(text: str):
    assert thread(EXECUTING).says(text) is EXECUTING


@pytest.mark.req("S1-014", "S1-036", "S1-051")
def test_a_second_goal_passes_the_greeting_and_leaves_the_first_in_its_place():
    chat = thread(COMPLETED)

    chat.says("Build a calculator")

    assert chat.path == [GREETING, UNDERSTANDING]
    assert [change.milestone for change in chat.changes] == [False, True]
    assert chat.goal.id == "G2"
    for text in ("sounds good", "go ahead"):
        chat.says(text)
    chat.hears("<artifact>")
    chat.says("Perfect!")
    assert [each.description for each in chat.state.completed] == ["Build a todo app", "Build a calculator"]


def test_content_and_a_new_goal_in_one_message_complete_the_old_one():
    chat = thread(REVIEWING)

    assert chat.says("Perfect! Now build a calculator") is UNDERSTANDING
    assert chat.path == [COMPLETED, GREETING, UNDERSTANDING]
    assert [each.status for each in chat.state.completed] == [GoalStatus.COMPLETED]
    assert chat.goal.description == "Build a calculator"


def test_content_and_goodbye_in_one_message_complete_the_goal_first():
    chat = thread(REVIEWING)

    assert chat.says("Perfect, bye!") is IDLE
    assert chat.path == [COMPLETED, IDLE]


def test_goal_words_in_the_midst_of_a_goal_are_talk():
    chat = thread(UNDERSTANDING)

    assert chat.says("What about colours?") is UNDERSTANDING
    assert chat.goal.description == "Build a todo app"


@pytest.mark.req("S1-052", "S1-053")
def test_after_completion_bye_is_idle_and_other_talk_changes_nothing():
    chat = thread(COMPLETED)

    for text in ("thanks", "ok", "sounds good", "go ahead", "hm", "I want something else"):
        assert chat.says(text) is COMPLETED
    assert chat.says("bye") is IDLE


def test_changes_to_the_last_result_take_it_up_as_a_new_goal():
    chat = thread(COMPLETED)

    assert chat.says("Change it to blue") is UNDERSTANDING
    assert (chat.goal.id, chat.goal.description, chat.goal.completed_at) == ("G2", "Build a todo app", "")
    assert chat.state.completed[0].status is GoalStatus.COMPLETED


def test_changes_to_something_else_are_a_new_goal():
    chat = thread(COMPLETED)

    chat.says("Change the title of our wiki")

    assert chat.goal.type is GoalType.TASK_EXECUTION


def test_the_models_calls_come_before_its_words():
    chat = thread(PLANNING)

    assert chat.hears("I'll build it. All done.", WorkStarted()) is EXECUTING
    assert chat.hears("Still at it.", WorkFinished(artefacts=("Todo",))) is REVIEWING
    assert chat.goal.artefacts == ("Todo",)


def test_a_call_about_information_leaves_the_phase_to_the_words_but_not_the_questions():
    chat = thread(UNDERSTANDING)

    chat.hears("What are the requirements?", InfoAsked(name="component_type"))

    assert [info.status for info in chat.goal.info] == [InfoStatus.ASKED, InfoStatus.UNKNOWN]


def test_a_call_that_cannot_be_any_more_is_passed_over_and_named():
    chat = thread(IDLE)

    assert (
        chat.hears("Done.", WorkFinished(), GoalNamed(type=GoalType.EXPLORATION, description="look around"))
        is UNDERSTANDING
    )
    assert chat.refused == ("WorkFinished",)


def test_the_model_puts_right_what_a_rule_has_just_guessed():
    chat = Thread()
    chat.says("What about a React thing for our lunch orders?")

    chat.hears("Sure.", GoalNamed(type=GoalType.ARTIFACT_CREATION, description="build a lunch order form."))

    assert (chat.goal.id, chat.goal.type, chat.goal.description) == (
        "G1",
        GoalType.ARTIFACT_CREATION,
        "Build a lunch order form",
    )
    assert not chat.state.completed


def test_the_guess_of_a_rule_stands_once_it_was_replied_to():
    chat = thread(UNDERSTANDING)
    chat.hears()

    chat.hears("Sure.", GoalNamed(type=GoalType.EXPLORATION, description="look around"))

    assert [each.status for each in chat.state.completed] == [GoalStatus.ABANDONED]
    assert chat.goal.id == "G2"
