"""Waiting for a condition, woken by changes and never by polling.

Code that changes anything a test or a page may wait for calls `beat`.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


class Pulse:
    """One signal for all changes of a playground. Belongs to the event loop it is used in."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def beat(self) -> None:
        """Wake all waiters; call it after the change, from the loop."""
        self._next.set()
        self._next = asyncio.Event()

    async def until(self, predicate: Callable[[], Found], timeout: float) -> Found:
        """Return the first truthy value of `predicate`; raises TimeoutError after `timeout` real seconds."""
        async with asyncio.timeout(timeout):
            while not (found := predicate()):
                await self._next.wait()
        return found
