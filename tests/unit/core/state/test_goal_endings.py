"""How a goal is given up, by words and by silence, before its result and after, and taken up again (C-25, T5)."""

import pytest

from app.core.events.heard import MessageDeleted
from app.core.goals.moves import is_idle, on_reply
from app.core.state import goal
from app.core.state.goal import (
    ChangesWanted,
    Goal,
    GoalPhase,
    GoalState,
    GoalStatus,
    GoalType,
    InfoStatus,
    RequiredInfo,
    list_ended,
)
from app.core.turns.history import build_api_messages
from tests.unit.core.goal_threads import ALL_TOLD, thread
from tests.unit.core.live import Live

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


SECRET = "build a tool for the Falcon merger"


def goal_of(description: str, value: str = "") -> Goal:
    info = (RequiredInfo(name="target", label="Target", status=InfoStatus.PROVIDED, value=value),)
    return Goal(id="G1", type=GoalType.ARTIFACT_CREATION, description=description, info=info)


def test_what_was_taken_over_from_the_words_is_gone_from_every_goal_and_nothing_else_is() -> None:
    kept = goal_of("something else", "Friday")
    state = GoalState(phase=GoalPhase.UNDERSTANDING, goal=goal_of(SECRET, "Falcon"), completed=(kept, goal_of(SECRET)))
    after = goal.forget_message(state, f"I want to {SECRET}")
    assert after.goal
    assert (after.goal.description, after.goal.info[0].value) == (goal.TAKEN_BACK, goal.TAKEN_BACK)
    assert after.completed == (kept, goal_of(goal.TAKEN_BACK))


def test_a_message_that_is_deleted_takes_its_goal_s_words_with_it_and_the_model_hears_them_no_more() -> None:
    live = Live().talks(f"I want to {SECRET}")
    assert live.now.goals.goal
    asked = live.transcript[0]
    at = live.wait(1).ts
    live.apply(MessageDeleted(receipt="delete:1", thread=live.now.thread, ts=asked.ts, at=at), "delete:1")
    live.says("Go on")
    assert "Falcon" not in goal.summarize_goals(live.now.goals)
    told = build_api_messages(live.now, live.transcript)
    assert "Falcon" not in str(told)
