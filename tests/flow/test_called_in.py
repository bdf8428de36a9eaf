"""Called into a thread that is under way, the program knows what was said there."""

from __future__ import annotations

import re

import pytest

from tests.flow.called import calls, results
from tests.flow.carried import BOARD, posting, posts, private
from tests.flow.carried import asks as asks_for_permission
from tests.flow.chat import Chat, chatting


def sent(chat: Chat, request: int = -1) -> str:
    """All that the model was sent with a request."""
    return "\n".join(message.text for message in chat.claude.requests[request].prompt.messages)


async def quarrel(chat: Chat, where: str = "#general") -> str:
    """Sam and Maya talk without the program; gives the thread."""
    thread = await chat.says("Mondays do not work for the depot.", who="Sam", where=where)
    await chat.says("Then close it, whatever it takes.", where=where, thread=thread)
    await chat.says("Leeds has no cover before noon.", who="Sam", where=where, thread=thread)
    return thread


@pytest.mark.req("IN-01")
async def test_called_into_a_thread_it_knows_what_was_said_there_and_says_how_far_it_has_read(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        thread = await quarrel(chat)
        chat.will_answer("Two things speak against Mondays.", "As Sam said: before noon.")
        await chat.says("@Threadwise sum this up for us", thread=thread)
        await chat.sees("Two things speak against Mondays.", thread=thread)
        await chat.sees("I have read what was said in this thread before: 3 messages.", thread=thread)
        first = sent(chat)
        places = [first.index(words) for words in ("Mondays do not", "Then close it", "Leeds has no", "sum this up")]
        assert places == sorted(places)
        assert first.count("<message ") == 3, "what was said to others is material, also the owner's"
        assert re.search('<message role="owner" [^>]*>Then close it', first)
        assert (await chat.conversation(thread)).title == "sum this up for us"
        await chat.says("When is there no cover?", thread=thread)
        await chat.sees("As Sam said: before noon.", thread=thread)
        assert sent(chat).startswith(first), "what was read once is sent again unchanged"


@pytest.mark.req("IN-01")
async def test_what_was_read_above_a_mention_is_taken_back_with_its_message(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        thread = await quarrel(chat)
        chat.will_answer("I see.", "Nothing more.")
        await chat.says("@Threadwise sum this up for us", thread=thread)
        await chat.sees("I see.", thread=thread)
        leeds = next(each for each in chat.slack.people.sees("Sam", "#general", thread) if "Leeds" in each.text)
        await chat.slack.people.deletes("Sam", "#general", leeds.ts)
        await chat.settled_inbox(2)
        await chat.says("And now?", thread=thread)
        await chat.sees("Nothing more.", thread=thread)
        assert "Leeds has no cover" not in sent(chat)


@pytest.mark.req("IN-01")
async def test_a_file_that_was_shared_above_a_mention_can_be_read(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        thread = await chat.says("These are the rents.", who="Sam", files={"costs.csv": b"City,Rent\nLisbon,937"})
        chat.will_answer(calls("read_file", file="costs.csv"), "Lisbon's, by Sam's table.")
        await chat.says("@Threadwise which rent is lowest?", thread=thread)
        await chat.sees("Lisbon's, by Sam's table.", thread=thread)
        ((found, failed),) = results(chat)
        assert not failed
        assert "B2: 937" in found


@pytest.mark.req("IN-01", "SE-04")
async def test_what_was_read_above_a_mention_is_not_carried_out_of_its_channel_unasked(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        private(chat, BOARD, "board", "Maya", "Sam")
        thread = await quarrel(chat, "board")
        chat.will_answer(posting("Leeds has no cover before noon."))
        await chat.says("@Threadwise tell #ops", where="board", thread=thread)
        card = await asks_for_permission(chat, thread, "board")
        assert "This was read in #board, which 2 people can read" in card
        assert posts(chat) == []


@pytest.mark.req("IN-01")
async def test_at_the_top_of_a_thread_nothing_is_read_and_nothing_is_said_of_it(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        thread = await chat.exchanges("@Threadwise hi", "Hello.")
        await chat.rests()
        assert not [each for each in chat.thread(thread) if "I have read" in each.text]
        assert not chat.calls("conversations.replies")


@pytest.mark.req("IN-01")
async def test_called_by_an_edit_of_the_first_message_it_knows_what_was_answered_between(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        thread = await chat.says("what speaks against Mondays?")
        await chat.says("Leeds has no cover before noon.", who="Sam", thread=thread)
        chat.will_answer("Leeds, as Sam said.")
        await chat.slack.people.edits("Maya", "#general", thread, "@Threadwise what speaks against Mondays?")
        await chat.sees("Leeds, as Sam said.", thread=thread)
        await chat.sees("I have read what was said in this thread before: 1 message.", thread=thread)
        first = sent(chat)
        assert first.index("Leeds has no cover") < first.index("what speaks against")
        assert first.count("what speaks against") == 1
