"""Retry policy for model requests, and the time limit on each event of a stream. No other module repeats a request."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

import structlog

from app.core.errors import FailureKind, ModelFailed
from app.ports import Clock, Model, ModelEvent, ModelRequest, TextDelta

T = TypeVar("T")


async def with_timeout(seconds: Callable[[], float], events: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
    """Yield the events; before each, `seconds` gives the limit of the wait for it. Close them at the end.

    Only the wait is timed, never the consumer's work between two events: a timeout around a `yield` would cancel the
    consumer.
    """
    async with aclosing(events):
        while True:
            try:
                async with asyncio.timeout(seconds()):
                    event = await anext(events)
            except StopAsyncIteration:
                return
            yield event


log = structlog.get_logger(__name__)

RETRIED = frozenset({FailureKind.BUSY, FailureKind.CUT, FailureKind.TIMEOUT, FailureKind.LIMITED})
"""Failures that pass by themselves. No other is repeated: not a wrong key, not a spent budget."""

PAUSES = (0.5, 1.0)
"""Seconds before each retry, doubled as in Anthropic's own back-off. A waiting person tolerates two retries."""

JITTER = 0.25
"""Random part of a pause, so that turns that failed together are not retried together."""

LONGEST_WISH = 30.0
"""Longest wait in seconds at the server's request; beyond that, a person is told and decides."""


def compute_pause(failures: int, failure: ModelFailed, chance: float) -> float | None:
    """Return the seconds to wait after this failure, the last of so many; None to give up.

    `chance` is from 0 to 1. The server's wait is a minimum, which chance never reduces.
    """
    wish = failure.after or 0.0
    if failure.kind not in RETRIED or failures > len(PAUSES) or wish > LONGEST_WISH:
        return None
    return max(PAUSES[failures - 1] * (1 - JITTER * chance), wish)


class RetryingModel:
    """A `Model` that wraps another one and retries it until the first text of a reply has been shown."""

    def __init__(self, model: Model, clock: Clock, seconds: float, chance: Callable[[], float] = random.random) -> None:
        """Limit one request to `seconds` in all, with retries and pauses; a turn may make several requests."""
        self._model, self._clock, self._seconds, self._chance = model, clock, seconds, chance

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Stream as `Model.stream` does. A retry must fit into the remaining time."""
        deadline = self._clock.monotonic() + self._seconds
        for failures in itertools.count(1):
            shown = False
            try:
                async with aclosing(self._ask(request, deadline)) as events:
                    async for event in events:
                        shown = shown or isinstance(event, TextDelta)
                        yield event
            except ModelFailed as failure:
                pause = None if shown else compute_pause(failures, failure, self._chance())
                if pause is None or self._clock.monotonic() + pause >= deadline:
                    raise
                log.warning("model_retried", attempt=failures, code=failure.kind.value, request=failure.reference)
            else:
                return
            await self._clock.sleep(pause)

    async def _ask(self, request: ModelRequest, deadline: float) -> AsyncGenerator[ModelEvent, None]:
        def left() -> float:
            return deadline - self._clock.monotonic()

        try:
            async with aclosing(with_timeout(left, self._model.stream(request))) as events:
                async for event in events:
                    yield event
        except TimeoutError as error:
            raise ModelFailed(FailureKind.TIMEOUT) from error
