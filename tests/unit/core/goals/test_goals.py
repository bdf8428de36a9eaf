"""Goals in a conversation: moved by words, calls and silence, with every hop in the trail (T5, C-25)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.audit import AuditType
from app.core.conversation.conversation import Conversation
from app.core.conversation.effect import PublishHome
from app.core.goals.goals import describe, follow_call, read_home_state
from app.core.state.goal import (
    GoalDropped,
    GoalNamed,
    GoalPhase,
    GoalState,
    GoalStatus,
    GoalType,
    InfoRecorded,
    PlanProposed,
    WorkFinished,
    WorkStarted,
)
from app.core.state.status import Kind
from app.core.turns.directive import ASSUMING, LEAVING, RESUMED
from tests.unit.core.live import CHOICE, Live
from tests.unit.core.lives import in_background, waiting
from tests.unit.core.threads import THREAD, conversation

WISH = "I want to build a todo app"
NAMED = GoalNamed(type=GoalType.ARTIFACT_CREATION, description="A rota", info=(("weeks", "Weeks"),))


def pursuing() -> Live:
    return Live().says(WISH).replies("What kind?")


def hops(live: Live) -> list[str]:
    return [after for _, after in live.path("goal_transition")]


@pytest.mark.req("S1-009", "S1-010", "S1-011")
def test_a_goal_goes_its_way_by_calls_and_words_and_each_hop_is_in_the_trail() -> None:
    live = Live()
    assert hops(live.says("Hi").replies("What for?", NAMED)) == ["understanding"]
    assert hops(live.says("52").replies("Noted.", InfoRecorded(name="weeks", value="52"))) == ["planning"]
    assert hops(live.says("Well?").replies("My plan: …", PlanProposed())) == []
    assert hops(live.says("go ahead")) == ["executing"]
    assert hops(live.replies("Here it is.", WorkStarted(), WorkFinished(summary="s", artefacts=("rota",)))) == [
        "reviewing"
    ]
    assert hops(live.says("Perfect!")) == ["completed"]
    assert [goal.status for goal in live.now.goals.completed] == [GoalStatus.COMPLETED]


@pytest.mark.req("S1-029")
def test_the_trail_tells_why_and_whether_it_was_a_milestone() -> None:
    (line,) = [event for event in Live().says(WISH).made.audit if event.type is AuditType.GOAL_TRANSITION]
    assert (line.reason, line.counts, line.correlation) == ("User stated a goal", {"milestone": 1}, "r1")


def test_hops_that_are_passed_in_one_step_are_both_in_the_trail() -> None:
    finished = GoalState(phase=GoalPhase.COMPLETED)
    live = Live(conversation(goals=finished)).says("I want to build a blog")
    assert live.path("goal_transition") == [("completed", "greeting"), ("greeting", "understanding")]


@pytest.mark.req("S1-057")
def test_silence_abandons_the_goal_and_nobody_is_told() -> None:
    live = pursuing().wait(10).is_quiet()
    assert (live.now.goals.phase, live.now.goals.goal) == (GoalPhase.IDLE, None)
    assert [goal.status for goal in live.now.goals.completed] == [GoalStatus.ABANDONED]
    assert live.made.messages == ()
    assert {type(effect) for effect in live.now.effects} == {PublishHome}
    assert hops(live) == ["idle"]


@pytest.mark.req("S1-016")
def test_a_message_after_long_silence_is_handled_from_idle_though_no_sweep_found_it() -> None:
    live = pursuing().wait(10).says("I want to build a blog", was_idle=True)
    assert hops(live) == ["idle", "understanding"]
    assert live.now.goals.goal
    assert "blog" in live.now.goals.goal.description
    assert [goal.status for goal in live.now.goals.completed] == [GoalStatus.ABANDONED]


def test_a_message_without_a_goal_takes_up_the_one_that_was_left_and_says_so_once() -> None:
    for live in (
        pursuing().wait(10).is_quiet().says("As I said"),
        pursuing().wait(10).says("As I said", was_idle=True),
    ):
        assert live.now.goals.goal
        assert "todo app" in live.now.goals.goal.description
        assert RESUMED in live.reply.directive
        assert RESUMED not in live.replies().says("Go on").reply.directive


@pytest.mark.req("AG-17")
@pytest.mark.parametrize("live", [waiting(CHOICE), in_background()], ids=["waiting", "in the background"])
def test_who_waits_for_an_answer_or_a_schedule_is_not_silent(live: Live) -> None:
    goals = pursuing().now.goals
    live.now = replace(live.now, goals=goals)
    assert live.now.goals.goal
    assert hops(live.says("Hm.", was_idle=True)) == []


@pytest.mark.req("S1-039")
def test_after_more_than_three_replies_without_enough_the_model_is_told_to_plan() -> None:
    live = pursuing()
    for _ in range(3):
        live.says("Hm.").replies("And what else?")
    assert live.now.goals.phase is GoalPhase.PLANNING
    assert ASSUMING in live.says("Hm.").reply.directive


def test_goodbye_in_the_midst_of_work_is_asked_about() -> None:
    live = pursuing().says("sounds good").replies().says("go ahead").replies("Working on it.").says("bye")
    assert live.now.goals.phase is GoalPhase.EXECUTING
    assert LEAVING in live.reply.directive


@pytest.mark.req("S1-028")
def test_every_message_of_either_side_counts() -> None:
    assert Live().talks().talks().now.goals.turns == 4


def test_a_call_that_cannot_be_any_more_is_in_the_trail_and_moves_nothing() -> None:
    live = Live().says("Hi").replies("x", WorkStarted())
    assert live.now.goals.phase is GoalPhase.GREETING
    assert [(event.type, event.reason) for event in live.made.audit[-1:]] == [(AuditType.ILLEGAL_TRANSITION, "ILLEGAL")]


@pytest.mark.req("S1-058", "S1-062")
def test_the_summary_tells_the_goals_that_ended_and_how() -> None:
    live = pursuing().says("never mind")
    assert describe(live.now).splitlines()[-1].startswith("✗ ")
    assert "Completed Goals: 1" in live.reply.directive


def test_what_home_shows_changes_with_everything_that_people_see_there() -> None:
    live = Live().talks()
    line = read_home_state(live.now)
    assert read_home_state(live.talks().now) == line
    for other in (pursuing(), waiting(), in_background(), Live().archives()):
        assert read_home_state(other.now) != line


def test_in_a_step_of_a_decision_no_call_changes_a_goal() -> None:
    step = Conversation(id="c1", thread=THREAD, owner="U1", kind=Kind.COMPONENT)
    assert follow_call(step, GoalDropped(), "1.0", "cause").conversation == step
