"""One record that cannot be read must not stop the rest."""

from __future__ import annotations

from app.playground.claude import Turn
from tests.flow.chat import Chat


async def test_a_conversation_that_cannot_be_read_does_not_stop_the_others(chat: Chat) -> None:
    broken = await chat.exchanges("@Threadwise one", "Fine so far.")
    await chat.rests()
    conversation = await chat.conversation(broken)
    documents = chat.mongo[chat.settings.database]["conversations"]
    documents.update_one({"_id": conversation.id}, {"$set": {"sealed": b"nonsense"}})
    await chat.says("are you still there?", thread=broken)
    chat.will_answer(Turn(text="And fine here.", when="two"))
    healthy = await chat.says("@Threadwise two")
    await chat.sees("And fine here.", thread=healthy)
