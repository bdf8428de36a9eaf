"""A turn that waits to be allowed something and goes on where it was, or that its process has left."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from app.core.conversation.conversation import ROUNDS, Message, MessageStatus, Turn
from app.core.conversation.usage import Usage
from app.core.copy import texts
from app.core.errors import FailureKind, ModelFailed
from app.core.state.tool_use import UseState
from tests.unit.agent.outer_tools import Workshop, fails, forever
from tests.unit.agent.outside_turns import FREELY, LOOK, PLAN, PUT, ROW, RUNNING, Outside, because, resumed
from tests.unit.agent.scripted import COST, Part, answers, deltas


@pytest.mark.req("S3-028")
async def test_what_is_to_be_asked_about_holds_the_turn_before_anything_is_done() -> None:
    taken = Outside(answers(LOOK, PUT, replace(PUT, id="p2"), text="I post it."))
    closed = await taken.closed()
    assert (closed.status, closed.text, closed.acted) == (MessageStatus.HELD, "I post it.", True)
    assert [use.state for use in taken.turn.uses] == [UseState.DONE, UseState.ASKED, UseState.ASKED]
    assert (taken.shop.done, taken.turn.rounds, closed.usage) == ([], 1, COST)
    assert [message["role"] for message in json.loads(closed.content)] == ["assistant"]


@pytest.mark.parametrize(("state", "done"), [(UseState.ALLOWED, [("p1", "Hi")]), (UseState.DENIED, [])])
async def test_a_turn_goes_on_from_its_row_and_its_uses_as_if_it_had_never_waited(
    state: UseState, done: list[tuple[str, str]]
) -> None:
    first = Outside(answers(PLAN, LOOK, PUT, text="I post it."))
    held = await first.closed()
    now = resumed(held, first.turn, state)
    taken = Outside(answers(text="That is it."), now=now, row=held, shop=Workshop(looks=fails(AssertionError())))
    closed = await taken.closed()
    assert (closed.status, closed.text) == (MessageStatus.COMPLETE, "I post it.\n\nThat is it.")
    assert taken.shop.done == done
    assert (closed.usage, closed.rounds) == (COST + COST, 2)
    assert closed.calls == held.calls
    (before, results) = taken.sent(0)
    assert before == json.loads(held.content)[0]
    assert [block["tool_use_id"] for block in results["content"]] == ["t2", "l1", "p1"]
    assert results["content"][1]["content"] == "ops: attic"
    assert [message["role"] for message in json.loads(closed.content)] == ["assistant", "user", "assistant"]


async def test_the_next_use_of_the_round_is_asked_about_in_its_turn() -> None:
    first = Outside(answers(PUT, replace(PUT, id="p2", input={"to": "attic"})))
    held = await first.closed()
    taken = Outside(now=resumed(held, first.turn, UseState.ALLOWED), row=held)
    again = await taken.closed()
    assert (again.status, taken.model.asked) == (MessageStatus.HELD, [])
    assert [use.state for use in taken.turn.uses] == [UseState.DONE, UseState.ASKED]
    assert again.usage == held.usage


@pytest.mark.req("S3-024")
async def test_the_rounds_before_it_waited_count_among_the_twenty_five() -> None:
    first = Outside(answers(PUT))
    held = await first.closed()
    now = resumed(held, first.turn, UseState.ALLOWED)
    now = replace(now, turn=replace(now.turn, rounds=ROUNDS - 1)) if now.turn else now
    taken = Outside(answers(LOOK), answers(text="never"), now=now, row=held)
    closed = await taken.closed()
    assert (ROUNDS, len(taken.model.asked)) == (25, 1)
    assert (closed.status, closed.rounds) == (MessageStatus.LIMITED, 25)
    assert json.loads(closed.content)[-1]["role"] == "user"


async def test_what_is_only_asked_about_is_not_shown_as_being_done() -> None:
    taken = Outside(answers(PUT))
    await taken.closed()
    assert taken.draft.shown == []


async def test_what_a_stretch_cost_is_kept_though_the_next_one_is_cut_before_its_first_word() -> None:
    first = Outside(answers(PUT))
    held = await first.closed()
    shop = Workshop(puts=forever)
    taken = Outside(now=resumed(held, first.turn, UseState.ALLOWED), row=held, shop=shop)
    while not shop.done:
        await asyncio.sleep(0)
    taken.turn.cut()
    closed = await taken.closed()
    assert (closed.usage, closed.reference, closed.model) == (held.usage, held.reference, held.model)
    assert closed.usage != Usage()


async def test_a_later_word_in_the_same_message_is_no_longer_than_a_message_may_be() -> None:
    first = Outside([*deltas("I post it."), *answers(PUT)])
    held = await first.closed()
    long = "x" * 100_000
    taken = Outside([*deltas(long), *answers()], now=resumed(held, first.turn, UseState.DENIED), row=held)
    assert (await taken.closed()).status is MessageStatus.FAILED


async def test_what_was_thought_before_a_message_was_taken_back_is_not_sent_when_the_turn_goes_on() -> None:
    first = Outside(answers(PUT, text="I post it."))
    held = await first.closed()
    now = replace(resumed(held, first.turn, UseState.DENIED), plain=2)
    taken = Outside(answers(text="That is it."), now=now, row=held)
    await taken.closed()
    said, results = taken.sent(0)
    assert [block["type"] for block in said["content"]] == ["text", "tool_use"]
    assert [block["type"] for block in results["content"]] == ["tool_result"]


async def test_who_was_asked_to_go_on_before_it_waited_is_not_asked_so_again() -> None:
    first = Outside(because("who_knows", text="Let me look."), answers(PUT))
    held = await first.closed()
    now = resumed(held, first.turn, UseState.DENIED)
    taken = Outside(because("who_knows", text="I should look."), answers(text="never"), now=now, row=held)
    assert (await taken.closed()).status is MessageStatus.COMPLETE
    assert len(taken.model.asked) == 1


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
