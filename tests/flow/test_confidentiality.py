"""What people and the model write is nowhere to be read: not in the database, not in a log."""

from __future__ import annotations

from typing import Any

import pytest
from pymongo import MongoClient

from app.core import texts
from app.playground.claude import HttpFault, Turn
from tests.flow.chat import Chat

PLANTED = ("swordfish", "marmalade")


@pytest.mark.req("S0-008", "S0-011")
async def test_nothing_that_was_said_can_be_read_in_the_database(chat: Chat) -> None:
    chat.will_answer("I shall remember marmalade.", Turn(text="", fault=HttpFault(529)))
    thread = await chat.says("@Threadwise the word is swordfish")
    await chat.sees("marmalade", thread=thread)
    await chat.says("I am Sam and I say swordfish", who="Sam", thread=thread)
    await chat.slack.people.edits("Maya", "#general", thread, "@Threadwise no, it is swordfish!")
    await chat.says("and swordfish again", thread=thread)
    await chat.sees(texts.RETRY, thread=thread)
    await chat.rests()
    stored = raw(chat)
    assert len(stored) > 2_000
    assert [word for word in PLANTED if word.encode() in stored] == []


@pytest.mark.req("S0-009")
async def test_nothing_that_was_said_reaches_a_log(chat: Chat, capfd: pytest.CaptureFixture[str]) -> None:
    chat.will_answer("I shall remember marmalade.", Turn(text="marmalade", fault=HttpFault(500)))
    thread = await chat.says("@Threadwise the word is swordfish")
    await chat.sees("marmalade", thread=thread)
    await chat.says("swordfish?", thread=thread)
    await chat.sees(texts.RETRY, thread=thread)
    await chat.rests()
    out, errors = capfd.readouterr()
    assert "taken_in" in out + errors, "the log was not captured"
    assert [word for word in PLANTED if word in out + errors] == []


def raw(chat: Chat) -> bytes:
    """Every byte of every collection."""
    with MongoClient[dict[str, Any]](chat.settings.mongodb_uri.get_secret_value()) as client:
        database = client[chat.settings.database]
        names = database.list_collection_names()
        batches: list[Any] = [batch for name in names for batch in database[name].find_raw_batches()]
        return b"".join(batches)
