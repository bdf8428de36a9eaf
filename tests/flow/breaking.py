"""Answers that break off in the middle, and people who let them go on."""

from __future__ import annotations

from app.core.copy import texts
from app.playground.claude import Cut, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat, hangs, text_of


def breaks(text: str, way: str, after: int) -> Turn:
    """An answer of which no more than its first characters come: its stream is "cut", or it hangs."""
    return Turn(text=text, fault=Cut("dropped", after=after)) if way == "cut" else hangs(text, after)


async def resumes(chat: Chat, thread: str, way: str) -> None:
    """Maya presses *Retry* below an answer that was "cut"; she stops one that hangs, and asks to go on."""
    if way == "cut":
        failed = await chat.sees(texts.RETRY, thread=thread)
        await chat.slack.people.clicks("Maya", "#general", failed.ts, action_ids.RETRY)
        return
    before = shown(chat, thread).count(texts.STOPPED)
    await chat.says("stop", thread=thread)
    await chat.until(lambda: shown(chat, thread).count(texts.STOPPED) > before)
    await chat.says("go on", thread=thread)


def shown(chat: Chat, thread: str) -> str:
    """All that people read of the app in a thread."""
    return "\n".join(text_of(message) for message in chat.thread(thread))
