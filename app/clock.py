"""The clock of the running program. Tests pass their own."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime


class SystemClock:
    """Implementation of `app.ports.Clock`."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)  # noqa: TID251  the one place

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Sleep for so many seconds."""
        await asyncio.sleep(seconds)


def format_ts(moment: datetime) -> str:
    """Return a moment in Slack's form: seconds since 1970 with six decimal places."""
    return f"{moment.timestamp():.6f}"
