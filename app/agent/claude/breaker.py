"""A circuit breaker: during an outage of the model, a turn fails at once instead of waiting for its own timeout.

It wraps the retries, so it counts requests that failed for good. Each process has its own state.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

import structlog

from app.core.errors import FailureKind, ModelFailed
from app.ports import Clock, Model, ModelEvent, ModelReply, ModelRequest

log = structlog.get_logger(__name__)

OUTAGES = frozenset({FailureKind.BUSY, FailureKind.TIMEOUT})
"""Failures that indicate an outage. The others concern one request, or prove that the service responds."""

FAILURES_TO_OPEN = 5
"""Consecutive failures: with two retries each these are fifteen requests, which no short overload survives."""

OPEN_SECONDS = 30.0
"""As long as the longest wait that `app.agent.claude.retry` grants a server: an overload rarely ends sooner."""

PROBE_SECONDS = 1.0
"""Waiting time that people are told while a probe is in progress."""


class Breaker:
    """A `Model` that wraps another one. While open, it admits one request at a time as a probe."""

    def __init__(self, model: Model, clock: Clock) -> None:
        self._model, self._clock = model, clock
        self._failures = 0
        self._open_until = 0.0
        self._probing = False

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Stream as `Model.stream` does. While open, fail with BUSY and the seconds until a retry is useful."""
        probe = self._admit()
        try:
            async with aclosing(self._model.stream(request)) as events:
                async for event in events:
                    if probe:
                        # The service responds: other requests need not wait for the whole reply.
                        probe = self._probing = False
                        self._close()
                    if isinstance(event, ModelReply):  # a caller may stop reading here
                        self._close()
                    yield event
        except ModelFailed as failure:
            self._learn(failure)
            raise
        finally:
            if probe:  # even after a cut: the next request is then the probe
                self._probing = False

    def _admit(self) -> bool:
        """Admit a request or raise; return True if it is the probe."""
        if self._failures < FAILURES_TO_OPEN:
            return False
        wait = self._open_until - self._clock.monotonic()
        if wait > 0 or self._probing:
            raise ModelFailed(FailureKind.BUSY, after=max(wait, PROBE_SECONDS))
        self._probing = True
        return True

    def _learn(self, failure: ModelFailed) -> None:
        if failure.kind not in OUTAGES:
            self._close()
            return
        self._failures += 1
        if self._failures >= FAILURES_TO_OPEN:
            self._open_until = self._clock.monotonic() + OPEN_SECONDS
            log.error("model_away", code=failure.kind.value, seconds=OPEN_SECONDS)

    def _close(self) -> None:
        if self._failures >= FAILURES_TO_OPEN:
            log.info("model_back")
        self._failures = 0
