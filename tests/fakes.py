"""Fakes of the ports for tests in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import wraps
from typing import Any, ParamSpec

from app.core.errors import StoreUnavailable
from app.ports import Clock, Entry
from tests.memory_store import MemoryLedger
from tests.virtual import START, VirtualClock, VirtualLoop, in_virtual_time

__all__ = ["START", "VirtualClock", "VirtualLoop", "WatchedLedger", "in_virtual_time", "threads_asked_for", "virtual"]

P = ParamSpec("P")


def threads_asked_for() -> int:
    """How often the loop of this test was asked for a thread."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop.threads


def virtual(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in virtual time. Its fixtures are made outside of it."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        in_virtual_time(test(*args, **kwargs))

    return run


class WatchedLedger:
    """A ledger that counts what is asked of it, and can be out of reach."""

    def __init__(self, clock: Clock) -> None:
        self._ledger = MemoryLedger(clock)
        self.is_away = False
        self.is_torn = False
        """Whether what is written arrives, and nobody hears that it did."""
        self.reads = self.writes = 0
        self.before_exchange: Callable[[], Awaitable[object]] | None = None
        """What somebody else does just before the next exchange."""

    async def read(self, team: str, key: str) -> Entry:
        self.reads += 1
        self._reach()
        return await self._ledger.read(team, key)

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        self.writes += 1
        self._reach()
        meanwhile, self.before_exchange = self.before_exchange, None
        if meanwhile:
            await meanwhile()
        written = await self._ledger.exchange(team, key, entry, seconds)
        if self.is_torn:
            raise StoreUnavailable
        return written

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        return all([await self.exchange(team, key, entry, seconds) for key, entry in entries.items()])

    async def numbers(self, team: str, key: str) -> Mapping[str, tuple[float, ...]]:
        """Look without being counted."""
        return (await self._ledger.read(team, key)).numbers

    def _reach(self) -> None:
        if self.is_away:
            raise StoreUnavailable
