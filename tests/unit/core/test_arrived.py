"""Who else has written since the last reply: whom the next one takes up by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.conversation import MessageStatus, Role, Turn
from app.core.state.interview import Stage
from app.core.turns.history import find_doubted, list_arrived
from tests.unit.core.threads import conversation, reply, said

ROWS = (
    said(1, "Early", "U2", "Sam"),
    reply(2, "I see"),
    said(3, "Cold", "U3", "Ada"),
    said(4, "Mine"),
    said(5, "Far", "U2", "Sam"),
    said(6, "And dark", "U3", "Ada"),
    replace(said(7, "", "U4", "Tom"), status=MessageStatus.DELETED),
    reply(8, "", MessageStatus.STREAMING),
    said(9, "Late", "U4", "Tom"),
)


@pytest.mark.req("FA-07")
def test_others_since_the_last_reply_are_named_once_in_their_order() -> None:
    assert list_arrived(conversation(turn=Turn(id="t", reply=8)), ROWS) == ("Ada", "Sam")


def test_whoever_wrote_last_is_named_where_the_reply_has_no_row_yet() -> None:
    assert list_arrived(conversation(turn=Turn(id="t", reply=10)), ROWS[:6]) == ("Ada", "Sam")


def test_without_a_turn_nobody_is_answered() -> None:
    assert list_arrived(conversation(turn=None), ROWS) == ()


@pytest.mark.req("FA-07")
def test_who_was_read_between_two_rounds_of_the_last_reply_has_not_written_since() -> None:
    rows = (said(1, "Early"), reply(2, "I see", heard=(3,)), said(3, "Cold", "U3", "Ada"), said(4, "Far", "U2", "Sam"))
    assert list_arrived(conversation(turn=Turn(id="t", reply=5)), rows) == ("Sam",)


def test_who_wrote_while_a_draft_was_made_has_arrived_for_the_answer_after_it() -> None:
    draft = replace(reply(2, ""), stage=Stage.SERIALIZE, heard=(3,))
    rows = (draft, said(3, "I am in.", "USAM", "Sam"))
    assert list_arrived(conversation(turn=Turn(id="t", reply=4)), rows) == ("Sam",)


def test_what_a_former_owner_pressed_is_nothing_that_somebody_wrote() -> None:
    pressed = replace(said(2, "Approved by the owner.", "U3", ""), role=Role.NOTE)
    rows = (reply(1, "I see"), pressed, said(3, "Far", "U2", "Sam"))
    assert list_arrived(conversation(turn=Turn(id="t", reply=5)), rows) == ("Sam",)


@pytest.mark.req("FA-14")
def test_only_what_people_were_told_below_the_last_reply_is_told_to_the_next_one() -> None:
    rows = (
        replace(reply(1, "It is 7"), unsaid=("7",)),
        replace(reply(2, "It is 8"), unsaid=("8",)),
        said(3, "Which 8?"),
        replace(reply(4, "", MessageStatus.STREAMING), unsaid=("9",)),
    )
    assert find_doubted(conversation(turn=Turn(id="t", reply=4)), rows) == ("8",)
    assert find_doubted(conversation(turn=Turn(id="t", reply=2)), rows) == ("7",)
    assert find_doubted(conversation(turn=Turn(id="t", reply=1)), rows) == ()
    assert find_doubted(conversation(turn=None), rows) == ()
