"""A turn that waits to be allowed something, and goes on where it was."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from app.core.conversation.conversation import ROUNDS, MessageStatus
from app.core.conversation.usage import Usage
from app.core.state.tool_use import UseState
from tests.unit.agent.outer_tools import Workshop, fails, forever
from tests.unit.agent.outside_turns import LOOK, PLAN, PUT, Outside, because, resumed
from tests.unit.agent.scripted import COST, answers, deltas


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
