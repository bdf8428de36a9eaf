"""An answer that has come to its end before it could be stopped: it is whole, and what it called for counts."""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.call import Call
from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import ShowCard
from app.core.events.acts import StopRequested
from app.core.state.status import Status, TurnState
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import waiting


def stopped_at_its_end(live: Live, *calls: Call) -> Live:
    """The stop comes when the model has just said its last word, and nobody has written that down."""
    whole = replace(live.reply, text="Which?", status=MessageStatus.COMPLETE, acted=bool(calls), calls=calls)
    return live.does(StopRequested, closed_reply=whole)


def test_a_question_that_was_put_with_the_last_word_is_shown_and_waits() -> None:
    live = stopped_at_its_end(Live().says("Hi"), CHOICE)
    assert (live.now.run, live.now.status) == (TurnState.IDLE, Status.WAITING_INPUT)
    assert live.now.question is not None
    assert [effect.card for effect in live.new(ShowCard)] == [live.shown(QuestionCard).seq]


def test_a_schedule_that_was_promised_with_the_last_word_is_set() -> None:
    live = stopped_at_its_end(Live().says("Every day, please"), DAILY)
    assert (live.now.status, bool(live.now.next_run)) == (Status.BACKGROUND, True)


def test_an_answer_to_a_question_back_still_points_at_the_question() -> None:
    live = waiting().says("Why do you ask?")
    reply = live.reply.seq
    stopped_at_its_end(live)
    assert live.rows[reply].still_open == live.shown(QuestionCard).parts[0]
