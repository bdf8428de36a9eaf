"""What somebody puts into the database without keys, or puts back there, happens to nobody."""

from __future__ import annotations

import asyncio

import pytest

from app.playground.claude import Gate, Turn
from tests.flow.chat import Chat
from tests.mongo import Documents


@pytest.fixture
def database(chat: Chat) -> Documents:
    """The program's database, as it is for whoever may write there."""
    return chat.mongo[chat.settings.database]


async def until_closed(chat: Chat, database: Documents, receipt: str) -> None:
    while (database.inbox.find_one({"_id": receipt}) or {})["state"] == "open":
        await asyncio.sleep(0.01)
    await chat.rests()


@pytest.mark.req("SE-14", "SE-19")
async def test_an_event_that_was_finished_with_is_not_done_a_second_time_when_its_row_is_put_back(
    chat: Chat, database: Documents
) -> None:
    gate = asyncio.Event()
    chat.will_answer(Turn(text="Posted in #ops, as you said.", gates=[Gate(3, gate)]), "Two.", "Three.")
    thread = await chat.says("@Threadwise post it")
    await chat.sees("Po", thread=thread)
    [row] = database.inbox.find()
    gate.set()
    await chat.sees("as you said.", thread=thread)
    await chat.rests()
    for round_, answer in enumerate(("Two.", "Three.")):
        before = await chat.conversation(thread)
        database.inbox.replace_one({"_id": row["_id"]}, row)
        await until_closed(chat, database, row["_id"])
        after = await chat.conversation(thread)
        assert (after.head, after.applied, len(chat.claude.requests)) == (before.head, before.applied, round_ + 1)
        await chat.says(f"@Threadwise and {round_}", thread=thread)
        await chat.sees(answer, thread=thread)
        await chat.rests()
    assert "inbox_row_put_back" in chat.heard.getvalue()
