"""A restart loses nothing and says nothing twice.

Requirements T7; of scenario 19 the restart in `streaming`. Those in `tools` and while a permission is waited for are in
`test_permission_endings`, that in `serialize` is in `test_decision_restarts`."""

from __future__ import annotations

import asyncio

import pytest

from app.core.copy import texts
from app.playground.claude import Gate, Turn
from tests.flow.chat import BOTH_WAYS, Chat, chatting, hangs, text_of
from tests.told import words


@BOTH_WAYS
async def test_what_is_said_while_the_app_is_down_is_answered_when_it_is_back(chat: Chat) -> None:
    chat.will_answer("I am here.", "And back.")
    thread = await chat.says("@Threadwise hi")
    await chat.sees("I am here.", thread=thread)
    await chat.rests()
    await chat.stops()
    await chat.says("are you there?", thread=thread)
    await chat.starts()
    await chat.sees("And back.", thread=thread, patience=30)


async def test_an_answer_that_was_cut_off_goes_on_in_the_same_message_after_the_restart(mongo_uri: str) -> None:
    async with chatting(mongo_uri, drain_seconds=0.1) as chat:
        chat.will_answer(hangs("Half of it."), "Half of it, and all the rest.")
        thread = await chat.says("@Threadwise hi")
        half = await chat.sees("Half of", thread=thread)
        await chat.stops()
        await chat.starts()
        await chat.sees("all the rest.", thread=thread)
        await chat.rests()
        assert [(m.ts, text_of(m)) for m in chat.thread(thread)] == [(half.ts, "Half of it, and all the rest.")]


async def test_an_answer_that_was_cut_off_twice_keeps_its_text_in_the_same_message_and_offers_retry(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, drain_seconds=0.1) as chat:
        never = asyncio.Event()
        halves = (
            Turn(text=text, gates=[Gate(after, never)]) for text, after in (("Half of it.", 10), ("More of it.", 0))
        )
        chat.will_answer(*halves, "All of it.")
        thread = await chat.says("@Threadwise hi")
        half = await chat.sees("Half of", thread=thread)
        await chat.stops()
        await chat.starts()
        await chat.claude.arrival(2)
        await chat.stops()
        await chat.starts()
        cut = await chat.sees(texts.INTERRUPTED, thread=thread)
        await chat.rests()
        assert cut.ts == half.ts
        assert "Half of" in text_of(cut)
        await chat.slack.people.clicks("Maya", "#general", cut.ts, "retry")
        await chat.sees("All of it.", thread=thread)
        await chat.rests()
        assert [text_of(m) for m in chat.thread(thread)] == ["All of it."]


@pytest.mark.req("M-007", "S0-256")
@BOTH_WAYS
async def test_a_conversation_goes_on_after_a_restart_with_all_that_was_said(chat: Chat) -> None:
    chat.will_answer("Noted.", "You said blue.")
    thread = await chat.says("@Threadwise the colour is blue")
    await chat.sees("Noted.", thread=thread)
    await chat.rests()
    await chat.stops()
    await chat.starts()
    await chat.says("which colour?", thread=thread)
    await chat.sees("You said blue.", thread=thread)
    assert words(chat.claude.requests[-1].prompt.messages[0].text) == "the colour is blue"
