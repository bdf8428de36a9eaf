"""A turn that is taken up after its process has died: what people see meanwhile, and what stays if that fails too."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from app.core.conversation.conversation import Message, MessageStatus, Turn
from app.core.copy import texts
from app.core.errors import FailureKind, ModelFailed
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.outside_turns import FREELY, LOOK, PUT, ROW, RUNNING, Outside, because
from tests.unit.agent.scripted import Part, answers, deltas

LEFT = "Half of it was"
TAKEN_UP = replace(RUNNING, turn=Turn(id="2.1", reply=2, taken_up=True))


def taken(*scripts: list[Part]) -> Outside:
    return Outside(*scripts, now=TAKEN_UP, row=replace(ROW, text=LEFT, parts=("9.1",)))


@pytest.mark.req("MW-21")
async def test_what_stood_there_stays_until_there_is_more() -> None:
    it = taken([*deltas("Half", " of it was told", " anew."), *answers(text="Half of it was told anew.")[-1:]])
    closed = await it.closed()
    assert it.draft.shown == ["Half of it was told", "Half of it was told anew."]
    assert (closed.text, closed.status) == ("Half of it was told anew.", MessageStatus.COMPLETE)


async def test_an_answer_that_comes_out_shorter_is_shown_whole_in_the_end() -> None:
    assert (await taken(answers(text="Short.")).closed()).text == "Short."


@pytest.mark.req("MW-21")
@pytest.mark.parametrize("how", ["fails", "is stopped"])
async def test_if_going_on_comes_to_nothing_the_words_that_stood_there_stay(how: str) -> None:
    waits = asyncio.Event()
    end = ModelFailed(FailureKind.BUSY) if how == "fails" else waits
    it = taken([*deltas("Half"), end])
    if how == "is stopped":
        await it.model.begun.wait()
        it.turn.cut()
    closed = await it.closed()
    assert closed.text == LEFT
    assert closed.status is (MessageStatus.FAILED if how == "fails" else MessageStatus.CANCELLED)


async def test_a_round_that_is_over_has_overtaken_what_stood_there() -> None:
    it = taken(answers(LOOK, text="I look."), [*deltas("So"), ModelFailed(FailureKind.BUSY)])
    closed = await it.closed()
    doing = texts.USING.format(tools="Using look")
    assert it.draft.shown == [f"I look.\n\n{doing}", "I look.\n\nSo"]
    assert closed.text == "I look.\n\nSo"


@pytest.mark.req("MW-21", "AG-02")
async def test_each_round_is_kept_when_it_is_over_with_calls_results_and_words() -> None:
    it = Outside(answers(LOOK, text="I look."), answers(LOOK, text="And again."), answers(text="Done."))
    await it.closed()
    assert [(row.rounds, row.stands, uses, rounds) for row, uses, rounds in it.reports] == [
        (1, "I look.", (), 1),
        (2, "I look.\n\nAnd again.", (), 2),
    ]
    assert [row.content for row, _, _ in it.reports] == [_content(it, 1), _content(it, 2)]


def _content(it: Outside, place: int) -> str:
    return json.dumps(it.sent(place), ensure_ascii=False, separators=(",", ":"))


async def test_one_that_wrote_is_kept_when_it_has_written_and_not_once_more() -> None:
    it = Outside(answers(PUT, text="I post it."), answers(text="Done."), shop=Workshop(FREELY))
    await it.closed()
    assert len(it.reports) == 2


@pytest.mark.req("FA-01")
async def test_what_a_reply_asked_before_its_process_died_is_still_asked_when_it_goes_on() -> None:
    it = Outside(answers(LOOK, text="Who pays?"), answers(text="Noted."))
    await it.closed()
    kept = it.reports[0][0]
    assert kept.asks
    assert (await Outside(answers(text="Noted."), now=TAKEN_UP, row=replace(ROW, asks=kept.asks)).closed()).asks
    assert not (await Outside(answers(text="Noted."), now=TAKEN_UP).closed()).asks


async def test_a_round_without_a_tool_is_kept_as_well() -> None:
    it = Outside(because("pause_turn", text="First"), answers(text="second."))
    await it.closed()
    assert [(row.text, uses, rounds) for row, uses, rounds in it.reports] == [("First", (), 1)]


def test_of_a_reply_that_waits_all_words_stand() -> None:
    row = Message(seq=2, role=ROW.role, text="I post it.", status=MessageStatus.HELD)
    assert row.stands == "I post it."
    assert replace(row, status=MessageStatus.STREAMING, standing=6).stands == "I post"
