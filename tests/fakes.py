"""Virtual time: an event loop whose seconds pass when everybody sleeps, so that an hour takes as long as its work.

Rule: nothing in it waits for the world outside (sockets, threads); where nobody will ever be woken it raises.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from app.core.errors import StoreUnavailable
from app.ports import Clock, Entry
from store.memory_ledger import MemoryLedger

T = TypeVar("T")
P = ParamSpec("P")

START = datetime(2026, 3, 1, tzinfo=UTC)


class _LeapingSelector(selectors.SelectSelector):
    """Waits by moving the time on."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everybody waits and nobody will ever be woken"
        self.now += timeout
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    threads = 0
    """How often a thread was asked for."""

    def __init__(self) -> None:
        self._leaping = _LeapingSelector()
        super().__init__(self._leaping)

    def time(self) -> float:
        return self._leaping.now

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        """Do what a thread would do, at once: no time passes, and nothing waits for a real thread."""
        self.threads += 1
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 – whatever it is, the thread's caller is told
            done.set_exception(error)
        return done


def threads_asked_for() -> int:
    """How often the loop of this test was asked for a thread."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop.threads


class VirtualClock:
    """The `Clock` port in a `VirtualLoop`."""

    def now(self) -> datetime:
        return START + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def in_virtual_time(act: Coroutine[Any, Any, T]) -> T:
    """Run something in virtual time, from second 0."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(act)


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

    async def numbers(self, team: str, key: str) -> Mapping[str, tuple[float, ...]]:
        """Look without being counted."""
        return (await self._ledger.read(team, key)).numbers

    def _reach(self) -> None:
        if self.is_away:
            raise StoreUnavailable
