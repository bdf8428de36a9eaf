"""What people are told of a goal: plain words, and nothing of how it is stored."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.goals.status_line import describe_goal, name_goal
from app.core.state.goal import Goal, GoalPhase, GoalType, InfoStatus
from tests.unit.core.goal_threads import thread

TYPES = st.sampled_from(GoalType)


def goal(description: str) -> Goal:
    return Goal(id="G1", type=GoalType.ARTIFACT_CREATION, description=description)


@pytest.mark.req("AG-17")
@pytest.mark.parametrize(
    ("phase", "told"),
    [
        (GoalPhase.UNDERSTANDING, "Finding out what you need for the todo app; waiting for your words"),
        (GoalPhase.PLANNING, "Planning the todo app; waiting for your OK"),
        (GoalPhase.EXECUTING, "Working on the todo app; say *go on* to continue"),
        (GoalPhase.REVIEWING, "The result for the todo app is shown; waiting for what you think of it"),
        (GoalPhase.GREETING, "Nothing is under way. Tell me what you would like to do."),
    ],
)
def test_people_read_in_a_sentence_what_goes_on_and_who_has_the_next_move(phase: GoalPhase, told: str) -> None:
    assert describe_goal(thread(phase).state, is_waiting=True).splitlines()[0] == told


@pytest.mark.req("AG-17")
def test_nobody_is_said_to_be_waited_for_while_something_goes_on() -> None:
    assert describe_goal(thread(GoalPhase.PLANNING).state, is_waiting=False).splitlines()[0] == "Planning the todo app"


@pytest.mark.req("AG-17")
@given(phase=st.sampled_from(GoalPhase), type_=TYPES, is_waiting=st.booleans())
def test_no_word_for_people_is_one_of_our_own(phase: GoalPhase, type_: GoalType, is_waiting: bool) -> None:
    told = describe_goal(thread(phase, type_).state, is_waiting=is_waiting)
    ours = {*GoalPhase, *GoalType, *InfoStatus, "component_type", "desired_change", "G1"}
    assert ours.isdisjoint(re.findall(r"\w+", told))
    assert not re.search(r"\d|paused|_", told, re.IGNORECASE)


@pytest.mark.req("AG-16")
def test_people_read_what_was_learned_and_what_is_still_needed() -> None:
    chat = thread(GoalPhase.UNDERSTANDING)
    chat.says("With React components")
    assert describe_goal(chat.state, is_waiting=True).splitlines()[1:] == [
        "Known so far: Type of component: React",
        "Still needed: Requirements",
    ]


def test_people_read_what_was_made_and_what_ended() -> None:
    chat = thread(GoalPhase.REVIEWING)
    assert "📎 Made: First" in describe_goal(chat.state, is_waiting=True)
    chat.is_silent()
    assert describe_goal(chat.state, is_waiting=True).splitlines()[1:] == ["✓ Build a todo app (delivered)"]


@pytest.mark.req("AG-14", "AG-17")
def test_people_read_how_a_goal_that_was_left_in_silence_goes_on() -> None:
    chat = thread(GoalPhase.EXECUTING)
    chat.is_silent()
    assert (
        describe_goal(chat.state, is_waiting=True) == "I left off at the todo app. Say *go on*, and I take it up again."
    )
    assert describe_goal(chat.state, is_waiting=False) == "✗ Build a todo app (no longer pursued)"


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("Build a calculator", "the calculator"),
        ("Write me an offer for Ada", "the offer for Ada"),
        ("Draft our newsletter", "the newsletter"),
        ("Fix the login page", "“Fix the login page”"),
        ("Write a haiku, and open tickets", "“Write a haiku, and open tickets”"),
        ("What is a monad?", "“What is a monad?”"),
    ],
)
def test_a_goal_is_named_as_people_speak_of_it(description: str, name: str) -> None:
    assert name_goal(goal(description)) == name
