"""What a conversation holds keeps the labels of where it came from, whatever becomes of the words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import BEFORE, Conversation, Message, MessageStatus, Role, Transition, Turn
from app.core.conversation.news import OwnerChange, StepEvent
from app.core.events.internal import EpochStarted
from app.core.state.interview import Stage
from app.core.state.tool_use import Use
from app.core.turns import sources
from tests.unit.core.hubs import begun, move, under_way
from tests.unit.core.interviews import news, started
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER, OWNER, conversation, posted, said

BOARD, HERE = "G0BOARD000", "C1"
TOLD = '[{"role":"user","content":[{"type":"tool_result"}]}]'
POSTED = posted(1, "hi")


def reply(*labels: str, seq: int = 2, **values: Any) -> Message:
    return Message(seq=seq, role=Role.ASSISTANT, text="So it is.", sources=labels, **values)


def carried(before: Conversation, *rows: Message, **values: Any) -> tuple[str, ...]:
    made = Transition(conversation=replace(before, head=9, **values), messages=rows)
    return sources.carry(before, POSTED, made).conversation.sources


@pytest.mark.req("SE-04")
def test_the_owners_own_words_carry_no_label_and_those_of_others_that_of_the_channel() -> None:
    new = conversation()
    assert carried(new, said(1, "Post it")) == ()
    assert carried(new, said(1, "Post it", author=OTHER)) == (HERE,)


@pytest.mark.req("SE-04")
@pytest.mark.parametrize(("author", "labels"), [(OWNER, ()), ("", ()), (OTHER, (HERE,))])
def test_a_correction_is_labelled_as_the_words_were(author: str, labels: tuple[str, ...]) -> None:
    assert carried(conversation(), Message(seq=1, role=Role.NOTE, text="Now it reads", author=author)) == labels


@pytest.mark.req("SE-04")
def test_labels_of_a_reply_stay_when_it_is_long_gone_from_what_is_sent() -> None:
    now = conversation(head=9, sources=(BOARD,), turn=Turn(id="9.1", reply=9))
    event = EpochStarted(since=8, summary="8 earlier messages discussed: …")
    after = sources.carry(now, event, Transition(conversation=replace(now, since=8, summary=event.summary)))
    assert after.conversation.sources == (BOARD,)


@pytest.mark.req("SE-04")
def test_what_a_turn_knew_is_kept_however_it_ends_and_while_it_waits() -> None:
    now = conversation(head=2, sources=("C7",))
    for status in MessageStatus:
        assert carried(now, reply(BOARD, status=status)) == ("C7", BOARD)
    waiting = Turn(id="2.1", reply=2, uses=(Use(id="u1", tool="look", input="{}", sources=(BOARD,)),))
    assert carried(now, turn=waiting) == ("C7", BOARD)


@pytest.mark.req("SE-04")
def test_with_a_new_owner_the_words_of_the_old_one_are_somebody_elses() -> None:
    now = conversation(head=2, sources=())
    assert carried(now, owner=OTHER) == (HERE,)


@pytest.mark.req("SE-04")
@pytest.mark.parametrize("event", [begun(Live()), started(Live()), news(Live(), OwnerChange(owner=OWNER))])
def test_what_a_decision_a_step_or_a_notice_brings_is_labelled_with_where_it_came_from(event: Any) -> None:
    told = replace(event, sources=(BOARD,))
    made = Transition(conversation=conversation(head=9, sources=("C7",)))
    assert sources.carry(made.conversation, told, made).conversation.sources == ("C7", BOARD)


@pytest.mark.req("SE-04")
def test_what_a_step_tells_its_decision_is_labelled_as_said_in_the_channel_and_the_owners_words_there_are_not() -> None:
    now = conversation(head=9, sources=(), decision=under_way().decision)
    made = Transition(conversation=now)
    told = news(Live(), move("frame", StepEvent.APPROVED))
    assert sources.carry(now, told, made).conversation.sources == (HERE,)
    assert sources.carry(now, POSTED, made).conversation.sources == ()
    step = conversation(head=9, sources=())
    assert sources.carry(step, told, Transition(conversation=step)).conversation.sources == ()


@pytest.mark.req("SE-04")
def test_what_was_kept_before_there_were_labels_is_looked_through_and_doubted() -> None:
    old = conversation(head=9)
    mine, theirs = said(1, "Post it"), said(2, "No", author=OTHER)
    plain = Message(seq=3, role=Role.ASSISTANT, text="Well.")
    read = replace(plain, content=TOLD)
    assert old.sources == (BEFORE,)
    assert sources.resolve(old, (mine, plain)) == ()
    assert sources.resolve(old, (mine, theirs, plain)) == (HERE,)
    assert sources.resolve(old, (mine, read)) == ("thread:c1",)
    assert sources.resolve(replace(old, since=4), (mine, plain)) == ("thread:c1",)
    assert sources.resolve(old, (mine, replace(read, sources=()))) == ()
    assert sources.resolve(old, (mine, replace(read, stage=Stage.SERIALIZE))) == (), "what a draft was told of itself"
    assert sources.resolve(replace(old, sources=(BOARD,)), (mine, read)) == (BOARD,)


@pytest.mark.req("SE-04")
def test_once_a_turn_has_looked_the_doubt_is_settled_and_what_came_meanwhile_stays() -> None:
    old = conversation(head=9)
    heard = replace(old, sources=(carried(old, said(3, "No", author=OTHER))))
    assert heard.sources == (BEFORE, HERE) or heard.sources == (HERE, BEFORE)
    assert carried(heard, reply(BOARD)) == (HERE, BOARD)


@pytest.mark.req("SE-04")
def test_what_is_told_of_another_conversation_is_from_where_it_was_held_and_from_all_it_holds() -> None:
    assert sources.list_labels(conversation(sources=(BOARD,))) == (HERE, BOARD)
    assert sources.list_labels(conversation()) == (HERE, "thread:c1")


def test_a_label_is_a_place_or_names_a_tool_or_a_thread() -> None:
    assert (sources.is_place(BOARD), sources.read_tool(BOARD)) == (True, "")
    assert (sources.is_place(sources.build_tool_label("look")), sources.read_tool("tool:look")) == (False, "look")
    assert (sources.is_place("thread:c1"), sources.read_tool("thread:c1")) == (False, "")
