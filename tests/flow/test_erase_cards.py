"""Erasing a thread that waits and plans: what can be pressed goes before all is forgotten."""

from __future__ import annotations

from app.core.copy import texts
from tests.flow.called import asks, calls, labels
from tests.flow.chat import Chat, text_of


async def test_no_button_of_an_erased_conversation_is_left(chat: Chat) -> None:
    plan = calls("schedule_work", kind="cron", cron="0 9 * * 1", instruction="Ask for the numbers.")
    chat.will_answer(plan, asks("Which numbers?", "Sales", "Drivers"))
    thread = await chat.says("@Threadwise every Monday at 9, ask me for the numbers")
    await chat.sees("Which numbers?", thread=thread)
    await chat.rests()
    await chat.says("@Threadwise erase", thread=thread)
    offer = await chat.sees("Shall I forget this conversation?", thread=thread)
    await chat.slack.people.clicks("Maya", "#general", offer.ts, "erase")
    await chat.sees(texts.ERASED, thread=thread)
    await chat.rests()
    assert await chat.documents("conversations") == 0
    lasting = [message for message in chat.thread(thread) if not message.seen_by]
    assert [labels(message) for message in lasting] == [[], []]
    shown = "\n".join(text_of(message) for message in lasting)
    assert texts.QUESTION_CANCELLED in shown
    assert texts.SCHEDULE_CANCELLED in shown
