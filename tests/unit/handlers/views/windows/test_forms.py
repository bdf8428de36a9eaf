"""Forms: what is asked in a window, and what comes back from it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.views import View

from app.core.thread import ThreadKey
from handlers.views.windows.forms import MOST_CHARS, build_answer_form, read_answer

THREAD = ThreadKey(team="T1", channel="C1", root="1770000100.000100")


def sent(words: Any, **changes: Any) -> dict[str, Any]:
    """An answer form as Slack gives it back."""
    view = build_answer_form(THREAD, 12, "By when?")
    return view | {"state": {"values": {"answer": {"answer": {"type": "plain_text_input", "value": words}}}}} | changes


@given(st.text(max_size=2 * MOST_CHARS))
def test_slack_takes_the_form_whatever_is_asked(prompt: str) -> None:
    view = build_answer_form(THREAD, 12, prompt or "?")
    model: Any = View(**view)  # pyright: ignore[reportArgumentType]  it takes dictionaries as well
    model.validate_json()
    assert max(len(view[name]["text"]) for name in ("title", "submit", "close")) <= 24
    assert len(view["private_metadata"]) <= 3_000
    assert 1 <= len(view["blocks"][0]["text"]["text"]) <= 3_000


@pytest.mark.req("S2-041")
def test_what_was_written_comes_back_with_the_question_it_answers() -> None:
    assert read_answer(sent(" Friday,\nnoon ")) == (THREAD, 12, "Friday,\nnoon")


BROKEN: list[dict[str, Any]] = [
    sent("Friday", callback_id="archive"),
    sent("Friday", private_metadata="{"),
    sent("Friday", private_metadata="[" * 100_000),
    sent("Friday", private_metadata="[]"),
    sent("Friday", private_metadata=json.dumps({"team": "T1", "channel": "C1", "root": "1.1"})),
    sent("Friday", private_metadata=json.dumps({"team": "T1", "channel": "C1", "root": "x", "card": 12})),
    sent("Friday", state=None),
    sent(" \n"),
    sent(None),
    {},
]


@pytest.mark.parametrize("view", BROKEN)
def test_what_is_no_answer_form_or_not_whole_is_none(view: dict[str, Any]) -> None:
    assert read_answer(view) is None
