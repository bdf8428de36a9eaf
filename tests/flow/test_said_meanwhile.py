"""What the owner writes while an answer works is read between two rounds, and changes what is done next."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.agent.tool_runner import READ_FIRST, READ_NEXT
from app.core.conversation.transition import QUEUED
from app.core.reactions.messages import DELETED_FOR_MODEL
from app.playground.claude import Gate, Turn
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, text_of
from tests.flow.permitting import final, posted, posting, told, using
from tests.told import words

READ = ("read_channel", {"channel": "#ops"})


room = fixture_of(chatting, allowed_tools="post_message", **UNLIMITED)


@pytest.mark.req("AG-03")
async def test_wait_use_ops_instead_is_read_before_anything_is_posted(room: Chat) -> None:
    gate = asyncio.Event()
    first = replace(posting("For everybody", said="I look and post it."), gates=[Gate(8, gate)])
    room.will_answer(first, posting("For ops"), "Posted in ops alone.", "Yes.")
    thread = await room.says("@Threadwise post the news")
    await room.sees("I look", thread=thread)
    said = await room.queues("Wait, only for ops please", thread=thread)
    gate.set()
    below = await final(room, thread, "Posted in ops alone.")
    assert below == "Posted in ops alone.", "it stands in a message of its own"
    assert [m.ts < said for m in room.thread(thread)] == [True, False], "below what the owner wrote"
    assert posted(room) == ["For ops"]
    assert next(text for text, _ in told(room)) == READ_FIRST
    second = room.claude.requests[1].prompt.messages
    assert words(second[-1].text) == "Wait, only for ops please"
    assert len(room.claude.requests) == 3, "it is not answered once more"
    assert QUEUED not in room.marks(said)
    await room.says("Is that all?", thread=thread)
    await room.sees("Yes.", thread=thread)
    later = room.claude.requests[-1].prompt.messages
    assert [message.text for message in later[: len(second)]] == [message.text for message in second]
    assert sum("only for ops" in message.text for message in later) == 1


@pytest.mark.req("AG-03")
async def test_wait_use_this_file_instead_is_read_before_anything_is_posted(room: Chat) -> None:
    gate = asyncio.Event()
    first = replace(posting("The old rota", said="I look and post it."), gates=[Gate(8, gate)])
    room.will_answer(first, "You have sent another one.", posting("Ann, then Sam"), "Posted the new rota.")
    thread = await room.says("@Threadwise post the rota")
    await room.sees("I look", thread=thread)
    written = await room.says("Wait, this is the right one", thread=thread, files={"rota.csv": b"Mon,Ann\nTue,Sam\n"})
    await room.until(lambda: QUEUED in room.marks(written))
    gate.set()
    await room.sees("Posted the new rota.", thread=thread)
    assert posted(room) == ["Ann, then Sam"]
    assert READ_NEXT in [text for text, _ in told(room)]
    assert "A1: Mon" in str(room.claude.requests[2].body["messages"]), "the next answer has read the file"


@pytest.mark.req("AG-03")
async def test_what_answers_words_in_between_grows_below_them(room: Chat) -> None:
    gate, rest = asyncio.Event(), asyncio.Event()
    slow = Turn(text="Blue it is, and " * 20 + "so on.", gates=[Gate(200, rest)])
    room.will_answer(replace(using(READ, said="I look at it."), gates=[Gate(8, gate)]), slow)
    thread = await room.says("@Threadwise look at ops")
    first = await room.sees("I look", thread=thread)
    said = await room.queues("and blue", thread=thread)
    gate.set()
    growing = await room.sees("Blue it is", thread=thread)
    assert first.ts < said < growing.ts
    assert text_of(room.now(first)) == "I look at it."
    rest.set()
    await final(room, thread, "so on.")


@pytest.mark.req("AG-03")
async def test_a_message_that_was_read_in_between_and_is_deleted_leaves_the_thread(room: Chat) -> None:
    gate = asyncio.Event()
    room.will_answer(replace(using(READ, said="I look at it."), gates=[Gate(8, gate)]), "Looked.", "Gone.")
    thread = await room.says("@Threadwise look at ops")
    await room.sees("I look", thread=thread)
    said = await room.queues("my secret is blue", thread=thread)
    gate.set()
    await final(room, thread, "Looked.")
    assert "blue" in room.claude.requests[1].prompt.messages[-1].text
    await room.slack.people.deletes("Maya", "#general", said)
    await room.says("and?", thread=thread)
    await room.sees("Gone.", thread=thread)
    await room.rests()
    reply = await room.store.conversations.row(await room.conversation(thread), 2)
    assert reply is not None
    assert (reply.content, reply.text) == ("", "I look at it.\n\nLooked.")
    assert not [message for message in room.claude.requests[-1].prompt.messages if "blue" in message.text]


async def test_an_answer_without_another_round_leaves_the_message_to_the_next_turn(room: Chat) -> None:
    gate = asyncio.Event()
    room.will_answer(Turn(text="Hello to you.", gates=[Gate(8, gate)]), "Blue it is.")
    thread = await room.says("@Threadwise hi")
    await room.sees("Hello", thread=thread)
    await room.queues("and blue", thread=thread)
    gate.set()
    await room.sees("Blue it is.", thread=thread)
    await room.rests()
    assert [text_of(message) for message in room.thread(thread)] == ["Hello to you.", "Blue it is."]


async def noted(room: Chat, thread: str, head: int) -> None:
    """Wait until the thread holds more rows than this many."""
    while (await room.conversation(thread)).head == head:
        await asyncio.sleep(0.01)


@pytest.mark.req("AG-03")
async def test_a_message_that_its_owner_corrects_is_read_anew_before_anything_is_posted(room: Chat) -> None:
    gate = asyncio.Event()
    first = replace(posting("We close at five", said="I post it."), gates=[Gate(8, gate)])
    room.will_answer(first, posting("We close at six"), "Posted: at six.")
    thread = await room.says("@Threadwise post to ops: we close at five")
    await room.sees("I post", thread=thread)
    before = await room.conversation(thread)
    await room.slack.people.edits("Maya", "#general", thread, "@Threadwise post to ops: we close at six")
    await noted(room, thread, before.head)
    gate.set()
    await final(room, thread, "Posted: at six.")
    assert posted(room) == ["We close at six"]
    assert told(room)[0] == (READ_FIRST, True)
    assert 'It now reads: "post to ops: we close at six"' in room.claude.requests[1].prompt.messages[-1].text
    await room.exchanges("Is that all?", "Yes.", thread=thread)
    later = room.claude.requests[-1].prompt.messages
    assert sum("It now reads" in message.text for message in later) == 1, "it is told once"


@pytest.mark.req("AG-03")
async def test_what_a_message_asked_for_is_not_posted_once_its_owner_has_deleted_it(room: Chat) -> None:
    thread = await room.exchanges("@Threadwise hello", "Hello.")
    gate = asyncio.Event()
    first = replace(posting("We close at five", said="I post it."), gates=[Gate(8, gate)])
    room.will_answer(first, "You took that back.")
    order = await room.says("post to ops: we close at five", thread=thread)
    await room.sees("I post", thread=thread)
    before = await room.conversation(thread)
    await room.slack.people.deletes("Maya", "#general", order)
    await noted(room, thread, before.head)
    gate.set()
    await final(room, thread, "You took that back.")
    assert posted(room) == []
    assert DELETED_FOR_MODEL in room.claude.requests[-1].prompt.messages[-1].text
