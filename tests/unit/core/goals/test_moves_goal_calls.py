"""What the model may say about a goal by calling a tool, and what it is told when it may not."""

import pytest

from app.core.errors import IllegalEvent
from app.core.goals.moves import ADVICE, apply_call
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
from tests.unit.core.goal_threads import Thread, thread

GREETING, UNDERSTANDING, PLANNING, EXECUTING, REVIEWING, COMPLETED, IDLE = GoalPhase
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
