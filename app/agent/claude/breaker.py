"""A circuit breaker: where the model is plainly away, a turn fails at once instead of waiting for its own timeout.

It stands around the retries: what it counts are answers that failed for good. Each process finds out for itself.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

import structlog

from app.core.errors import FailureKind, ModelFailed
from app.ports import Clock, Counted, Model, ModelReply, ModelRequest, TextDelta

log = structlog.get_logger(__name__)

OUTAGES = frozenset({FailureKind.BUSY, FailureKind.TIMEOUT})
"""Failures that say something of the service. The others are about one request, or prove that somebody answers."""

FAILURES_TO_OPEN = 5
"""In a row: with two retries each that is fifteen requests, which no short overload survives."""

OPEN_SECONDS = 30.0
"""As long as the longest wait that `app.agent.claude.retry` grants a server: an overload rarely passes sooner."""

PROBE_SECONDS = 1.0
"""What people are told to wait while one of them is finding out whether the model is back."""


class Breaker:
    """Implements `app.ports.Model` over another one. Open, it lets one request at a time find out."""

    def __init__(self, model: Model, clock: Clock) -> None:
        self._model, self._clock = model, clock
        self._failures = 0
        self._open_until = 0.0
        self._probing = False

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Counted | ModelReply, None]:
        """See `Model.stream`. While open: fails with BUSY and the seconds until it is worth trying."""
        probe = self._admit()
        try:
            async with aclosing(self._model.stream(request)) as events:
                async for event in events:
                    if probe:
                        # Somebody answers: others need not wait until this answer is complete.
                        probe = self._probing = False
                        self._close()
                    if isinstance(event, ModelReply):  # whoever has it asks for nothing more
                        self._close()
                    yield event
        except ModelFailed as failure:
            self._learn(failure)
            raise
        finally:
            if probe:  # also when it was cut off: then the next one is the probe
                self._probing = False

    def _admit(self) -> bool:
        """Let a request pass, or raise; True if it is the probe."""
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
