"""Virtual time: an event loop whose seconds pass when everybody sleeps, so that an hour takes as long as its work.

Rule: nothing in it waits for the world outside (sockets, threads); where nobody will ever be woken it raises.
It knows nothing of the program, so that it runs beside any version of it.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

T = TypeVar("T")

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
