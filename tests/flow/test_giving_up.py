"""What fails again and again is given up with a notice; nothing else in the thread suffers for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from app.core.conversation.conversation import Conversation, Message
from app.core.copy import texts
from app.core.errors import FailureKind
from app.ports import Clock
from app.ports.store import Store
from app.settings import Settings
from app.wiring import connect_store
from tests.flow.chat import chatting, text_of


class CannotFind:
    """Conversations in which looking a message up by its ts has a bug."""

    def __init__(self, store: Store) -> None:
        self._conversations = store.conversations

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conversations, name)

    async def rows_of(self, conversation: Conversation, ts: str) -> tuple[Message, ...]:
        raise ZeroDivisionError


@asynccontextmanager
async def with_a_bug(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
    async with connect_store(settings, clock) as store:
        yield replace(store, conversations=CannotFind(store))  # type: ignore[arg-type]


async def test_an_event_that_cannot_be_applied_is_given_up_and_the_message_beside_it_is_answered(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, opening=with_a_bug) as chat:
        chat.will_answer("One.", "Two.")
        thread = await chat.says("@Threadwise one")
        await chat.sees("One.", thread=thread)
        await chat.rests()
        await chat.slack.people.edits("Maya", "#general", thread, "@Threadwise uno")
        await chat.says("two", thread=thread)
        notice = await chat.sees(texts.FAILURES[FailureKind.INTERNAL], thread=thread)
        await chat.sees("Two.", thread=thread)
        await chat.rests()
        assert "Reference `tw-" in text_of(notice)
        assert await chat.documents("inbox", {"state": "parked"}) == 1
        assert await chat.documents("inbox", {"state": "open"}) == 0
