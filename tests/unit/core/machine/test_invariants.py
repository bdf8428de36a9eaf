"""What is true of every conversation (requirements §3.2): states that may be saved, and what each other one breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation, Turn
from app.core.machine.invariants import INVARIANTS, find_broken
from app.core.state.goal import Goal, GoalPhase, GoalState, GoalStatus, GoalType
from app.core.state.interview import Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import Kind, Status, TurnState
from tests.unit.core.threads import conversation

ASKED = Question(id="1.1", kind=QuestionKind.INPUT, prompt="Which one?")
FOR_AN_OK = replace(ASKED, origin=Origin.EXTRACTION)
PLANNED = Schedule(kind=ScheduleKind.CRON, zone="Europe/Berlin", cron="0 9 * * *")
DUE = "2026-03-02T08:00:00+00:00"
GOAL = Goal(id="G1", type=GoalType.EXPLORATION, description="look around")

TALKING = [Phase.INTRO, Phase.GATHER, Phase.CLARIFY]
WORKING = [GoalPhase.UNDERSTANDING, GoalPhase.PLANNING, GoalPhase.EXECUTING, GoalPhase.REVIEWING]
RESTING = [GoalPhase.GREETING, GoalPhase.COMPLETED, GoalPhase.IDLE]


def interview(phase: Phase = Phase.GATHER, stage: Stage = Stage.DISCUSS, **values: Any) -> Conversation:
    """A component in the midst of its interview."""
    begun = conversation(kind=Kind.COMPONENT, lifecycle=Lifecycle.IN_PROGRESS, phase=phase, stage=stage)
    return replace(begun, **values)


def confirmed(**values: Any) -> Conversation:
    """A component whose extraction waits for an OK."""
    asked = interview(Phase.CONFIRM, Stage.NONE, lifecycle=Lifecycle.CONFIRMED, pending=1)
    return replace(asked, status=Status.WAITING_INPUT, question=FOR_AN_OK, **values)


def complete(**values: Any) -> Conversation:
    """A component that was approved."""
    approved = interview(Phase.CONFIRM, Stage.NONE, lifecycle=Lifecycle.COMPLETE, approved=1)
    return replace(approved, **values)


def in_background(**values: Any) -> Conversation:
    return replace(conversation(status=Status.BACKGROUND, schedule=PLANNED, next_run=DUE), **values)


def waiting(**values: Any) -> Conversation:
    return replace(conversation(status=Status.WAITING_INPUT, question=ASKED), **values)


def permitting(**values: Any) -> Conversation:
    asked = replace(ASKED, origin=Origin.PERMISSION)
    return waiting(**({"question": asked, "run": TurnState.AWAITING, "turn": Turn(id="1.1", reply=1)} | values))


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(conversation(), id="a new thread"),
        pytest.param(
            interview(Phase.INTRO, Stage.NONE, lifecycle=Lifecycle.INITIALIZING), id="a component that is being set up"
        ),
        pytest.param(interview(Phase.INTRO, lifecycle=Lifecycle.READY), id="a component that is ready"),
        pytest.param(interview(status=Status.ARCHIVED), id="archived in the midst of it"),
        pytest.param(confirmed(), id="waiting for an OK"),
        pytest.param(complete(), id="complete"),
        pytest.param(complete(phase=Phase.CLARIFY), id="closed unchanged while it was clarified"),
        pytest.param(complete(status=Status.ARCHIVED), id="complete and archived"),
        pytest.param(in_background(run=TurnState.STREAMING), id="background work under way"),
        pytest.param(waiting(), id="waiting for an answer"),
        pytest.param(waiting(schedule=PLANNED, next_run=DUE), id="waiting with paused work"),
        pytest.param(permitting(), id="a turn that waits for a permission"),
    ],
)
def test_a_state_that_conversations_really_reach_breaks_nothing(now: Conversation) -> None:
    assert find_broken(now) == ()


@pytest.mark.parametrize(
    ("now", "names"),
    [
        pytest.param(waiting(question=None), ("I1",), id="waits for nothing"),
        pytest.param(conversation(question=ASKED), ("I1",), id="a question that nobody waits for"),
        pytest.param(in_background(question=ASKED), ("I1",), id="works while a question is open"),
        pytest.param(in_background(schedule=None), ("I2",), id="background without a schedule"),
        pytest.param(in_background(next_run=""), ("I2",), id="background that is never due"),
        pytest.param(in_background(status=Status.ACTIVE), ("I2",), id="active with a schedule"),
        pytest.param(in_background(status=Status.ARCHIVED), ("I3",), id="archived with a schedule"),
        pytest.param(waiting(status=Status.ARCHIVED), ("I1", "I3"), id="archived with a question"),
        pytest.param(
            conversation(status=Status.ARCHIVED, run=TurnState.STREAMING), ("I3",), id="archived while answering"
        ),
        pytest.param(confirmed(pending=0), ("I5",), id="confirmed without an extraction"),
        pytest.param(confirmed(lifecycle=Lifecycle.IN_PROGRESS), ("I5",), id="an OK is waited for in progress"),
        pytest.param(confirmed(phase=None), ("I5",), id="confirmed outside of confirm"),
        pytest.param(interview(pending=1), ("I5",), id="an extraction that nobody is asked about"),
        pytest.param(interview(Phase.CONFIRM, Stage.NONE), ("I5",), id="confirm with nothing to confirm"),
        pytest.param(interview(lifecycle=Lifecycle.READY), ("I6",), id="ready in the midst of it"),
        pytest.param(complete(approved=0), ("I7",), id="complete without an approval"),
        pytest.param(complete(pending=2), ("I5", "I7"), id="complete while an OK is waited for"),
        pytest.param(
            complete(status=Status.WAITING_INPUT, question=FOR_AN_OK), ("I7",), id="complete and still asked for an OK"
        ),
        pytest.param(complete(stage=Stage.DISCUSS), ("I8",), id="an interview after the end"),
        pytest.param(
            permitting(run=TurnState.IDLE), ("I11",), id="a permission is asked for, and no turn waits for it"
        ),
        pytest.param(
            permitting(run=TurnState.STREAMING), ("I11",), id="a turn goes on while a permission is asked for"
        ),
        pytest.param(permitting(turn=None), ("I11",), id="a permission is asked for by no turn"),
        pytest.param(permitting(question=ASKED), ("I11",), id="a turn waits for another question"),
        pytest.param(permitting(question=None), ("I1", "I11"), id="a turn waits for nothing"),
    ],
)
def test_a_state_that_cannot_be_is_known_by_what_it_breaks(now: Conversation, names: tuple[str, ...]) -> None:
    assert find_broken(now) == names


@pytest.mark.req("S2-004")
def test_in_an_active_thread_nothing_is_planned() -> None:
    assert find_broken(conversation(status=Status.ACTIVE)) == ()
    assert find_broken(in_background(status=Status.ACTIVE)) == ("I2",)


def test_another_question_may_be_open_when_all_is_approved() -> None:
    assert find_broken(complete(status=Status.WAITING_INPUT, question=ASKED)) == ()


@pytest.mark.parametrize("stage", list(Stage))
@pytest.mark.parametrize("phase", TALKING)
def test_people_are_interviewed_in_discuss_and_in_no_other_stage(phase: Phase, stage: Stage) -> None:
    assert find_broken(interview(phase, stage)) == (() if stage is Stage.DISCUSS else ("I8",))


@pytest.mark.parametrize("stage", list(Stage))
def test_extract_is_always_in_a_stage_and_confirm_in_none(stage: Stage) -> None:
    assert find_broken(interview(Phase.EXTRACT, stage)) == (("I8",) if stage is Stage.NONE else ())
    assert find_broken(confirmed(stage=stage)) == (() if stage is Stage.NONE else ("I8",))


@pytest.mark.parametrize("lifecycle", [Lifecycle.READY, Lifecycle.IN_PROGRESS])
def test_a_free_thread_has_neither_phase_nor_stage(lifecycle: Lifecycle) -> None:
    assert find_broken(conversation(lifecycle=lifecycle)) == ()
    assert find_broken(conversation(lifecycle=lifecycle, stage=Stage.DISCUSS)) == ("I8",)


@pytest.mark.parametrize(("lifecycle", "name"), [(Lifecycle.CONFIRMED, "I5"), (Lifecycle.COMPLETE, "I7")])
def test_a_free_thread_is_never_confirmed_or_complete(lifecycle: Lifecycle, name: str) -> None:
    assert find_broken(conversation(lifecycle=lifecycle)) == (name,)


@pytest.mark.parametrize("phase", WORKING)
def test_a_thread_that_works_has_a_goal_that_has_not_ended(phase: GoalPhase) -> None:
    ended = [replace(GOAL, status=status) for status in GoalStatus if status is not GoalStatus.ACTIVE]
    assert find_broken(conversation(goals=GoalState(phase=phase, goal=GOAL))) == ()
    for goal in (None, *ended):
        assert find_broken(conversation(goals=GoalState(phase=phase, goal=goal))) == ("I10",)


@pytest.mark.parametrize("phase", RESTING)
def test_a_thread_that_rests_has_no_goal(phase: GoalPhase) -> None:
    assert find_broken(conversation(goals=GoalState(phase=phase))) == ()
    assert find_broken(conversation(goals=GoalState(phase=phase, goal=GOAL))) == ("I10",)


def test_of_a_component_the_goal_tells_nothing() -> None:
    assert find_broken(interview(goals=GoalState(phase=GoalPhase.PLANNING))) == ()


def test_all_that_is_broken_is_named_in_order() -> None:
    wrecked = interview(
        lifecycle=Lifecycle.COMPLETE, status=Status.ARCHIVED, question=FOR_AN_OK, pending=1, run=TurnState.STREAMING
    )
    assert find_broken(wrecked) == ("I1", "I3", "I5", "I7", "I8")
    assert list(INVARIANTS) == ["I1", "I2", "I3", "I5", "I6", "I7", "I8", "I10", "I11"]
