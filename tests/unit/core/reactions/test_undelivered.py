"""Where a thread can be written in no more: what was to be said is kept, nothing runs, and its owner is told once."""

from __future__ import annotations

import pytest

from app.core.conversation.card import QuestionCard
from app.core.conversation.effect import Effect, FinishReply, RunTurn, SendDirectMessage, ShowCard, find_shown_seq
from app.core.copy import texts
from app.core.events.acts import ScheduleCancelled
from app.core.events.internal import ChannelLost
from app.core.state.question import Origin
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import UseState
from app.core.thread import ThreadKey
from tests.unit.core.interviews import confirming
from tests.unit.core.live import CHOICE, DAILY, INPUT, ONCE, Live
from tests.unit.core.lives import use
from tests.unit.core.runs import running
from tests.unit.core.threads import OTHER, THREAD, conversation


def speech(live: Live) -> list[Effect]:
    return [effect for effect in live.now.effects if isinstance(effect, FinishReply | ShowCard)]


def loses(live: Live) -> Live:
    """Slack takes no words any more: nothing that was asked for has been done."""
    refused = speech(live)[0]
    slow = Live(live.now, slow=True)
    slow.rows, slow.seconds = live.rows, live.seconds + 1
    slow.apply(ChannelLost(effect=refused.id, at=slow.ts), refused.id)
    return slow


def kept_back(live: Live) -> set[int]:
    return {find_shown_seq(effect) for effect in live.now.unsaid}


def told(live: Live) -> list[str]:
    return [effect.text for effect in live.now.effects if isinstance(effect, SendDirectMessage)]


def test_a_schedule_whose_runs_nobody_would_hear_is_asked_about_and_not_run() -> None:
    live = running(DAILY).replies("The digest.")
    shown = {find_shown_seq(effect) for effect in speech(live)}
    live = loses(live)
    assert (live.now.status, live.now.schedule is not None, live.now.failures) == (Status.WAITING_INPUT, True, 0)
    question = live.now.question
    assert question is not None
    assert (question.origin, question.prompt) == (Origin.FAILURE, texts.SHALL_I_GO_ON)
    assert live.path("status_transition") == [("background", "waiting_input")]
    assert [event.reason for event in live.made.audit if event.type == "undelivered"] == ["place_lost"]
    assert speech(live) == []
    assert kept_back(live) >= shown | {question.card}
    (words,) = told(live)
    assert "<#C1>" in words
    assert "every day at 09:00" in words


def test_it_goes_on_when_its_owner_is_back_and_says_so() -> None:
    live = loses(running(DAILY).replies("The digest."))
    unsaid = kept_back(live)
    live = live.says("you are back")
    assert {find_shown_seq(effect) for effect in speech(live)} == unsaid
    assert kept_back(live) == unsaid, "until Slack has taken it"
    for effect in speech(live):
        live.now = live.now.without_effect(effect.id)
    assert live.now.unsaid == ()
    live = live.replies("Hi.").clicks("0")
    assert (live.now.status, live.now.question) == (Status.BACKGROUND, None)
    assert live.is_due().now.run is TurnState.STREAMING


def test_who_wrote_before_the_app_was_back_is_not_told_twice() -> None:
    live = loses(running(DAILY).replies("The digest."))
    before = len(told(live))
    live = loses(live.says("hello?"))
    assert (before, len(told(live)), speech(live)) == (1, 1, [])


def test_what_others_say_brings_nothing_back() -> None:
    live = loses(Live().talks())
    assert speech(live.says("Where is it?", OTHER)) == []


def test_the_next_loss_is_told_anew() -> None:
    live = loses(Live().talks())
    live = live.says("back?")
    for effect in live.now.effects:
        if not isinstance(effect, RunTurn):
            live.now = live.now.without_effect(effect.id)
    assert told(live) == []
    assert len(told(loses(live.replies("Yes.")))) == 1


def test_a_schedule_that_its_owner_let_go_on_from_elsewhere_is_paused_again_and_that_is_told() -> None:
    live = loses(running(DAILY).replies("The digest."))
    live = loses(live.clicks("0").is_due().replies("Once more."))
    assert live.now.status is Status.WAITING_INPUT
    assert len(told(live)) == 2


def test_the_result_of_a_task_that_is_done_once_is_kept() -> None:
    live = running(ONCE).replies("There.")
    reply = live.now.answered
    live = loses(live)
    assert (live.now.status, live.now.question) == (Status.ACTIVE, None)
    assert reply in kept_back(live)
    assert told(live) == [texts.KEPT.format(channel="<#C1>")]


