"""Between sealed fields and values: what they are bound to, how large they are, and what opens but is another shape."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from app.core.conversation.conversation import Message, Role
from store.crypto.cipher import SealBroken, SealingKey, build_associated_data
from store.crypto.codec import (
    EVENTS,
    ROWS,
    RULES,
    STATES,
    VERSIONS,
    Codec,
    DigestCodec,
    UnknownShape,
    truncate_to_milliseconds,
)
from store.crypto.padding import compute_size
from tests.contract.store.events import posted, said
from tests.contract.store.rules import rule
from tests.contract.store.versions import DECISION, version
from tests.unit.core.live import Live

KEY = SealingKey(bytes(32))
TEXTS = Codec("texts", TypeAdapter(str), ("_id", "owner", "at"), lambda _: {})
DOCUMENT: dict[str, Any] = {"_id": "v2-c:1", "owner": "U1", "conversation": "v2-c", "at": None}
OVERHEAD = 37
"""Bytes: format, key id, nonce, tag."""


@pytest.mark.req("SE-15")
@given(text=st.text(max_size=3000), number=st.integers(0, 2**63))
def test_what_was_sealed_opens_and_is_as_large_as_all_that_need_the_same_step(text: str, number: int) -> None:
    sealed = TEXTS.seal(KEY, DOCUMENT, text, number)
    assert TEXTS.open_numbered(KEY, {**DOCUMENT, "sealed": sealed}) == (text, number)
    plain = len(TypeAdapter(str).dump_json(text)) + 8 + 1  # number and mark
    assert len(sealed) == OVERHEAD + compute_size(plain)


@pytest.mark.req("SE-15")
def test_a_yes_is_as_large_as_a_no() -> None:
    assert len({len(TEXTS.seal(KEY, DOCUMENT, text)) for text in ("", "no", "yes", "Never, as I said.")}) == 1


@pytest.mark.req("SE-14")
@pytest.mark.parametrize(
    "change",
    [{"owner": "U2"}, {"_id": "v2-c:2"}, {"at": datetime(2026, 3, 1, tzinfo=UTC)}, {"owner": None}, {"owner": "U1,U2"}],
    ids=str,
)
def test_a_value_does_not_open_beside_another_open_field(change: dict[str, Any]) -> None:
    sealed = TEXTS.seal(KEY, DOCUMENT, "text")
    with pytest.raises(SealBroken, match="moved or changed"):
        TEXTS.open(KEY, {**DOCUMENT, **change, "sealed": sealed})


@pytest.mark.req("SE-14")
def test_a_value_of_one_collection_does_not_open_in_another() -> None:
    others = Codec("others", TypeAdapter(str), ("_id", "owner", "at"), lambda _: {})
    with pytest.raises(SealBroken, match="moved or changed"):
        others.open(KEY, {**DOCUMENT, "sealed": TEXTS.seal(KEY, DOCUMENT, "text")})


AT = truncate_to_milliseconds(datetime.fromisoformat(rule().at))
NOW = Live().talks("Hi").now
APPROVED, POSTED = version("frame", 1), posted(900)
THREAD = {"team": DECISION.team, "channel": DECISION.channel, "root": DECISION.root}
REAL: list[tuple[Codec[Any], Any, dict[str, Any]]] = [
    (RULES, rule(), {"_id": "r", "team": "T1", "user": "U1", "tool": "post_message", "allows": True, "at": AT}),
    (
        ROWS,
        said(1),
        {"_id": "v2-c:1", "team": "T1", "conversation": "v2-c", "seq": 1, "ts": said(1).ts, "status": "complete"},
    ),
    (
        VERSIONS,
        APPROVED,
        {
            "_id": "v2-c:1",
            "team": "T1",
            "conversation": "v2-c",
            "decision": {"channel": DECISION.channel, "root": DECISION.root},
            "component": "frame",
            "number": 1,
            "approved_at": truncate_to_milliseconds(datetime.fromisoformat(APPROVED.approved_at)),
            "approved_by": "U1",
        },
    ),
    (STATES, NOW, {"_id": NOW.id, **asdict(NOW.thread), "owner": NOW.owner, "version": NOW.version, "head": NOW.head}),
    (EVENTS, POSTED, {"_id": POSTED.receipt, **THREAD, "conversation": "v2-c", "ts": POSTED.at}),
]
"""Values with all open fields that say whose they are, where they belong and which they are."""


@pytest.mark.req("SE-14")
@pytest.mark.parametrize(("codec", "value", "named"), REAL, ids=["rule", "row", "version", "state", "event"])
def test_whose_and_which_it_is_is_bound_into_each_seal(codec: Codec[Any], value: Any, named: dict[str, Any]) -> None:
    is_digested = isinstance(codec, DigestCodec)
    kept = codec.fields(KEY, named, value) if is_digested else {"sealed": codec.seal(KEY, named, value)}
    document = {**named, **kept}
    assert codec.open(KEY, document) == value
    for field in named:
        with pytest.raises(SealBroken, match="moved or changed"):
            codec.open(KEY, {**document, field: "another"})


def test_fields_that_no_value_is_bound_to_may_change() -> None:
    sealed = TEXTS.seal(KEY, DOCUMENT, "text")
    assert TEXTS.open(KEY, {**DOCUMENT, "fence": 3, "sealed": sealed}) == "text"


def test_a_time_is_the_same_when_mongodb_has_cut_it_and_moved_it_to_utc() -> None:
    given_ = datetime(2026, 3, 1, 9, 0, 0, 123_456, tzinfo=timezone(timedelta(hours=2)))
    sealed = TEXTS.seal(KEY, {**DOCUMENT, "at": given_}, "text")
    assert (
        TEXTS.open(KEY, {**DOCUMENT, "at": truncate_to_milliseconds(given_.astimezone(UTC)), "sealed": sealed})
        == "text"
    )


@pytest.mark.req("SE-14", "SE-15")
@pytest.mark.parametrize("plain", [b'""', b'"text"', b'"' + b"x" * 5000 + b'"'])
def test_a_value_of_the_former_format_opens_where_there_can_be_one_and_nowhere_else(plain: bytes) -> None:
    former = {**DOCUMENT, "_id": "c:1", "conversation": "c"}
    sealed = KEY.seal(plain, build_associated_data("texts", "c:1", "sealed"))
    assert TEXTS.open_numbered(KEY, {**former, "sealed": sealed}) == (TypeAdapter(str).validate_json(plain), 0)
    sealed = KEY.seal(plain, build_associated_data("texts", "v2-c:1", "sealed"))
    with pytest.raises(SealBroken, match="not sealed with this key in this format"):
        TEXTS.open(KEY, {**DOCUMENT, "sealed": sealed})


@pytest.mark.req("SE-14")
def test_a_value_of_today_cannot_be_passed_off_as_one_of_the_former_format() -> None:
    former = {**DOCUMENT, "_id": "c:1", "conversation": "c"}
    sealed = TEXTS.seal(KEY, former, "text")
    with pytest.raises(SealBroken, match="moved or changed"):
        TEXTS.open(KEY, {**former, "sealed": sealed[1:]})


@pytest.mark.req("SE-14")
def test_what_stands_open_is_compared_with_what_is_sealed() -> None:
    shown = Codec("texts", TypeAdapter(str), ("_id",), lambda text: {"owner": text})
    sealed = shown.seal(KEY, DOCUMENT, "U1")
    assert shown.open(KEY, {**DOCUMENT, "sealed": sealed}) == "U1"
    with pytest.raises(SealBroken, match="something else stands open"):
        shown.open(KEY, {**DOCUMENT, "owner": "U2", "sealed": sealed})


def test_a_value_of_a_shape_that_is_not_known_counts_as_unreadable_and_is_not_quoted() -> None:
    sealed = KEY.seal(b'{"seq": "swordfish"}', build_associated_data("messages", "c:1", "sealed"))
    with pytest.raises(UnknownShape, match="another shape") as caught:
        ROWS.open(KEY, {"_id": "c:1", "sealed": sealed})
    assert "swordfish" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_reply_from_before_there_were_tools_is_read_as_the_one_message_that_it_was() -> None:
    blocks = [{"text": "Grüße", "type": "text"}]
    said = [{"role": "assistant", "content": blocks}]
    assert [json.loads(reopened(blocks)), json.loads(reopened(said))] == [said, said]


@pytest.mark.parametrize("content", ["", "[]", '[{"role":"user","content":"a"}]', '[ {"content": [], "role": "user"}]'])
def test_what_a_reply_keeps_of_the_api_is_read_to_the_letter(content: str) -> None:
    assert reopened(content) == content


def reopened(content: Any) -> str:
    """What a row is read with that was stored with this content."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    row = Message(seq=1, role=Role.ASSISTANT, text="Hello", content=text)
    document = {"_id": "v2-c:1", "seq": 1, "ts": "", "status": row.status}
    return ROWS.open(KEY, {**document, "sealed": ROWS.seal(KEY, document, row)}).content


def test_a_broken_seal_is_told_from_a_shape_that_is_not_known() -> None:
    with pytest.raises(SealBroken) as caught:
        ROWS.open(KEY, {"_id": "c:1", "sealed": bytes(40)})
    assert not isinstance(caught.value, UnknownShape)
