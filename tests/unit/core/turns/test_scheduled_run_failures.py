"""Runs of a schedule that fail: made again, ever later, then asked about (T1, S2)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from app.core.conversation.call import CancelSchedule, CompleteRun, ResolveQuestion, SetSchedule, YieldRun
from app.core.conversation.card import QuestionCard, ScheduleCard, ScheduleState
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.effect import FinishReply, RunTurn
from app.core.conversation.transition import parse_ts
from app.core.copy import texts
from app.core.errors import FailureKind
from app.core.events.acts import RetryPressed, StopRequested
from app.core.pending.scheduling import is_running
from app.core.state.question import Origin
from app.core.state.status import Status, TurnState
from app.core.turns.history import build_api_messages
from tests.unit.core.live import AT_ONCE, CHOICE, DAILY, INPUT, Live
from tests.unit.core.lives import waiting
from tests.unit.core.runs import NEXT_NINE, PLANS, failed_often, fails, later, planned, running, runs_and_fails, wishes

INTERRUPTED = MessageStatus.INTERRUPTED


@PLANS
def test_a_run_that_failed_is_made_again_ever_later(plan: SetSchedule) -> None:
    live = fails(running(plan))
    assert (live.now.status, live.now.failures, live.now.planned, later(live)) == (
        Status.BACKGROUND,
        1,
        0,
        timedelta(minutes=1),
    )
    runs_and_fails(live)
    assert (live.now.failures, later(live), planned(live)) == (2, timedelta(minutes=2), ScheduleState.SET)


def test_a_run_that_died_with_its_process_is_a_failed_one() -> None:
    assert running().replies("Half", status=MessageStatus.INTERRUPTED).now.failures == 1


def test_a_run_that_worked_forgets_the_failures_before_it() -> None:
    live = fails(running()).wait(1).is_due().replies("There.")
    assert (live.now.failures, live.now.work.tries, live.now.next_run) == (0, 0, NEXT_NINE)


@PLANS
def test_after_three_failures_the_owner_is_asked_and_nothing_runs(plan: SetSchedule) -> None:
    live = failed_often(plan)
    asked = live.now.question
    assert asked
    assert (asked.origin, asked.options, asked.prompt) == (Origin.FAILURE, ("Retry", "Stop"), texts.FAILED_OFTEN)
    assert "stop it for good" in asked.prompt, "Stop ends the schedule, not only this attempt"
    assert live.card(ScheduleCard).paused
    assert live.refuses(live.due()) == "STALE_RUN"


@PLANS
def test_retry_makes_the_run_at_once_with_a_clean_slate(plan: SetSchedule) -> None:
    live = failed_often(plan).clicks("0")
    assert (live.now.status, live.now.failures, live.now.work.tries) == (Status.BACKGROUND, 0, 0)
    assert (live.now.next_run, live.now.run) == (parse_ts(live.ts).isoformat(), TurnState.IDLE)
    assert live.card(QuestionCard).answer == "Retry"
    assert not live.card(ScheduleCard).paused
    assert fails(live.is_due()).now.failures == 1


def test_what_a_failed_run_asked_is_asked_once_when_it_is_made_again() -> None:
    live = failed_often().clicks("0").is_due()
    told = build_api_messages(live.now, live.transcript)[-1]["content"]
    assert str(told).count("Send the digest.") == 2, "once as the wish, and once in the state that names the schedule"


@PLANS
def test_stop_ends_the_schedule(plan: SetSchedule) -> None:
    live = failed_often(plan).clicks("1")
    assert (live.now.status, live.now.schedule, live.now.cards) == (Status.ACTIVE, None, ())
    assert (planned(live), live.now.run) == (ScheduleState.CANCELLED, TurnState.IDLE)


@pytest.mark.parametrize(("word", "status"), [("retry", Status.BACKGROUND), ("Stop", Status.ACTIVE)])
def test_the_same_can_be_written_and_asks_the_model_nothing(word: str, status: Status) -> None:
    live = failed_often().says(word)
    assert (live.now.status, live.now.run, live.new(RunTurn)) == (status, TurnState.IDLE, [])
    assert live.transcript[-1].text == word


@pytest.mark.parametrize(("value", "status"), [("Retry", Status.BACKGROUND), ("Stop", Status.ACTIVE)])
def test_the_same_can_be_understood_by_the_model(value: str, status: Status) -> None:
    live = failed_often().says("hm, what happened?").replies("I see.", ResolveQuestion(value=value))
    assert (live.now.status, live.now.question, live.now.failures) == (status, None, 0)


@pytest.mark.parametrize("by_model", [True, False])
def test_what_is_asked_about_a_schedule_goes_with_it(by_model: bool) -> None:
    live = failed_often()
    _ = live.talks("Cancel it", CancelSchedule()) if by_model else live.cancels()
    assert (live.now.status, live.now.question, live.now.schedule, live.now.cards) == (Status.ACTIVE, None, None, ())


def test_what_is_asked_about_a_schedule_goes_with_a_newer_one() -> None:
    live = failed_often().talks("Do this instead", AT_ONCE)
    assert (live.now.status, live.now.question, live.now.failures) == (Status.BACKGROUND, None, 0)
    assert not live.card(ScheduleCard).paused


def test_any_other_question_stays_when_the_schedule_goes() -> None:
    live = waiting(INPUT, DAILY).cancels()
    assert (live.now.status, live.now.question is None) == (Status.WAITING_INPUT, False)


@pytest.mark.req("S2-036")
@pytest.mark.parametrize("kind", [FailureKind.MISCONFIGURED, FailureKind.SPENT])
def test_credentials_that_are_not_accepted_are_asked_about_at_once(kind: FailureKind) -> None:
    live = fails(running(), kind).posts_cards()
    asked = live.now.question
    assert asked
    assert (live.now.status, asked.origin, asked.prompt) == (Status.WAITING_INPUT, Origin.AUTH, texts.RECONNECT)
    assert live.clicks("0").is_due().replies("There.").now.next_run == NEXT_NINE


PASSING = [FailureKind.BUSY, FailureKind.LIMITED, FailureKind.CUT, FailureKind.TIMEOUT]


@pytest.mark.parametrize("kind", PASSING)
def test_an_outage_is_no_failed_attempt_but_puts_the_run_off(kind: FailureKind) -> None:
    live = fails(running(), kind)
    for minutes in (1, 2, 4, 8, 16, 32, 64, 64):
        assert (live.now.status, live.now.failures, later(live)) == (
            Status.BACKGROUND,
            0,
            timedelta(minutes=minutes),
        )
        runs_and_fails(live, kind)


def test_runs_that_take_too_long_again_and_again_are_failed_attempts_for_they_cost_something_each_time() -> None:
    late: dict[str, Any] = {"kind": FailureKind.TIMEOUT, "model": "claude-sonnet-5-5"}
    live = fails(fails(running(), **late).wait(1).is_due(), **late)
    assert live.now.failures == 2
    assert fails(live.wait(2).is_due(), **late).now.status is Status.WAITING_INPUT


def test_a_limit_that_tells_how_long_is_waited_for() -> None:
    assert later(fails(running(), FailureKind.SPENT_TODAY, wait=7_200)) == timedelta(hours=2)


def test_a_limit_of_ours_is_neither_a_failure_nor_an_outage_however_often_it_is_met() -> None:
    live = fails(running(), FailureKind.BUSY)
    for _ in range(9):
        assert runs_and_fails(live, FailureKind.PACED).now.failures == 0
        assert later(live) == timedelta(minutes=1)
    assert (runs_and_fails(live, FailureKind.BUSY).now.failures, later(live)) == (0, timedelta(minutes=2))


@PLANS
@pytest.mark.parametrize("kind", [*PASSING, FailureKind.PACED, FailureKind.SPENT_TODAY])
def test_of_a_run_that_could_not_even_begin_nothing_is_left_in_its_thread(plan: SetSchedule, kind: FailureKind) -> None:
    live = fails(running(plan), kind, wait=10)
    wish, reply = live.transcript[-2:]
    assert [(row.status, row.text) for row in (wish, reply)] == [(MessageStatus.DELETED, "")] * 2
    assert (live.now.status, live.now.failures, live.now.planned) == (Status.BACKGROUND, 0, 0)
    assert (live.card(ScheduleCard).next_run, planned(live)) == (live.now.next_run, ScheduleState.SET)
    live.wait(2).is_due().replies("There.")
    assert (wishes(live), live.now.work.failed) == (["", plan.instruction], 0)


@pytest.mark.parametrize("kind", [FailureKind.BUSY, FailureKind.PACED])
def test_what_people_have_seen_of_a_run_is_closed_where_it_stands_also_if_that_passes(kind: FailureKind) -> None:
    shown: dict[str, Any] = {"text": "The first half", "parts": ("8.1",)}
    for live in (
        running().replies(failure=kind.value, status=MessageStatus.FAILED, **shown),
        fails(retries(fails(running())), kind),
    ):
        reply = next(row for row in reversed(live.transcript) if row.role is Role.ASSISTANT)
        assert (reply.status, reply.failure) == (MessageStatus.FAILED, kind)
        assert wishes(live)[-1] == "Send the digest."
        assert is_running(retries(live).now)


def test_a_run_that_was_answered_is_told_what_kept_it_from_going_on() -> None:
    live = running().replies("One thing:", CHOICE).posts_cards().clicks("0")
    assert fails(live, FailureKind.PACED).rows[live.now.work.failed].status is MessageStatus.FAILED


@pytest.mark.parametrize("kind", [FailureKind.BUSY, FailureKind.PACED])
def test_a_run_that_gave_way_and_could_not_begin_goes_on_where_it_stopped(kind: FailureKind) -> None:
    live = running().says("By the way").replies("I have read half.", YieldRun()).replies("Noted.")
    began = live.now.work.began
    runs_and_fails(live, kind)
    assert (live.wait(2).is_due().now.work.began, wishes(live)[-1]) == (began, texts.RUN_GOES_ON)


def test_a_failed_run_is_shown_in_its_thread() -> None:
    live = fails(running())
    closed: Message = live.transcript[-1] if live.transcript[-1].role is Role.ASSISTANT else live.transcript[-2]
    assert closed.status is MessageStatus.FAILED
    assert [effect.reply for effect in live.new(FinishReply)] == [closed.seq]


# Retry under the reply of a run


def retry(live: Live) -> RetryPressed:
    """*Retry* is pressed under the newest reply."""
    reply = [row for row in live.transcript if row.role is Role.ASSISTANT][-1]
    ts = reply.parts[-1] if reply.parts else "8.1"
    return live.event(RetryPressed, ts=ts, reply=reply.seq)


def retries(live: Live) -> Live:
    event = retry(live)
    live.apply(event, event.receipt)
    return live


@PLANS
@pytest.mark.parametrize("kind", [FailureKind.INTERNAL, None], ids=["failed", "interrupted"])
def test_retry_under_a_run_that_failed_makes_it_now_in_the_same_messages_and_not_once_more(
    plan: SetSchedule, kind: FailureKind | None
) -> None:
    live = running(plan)
    _ = fails(live, kind, parts=("8.1",)) if kind else live.replies("Half", status=INTERRUPTED, parts=("8.1",))
    planned_for = live.due()
    retries(live.posts_cards())
    assert (is_running(live.now), live.reply.parts, wishes(live)[-1]) == (True, ("8.1",), plan.instruction)
    assert "This is a run of the schedule" in live.reply.directive
    assert live.card(ScheduleCard).next_run == live.now.next_run == live.now.work.began
    for due in (planned_for, live.due()):
        assert live.refuses(due) == "STALE_RUN"
    began = live.now.work.began
    live.replies("Here it is.", CompleteRun(update={"seen": 4}))
    assert (live.now.run, live.now.failures, len(wishes(live))) == (TurnState.IDLE, 0, 2)
    assert live.refuses(planned_for) == "STALE_RUN"
    if plan is DAILY:
        assert (live.now.next_run, live.now.work.last_run, live.now.work.data) == (NEXT_NINE, began, {"seen": 4})
    else:
        assert (live.now.status, planned(live)) == (Status.ACTIVE, ScheduleState.DONE)


@PLANS
def test_retry_under_the_third_failure_is_the_answer_to_what_is_asked_beside_it(plan: SetSchedule) -> None:
    live = retries(failed_often(plan))
    assert (is_running(live.now), live.now.status, live.now.failures) == (True, Status.BACKGROUND, 0)
    assert live.card(QuestionCard).answer == "Retry"
    assert not live.card(ScheduleCard).paused
    live.replies("There.")
    assert (live.now.run, len(wishes(live))) == (TurnState.IDLE, 4)


def test_a_run_that_fails_again_when_it_was_retried_is_counted_and_made_again_later() -> None:
    live = fails(retries(fails(running())))
    assert (live.now.failures, later(live)) == (2, timedelta(minutes=2))
    assert is_running(retries(live).now)


def test_retry_of_a_run_that_is_under_way_again_or_has_been_made_is_refused() -> None:
    live = fails(running())
    pressed = retry(live)
    assert live.wait(1).is_due().refuses(pressed) == "QUESTION_CLOSED", "what is under way has overtaken it"
    assert live.replies("There.").refuses(pressed) == "QUESTION_CLOSED"


def test_retry_of_a_run_whose_plan_is_gone_is_an_answer_like_any_other() -> None:
    live = retries(fails(running()).cancels())
    assert (is_running(live.now), live.now.run, live.now.schedule) == (False, TurnState.STREAMING, None)
    assert "This is a run" not in live.reply.directive
    assert live.replies("There.").now.run is TurnState.IDLE


def test_retry_of_an_answer_that_failed_after_a_run_had_is_no_run() -> None:
    live = fails(fails(running()).says("What was that?"))
    next_run = live.now.next_run
    retries(live)
    assert (is_running(live.now), live.now.next_run, len(wishes(live))) == (False, next_run, 1)


def test_the_word_stop_beside_the_question_whether_to_go_on_is_its_button() -> None:
    live = failed_often().does(StopRequested, written=True)
    assert (live.now.status, live.now.schedule, live.now.question) == (Status.ACTIVE, None, None)
    card = live.shown(QuestionCard).card
    assert isinstance(card, QuestionCard)
    assert card.answer == texts.RUN_NO_MORE


def test_a_press_on_stop_that_came_too_late_is_no_answer_to_that_question() -> None:
    live = failed_often()
    assert live.refuses(live.event(StopRequested)) == "NO_STREAM"
    assert live.now.schedule
