"""Texts that people would call the same are equal, whichever way they are compared."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from app.decision.schema.similarity import normalize

UNSEEN = "\u200b"


@given(st.text(st.sampled_from("aZ9.,-':`ß"), min_size=1, max_size=60))
@example("Rent")
@example("1,250.00")
def test_a_plain_word_is_compared_as_one_with_an_invisible_character(text: str) -> None:
    assert normalize(text) == normalize(text + UNSEEN)


def test_words_in_typographic_quotation_marks_are_the_same_as_in_plain_ones() -> None:
    assert normalize("It’s „low“, or «low»") == normalize('it\'s "low", or "low"')
