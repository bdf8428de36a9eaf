"""Each next event has its time; what the consumer does with one is never timed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from app.agent.claude.retry import with_timeout


class Source:
    """Gives two numbers at once and then nothing."""

    def __init__(self) -> None:
        self.closed = False

    async def events(self) -> AsyncGenerator[int, None]:
        try:
            yield 1
            yield 2
            await asyncio.Event().wait()
        finally:
            self.closed = True


async def test_a_consumer_that_takes_its_time_is_not_cancelled_and_a_source_that_does_is() -> None:
    source, heard = Source(), list[int]()

    async def consume() -> None:
        async for number in with_timeout(lambda: 0.0, source.events()):
            for _ in range(3):
                await asyncio.sleep(0)
            heard.append(number)

    with pytest.raises(TimeoutError):
        await consume()
    assert heard == [1, 2]
    assert source.closed


async def test_the_time_is_asked_for_before_each_event() -> None:
    asked: list[float] = []

    def seconds() -> float:
        asked.append(1.0)
        return 60.0

    events = with_timeout(seconds, Source().events())
    assert [await anext(events), await anext(events)] == [1, 2]
    assert len(asked) == 2
    await events.aclose()


async def test_who_stops_listening_closes_the_source() -> None:
    source = Source()
    events = with_timeout(lambda: 60.0, source.events())
    await anext(events)
    await events.aclose()
    assert source.closed
