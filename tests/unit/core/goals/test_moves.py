"""Free threads and their goals as they are talked about: the seed's worked conversations, every branch of its tree."""

import pytest

from app.core.goals.moves import MOST_QUESTIONS
from app.core.state.goal import GoalPhase, GoalStatus, GoalType, InfoRecorded, InfoStatus, PlanProposed
from tests.unit.core.goal_threads import WISH, Thread, thread

GREETING, UNDERSTANDING, PLANNING, EXECUTING, REVIEWING, COMPLETED, IDLE = GoalPhase


@pytest.fixture
def chat() -> Thread:
    return Thread()


@pytest.mark.req("S1-060", "S1-034", "S1-036")
def test_the_worked_conversation_goes_as_the_seed_tells_it(chat: Thread):
    assert chat.says("I want to build a todo app") is UNDERSTANDING
    assert chat.goal.type is GoalType.ARTIFACT_CREATION
    assert [(info.name, info.status) for info in chat.goal.info] == [
        ("component_type", InfoStatus.UNKNOWN),
        ("requirements", InfoStatus.UNKNOWN),
    ]
    asked_about = chat.goal
    assert chat.hears("What features do you need?") is UNDERSTANDING
    assert chat.goal == asked_about
    assert chat.says("Add, delete, mark complete with React components") is PLANNING
    assert chat.known() == {"component_type": "React", "requirements": "CRUD"}
    assert chat.hears("I'll create a React todo app component") is EXECUTING
    assert chat.hears("<artifact type='react'>...code...</artifact>") is REVIEWING
    assert chat.says("Perfect! This is exactly what I needed") is COMPLETED
    assert chat.state.goal is None
    assert [(each.description, each.status) for each in chat.state.completed] == [
        ("Build a todo app", GoalStatus.COMPLETED)
    ]
    assert chat.state.completed[0].artefacts == ("react",)


@pytest.mark.req("S1-019", "S1-024")
def test_an_artefact_that_is_stated_needs_its_kind_and_what_it_must_do_and_knows_neither(chat: Thread):
    chat.says("I want to build a todo app")
    assert [(info.name, info.status, info.value) for info in chat.goal.info] == [
        ("component_type", InfoStatus.UNKNOWN, ""),
        ("requirements", InfoStatus.UNKNOWN, ""),
    ]


@pytest.mark.req("S1-020")
def test_a_question_that_is_stated_needs_nothing_more(chat: Thread):
    chat.says("How does the rota work?")
    assert (chat.goal.type, chat.goal.info) == (GoalType.QUESTION_ANSWER, ())


@pytest.mark.req("S1-022")
def test_a_task_that_is_stated_needs_a_target_and_a_change_and_knows_what_was_said_of_them(chat: Thread):
    assert chat.says("I want to fix the login page") is UNDERSTANDING
    assert chat.goal.type is GoalType.TASK_EXECUTION
    assert [(info.name, info.status, info.value) for info in chat.goal.info] == [
        ("target", InfoStatus.PROVIDED, "The login page"),
        ("desired_change", InfoStatus.UNKNOWN, ""),
    ]


@pytest.mark.req("S1-028", "S1-029", "S1-030")
def test_the_run_of_seven_turns_counts_its_turns_and_marks_its_milestones(chat: Thread):
    seen: list[tuple[int, GoalPhase, bool]] = []

    def note() -> None:
        seen.append((chat.state.turns, chat.phase, any(change.milestone for change in chat.changes)))

    chat.says(WISH)
    note()
    chat.hears("What features do you need?")
    note()
    chat.says("It is for React components")
    note()
    chat.hears("Here is the plan.", InfoRecorded(name="requirements", value="lists"), PlanProposed())
    note()
    chat.says("go ahead")
    note()
    chat.hears("<artifact type='react'>")
    note()
    chat.says("perfect!")
    note()

    assert seen == [
        (1, UNDERSTANDING, True),
        (2, UNDERSTANDING, False),
        (3, UNDERSTANDING, False),
        (4, PLANNING, False),
        (5, EXECUTING, True),
        (6, REVIEWING, False),
        (7, COMPLETED, True),
    ]


def test_a_thread_in_each_phase_can_be_talked_into_being():
    assert [thread(phase).phase for phase in GoalPhase] == list(GoalPhase)


@pytest.mark.req("S1-008", "S1-031")
def test_a_stated_goal_is_created_active_and_small_talk_creates_none(chat: Thread):
    assert chat.says("Hello") is GREETING
    assert chat.says(WISH) is UNDERSTANDING
    assert (chat.goal.id, chat.goal.status, chat.goal.created_at) == ("G1", GoalStatus.ACTIVE, "2")
    assert [change.reason for change in chat.changes] == ["User stated a goal"]


