"""Background tasks, and waiting for a change."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Found = TypeVar("Found")


class Condition:
    """One signal for all changes of an emulator. It belongs to the event loop that uses it."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def beat(self) -> None:
        """Wake all waiters; call it after the change, from the loop."""
        self._next.set()
        self._next = asyncio.Event()

    async def until(self, predicate: Callable[[], Found], timeout: float) -> Found:
        """Return the first truthy value of `predicate`. Raise TimeoutError after `timeout` real seconds."""
        async with asyncio.timeout(timeout):
            while not (found := predicate()):
                await self._next.wait()
        return found


class Background:
    """Owner of the emulator's background tasks."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._failures: list[BaseException] = []

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` until it ends or `stop` is called."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failure := task.exception()):
            self._failures.append(failure)

    async def stop(self) -> None:
        """Cancel the remaining tasks and wait for them. Raise the first failure of any task, including ended ones."""
        running = tuple(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._failures:
            raise self._failures[0]
