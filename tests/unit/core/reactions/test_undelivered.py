"""Where a thread can be written in no more: what was to be said is kept, nothing runs, and its owner is told once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import QuestionCard
from app.core.conversation.effect import (
    Effect,
    Erase,
    FinishReply,
    OpenStep,
    RunTurn,
    SendDirectMessage,
    ShowCard,
    find_shown_seq,
)
from app.core.conversation.news import StepEvent
from app.core.copy import decision_steps, texts
from app.core.events.acts import ScheduleCancelled
from app.core.events.internal import ChannelLost
from app.core.reactions import undelivered
from app.core.state.question import Origin
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import UseState
from app.core.thread import ThreadKey
from tests.unit.core.hubs import HubThread
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


def is_refused(live: Live) -> Live:
    """Slack refuses what is to be said next, and nobody knows whether it would take something else."""
    refused = speech(live)[0]
    slow = Live(live.now, slow=True)
    slow.rows, slow.seconds = live.rows, live.seconds + 1
    slow.apply(ChannelLost(effect=refused.id, at=slow.ts, is_closed=False), refused.id)
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


def test_what_slack_refuses_for_another_reason_is_kept_and_told_in_words_that_do_not_speak_of_an_invitation() -> None:
    live = is_refused(Live().talks())
    assert told(live) == [texts.KEPT_REFUSED.format(channel="<#C1>")]
    assert [event.reason for event in live.made.audit if event.type == "undelivered"] == [undelivered.REFUSED]
    assert len(kept_back(live)) == 1
    assert {find_shown_seq(effect) for effect in speech(live.says("and?"))} == kept_back(live)


def test_a_schedule_whose_result_slack_refuses_is_paused_in_such_words_too() -> None:
    live = is_refused(running(DAILY).replies("The digest."))
    (words,) = told(live)
    assert live.now.status is Status.WAITING_INPUT
    assert "every day at 09:00" in words
    assert "/invite" not in words


def test_one_message_that_slack_refuses_again_and_again_keeps_no_other_from_being_posted() -> None:
    live = is_refused(running(DAILY).replies("The digest."))
    (refused,) = kept_back(live)
    live = live.posts_cards().clicks("0")
    assert live.now.status is Status.BACKGROUND
    live = live.is_due().replies("The next digest.")
    (again,) = (effect for effect in speech(live) if find_shown_seq(effect) == refused)
    live.apply(ChannelLost(effect=again.id, at=live.ts, is_closed=False), again.id)
    assert (kept_back(live), live.now.status, len(told(live))) == ({refused}, Status.BACKGROUND, 1)
    assert live.now.answered in {find_shown_seq(effect) for effect in speech(live)}


def test_words_that_are_not_kept_bring_back_what_is_owed_all_the_same() -> None:
    live = loses(Live().talks("Hi", INPUT).archives(confirmed=True))
    owed = kept_back(live)
    assert owed
    assert live.refuses(live.message("are you back?")) == "ARCHIVED"
    live.now = live.made.conversation
    assert {find_shown_seq(effect) for effect in speech(live)} == owed
    assert kept_back(live) == owed, "until Slack has taken it"


def test_of_what_is_about_to_be_erased_nothing_is_said_any_more() -> None:
    live = loses(Live().talks("Hi", INPUT)).erases()
    live.now = replace(live.now, effects=tuple(effect for effect in live.now.effects if isinstance(effect, Erase)))
    assert live.refuses(live.message("are you back?")) == "ERASING"
    assert kept_back(live)
    assert [effect for effect in live.made.conversation.effects if isinstance(effect, FinishReply | ShowCard)] == []


def pressed(*, direct: bool = False) -> HubThread:
    """A decision whose second step was started and has no thread yet."""
    hub = HubThread(slow=True).hears("frame", StepEvent.STARTED).requests("objectives")
    if direct:
        hub.now = replace(hub.now, thread=replace(hub.now.thread, channel="D1"))
    return hub


def cannot_begin(hub: HubThread, *, is_closed: bool = True) -> list[str]:
    """Slack takes no thread for that step; gives what its owner is told in direct messages."""
    (asked,) = (e for e in hub.now.effects if isinstance(e, OpenStep) and e.component == "objectives")
    hub.apply(ChannelLost(effect=asked.id, at=hub.ts, is_closed=is_closed), asked.id)
    assert not any(isinstance(e, OpenStep) and e.component == "objectives" for e in hub.now.effects)
    return told(hub)


def test_the_owner_hears_of_a_step_that_could_not_begin_and_starts_it_once_more() -> None:
    hub = pressed()
    assert cannot_begin(hub) == [decision_steps.STEP_NOT_BEGUN.format(channel="<#C1>", step="Objectives")]
    assert [event.reason for event in hub.made.audit if event.type == "undelivered"] == ["place_lost"]
    assert hub.requests("objectives").opens[-1] == "objectives"
    refused = decision_steps.STEP_REFUSED.format(channel="<#C1>", step="Objectives")
    assert cannot_begin(hub, is_closed=False)[-1] == refused


def test_of_a_step_nobody_is_told_in_the_direct_messages_that_are_lost() -> None:
    assert cannot_begin(pressed(direct=True)) == []


def test_of_the_card_of_a_decision_its_owner_is_not_told_beside_what_its_steps_say() -> None:
    hub = pressed()
    (shown, *_) = speech(hub)
    hub.apply(ChannelLost(effect=shown.id, at=hub.ts), shown.id)
    assert (told(hub), kept_back(hub)) == ([], {1})
