"""Tasks that outlive the request that caused them: deliveries, retries, expiries.

Rule: every task has an owner. A failed task makes `stop` fail, so a bug in the playground cannot hide.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Background:
    """Owner of the playground's tasks."""

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
        """Cancel the remaining tasks and wait for them; raise the first failure of any task, including ended ones."""
        running = tuple(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._failures:
            raise self._failures[0]
