"""A process that is killed loses nothing and says nothing twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.core.copy import texts
from app.playground.claude import Turn
from tests.flow.chat import Chat, chatting, fixture_of, hangs, text_of
from tests.flow.permitting import using, without_line
from tests.flow.process import serving
from tests.told import words

chat = fixture_of(chatting, runs=False)


async def stand(chat: Chat, thread: str, *words: str) -> None:
    """Wait until the thread shows this and nothing else. Killed earlier, a process leaves its last edit undone."""
    await chat.until(lambda: [without_line(message) for message in chat.thread(thread)] == [*words])


PATIENT: dict[str, Any] = {"lease_seconds": 20.0, "heartbeat_seconds": 1.0}
"""Leases that no process loses because the machine is busy: who loses one asks the model anew, as it should."""


@pytest.mark.req("MW-21")
async def test_killed_in_mid_answer_the_next_process_goes_on_in_the_same_message(chat: Chat, tmp_path: Path) -> None:
    chat.will_answer(hangs("Half of it and the rest."), "Half of it, told anew to its end.")
    async with serving(chat, tmp_path) as first:
        thread = await chat.says("@Threadwise hi")
        cut = await chat.sees("Half of", thread=thread)
        first.kill()
    async with serving(chat, tmp_path):
        await stand(chat, thread, "Half of it, told anew to its end.")
    assert [message.ts for message in chat.thread(thread)] == [cut.ts]
    assert not [edit for edit in chat.calls("chat.update") if texts.INTERRUPTED in str(edit)]
    first_asked, asked_again = (request.prompt.messages for request in chat.claude.requests)
    assert [message.text for message in asked_again] == [message.text for message in first_asked]


@pytest.mark.req("MW-21")
async def test_killed_twice_over_an_answer_it_keeps_its_words_and_offers_retry(chat: Chat, tmp_path: Path) -> None:
    chat.will_answer(hangs("Half of it."), hangs("Half of it, told anew to its end.", 20), "All of it.")
    async with serving(chat, tmp_path) as first:
        thread = await chat.says("@Threadwise hi")
        cut = await chat.sees("Half of", thread=thread)
        first.kill()
    async with serving(chat, tmp_path) as second:
        await chat.sees("Half of it, told", thread=thread)
        second.kill()
    async with serving(chat, tmp_path):
        marked = await chat.sees(texts.INTERRUPTED, thread=thread)
        assert "Half of it, told" in text_of(marked)
        assert (marked.ts, len(chat.claude.requests)) == (cut.ts, 2)
        await chat.slack.people.clicks("Maya", "#general", marked.ts, "retry")
        await stand(chat, thread, "All of it.")


@pytest.mark.req("MW-21")
async def test_who_writes_after_the_kill_is_answered_and_the_answer_before_is_marked(
    chat: Chat, tmp_path: Path
) -> None:
    chat.will_answer(hangs("Half of it and the rest."), "To what you say now.")
    async with serving(chat, tmp_path) as first:
        thread = await chat.says("@Threadwise hi")
        await chat.sees("Half of", thread=thread)
        first.kill()
    await chat.says("never mind, what about this?", thread=thread)
    async with serving(chat, tmp_path):
        await chat.sees("To what you say now.", thread=thread)
        marked = await chat.sees(texts.INTERRUPTED, thread=thread)
        assert text_of(marked).startswith("Half of")
    assert len(chat.claude.requests) == 2


@pytest.mark.req("MW-21")
async def test_killed_after_it_has_read_something_it_goes_on_without_reading_it_again(
    chat: Chat, tmp_path: Path
) -> None:
    chat.will_answer(
        using(("read_channel", {"channel": "#ops"}), said="I look."),
        hangs("There is nothing new in #ops."),
        "There is nothing new, I think.",
    )
    async with serving(chat, tmp_path) as first:
        thread = await chat.says("@Threadwise what is new in #ops?")
        await chat.sees("There is", thread=thread)
        first.kill()
    async with serving(chat, tmp_path):
        await stand(chat, thread, "I look.\n\nThere is nothing new, I think.")
    assert len(chat.calls("conversations.history")) == 1
    second, third = (request.prompt.messages for request in chat.claude.requests[1:])
    assert third == second


async def test_killed_before_the_first_word_the_message_is_answered_by_the_next_process(
    chat: Chat, tmp_path: Path
) -> None:
    chat.will_answer(hangs("Never shown.", 0), "Here it is.", "And there.")
    async with serving(chat, tmp_path) as first:
        thread = await chat.says("@Threadwise hi")
        await chat.claude.arrival(1)
        first.kill()
    async with serving(chat, tmp_path):
        await chat.sees("Here it is.", thread=thread)
        await chat.says("still there?", thread=thread)
        await stand(chat, thread, "Here it is.", "And there.")


async def test_two_processes_on_one_database_answer_each_message_once(mongo_uri: str, tmp_path: Path) -> None:
    async with chatting(mongo_uri, **PATIENT) as chat:
        await chat.stops()
        await answer_all_once(chat, tmp_path)


async def answer_all_once(chat: Chat, tmp_path: Path) -> None:
    chat.claude.script.answer_always(lambda prompt: Turn(text=f"Answer to {words(prompt.last_user_text)}."))
    async with serving(chat, tmp_path), serving(chat, tmp_path):
        threads = [await chat.says(f"@Threadwise {number}") for number in range(6)]
        for number, thread in enumerate(threads):
            await chat.sees(f"Answer to {number}.", thread=thread)
            await chat.says(f"again {number}", thread=thread)
        for number, thread in enumerate(threads):
            await stand(chat, thread, f"Answer to {number}.", f"Answer to again {number}.")
    assert len(chat.claude.requests) == 2 * len(threads)
