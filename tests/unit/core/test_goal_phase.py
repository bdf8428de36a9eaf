"""The tables of goals: complete, and never leading where T5 says they never lead."""

import pytest

from app.core.errors import IllegalEvent
from app.core.state.goal import (
    ENDS,
    GOAL_STATUS,
    INFO_STATUS,
    INITIAL,
    MILESTONES,
    PASSED,
    REASONS,
    TABLE,
    WORKING,
    GoalEvent,
    GoalPhase,
    GoalStatus,
    GoalStatusEvent,
    InfoEvent,
    InfoStatus,
)
from app.core.state.table import Refused, find_next_state

param, mark = pytest.param, pytest.mark
_, UNDERSTANDING, PLANNING, EXECUTING, REVIEWING, *_ = GoalPhase
EVERY = [(event, phase) for event in GoalEvent for phase in GoalPhase]


def step(phase: GoalPhase, event: GoalEvent) -> GoalPhase:
    return find_next_state(TABLE, phase, event) or phase


def arrows() -> set[tuple[GoalPhase, GoalPhase]]:
    cells = {(phase, row[phase]) for row in TABLE.values() for phase in GoalPhase}
    return {(before, after) for before, after in cells if isinstance(after, GoalPhase) and after is not before}


def test_every_event_says_something_of_every_state_and_has_a_reason():
    assert set(TABLE) == set(REASONS) == set(GoalEvent)
    assert all(set(row) == set(GoalPhase) for row in TABLE.values())
    assert set(GOAL_STATUS) == set(GoalStatusEvent)
    assert all(set(row) == set(GoalStatus) for row in GOAL_STATUS.values())
    assert set(INFO_STATUS) == set(InfoEvent)
    assert all(set(row) == set(InfoStatus) for row in INFO_STATUS.values())


def test_every_refusal_is_an_illegal_event():
    assert {cell.code for row in TABLE.values() for cell in row.values() if isinstance(cell, Refused)} == {"ILLEGAL"}


@pytest.mark.req("S1-001")
def test_a_thread_begins_with_a_greeting_and_can_come_to_every_phase():
    reached = {INITIAL}
    while more := {after for before, after in arrows() if before in reached} - reached:
        reached |= more

    assert INITIAL is GoalPhase.GREETING
    assert reached == set(GoalPhase)


def test_nothing_leads_where_it_never_leads():
    at_rest = {GoalPhase.GREETING, GoalPhase.IDLE}
    beyond = {GoalPhase.PLANNING, GoalPhase.EXECUTING, GoalPhase.REVIEWING, GoalPhase.COMPLETED}
    never = {(before, after) for before in at_rest for after in beyond}
    never |= {(GoalPhase.COMPLETED, GoalPhase.EXECUTING), (GoalPhase.REVIEWING, GoalPhase.PLANNING)}

    assert not arrows() & never


@pytest.mark.req("S1-008", "S1-051")
@pytest.mark.parametrize("phase", list(GoalPhase))
def test_a_stated_goal_is_first_understood(phase: GoalPhase):
    assert step(phase, GoalEvent.GOAL_STATED) is GoalPhase.UNDERSTANDING


@pytest.mark.req("S1-014")
def test_from_completed_the_greeting_is_passed():
    assert PASSED == {(GoalPhase.COMPLETED, GoalPhase.UNDERSTANDING): GoalPhase.GREETING}


