"""The playground's own time: Slack's seconds, passing `scale` times as fast as real ones.

Every limit of Slack is written in Slack's seconds; this is the one place that turns them into waiting.
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
        """Return how long `seconds` of Slack take, in real seconds."""
        return seconds / self._scale

    async def sleep(self, seconds: float) -> None:
        """Wait `seconds` of Slack's."""
        await asyncio.sleep(self.real(seconds))
