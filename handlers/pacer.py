"""The pacer: spends a workspace's budget of Slack calls. Finals always go first; previews take what is left.

One token bucket a method for the workspace, one post a second for each channel, and Slack's own Retry-After above both.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from app.ports import Clock

PER_MINUTE = {"chat.update": 50.0, "chat.postMessage": 100.0}
"""Slack: chat.update is Tier 3; posts have a limit of their own for each channel, and a loose one for the workspace."""

KEPT_FOR_FINALS = 0.2
"""The share of a budget that previews may not touch (design D8)."""

SECONDS_PER_POST = 1.0
"""Slack: one message a second in a channel."""

CHANNELS = 2_000
"""Channels whose last post is remembered; older ones have long been quiet."""


@dataclass(slots=True)
class _Bucket:
    rate: float
    level: float
    at: float

    def refill(self, now: float) -> None:
        self.level = min(self.rate, self.level + (now - self.at) * self.rate / 60)
        self.at = now


class Pacer:
    """Says when a call may be made. It never drops one: what to drop is the caller's knowledge."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets = {m: _Bucket(rate, rate, clock.monotonic()) for m, rate in PER_MINUTE.items()}
        self._posted: OrderedDict[str, float] = OrderedDict()
        self._paused: dict[str, float] = {}

    def delay(self, method: str, channel: str, *, preview: bool) -> float:
        """Seconds until such a call may be made; 0 if now."""
        now = self._clock.monotonic()
        waits = [self._paused.get(method, now) - now]
        if method == "chat.postMessage":
            waits.append(self._posted.get(channel, -SECONDS_PER_POST) + SECONDS_PER_POST - now)
        bucket = self._buckets.get(method)
        if bucket:
            bucket.refill(now)
            floor = bucket.rate * KEPT_FOR_FINALS if preview else 0
            waits.append((floor + 1 - bucket.level) * 60 / bucket.rate)
        return max(0.0, *waits)

    def count(self, method: str, channel: str) -> None:
        """Count a call that is about to be made."""
        if bucket := self._buckets.get(method):
            bucket.level -= 1
        if method == "chat.postMessage":
            self._posted[channel] = self._clock.monotonic()
            self._posted.move_to_end(channel)
            if len(self._posted) > CHANNELS:
                self._posted.popitem(last=False)

    def pause(self, method: str, seconds: float) -> None:
        """Obey Slack's Retry-After; of several the longest."""
        until = self._clock.monotonic() + seconds
        self._paused[method] = max(until, self._paused.get(method, until))
