"""When a run has its turn: after people were answered, after it gave way, and by clocks that differ."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from app.core.conversation.call import Call, CancelSchedule, CompleteRun, ContinueRun, SetSchedule, YieldRun
from app.core.conversation.card import PermissionCard, ScheduleState
from app.core.conversation.effect import RunTurn
from app.core.conversation.transition import parse_ts
from app.core.copy import texts
from app.core.pending.scheduling import is_running
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import UseState
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import in_background, use
from tests.unit.core.runs import NEXT_NINE, PLANS, fails, planned, running, runs_and_fails, wishes

# A message goes first


def test_what_was_written_before_a_run_was_due_and_after_is_answered_before_it_by_turns_of_its_own() -> None:
    live = in_background().says("One").says("Two").wait(10 * 60).is_due().says("Three")
    began, due = live.now.work.began, live.now.next_run
    live.replies("To one.")
    assert (is_running(live.now), wishes(live), live.now.work.began) == (False, [], began)
    assert "This is a run" not in live.reply.directive
    live.says("Four").replies("To two and three.")
    assert "This is a run" not in live.reply.directive
    live.replies("To four.")
    assert (is_running(live.now), wishes(live), live.now.next_run) == (True, ["Send the digest."], due)
    assert "This is a run" in live.reply.directive
    live.replies("", CompleteRun(silent=True))
    assert (live.now.run, live.now.next_run) == (TurnState.IDLE, NEXT_NINE)


def test_a_run_that_was_due_during_an_answer_begins_when_that_ends_whatever_became_of_it() -> None:
    for ends in (Live.stops, Live.parks, fails):
        live = in_background().says("Hi").wait(10 * 60).is_due()
        ends(live)
        assert (is_running(live.now), wishes(live)) == (True, ["Send the digest."])
        assert live.now.turn
        assert live.now.turn.cause == "due:2026-02-02T09:00:00+00:00"


def test_a_reply_tells_whether_a_run_wrote_it_or_somebody_had_asked() -> None:
    live = in_background().says("Hi")
    assert not live.reply.by_schedule
    assert running().reply.by_schedule
    assert not gave_way().reply.by_schedule


def test_a_run_that_waits_for_its_turn_is_not_due_once_more() -> None:
    live = in_background().says("Hi").wait(10 * 60).is_due()
    assert live.refuses(live.due()) == "STALE_RUN"


def gave_way(plan: SetSchedule = DAILY) -> Live:
    """A run that has stopped for what the owner wrote, which is being answered."""
    live = running(plan).says("By the way, the depot is closed").replies("I have read half.", YieldRun())
    assert [effect.turn for effect in live.new(RunTurn)] == [live.now.turn and live.now.turn.id]
    return live


@PLANS
def test_a_run_that_gave_way_goes_on_when_the_owner_has_been_answered(plan: SetSchedule) -> None:
    live = gave_way(plan)
    began = live.now.work.began
    assert (live.now.status, live.now.planned, planned(live)) == (Status.BACKGROUND, 0, ScheduleState.SET)
    assert "has stopped for the owner's message" in live.reply.directive
    assert live.is_due().now.planned == 0
    live.replies("Noted.")
    assert live.now.planned == live.reply.seq - 1
    assert "This is a run of the schedule" in live.reply.directive
    assert wishes(live)[-1] == texts.RUN_GOES_ON
    live.replies("Here it is.", CompleteRun())
    assert (live.now.work.gave_way, live.now.status is Status.BACKGROUND) == (False, plan is DAILY)
    assert live.now.work.last_run == (began if plan is DAILY else "")


def test_a_run_that_gave_way_to_a_question_goes_on_with_its_answer_and_not_at_its_next_time() -> None:
    live = gave_way().is_due().replies("Which depot?", CHOICE).posts_cards()
    assert (live.now.status, live.now.planned) == (Status.WAITING_INPUT, 0)
    live.clicks("0").replies("Noted.")
    assert datetime.fromisoformat(live.now.next_run) <= parse_ts(live.ts)
    assert live.is_due().now.run is TurnState.STREAMING
    assert wishes(live)[-1] == texts.RUN_GOES_ON


def test_giving_way_is_no_run_in_a_row() -> None:
    assert gave_way().now.work.continues == 0


def test_a_run_that_gave_way_and_fails_then_begins_anew() -> None:
    live = fails(gave_way().replies("Noted.").is_due())
    assert runs_and_fails(live).now.work.tries == 2
    assert wishes(live)[-1] == "Send the digest."


@pytest.mark.req("S2-014", "S2-032")
def test_a_run_that_asked_goes_on_with_what_earlier_runs_have_left() -> None:
    live = running(replace(DAILY, data={"seen": 3})).replies("One thing:", CHOICE).posts_cards()
    live.clicks("0")
    assert "the owner has answered what it asked" in live.reply.directive
    assert 'Data: {"seen": 3}' in live.reply.directive
    live.replies("So.", CompleteRun(update={"seen": 4}))
    assert (live.now.work.data, live.now.next_run) == ({"seen": 4}, NEXT_NINE)


# Clocks that differ


@pytest.mark.parametrize("call", [CompleteRun(), ContinueRun()])
@pytest.mark.parametrize("behind", [1, 60])
def test_a_run_that_ends_before_its_time_by_another_clock_is_followed_by_the_next_and_not_by_itself(
    call: Call, behind: int
) -> None:
    live = in_background()
    due = datetime.fromisoformat(live.now.next_run)
    found = live.due()
    live.seconds = round((due - parse_ts(live.ts)).total_seconds()) + live.seconds - behind
    live.apply(replace(found, at=f"{due.timestamp():.6f}"), found.receipt)
    live.seconds -= 1
    live.replies("The digest.", call)
    assert parse_ts(live.ts) < due
    assert live.now.next_run == NEXT_NINE


@PLANS
def test_a_run_that_begins_after_an_answer_has_come_by_any_clock(plan: SetSchedule) -> None:
    live = in_background(plan).says("Hi")
    live.is_due()  # by a clock that is hours ahead of the one that ends the turn
    due = live.now.next_run
    live.replies()
    assert datetime.fromisoformat(live.now.work.began) >= datetime.fromisoformat(due)
    assert live.replies("There.").now.next_run == (NEXT_NINE if plan is DAILY else "")


@PLANS
def test_a_run_that_a_question_keeps_waiting_is_found_again_by_any_clock(plan: SetSchedule) -> None:
    live = in_background(plan).says("Hi").is_due()
    found = live.now.next_run
    live.replies("First:", CHOICE).posts_cards().clicks("0").replies()
    assert live.now.next_run != found
    assert live.is_due().now.run is TurnState.STREAMING


def test_a_run_that_waits_for_a_permission_ends_with_its_plan() -> None:
    live = running().reports(use(state=UseState.ASKED)).posts_cards().cancels()
    assert (live.now.status, live.now.run, live.now.schedule) == (Status.ACTIVE, TurnState.IDLE, None)
    assert (live.now.question, live.now.cards, live.card(PermissionCard).withdrawn) == (None, (), True)


@pytest.mark.parametrize("calls", [(CHOICE, CancelSchedule()), (CancelSchedule(), CHOICE)], ids=["asks", "cancels"])
def test_what_a_run_asks_as_it_calls_off_its_plan_stays_open(calls: tuple[Call, ...]) -> None:
    live = running().replies("It is done. What next?", *calls)
    assert (planned(live), live.now.planned, live.now.question is None) == (ScheduleState.CANCELLED, 0, False)


@pytest.mark.parametrize("by_model", [True, False])
def test_what_a_run_asked_goes_with_its_plan(*, by_model: bool) -> None:
    live = running().replies("", CHOICE).posts_cards()
    _ = live.talks("Call it off", CancelSchedule()) if by_model else live.cancels()
    assert (live.now.status, live.now.question, live.now.cards) == (Status.ACTIVE, None, ())
