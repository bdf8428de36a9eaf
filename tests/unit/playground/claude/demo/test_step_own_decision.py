"""Words of people who lead a decision of their own with the rehearsal model, typed as they come."""

from __future__ import annotations

import pytest

from app.playground.claude.demo.step.words import is_chat, is_unknown, was_all


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["looks good", "all looks fine", "approve", "Approved!", "lgtm", "oops", "whoops"])
def test_words_that_only_approve_or_regret_are_no_item_of_a_decision(words: str) -> None:
    assert is_chat(words)


@pytest.mark.req("NC-03")
def test_an_apostrophe_may_be_left_out() -> None:
    assert was_all("thats all")
    assert was_all("im done")
    assert is_unknown("dont know")
    assert is_unknown("i cant say")
