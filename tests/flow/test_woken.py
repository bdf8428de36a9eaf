"""What the calendar finds is worked on at once: here the worker never looks by itself, and no signal comes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from app.clock import SystemClock
from app.core.thread import ThreadKey
from app.ports import Clock
from app.ports.store import Store
from app.settings import Settings
from app.wiring import connect_store
from tests.flow.chat import Chat, chatting, fixture_of
from tests.flow.scheduled import has_come, planned

NEVER = 3_600.0
"""Seconds from one look of the worker to the next: longer than any test waits."""


class Deaf:
    """Implements `app.ports.ChangeFeed` and hears of nothing."""

    async def listen(self, team: str, heard: Callable[[ThreadKey], None]) -> None:
        """See `Signals.listen`."""
        await SystemClock().sleep(NEVER)


@asynccontextmanager
async def deaf(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
    async with connect_store(settings, clock) as store:
        yield replace(store, signals=Deaf())


chat = fixture_of(chatting, opening=deaf, poll_seconds=NEVER, look_seconds=0.1)


async def test_a_run_that_is_due_begins_without_a_poll(chat: Chat) -> None:
    thread, _ = await planned(chat)
    chat.will_answer("Maya, please send me the numbers.")
    await has_come(chat, thread)
    await chat.sees("please send me the numbers", thread=thread)
