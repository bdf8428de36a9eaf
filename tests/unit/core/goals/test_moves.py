"""Free threads and their goals as they are talked about and called for: the seed's conversations, every branch."""

import pytest

from app.core.errors import IllegalEvent
from app.core.goals.moves import ADVICE, MOST_QUESTIONS, apply_call
from app.core.state.goal import (
    Call,
    ChangesWanted,
    GoalChange,
    GoalDropped,
    GoalNamed,
    GoalPhase,
    GoalState,
    GoalStatus,
    GoalType,
    InfoAsked,
    InfoRecorded,
    InfoStatus,
    PlanProposed,
    Satisfied,
    WorkFinished,
    WorkStarted,
)
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


NAMED = GoalNamed(type=GoalType.TASK_EXECUTION, description="tidy\nup the docs.", info=(("place", "Where"),))


def call(state: GoalState, *calls: Call) -> GoalChange:
    moved = GoalChange(state=state)
    for each in calls:
        moved = apply_call(moved.state, each, "now")
    return moved


@pytest.mark.parametrize("phase", list(GoalPhase))
def test_naming_a_goal_starts_understanding_and_abandons_the_one_before(phase: GoalPhase):
    chat = thread(phase)
    chat.hears()
    before = chat.state

    after = call(before, NAMED).state

    assert after.phase is UNDERSTANDING
    assert after.goal
    assert (after.goal.description, after.goal.created_at) == ("Tidy up the docs", "now")
    assert [each.status for each in after.completed[len(before.completed) :]] == (
        [GoalStatus.ABANDONED] if before.goal else []
    )


def test_a_switch_within_understanding_is_no_milestone():
    chat = thread(UNDERSTANDING)
    chat.hears()

    assert [change.milestone for change in call(chat.state, NAMED).changes] == [False]


def test_a_goal_put_right_keeps_what_is_known_of_it():
    chat = Thread()
    chat.says("I want to build a todo app in React")
    wanted = GoalNamed(
        type=GoalType.ARTIFACT_CREATION,
        description="Build it",
        info=(("component_type", "Kind of\nthing"), ("deadline", "Deadline")),
    )

    goal = call(chat.state, wanted).state.goal

    assert goal
    assert [(info.name, info.label, info.value) for info in goal.info] == [
        ("component_type", "Kind of thing", "React"),
        ("deadline", "Deadline", ""),
    ]


def test_information_is_asked_recorded_and_completes_understanding():
    state = thread(UNDERSTANDING).state

    asked = call(state, InfoAsked(name="requirements")).state
    assert asked.goal
    assert asked.goal.info[1].status is InfoStatus.ASKED
    half = call(asked, InfoRecorded(name="requirements", value="lists\nand more.")).state
    assert half.goal
    assert (half.phase, half.goal.info[1].value) == (UNDERSTANDING, "Lists and more")
    moved = call(half, InfoRecorded(name="component_type", value="React"))
    assert moved.state.phase is PLANNING
    assert [change.reason for change in moved.changes] == ["Gathered sufficient information"]


def test_what_is_provided_stays_so_when_asked_again_and_takes_a_correction():
    known = call(thread(UNDERSTANDING).state, InfoRecorded(name="requirements", value="Lists")).state

    after = call(known, InfoAsked(name="requirements")).state
    assert after == known
    corrected = call(after, InfoRecorded(name="requirements", value="Tables")).state
    assert corrected.goal
    assert corrected.goal.info[1].value == "Tables"


@pytest.mark.parametrize(
    ("phase", "words"), [(UNDERSTANDING, "component_type, requirements"), (GREETING, "Needed: nothing")]
)
def test_information_that_is_not_needed_is_refused_with_what_is(phase: GoalPhase, words: str):
    with pytest.raises(IllegalEvent, match=words) as refused:
        call(thread(phase).state, InfoRecorded(name="budget", value="500"))
    assert refused.value.code == "ILLEGAL"


@pytest.mark.req("S1-003")
def test_a_plan_waits_until_all_is_known_but_not_where_nothing_is_required():
    assert call(thread(UNDERSTANDING).state, PlanProposed()).state.phase is UNDERSTANDING
    assert call(thread(UNDERSTANDING, GoalType.QUESTION_ANSWER).state, PlanProposed()).state.phase is PLANNING
    assert call(thread(PLANNING).state, PlanProposed()).state.phase is PLANNING
    assert call(GoalState(), PlanProposed()).state.phase is GREETING


def test_changes_with_all_information_kept_are_planned_when_the_model_says_so():
    chat = Thread()
    chat.says("I need a React component with validation")
    chat.says("Please make it blue")

    assert call(chat.state, PlanProposed()).state.phase is PLANNING


def test_the_whole_work_can_be_called_in_one_turn():
    moved = call(thread(PLANNING).state, WorkStarted(), WorkFinished(artefacts=("Todo",)), Satisfied())

    assert moved.state.phase is COMPLETED
    assert moved.state.completed[-1].artefacts == ("Todo",)


def test_work_on_an_answer_needs_no_plan():
    moved = call(thread(UNDERSTANDING, GoalType.QUESTION_ANSWER).state, WorkStarted(), WorkFinished())

    assert moved.state.phase is REVIEWING


@pytest.mark.parametrize(
    ("phase", "refused"),
    [
        *((phase, WorkStarted()) for phase in (GREETING, UNDERSTANDING, REVIEWING, COMPLETED, IDLE)),
        *((phase, WorkFinished()) for phase in (GREETING, UNDERSTANDING, COMPLETED, IDLE)),
        (COMPLETED, PlanProposed()),
        (IDLE, PlanProposed()),
    ],
)
def test_what_cannot_be_is_refused_with_advice(phase: GoalPhase, refused: Call):
    chat = thread(phase)
    if phase is UNDERSTANDING:
        chat.hears("What are the requirements?")
    with pytest.raises(IllegalEvent) as raised:
        call(chat.state, refused)
    assert str(raised.value) == f"ILLEGAL {ADVICE[phase]}"


def test_there_is_advice_for_every_phase():
    assert set(ADVICE) == set(GoalPhase)


def test_dropping_content_and_changes_are_understood_by_the_model_too():
    assert call(thread(EXECUTING).state, GoalDropped()).state.phase is IDLE
    assert call(thread(REVIEWING).state, Satisfied()).state.phase is COMPLETED
    assert call(thread(PLANNING).state, Satisfied()).state.phase is EXECUTING
    assert call(thread(REVIEWING).state, ChangesWanted()).state.phase is UNDERSTANDING


@pytest.mark.parametrize("phase", [COMPLETED, IDLE])
def test_changes_wanted_at_rest_take_the_last_goal_up_again(phase: GoalPhase):
    chat = thread(COMPLETED)
    if phase is IDLE:
        chat.says("bye")

    after = call(chat.state, ChangesWanted()).state

    assert after.goal
    assert (after.phase, after.goal.id) == (UNDERSTANDING, "G2")


def test_changes_wanted_of_nothing_change_nothing():
    assert call(GoalState(), ChangesWanted()).state == GoalState()
