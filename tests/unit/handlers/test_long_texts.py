"""No text holds the event loop: the time for it grows with its length and no faster, and long ones go to a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import get_ident

import pytest

from app.core.text.marks import clean
from app.core.text.sanitize import purify
from app.threaded import LONG, run_in_thread
from handlers.views.kit import mrkdwn

UNITS = ["[", "<", "[IN", "](", "[a](https://b?", "`", "*a", "\u0315\u0301", "\u200b", "\n"]
"""What was ever slow, and what patterns that go back and forth trip over."""

ENTRIES: list[Callable[[str], object]] = [
    purify,
    clean,
    mrkdwn.resolve_markup,
    mrkdwn.split_previews,
    mrkdwn.split_pages,
]
SHORT, TIMES = 5_000, 10
QUADRATIC = TIMES * TIMES
MOST = QUADRATIC / 2.5
"""Of the growth: linear work grows by ten, and a busy machine makes some of that; quadratic work grows by a hundred."""


def seconds(work: Callable[[str], object], text: str, attempts: int) -> float:
    """Of this process alone, the best of some attempts."""
    found: list[float] = []
    for _ in range(attempts):
        began = time.process_time()
        work(text)
        found.append(time.process_time() - began)
    return min(found)


@pytest.mark.req("SE-11")
@pytest.mark.parametrize("work", ENTRIES, ids=lambda work: f"{work.__module__}.{work.__name__}")
def test_the_time_for_a_hostile_text_grows_with_its_length_and_no_faster(work: Callable[[str], object]) -> None:
    for unit in UNITS:
        short = (unit * SHORT)[:SHORT]
        before = max(seconds(work, short, 2), 0.000_5)
        assert seconds(work, (unit * SHORT * TIMES)[: SHORT * TIMES], 1) < before * MOST, repr(unit)


@pytest.mark.req("SE-11")
async def test_a_long_text_is_worked_on_in_a_thread_and_a_short_one_at_once() -> None:
    assert await run_in_thread(lambda _: get_ident(), "x" * (LONG - 1)) == get_ident()
    assert await run_in_thread(lambda _: get_ident(), "x" * LONG) != get_ident()
