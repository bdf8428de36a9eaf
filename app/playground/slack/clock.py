"""The playground's own time: Slack's seconds, which pass `scale` times as fast as real ones.

Every limit of Slack is written in Slack's seconds; only this module converts them into real ones.
"""

import asyncio
import time


class Clock:
    """Slack's seconds since an arbitrary start."""

    def __init__(self, scale: float) -> None:
        self._scale = scale

    def now(self) -> float:
        """Return the playground's time, in Slack's seconds."""
        return time.monotonic() * self._scale

    def real(self, seconds: float) -> float:
        """Convert Slack's seconds into real seconds."""
        return seconds / self._scale

    async def sleep(self, seconds: float) -> None:
        """Wait for so many of Slack's seconds."""
        await asyncio.sleep(self.real(seconds))
