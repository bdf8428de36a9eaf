"""The machine, case by case: what each event makes of a thread, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition, Turn
from app.core.conversation.effect import FinishReply, PostEphemeral, React, RunTurn, Unreact
from app.core.conversation.facts import NO_FACTS, Author, Facts
from app.core.conversation.transition import QUEUED
from app.core.errors import FailureKind, IllegalEvent
from app.core.events.heard import Event
from app.core.events.internal import EpochStarted, EventParked, TurnEnded
from app.core.machine.apply import apply
from app.core.reactions.messages import LOCKED, UNQUOTED
from app.core.state.status import TurnState
from tests.unit.core.threads import (
    LATER,
    OTHER,
    OWNER,
    conversation,
    deleted,
    edited,
    note,
    posted,
    reply,
    retried,
    said,
)

HELD = FinishReply(id="before:0", reply=2)
GONE = replace(said(1, ""), status=MessageStatus.DELETED)


def resting(*rows: Message, **values: object) -> Conversation:
    """A thread at rest whose last row is a reply."""
    head = max((row.seq for row in rows), default=2)
    return conversation(**{"head": head, "answered": head, "version": 5, **values})


def streaming(turn_reply: int = 2, **values: object) -> Conversation:
    turn = Turn(id=f"{turn_reply}.5", reply=turn_reply)
    running = RunTurn(id="message:1:0", turn=turn.id)
    values = {"head": turn_reply, "answered": turn_reply, "effects": (running,), "version": 5, **values}
    return conversation(run=TurnState.STREAMING, turn=turn, **values)


def refused(before: Conversation, event: Event, facts: Facts = NO_FACTS) -> str:
    """The code with which the machine refuses this."""
    with pytest.raises(IllegalEvent) as refusal:
        apply(before, event, "cause", facts)
    return refusal.value.code


@pytest.mark.parametrize(
    ("before", "event", "code"),
    [
        (resting(), TurnEnded(at=LATER, turn="2.5", reply=reply(2, "late")), "STALE_RUN"),
        (resting(), EpochStarted(since=1, summary=""), "STALE_RUN"),
        (streaming(), TurnEnded(at=LATER, turn="2.4", reply=reply(2, "late")), "STALE_RUN"),
    ],
)
def test_what_cannot_happen_now_is_refused_by_its_code(before: Conversation, event: Event, code: str) -> None:
    assert refused(before, event) == code


@pytest.mark.parametrize(
    ("before", "failed", "user", "code"),
    [
        (streaming(), reply(2, "", MessageStatus.FAILED), OWNER, "BUSY"),
        (resting(), reply(2, "", MessageStatus.FAILED), OTHER, "NOT_OWNER"),
        (resting(), None, OWNER, "QUESTION_CLOSED"),
        (resting(), reply(2, "fine"), OWNER, "QUESTION_CLOSED"),
        (resting(answered=4), reply(2, "", MessageStatus.FAILED), OWNER, "QUESTION_CLOSED"),
    ],
)
def test_a_retry_that_cannot_be_is_refused_by_its_code(
    before: Conversation, failed: Message | None, user: str, code: str
) -> None:
    assert refused(before, retried(failed, user), Facts(pressed_reply=failed)) == code


@pytest.mark.req("S0-250")
def test_the_owners_message_is_kept_and_starts_a_turn_whose_reply_has_a_row() -> None:
    made = apply(conversation(version=7), posted(1, "Hi", opens=True), "message:1")
    asked, answer = made.messages
    assert (asked.seq, asked.role, asked.text, asked.author) == (1, Role.PERSON, "Hi", OWNER)
    assert (answer.seq, answer.role, answer.status) == (2, Role.ASSISTANT, MessageStatus.STREAMING)
    now = made.conversation
    assert now.turn == Turn(id="2.8", reply=2, cause="message:1", since=posted(1, "").ts)
    assert now.effects == (RunTurn(id="message:1:0", turn="2.8"),)
    assert (now.run, now.head, now.answered, now.asked) == (TurnState.STREAMING, 2, 2, ())


def test_a_message_to_other_people_is_context_and_starts_no_turn() -> None:
    made = apply(resting(), posted(3, "<@UANN> what do you say?", addressed=False), "message:3")
    assert (made.conversation.run, made.conversation.asked, made.conversation.effects) == (TurnState.IDLE, (), ())
    assert [row.seq for row in made.messages] == [3]


def test_what_other_people_write_is_context_under_their_name() -> None:
    made = apply(resting(), posted(3, "I agree", OTHER), "message:3", Facts(author=Author(name="Ann")))
    (row,) = made.messages
    assert (row.author, row.author_name, row.text) == (OTHER, "Ann", "I agree")
    assert (made.conversation.run, made.conversation.effects) == (TurnState.IDLE, ())


def test_somebody_else_who_mentions_us_is_told_and_their_message_is_locked() -> None:
    made = apply(resting(), posted(3, "do this", OTHER, opens=True), "message:3")
    told, locked = made.conversation.effects
    assert isinstance(told, PostEphemeral)
    assert (told.user, told.id) == (OTHER, "message:3:0")
    assert f"<@{OWNER}>" in told.text
    assert locked == React(id="message:3:1", ts=posted(3, "").ts, name=LOCKED)
    assert made.conversation.run is TurnState.IDLE


def test_messages_that_come_during_a_turn_get_the_next_one_together() -> None:
    now = streaming()
    for number in (3, 4):
        made = apply(now, posted(number, "more"), f"message:{number}")
        assert [row.seq for row in made.messages] == [number]
        now = made.conversation
    assert now.asked == (3, 4)
    marks = [React(id=f"message:{number}:0", ts=posted(number, "").ts, name=QUEUED) for number in (3, 4)]
    assert list(now.effects[1:]) == marks
    made = apply(replace(now, effects=now.effects[:1]), TurnEnded(at=LATER, turn="2.5", reply=reply(2, "done")), "2.5")
    assert made.conversation.turn == Turn(id="5.6", reply=5, cause="message:4", since=posted(4, "").ts)
    assert made.conversation.effects == (
        FinishReply(id="2.5:0", reply=2),
        Unreact(id="2.5:1", ts=posted(3, "").ts, name=QUEUED),
        Unreact(id="2.5:2", ts=posted(4, "").ts, name=QUEUED),
        RunTurn(id="2.5:3", turn="5.6"),
    )
    assert made.conversation.asked == ()


def test_a_turn_that_ends_leaves_its_closed_reply_to_be_finished() -> None:
    ended = reply(2, "done", MessageStatus.TRUNCATED)
    made = apply(
        streaming(effects=(HELD, RunTurn(id="x:0", turn="2.5"))), TurnEnded(at=LATER, turn="2.5", reply=ended), "2.5"
    )
    assert made.messages == (ended,)
    assert made.conversation.effects == (HELD, FinishReply(id="2.5:0", reply=2))
    assert (made.conversation.run, made.conversation.turn) == (TurnState.IDLE, None)


def test_an_edit_of_a_message_that_no_turn_has_read_replaces_its_words() -> None:
    row = said(3, "old")
    made = apply(streaming(head=3, asked=(3,)), edited(row, "new"), "edit:3", Facts(targets=(row,)))
    assert made.messages == (replace(row, text="new"),)
    assert made.conversation.head == 3


def test_an_edit_of_a_message_that_was_read_becomes_a_note_for_the_next_turn() -> None:
    row = said(1, "old")
    made = apply(resting(), edited(row, "new"), "edit:1", Facts(targets=(row,)))
    (told,) = made.messages
    assert (told.seq, told.role, told.text, told.author) == (3, Role.NOTE, "new", OWNER)
    assert (made.conversation.head, made.conversation.run) == (3, TurnState.IDLE)


def test_an_edit_back_to_the_first_wording_is_told_too() -> None:
    # The model has meanwhile been told of another wording.
    row = said(1, "old")
    assert apply(resting(), edited(row, "old"), "edit:1", Facts(targets=(row,))).messages[0].text == "old"


@pytest.mark.parametrize(
    ("event", "facts"),
    [
        (edited(GONE, "new"), Facts(targets=(GONE,))),
        (deleted(said(1, "old")), NO_FACTS),
    ],
    ids=["edit of what is gone", "deletion of a stranger"],
)
def test_changes_of_messages_that_we_do_not_hold_change_nothing(event: Event, facts: Facts) -> None:
    assert apply(resting(), event, "cause", facts) == Transition(conversation=resting())


def test_a_deletion_whose_save_was_torn_is_done_all_the_same() -> None:
    made = apply(resting(summary="secret", since=1), deleted(GONE), "delete:1", Facts(targets=(GONE,)))
    assert made.messages == ()
    assert (made.conversation.plain, made.conversation.summary) == (2, UNQUOTED.format(count=1))


def test_a_deleted_message_keeps_its_row_and_loses_its_words() -> None:
    row = said(1, "secret")
    made = apply(resting(), deleted(row), "delete:1", Facts(targets=(row,)))
    assert made.messages == (replace(row, text="", status=MessageStatus.DELETED),)


def test_a_deleted_message_takes_its_corrections_with_it() -> None:
    row, correction = said(1, "old"), note(3, "new")
    made = apply(resting(head=3, answered=2), deleted(row), "delete:1", Facts(targets=(row, correction)))
    assert [(gone.seq, gone.text, gone.status) for gone in made.messages] == [
        (1, "", MessageStatus.DELETED),
        (3, "", MessageStatus.DELETED),
    ]


def test_a_correction_that_no_turn_has_read_is_corrected_in_place() -> None:
    row, correction = said(1, "old"), note(3, "new")
    made = apply(resting(head=3, answered=2), edited(row, "newest"), "edit:2", Facts(targets=(row, correction)))
    assert made.messages == (replace(correction, text="newest"),)
    assert made.conversation.head == 3


def test_replies_that_had_read_a_deleted_message_are_sent_as_plain_text_from_then_on() -> None:
    row = said(3, "secret")
    made = apply(resting(plain=0, head=6, answered=6), deleted(row), "x", Facts(targets=(row,)))
    assert made.conversation.plain == 6


def test_deleting_what_no_turn_has_read_leaves_the_history_as_it_was() -> None:
    row = said(3, "secret")
    made = apply(streaming(head=3, asked=(3,)), deleted(row), "x", Facts(targets=(row,)))
    assert made.conversation.plain == 0


def test_a_question_that_was_deleted_before_its_turn_is_not_answered() -> None:
    row = said(3, "never mind")
    now = apply(streaming(head=3, asked=(3,)), deleted(row), "x", Facts(targets=(row,))).conversation
    ended = apply(now, TurnEnded(at=LATER, turn="2.5", reply=reply(2, "done")), "2.5").conversation
    assert (ended.run, ended.asked) == (TurnState.IDLE, ())


def test_deleting_the_newest_question_leaves_the_older_one_to_be_answered() -> None:
    now = apply(streaming(head=4, asked=(3, 4)), deleted(said(4, "never mind")), "x").conversation
    assert (
        apply(now, TurnEnded(at=LATER, turn="2.5", reply=reply(2, "done")), "2.5").conversation.run
        is TurnState.STREAMING
    )


def test_a_summary_quotes_nothing_any_more_when_a_message_it_stands_for_is_deleted() -> None:
    before = resting(head=9, answered=9, since=4, summary="4 earlier messages discussed: secret")
    row = said(2, "secret")
    made = apply(before, deleted(row), "x", Facts(targets=(row,)))
    assert made.conversation.summary == UNQUOTED.format(count=4)
    assert apply(before, deleted(said(5, "later")), "x").conversation.summary == before.summary


def test_retry_runs_the_turn_again_into_the_same_messages() -> None:
    failed = reply(2, "half", MessageStatus.FAILED, reference="tw-1", content="[]", parts=("9.9",))
    made = apply(resting(), replace(retried(failed), ts="9.9"), "action:1", Facts(pressed_reply=failed))
    (again,) = made.messages
    assert replace(again, directive="", kept_at="") == reply(3, "", MessageStatus.STREAMING, parts=("9.9",))
    assert made.conversation.turn == Turn(id="3.6", reply=3, cause="action:1", since=LATER)
    assert made.conversation.effects == (RunTurn(id="action:1:0", turn="3.6"),)


def test_a_failure_that_was_still_to_be_shown_is_overtaken_by_its_retry() -> None:
    other = FinishReply(id="before:1", reply=1)
    cut = reply(2, "", MessageStatus.INTERRUPTED)
    made = apply(resting(effects=(HELD, other)), retried(cut), "action:1", Facts(pressed_reply=cut))
    assert made.conversation.effects == (other, RunTurn(id="action:1:0", turn="3.6"))


def test_an_epoch_moves_the_beginning_and_makes_older_replies_plain() -> None:
    now = apply(streaming(8, head=9), EpochStarted(since=4, summary="so far"), "8.5").conversation
    assert (now.since, now.summary, now.plain, now.run) == (4, "so far", 7, TurnState.STREAMING)


def test_work_that_was_given_up_fails_the_reply_that_was_under_way_and_keeps_its_words() -> None:
    row = reply(2, "half", MessageStatus.STREAMING)
    made = apply(streaming(), EventParked(at=LATER, reference="tw-9", reply=row), "r")
    (failed,) = made.messages
    assert failed == replace(row, status=MessageStatus.FAILED, failure=FailureKind.INTERNAL.value, reference="tw-9")
    assert made.conversation.effects == (FinishReply(id="r:0", reply=2),)
    assert (made.conversation.run, made.conversation.turn) == (TurnState.IDLE, None)


def test_giving_up_one_answer_does_not_forget_who_still_waits() -> None:
    row = reply(2, "half", MessageStatus.STREAMING)
    made = apply(streaming(head=3, asked=(3,)), EventParked(at=LATER, reference="tw-9", reply=row), "r")
    assert made.conversation.turn
    assert made.conversation.turn.reply == 4


def test_a_reply_that_was_given_up_can_be_retried() -> None:
    row = reply(2, "half", MessageStatus.STREAMING)
    parked = apply(streaming(), EventParked(at=LATER, reference="tw-9", reply=row), "r")
    made = apply(parked.conversation, retried(parked.messages[0]), "action:1", Facts(pressed_reply=parked.messages[0]))
    assert made.conversation.turn
    assert made.conversation.turn.reply == 3


def test_work_that_was_given_up_at_rest_says_so_and_leaves_other_work_to_be_done() -> None:
    bad = React(id="before:1", ts="1.1", name="x")
    made = apply(resting(effects=(HELD, bad)), EventParked(at=LATER, reference="tw-9", effect=bad.id), "r")
    (notice,) = made.messages
    assert (notice.seq, notice.role, notice.status) == (3, Role.ASSISTANT, MessageStatus.FAILED)
    assert (made.conversation.head, made.conversation.answered) == (3, 3)
    assert made.conversation.effects == (HELD, FinishReply(id="r:0", reply=3))
