"""What was stored once is read for ever: lines written by the first version stay readable, and are written the same.

A line that does not fit any more is a document of somebody that is lost. What is new gets a line of its own;
no line is ever changed.
"""

from __future__ import annotations

import base64
import json
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.call import KeptCall
from app.core.conversation.card import Card
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.conversation.effect import Effect
from app.core.conversation.news import News
from app.core.events.heard import SlackEvent
from app.core.state.decision import Version
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.permission import Rule
from app.core.state.question import Origin
from app.core.state.sheet import Section
from app.core.state.status import Kind, Status, TurnState
from app.decision.schema.paths import is_list, is_object
from store.crypto.cipher import SealingKey
from store.crypto.codec import EVENTS, ROWS, RULES, STATES, VERSIONS, Codec
from store.crypto.padding import unpad

STORED = Path(__file__).parents[2] / "fixtures" / "stored"
SECRET = sha256(b"threadwise fixtures").digest()

Json = dict[str, Any]

TYPES: dict[str, TypeAdapter[Any]] = {
    "events": TypeAdapter(SlackEvent),
    "effects": TypeAdapter(Effect),
    "conversations": TypeAdapter(Conversation),
    "messages": TypeAdapter(Message),
    "audit": TypeAdapter(AuditEvent),
    "rules": TypeAdapter(Rule),
    "versions": TypeAdapter(Version),
}
CODECS: dict[str, Codec[Any]] = {
    "events": EVENTS,
    "conversations": STATES,
    "messages": ROWS,
    "rules": RULES,
    "versions": VERSIONS,
}


@cache
def lines(name: str) -> tuple[str, ...]:
    """What was stored of one kind, a line each."""
    return tuple((STORED / f"{name}.jsonl").read_text("utf-8").splitlines())


LINES = [pytest.param(name, line, id=f"{name}-{place}") for name in TYPES for place, line in enumerate(lines(name))]
DOCUMENTS = [pytest.param(json.loads(line), id=json.loads(line)["kind"]) for line in lines("documents")]


class WatchedKey(SealingKey):
    """Notes what it is given to seal."""

    def seal(self, plain: bytes, where: bytes) -> bytes:
        self.plain = plain
        return super().seal(plain, where)


@pytest.mark.parametrize(("name", "line"), LINES)
def test_what_was_stored_is_read_and_written_the_same_and_fields_that_came_later_are_empty(
    name: str, line: str
) -> None:
    written = TYPES[name].dump_json(TYPES[name].validate_json(line)).decode()
    assert written == line or without_later(json.loads(line), json.loads(written)) == json.loads(line)


def without_later(stored: Any, written: Any) -> Any:
    """What is written, without the empty fields that were not stored."""
    if is_object(stored) and is_object(written):
        known = {name: each for name, each in written.items() if each or name in stored}
        return {name: without_later(stored.get(name), each) for name, each in known.items()}
    if is_list(stored) and is_list(written) and len(stored) == len(written):
        return [without_later(*each) for each in zip(stored, written, strict=True)]
    return written


@pytest.mark.parametrize("stored", DOCUMENTS)
def test_a_document_that_was_sealed_opens_where_it_was_put_and_is_sealed_the_same(stored: Json) -> None:
    codec, document, key = CODECS[stored["kind"]], _read(stored["document"]), WatchedKey(SECRET)
    value, number = codec.open_numbered(key, document)
    assert number == stored["number"]
    content = json.loads(stored["content"])
    assert without_later(content, json.loads(TYPES[stored["kind"]].dump_json(value))) == content
    codec.seal(key, document, value, number)
    assert unpad(key.plain) == number.to_bytes(8, "big") + TYPES[stored["kind"]].dump_json(value)


def test_each_codec_has_a_document() -> None:
    assert [json.loads(line)["kind"] for line in lines("documents")] == list(CODECS)


def test_each_kind_of_event_effect_card_call_news_and_section_has_a_line() -> None:
    rows, effects = _of("messages"), _of("effects")
    cards = [row["card"] for row in rows if row["card"]]
    sections = [section for card in cards for section in card.get("sheet", {}).get("sections", [])]
    told = [effect["news"] for effect in effects if effect["kind"] == "tell"]
    assert {event["kind"] for event in _of("events")} == _tags(SlackEvent)
    assert {effect["kind"] for effect in effects} == _tags(Effect)
    assert {card["kind"] for card in cards} == _tags(Card)
    assert {call["call"] for row in rows for call in row["calls"]} == _tags(KeptCall)
    assert {news["news"] for news in told} == _tags(News)
    assert {section["kind"] for section in sections} == _tags(Section)


def test_each_state_of_a_conversation_a_row_and_the_trail_has_a_line() -> None:
    now, rows = _of("conversations"), _of("messages")
    assert {each["kind"] for each in now} == {*Kind}
    assert {each["status"] for each in now} == {*Status}
    assert {each["run"] for each in now} == {*TurnState}
    assert {each["lifecycle"] for each in now} == {*Lifecycle}
    assert {each["phase"] for each in now} == {*Phase, None}
    assert {each["question"]["origin"] for each in now if each["question"]} == {*Origin}
    assert {row["role"] for row in rows} == {*Role}
    assert {row["status"] for row in rows} == {*MessageStatus}
    assert {event["type"] for event in _of("audit")} == {*AuditType}


def _of(name: str) -> list[Json]:
    return [json.loads(line) for line in lines(name)]


def _tags(union: Any) -> set[str]:
    return {*TypeAdapter(union).json_schema()["discriminator"]["mapping"]}


def _read(value: Any) -> Any:
    """A document as MongoDB gives it."""
    match value:
        case {"$date": str() as date}:
            return datetime.fromisoformat(date)
        case {"$binary": str() as binary}:
            return base64.b64decode(binary)
        case dict():
            return {key: _read(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
        case _:
            return value
