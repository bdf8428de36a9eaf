"""The values of the core, where they decide something."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from app.core.conversation.conversation import CLOSED, MessageStatus
from app.core.conversation.effect import FinishReply, React
from app.core.conversation.usage import Usage
from tests.unit.core.threads import LATER, THREAD, conversation, deleted, edited, posted, reply, retried, said, ts

FINISH, MARK = FinishReply(id="a:0", reply=2), React(id="a:1", ts="1.1", name="lock")


@pytest.mark.parametrize(("channel", "direct"), [("D024BE91L", True), ("C024BE91L", False), ("G024BE91L", False)])
def test_a_direct_message_is_known_by_its_channel(channel: str, direct: bool) -> None:
    assert replace(THREAD, channel=channel).direct is direct


def test_only_replies_that_the_model_or_the_owner_ended_may_be_sent_again() -> None:
    sendable = {status for status in MessageStatus if reply(1, "x", status).is_sendable}
    assert sendable == {"complete", "truncated", "limited", "cancelled"}


def test_a_performed_effect_leaves_the_others() -> None:
    assert conversation(effects=(FINISH, MARK)).without_effect("a:0").effects == (MARK,)


def test_receipts_are_remembered_only_while_their_rows_are_open() -> None:
    assert conversation(applied=("r1", "r2")).keep_applied(["r2", "r3"]).applied == ("r2",)


@pytest.mark.req("SE-14")
def test_of_what_was_closed_it_is_remembered_that_it_was() -> None:
    now = conversation(applied=("r1", "r2")).keep_applied(["r2"])
    assert [now.has_closed(receipt) for receipt in ("r1", "r2", "r3")] == [True, False, False]
    later = replace(now, applied=("r2", "r3")).keep_applied([])
    assert [later.has_closed(receipt) for receipt in ("r1", "r2", "r3", "r4")] == [True, True, True, False]


def test_no_more_than_the_newest_of_what_was_closed_are_remembered() -> None:
    receipts = tuple(f"r{number}" for number in range(CLOSED + 3))
    now = conversation(applied=receipts).keep_applied([])
    assert len(now.closed) == CLOSED
    assert [now.has_closed(receipt) for receipt in (receipts[2], receipts[3], receipts[-1])] == [False, True, True]


def test_what_is_tried_again_is_forgotten_whether_it_was_closed_or_not() -> None:
    now = replace(conversation(applied=("r1",)).keep_applied([]), applied=("r2", "r3"))
    for receipt in ("r1", "r2"):
        now = now.forget(receipt)
    assert (now.applied, now.closed) == (("r3",), ())
    assert now.forget("r9") == now


def test_somebody_waits_while_a_message_that_asks_was_not_read() -> None:
    assert conversation(asked=(3,)).unanswered
    assert not conversation().unanswered


def test_a_conversation_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        conversation().head = 3  # pyright: ignore[reportAttributeAccessIssue]


def test_an_event_happened_when_slack_says_and_not_when_its_message_was_written() -> None:
    assert posted(3, "Hi").at == ts(3)
    assert {event.at for event in (edited(said(3, "Hi"), "Hello"), deleted(said(3, "Hi")), retried(None))} == {LATER}


def test_what_two_requests_have_cost_is_the_sum_of_each_kind_of_token() -> None:
    one = Usage(input_tokens=1, output_tokens=20, cache_read_tokens=300, cache_write_tokens=4_000)
    assert one + one == Usage(input_tokens=2, output_tokens=40, cache_read_tokens=600, cache_write_tokens=8_000)


def test_only_a_reply_that_offers_to_summarise_and_asked_no_model_is_an_opening() -> None:
    opening = reply(1, "Welcome!", offers=True)
    assert opening.is_opening
    assert not replace(opening, rounds=1).is_opening
    assert not replace(opening, offers=False).is_opening
