"""What is said in threads elsewhere: a digest has it, a link leads to it, and a denied channel stays so."""

from __future__ import annotations

import pytest

from app.agent.tools.external.audience import KEPT_BACK
from app.agent.tools.external.naming import SEVERAL
from app.playground.slack.values.model import Member
from tests.flow.called import calls, results
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


async def found(chat: Chat, where: str, tool: str, **given: str) -> str:
    """What the model is told of a name in a new thread of Maya's."""
    chat.will_answer(calls(tool, **given), "I looked.")
    thread = await chat.says("@Threadwise who and where is that?", where=where)
    await chat.sees("I looked.", thread=thread, where=where)
    await chat.rests()
    return results(chat)[0][0]


@pytest.mark.req("AG-08", "SE-04")
async def test_a_private_channel_is_found_by_its_name_where_nobody_else_reads_along(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        private(chat, CREW, "crew-leeds", "Maya", "Sam")
        private(chat, f"{CREW}2", "crew-board", "Sam")
        direct = await chat.slack.people.opens_dm("Maya")
        told = await found(chat, direct, "find_channels", words="crew")
        assert "#crew-leeds" in told
        assert "#crew-board" not in told, "Maya is not in it"
        told = await found(chat, "#general", "find_channels", words="crew")
        assert "crew-leeds" not in told
        assert KEPT_BACK in told


@pytest.mark.req("AG-08")
async def test_where_two_are_called_alike_the_model_is_told_to_ask_which_one_is_meant(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        members = chat.slack.workspace.members
        members["U0SAMBERG0"] = Member("U0SAMBERG0", "Sam", "Sam Berg", "Europe/Berlin", title="Driver")
        told = await found(chat, "#general", "find_people", name="Sam")
        assert SEVERAL in told
        assert told.count('"name":"Sam","full_name"') == 2
        assert "Driver" in told
        assert SEVERAL not in await found(chat, "#general", "find_people", name="Sam Berg")
