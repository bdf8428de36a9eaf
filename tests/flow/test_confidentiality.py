"""What people and the model write is nowhere to be read: not in the database, not in a log."""

from __future__ import annotations

import json

import pytest

from app.core import texts
from app.core.errors import FailureKind
from app.playground.claude import HttpFault, Turn
from tests.flow import overheard
from tests.flow.chat import Chat

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
    stored = overheard.stored(chat.settings.mongodb_uri.get_secret_value(), chat.settings.database)
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
    chat.will_answer("I shall remember marmalade.")
    thread = await chat.says("@Threadwise the word is swordfish")
    await chat.sees("marmalade", thread=thread)
    await chat.rests()
    lines = [json.loads(line) for line in chat.heard.getvalue().splitlines()]
    taken = next(line["correlation"] for line in lines if line["event"] == "taken_in")
    ended = next(line for line in lines if line["event"] == "turn_ended")
    assert ended["correlation"] == taken
    assert ended["reference"] == chat.claude.requests[-1].id
