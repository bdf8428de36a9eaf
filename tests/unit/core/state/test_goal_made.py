"""What tools make outside belongs to the goal, and is told with the result that is put up for review."""

from __future__ import annotations

import pytest

from app.core.conversation.call import Call
from app.core.conversation.conversation import Message, MessageStatus
from app.core.goals.goals import add_tool_outputs
from app.core.state.goal import (
    MOST_MADE,
    GoalNamed,
    GoalPhase,
    GoalType,
    InfoRecorded,
    PlanProposed,
    WorkFinished,
    WorkStarted,
    list_goal_outputs,
    summarize_goals,
)
from app.core.state.tool_use import ToolOutput, Use, UseState
from tests.unit.core.live import Live
from tests.unit.core.lives import use
from tests.unit.core.threads import conversation

NAMED = GoalNamed(type=GoalType.QUESTION_ANSWER, description="What a rota costs")
FINISHED = WorkFinished(artefacts=("rota", "Summary"))
ROTA = ToolOutput(name="Rota.csv", address="https://acme.example/files/F1")
POST = ToolOutput(name="message in #ops")


def filed(thing: ToolOutput = ROTA, state: UseState = UseState.DONE, id_: str = "t1") -> Use:
    return use(id_, state, makes=thing.name, address=thing.address)


def pursuing() -> Live:
    """Somebody wants something, and the model is at it."""
    return Live().talks("Tell me about rotas", NAMED).says("Go on")


def made(live: Live) -> tuple[ToolOutput, ...]:
    assert live.now.goals.goal
    return live.now.goals.goal.made


def told(live: Live) -> tuple[ToolOutput, ...]:
    """What the newest reply puts up for review."""
    rows: list[Message] = [row for row in live.transcript if row.status is not MessageStatus.STREAMING]
    return rows[-1].made


def test_what_was_made_in_any_round_is_told_with_the_result_beside_what_the_model_names() -> None:
    live = pursuing().reports(filed()).reports(filed(POST, id_="t2")).replies("Here.", FINISHED)
    assert live.now.goals.phase is GoalPhase.REVIEWING
    assert told(live) == (ROTA, POST, ToolOutput(name="Summary"))
    assert made(live) == (ROTA, POST)
    assert "Artefacts:\n    Rota.csv\n    message in #ops\n    Summary" in summarize_goals(live.now.goals)


def test_what_was_made_in_earlier_answers_is_told_when_the_work_is_finished_and_not_before() -> None:
    task = GoalNamed(type=GoalType.TASK_EXECUTION, description="Make a rota")
    known = (InfoRecorded(name="target", value="the rota"), InfoRecorded(name="desired_change", value="March"))
    live = Live().says("Hm").replies("On it.", task, *known, PlanProposed(), WorkStarted()).says("Go on")
    live.reports(filed()).replies("More to come.")
    assert (live.now.goals.phase, made(live), told(live)) == (GoalPhase.EXECUTING, (ROTA,), ())
    live.says("And?").replies("There.", WorkFinished())
    assert (live.now.goals.phase, told(live)) == (GoalPhase.REVIEWING, (ROTA,))


def test_what_is_made_while_a_result_is_under_review_is_told_again_and_else_nothing_is() -> None:
    live = pursuing().replies("Here.", FINISHED)
    assert told(live) == (ToolOutput(name="rota"), ToolOutput(name="Summary"))
    assert told(live.says("Who drives?").replies("Sam.")) == ()
    live.says("And as a file?").reports(filed()).replies("There.")
    assert told(live) == (ROTA, ToolOutput(name="Summary"))


def test_a_goal_that_is_named_after_the_file_was_made_in_the_same_answer_has_it() -> None:
    live = Live().says("Kannst du das?").reports(filed()).replies("Hier.", NAMED, FINISHED)
    assert told(live) == (ROTA, ToolOutput(name="Summary"))


def test_what_failed_or_was_only_begun_or_leaves_nothing_was_not_made() -> None:
    failed = Use(id="t1", tool="x", input="{}", state=UseState.DONE, failed=True, makes="Rota.csv")
    live = pursuing().reports(failed, filed(POST, UseState.STARTED, "t2"), use("t3", UseState.DONE))
    assert made(live.replies("Well.")) == ()


def test_what_was_made_before_the_answer_broke_off_was_made() -> None:
    assert made(pursuing().reports(filed()).stops()) == (ROTA,)
    waiting = pursuing().reports(filed(), use("t2", UseState.ASKED)).posts_cards()
    assert made(waiting.clicks("2")) == (ROTA,)


def test_without_a_goal_nothing_is_kept_and_of_a_long_list_the_newest() -> None:
    live = Live().says("Hi").reports(filed()).replies("There.")
    assert (live.now.goals.goal, told(live)) == (None, ())
    many = tuple(ToolOutput(name=str(number)) for number in range(MOST_MADE + 1))
    state = add_tool_outputs(pursuing().now, many)
    assert state.goals.goal
    assert state.goals.goal.made == many[1:]
    assert add_tool_outputs(conversation(), many) == conversation()


def test_what_is_named_twice_is_told_once() -> None:
    live = pursuing().replies("Here.", WorkFinished(artefacts=("A", "A", "rota")))
    assert live.now.goals.goal
    assert list_goal_outputs(live.now.goals.goal) == (ToolOutput(name="A"), ToolOutput(name="rota"))


LONG = "rota " * 10_000


@pytest.mark.parametrize(
    ("text", "calls"),
    [("Here.", (NAMED, WorkFinished(artefacts=(LONG,)))), (f'<artifact title="{LONG}">', ())],
    ids=["told by a call", "told in words"],
)
def test_a_name_as_long_as_a_book_is_cut(text: str, calls: tuple[Call, ...]) -> None:
    live = Live().talks("Tell me about rotas", NAMED).says("Go on").replies(text, *calls)
    assert live.now.goals.goal is not None
    (name,) = live.now.goals.goal.artefacts
    assert (name[:5], len(name)) == ("rota ", 200)
