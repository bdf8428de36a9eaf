"""What a turn costs in operations of MongoDB: the commands are counted, by name, over a real one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest
from pymongo import monitoring

from app.wiring import connect_store
from tests.flow.chat import Chat, chatting

ALONE: dict[str, Any] = {
    "poll_seconds": 600.0,
    "look_seconds": 600.0,
    "lease_seconds": 600.0,
    "heartbeat_seconds": 200.0,
}
"""Nothing is looked for by the clock, so that all that is counted belongs to the turn."""

NEXT = {
    "aggregate conversations": 1,  # whose message is it, was it taken back, and what waits there?
    "insert inbox": 1,
    "findAndModify conversations": 4,  # the lease; the turn begins; it ends; its reply is delivered and the lease ends
    "update rate_limits": 3,  # a message, an answer that begins, an answer that ends: of a person and the workspace
    "update messages": 4,  # question and reply; what is about to be shown; the whole; where it stands
    "update pacing": 3,  # both statuses at once, twice if they come late; the answer
    "update inbox": 1,
    "insert audit_events": 1,
    "update marks": 1,
}
"""Commands of a turn in a thread that has begun, at most."""

NEW_THREAD = NEXT | {
    "insert keys": 1,
    "insert conversations": 1,
    "find places": 2,
    "findAndModify conversations": 4,
}
"""The same in a new thread, which Home shows when it begins and when it has its title."""


class Commands(monitoring.CommandListener):
    """Counts commands by name and collection, but not the looks at the change stream."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        """A command is about to be sent."""
        if event.command_name != "getMore":
            self.counted[f"{event.command_name} {event.command[event.command_name]}"] += 1

    async def has_rested(self, chat: Chat) -> Counter[str]:
        """Wait until a conversation was let go and nothing more is asked; give what was counted, and begin anew."""
        await chat.rests()
        known = -1
        while "update marks" not in self.counted or self.counted.total() != known:
            known = self.counted.total()
            await asyncio.sleep(0.7)
        counted, self.counted = self.counted, Counter()
        return counted

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        """A command was carried out."""

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """A command failed."""


@pytest.fixture
def commands() -> Generator[Commands]:
    """All commands of clients that are made during the test; those of the test itself are none."""
    listeners: Any = monitoring._LISTENERS  # pyright: ignore[reportPrivateUsage]: a listener cannot be taken back
    counting = Commands()
    monitoring.register(counting)
    yield counting
    listeners.command_listeners.remove(counting)


ATTEMPTS = 6
"""A busy machine may let a status or a lease come late, which costs a command more, but not each time."""


@pytest.mark.req("MW-09")
async def test_a_turn_makes_no_command_more_than_it_must(mongo_uri: str, commands: Commands) -> None:
    async with chatting(mongo_uri, opening=connect_store, **ALONE) as chat:
        chat.will_answer(*["Yes."] * (1 + 2 * ATTEMPTS))
        await chat.says("@Threadwise hi")
        await commands.has_rested(chat)
        thread = await _costs(chat, commands, NEW_THREAD, "@Threadwise and what is this?")
        await _costs(chat, commands, NEXT, "and this?", thread)


async def _costs(chat: Chat, commands: Commands, most: dict[str, int], words: str, thread: str | None = None) -> str:
    """Say this until an answer has cost no more than `most`; gives the ts of what was said last."""
    counted = list[Counter[str]]()
    for _ in range(ATTEMPTS):
        said = await chat.says(words, thread=thread)
        counted.append(await commands.has_rested(chat))
        if counted[-1] <= Counter(most):
            return said
    pytest.fail(f"more than it must: {counted}")
