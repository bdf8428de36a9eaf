"""The clock of the running program. Tests pass one of their own."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime


class SystemClock:
    """Implements `app.ports.Clock`."""

    def now(self) -> datetime:
        """Give the time of day, in UTC."""
        return datetime.now(UTC)  # noqa: TID251  the one place

    def monotonic(self) -> float:
        """Give seconds that never go back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let others run for this long."""
        await asyncio.sleep(seconds)


def ts_of(moment: datetime) -> str:
    """A moment as Slack writes it: seconds since 1970 with six places."""
    return f"{moment.timestamp():.6f}"
