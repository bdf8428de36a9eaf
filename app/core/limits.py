"""How often, how many at once, how much a day: pure arithmetic on named lists of numbers that processes share.

Times are seconds since 1970, money is in whole millionths of a dollar, and a limit of 0 is none. Knows neither clock
nor store. Processes' clocks may differ and messages come late: nothing here needs times in order.
"""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TypeAlias

from app.core.errors import FailureKind
from app.core.model import Usage

Times: TypeAlias = tuple[float, ...]
Numbers: TypeAlias = Mapping[str, Times]

MINUTE = 60.0
DAY = 86_400
SOON = 10.0
"""Seconds after which it is worth asking again for the place of an answer: about as long as one takes."""
MILLIONTHS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What one person, or all of a workspace together, may use."""

    messages: int = 0
    """Messages a minute (S0-005)."""
    calls: int = 0
    """Answers begun a minute (S0-006)."""
    at_once: int = 0
    """Answers under way at the same time."""
    tokens: int = 0
    """Tokens a day (UTC), whatever they cost."""
    dollars: float = 0.0
    """US dollars a day (UTC), as far as prices are known."""

    @property
    def bounds_answers(self) -> bool:
        """False if answers need not be counted."""
        return any((self.calls, self.at_once, self.tokens, self.dollars))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why an answer may not begin now, and in how many whole seconds it is worth asking again."""

    kind: FailureKind
    seconds: int


def take(times: Times, at: float, count: int, window: float) -> tuple[Times, float]:
    """Add a moment to `times` if no `window` seconds then hold more than `count`: (times, 0).

    Else (times, wait): `at + wait` is the first later moment that could be added. `times` are in order. Those more than
    two windows older than the newest are forgotten, so a moment may come one window late and is still judged exactly.
    """
    newest = max((at, *times[-1:]))
    kept = [time for time in times if time > newest - 2 * window]
    if count and not _fits(kept, at, count, window):
        later = (time + window for time in kept if time + window > at)
        return tuple(kept), next(moment for moment in later if _fits(kept, moment, count, window)) - at
    insort(kept, at)
    return tuple(kept), 0.0


def _fits(times: list[float], at: float, count: int, window: float) -> bool:
    """True if no `count + 1` neighbours, `at` among them, are less than a window apart."""
    index = bisect_right(times, at)
    around = (*times[max(0, index - count) : index], at, *times[index : index + count])
    # Added, not subtracted: a moment that was found by adding the window fits, however floats round it.
    return all(last >= first + window for first, last in zip(around, around[count:], strict=False))


MESSAGES = "messages"


def take_message(numbers: Numbers, at: float, count: int) -> tuple[Numbers, float]:
    """Count the message that was sent at this moment, as `take` does; one that was counted is not counted again."""
    times = numbers.get(MESSAGES, ())
    if at in times:
        return numbers, 0.0
    taken, wait = take(times, at, count, MINUTE)
    return {MESSAGES: taken}, wait


def give_back_message(numbers: Numbers, at: float) -> Numbers:
    """Uncount a message."""
    return {MESSAGES: tuple(time for time in numbers.get(MESSAGES, ()) if time != at)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The place of an answer that has begun. A process that died gives it back at `until`."""

    until: float
    began: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of one person, or of a workspace: begun lately, under way, and what today's have cost.

    Each is known by a token, and each change can be repeated without counting twice.
    """

    begun: Times = ()
    held: Mapping[str, Held] = field(default_factory=dict[str, Held])
    ended: Mapping[str, float] = field(default_factory=dict[str, float])
    """Until when it is remembered that an answer has ended."""
    day: float = 0.0
    tokens: float = 0.0
    millionths: float = 0.0

    @classmethod
    def read(cls, numbers: Numbers, now: float) -> Answers:
        """Return what of these numbers counts at this time."""
        day, *spent = numbers.get("today", (0.0, 0.0, 0.0))
        today = float(now // DAY)
        tokens, millionths = spent if day >= today else (0.0, 0.0)  # later than today: by another process' clock
        values = [(*name.partition(" ")[::2], times) for name, times in numbers.items()]
        return cls(
            begun=numbers.get("begun", ()),
            held={token: Held(until=t[0], began=t[1]) for kind, token, t in values if kind == "held" and t[0] > now},
            ended={token: t[0] for kind, token, t in values if kind == "ended" and t[0] > now},
            day=max(day, today),
            tokens=tokens,
            millionths=millionths,
        )

    def numbers(self) -> Numbers:
        """Return what `read` reads."""
        return {
            "begun": self.begun,
            "today": (self.day, self.tokens, self.millionths),
            **{f"held {token}": (place.until, place.began) for token, place in self.held.items()},
            **{f"ended {token}": (until,) for token, until in self.ended.items()},
        }

    def begin(self, token: str, now: float, hold: float, allowance: Allowance) -> Answers | Refusal:
        """Count an answer and hold a place for it for `hold` seconds; what holds one already only holds it longer.

        Budgets are judged by what has been spent: answers that are under way may overdraw them.
        """
        if token in self.held:
            return self._holding(token, now, hold)
        if self._is_spent(allowance):
            return Refusal(kind=FailureKind.SPENT_TODAY, seconds=math.ceil((self.day + 1) * DAY - now))
        begun, wait = take(self.begun, now, allowance.calls, MINUTE)
        if 0 < allowance.at_once <= len(self.held):
            wait = max(wait, min(SOON, *(place.until - now for place in self.held.values())))
        if wait:
            return Refusal(kind=FailureKind.PACED, seconds=math.ceil(wait))
        return replace(self._holding(token, now, hold), begun=begun)

    def resume(self, token: str, now: float, hold: float) -> Answers:
        """Hold a place for an answer that has waited for a person: it was counted when it began, and is not refused."""
        return self._holding(token, now, hold)

    def withdraw(self, token: str) -> Answers:
        """Undo `begin`."""
        place = self.held.get(token)
        if place is None:
            return self
        index = self.begun.index(place.began) if place.began in self.begun else len(self.begun)
        return replace(self._without(token), begun=self.begun[:index] + self.begun[index + 1 :])

    def end(self, token: str, until: float, tokens: int, millionths: int) -> Answers:
        """Free the place and count what was spent, once; that it was counted is remembered `until` then."""
        if token in self.ended:
            return self
        return replace(
            self._without(token),
            ended={**self.ended, token: until},
            tokens=self.tokens + tokens,
            millionths=self.millionths + millionths,
        )

    def _is_spent(self, allowance: Allowance) -> bool:
        return 0 < allowance.tokens <= self.tokens or 0 < allowance.dollars <= self.millionths / MILLIONTHS

    def _holding(self, token: str, now: float, hold: float) -> Answers:
        place = self.held.get(token, Held(until=now, began=now))
        ended = {other: until for other, until in self.ended.items() if other != token}
        return replace(self, held={**self.held, token: replace(place, until=now + hold)}, ended=ended)

    def _without(self, token: str) -> Answers:
        return replace(self, held={other: place for other, place in self.held.items() if other != token})


def tokens_of(usage: Usage) -> int:
    """Return all tokens that the model read or wrote."""
    return usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens


def millionths_of(cost: str) -> int:
    """Return a cost (`Message.cost`) in whole millionths of a dollar, rounded up; 0 if it is unknown."""
    return math.ceil(Decimal(cost or 0) * MILLIONTHS)
