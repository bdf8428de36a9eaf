"""A conversation whose erasure is confirmed: its cards are closed first, and nothing of it goes on meanwhile."""

from __future__ import annotations

from app.core.conversation.card import FiledCard, QuestionCard, ScheduleCard, ScheduleState
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import Erase, ShowCard
from app.core.state.question import QuestionState
from app.core.state.status import Status, TurnState
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import in_background, waiting


def test_the_cards_lose_their_buttons_before_all_is_forgotten() -> None:
    live = waiting(CHOICE, DAILY)
    question, schedule = live.shown(QuestionCard), live.shown(ScheduleCard)
    live.erases()
    assert (live.card(QuestionCard).state, live.card(ScheduleCard).state) == (
        QuestionState.CANCELLED,
        ScheduleState.CANCELLED,
    )
    done = [effect for effect in live.now.effects if isinstance(effect, (ShowCard, Erase))]
    assert [getattr(effect, "card", "erase") for effect in done] == [question.seq, schedule.seq, "erase"]
    for card in (question, schedule):
        assert (live.rows[card.seq].parts, live.rows[card.seq].status) == (card.parts, MessageStatus.COMPLETE)
    assert (live.now.status, live.now.cards) == (Status.ACTIVE, ())


def test_a_run_under_way_ends_with_all_that_was_planned() -> None:
    live = in_background().wait(7 * 60).is_due().erases()
    now = live.now
    assert (now.run, now.status, now.planned, now.schedule, now.asked) == (TurnState.IDLE, Status.ACTIVE, 0, None, ())


def test_what_is_archived_is_erased_as_it_is_and_its_card_offers_no_more_to_reopen_it() -> None:
    live = Live().talks().archives()
    live.shown(FiledCard)
    live.erases()
    assert live.now.status is Status.ARCHIVED
    assert (live.card(FiledCard).forgotten, live.now.cards) == (True, ())
    assert [type(effect) for effect in live.now.effects][-1] is Erase
