"""Callers at the queues of some processes that share one ledger, in virtual time."""

from __future__ import annotations

import asyncio

from handlers.outbound.pacer import NEVER, Pacer, Priority
from handlers.slack.budget import TIERS
from tests.fakes import WatchedLedger
from tests.unit.handlers.strict_slack import TEAM
from tests.virtual import VirtualClock

POST, UPDATE = "chat.postMessage", "chat.update"
FINAL, QUESTION, STATUS, PREVIEW = Priority
AT_ONCE = TIERS[POST].calls


class Workspace:
    """Some processes over one ledger."""

    def __init__(self, processes: int = 1) -> None:
        self.clock = VirtualClock()
        self.ledger = WatchedLedger(self.clock)
        self.pacers = [Pacer(self.clock, TEAM, self.ledger, f"{each:03x}c") for each in range(processes)]
        self.pacer = self.pacers[0]
        self.served: list[str] = []
        self._callers: list[asyncio.Task[None]] = []

    def calls(self, name: str, priority: Priority, last: float = NEVER, queue: str = POST) -> asyncio.Task[None]:
        """Somebody asks for a turn; their name is noted when they get it."""

        async def call() -> None:
            await self.pacer.turn(queue, "C1", priority, last)
            self.served.append(name)

        self._callers.append(asyncio.ensure_future(call()))
        return self._callers[-1]

    async def crowd(self) -> None:
        """Use up what the queue gives at once."""
        for _ in range(AT_ONCE):
            await self.pacer.turn(POST, "C1", Priority.FINAL)

    async def all_served(self) -> list[str]:
        await asyncio.gather(*self._callers)
        return self.served
