"""What reactions are made of: effects with ids of their own, rows, and steps that follow one another."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from app.core.conversation.card import FiledCard
from app.core.conversation.conversation import Message, MessageStatus, Role, Transition
from app.core.conversation.effect import PublishHome, React, ShowCard
from app.core.conversation.facts import Facts
from app.core.conversation.transition import (
    Trigger,
    combine,
    parse_ts,
    queue_card,
    queue_card_close,
    queue_card_update,
    queue_emoji,
    queue_home_refresh,
)
from tests.unit.core.threads import OTHER, OWNER, conversation, reply, said

ON = Trigger(cause="c", at="1.0")
CARD = FiledCard(by=OWNER, at="1.0")


def test_a_ts_is_a_moment_in_utc() -> None:
    assert parse_ts("1770000000.000001") == datetime(2026, 2, 2, 2, 40, 0, 1, tzinfo=UTC)


def test_no_two_effects_of_a_cause_have_the_same_id_though_an_earlier_one_is_done() -> None:
    now = queue_emoji(queue_emoji(conversation(), "c", "1.1", "a"), "c", "1.2", "b")
    left = now.without_effect("c:0")
    assert [effect.id for effect in queue_emoji(left, "c", "1.3", "x").effects] == ["c:1", "c:2"]
    under_another = conversation(effects=(React(id="c:5:3", ts="1", name="x"),))
    assert queue_emoji(under_another, "c", "1.1", "a").effects[-1].id == "c:0"


def test_home_is_published_again_while_it_may_be_under_way_but_not_a_third_time() -> None:
    once = queue_home_refresh(conversation(), "a", OWNER)
    twice = queue_home_refresh(once, "b", OWNER)
    assert twice.effects == (PublishHome(id="a:0", user=OWNER), PublishHome(id="b:0", user=OWNER))
    assert queue_home_refresh(twice, "c", OWNER) is twice
    other = queue_home_refresh(twice, "c", OTHER)
    assert other.effects[2:] == (PublishHome(id="c:0", user=OTHER),)


def test_a_card_gets_the_next_row_and_waits_there_to_change() -> None:
    made = queue_card(conversation(head=4, cards=(2,)), ON, CARD)
    (row,) = made.messages
    assert row == Message(seq=5, role=Role.CARD, text="", status=MessageStatus.OPEN, card=CARD)
    assert (made.conversation.head, made.conversation.cards) == (5, (2, 5))
    assert made.conversation.effects == (ShowCard(id="c:0", card=5),)


def test_a_card_that_will_not_change_is_complete_at_once() -> None:
    made = queue_card(conversation(), ON, CARD, changes=False)
    assert (made.messages[0].status, made.conversation.cards) == (MessageStatus.COMPLETE, ())


def test_a_card_that_changes_keeps_its_place_in_slack() -> None:
    kept = replace(reply(3, ""), role=Role.CARD, parts=("9.3",), card=CARD, status=MessageStatus.OPEN)
    on = replace(ON, facts=Facts(open_cards=(kept,)))
    now = conversation(head=3, cards=(3,))
    other = replace(CARD, reopened=True)
    assert queue_card_update(now, on, 3, other).messages == (replace(kept, card=other),)
    closed = queue_card_close(now, on, 3, other)
    assert closed.messages == (replace(kept, card=other, status=MessageStatus.COMPLETE),)
    assert closed.conversation.cards == ()


def test_a_card_that_changes_twice_for_one_cause_is_shown_once_and_for_another_cause_again() -> None:
    now = conversation(head=3, cards=(3,))
    first = queue_card_update(now, ON, 3, CARD).conversation
    assert queue_card_close(first, ON, 3, CARD).conversation.effects == first.effects
    assert len(queue_card_update(first, replace(ON, cause="d"), 3, CARD).conversation.effects) == 2


def test_of_a_row_that_two_steps_have_written_the_later_form_counts() -> None:
    first = Transition(conversation=conversation(), messages=(said(1, "old"), said(2, "kept")))
    then = Transition(conversation=conversation(head=2), messages=(said(1, "new"),))
    both = combine(first, then)
    assert both.messages == (said(1, "new"), said(2, "kept"))
    assert both.conversation.head == 2


def test_an_occasion_knows_the_cards_as_the_step_before_has_left_them() -> None:
    kept, newer = said(3, "kept"), said(3, "newer")
    on = replace(ON, facts=Facts(open_cards=(kept,))).after(Transition(conversation=conversation(), messages=(newer,)))
    assert queue_card_update(conversation(), on, 3, CARD).messages[0].text == "newer"