def test_a_run_that_has_asked_something_waits_for_that_answer_and_for_no_other() -> None:
    live = running(DAILY).replies("", CHOICE)
    asked = live.now.question
    live = loses(live)
    assert (live.now.question, live.now.status) == (asked, Status.WAITING_INPUT)
    assert asked is not None
    assert asked.card in kept_back(live)
    assert len(told(live)) == 1
    assert live.posts_cards().clicks("0").now.run is TurnState.STREAMING


def test_an_answer_in_chat_is_kept_and_nothing_is_asked_of_the_model() -> None:
    live = loses(Live().talks())
    assert (live.now.run, live.now.status, live.now.question) == (TurnState.IDLE, Status.ACTIVE, None)
    assert [effect for effect in live.now.effects if isinstance(effect, RunTurn)] == []
    assert len(told(live)) == 1


def test_a_run_under_way_comes_to_its_end_before_it_is_paused() -> None:
    live = running(DAILY)
    lost = ChannelLost(effect="r1:0", at=live.ts)
    live.apply(lost, "r1:0")
    assert (live.now.run, live.now.status, live.now.planned > 0) == (TurnState.STREAMING, Status.BACKGROUND, True)
    assert loses(live.replies("The digest.")).now.status is Status.WAITING_INPUT


def test_a_run_that_waits_for_another_answer_is_not_begun() -> None:
    live = Live().talks("Hi", DAILY).says("One more thing").is_due()
    planned = live.now.planned
    live.apply(ChannelLost(effect="r1:0", at=live.ts), "r1:0")
    assert (live.now.status, live.now.planned, planned in live.now.asked) == (Status.WAITING_INPUT, 0, False)


def test_a_turn_that_waits_for_a_permission_goes_on_waiting() -> None:
    live = running(DAILY).reports(use(state=UseState.ASKED))
    live = loses(live)
    assert (live.now.run, live.now.status) == (TurnState.AWAITING, Status.WAITING_INPUT)
    assert len(told(live)) == 1


def test_a_draft_that_waits_for_an_ok_is_kept_and_still_waits() -> None:
    step = confirming()
    lost = ChannelLost(effect="r1:0", at=step.ts)
    question = step.now.question
    step.apply(lost, "r1:0")
    assert (step.now.question, step.now.run) == (question, TurnState.IDLE)


@pytest.mark.parametrize(
    ("live", "words"),
    [
        (Live().says("Hi").reports(use("p1", UseState.ASKED, title="post to #ops")), "hello again"),
        (Live().says("Hi").replies("So:", INPUT), "hello again"),
        (Live().says("Hi").replies("So:", CHOICE), "D1"),
        (confirming(), "yes"),
    ],
    ids=["a permission", "an input", "a choice", "a draft"],
)
def test_no_words_answer_a_question_that_its_owner_has_not_seen_until_it_is_shown(live: Live, words: str) -> None:
    live = loses(live)
    asked = live.now.question
    live.says(words)
    assert live.now.question == asked
    for effect in speech(live):
        live.now = live.now.without_effect(effect.id)
    if live.now.turn and live.now.run is TurnState.STREAMING:
        live.replies("Hm.")
    live.says(words)
    assert live.now.question != asked, "once it is shown, they do"


def test_in_direct_messages_there_is_nobody_to_be_told_in_direct_messages() -> None:
    live = Live(conversation(thread=ThreadKey(team=THREAD.team, channel="D1", root=THREAD.root)))
    live = loses(live.talks())
    assert (told(live), len(live.now.unsaid)) == ([], 1)


@pytest.mark.parametrize(
    "live", [Live().talks("Hi", INPUT).erases(), Live().talks("Hi", INPUT).archives(confirmed=True)]
)
def test_of_what_is_put_away_or_forgotten_nobody_is_told(live: Live) -> None:
    live = loses(live)
    assert (told(live), speech(live)) == ([], [])


def test_a_schedule_that_is_cancelled_meanwhile_is_not_asked_about_any_more() -> None:
    live = loses(running(DAILY).replies("The digest."))
    live = live.does(ScheduleCancelled)
    assert (live.now.status, live.now.question, live.now.schedule) == (Status.ACTIVE, None, None)
    assert live.card(QuestionCard).state == "cancelled"
