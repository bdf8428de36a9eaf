"""Sealing and master keys."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import SettingsError
from store.crypto.cipher import MasterKeys, SealBroken, SealingKey, build_associated_data

SECRETS = st.binary(min_size=32, max_size=32)
HERE = build_associated_data("messages", "c:1", "sealed")


@given(secret=SECRETS, plain=st.binary(), where=st.binary())
def test_what_was_sealed_opens_with_the_same_key_in_the_same_place(secret: bytes, plain: bytes, where: bytes) -> None:
    sealed = SealingKey(secret).seal(plain, where)
    assert SealingKey(secret).open(sealed, where) == plain
    assert len(sealed) == len(plain) + 36


@given(secret=SECRETS, plain=st.binary(), data=st.data())
def test_a_single_changed_bit_breaks_the_seal(secret: bytes, plain: bytes, data: st.DataObject) -> None:
    key = SealingKey(secret)
    sealed = bytearray(key.seal(plain, HERE))
    bit = data.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(SealBroken):
        key.open(bytes(sealed), HERE)


@given(secret=SECRETS, kept=st.integers(0, 35))
def test_a_cut_value_breaks_the_seal(secret: bytes, kept: int) -> None:
    key = SealingKey(secret)
    with pytest.raises(SealBroken):
        key.open(key.seal(b"", HERE)[:kept], HERE)


@pytest.mark.parametrize(
    "elsewhere",
    [
        build_associated_data("inbox", "c:1", "sealed"),
        build_associated_data("messages", "c:2", "sealed"),
        build_associated_data("messages", "c:1", "other"),
    ],
)
def test_a_value_moved_to_another_place_does_not_open(elsewhere: bytes) -> None:
    key = SealingKey(bytes(32))
    with pytest.raises(SealBroken, match="moved or changed"):
        key.open(key.seal(b"text", HERE), elsewhere)


def test_another_key_is_told_from_a_broken_seal() -> None:
    with pytest.raises(SealBroken, match="another key"):
        SealingKey(bytes(32)).open(SealingKey(b"1" * 32).seal(b"text", HERE), HERE)


def test_the_same_text_never_looks_the_same_twice() -> None:
    key = SealingKey(bytes(32))
    assert key.seal(b"text", HERE) != key.seal(b"text", HERE)


def test_the_first_master_key_seals_and_all_open() -> None:
    old, new = MasterKeys.generate(), MasterKeys.generate()
    by_old = MasterKeys.parse(old).seal(b"key", HERE)
    both = MasterKeys.parse(f"{new}, {old}")
    assert both.open(by_old, HERE) == b"key"
    assert MasterKeys.parse(new).open(both.seal(b"key", HERE), HERE) == b"key"
    with pytest.raises(SealBroken, match="THREADWISE_MASTER_KEY"):
        MasterKeys.parse(new).open(by_old, HERE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "secret",
        "not base64 at all!",
        base64.b64encode(bytes(31)).decode(),
        base64.b64encode(bytes(33)).decode(),
        base64.b64encode(bytes(32)).decode() + ",",
        "schlüssel",
    ],
)
def test_a_master_key_that_is_none_is_a_settings_error_that_does_not_repeat_it(text: str) -> None:
    with pytest.raises(SettingsError, match="THREADWISE_MASTER_KEY must be") as caught:
        MasterKeys.parse(text)
    assert not text or text not in str(caught.value)
    assert caught.value.__context__ is None


@given(secret=SECRETS, plain=st.binary(max_size=40), data=st.data())
def test_a_digest_is_the_same_for_the_same_key_and_content_alone(
    secret: bytes, plain: bytes, data: st.DataObject
) -> None:
    digest = SealingKey(secret).digest(plain)
    assert digest == SealingKey(secret).digest(plain)
    assert digest != SealingKey(secret).digest(plain + b"x")
    assert digest != SealingKey(data.draw(SECRETS.filter(lambda other: other != secret))).digest(plain)


def test_the_id_of_a_key_and_its_digests_are_those_that_stand_in_stored_documents() -> None:
    key = SealingKey(bytes(32))
    assert key.id.hex() == "5d046d8af4f97949"
    assert key.digest(b"text").hex() == "d1aebd8128c098c4a037a449a8df96bd5d6b98eb8c0d086a83bc2c2bb578ca22"


def test_only_the_first_master_key_is_current() -> None:
    old, new = MasterKeys.generate(), MasterKeys.generate()
    both = MasterKeys.parse(f"{new},{old}")
    assert both.is_current(both.seal(b"key", HERE))
    assert not both.is_current(MasterKeys.parse(old).seal(b"key", HERE))


def test_a_master_key_with_a_stray_character_is_none_and_what_a_key_is_stands_in_the_error() -> None:
    key = base64.b64encode(bytes(32)).decode()
    with pytest.raises(SettingsError) as caught:
        MasterKeys.parse(f"{key[:8]}!{key[8:]}")
    assert str(caught.value) == (
        "THREADWISE_MASTER_KEY must be the base64 of 32 bytes, or several separated by commas; "
        "`openssl rand -base64 32` makes one."
    )
