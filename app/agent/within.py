"""Events that must not keep us waiting: each next one within its time, or `TimeoutError`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

T = TypeVar("T")


async def within(seconds: Callable[[], float], events: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
    """Yield the events, asking before each how long the wait for it may be; close them at the end.

    Only the waiting is timed, never what the consumer does between two events: a timeout around a `yield` would
    cancel the consumer.
    """
    async with aclosing(events):
        while True:
            try:
                async with asyncio.timeout(seconds()):
                    event = await anext(events)
            except StopAsyncIteration:
                return
            yield event
