"""A thread that has outgrown its window: the model's own summary stands for it, and forgets what is taken back."""

from __future__ import annotations

import pytest

from app.playground.claude import Turn
from store.database.schema import AUDIT
from tests.flow import overheard
from tests.flow.chat import UNLIMITED, asks_for_summary, chatting, window_with_room

SECRET = "The caretaker is Mr. Quillfeather."
SUMMARY = "They meet on Mondays in the marmalade mill; the caretaker is Mr. Quillfeather."
AGAIN = "They meet on Mondays in the marmalade mill."
LONG = "so " * 1_600


@pytest.mark.req("FA-34")
async def test_a_long_thread_is_summed_up_by_the_model_and_anew_once_a_message_in_it_is_deleted(mongo_uri: str) -> None:
    async with chatting(mongo_uri, context_tokens=window_with_room(2_000), **UNLIMITED) as chat:
        chat.will_answer("Noted.", "Noted 0.", "Noted 1.", Turn(text=SUMMARY, when=asks_for_summary), "Noted 2.")
        thread = await chat.says("@Threadwise we meet on Mondays in the marmalade mill.")
        await chat.sees("Noted.", thread=thread)
        secret = await chat.says(SECRET, thread=thread)
        await chat.sees("Noted 0.", thread=thread)
        for place in (1, 2):
            await chat.says(LONG, thread=thread)
            await chat.sees(f"Noted {place}.", thread=thread)
        await chat.rests()
        asked, answered = chat.claude.requests[-2:]
        assert SECRET in asked.prompt.last_user_text
        assert "tools" not in asked.body
        first = answered.prompt.messages[0].text
        assert f"[Earlier conversation summarized: {SUMMARY}]" in first
        stored = overheard.stored(chat.mongo[chat.settings.database])
        assert b"marmalade" not in stored
        lines = [*chat.mongo[chat.settings.database][AUDIT].find({"type": "thread_summarized"})]
        assert [line["reason"] for line in lines] == ["written"]

        await chat.slack.people.deletes("Maya", "#general", secret)
        chat.will_answer(Turn(text=AGAIN, when=asks_for_summary), "On Mondays.")
        await chat.says("When do we meet?", thread=thread)
        await chat.sees("On Mondays.", thread=thread)
        await chat.rests()
        asked, answered = chat.claude.requests[-2:]
        assert asks_for_summary(asked.prompt)
        assert "Quillfeather" not in str((asked.body, answered.body))
        assert f"[Earlier conversation summarized: {AGAIN}]" in answered.prompt.messages[0].text
