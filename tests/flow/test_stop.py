"""Stop stops: by the button, by Slack's own Stop, by the word; by the owner, wherever the answer runs.

Requirements T7; scenario 10 of their part 7. How quick it is, `make bench` measures."""

from __future__ import annotations

import asyncio

import pytest

from app.core.conversation.conversation import MessageStatus
from app.core.conversation.transition import QUEUED
from app.core.copy import texts
from app.core.reactions.messages import LOCKED
from app.playground.claude import Gate, Turn
from app.wiring import run_app
from tests.flow import insides
from tests.flow.chat import Chat, chatting, hangs, text_of
from tests.told import words

HALF = "Half of it and never the rest."


@pytest.mark.req("S0-020")
async def test_the_button_on_the_draft_ends_the_answer_and_keeps_what_had_come(chat: Chat) -> None:
    chat.will_answer(hangs(HALF), "Something shorter.")
    thread = await chat.says("@Threadwise tell me everything")
    draft = await chat.sees("Half of", thread=thread)
    await chat.slack.people.clicks("Maya", "#general", draft.ts, "stop")
    stopped = await chat.sees(texts.STOPPED, thread=thread)
    await chat.rests()
    assert stopped.ts == draft.ts
    assert "Half of" in text_of(stopped)
    assert texts.STOP not in text_of(stopped).splitlines()
    assert chat.claude.requests[-1].outcome == "aborted"
    kept = await chat.store.conversations.row(await chat.conversation(thread), 2)
    assert kept is not None
    assert (kept.status, kept.text) == (MessageStatus.CANCELLED, "Half of it")
    await chat.says("shorter, please", thread=thread)
    await chat.sees("Something shorter.", thread=thread)
    told = chat.claude.requests[-1].prompt.messages[1].text
    assert told.startswith("Half of")
    assert told.endswith("[Conversation interrupted]")


@pytest.mark.req("NC-06")
async def test_nobody_reads_our_insides_in_a_stopped_and_archived_conversation_and_its_status(chat: Chat) -> None:
    chat.will_answer(hangs(HALF), "What kind of app?")
    thread = await chat.says("@Threadwise build a todo app")
    draft = await chat.sees("Half of", thread=thread)
    await chat.slack.people.clicks("Maya", "#general", draft.ts, "stop")
    await chat.sees("I stopped, as you wished", thread=thread)
    await chat.rests()
    await chat.says("@Threadwise status", thread=thread)
    await chat.sees("Still needed", thread=thread)
    await chat.says("@Threadwise archive", thread=thread)
    await chat.sees("Archived by", thread=thread)
    await chat.rests()
    assert insides.find_all(chat) == []


async def test_after_the_click_the_message_is_edited_once_at_most(chat: Chat) -> None:
    chat.will_answer(hangs(HALF))
    thread = await chat.says("@Threadwise tell me everything")
    draft = await chat.sees("Half of", thread=thread)
    before = len(chat.calls("chat.update"))
    await chat.slack.people.clicks("Maya", "#general", draft.ts, "stop")
    await chat.sees(texts.STOPPED, thread=thread)
    await chat.rests()
    assert len(chat.calls("chat.update")) == before + 1


async def test_slacks_own_stop_ends_the_answer_and_the_session_is_at_rest_again(chat: Chat) -> None:
    chat.will_answer(hangs(HALF))
    thread = await chat.says("@Threadwise tell me everything")
    await chat.sees("Half of", thread=thread)
    await chat.until(lambda: sessions(chat) == ["processing"])
    await chat.slack.people.stops("Maya", "#general", thread)
    await chat.sees(texts.STOPPED, thread=thread)
    await chat.until(lambda: sessions(chat) == ["active"])


@pytest.mark.parametrize(("word", "told"), [("archive", "Archived by"), ("erase", "Shall I forget this")])
async def test_put_away_before_the_first_word_the_session_is_at_rest_again(chat: Chat, word: str, told: str) -> None:
    chat.will_answer(hangs("Never shown.", 0))
    thread = await chat.says("@Threadwise tell me everything")
    await chat.claude.arrival(1)
    await chat.until(lambda: sessions(chat) == ["processing"])
    await chat.says(f"@Threadwise {word}", thread=thread)
    shown = await chat.sees(told, thread=thread)
    if word == "erase":
        await chat.slack.people.clicks("Maya", "#general", shown.ts, word)
    await chat.until(lambda: sessions(chat) == ["active"])
    assert texts.STOPPED_EARLY not in map(text_of, chat.thread(thread))


@pytest.mark.req("S0-044")
async def test_nobody_but_the_owner_stops_an_answer(chat: Chat) -> None:
    gate = asyncio.Event()
    chat.will_answer(Turn(text="Half of it and the rest.", gates=[Gate(10, gate)]))
    thread = await chat.says("@Threadwise tell me everything")
    draft = await chat.sees("Half of", thread=thread)
    await chat.slack.people.clicks("Sam", "#general", draft.ts, "stop")
    await chat.sees("can do that here", who="Sam", thread=thread)
    refused = await chat.says("@Threadwise stop", who="Sam", thread=thread)
    await chat.until(lambda: LOCKED in chat.marks(refused))
    gate.set()
    await chat.sees("and the rest.", thread=thread)


async def test_messages_sent_meanwhile_are_marked_as_waiting_and_answered_together_after_a_stop(chat: Chat) -> None:
    chat.will_answer(hangs(HALF), "Both of you: yes.")
    thread = await chat.says("@Threadwise tell me everything")
    draft = await chat.sees("Half of", thread=thread)
    waiting = [await chat.says(text, thread=thread) for text in ("only the dates", "and the places")]
    for ts in waiting:
        await chat.until(lambda ts=ts: QUEUED in chat.marks(ts))
    await chat.slack.people.clicks("Maya", "#general", draft.ts, "stop")
    await chat.sees("Both of you: yes.", thread=thread)
    await chat.rests()
    assert words(chat.claude.requests[-1].prompt.last_user_text) == "only the dates\n\nand the places"
    assert [chat.marks(ts) for ts in waiting] == [[], []]


async def test_a_stop_reaches_the_process_that_answers_whichever_process_heard_it(mongo_uri: str) -> None:
    async with chatting(mongo_uri, poll_seconds=30.0) as chat, run_app(chat.settings, http=False):
        for _ in range(4):
            chat.will_answer(hangs(HALF))
            thread = await chat.says("@Threadwise tell me everything")
            draft = await chat.sees("Half of", thread=thread)
            await chat.slack.people.clicks("Maya", "#general", draft.ts, "stop")
            await chat.sees(texts.STOPPED, thread=thread)


def sessions(chat: Chat) -> list[str]:
    """How the agent sessions stand that Slack knows of."""
    return [session.status for session in chat.slack.workspace.sessions.values()]
