"""Sizes tell nothing: what is sealed takes one of few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.crypto.padding import compute_size, pad, unpad

LENGTHS = st.integers(0, 4 * 2**20)


@pytest.mark.req("SE-15")
@given(st.binary(max_size=5000))
def test_what_was_padded_comes_back_as_it_was(content: bytes) -> None:
    assert unpad(pad(content)) == content


@pytest.mark.req("SE-15")
@pytest.mark.parametrize("content", [b"", b"\x80", b"\0" * 70, b"\x80\0\0", b"a\0\x80"])
def test_a_content_may_end_like_padding(content: bytes) -> None:
    assert unpad(pad(content)) == content


@pytest.mark.req("SE-15")
@given(LENGTHS)
def test_sizes_go_in_steps_of_64_bytes_up_to_a_kilobyte_and_of_an_eighth_at_most_beyond(length: int) -> None:
    size = compute_size(length)
    assert size >= length
    assert compute_size(size) == size
    if length <= 1024:
        assert size % 64 == 0
        assert size - length < 64 or length == 0
    else:
        former = next(each for each in sizes() if each * 112 // 100 == size)
        assert former < length <= size <= length * 1.12


def sizes() -> list[int]:
    """All sizes beyond a kilobyte that there are up to some megabytes."""
    found = [1024]
    while found[-1] < 5 * 2**20:
        found.append(found[-1] * 112 // 100)
    return found


@pytest.mark.req("SE-15")
@given(LENGTHS)
def test_there_are_few_sizes(length: int) -> None:
    assert compute_size(length) in {*range(64, 1025, 64), *sizes()}
