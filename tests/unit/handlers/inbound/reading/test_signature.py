"""What a signature claims, and of which bytes it holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.signature import SignatureVerifier

from handlers.inbound.reading.signature import SIGNATURE, TIMESTAMP, Claim, read_claim

NOW = 1_770_000_000.0
SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
ZEROS = "v0=" + "0" * 64


def sign(body: str, secret: str = SECRET, at: float = NOW) -> Claim:
    signature = SignatureVerifier(secret).generate_signature(timestamp=str(int(at)), body=body)
    assert signature is not None
    return Claim(str(int(at)), signature)


@pytest.mark.req("SE-01")
@given(st.text(), st.text())
def test_a_signature_is_of_one_body_and_of_one_secret(body: str, other: str) -> None:
    claim = sign(body)
    assert claim.holds(SECRET.encode(), body.encode())
    assert claim.holds(SECRET.encode(), other.encode()) is (body == other)
    assert not claim.holds(b"another secret", body.encode())


class _Uncompared(str):
    """A text that may not be compared by `==`, which stops at the first character that differs."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared in a time that tells how much of it was guessed")

    __hash__ = str.__hash__


@pytest.mark.req("SE-01")
def test_how_long_a_signature_is_compared_does_not_tell_how_much_of_it_was_guessed() -> None:
    true = sign("hello")
    assert Claim(true.timestamp, _Uncompared(true.signature)).holds(SECRET.encode(), b"hello")
    assert not Claim(true.timestamp, _Uncompared(ZEROS)).holds(SECRET.encode(), b"hello")


def test_a_body_that_is_no_text_has_no_signature_of_slacks_and_raises_nothing() -> None:
    assert not sign("").holds(SECRET.encode(), b"\xff\xfe")


@pytest.mark.req("SE-01", "SE-19")
@pytest.mark.parametrize(
    ("seconds", "is_read"),
    [(0, True), (-300, True), (300, True), (-301, False), (301, False)],
)
def test_a_time_counts_within_five_minutes_of_ours_and_in_both_directions(seconds: float, is_read: bool) -> None:
    headers = {TIMESTAMP: str(int(NOW + seconds)), SIGNATURE: ZEROS}
    assert (read_claim(headers, NOW) is not None) is is_read


@pytest.mark.parametrize(
    "timestamp", ["", "now", "-1770000000", "1770000000.5", " 1770000000", "1770000000\n", "١٧٧٠٠٠٠٠٠٠", "9" * 5_000]
)
def test_a_time_that_is_no_plain_number_is_no_claim(timestamp: str) -> None:
    assert read_claim({TIMESTAMP: timestamp, SIGNATURE: ZEROS}, NOW) is None


@pytest.mark.parametrize(
    "signature",
    ["", "v0=", "v1=" + "0" * 64, "v0=" + "0" * 63, ZEROS + "0", ZEROS.upper(), "v0=" + "é" * 64, ZEROS + "\n"],
)
def test_a_signature_of_another_form_is_no_claim(signature: str) -> None:
    assert read_claim({TIMESTAMP: str(int(NOW)), SIGNATURE: signature}, NOW) is None


def test_without_the_headers_there_is_no_claim() -> None:
    assert read_claim({}, NOW) is None
