"""What people do beside writing – stop, continue, erase – and what they hear when they may not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Turn
from app.core.conversation.effect import Erase, FinishReply, Offer, PostEphemeral, React, RunTurn, Unreact
from app.core.conversation.facts import NO_FACTS, Facts
from app.core.conversation.transition import QUEUED
from app.core.conversation.usage import Usage
from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.events import audit_entries
from app.core.events.acts import ContinuePressed, EraseConfirmed, EraseRequested, StopRequested
from app.core.events.heard import Event
from app.core.events.internal import TurnEnded
from app.core.machine.apply import apply, find_refusal, refuse
from app.core.machine.refusals import TOO_FAST
from app.core.reactions.messages import LOCKED
from app.core.state.status import TurnState
from app.core.turns.takeover import close_after_crash
from tests.unit.core.threads import LATER, OTHER, OWNER, THREAD, conversation, deleted, posted, reply, said, ts
from tests.unit.core.threads import retried as pressed_retry

HERE: dict[str, Any] = {"receipt": "act:1", "thread": THREAD, "ts": ts(50), "at": LATER}
CUT, REFUSED = reply(2, "", MessageStatus.TRUNCATED), reply(2, "", MessageStatus.REFUSED)


def stop(user: str = OWNER, *, written: bool = False) -> StopRequested:
    return StopRequested(**HERE, user=user, written=written)


def pressed_continue(target: Message | None, user: str = OWNER) -> ContinuePressed:
    return ContinuePressed(**HERE, user=user, reply=target.seq if target else 1)


def answering(**values: Any) -> Conversation:
    """A thread whose second row is being written in answer to the first."""
    turn = Turn(id="2.5", reply=2, cause="message:1")
    running = RunTurn(id="message:1:0", turn="2.5")
    held: dict[str, Any] = {"head": 2, "answered": 2, "effects": (running,), "version": 5, **values}
    return conversation(run=TurnState.STREAMING, turn=turn, **held)


def resting(**values: Any) -> Conversation:
    return conversation(**{"head": 2, "answered": 2, "version": 5, **values})


def code_of(before: Conversation, event: Event, facts: Facts = NO_FACTS) -> str:
    with pytest.raises(IllegalEvent) as refusal:
        apply(before, event, "act:1", facts)
    return refusal.value.code


@pytest.mark.req("S0-020")
def test_stop_ends_the_turn_keeps_what_had_come_and_is_in_the_trail() -> None:
    partial = reply(2, "half a sent", MessageStatus.CANCELLED)
    made = apply(answering(), stop(), "act:1", Facts(closed_reply=partial))
    assert made.messages == (partial,)
    assert (made.conversation.run, made.conversation.turn) == (TurnState.IDLE, None)
    assert made.conversation.effects == (FinishReply(id="act:1:0", reply=2),)
    cancelled = [event for event in made.audit if event.type is AuditType.STREAM_CANCELLED]
    assert cancelled == [
        AuditEvent(type=AuditType.STREAM_CANCELLED, reason="stop_requested", actor=OWNER, correlation="act:1")
    ]


def test_messages_that_waited_are_answered_after_a_stop() -> None:
    before = answering(head=3, asked=(3,), asked_by="message:3")
    made = apply(before, stop(), "act:1", Facts(closed_reply=reply(2, "", MessageStatus.CANCELLED)))
    assert made.conversation.turn == Turn(id="4.6", reply=4, cause="message:3")


@pytest.mark.parametrize(
    ("before", "event", "facts", "code"),
    [
        (resting(), stop(), NO_FACTS, "NO_STREAM"),
        (answering(), stop(OTHER), NO_FACTS, "NOT_OWNER"),
        (resting(), stop(OTHER), NO_FACTS, "NOT_OWNER"),
        (answering(), pressed_continue(CUT), Facts(pressed_reply=CUT), "BUSY"),
        (resting(), pressed_continue(CUT, OTHER), Facts(pressed_reply=CUT), "NOT_OWNER"),
        (resting(), pressed_continue(None), NO_FACTS, "QUESTION_CLOSED"),
        (resting(), pressed_continue(REFUSED), Facts(pressed_reply=REFUSED), "QUESTION_CLOSED"),
        (resting(answered=4), pressed_continue(CUT), Facts(pressed_reply=CUT), "QUESTION_CLOSED"),
        (resting(), EraseRequested(**HERE, user=OTHER), NO_FACTS, "NOT_OWNER"),
        (resting(), EraseConfirmed(**HERE, user=OTHER), NO_FACTS, "NOT_OWNER"),
        (resting(), posted(3, "and"), Facts(retry_after=7), "RATE_LIMITED"),
    ],
)
@pytest.mark.req("S0-002", "S0-005", "S0-044")
def test_what_may_not_be_is_refused_by_its_code(before: Conversation, event: Event, facts: Facts, code: str) -> None:
    assert code_of(before, event, facts) == code


def test_only_what_the_state_and_the_owner_allow_cuts_an_answer_off() -> None:
    assert find_refusal(answering(), stop()) is None
    assert find_refusal(answering(), stop(OTHER)) == "NOT_OWNER"
    assert find_refusal(resting(), stop()) == "NO_STREAM"
    assert find_refusal(resting(), posted(3, "hello", OTHER)) is None


@pytest.mark.req("S0-021")
def test_somebody_else_who_writes_stop_is_told_their_message_is_locked_and_the_trail_knows() -> None:
    made = refuse(answering(), stop(OTHER, written=True), "NOT_OWNER", "act:1")
    _, told, mark = made.conversation.effects
    assert told == PostEphemeral(id="act:1:0", user=OTHER, text=texts.NOT_OWNER.format(owner=f"<@{OWNER}>"))
    assert mark == React(id="act:1:1", ts=ts(50), name=LOCKED)
    (refused,) = made.audit
    assert (refused.type, refused.reason, refused.actor) == (AuditType.AUTHORIZATION_FAILED, "NOT_OWNER", OTHER)


def test_a_click_that_is_refused_leaves_no_mark_because_it_is_nobodys_message() -> None:
    effects = refuse(resting(), stop(OTHER), "NOT_OWNER", "act:1").conversation.effects
    assert [type(effect) for effect in effects] == [PostEphemeral]


def test_an_event_of_the_program_that_is_refused_is_only_in_the_trail() -> None:
    late = TurnEnded(at=LATER, turn="9.9", reply=reply(2, "late"))
    made = refuse(resting(), late, "STALE_RUN", "9.9")
    assert made.conversation == resting()
    assert [(event.type, event.reason) for event in made.audit] == [(AuditType.ILLEGAL_TRANSITION, "STALE_RUN")]


def test_who_writes_too_fast_is_told_how_long_to_wait_and_nothing_is_kept() -> None:
    made = refuse(resting(), posted(3, "and"), "RATE_LIMITED", "message:3", Facts(retry_after=7))
    told, mark = made.conversation.effects
    assert isinstance(told, PostEphemeral)
    assert told.text == "A bit fast; try again in 7 s."
    assert mark == React(id="message:3:1", ts=ts(3), name=TOO_FAST)
    assert made.messages == ()
    assert [event.type for event in made.audit] == [AuditType.RATE_LIMITED]


def test_continue_asks_for_the_rest_in_the_owners_name_and_takes_its_button_away() -> None:
    cut = reply(2, "the first half", MessageStatus.TRUNCATED)
    made = apply(resting(), pressed_continue(cut), "act:1", Facts(pressed_reply=cut))
    whole, wish, answer = made.messages
    assert whole == replace(cut, status=MessageStatus.COMPLETE)
    assert (wish.seq, wish.role, wish.text, wish.author) == (3, Role.PERSON, texts.GO_ON, OWNER)
    assert (answer.seq, answer.status) == (4, MessageStatus.STREAMING)
    assert made.conversation.effects == (FinishReply(id="act:1:0", reply=2), RunTurn(id="act:1:1", turn="4.6"))


def test_erasing_is_asked_back_before_it_is_done() -> None:
    made = apply(answering(), EraseRequested(**HERE, user=OWNER), "act:1")
    assert made.conversation.effects[1:] == (
        PostEphemeral(id="act:1:0", user=OWNER, text=texts.ERASE_OFFER, offer=Offer.ERASE),
    )
    assert made.conversation.run is TurnState.STREAMING


def test_erasing_ends_the_answer_under_way_and_answers_nothing_that_waited() -> None:
    partial = reply(2, "half", MessageStatus.CANCELLED)
    before = answering(head=3, asked=(3,))
    made = apply(before, EraseConfirmed(**HERE, user=OWNER), "act:1", Facts(closed_reply=partial))
    assert made.conversation.effects == (FinishReply(id="act:1:0", reply=2), Erase(id="act:1:1", user=OWNER))
    assert (made.conversation.run, made.conversation.asked) == (TurnState.IDLE, ())


def test_erasing_a_thread_at_rest_needs_nothing_else() -> None:
    made = apply(resting(), EraseConfirmed(**HERE, user=OWNER), "act:1")
    assert made.conversation.effects == (Erase(id="act:1:0", user=OWNER),)


def test_a_message_older_than_what_a_turn_has_read_is_marked_late() -> None:
    now = apply(conversation(), posted(5, "Hi", opens=True), "message:5").conversation
    late, early = apply(now, posted(3, "before that"), "m:3"), apply(now, posted(6, "after"), "m:6")
    assert [row.late for row in (*late.messages, *early.messages)] == [True, False]


def test_a_retry_is_a_row_of_its_own_in_the_same_messages_so_that_later_words_are_read_too() -> None:
    failed = reply(2, "half", MessageStatus.FAILED, cost="0.1", usage=Usage(input_tokens=5), wait=3, parts=("9.9",))
    made = apply(resting(head=3), replace(pressed_retry(failed), ts="9.9"), "act:1", Facts(pressed_reply=failed))
    (again,) = made.messages
    assert replace(again, directive="", kept_at="") == reply(4, "", MessageStatus.STREAMING, parts=("9.9",))
    assert (made.conversation.head, made.conversation.answered) == (4, 4)


def test_a_message_of_which_only_who_pressed_knows_is_written_into_again() -> None:
    failed = reply(2, "half", MessageStatus.FAILED, parts=("9.8",))
    (again,) = apply(resting(), replace(pressed_retry(failed), ts="9.9"), "act:1", Facts(pressed_reply=failed)).messages
    assert again.parts == ("9.8", "9.9")


@pytest.mark.parametrize(
    ("wish", "meant"),
    [
        (replace(stop(), reply=2), True),
        (replace(stop(), reply=1), False),
        (replace(stop(), at=ts(4)), True),
        (replace(stop(), at=ts(2)), False),
    ],
    ids=["its own button", "the button of an earlier answer", "after the question", "before the question"],
)
def test_a_stop_ends_only_the_answer_it_was_meant_for(wish: StopRequested, meant: bool) -> None:
    turn = Turn(id="2.5", reply=2, since=ts(3))
    assert (find_refusal(replace(answering(), turn=turn), wish) is None) is meant


@pytest.mark.parametrize(("text", "again"), [("", True), ("half", False)])
def test_an_answer_stopped_before_its_first_word_can_be_asked_for_again(text: str, again: bool) -> None:
    stopped = reply(2, text, MessageStatus.CANCELLED)
    before, wish, facts = resting(), pressed_retry(stopped), Facts(pressed_reply=stopped)
    if again:
        assert apply(before, wish, "act:1", facts).conversation.turn
    else:
        assert code_of(before, wish, facts) == "QUESTION_CLOSED"


@pytest.mark.parametrize(
    "event", [posted(3, "wait"), pressed_retry(reply(2, "", MessageStatus.FAILED)), EraseConfirmed(**HERE, user=OWNER)]
)
def test_a_conversation_that_is_being_erased_takes_nothing_more(event: Event) -> None:
    before = resting(effects=(Erase(id="act:0:0", user=OWNER),))
    assert code_of(before, event) == "ERASING"
    told, *_ = refuse(before, event, "ERASING", "act:1").conversation.effects[1:]
    assert isinstance(told, PostEphemeral)
    assert told.text == texts.ERASING


def test_what_waits_when_a_thread_is_erased_loses_its_mark() -> None:
    before = answering(head=3, asked=(3,), queued=(ts(3),))
    partial = reply(2, "half", MessageStatus.CANCELLED)
    made = apply(before, EraseConfirmed(**HERE, user=OWNER), "act:1", Facts(closed_reply=partial))
    assert Unreact(id="act:1:1", ts=ts(3), name=QUEUED) in made.conversation.effects
    assert made.conversation.queued == ()


def test_a_continue_whose_save_was_torn_is_done_all_the_same() -> None:
    whole = reply(2, "the first half")
    made = apply(resting(), pressed_continue(whole), "act:1", Facts(pressed_reply=whole))
    assert [row.seq for row in made.messages] == [2, 3, 4]


@pytest.mark.parametrize(
    ("row", "fence", "ends"),
    [
        (reply(2, "", MessageStatus.STREAMING), 2, None),
        (reply(2, "", MessageStatus.STREAMING), 3, MessageStatus.INTERRUPTED),
        (reply(2, "shown", MessageStatus.STREAMING), 1, MessageStatus.INTERRUPTED),
        (reply(2, "", MessageStatus.STREAMING, parts=("9.9",)), 1, MessageStatus.INTERRUPTED),
        (reply(2, "done", MessageStatus.COMPLETE), 1, MessageStatus.COMPLETE),
    ],
    ids=["nothing shown", "nothing shown, too often", "text kept", "message posted", "reply stored"],
)
def test_a_turn_whose_process_died_is_run_again_only_if_nobody_saw_any_of_it(
    row: Message, fence: int, ends: MessageStatus | None
) -> None:
    closed = close_after_crash(answering(fence=fence), row)
    assert (closed and closed.status) == ends


@pytest.mark.req("S0-007", "S0-017")
def test_a_turn_leaves_its_changes_of_state_and_its_cost_in_the_trail_under_one_correlation() -> None:
    begun = apply(conversation(), posted(1, "Hi", opens=True), "message:1")
    ended = reply(2, "Hello", usage=Usage(input_tokens=10, output_tokens=3, cache_read_tokens=5), cost="0.000125")
    turn = begun.conversation.turn
    assert turn
    over = apply(begun.conversation, TurnEnded(at=LATER, turn=turn.id, reply=ended), turn.id)
    assert [(e.type, e.before, e.after, e.reason, e.actor) for e in begun.audit] == [
        (AuditType.STATE_TRANSITION, "idle", "streaming", "settled", "")
    ]
    change, finished = over.audit
    assert (change.before, change.after, change.reason) == ("streaming", "idle", "turn_ended")
    assert finished.type is AuditType.RUN_FINISHED
    assert finished.counts == {"input_tokens": 15, "output_tokens": 3, "micro_dollars": 125}
    assert {event.correlation for event in (*begun.audit, *over.audit)} == {"message:1"}


def test_an_unknown_price_is_left_out_of_the_trail() -> None:
    over = apply(answering(), TurnEnded(at=LATER, turn="2.5", reply=reply(2, "Hello")), "2.5")
    assert "micro_dollars" not in over.audit[-1].counts


def test_deleting_a_waiting_message_takes_it_off_the_list_of_marks() -> None:
    now = apply(answering(), posted(3, "wait"), "message:3").conversation
    assert now.queued == (ts(3),)
    row = said(3, "wait")
    after = apply(now, deleted(row), "delete:3", Facts(targets=(row,))).conversation
    assert after.queued == ()
    assert after.effects[-1] == Unreact(id="delete:3:0", ts=ts(3), name=QUEUED)


def test_an_erasure_is_in_the_trail_under_the_wish_that_led_to_it() -> None:
    made = audit_entries.audit_erasure(Erase(id="action:T1:C1:1.1:0", user=OWNER))
    assert (made.type, made.actor) == (AuditType.CONVERSATION_ERASED, OWNER)
    assert made.correlation == "action:T1:C1:1.1"


@pytest.mark.req("IN-08")
def test_the_trail_says_how_often_an_answer_has_searched_the_web() -> None:
    searched = replace(reply(2, ""), usage=Usage(searches=2) + Usage(input_tokens=5, searches=1), rounds=1)
    assert audit_entries.audit_turn(conversation(), searched).counts["searches"] == 3
    plain = replace(searched, usage=searched.usage - Usage(searches=3))
    assert "searches" not in audit_entries.audit_turn(conversation(), plain).counts
