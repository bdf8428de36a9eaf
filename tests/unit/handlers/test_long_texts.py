"""No text holds the event loop: the time for it grows with its length and no faster, and long ones go to a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from threading import get_ident

import pytest

from app.agent.tools.external.create_file import WRITERS, File, Format
from app.agent.tools.interview.reply_figures import find_unsaid_in_reply
from app.core.conversation.conversation import Message, Role
from app.core.text.marks import clean
from app.core.text.sanitize import purify
from app.decision.analysis.amounts.bounds import read_bounds
from app.decision.record import DecisionRecord
from app.decision.tracing.said import Statement
from app.decision.tracing.statements import list_said
from app.threaded import LONG, run_in_thread
from handlers.views.kit import mrkdwn
from handlers.views.windows.new_decision import suggest_question
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import talk

UNITS = ["[", "<", "[IN", "](", "[a](https://b?", "`", "*a", "\u0315\u0301", "\u200b", "\n", "?a", "is fits ", "1.1"]
"""What was ever slow, and what patterns that go back and forth trip over."""


def write_cell(text: str) -> str:
    return WRITERS[Format.CSV](File(name="Rota", format=Format.CSV, rows=((text,),)))


def look_for_figures(text: str) -> tuple[str, ...]:
    return find_unsaid_in_reply(text, (), DecisionRecord(results={}, today=date(2026, 3, 2)))


def read_what_was_said(text: str) -> list[Statement]:
    reply = Message(seq=1, role=Role.ASSISTANT, text=text)
    return [*list_said(talk(1), [reply, Message(seq=2, role=Role.PERSON, text="Yes", author=MAYA)])]


ENTRIES: list[Callable[[str], object]] = [
    purify,
    clean,
    mrkdwn.resolve_markup,
    mrkdwn.split_previews,
    mrkdwn.split_pages,
    write_cell,
    look_for_figures,
    read_what_was_said,
    suggest_question,
]
SHORT, TIMES = 5_000, 10
QUADRATIC = TIMES * TIMES
MOST = QUADRATIC / 2.5
"""Of the growth: linear work grows by ten, and a busy machine makes some of that; quadratic work grows by a hundred."""


ATTEMPTS = 5
"""A pause of the collector or of a busy machine spoils one measurement; what grows too fast does so in each."""


def seconds(work: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    work(text)
    return time.process_time() - began


def grows_too_fast(work: Callable[[str], object], unit: str, size: int = SHORT) -> bool:
    short = (unit * size)[:size]
    long = (unit * size * TIMES)[: size * TIMES]
    return seconds(work, long) >= max(seconds(work, short), 0.000_5) * MOST


@pytest.mark.req("SE-11")
@pytest.mark.parametrize("work", ENTRIES, ids=lambda work: f"{work.__module__}.{work.__name__}")
def test_the_time_for_a_hostile_text_grows_with_its_length_and_no_faster(work: Callable[[str], object]) -> None:
    for unit in UNITS:
        assert not all(grows_too_fast(work, unit) for _ in range(ATTEMPTS)), repr(unit)


@pytest.mark.req("SE-11")
@pytest.mark.parametrize("unit", ["-1", "from 1 to 2 "])
def test_the_time_for_a_list_of_limits_grows_with_its_length_and_no_faster(unit: str) -> None:
    assert not all(grows_too_fast(lambda text: [*read_bounds(text)], unit, SHORT // 10) for _ in range(ATTEMPTS))


def test_work_whose_time_grows_with_the_square_of_the_length_is_seen() -> None:
    def compare_each_with_each(text: str) -> object:
        return [text.count("?") for _ in range(0, len(text), 10)]

    assert all(grows_too_fast(compare_each_with_each, "a") for _ in range(ATTEMPTS))


@pytest.mark.req("SE-11")
async def test_a_long_text_is_worked_on_in_a_thread_and_a_short_one_at_once() -> None:
    assert await run_in_thread(lambda _: get_ident(), "x" * (LONG - 1)) == get_ident()
    assert await run_in_thread(lambda _: get_ident(), "x" * LONG) != get_ident()
