"""Replies that used tools, as the model is sent them again: each call with its result, and nothing before its time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.card import FiledCard
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.turns.history import ACTED, build_api_messages, start_epoch
from tests.unit.core.threads import OWNER, reply, said
from tests.unit.core.turns.test_history import asking

USE = {"type": "tool_use", "id": "t1", "name": "ask_user", "input": {"type": "input", "prompt": "What?"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "shown", "is_error": False}
ASKED = [{"role": "assistant", "content": [USE]}, {"role": "user", "content": [RESULT]}]
THOUGHT = {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]}


def acted(seq: int, text: str, *messages: dict[str, Any], **values: Any) -> Message:
    return reply(seq, text, content=json.dumps(messages), acted=True, **values)


def test_the_rounds_of_a_reply_are_sent_as_they_were() -> None:
    sent = build_api_messages(*asking(said(1, "Hi"), acted(2, "Noted.", *ASKED, THOUGHT), said(3, "And?")))
    assert sent == [{"role": "user", "content": "Hi"}, *ASKED, THOUGHT, {"role": "user", "content": "And?"}]


def test_what_came_of_a_question_goes_before_its_answer_in_one_message() -> None:
    *_, used, answered = build_api_messages(*asking(said(1, "Hi"), acted(2, "", *ASKED), said(3, "eleven")))
    assert used == ASKED[0]
    assert answered == {"role": "user", "content": [RESULT, {"type": "text", "text": "eleven"}]}


def test_results_wait_for_the_next_words_though_an_answer_between_them_failed() -> None:
    failed = reply(4, "", MessageStatus.FAILED)
    rows = (said(1, "Hi"), acted(2, "", *ASKED), said(3, "eleven"), failed, said(5, "or ten"))
    answered = build_api_messages(*asking(*rows))[-1]["content"]
    assert answered == [RESULT, {"type": "text", "text": "eleven\n\nor ten"}]


def test_results_are_followed_by_a_note_where_the_answer_was_deleted() -> None:
    gone = replace(said(3, ""), status=MessageStatus.DELETED)
    blocks = build_api_messages(*asking(said(1, "Hi"), acted(2, "", *ASKED), gone))[-1]["content"]
    assert [block["type"] for block in blocks] == ["tool_result", "text"]


def read(seq: int, text: str, result: str, **given: Any) -> Message:
    """A reply that read something before its words."""
    use = {"type": "tool_use", "id": f"t{seq}", "name": "read_channel", "input": given}
    came = {"type": "tool_result", "tool_use_id": f"t{seq}", "content": result}
    words = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    return acted(seq, text, {"role": "assistant", "content": [use]}, {"role": "user", "content": [came]}, words)


READING = frozenset({"read_channel"})


@pytest.mark.req("AG-05")
def test_results_of_tools_go_before_any_message_does_and_a_line_says_what_can_be_read_again() -> None:
    rows = (said(1, "w" * 1_200), read(2, "Leeds.", "x" * 4_000, channel="#ops", since="Mon"), said(3, "And?"))
    now, told = asking(*rows)
    epoch = start_epoch(now, told, 500)
    assert epoch is not None
    assert (epoch.since, epoch.summary) == (0, "")
    after = replace(now, plain=2)
    sent = build_api_messages(after, told, READING)
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert sent[1]["content"] == [{"type": "text", "text": "Leeds."}]
    line, words = sent[2]["content"].split("\n\n")
    assert line.startswith("<note>")
    assert line.endswith(": read_channel #ops</note>")
    assert words == "And?"
    assert start_epoch(after, told, 500) is None, "what is left out counts no more"


@pytest.mark.req("AG-05")
def test_where_leaving_out_results_is_not_enough_the_thread_is_summarised_too() -> None:
    talk = [row for seq in range(4, 30, 2) for row in (said(seq, "y" * 200), reply(seq + 1, "z" * 200))]
    now, told = asking(said(1, "Hi"), read(2, "Leeds.", "x" * 4_000), said(3, "And?"), *talk)
    epoch = start_epoch(now, told, 1_000)
    assert epoch is not None
    assert epoch.since > 2


@pytest.mark.req("AG-05")
@pytest.mark.parametrize(("name", "told"), [("post_message", False), ("read_channel", True)])
def test_no_line_invites_to_write_again_or_tells_more_than_the_place(name: str, told: bool) -> None:
    row = read(2, "Done.", "ok", channel="#ops", words="gone")
    row = replace(row, content=row.content.replace("read_channel", name))
    sent = str(build_api_messages(*asking(said(1, "Hi"), row, said(3, "And?"), plain=2), READING))
    assert ("left out here" in sent) is told
    assert "gone" not in sent


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_reply_that_only_used_tools_is_told_as_such_where_its_calls_are_not_kept(text: str) -> None:
    plain = {"role": "assistant", "content": [{"type": "text", "text": ACTED}]}
    for row in (acted(2, text, *ASKED), reply(2, text, acted=True)):
        sent = build_api_messages(*asking(said(1, "Hi"), row, said(3, "eleven"), plain=2))
        assert sent[1:] == [plain, {"role": "user", "content": "eleven"}]


def test_what_the_model_was_told_beside_the_words_stands_where_it_was_first_sent() -> None:
    rows = (said(1, "Hi"), reply(2, "Hello", directive="<state>1</state>"), said(3, "And?"))
    now, told = asking(*rows)
    told = (*told[:-1], replace(told[-1], directive="<state>2</state>"))
    texts = [message["content"] for message in build_api_messages(now, told) if message["role"] == "user"]
    assert texts == ["Hi\n\n<state>1</state>", "And?\n\n<state>2</state>"]


def test_a_card_is_no_word_of_anybody() -> None:
    card = Message(seq=3, role=Role.CARD, text="", card=FiledCard(by=OWNER, at="1.0"))
    sent = build_api_messages(*asking(said(1, "Hi"), reply(2, "Hello"), card, said(4, "And?")))
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert sent[-1]["content"] == "And?"
