"""A schedule that its owner has paused: nothing runs, its card and lists say so, and *Resume* lets it go on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.conversation.call import SetSchedule
from app.core.conversation.card import ScheduleCard
from app.core.conversation.effect import PostEphemeral
from app.core.copy import texts
from app.core.errors import FailureKind
from app.core.events.acts import SchedulePaused, StopRequested
from app.core.pending.scheduling import describe_schedule
from app.core.state.status import Status, TurnState
from tests.unit.core.live import AT_ONCE, CHOICE, DAILY, ONCE, Live
from tests.unit.core.lives import in_background, waiting
from tests.unit.core.runs import NEXT_NINE, PLANS, failed_often, fails, later, running
from tests.unit.core.threads import OTHER


def pauses(live: Live, *, resumed: bool = False) -> Live:
    """The owner presses the button on the card of the plan."""
    live.posts_cards()
    return live.does(SchedulePaused, card=live.now.cards[0], resumed=resumed)


def is_held(live: Live) -> bool:
    return live.card(ScheduleCard).held


def test_nothing_runs_while_a_schedule_is_paused_and_then_it_goes_on_at_its_next_time() -> None:
    live = pauses(in_background())
    assert (live.now.status, is_held(live), live.path("schedule_changed")) == (
        Status.BACKGROUND,
        True,
        [("cron", "cron_paused")],
    )
    assert live.wait(30 * 60).refuses(live.due()) == "STALE_RUN"
    pauses(live, resumed=True)
    assert (is_held(live), live.card(ScheduleCard).next_run) == (False, live.now.next_run)
    assert timedelta() < later(live) < timedelta(days=1)
    assert live.wait(24 * 60).is_due().now.run is TurnState.STREAMING


@pytest.mark.parametrize("plan", [ONCE, AT_ONCE])
def test_what_was_to_happen_once_while_it_was_paused_happens_when_it_is_resumed(plan: SetSchedule) -> None:
    live = pauses(pauses(in_background(plan)).wait(30 * 60), resumed=True)
    assert later(live) == timedelta()


def test_a_run_under_way_goes_on_to_its_end_and_no_other_follows() -> None:
    live = pauses(running())
    assert live.now.run is TurnState.STREAMING
    live.replies("Here it is.")
    assert (live.now.next_run, live.card(ScheduleCard).held) == (NEXT_NINE, True)
    assert live.wait(24 * 60).refuses(live.due()) == "STALE_RUN"


def test_a_run_that_waits_for_people_to_be_answered_does_not_begin_any_more() -> None:
    live = in_background().wait(10 * 60).says("Hi").is_due()
    assert live.now.work.due_by
    assert pauses(live).replies().now.run is TurnState.IDLE


def test_a_second_press_changes_nothing() -> None:
    live = in_background()
    before = live.now.next_run
    assert pauses(live.wait(60 * 30), resumed=True).now.next_run == before
    assert pauses(pauses(live)).now.paused


def test_a_question_and_its_answer_leave_a_paused_schedule_paused() -> None:
    live = pauses(waiting(CHOICE, DAILY))
    assert (live.card(ScheduleCard).paused, is_held(live)) == (True, True)
    live.clicks("0")
    assert (live.card(ScheduleCard).paused, is_held(live), live.now.paused) == (False, True, True)


def test_who_wants_a_failed_run_once_more_has_resumed_it() -> None:
    live = pauses(failed_often()).clicks("0")
    assert (live.now.paused, later(live)) == (False, timedelta())


@pytest.mark.req("SE-12")
@PLANS
def test_a_run_whose_owner_may_own_nothing_any_more_pauses_the_schedule_and_asks_nobody(plan: SetSchedule) -> None:
    live = fails(running(plan), FailureKind.NOT_THEIRS)
    assert (live.now.status, live.now.question, is_held(live)) == (Status.BACKGROUND, None, True)
    assert live.wait(24 * 60).refuses(live.due()) == "STALE_RUN"
    assert pauses(live, resumed=True).wait(24 * 60).is_due().now.run is TurnState.STREAMING


@pytest.mark.parametrize(("held", "told"), [(True, False), (False, True)])
def test_who_has_nothing_to_stop_hears_of_a_plan_that_goes_on(*, held: bool, told: bool) -> None:
    live = pauses(in_background()) if held else in_background()
    assert live.refuses(live.event(StopRequested, written=True)) == "NO_STREAM"
    assert [texts.PLAN_STANDS in each.text for each in live.new(PostEphemeral)] == [told]


@pytest.mark.parametrize("plan", [DAILY, ONCE])
def test_what_a_paused_run_plans_after_itself_is_paused_as_well(plan: SetSchedule) -> None:
    live = pauses(running(AT_ONCE)).replies("More to come.", replace(plan, run_at=plan.run_at and "2026-02-04T12:00"))
    assert (live.now.status, live.now.paused, is_held(live)) == (Status.BACKGROUND, True, True)
    assert live.wait(4 * 24 * 60).refuses(live.due()) == "STALE_RUN"
    assert not pauses(live, resumed=True).now.paused


@pytest.mark.parametrize("ends", [True, False])
def test_a_newer_plan_is_not_paused_and_neither_is_one_after_it_was_called_off(*, ends: bool) -> None:
    live = pauses(in_background())
    _ = live.cancels() if ends else live.talks("Every day, please", DAILY)
    assert not live.now.paused


def test_the_model_and_the_status_are_told_that_it_is_paused() -> None:
    live = pauses(in_background()).says("Is it still on?")
    assert "Paused by the owner" in live.reply.directive
    assert describe_schedule(live.now, live.ts).endswith(texts.RUN_HELD)
    live.replies()
    told = pauses(live, resumed=True).says("And now?").reply.directive
    assert ("Paused by the owner" in told, "the owner can, with Pause on its card" in told) == (False, True)


def test_others_cannot_pause_it_and_neither_can_an_older_card() -> None:
    live = in_background()
    assert live.refuses(live.event(SchedulePaused, OTHER, card=live.now.cards[0])) == "NOT_OWNER"
    assert live.refuses(live.event(SchedulePaused, card=99)) == "STALE_PLAN"
    assert Live().talks().refuses(Live().event(SchedulePaused, card=1)) == "NO_SCHEDULE"
