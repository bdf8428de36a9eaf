"""Goals whose result was shown before their owner fell silent, and those that were left before (T5)."""

import pytest

from app.core.goals.moves import on_reply
from app.core.state.goal import ChangesWanted, GoalPhase, GoalStatus, list_ended
from tests.unit.core.goal_threads import ALL_TOLD, thread

GREETING, UNDERSTANDING, PLANNING, EXECUTING, REVIEWING, COMPLETED, IDLE = GoalPhase


@pytest.mark.req("AG-14")
def test_silence_after_a_result_completes_the_goal_as_delivered() -> None:
    chat = thread(REVIEWING)

    assert chat.is_silent() is IDLE
    [done] = chat.state.completed
    assert (done.status, done.delivered, done.completed_at != "") == (GoalStatus.COMPLETED, True, True)
    assert [change.reason for change in chat.changes] == ["Result delivered, nothing was said for long"]
    assert list_ended(chat.state) == ("✓ Build a todo app (delivered)",)


@pytest.mark.req("AG-14")
@pytest.mark.parametrize("phase", [UNDERSTANDING, PLANNING, EXECUTING])
def test_silence_before_a_result_leaves_the_goal_and_words_take_it_up(phase: GoalPhase) -> None:
    chat = thread(phase)
    chat.is_silent()

    assert [(each.status, each.delivered) for each in chat.state.completed] == [(GoalStatus.ABANDONED, False)]
    chat.says("I'm back")
    assert chat.state.resumed
    assert chat.goal.description == "Build a todo app"


@pytest.mark.req("AG-14")
@pytest.mark.parametrize("text", ["I'm back", "good morning", "thanks", "I'm in #ops today"])
def test_words_after_a_delivered_result_do_not_take_it_up(text: str) -> None:
    chat = thread(REVIEWING)
    chat.is_silent()

    chat.says(text)
    assert (chat.state.goal, chat.state.resumed) == (None, False)


@pytest.mark.req("AG-14")
@pytest.mark.parametrize("greeted", [False, True])
@pytest.mark.parametrize("text", ["make it blue", "Add a search to the first page", "Change the todo app's title"])
def test_words_about_a_delivered_result_take_it_up(text: str, greeted: bool) -> None:
    chat = thread(REVIEWING)
    chat.is_silent()
    if greeted:
        chat.says("Hello")

    assert chat.says(text) is UNDERSTANDING
    assert (chat.goal.description, chat.goal.delivered) == ("Build a todo app", False)


@pytest.mark.req("AG-14")
@pytest.mark.parametrize("text", ["Add milk to the list", "Change the calculator app"])
def test_changes_to_something_else_do_not_take_a_delivered_result_up(text: str) -> None:
    chat = thread(REVIEWING)
    chat.is_silent()

    chat.says(text)
    assert chat.state.goal is None or chat.goal.description != "Build a todo app"


def test_what_was_dropped_is_not_taken_up_by_its_name() -> None:
    chat = thread(PLANNING)
    chat.says("never mind")

    chat.says("Add the todo app to the list")
    assert chat.state.goal is None


@pytest.mark.req("AG-14")
@pytest.mark.parametrize("text", ["good morning", "Hello!", "Hi, how are you?", "thanks", "Thank you so much!"])
def test_greetings_and_thanks_resume_nothing_and_what_was_left_waits_for_other_words(text: str) -> None:
    chat = thread(UNDERSTANDING)
    chat.says("With React components")
    chat.is_silent()

    chat.says(text)
    assert (chat.state.goal, chat.state.resumed) == (None, False)
    chat.is_silent()
    chat.says("go on with it")
    assert chat.state.resumed
    assert chat.known() == {"component_type": "React"}


@pytest.mark.req("AG-14")
@pytest.mark.parametrize("text", ["Thanks, bye", "Great work. Bye-bye", "That's all. Good night!"])
def test_thanks_and_bye_after_a_result_is_satisfied(text: str) -> None:
    chat = thread(REVIEWING)

    assert chat.says(text) is IDLE
    assert chat.path == [COMPLETED, IDLE]
    assert [(each.status, each.delivered) for each in chat.state.completed] == [(GoalStatus.COMPLETED, False)]


@pytest.mark.parametrize("phase", [UNDERSTANDING, PLANNING])
def test_thanks_and_bye_before_a_result_leaves_the_goal(phase: GoalPhase) -> None:
    chat = thread(phase)

    assert chat.says("Thanks, bye") is IDLE
    assert [each.status for each in chat.state.completed] == [GoalStatus.ABANDONED]


def test_the_model_can_take_a_result_up_after_a_greeting() -> None:
    chat = thread(REVIEWING)
    chat.is_silent()
    chat.says("Hello")

    moved = on_reply(chat.state, "Which colour?", (ChangesWanted(),), "9")
    assert (moved.state.phase, moved.refused) == (UNDERSTANDING, ())


def test_what_is_resumed_with_all_it_needs_is_planned_after_a_greeting_too() -> None:
    chat = thread(UNDERSTANDING)
    chat.says(ALL_TOLD)
    chat.is_silent()
    chat.says("Hello")

    assert chat.says("let me see") is PLANNING
