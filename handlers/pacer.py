"""The pacer: spends a workspace's budget of Slack calls. Finals always go first; previews take what is left.

It counts what was sent in the last minute, because that is what Slack counts, and learns from each 429 how much Slack
really allows. A place is taken and counted at once: two callers can never take the same one.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field

from app.ports import Clock

WINDOW = 60.0
PER_WINDOW = {"chat.update": 50}
"""Slack: chat.update is Tier 3, fifty a minute in a workspace. Posts are limited in each channel; an answer needs its
first post in any case, so none of them is saved by waiting."""

KEPT_FOR_FINALS = 0.2
"""The share of a budget that previews may not touch; more when more answers are open, for each has a final to come."""

PREVIEWS_AT_ONCE = 12
"""Previews that may be made faster than the minute's share allows; then their spacing stretches to that share."""

POSTS_AT_ONCE, SECONDS_PER_POST = 3, 1.0
"""Slack: one message a second in a channel, with short bursts."""

CHANNELS = 2_000
"""Channels whose posts are remembered; older ones have long been quiet."""


@dataclass(slots=True)
class _Budget:
    """The calls of one method in the last minute. `learned` is how many Slack seems to allow, if that is fewer."""

    tier: int
    learned: int
    sent: deque[float] = field(default_factory=deque[float])
    previews: float = PREVIEWS_AT_ONCE
    filled_at: float = 0.0
    refused_at: float = -WINDOW
    eased_at: float = 0.0

    def look(self, now: float) -> None:
        """Forget what is older than a minute; believe Slack capable of a little more with each minute of peace."""
        while self.sent and self.sent[0] <= now - WINDOW:
            self.sent.popleft()
        if self.learned < self.tier and now - self.eased_at >= WINDOW:
            self.learned, self.eased_at = min(self.tier, self.learned * 3 // 2 + 1), now

    def delay(self, now: float, room: int) -> float:
        """Seconds until fewer than `room` calls were sent in the last minute."""
        return 0.0 if len(self.sent) < room else self.sent[-room] + WINDOW - now

    def preview_delay(self, now: float, room: int) -> float:
        """Seconds until a preview may be made, if all of them together may make `room` calls a minute."""
        at_once = min(PREVIEWS_AT_ONCE, room / 2)
        rate = (room - at_once) / WINDOW  # so that a burst and a minute of this rate stay within the room
        self.previews = min(at_once, self.previews + (now - self.filled_at) * rate)
        self.filled_at = now
        return max(self.delay(now, room), (1 - self.previews) / rate)

    def spend(self, now: float, *, preview: bool) -> None:
        """Count a call."""
        self.sent.append(now)
        self.previews -= preview

    def refuse(self, now: float) -> None:
        """Learn from a second refusal within a minute; a single one may have had any reason."""
        if now - self.refused_at < WINDOW:
            self.learned, self.eased_at = max(1, min(self.learned, len(self.sent) - 1)), now
        self.refused_at = now


class Pacer:
    """Says when a call may be made. It never drops one: what to drop is the caller's knowledge."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._budgets = {method: _Budget(tier, tier) for method, tier in PER_WINDOW.items()}
        self._posts: OrderedDict[str, deque[float]] = OrderedDict()
        self._paused: dict[tuple[str, str], float] = {}
        self.drafts = 0
        """Answers that are being shown: each will want a final edit."""

    def delay(self, method: str, channel: str, *, preview: bool) -> float:
        """Seconds until such a call may be made; 0 if now."""
        now = self._clock.monotonic()
        waits = [self._paused.get(_door(method, channel), now) - now]
        if method == "chat.postMessage":
            recent = self._posts.get(channel, ())
            waits.append(recent[0] + POSTS_AT_ONCE * SECONDS_PER_POST - now if len(recent) == POSTS_AT_ONCE else 0)
        if budget := self._budgets.get(method):
            budget.look(now)
            kept = max(round(budget.learned * KEPT_FOR_FINALS), self.drafts)
            room = max(1, budget.learned - kept)
            waits.append(budget.preview_delay(now, room) if preview else budget.delay(now, budget.tier))
        return max(0.0, *waits)

    def take(self, method: str, channel: str, *, preview: bool) -> float:
        """Take the place of a call that is made now, and give 0; or give the seconds to wait before asking again."""
        if (delay := self.delay(method, channel, preview=preview)) > 0:
            return delay
        now = self._clock.monotonic()
        if budget := self._budgets.get(method):
            budget.spend(now, preview=preview)
        if method == "chat.postMessage":
            self._posts.setdefault(channel, deque(maxlen=POSTS_AT_ONCE)).append(now)
            self._posts.move_to_end(channel)
            if len(self._posts) > CHANNELS:
                self._posts.popitem(last=False)
        return 0.0

    def refused(self, method: str, channel: str, seconds: float) -> None:
        """Obey Slack's Retry-After, of several the longest, and learn from it."""
        now = self._clock.monotonic()
        door = _door(method, channel)
        self._paused = {other: until for other, until in self._paused.items() if until > now}
        self._paused[door] = max(now + seconds, self._paused.get(door, now))
        if budget := self._budgets.get(method):
            budget.refuse(now)


def _door(method: str, channel: str) -> tuple[str, str]:
    """What a Retry-After closes: posting into one channel, or a method for the whole workspace."""
    return (method, channel if method == "chat.postMessage" else "")
