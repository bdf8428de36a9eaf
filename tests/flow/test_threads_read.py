"""What is said in threads elsewhere: a digest has it, a link leads to it, and a denied channel stays so."""

from __future__ import annotations

import pytest

from tests.flow.called import calls
from tests.flow.carried import CREW, private
from tests.flow.chat import Chat, chatting


def sent(chat: Chat) -> str:
    """All that the model was sent with the newest request, results of tools included."""
    return str(chat.claude.requests[-1].prompt.messages)


async def depot(chat: Chat, where: str) -> str:
    """People talk of the depot in a thread."""
    thread = await chat.says("What about the depot?", who="Sam", where=where)
    await chat.says("Leeds has no cover.", who="Sam", where=where, thread=thread)
    return thread


@pytest.mark.req("AG-08")
async def test_a_digest_of_a_channel_has_what_was_answered_in_its_threads(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        await depot(chat, "#ops")
        chat.will_answer(calls("read_channel", channel="#ops"), "No cover in Leeds.")
        thread = await chat.says("@Threadwise what was said in #ops?")
        await chat.sees("No cover in Leeds.", thread=thread)
        assert "Leeds has no cover." in sent(chat)


@pytest.mark.req("AG-08")
@pytest.mark.parametrize("denied", [False, True])
async def test_a_thread_is_read_by_its_link_unless_its_channel_is_denied(mongo_uri: str, denied: bool) -> None:
    async with chatting(mongo_uri, denied_tools=f"read_channel:channel:{CREW}" if denied else "") as chat:
        private(chat, CREW, "crew", "Maya", "Sam")
        root = await depot(chat, "crew")
        link = f"https://acme.slack.com/archives/{CREW}/p{root.replace('.', '')}"
        chat.will_answer(calls("read_channel", thread=link), "I looked.")
        direct = await chat.slack.people.opens_dm("Maya")
        thread = await chat.says("What is decided there?", where=direct)
        await chat.sees("I looked.", thread=thread, where=direct)
        assert ("Leeds has no cover." in sent(chat)) is not denied
