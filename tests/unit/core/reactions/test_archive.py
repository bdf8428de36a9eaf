"""A conversation put away and taken up again, and what is told of it (T1, C-04, C-33)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.card import FiledCard, QuestionCard, ScheduleCard, ScheduleState
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import (
    Erase,
    FinishReply,
    Offer,
    PostEphemeral,
    PublishHome,
    React,
    RunTurn,
    ShowCard,
    Unreact,
)
from app.core.copy import texts
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    EraseConfirmed,
    ReopenRequested,
    RetryPressed,
    ScheduleCancelled,
    StopRequested,
)
from app.core.events.heard import MessageEdited
from app.core.machine import apply
from app.core.machine.refusals import PUT_AWAY
from app.core.state.goal import GoalPhase
from app.core.state.question import QuestionState
from app.core.state.status import Status, TurnState
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import archived, in_background, permitting, waiting
from tests.unit.core.runs import running, wishes
from tests.unit.core.threads import OTHER, OWNER, THREAD


def told(live: Live) -> list[str]:
    return [effect.text for effect in live.new(PostEphemeral)]


@pytest.fixture
def live() -> Live:
    return archived()


@pytest.mark.req("S2-022", "S2-027", "S2-037")
def test_where_nothing_would_stop_archiving_is_done_at_once() -> None:
    live = Live().talks().archives()
    assert live.now.status is Status.ARCHIVED
    shown = live.shown(FiledCard)
    assert (shown.card, shown.status) == (FiledCard(by=OWNER, at=live.ts), MessageStatus.OPEN)
    assert [effect.card for effect in live.new(ShowCard)] == [shown.seq]
    assert live.path("status_transition") == [("active", "archived")]


@pytest.mark.req("S2-058")
@pytest.mark.parametrize(
    ("live", "stops"),
    [
        (in_background(), "That stops what runs every day at 09:00 (UTC)."),
        (waiting(), "That cancels my open question."),
        (waiting(CHOICE, DAILY), "That stops what runs every day at 09:00 (UTC) and cancels my open question."),
    ],
    ids=["a schedule", "a question", "both"],
)
def test_where_something_would_stop_the_owner_is_warned_first(live: Live, stops: str) -> None:
    before = live.now
    live.archives()
    (warned,) = live.new(PostEphemeral)
    assert (warned.user, warned.offer) == (OWNER, Offer.ARCHIVE)
    assert warned.text.endswith(stops)
    assert replace(live.now, version=0, effects=()) == replace(before, version=0, effects=())


def test_a_warning_ends_no_answer() -> None:
    live = in_background().says("Hi").archives()
    assert (live.now.run, live.now.status) == (TurnState.STREAMING, Status.BACKGROUND)


@pytest.mark.req("S2-024", "S2-025", "S2-057")
def test_archiving_ends_the_run_then_the_question_then_the_schedule() -> None:
    live = waiting(CHOICE, DAILY).says("What does D1 cost?").says("And D2?")
    reply, question, schedule = live.reply.seq, live.shown(QuestionCard), live.shown(ScheduleCard)
    live.archives(confirmed=True)
    now = live.now
    assert (now.status, now.run, now.turn, now.question, now.schedule, now.next_run) == (
        Status.ARCHIVED,
        TurnState.IDLE,
        None,
        None,
        None,
        "",
    )
    assert (now.asked, now.queued, now.planned) == ((), (), 0)
    done = [effect for effect in now.effects if isinstance(effect, (FinishReply, Unreact, ShowCard))]
    filed = live.shown(FiledCard)
    assert [getattr(effect, "reply", getattr(effect, "card", "mark")) for effect in done] == [
        reply,
        "mark",
        question.seq,
        schedule.seq,
        filed.seq,
    ]
    assert (live.rows[reply].status, live.rows[reply].text) == (MessageStatus.CANCELLED, "half")
    assert live.card(QuestionCard).state is QuestionState.CANCELLED
    assert (live.card(ScheduleCard).state, live.shown(ScheduleCard).parts) == (
        ScheduleState.CANCELLED,
        schedule.parts,
    )
    assert now.cards == (filed.seq,)


def test_archiving_forgets_what_was_asked_and_not_answered() -> None:
    live = Live().says("Hi").says("And?").archives()
    assert (live.now.status, live.now.run, live.now.asked) == (Status.ARCHIVED, TurnState.IDLE, ())
    assert not live.new(RunTurn)


def test_a_run_that_waited_for_its_turn_is_not_told_after_reopening() -> None:
    live = in_background().says("Hi").wait(7 * 60).is_due()
    assert live.now.work.due_by
    live.archives(confirmed=True)
    assert not live.new(RunTurn)
    live.reopens().talks()
    assert (live.now.run, live.now.planned, live.now.work.due_by, wishes(live)) == (TurnState.IDLE, 0, "", [])


def planned() -> Live:
    return Live().says("I want to build a todo app").replies("What kind?").says("sounds good").replies("First a list.")


def under_way() -> Live:
    return planned().says("go ahead")


@pytest.mark.req("AG-15")
@pytest.mark.parametrize("begun", [lambda: Live().says("I want to build a todo app").replies("What kind?"), planned])
def test_archiving_freezes_a_goal_and_reopening_goes_on_where_it_stood(begun: Callable[[], Live]) -> None:
    live = begun()
    before = live.now.goals
    live.archives(confirmed=True)
    assert (live.now.status, live.now.goals) == (Status.ARCHIVED, before)
    assert live.path("goal_transition") == []
    live.wait(60 * 24).reopens()
    assert live.now.goals == before
    assert live.refuses(live.quiet(live.now.newest)) == "STALE_RUN", "the silence in the archive does not count"
    live.says("With React, please")
    assert live.now.goals.goal is not None
    assert live.now.goals.goal.id == "G1"


@pytest.mark.req("AG-15")
def test_a_work_under_way_stops_in_the_archive_and_stands_there_after_it() -> None:
    live = under_way().archives(confirmed=True)
    assert live.now.run is TurnState.IDLE
    live.reopens().says("go on")
    assert (live.now.goals.phase, live.now.run) == (GoalPhase.EXECUTING, TurnState.STREAMING)


@pytest.mark.req("AG-15")
@pytest.mark.parametrize("begun", [planned, under_way])
def test_archiving_warns_of_work_that_is_planned_or_under_way(begun: Callable[[], Live]) -> None:
    live = begun().archives()
    assert live.now.status is Status.ACTIVE
    assert told(live) == [texts.ARCHIVE_WARNING.format(stops=texts.LEAVES_WORK)]
    assert [effect.offer for effect in live.new(PostEphemeral)] == [Offer.ARCHIVE]


def test_archiving_does_not_warn_of_a_goal_of_which_nothing_is_planned_yet_or_all_is_done() -> None:
    assert Live().says("I want to build a todo app").replies("What kind?").archives().now.status is Status.ARCHIVED
    shown = under_way().replies("<artifact title='App'>").archives()
    assert shown.now.status is Status.ARCHIVED


@pytest.mark.parametrize("kind", [ArchiveRequested, ArchiveConfirmed])
def test_what_is_archived_already_is_not_archived_again(
    live: Live, kind: type[ArchiveRequested] | type[ArchiveConfirmed]
) -> None:
    card = live.shown(FiledCard)
    live.does(kind)
    assert told(live) == [texts.ALREADY_ARCHIVED]
    assert (live.shown(FiledCard), live.now.head) == (card, card.seq)


@pytest.mark.req("S2-023", "S2-052", "M-008")
def test_what_the_owner_writes_in_an_archived_thread_is_not_kept_and_the_way_back_is_offered(live: Live) -> None:
    event = live.message("One more thing")
    assert live.refuses(event) == "ARCHIVED"
    (hint,) = live.new(PostEphemeral)
    assert (hint.text, hint.offer, hint.user) == (texts.ARCHIVED, Offer.REOPEN, OWNER)
    assert hint.about == event.ts, "the button goes on with this message"
    assert [(mark.ts, mark.name) for mark in live.new(React)] == [(event.ts, PUT_AWAY)]
    assert [event.reason for event in live.made.audit] == ["ARCHIVED"]


def test_what_others_say_to_each_other_in_an_archived_thread_is_nobodys_business(live: Live) -> None:
    assert live.refuses(live.message("<@UANN> lunch?", OTHER, addressed=False)) == "UNHEARD"
    assert live.refuses(live.message("<@UANN> lunch?", addressed=False)) == "UNHEARD"
    assert live.made.conversation == live.now
    assert live.refuses(live.message("<@UBOT> do this", OTHER, opens=True)) == "ARCHIVED_FOR_OTHERS"
    assert [(effect.user) for effect in live.new(PostEphemeral)] == [OTHER]


def test_an_edit_in_an_archived_thread_is_not_heard(live: Live) -> None:
    edit = MessageEdited(receipt="e", thread=THREAD, ts="1.1", at=live.ts, user=OWNER, text="other words")
    assert live.refuses(edit) == "UNHEARD"
    assert live.made.conversation == live.now


@pytest.mark.req("S2-026")
def test_in_an_archived_thread_nothing_goes_on(live: Live) -> None:
    acts = [
        live.event(RetryPressed, reply=2),
        live.event(ContinuePressed, reply=2),
        live.event(ScheduleCancelled),
        live.click("0"),
    ]
    assert {live.refuses(act) for act in acts} == {"ARCHIVED"}
    assert live.refuses(live.event(StopRequested)) == "NO_STREAM"
    assert live.refuses(live.due("2026-02-02T09:00:00+00:00")) == "STALE_RUN"
    assert live.refuses(live.quiet()) == "STALE_RUN"


def test_an_archived_conversation_is_reopened_without_schedule_and_question_on_the_same_card() -> None:
    live = waiting(CHOICE, DAILY).archives(confirmed=True).posts_cards()
    filed = live.shown(FiledCard)
    live.reopens()
    assert (live.now.status, live.now.question, live.now.schedule) == (Status.ACTIVE, None, None)
    again = live.rows[filed.seq]
    assert (again.card, again.parts, again.status) == (
        FiledCard(by=OWNER, at=live.ts, reopened=True),
        filed.parts,
        MessageStatus.COMPLETE,
    )
    assert live.now.cards == ()
    assert live.path("status_transition") == [("archived", "active")]
    assert live.says("Where were we?").now.run is TurnState.STREAMING


def test_a_conversation_whose_card_is_lost_is_reopened_on_a_new_one(live: Live) -> None:
    live.now, before = replace(live.now, cards=()), live.now.head
    live.reopens()
    assert live.shown(FiledCard).seq == live.now.head == before + 1
    assert live.card(FiledCard).reopened


def test_what_is_open_cannot_be_reopened() -> None:
    for live in (Live().talks(), waiting(), in_background()):
        assert live.refuses(live.event(ReopenRequested)) == "NOT_ARCHIVED"
        assert told(live) == [texts.NOT_ARCHIVED]


def test_without_a_schedule_there_is_nothing_to_cancel() -> None:
    for live in (Live().talks(), waiting()):
        assert live.refuses(live.event(ScheduleCancelled)) == "NO_SCHEDULE"
        assert told(live) == [texts.NO_SCHEDULE]


def test_who_calls_off_a_plan_that_was_replaced_meanwhile_ends_no_other_one() -> None:
    live = in_background(DAILY)
    (old,) = live.now.cards
    live.talks("At eight, please", replace(DAILY, cron="0 8 * * *")).posts_cards()
    assert live.refuses(live.event(ScheduleCancelled, card=old)) == "STALE_PLAN"
    assert told(live) == [texts.PLAN_REPLACED]
    assert live.now.schedule is not None
    assert (live.now.status, live.now.schedule.cron) == (Status.BACKGROUND, "0 8 * * *")
    (new,) = live.now.cards
    live.does(ScheduleCancelled, card=new)
    assert (live.now.status, live.now.schedule) == (Status.ACTIVE, None)


def test_a_click_on_the_card_of_a_replaced_plan_breaks_off_no_run_of_the_newer_one() -> None:
    live = in_background(DAILY).wait(7 * 60).is_due()
    assert live.now.turn
    assert not apply.ends_turn(live.now, live.event(ScheduleCancelled, card=99))
    assert apply.ends_turn(live.now, live.event(ScheduleCancelled, card=live.now.cards[0]))


@pytest.mark.req("S2-053", "S2-054", "S2-055")
def test_status_tells_what_the_thread_waits_for_and_what_it_does_when() -> None:
    (text,) = told(waiting(CHOICE, DAILY).asks("status"))
    assert texts.STATUS_NAMES[Status.WAITING_INPUT] in text
    assert "Which one?" in text
    assert text.endswith("every day at 09:00 (UTC) · paused while a question waits for its answer")
    (text,) = told(in_background().asks("status"))
    assert text == "⏰ In the background\nevery day at 09:00 (UTC) · next today 09:00"


@pytest.mark.parametrize("begun", [lambda: Live().says("Hi"), lambda: waiting(CHOICE), permitting, running])
def test_status_does_not_say_that_nothing_is_under_way_where_something_is_or_waits(begun: Callable[[], Live]) -> None:
    (text,) = told(begun().asks("status"))
    assert texts.NO_GOAL not in text
    assert text


@pytest.mark.req("AG-17")
def test_status_of_what_is_archived_waits_for_no_words_and_says_how_to_go_on() -> None:
    (text,) = told(Live().talks().archives().asks("status"))
    assert text == f"{texts.STATUS_NAMES[Status.ARCHIVED]}\n{texts.REOPEN_FIRST}"
    (text,) = told(Live().says("Build a calculator").replies("What kind?").archives().asks("status"))
    assert f"{texts.REOPEN_FIRST}\n\n{texts.UNDERSTANDING.format(goal='the calculator')}\n" in text


def test_status_tells_in_plain_words_where_the_thread_is_with_its_goal() -> None:
    (text,) = told(Live().says("Build a calculator").replies("What kind?").says("sounds good").replies().asks("status"))
    assert text.startswith("Planning the calculator; waiting for your OK\n")
    (busy,) = told(Live().says("Build a calculator").asks("status"))
    assert busy.startswith("Finding out what you need for the calculator\n")
    assert texts.OPEN_QUESTION.partition("{")[0] not in text


def test_who_asks_for_help_gets_it_alone_and_nothing_else_happens() -> None:
    live = Live().talks().asks("help")
    assert told(live) == [texts.HELP]
    assert live.made.messages == ()


CHANGES: list[tuple[str, Callable[[Live], Live], bool]] = [
    ("archived", lambda live: live.archives(), True),
    ("status", lambda live: live.asks("status"), False),
    ("a message", lambda live: live.says("and?"), False),
    ("a goal", lambda live: live.says("I want to build a todo app"), True),
    ("a schedule", lambda live: live.talks("x", DAILY), True),
    ("a question", lambda live: live.talks("x", CHOICE), True),
]


@pytest.mark.parametrize(("act", "changes"), [pytest.param(act, changes, id=name) for name, act, changes in CHANGES])
def test_home_is_published_only_when_what_it_shows_has_changed(act: Callable[[Live], Live], changes: bool) -> None:
    live = act(Live().talks())
    assert [effect.user for effect in live.new(PublishHome)] == ([OWNER] if changes else [])


@pytest.mark.parametrize(("said", "lines"), [({}, 0), ({"parts": ("9.9",)}, 1), ({"text": "I post it."}, 1)])
@pytest.mark.parametrize("begun", [permitting, running, lambda: Live().says("Hi")])
def test_what_is_put_away_needs_no_line_for_a_turn_that_has_shown_nothing(
    begun: Callable[[], Live], said: dict[str, Any], lines: int
) -> None:
    live = begun()
    stopped = replace(live.reply, status=MessageStatus.CANCELLED, **{"text": "", **said})
    event = live.event(ArchiveConfirmed)
    live.apply(event, event.receipt, closed_reply=stopped)
    assert [effect.reply for effect in live.new(FinishReply)] == [stopped.seq], "this ends its status in Slack"
    assert live.rows[stopped.seq].status is (MessageStatus.CANCELLED if lines else MessageStatus.DELETED)
    assert live.now.offering == stopped.seq * (lines if not stopped.text else 0)


def test_a_plan_that_is_cancelled_in_its_run_says_so_on_its_card_alone() -> None:
    live = running()
    stopped = replace(live.reply, status=MessageStatus.CANCELLED, text="")
    event = live.event(ScheduleCancelled, card=live.now.cards[0])
    live.apply(event, event.receipt, closed_reply=stopped)
    assert (live.rows[stopped.seq].status, live.now.offering) == (MessageStatus.DELETED, 0)


# --- ended by silence


@pytest.mark.req("SE-18")
@pytest.mark.parametrize("begun", [lambda: Live().talks(), waiting], ids=["at rest", "a question nobody answered"])
def test_what_was_silent_is_archived_with_a_note_that_says_so_and_when_it_is_forgotten(
    begun: Callable[[], Live],
) -> None:
    live = begun()
    silent, ends = live.now.newest, "2026-03-08T00:00:00+00:00"
    live.does(ArchiveConfirmed, silent=silent, erased_at=ends)
    assert (live.now.status, live.now.ends, live.now.question) == (Status.ARCHIVED, ends, None)
    card = FiledCard(by=OWNER, at=live.ts, silent=True, ends="1772928000.000000")
    assert live.shown(FiledCard).card == card


@pytest.mark.req("SE-18")
@pytest.mark.parametrize(
    "live",
    [Live().talks().talks("And?"), in_background(), archived()],
    ids=["somebody wrote meanwhile", "something is planned", "archived already"],
)
def test_what_is_not_silent_any_more_or_has_something_planned_is_left_as_it_is(live: Live) -> None:
    is_as_it_was = live.now.schedule or live.now.status is Status.ARCHIVED
    since = live.now.newest if is_as_it_was else "1770000000.000001"
    assert live.refuses(live.event(ArchiveConfirmed, silent=since)) == "STALE_RUN"


@pytest.mark.req("SE-18")
def test_what_was_archived_is_erased_at_the_time_that_was_told_unless_it_was_reopened() -> None:
    ends = "2026-03-08T00:00:00+00:00"
    live = Live().talks().does(ArchiveRequested, erased_at=ends)
    assert live.refuses(live.event(EraseConfirmed, ends="2026-03-07T00:00:00+00:00")) == "STALE_RUN"
    again = Live().talks().does(ArchiveRequested, erased_at=ends).reopens()
    assert (again.now.ends, again.refuses(again.event(EraseConfirmed, ends=ends))) == ("", "STALE_RUN")
    live.does(EraseConfirmed, ends=ends)
    assert len(live.new(Erase)) == 1


def test_what_the_app_reopens_because_a_step_is_in_use_is_told_so_and_not_in_its_owners_name() -> None:
    ends = "2026-03-08T00:00:00+00:00"
    live = Live().says("Hi").replies().does(ArchiveConfirmed, erased_at=ends).posts_cards()
    assert live.refuses(live.event(ReopenRequested, ends="2026-03-07T00:00:00+00:00")) == "STALE_RUN"
    live.does(ReopenRequested, ends=ends)
    card = live.card(FiledCard)
    assert (card.reopened, card.silent, live.now.ends) == (True, True, "")
