"""When an answer began and ended to leave, as a benchmark needs it."""

import asyncio
import time

import anthropic
import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudePlayground, Gate, HttpFault, Pace, Turn
from tests.contract.playground_claude.asking import ask, streamed


async def test_the_first_delta_is_timed_when_it_leaves_and_the_end_not_before_the_last(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    begin, go_on = asyncio.Event(), asyncio.Event()
    playground.script.add(Turn("one two", pace=Pace(chunk=4), gates=[Gate(0, begin), Gate(4, go_on)]))
    async with streamed(claude, ask()) as stream:
        exchange = await playground.arrival(1)
        assert exchange.first_sent_at is None
        begun = time.time()
        begin.set()
        assert await anext(stream.text_stream) == "one "
        first, heard = exchange.first_sent_at, time.time()
        assert first is not None
        assert begun <= first <= heard
        assert exchange.ended_at is None
        go_on.set()
        await stream.get_final_message()
    await exchange.ended.wait()
    assert exchange.first_sent_at == first
    assert exchange.ended_at is not None
    assert heard <= exchange.ended_at <= time.time()


async def test_an_answer_that_never_began_has_an_end_and_no_first_delta(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    playground.script.add(Turn("one", fault=HttpFault(529)))
    with pytest.raises(anthropic.APIStatusError):
        async with streamed(claude, ask()):
            pass
    exchange = playground.requests[0]
    assert (exchange.first_sent_at, exchange.ended_at is None) == (None, False)
