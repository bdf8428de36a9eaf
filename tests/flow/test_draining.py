"""The end of the program: what runs comes to its end, what cannot is marked, what waits is done by the next."""

from __future__ import annotations

import asyncio

from app.core.copy import texts
from app.playground.claude import Gate, Turn
from tests.flow.chat import BOTH_WAYS, Chat, chatting, hangs, text_of
from tests.flow.permitting import posting


@BOTH_WAYS
async def test_an_answer_under_way_comes_to_its_end_before_the_program_does(chat: Chat) -> None:
    gate = asyncio.Event()
    chat.will_answer(Turn(text="Half of it and the rest.", gates=[Gate(10, gate)]))
    thread = await chat.says("@Threadwise hi")
    await chat.sees("Half of", thread=thread)
    stopping = asyncio.ensure_future(chat.stops())
    await asyncio.sleep(0.2)
    assert not stopping.done()
    gate.set()
    await stopping
    assert [text_of(message) for message in chat.thread(thread)] == ["Half of it and the rest."]


async def test_an_answer_that_takes_too_long_is_left_as_it_stands_to_the_next_process(mongo_uri: str) -> None:
    async with chatting(mongo_uri, drain_seconds=0.1) as chat:
        chat.will_answer(hangs("Half of it."), "Half of it, and the rest.")
        thread = await chat.says("@Threadwise hi")
        await chat.sees("Half of", thread=thread)
        await chat.stops()
        (message,) = chat.thread(thread)
        assert text_of(message).startswith("Half of")
        assert texts.INTERRUPTED not in text_of(message)
        await chat.starts()
        await chat.sees("and the rest.", thread=thread)


async def test_what_takes_too_long_and_cannot_go_on_is_marked_before_the_program_ends(mongo_uri: str) -> None:
    async with chatting(mongo_uri, drain_seconds=0.1, allowed_tools="post_message") as chat:
        chat.slack.faults.at("chat.postMessage", moment="before", nth=2, act=asyncio.Event().wait)
        chat.will_answer(posting("The rota", said="I post it."))
        thread = await chat.says("@Threadwise post it to #ops")
        await chat.sees("Posting to #ops", thread=thread)
        await chat.stops()
        marked = next(m for m in chat.thread(thread) if texts.INTERRUPTED in text_of(m))
        assert texts.RETRY in text_of(marked)


@BOTH_WAYS
async def test_what_waited_for_an_answer_is_answered_by_the_next_process_without_being_asked_again(chat: Chat) -> None:
    gate = asyncio.Event()
    chat.will_answer(Turn(text="Half of it and the rest.", gates=[Gate(10, gate)]), "And the second.")
    thread = await chat.says("@Threadwise hi")
    await chat.sees("Half of", thread=thread)
    await chat.says("and then?", thread=thread)
    await chat.until(lambda: bool(chat.calls("reactions.add")))
    stopping = asyncio.ensure_future(chat.stops())
    while chat.slack.sockets.count:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    gate.set()
    await stopping
    assert len(chat.claude.requests) == 1
    await chat.starts()
    await chat.sees("And the second.", thread=thread)
