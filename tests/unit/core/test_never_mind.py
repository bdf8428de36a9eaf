"""What "never mind" and its like end: question, pause, turn and goal (T1, T5, T6); and what came too late to end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.call import Call
from app.core.conversation.card import PermissionCard, QuestionCard
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import FinishReply, ShowCard
from app.core.events.acts import StopRequested
from app.core.machine import apply
from app.core.state.goal import GoalPhase, GoalStatus
from app.core.state.permission import PermissionChoice
from app.core.state.question import Origin, QuestionState
from app.core.state.status import Status, TurnState
from tests.unit.core.live import AT_ONCE, CHOICE, DAILY, INPUT, Live
from tests.unit.core.lives import in_background, permitting, waiting
from tests.unit.core.runs import failed_often, fails, running, runs_and_fails
from tests.unit.core.situations import STATES
from tests.unit.core.threads import OTHER

WISH = "I want to build a todo app"
WAIT = str([*PermissionChoice].index(PermissionChoice.WAIT))


@pytest.mark.req("AG-13")
@pytest.mark.parametrize("text", ["Never mind", "forget it", "Please cancel that", "drop it, I found it myself"])
@pytest.mark.parametrize("begun", STATES.values(), ids=STATES)
def test_whatever_went_on_never_mind_leaves_no_question_no_turn_and_no_goal(begun: type[Live], text: str) -> None:
    live = begun()
    was, event = live.now.turn, live.message(text)
    is_asked_to_approve = live.now.question is not None and live.now.question.origin is Origin.EXTRACTION
    if apply.find_refusal(live.now, event, live.facts(event)) or live.now.decision or is_asked_to_approve:
        return
    live.apply(event, event.receipt)
    assert live.now.question is None
    assert live.now.status is not Status.WAITING_INPUT
    assert live.now.goals.goal is None
    assert was is None or live.now.turn is None or live.now.turn.id != was.id
    assert live.now.run is TurnState.STREAMING, "it is answered"


@pytest.mark.req("AG-13")
def test_never_mind_withdraws_the_open_question_and_closes_its_card() -> None:
    live = waiting(INPUT).says("Never mind")
    assert live.card(QuestionCard).state is QuestionState.CANCELLED
    assert live.now.question is None


@pytest.mark.req("AG-13")
def test_never_mind_while_an_answer_is_written_stops_it_and_drops_its_goal() -> None:
    live = Live().says(WISH)
    first = live.reply.seq
    live.says("never mind")
    assert live.rows[first].status is MessageStatus.CANCELLED
    assert live.now.goals.phase is GoalPhase.IDLE
    assert [goal.status for goal in live.now.goals.completed] == [GoalStatus.ABANDONED]
    assert live.reply.seq > first
    assert live.now.queued == (), "nothing is left that it would have to wait for"


@pytest.mark.req("AG-13")
def test_never_mind_at_a_permission_does_nothing_of_it_and_closes_its_card() -> None:
    live = permitting()
    held = live.reply.seq
    live.says("never mind")
    assert live.card(PermissionCard).withdrawn
    assert live.rows[held].status is MessageStatus.CANCELLED


@pytest.mark.parametrize(("said", "lines"), [({}, 0), ({"parts": ("9.9",)}, 1), ({"text": "I post it."}, 1)])
def test_never_mind_needs_no_line_for_a_turn_that_has_shown_nothing(said: dict[str, Any], lines: int) -> None:
    live = permitting()
    held = live.reply
    event = live.message("never mind")
    live.apply(event, event.receipt, closed_reply=replace(held, status=MessageStatus.CANCELLED, **{"text": "", **said}))
    assert [effect.reply for effect in live.new(FinishReply)] == [held.seq] * lines
    assert live.now.offering == 0


@pytest.mark.req("AG-13")
def test_never_mind_ends_a_pause_without_being_taken_as_what_to_do_instead() -> None:
    live = permitting().clicks(WAIT).posts_cards()
    assert live.now.question is not None
    assert live.now.question.origin is Origin.INTERRUPT
    live.says("never mind")
    assert live.card(QuestionCard).state is QuestionState.CANCELLED


@pytest.mark.req("AG-13")
def test_never_mind_ends_a_run_under_way_and_keeps_its_schedule() -> None:
    live = running().says("never mind")
    assert (live.now.planned, live.now.status, live.now.schedule is not None) == (0, Status.BACKGROUND, True)


@pytest.mark.req("AG-13")
def test_never_mind_ends_a_run_that_has_asked_something() -> None:
    live = running().replies("Which?", CHOICE).posts_cards()
    assert live.now.planned
    live.says("never mind")
    assert (live.now.planned, live.now.status) == (0, Status.BACKGROUND)


@pytest.mark.req("AG-13")
def test_never_mind_withdraws_what_a_complete_answer_has_just_asked() -> None:
    live = Live().says(WISH)
    event = live.message("never mind")
    live.apply(
        event,
        event.receipt,
        closed_reply=replace(live.reply, status=MessageStatus.COMPLETE, text="Which?", calls=(CHOICE,)),
    )
    assert live.card(QuestionCard).state is QuestionState.CANCELLED
    assert live.now.question is None


@pytest.mark.req("AG-13")
def test_never_mind_about_a_failed_run_waits_for_its_next_time_or_runs_no_more() -> None:
    weekly = failed_often().says("never mind")
    assert (weekly.now.status, weekly.now.next_run > "2026") == (Status.BACKGROUND, True)
    once = runs_and_fails(runs_and_fails(fails(running(AT_ONCE)))).posts_cards()
    assert once.now.question is not None
    once.says("never mind")
    assert (once.now.status, once.now.schedule) == (Status.ACTIVE, None)


def test_never_mind_leaves_alone_what_is_only_planned() -> None:
    assert in_background().says("never mind").now.schedule is not None


@pytest.mark.req("AG-13")
def test_never_mind_that_an_option_is_called_is_that_answer() -> None:
    live = waiting(replace(CHOICE, options=("Cancel it", "Keep it"))).says("cancel it")
    assert live.card(QuestionCard).state is QuestionState.ANSWERED


@pytest.mark.req("AG-13")
def test_never_mind_from_before_a_turn_does_not_stop_it() -> None:
    live = Live().says(WISH)
    turn = live.now.turn
    assert turn is not None
    live.now = replace(live.now, turn=replace(turn, since="1999999999.000000"))
    live.says("never mind")
    assert (live.now.turn and live.now.turn.id) == turn.id
    assert live.now.goals.phase is GoalPhase.UNDERSTANDING


@pytest.mark.req("AG-13")
@pytest.mark.parametrize(("said", "ends"), [({}, True), ({"user": OTHER}, False), ({"addressed": False}, False)])
def test_never_mind_stops_an_answer_only_if_its_owner_says_it_to_the_app(said: dict[str, Any], ends: bool) -> None:
    live = Live().says(WISH)
    event = replace(live.message("never mind"), **said)
    assert apply.ends_turn(live.now, event) is ends


def test_never_mind_and_a_new_wish_in_one_message_begin_that() -> None:
    live = Live().says(WISH).says("Never mind. Build a calculator")
    assert live.now.goals.goal is not None
    assert live.now.goals.goal.description == "Build a calculator"


def stopped_at_its_end(live: Live, *calls: Call) -> Live:
    """The stop comes when the model has just said its last word, and nobody has written that down."""
    whole = replace(live.reply, text="Which?", status=MessageStatus.COMPLETE, acted=bool(calls), calls=calls)
    return live.does(StopRequested, closed_reply=whole)


def test_a_question_that_was_put_with_the_last_word_is_shown_and_waits() -> None:
    live = stopped_at_its_end(Live().says("Hi"), CHOICE)
    assert (live.now.run, live.now.status) == (TurnState.IDLE, Status.WAITING_INPUT)
    assert live.now.question is not None
    assert [effect.card for effect in live.new(ShowCard)] == [live.shown(QuestionCard).seq]


def test_a_schedule_that_was_promised_with_the_last_word_is_set() -> None:
    live = stopped_at_its_end(Live().says("Every day, please"), DAILY)
    assert (live.now.status, bool(live.now.next_run)) == (Status.BACKGROUND, True)


def test_an_answer_to_a_question_back_still_points_at_the_question() -> None:
    live = waiting().says("Why do you ask?")
    reply = live.reply.seq
    stopped_at_its_end(live)
    assert live.rows[reply].still_open == live.shown(QuestionCard).parts[0]