@pytest.mark.req("S1-026", "S1-038")
def test_a_goal_stated_with_all_it_needs_is_planned_at_once(chat: Thread):
    chat.says("I need a React component with validation")

    assert chat.path == [UNDERSTANDING, PLANNING]


@pytest.mark.req("S1-002", "S1-027", "S1-040")
def test_while_something_is_missing_the_thread_stays_in_understanding():
    chat = thread(UNDERSTANDING)

    assert chat.says("With React components") is UNDERSTANDING
    assert chat.hears("Which requirements are there?") is UNDERSTANDING
    assert [info.status for info in chat.goal.info] == [InfoStatus.PROVIDED, InfoStatus.ASKED]


@pytest.mark.req("S1-037")
def test_sounds_good_ends_understanding_and_what_is_told_with_it_is_kept():
    chat = thread(UNDERSTANDING)

    assert chat.says("Sounds good. In React") is PLANNING
    assert chat.known() == {"component_type": "React"}


@pytest.mark.req("S1-039")
def test_after_three_replies_the_next_one_plans_on_assumptions():
    chat = thread(UNDERSTANDING)
    for _ in range(3):
        assert chat.hears("And which one?") is UNDERSTANDING
        chat.says("hm")

    assert chat.hears("And which one?") is PLANNING
    assert chat.state.assuming
    assert chat.says("go ahead") is EXECUTING
    assert not chat.state.assuming


def test_the_second_goal_has_its_own_count_of_exchanges():
    chat = thread(UNDERSTANDING)
    for _ in range(MOST_QUESTIONS):
        chat.hears("And which one?")
    chat.says("never mind")

    chat.says("Build a calculator")

    assert chat.hears("Which one?") is UNDERSTANDING
    assert chat.state.exchanges == 1


@pytest.mark.req("S1-041", "S1-042", "S1-044")
@pytest.mark.parametrize("text", ["go ahead", "I approve the plan", "sounds good", "perfect!", "yes", "Looks good"])
def test_a_plan_is_approved_in_many_words(text: str):
    chat = thread(PLANNING)

    assert chat.says("I wonder about the colours") is PLANNING
    assert chat.says(text) is EXECUTING
    assert [change.milestone for change in chat.changes] == [True]


def test_a_bare_yes_answers_a_question_and_approves_nothing_while_there_is_no_plan():
    assert thread(UNDERSTANDING).says("yes") is UNDERSTANDING
    assert thread(REVIEWING).says("yes") is REVIEWING


@pytest.mark.req("S1-004", "S1-043", "S1-047")
def test_the_assistant_may_start_and_carries_on_until_it_is_done():
    chat = thread(PLANNING)

    assert chat.hears("Here is my plan. Shall I build it?") is PLANNING
    assert chat.hears("I'll build it now.") is EXECUTING
    assert chat.says("great") is EXECUTING
    assert chat.hears("Still at it.") is EXECUTING


@pytest.mark.req("S1-005", "S1-045", "S1-046")
@pytest.mark.parametrize("text", ["All done.", "<artifact type='react'>"])
def test_done_and_an_artifact_bring_the_result_to_review(text: str):
    assert thread(EXECUTING).hears(text) is REVIEWING


def test_work_begun_and_finished_in_one_reply_takes_two_hops():
    chat = thread(PLANNING)

    chat.hears("I'll build it. <artifact title='Todo'>")

    assert chat.path == [EXECUTING, REVIEWING]
    assert [change.milestone for change in chat.changes] == [True, False]
    assert chat.goal.artefacts == ("Todo",)


def test_an_artifact_without_a_plan_moves_nothing():
    assert thread(UNDERSTANDING).hears("<artifact title='Todo'>") is UNDERSTANDING


@pytest.mark.req("S1-015")
@pytest.mark.parametrize("type_", [GoalType.QUESTION_ANSWER, GoalType.EXPLORATION])
def test_an_answer_goes_to_review_and_a_question_back_does_not(type_: GoalType):
    chat = thread(UNDERSTANDING, type_)

    assert chat.hears("Which one do you mean?") is UNDERSTANDING
    assert chat.hears("It is a monoid.") is REVIEWING


def test_an_answer_after_a_plan_passes_execution():
    chat = thread(PLANNING, GoalType.QUESTION_ANSWER)

    chat.hears("It is a monoid.")

    assert chat.path == [EXECUTING, REVIEWING]
