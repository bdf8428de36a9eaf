"""What people and the model write is nowhere to be read: not in the database, not in a log.

Scenario 20 of the requirements. At the end of every flow `overheard` looks for all that was said in it; here stands
what it could miss."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.core.copy import texts
from app.core.errors import FailureKind
from app.playground.claude import HttpFault, Turn
from tests.flow import overheard
from tests.flow.chat import UNLIMITED, Chat, chatting
from tests.flow.permitting import ALWAYS, decides, told, using, wants

PLANTED = ("swordfish", "marmalade")


@pytest.mark.req("S0-008", "S0-011")
async def test_nothing_that_was_said_can_be_read_in_the_database(chat: Chat) -> None:
    chat.will_answer("I shall remember marmalade.", Turn(text="", fault=HttpFault(401)))
    thread = await chat.says("@Threadwise the word is swordfish")
    await chat.sees("marmalade", thread=thread)
    await chat.says("I am Sam and I say swordfish", who="Sam", thread=thread)
    await chat.slack.people.edits("Maya", "#general", thread, "@Threadwise no, it is swordfish!")
    await chat.says("and swordfish again", thread=thread)
    await chat.sees(texts.FAILURES[FailureKind.MISCONFIGURED], thread=thread)
    await chat.rests()
    stored = overheard.stored(chat.mongo[chat.settings.database])
    assert len(stored) > 2_000
    assert [word for word in PLANTED if word.encode() in stored] == []


@pytest.mark.req("S0-009")
async def test_nothing_that_was_said_reaches_a_log(chat: Chat) -> None:
    chat.will_answer("I shall remember marmalade.", Turn(text="marmalade", fault=HttpFault(401)))
    thread = await chat.says("@Threadwise the word is swordfish")
    await chat.sees("marmalade", thread=thread)
    await chat.says("swordfish?", thread=thread)
    await chat.sees(texts.FAILURES[FailureKind.MISCONFIGURED], thread=thread)
    await chat.rests()
    heard = chat.heard.getvalue()
    assert "turn_failed" in heard or "turn_ended" in heard, "the log was not captured"
    assert [word for word in PLANTED if word in heard] == []


async def test_one_correlation_id_leads_from_slacks_receipt_to_the_models_request(chat: Chat) -> None:
    await chat.exchanges("@Threadwise the word is swordfish", "I shall remember marmalade.")
    await chat.rests()
    lines = [json.loads(line) for line in chat.heard.getvalue().splitlines()]
    taken = next(line["correlation"] for line in lines if line["event"] == "taken_in")
    ended = next(line for line in lines if line["event"] == "turn_ended")
    assert ended["correlation"] == taken
    assert ended["reference"] == chat.claude.requests[-1].id


@pytest.mark.req("S0-008", "S0-009")
async def test_nothing_of_a_permission_of_what_a_tool_was_told_and_of_what_it_told_can_be_read(mongo_uri: str) -> None:
    async with chatting(mongo_uri, **UNLIMITED) as chat:
        room = chat.slack.workspace.channel_named("#ops")
        assert room
        chat.slack.workspace.channels[room.id] = replace(room, name="marmalade-ops")
        await chat.says("the word is swordfish", who="Sam", where="#marmalade-ops")
        asks = using(
            ("read_channel", {"channel": "#marmalade-ops"}),
            ("post_message", {"channel": "#marmalade-ops", "text": "swordfish"}),
            ("post_message", {"channel": "#marmalade-ops", "text": "swordfish!"}),
        )
        thread = await wants(chat, asks, "I said swordfish.")
        await decides(chat, thread, ALWAYS)
        await chat.sees("I said swordfish.", thread=thread)
        await chat.rests()
        assert "marmalade" in str(told(chat))
        heard, stored = chat.heard.getvalue(), overheard.stored(chat.mongo[chat.settings.database])
        assert "tool_used" in heard, "the log was not captured"
        assert await chat.documents("permissions") == 1
        assert [word for word in PLANTED if word in heard or word.encode() in stored] == []
