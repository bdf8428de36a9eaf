"""What becomes of the runs of a schedule: done, gone on with, given way (T1, S2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.core.conversation.call import Call, CancelSchedule, CompleteRun, ContinueRun, SetSchedule, YieldRun
from app.core.conversation.card import PermissionCard, QuestionCard, ScheduleCard, ScheduleState
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import RunTurn
from app.core.conversation.facts import Facts
from app.core.conversation.transition import Trigger, parse_ts
from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.pending.scheduling import MOST_DATA, is_running
from app.core.state.schedule import FIRST_STEP, ScheduleProgress
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import UseState
from app.core.turns.model_call import carry_out_call
from app.core.turns.scheduled_run import MOST_CONTINUES
from tests.unit.core.live import AT_ONCE, CHOICE, DAILY, ONCE, Live
from tests.unit.core.lives import in_background, use, waiting
from tests.unit.core.runs import NEXT_NINE, PLANS, fails, later, planned, running, runs_and_fails, wishes

# What runs leave to the next


@pytest.mark.req("S2-050")
def test_work_begins_with_what_its_plan_says_and_each_run_adds_to_it() -> None:
    live = running(replace(DAILY, context="#ops", step="read", data={"seen": 3, "old": True}))
    assert live.now.work == ScheduleProgress(
        context="#ops", step="read", data={"seen": 3, "old": True}, began=parse_ts(live.ts).isoformat()
    )
    live.replies("So far.", ContinueRun(update={"seen": 4, "old": None, "new": ["a"]}, step="rate"))
    work = live.now.work
    assert (work.context, work.step, work.data, work.continues) == ("#ops", "rate", {"seen": 4, "new": ["a"]}, 1)


@pytest.mark.req("S2-050")
def test_a_run_is_told_what_the_runs_before_it_have_left() -> None:
    live = running(replace(DAILY, context="#ops", step="read", data={"seen": 3}))
    assert "It is about: #ops" in live.reply.directive
    assert 'Step: read. Data: {"seen": 3}' in live.reply.directive
    assert "Last run" not in live.reply.directive
    began = live.now.work.began
    live.replies("So far.", CompleteRun(update={"seen": 9})).wait(24 * 60).is_due()
    assert f"Last run: {began}" in live.reply.directive
    assert 'Step: initial. Data: {"seen": 9}' in live.reply.directive


def test_the_last_run_is_told_by_the_clock_of_the_owner() -> None:
    live = running().replies().wait(24 * 60)
    live.now = replace(live.now, zone="America/New_York")
    assert "Last run: 2026-02-02T07:40:03.000002-05:00" in live.is_due().reply.directive


def test_the_next_run_looks_at_what_is_newer_than_the_beginning_of_the_last_and_not_than_its_end() -> None:
    live = running()
    began = parse_ts(live.ts).isoformat()
    assert live.wait(3).replies().now.work.last_run == began


def test_a_run_that_failed_has_looked_at_nothing() -> None:
    live = running().replies().wait(24 * 60)
    before = live.now.work.last_run
    assert fails(live.is_due()).now.work.last_run == before != ""


def test_what_is_left_goes_with_its_schedule() -> None:
    live = running(AT_ONCE).replies("Done.", CompleteRun(update={"seen": 4}))
    assert (live.now.work, live.now.schedule) == (ScheduleProgress(), None)
    assert (
        in_background(replace(DAILY, data={"a": 1})).talks("No more", CancelSchedule()).now.work == ScheduleProgress()
    )


def test_more_data_than_a_run_may_leave_is_refused_with_words_for_the_model() -> None:
    for call in (ContinueRun(update={"log": "x" * MOST_DATA}), CompleteRun(update={"log": "x" * MOST_DATA})):
        assert "4,000 characters" in refusal(running(), call)
    live = Live().says("Hi")
    assert "4,000 characters" in refusal(live, replace(DAILY, data={"log": "x" * MOST_DATA}))


def refusal(live: Live, call: Call) -> str:
    """The words with which a call is refused while the turn runs."""
    with pytest.raises(IllegalEvent) as refused:
        carry_out_call(live.now, call, Trigger(cause="try", at=live.ts, facts=Facts(open_cards=live.cards)))
    return refused.value.detail


def test_giving_way_is_not_for_the_model() -> None:
    assert "Only a run" in refusal(running(), YieldRun())


@pytest.mark.parametrize("call", [ContinueRun(), CompleteRun()])
def test_only_a_run_can_end_as_one(call: Call) -> None:
    waits = waiting(CHOICE, DAILY).says("Which do you mean?")
    for live in (Live().says("Hi"), in_background().says("Hi"), waits):
        assert "Only a run" in refusal(live, call)
    carry_out_call(running().now, call, Trigger(cause="try", at=running().ts))


def test_an_answer_that_ends_as_a_run_where_there_is_none_changes_nothing() -> None:
    live = in_background().talks("Hi", ContinueRun(update={"a": 1}))
    assert (live.now.work, live.now.next_run) == (ScheduleProgress(), "2026-02-02T09:00:00+00:00")


# How a run ends


@pytest.mark.req("S2-033")
def test_a_regular_run_that_is_complete_begins_anew_the_next_time() -> None:
    live = running().replies("", ContinueRun(step="rate")).wait(24 * 60).is_due()
    live.replies("Done.", CompleteRun())
    assert (live.now.status, live.now.next_run) == (Status.BACKGROUND, "2026-02-04T09:00:00+00:00")
    assert (live.now.work.step, live.now.work.continues) == (FIRST_STEP, 0)


@pytest.mark.req("S2-034")
@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_work_for_once_that_is_complete_leaves_the_thread_active(plan: SetSchedule) -> None:
    live = running(plan).replies("", CompleteRun(silent=True))
    assert (live.now.status, planned(live), live.now.next_run) == (Status.ACTIVE, ScheduleState.DONE, "")


@pytest.mark.req("S2-035", "S2-048")
@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_work_for_once_that_goes_on_is_due_again_shortly(plan: SetSchedule) -> None:
    live = running(plan).replies("One half.", ContinueRun())
    assert (live.now.status, planned(live), live.now.planned) == (Status.BACKGROUND, ScheduleState.SET, 0)
    assert later(live) == timedelta(seconds=5)
    assert live.card(ScheduleCard).next_run == live.now.next_run
    assert live.wait(0.1).is_due().replies("The other.").now.status is Status.ACTIVE


@pytest.mark.req("S2-035")
def test_regular_work_that_goes_on_does_so_at_its_next_time() -> None:
    live = running().replies("", ContinueRun())
    assert (live.now.status, live.now.next_run) == (Status.BACKGROUND, NEXT_NINE)


def test_a_run_that_ends_without_saying_how_is_done() -> None:
    live = running(AT_ONCE).replies("Here it is.")
    assert (live.now.status, planned(live)) == (Status.ACTIVE, ScheduleState.DONE)


def test_what_a_stopped_run_had_called_for_does_not_count() -> None:
    live = running(AT_ONCE).replies("", ContinueRun(), status=MessageStatus.CANCELLED)
    assert (live.now.status, live.now.schedule) == (Status.ACTIVE, None)


@pytest.mark.parametrize("status", [MessageStatus.CANCELLED, MessageStatus.REFUSED])
@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_of_a_task_whose_only_run_was_stopped_or_refused_nobody_says_that_it_is_done(
    plan: SetSchedule, status: MessageStatus
) -> None:
    assert planned(running(plan).replies("", status=status)) is ScheduleState.CANCELLED


def test_days_that_were_missed_are_made_up_by_one_run() -> None:
    live = in_background().wait(5 * 24 * 60 + 9 * 60).is_due().replies()
    assert live.now.next_run == "2026-02-08T09:00:00+00:00"
    assert wishes(live) == ["Send the digest."]


# Never for ever


@PLANS
def test_after_25_runs_of_which_none_was_the_last_the_owner_is_asked(plan: SetSchedule) -> None:
    live = running(plan)
    for _ in range(MOST_CONTINUES):
        live.replies("", ContinueRun()).wait(24 * 60).is_due()
    assert live.now.status is Status.BACKGROUND
    live.replies("", ContinueRun(update={"n": 1})).posts_cards()
    assert (live.now.status, live.now.planned, live.now.work.data) == (Status.WAITING_INPUT, 0, {"n": 1})
    asked = live.card(QuestionCard).question
    assert (asked.prompt, asked.options) == (texts.CONTINUED_OFTEN.format(count=25), ("Go on", "Stop"))
    live.clicks("0").is_due().replies("", ContinueRun())
    assert (live.now.status, live.now.work.continues) == (Status.BACKGROUND, 1)


def test_runs_in_a_row_are_counted_from_the_last_that_was_done() -> None:
    live = running()
    for _ in range(MOST_CONTINUES):
        live.replies("", ContinueRun()).wait(24 * 60).is_due()
    live.replies("Done.").wait(24 * 60).is_due().replies("", ContinueRun())
    assert (live.now.status, live.now.work.continues) == (Status.BACKGROUND, 1)


@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_a_run_that_plans_itself_again_and_again_is_asked_about_like_one_that_goes_on(plan: SetSchedule) -> None:
    again = replace(plan, run_at="2027-01-01T12:00" if plan is ONCE else "")
    live = running(plan)
    for _ in range(MOST_CONTINUES):
        live.replies("Once more.", again)
        assert live.now.status is Status.BACKGROUND
        live.is_due()
    live.replies("Once more.", again).posts_cards()
    assert (live.now.status, live.now.work.continues) == (Status.WAITING_INPUT, MOST_CONTINUES + 1)
    assert live.card(ScheduleCard).paused
    assert live.clicks("0").now.work.continues == 0


def test_a_plan_of_the_owner_is_no_run_that_goes_on() -> None:
    live = running(AT_ONCE).replies("Once more.", AT_ONCE)
    assert live.now.work.continues == 1
    assert live.talks("Do it daily", DAILY).now.work.continues == 0


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
