"""What a stream's events build up, and what is made of events that nobody expects."""

from __future__ import annotations

from typing import Any

import pytest

from app.agent.claude.received import ReceivedMessage
from app.ports import CallBegun, Counted, TextDelta

START: dict[str, Any] = {
    "type": "message_start",
    "message": {"model": "m", "content": [], "usage": {"input_tokens": 7, "output_tokens": 1}},
}


def received(*events: dict[str, Any]) -> tuple[ReceivedMessage, list[object]]:
    """A message that has begun, and what each further event told."""
    message = ReceivedMessage("req_1")
    message.add(START)
    return message, [message.add(event) for event in events]


def begun(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": 0, "content_block": block}


def piece(delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": delta}


def test_words_are_told_as_they_come_and_kept_together() -> None:
    message, told = received(
        begun({"type": "text", "text": ""}),
        piece({"type": "text_delta", "text": "Hel"}),
        piece({"type": "text_delta", "text": "lo"}),
        piece({"type": "citations_delta", "citation": {"cited_text": "a"}}),
        piece({"type": "citations_delta", "citation": {"cited_text": "b"}}),
    )
    assert told == [None, TextDelta(text="Hel"), TextDelta(text="lo"), None, None]
    assert message.list_content() == [
        {"type": "text", "text": "Hello", "citations": [{"cited_text": "a"}, {"cited_text": "b"}]}
    ]


@pytest.mark.parametrize(
    ("pieces", "read"),
    [(['{"a": ', "[1, 2]}"], {"a": [1, 2]}), ([], {}), ([""], {}), (['{"a": [1, '], {"a": [1]})],
)
def test_a_call_has_the_input_that_its_pieces_spell_as_far_as_they_came(pieces: list[str], read: object) -> None:
    deltas = [piece({"type": "input_json_delta", "partial_json": each}) for each in pieces]
    message, told = received(begun({"type": "tool_use", "id": "1", "name": "look", "input": {}}), *deltas)
    assert told[0] == CallBegun(tool="look")
    assert message.list_content() == [{"type": "tool_use", "id": "1", "name": "look", "input": read}]


def test_a_call_that_is_to_be_carried_out_and_is_not_whole_is_an_error() -> None:
    message, _ = received(
        begun({"type": "tool_use", "id": "1", "name": "look", "input": {}}),
        piece({"type": "input_json_delta", "partial_json": '{"a": [1, '}),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {}},
    )
    with pytest.raises(ValueError, match="EOF"):
        message.list_content()


def test_a_thought_keeps_its_signature() -> None:
    message, _ = received(
        begun({"type": "thinking", "thinking": "", "signature": ""}),
        piece({"type": "thinking_delta", "thinking": "hm"}),
        piece({"type": "signature_delta", "signature": "s"}),
    )
    assert message.list_content() == [{"type": "thinking", "thinking": "hm", "signature": "s"}]


def test_counts_at_the_end_replace_the_former_ones_and_what_is_left_out_stays() -> None:
    end = {"output_tokens": 9, "input_tokens": None, "server_tool_use": {"web_search_requests": 2}}
    message, (told,) = received({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": end})
    assert isinstance(told, Counted)
    assert (told.usage.input_tokens, told.usage.output_tokens, told.usage.searches) == (7, 9, 2)
    assert (message.stop_reason, told.model, told.reference) == ("end_turn", "m", "req_1")


def test_kinds_of_events_blocks_and_pieces_that_are_new_change_nothing() -> None:
    message, told = received(
        {"type": "message_pondered"},
        begun({"type": "poem", "lines": 3}),
        piece({"type": "poem_delta", "line": "a"}),
        piece({"type": "text_delta", "text": "not of a text"}),
    )
    assert told == [None] * 4
    assert message.list_content() == [{"type": "poem", "lines": 3}]


def test_what_comes_before_the_message_is_passed_over() -> None:
    message = ReceivedMessage("")
    assert message.add(piece({"type": "text_delta", "text": "early"})) is None
    assert message.stop_reason is None
    with pytest.raises(KeyError):
        message.list_content()


def test_a_piece_of_a_block_that_never_began_is_an_error() -> None:
    with pytest.raises(IndexError):
        received(piece({"type": "text_delta", "text": "lost"}))
