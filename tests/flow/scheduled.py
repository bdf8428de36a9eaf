"""Threads in which the model has planned something: the plan, its card, and its time made to come."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from app.clock import SystemClock
from app.core.conversation.conversation import Transition
from app.playground.claude import Turn
from app.playground.slack.values.model import Message
from tests.flow.called import calls, spoken
from tests.flow.chat import Chat, text_of

CLOCK = "⏰"
MONDAYS = calls("schedule_work", kind="cron", cron="0 9 * * 1", instruction="Ask Maya for the numbers of the week.")
PLANNED = "Every Monday at nine, then."


async def planned(chat: Chat, plan: Turn = MONDAYS, *turns: Turn | str) -> tuple[str, Message]:
    """Maya begins a thread in which the model plans something; `turns` come after that."""
    chat.will_answer(*spoken(plan, PLANNED, *turns))
    thread = await chat.says("@Threadwise every Monday at 9, ask me for the numbers")
    card = await chat.sees(CLOCK, thread=thread)
    await chat.sees(PLANNED, thread=thread)
    return thread, card


def now(chat: Chat, card: Message) -> str:
    """All the words of the card as it stands now."""
    return text_of(chat.now(card))


async def has_come(chat: Chat, thread: str) -> None:
    """Make the planned time one that has just passed."""
    await chat.rests()
    before, past = await chat.conversation(thread), SystemClock().now() - timedelta(seconds=1)
    await chat.store.conversations.save(Transition(conversation=replace(before, next_run=past.isoformat())))
