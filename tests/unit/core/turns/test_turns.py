"""Turns among questions, plans and goals: what their end makes of a thread, and what begins the next one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.call import CancelSchedule
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.effect import FinishReply, RunTurn
from app.core.copy import texts
from app.core.events.acts import ContinuePressed, RetryPressed
from app.core.events.internal import EpochStarted, ThreadSummarized, TurnEnded
from app.core.state.goal import GoalNamed, GoalPhase, GoalType, WorkFinished
from app.core.state.status import Status, TurnState
from app.core.text.marks import FORM
from app.core.turns.takeover import close_after_crash
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import in_background, waiting

DOING = texts.USING.format(tools="read channel, look up")
NAMED = GoalNamed(type=GoalType.QUESTION_ANSWER, description="What a rota costs")


def reply(live: Live) -> Message:
    return [row for row in live.transcript if row.role is Role.ASSISTANT][-1]


def presses(live: Live, kind: type[RetryPressed] | type[ContinuePressed]) -> Live:
    target = reply(live)
    return live.does(kind, reply=target.seq)


def test_a_turn_is_told_where_the_thread_stands_when_it_begins() -> None:
    live = waiting(CHOICE, DAILY).wait(60).says("What does D1 cost?")
    told = live.reply.directive
    assert "Time: Mon 02 Feb 2026 03:40 (UTC)" in told
    assert 'Your question is still open: "Which one?"' in told
    assert "Its answers: D1 Evening cover; D2 Hiring" in told
    assert "Scheduled: every day at 09:00 (UTC). Send the digest." in told


def test_what_a_turn_is_told_stays_as_it_was_however_the_thread_goes_on() -> None:
    live = Live().says("Hi")
    told = live.reply.directive
    live.replies("I see.", CHOICE)
    assert live.transcript[1].directive == told != ""


def test_a_turn_that_ended_long_ago_changes_nothing() -> None:
    live = Live().says("Hi").replies("Hello").says("And?")
    late = replace(live.transcript[1], text="late", calls=(CHOICE,))
    assert live.refuses(TurnEnded(turn="2.1", reply=late, at=live.ts)) == "STALE_RUN"
    assert live.now.run is TurnState.STREAMING


def test_the_goal_moves_after_the_answer_by_what_was_called_for_and_then_by_its_words() -> None:
    live = Live().says("Tell me about rotas").replies("They cost nothing.", NAMED, WorkFinished(summary="told"))
    assert live.now.goals.phase is GoalPhase.REVIEWING
    assert live.path("goal_transition")[-1][1] == "reviewing"


def test_an_answer_that_failed_moves_no_goal() -> None:
    live = Live().says("Hi").replies("", NAMED, status=MessageStatus.FAILED)
    assert (live.now.goals.phase, live.path("goal_transition")) == (GoalPhase.GREETING, [])


def test_an_answer_is_asked_for_again_while_a_question_waits() -> None:
    live = presses(waiting().says("What?").replies("", status=MessageStatus.FAILED), RetryPressed)
    assert (live.now.run, live.now.status) == (TurnState.STREAMING, Status.WAITING_INPUT)


def finishing(live: Live) -> list[int]:
    return [effect.reply for effect in live.now.effects if isinstance(effect, FinishReply)]


def shown(live: Live) -> Live:
    """What was to be shown of replies is shown."""
    live.now = replace(live.now, effects=tuple(each for each in live.now.effects if not isinstance(each, FinishReply)))
    return live


OFFERING = [
    (MessageStatus.FAILED, "busy", ""),
    (MessageStatus.INTERRUPTED, "", "half"),
    (MessageStatus.CANCELLED, "", ""),
    (MessageStatus.TRUNCATED, "", "half"),
    (MessageStatus.LIMITED, "", "half"),
]


@pytest.mark.req("MW-20")
@pytest.mark.parametrize(("status", "failure", "text"), OFFERING)
def test_what_offers_to_be_made_anew_is_shown_once_more_without_that_when_a_later_answer_begins(
    status: MessageStatus, failure: str, text: str
) -> None:
    live = Live().says("Hi").replies(text, status=status, failure=failure)
    old = reply(live)
    assert live.now.offering == old.seq
    shown(live).says("And?")
    assert finishing(live) == [old.seq]
    shown(shown(live).replies("Hello")).says("More?")
    assert finishing(live) == [], "once"


@pytest.mark.parametrize(
    ("status", "failure"),
    [(MessageStatus.COMPLETE, ""), (MessageStatus.FAILED, "misconfigured"), (MessageStatus.REFUSED, "")],
)
def test_what_offers_nothing_is_not_shown_once_more(status: MessageStatus, failure: str) -> None:
    live = shown(Live().says("Hi").replies("", status=status, failure=failure)).says("And?")
    assert finishing(live) == []


def test_what_is_made_anew_or_is_still_to_be_shown_is_not_shown_once_more() -> None:
    live = presses(shown(Live().says("Hi").replies("", status=MessageStatus.FAILED)), RetryPressed)
    assert finishing(live) == []
    assert len(finishing(Live().says("Hi").replies("", status=MessageStatus.FAILED).says("And?"))) == 1


@pytest.mark.req("MW-20")
@pytest.mark.parametrize("kind", [RetryPressed, ContinuePressed])
def test_a_press_on_what_a_later_answer_has_overtaken_is_told_so_even_while_that_is_written(
    kind: type[RetryPressed] | type[ContinuePressed],
) -> None:
    status = MessageStatus.FAILED if kind is RetryPressed else MessageStatus.TRUNCATED
    live = Live().says("Hi").replies("half", status=status)
    old = reply(live)
    live.says("And?")
    assert live.refuses(live.event(kind, reply=old.seq)) == "QUESTION_CLOSED"


def test_the_rest_of_an_answer_is_asked_for_with_the_question_still_open() -> None:
    live = presses(waiting().says("What?").replies("half", status=MessageStatus.TRUNCATED), ContinuePressed)
    assert [row.text for row in live.made.messages if row.role is Role.PERSON] == [texts.GO_ON]
    assert "still open" in live.reply.directive


@pytest.mark.parametrize(("text", "activity"), [("half", ""), ("", "Looked at #ops")])
def test_what_goes_on_stands_below_the_words_of_the_reply_that_was_cut(text: str, activity: str) -> None:
    live = Live().says("Hi").replies(text, status=MessageStatus.TRUNCATED, parts=("1.5",), activity=activity)
    cut = presses(live, ContinuePressed).transcript[1]
    assert (cut.status, cut.parts, live.reply.parts) == (MessageStatus.COMPLETE, ("1.5",), ())
    assert finishing(live) == [cut.seq]


def test_what_goes_on_takes_the_place_of_a_reply_that_was_cut_before_its_first_word() -> None:
    live = Live().says("Hi").replies("", status=MessageStatus.TRUNCATED, parts=("1.5",))
    cut = presses(live, ContinuePressed).transcript[1]
    assert (cut.status, cut.parts, live.reply.parts) == (MessageStatus.COMPLETE, (), ("1.5",))
    assert finishing(live) == []
    assert [row.text for row in live.made.messages if row.role is Role.PERSON] == [texts.GO_ON]


def test_a_reply_that_only_called_for_something_may_be_continued_or_not_but_never_twice() -> None:
    live = presses(Live().says("Hi").replies("half", status=MessageStatus.TRUNCATED), ContinuePressed)
    live.replies("whole")
    first = live.transcript[1]
    assert live.refuses(live.event(ContinuePressed, reply=first.seq)) == "QUESTION_CLOSED"


@pytest.mark.parametrize(
    "live",
    [waiting(CHOICE, DAILY).says("What?").stops(), waiting(CHOICE, DAILY).parks()],
    ids=["a stopped answer", "work that was given up"],
)
def test_what_was_stopped_or_given_up_leaves_question_and_schedule_as_they_are(live: Live) -> None:
    assert live.now.question
    assert live.now.schedule
    assert (live.now.run, live.now.status) == (TurnState.IDLE, Status.WAITING_INPUT)


def test_what_is_asked_while_a_run_is_under_way_is_answered_after_it() -> None:
    live = in_background().is_due().says("And?").replies("The digest.")
    assert live.now.run is TurnState.STREAMING
    assert live.now.asked == ()


def test_a_turn_leaves_its_reply_to_be_finished_before_its_cards_are_shown() -> None:
    live = Live().says("Hi").replies("I see.", DAILY, CHOICE)
    kinds = [type(effect).__name__ for effect in live.now.effects]
    assert kinds == ["FinishReply", "ShowCard", "ShowCard", "PublishHome"]
    assert [effect.reply for effect in live.new(FinishReply)] == [2]


def test_the_next_turn_begins_when_the_cards_of_the_last_one_are_on_their_way() -> None:
    live = Live().says("Hi").says("And?").replies("I see.", CHOICE)
    assert isinstance(live.now.effects[-2], RunTurn)
    assert "still open" in live.reply.directive


def test_a_schedule_set_and_cancelled_in_one_turn_leaves_its_card_closed() -> None:
    live = Live().says("Hi").replies("x", DAILY, CancelSchedule())
    assert (live.now.schedule, live.now.cards, live.now.status) == (None, (), Status.ACTIVE)


def test_a_run_that_the_model_declines_is_due_again_at_the_next_time() -> None:
    live = in_background().is_due()
    live.wait(7 * 60).replies("", status=MessageStatus.REFUSED)
    assert (live.now.planned, live.now.next_run) == (0, "2026-02-03T09:00:00+00:00")


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (DOING, ""),
        (f"I look.\n\n{DOING}", "I look."),
        (f"{DOING}\n\nIt is there.", f"{DOING}\n\nIt is there."),
        (f"So it reads {DOING}", f"So it reads {DOING}"),
    ],
)
def test_of_a_turn_whose_process_died_the_words_are_kept_and_not_what_it_was_doing(shown: str, said: str) -> None:
    live = Live().says("What is new?")
    closed = close_after_crash(live.now, replace(reply(live), text=shown))
    assert closed
    assert (closed.status, closed.text) == (MessageStatus.INTERRUPTED, said)


def test_a_turn_begins_with_the_fence_of_the_process_that_holds_the_conversation() -> None:
    live = Live(replace(Live().now, fence=7)).says("Hi")
    assert live.now.turn
    assert live.now.turn.fence == 7


def test_a_turn_that_was_given_up_is_audited_as_failed_and_a_thread_at_rest_has_none() -> None:
    assert [each.reason for each in Live().says("Hi").parks().made.audit if each.type == "run_finished"] == ["internal"]
    assert [each for each in Live().talks().parks().made.audit if each.type == "run_finished"] == []


def test_replies_in_a_form_of_before_are_sent_as_text_from_the_next_turn_on() -> None:
    live = Live().talks()
    live.now = replace(live.now, form=live.now.form - 1)
    live.says("And?")
    assert live.now.turn
    assert (live.now.plain, live.now.form) == (live.now.turn.reply - 1, FORM)
    assert Live().talks().says("And?").now.plain == 0


def begins_epoch(live: Live, since: int) -> Live:
    assert live.now.turn
    live.apply(EpochStarted(since=since, summary=f"{since} earlier messages"), live.now.turn.id)
    return live


def test_a_summary_is_written_anew_only_when_it_has_to_tell_of_more() -> None:
    live = begins_epoch(Live().talks("Hi").says("And?"), 2)
    due = live.now.summary_due
    assert due
    assert begins_epoch(live, 2).now.summary_due == due
    assert begins_epoch(live, 3).now.summary_due > due


def test_a_summary_that_the_model_wrote_is_taken_unless_something_has_changed_meanwhile() -> None:
    live = begins_epoch(Live().talks("Hi").says("And?"), 2)
    before, due = live.now, live.now.summary_due
    live.apply(ThreadSummarized(summary="They said hello.", due=due + 1), "s")
    assert (live.now.summary, live.now.summary_due, live.made.audit) == (before.summary, due, ())
    live.apply(ThreadSummarized(summary="", due=due), "s")
    assert (live.now.summary, live.now.summary_due, live.now.summarized) == (before.summary, 0, 0)
    live.now = before
    live.apply(ThreadSummarized(summary="They said hello.", due=due), "s")
    assert (live.now.summary, live.now.summary_due, live.now.summarized) == ("They said hello.", 0, 2)
    assert len(live.made.audit) == 1
