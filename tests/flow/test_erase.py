"""Erasing: asked for in the thread by its owner, confirmed by a button, and then nothing is left."""

from __future__ import annotations

import pytest

from app.core.copy import texts
from app.core.reactions.messages import LOCKED
from tests.flow.chat import Chat, chatting
from tests.told import words


async def test_the_owner_erases_a_conversation_and_a_new_one_knows_nothing_of_it(chat: Chat) -> None:
    chat.will_answer("I shall remember marmalade.", "We have never met.")
    thread = await chat.says("@Threadwise the word is marmalade")
    await chat.sees("remember marmalade", thread=thread)
    await chat.rests()
    conversation = await chat.conversation(thread)
    await chat.says("@Threadwise erase", thread=thread)
    offer = await chat.sees("Shall I forget this conversation?", thread=thread)
    await chat.slack.people.clicks("Maya", "#general", offer.ts, "erase")
    await chat.sees(texts.format_erased(7), thread=thread)
    await chat.rests()
    for collection in ("conversations", "messages"):
        assert await chat.documents(collection) == 0
    assert await chat.documents("keys", {"_id": f"conversation:{conversation.id}"}) == 0
    assert await chat.documents("inbox", {"sealed": {"$exists": True}}) == 0
    assert await chat.documents("audit_events", {"type": "conversation_erased"}) == 1
    await chat.says("@Threadwise which word?", thread=thread)
    await chat.sees("We have never met.", thread=thread)
    assert [words(message.text) for message in chat.claude.requests[-1].prompt.messages] == ["which word?"]


@pytest.mark.req("SE-03")
async def test_people_are_told_for_how_long_a_backup_can_be_opened_by_the_one_setting_that_says_so(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, secret_copies_days=3) as other:
        thread = await other.exchanges("@Threadwise the word is marmalade", "I shall remember marmalade.")
        await other.rests()
        await other.says("@Threadwise erase", thread=thread)
        offer = await other.sees("until when backups may hold a copy", thread=thread)
        await other.slack.people.clicks("Maya", "#general", offer.ts, "erase")
        await other.sees("can be opened for 3 days more at most", thread=thread)


@pytest.mark.req("S0-002")
async def test_somebody_else_cannot_erase_it(chat: Chat) -> None:
    thread = await chat.exchanges("@Threadwise the word is marmalade", "I shall remember marmalade.")
    refused = await chat.says("@Threadwise erase", who="Sam", thread=thread)
    await chat.sees("can do that here", who="Sam", thread=thread)
    await chat.until(lambda: LOCKED in chat.marks(refused))
    assert await chat.documents("conversations") == 1


async def test_asking_to_erase_erases_nothing_yet(chat: Chat) -> None:
    chat.will_answer("I shall remember marmalade.", "Marmalade.")
    thread = await chat.says("@Threadwise the word is marmalade")
    await chat.sees("remember marmalade", thread=thread)
    await chat.says("@Threadwise erase", thread=thread)
    await chat.sees("Shall I forget this conversation?", thread=thread)
    await chat.says("on second thought: which word?", thread=thread)
    await chat.sees("Marmalade.", thread=thread)
