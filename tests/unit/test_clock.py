"""The clock of the running program."""

from __future__ import annotations

from datetime import UTC, timedelta

from app.clock import SystemClock


async def test_the_clock_is_aware_goes_forward_and_lets_others_run() -> None:
    clock = SystemClock()
    before, started = clock.monotonic(), clock.now()
    await clock.sleep(0)
    assert clock.monotonic() >= before
    assert clock.now().tzinfo is UTC
    assert abs(clock.now() - started) < timedelta(hours=1)
