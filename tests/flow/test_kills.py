"""A process that is killed loses nothing and says nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from app.core import texts
from app.playground.claude import Gate, Turn
from tests.flow.chat import Chat, chatting, text_of
from tests.flow.process import serving
from tests.told import words


@pytest.fixture
async def chat(mongo_uri: str) -> AsyncGenerator[Chat]:
    async with chatting(mongo_uri) as chat:
        await chat.stops()
        yield chat


async def stand(chat: Chat, thread: str, *words: str) -> None:
    """Wait until the thread shows this and nothing else. Killed earlier, a process leaves its last edit undone."""
    await chat.until(lambda: [text_of(message) for message in chat.thread(thread)] == [*words])


async def test_killed_in_mid_answer_the_next_process_keeps_the_text_in_the_same_message(
    chat: Chat, tmp_path: Path
) -> None:
    chat.will_answer(Turn(text="Half of it and the rest.", gates=[Gate(10, asyncio.Event())]), "All of it.")
    async with serving(chat, tmp_path) as first:
        thread = await chat.says("@Threadwise hi")
        half = await chat.sees("Half of", thread=thread)
        first.kill()
    async with serving(chat, tmp_path):
        cut = await chat.sees(texts.INTERRUPTED, thread=thread)
        assert cut.ts == half.ts
        assert "Half of" in text_of(cut)
        await chat.slack.people.clicks("Maya", "#general", cut.ts, "retry")
        await stand(chat, thread, "All of it.")


async def test_killed_before_the_first_word_the_message_is_answered_by_the_next_process(
    chat: Chat, tmp_path: Path
) -> None:
    chat.will_answer(Turn(text="Never shown.", gates=[Gate(0, asyncio.Event())]), "Here it is.", "And there.")
    async with serving(chat, tmp_path) as first:
        thread = await chat.says("@Threadwise hi")
        await chat.claude.arrival(1)
        first.kill()
    async with serving(chat, tmp_path):
        await chat.sees("Here it is.", thread=thread)
        await chat.says("still there?", thread=thread)
        await stand(chat, thread, "Here it is.", "And there.")


async def test_two_processes_on_one_database_answer_each_message_once(chat: Chat, tmp_path: Path) -> None:
    chat.claude.script.answer_always(lambda prompt: Turn(text=f"Answer to {words(prompt.last_user_text)}."))
    async with serving(chat, tmp_path), serving(chat, tmp_path):
        threads = [await chat.says(f"@Threadwise {number}") for number in range(6)]
        for number, thread in enumerate(threads):
            await chat.sees(f"Answer to {number}.", thread=thread)
            await chat.says(f"again {number}", thread=thread)
        for number, thread in enumerate(threads):
            await stand(chat, thread, f"Answer to {number}.", f"Answer to again {number}.")
    assert len(chat.claude.requests) == 2 * len(threads)
