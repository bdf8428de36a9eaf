"""Slack's rate limits for each method.

A tier is a number of calls in a sliding window, for the whole workspace or for each channel. A refused call does not
count.
"""

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass

from app.playground.slack.values.model import Clock


@dataclass(frozen=True, slots=True)
class Tier:
    """`calls` within any `seconds`."""

    calls: int
    seconds: float = 60.0
    per_channel: bool = False


TIER_2 = Tier(20)
TIER_3 = Tier(50)
TIER_4 = Tier(100)
POSTING = Tier(4, seconds=4.0, per_channel=True)  # Slack: one message a second per channel, with short bursts


class Meter:
    """Counter of calls against their tiers."""

    def __init__(self, clock: Clock, overrides: Mapping[str, int]) -> None:
        self._clock = clock
        self._overrides = {method: Tier(calls) for method, calls in overrides.items()}
        self._calls: defaultdict[tuple[str, str], deque[float]] = defaultdict(deque)

    def wait(self, method: str, tier: Tier | None, channel: str) -> float:
        """Count a call, or return how many of Slack's seconds it is too early."""
        tier = self._overrides.get(method, tier)
        if tier is None:
            return 0.0
        now = self._clock.now()
        calls = self._calls[method, channel if tier.per_channel else ""]
        while calls and calls[0] <= now - tier.seconds:
            calls.popleft()
        if len(calls) >= tier.calls:
            return calls[0] + tier.seconds - now
        calls.append(now)
        return 0.0
