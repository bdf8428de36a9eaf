"""What a thread does later: set, replaced, cancelled, due, run, and paused by a question (T1, S2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.conversation.call import CancelSchedule, CompleteRun, SetSchedule
from app.core.conversation.card import ScheduleCard, ScheduleState
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.effect import FinishReply, RunTurn, ShowCard
from app.core.conversation.transition import parse_ts
from app.core.pending.scheduling import describe_schedule
from app.core.state.schedule import ScheduleKind
from app.core.state.status import Status, TurnState
from tests.unit.core.live import AT_ONCE, CHOICE, DAILY, ONCE, Live
from tests.unit.core.lives import in_background, waiting
from tests.unit.core.runs import planned, running, wishes
from tests.unit.core.threads import OWNER

HOURLY = replace(DAILY, cron="0 * * * *")
NINE = "2026-02-02T09:00:00+00:00"
NEXT_NINE = "2026-02-03T09:00:00+00:00"


def wish(live: Live) -> Message:
    """What the newest run asks, as the model is told."""
    return [row for row in live.transcript if row.role is Role.PERSON and not row.ts][-1]


@pytest.mark.req("S2-008", "S2-012", "S2-028")
def test_a_schedule_puts_the_thread_into_the_background_with_its_next_run_on_a_card() -> None:
    live = Live().talks("Hi", DAILY)
    assert (live.now.status, live.now.next_run) == (Status.BACKGROUND, NINE)
    assert live.now.schedule
    shown = live.shown(ScheduleCard)
    assert shown.card == ScheduleCard(schedule=live.now.schedule, next_run=NINE, at=live.ts)
    assert (shown.status, live.now.cards) == (MessageStatus.OPEN, (shown.seq,))
    assert [effect.card for effect in live.new(ShowCard)] == [shown.seq]
    assert live.path("schedule_changed") == [("", "cron")]


@pytest.mark.parametrize(
    ("call", "zone", "next_run"),
    [
        (SetSchedule(kind=ScheduleKind.CRON, cron="0 9 * * *", instruction="x"), "Europe/Berlin", "T08:00"),
        (SetSchedule(kind=ScheduleKind.CRON, cron="0 9 * * *", instruction="x", zone="Asia/Tokyo"), "UTC", "T00:00"),
        (SetSchedule(kind=ScheduleKind.CRON, cron="0 9 * * *", instruction="x"), "", "T09:00"),
    ],
    ids=["the owner's clock", "the one that was named", "nobody's clock"],
)
def test_a_schedule_is_read_by_the_clock_that_was_meant(call: SetSchedule, zone: str, next_run: str) -> None:
    live = Live()
    live.now = replace(live.now, zone=zone)
    assert next_run in live.talks("Hi", call).now.next_run


def test_a_newer_schedule_replaces_the_older_one_whose_card_says_so() -> None:
    live = in_background()
    first = live.shown(ScheduleCard)
    live.talks("Every hour", HOURLY)
    replaced = live.rows[first.seq]
    assert isinstance(replaced.card, ScheduleCard)
    assert (replaced.card.state, replaced.status, replaced.parts) == (
        ScheduleState.REPLACED,
        MessageStatus.COMPLETE,
        first.parts,
    )
    assert (live.now.status, live.now.next_run) == (Status.BACKGROUND, "2026-02-02T03:00:00+00:00")
    assert live.now.cards == (live.shown(ScheduleCard).seq,)


def test_a_schedule_that_replaces_one_of_its_kind_is_in_the_trail() -> None:
    assert in_background().talks("Every hour", HOURLY).path("schedule_changed") == [("cron", "cron")]


def told_once() -> Live:
    """A digest that has been given once, and has noted what it told."""
    live = Live().talks("Hi", replace(DAILY, context="#ops")).wait(7 * 60).is_due()
    return live.replies("Van 3 is back.", CompleteRun(update={"told": ["Van 3"]}))


def test_a_task_that_gets_other_times_goes_on_where_it_stood() -> None:
    live = told_once()
    before = live.now.work
    assert before.last_run
    live.talks("Every hour", replace(HOURLY, data={"asked": 1}))
    after = live.now.work
    assert (after.last_run, after.context, dict(after.data)) == (
        before.last_run,
        "#ops",
        {"told": ["Van 3"], "asked": 1},
    )


def test_another_task_knows_when_the_last_run_was_and_nothing_else_of_the_former_one() -> None:
    live = told_once()
    before = live.now.work
    live.talks("Greet the team", replace(HOURLY, instruction="Greet the team."))
    assert (live.now.work.last_run, live.now.work.context, live.now.work.data) == (before.last_run, "", {})


def test_what_is_done_once_knows_nothing_of_what_was_repeated() -> None:
    live = told_once().talks("Remind me instead", replace(ONCE, run_at="2026-02-02T20:00"))
    assert (live.now.work.last_run, live.now.work.data) == ("", {})


def test_a_schedule_that_cannot_be_leaves_the_old_one() -> None:
    live = in_background().talks("x", replace(DAILY, cron="99 * * * *"))
    assert (live.now.next_run, planned(live)) == (NINE, ScheduleState.SET)


def test_a_schedule_that_is_cancelled_by_its_card_leaves_the_thread_active() -> None:
    live = in_background().cancels()
    assert (live.now.status, live.now.schedule, live.now.next_run, live.now.cards) == (Status.ACTIVE, None, "", ())
    assert (planned(live), live.shown(ScheduleCard).status) == (ScheduleState.CANCELLED, MessageStatus.COMPLETE)
    assert live.path("schedule_changed") == [("cron", "")]


def test_a_schedule_that_the_model_cancels_is_cancelled_too() -> None:
    live = in_background().talks("Stop it", CancelSchedule())
    assert (live.now.status, planned(live)) == (Status.ACTIVE, ScheduleState.CANCELLED)


def test_a_schedule_cancelled_while_a_question_waits_leads_to_active_with_the_answer() -> None:
    live = waiting(CHOICE, DAILY).cancels()
    assert (live.now.status, live.now.schedule) == (Status.WAITING_INPUT, None)
    assert live.clicks("0").now.status is Status.ACTIVE


def test_a_schedule_set_while_a_question_waits_is_paused_from_the_beginning() -> None:
    live = waiting().talks("Every day, please", DAILY)
    assert (live.now.status, live.card(ScheduleCard).paused) == (Status.WAITING_INPUT, True)


@pytest.mark.req("S2-009", "S2-010", "S2-033")
def test_a_run_asks_what_was_planned_in_the_owners_name_and_plans_the_next_one() -> None:
    live = running()
    asks = wish(live)
    assert (asks.text, asks.author, live.now.planned, live.now.status) == (
        "Send the digest.",
        OWNER,
        asks.seq,
        Status.BACKGROUND,
    )
    assert "This is a run of the schedule" in live.reply.directive
    live.replies("Here it is.")
    assert (live.now.status, live.now.next_run, live.now.planned) == (Status.BACKGROUND, NEXT_NINE, 0)
    assert (live.card(ScheduleCard).next_run, planned(live)) == (NEXT_NINE, ScheduleState.SET)
    assert "This is a run" not in live.says("Thanks").reply.directive


@pytest.mark.req("S2-034", "S2-046", "S2-048")
@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_what_was_to_happen_once_is_done_and_the_thread_active_again(plan: SetSchedule) -> None:
    live = in_background(plan).wait(10 * 60).is_due().replies("Here it is.")
    assert (live.now.status, live.now.schedule, live.now.next_run) == (Status.ACTIVE, None, "")
    assert (planned(live), live.now.cards) == (ScheduleState.DONE, ())


def test_a_time_that_passes_before_the_turn_has_ended_is_due_then() -> None:
    live = Live().says("In a minute, please")
    called_at, soon = live.ts, (parse_ts(live.ts) + timedelta(minutes=1)).isoformat()
    plan = SetSchedule(kind=ScheduleKind.SCHEDULED, run_at=soon, instruction="Tea is ready.", at=called_at)
    live.wait(2).replies("I will.", plan)
    assert (live.now.status, live.now.next_run) == (Status.BACKGROUND, soon.split(".")[0] + "+00:00")
    assert live.is_due().now.run is TurnState.STREAMING


def test_work_to_be_done_at_once_is_due_from_the_beginning() -> None:
    live = in_background(AT_ONCE)
    assert live.now.next_run.startswith("2026-02-02T02:40:02")


@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_a_run_that_plans_a_further_one_is_not_the_end_of_it(plan: SetSchedule) -> None:
    live = in_background(plan).wait(10 * 60).is_due().replies("Not yet; I look again.", AT_ONCE)
    assert (live.now.status, live.now.planned, planned(live)) == (Status.BACKGROUND, 0, ScheduleState.SET)
    assert live.is_due().now.run is TurnState.STREAMING


def test_a_run_that_cancels_its_schedule_plans_nothing() -> None:
    live = running().replies("That was the last one.", CancelSchedule())
    assert (live.now.status, live.now.planned, planned(live)) == (Status.ACTIVE, 0, ScheduleState.CANCELLED)


@pytest.mark.req("S2-014", "S2-032")
def test_a_run_that_comes_back_with_a_question_waits_for_its_answer_with_the_next_one() -> None:
    live = running().replies("One thing:", CHOICE).posts_cards()
    assert (live.now.status, live.now.next_run, live.now.planned) == (Status.WAITING_INPUT, NINE, wish(live).seq)
    assert live.card(ScheduleCard).paused
    assert live.refuses(live.due()) == "STALE_RUN"
    assert live.clicks("0").now.next_run == NEXT_NINE


@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_a_run_that_asked_goes_on_with_the_answer_and_is_not_made_again(plan: SetSchedule) -> None:
    live = in_background(plan).wait(10 * 60).is_due().replies("One thing:", CHOICE).posts_cards()
    live.says("Why do you ask?").replies("Because there are two.").clicks("0")
    assert "This is a run" not in live.reply.directive
    assert live.refuses(live.due()) == "STALE_RUN"
    live.replies("Here it is.")
    assert (live.now.status, live.now.planned, live.now.schedule) == (Status.ACTIVE, 0, None)


def test_the_answer_to_a_question_back_is_none_of_a_run_that_waits() -> None:
    live = running().replies("One thing:", CHOICE).posts_cards().says("Why do you ask?").cancels()
    assert (live.now.run, live.now.status, live.now.planned) == (TurnState.STREAMING, Status.ACTIVE, 0)


@pytest.mark.req("S2-011")
def test_the_owner_can_talk_while_a_run_is_under_way() -> None:
    live = running().says("By the way")
    assert (live.now.status, live.now.run) == (Status.BACKGROUND, TurnState.STREAMING)
    assert "This is a run" not in live.replies("Here it is.").reply.directive
    assert live.now.next_run == NEXT_NINE


def test_a_run_that_is_due_during_a_turn_comes_after_it() -> None:
    live = in_background().says("Hi").wait(7 * 60).is_due()
    assert [effect.turn for effect in live.new(RunTurn)] == [live.now.turn and live.now.turn.id]
    assert live.now.next_run == live.replies().now.next_run == NINE
    assert "This is a run" in live.reply.directive
    assert live.replies("Here it is.").now.next_run == NEXT_NINE


def test_a_run_that_is_due_during_a_turn_which_ends_with_a_question_waits_for_the_answer() -> None:
    live = in_background().says("Hi").wait(7 * 60).is_due()
    live.replies("First tell me:", CHOICE).posts_cards()
    assert (live.now.status, live.now.run, live.now.asked, live.now.planned) == (
        Status.WAITING_INPUT,
        TurnState.IDLE,
        (),
        0,
    )
    assert live.clicks("0").now.next_run == NEXT_NINE
    assert (live.replies().now.run, wishes(live)) == (TurnState.IDLE, ["D1 Evening cover"])


@pytest.mark.parametrize("call", [CancelSchedule(), HOURLY], ids=["cancelled", "replaced"])
def test_a_run_that_waited_for_its_turn_goes_with_its_schedule(call: SetSchedule | CancelSchedule) -> None:
    live = in_background().says("Stop").wait(7 * 60).is_due().replies("All right.", call)
    assert (live.now.run, live.now.asked, live.now.planned, wishes(live)) == (TurnState.IDLE, (), 0, [])


def test_cancelling_the_schedule_ends_its_run_where_it_is() -> None:
    live = running().cancels()
    assert (live.now.status, live.now.run, live.now.turn, live.now.planned) == (Status.ACTIVE, TurnState.IDLE, None, 0)
    assert live.transcript[-1].status is MessageStatus.CANCELLED
    assert [effect.reply for effect in live.new(FinishReply)] == [live.transcript[-1].seq]


def test_cancelling_the_schedule_leaves_an_answer_to_the_owner_alone() -> None:
    live = in_background().says("Hi").cancels()
    assert (live.now.status, live.now.run) == (Status.ACTIVE, TurnState.STREAMING)


def test_a_run_that_was_stopped_has_been_made() -> None:
    live = running().stops()
    assert (live.now.run, live.now.planned, live.now.next_run) == (TurnState.IDLE, 0, NEXT_NINE)


def test_a_run_that_was_given_up_is_a_failed_one() -> None:
    live = running().parks()
    assert (live.now.run, live.now.planned, live.now.failures) == (TurnState.IDLE, 0, 1)


def test_stopping_an_answer_leaves_the_schedule_as_it_is() -> None:
    live = in_background().says("Hi").stops()
    assert (live.now.next_run, live.now.schedule is None) == (NINE, False)


def test_a_run_is_due_once_and_only_where_background_work_is_due() -> None:
    assert running().refuses(running().due()) == "STALE_RUN"
    assert in_background().refuses(in_background().due("2026-02-01T09:00:00+00:00")) == "STALE_RUN"
    assert waiting(CHOICE, DAILY).refuses(waiting(CHOICE, DAILY).due()) == "STALE_RUN"
    assert Live().refuses(Live().due()) == "STALE_RUN"


def test_what_is_planned_is_told_in_one_line_with_its_next_time() -> None:
    live = in_background()
    assert describe_schedule(live.now, live.ts) == "every day at 09:00 (UTC) · next today 09:00"
    assert describe_schedule(replace(live.now, next_run=""), live.ts) == "every day at 09:00 (UTC)"