@pytest.mark.parametrize(
    ("phase", "event", "after"),
    [
        param(UNDERSTANDING, GoalEvent.INFO_COMPLETE, PLANNING, marks=mark.req("S1-009")),
        param(UNDERSTANDING, GoalEvent.ASKED_ENOUGH, PLANNING, marks=mark.req("S1-009")),
        param(UNDERSTANDING, GoalEvent.ANSWER_GIVEN, REVIEWING, marks=mark.req("S1-015"), id="an answer needs no plan"),
        param(UNDERSTANDING, GoalEvent.ANSWER_STARTED, UNDERSTANDING, id="nor does work on an answer"),
        param(PLANNING, GoalEvent.APPROVED, EXECUTING, marks=mark.req("S1-010")),
        param(PLANNING, GoalEvent.WORK_STARTED, EXECUTING, marks=mark.req("S1-010")),
        param(EXECUTING, GoalEvent.WORK_FINISHED, REVIEWING, marks=mark.req("S1-011")),
        param(REVIEWING, GoalEvent.CHANGES_WANTED, UNDERSTANDING, marks=mark.req("S1-012")),
        param(REVIEWING, GoalEvent.SATISFIED, GoalPhase.COMPLETED, marks=mark.req("S1-013")),
        param(GoalPhase.IDLE, GoalEvent.GOAL_RESUMED, UNDERSTANDING, marks=mark.req("S1-017")),
        param(GoalPhase.IDLE, GoalEvent.PERSON_SPOKE, GoalPhase.GREETING, marks=mark.req("S1-017")),
    ],
)
def test_what_happens_to_a_goal_leads_where_it_must(phase: GoalPhase, event: GoalEvent, after: GoalPhase):
    assert step(phase, event) is after


@pytest.mark.req("S1-015")
@pytest.mark.parametrize("event", [GoalEvent.WORK_STARTED, GoalEvent.WORK_FINISHED])
def test_work_needs_a_plan(event: GoalEvent):
    with pytest.raises(IllegalEvent, match="ILLEGAL"):
        step(UNDERSTANDING, event)


@pytest.mark.req("S1-016")
@pytest.mark.parametrize("phase", list(GoalPhase))
def test_a_dropped_goal_and_silence_end_idle_from_everywhere(phase: GoalPhase):
    assert step(phase, GoalEvent.DROPPED) is GoalPhase.IDLE
    assert step(phase, GoalEvent.IDLED) is GoalPhase.IDLE
    assert step(phase, GoalEvent.IDLED_BUSY) is phase


@pytest.mark.req("S1-040", "S1-044", "S1-047")
@pytest.mark.parametrize("phase", [each for each in GoalPhase if each is not GoalPhase.IDLE])
def test_talk_alone_changes_no_phase(phase: GoalPhase):
    assert step(phase, GoalEvent.PERSON_SPOKE) is step(phase, GoalEvent.ASSISTANT_SPOKE) is phase


def test_what_the_milestones_and_the_working_phases_are():
    assert {GoalPhase.UNDERSTANDING, GoalPhase.EXECUTING, GoalPhase.COMPLETED} == MILESTONES
    assert set(GoalPhase) - WORKING == {GoalPhase.GREETING, GoalPhase.COMPLETED, GoalPhase.IDLE}


@pytest.mark.parametrize(("event", "phase"), EVERY)
def test_whatever_leaves_the_working_phases_ends_the_goal(event: GoalEvent, phase: GoalPhase):
    after = TABLE[event][phase]

    if isinstance(after, GoalPhase) and phase in WORKING and after not in WORKING:
        assert event in ENDS


@pytest.mark.req("S1-032")
def test_a_goal_ends_once():
    assert find_next_state(GOAL_STATUS, GoalStatus.ACTIVE, GoalStatusEvent.COMPLETED) is GoalStatus.COMPLETED
    assert find_next_state(GOAL_STATUS, GoalStatus.ACTIVE, GoalStatusEvent.ABANDONED) is GoalStatus.ABANDONED
    for event in GoalStatusEvent:
        for over in (GoalStatus.COMPLETED, GoalStatus.ABANDONED):
            with pytest.raises(IllegalEvent):
                find_next_state(GOAL_STATUS, over, event)


@pytest.mark.req("S1-035")
def test_information_becomes_asked_and_provided_and_stays_provided():
    assert find_next_state(INFO_STATUS, InfoStatus.UNKNOWN, InfoEvent.ASKED) is InfoStatus.ASKED
    assert all(find_next_state(INFO_STATUS, status, InfoEvent.PROVIDED) is InfoStatus.PROVIDED for status in InfoStatus)
    assert find_next_state(INFO_STATUS, InfoStatus.PROVIDED, InfoEvent.ASKED) is None
