"""Rate limits per minute, at once and per day: pure arithmetic on named lists of numbers that processes share.

Times are seconds since 1970, money is in whole millionths of a dollar, and a limit of 0 means none. No clock and no
store is used. Clocks of processes may differ and messages may be late, so no order of times is assumed.
"""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from app.core.conversation.usage import Usage
from app.core.errors import FailureKind

Times: TypeAlias = tuple[float, ...]
Numbers: TypeAlias = Mapping[str, Times]

MINUTE = 60.0
HOUR = 3_600.0
DAY = 86_400
SOON = 10.0
"""Seconds until another attempt to start a turn makes sense: about as long as a turn takes."""
MILLIONTHS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """Limits for one person, or for a whole workspace."""

    messages: int = 0
    """Messages per minute."""
    calls: int = 0
    """Turns started per minute."""
    at_once: int = 0
    """Turns active at the same time."""
    tokens: int = 0
    """Tokens per day (UTC), whatever they cost."""
    dollars: float = 0.0
    """US dollars per day (UTC), as far as prices are known."""

    @property
    def bounds_answers(self) -> bool:
        """Return False if turns need not be counted."""
        return any((self.calls, self.at_once, self.tokens, self.dollars))


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Amount spent of a budget: tokens, and millionths of a dollar as far as prices are known."""

    tokens: float = 0.0
    millionths: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        """Return the sum of both."""
        return Amount(tokens=self.tokens + other.tokens, millionths=self.millionths + other.millionths)

    def times(self, count: int) -> Amount:
        """Return so many of this amount."""
        return Amount(tokens=self.tokens * count, millionths=self.millionths * count)

    def beyond(self, other: Amount) -> Amount:
        """Return the excess over the other amount, at least zero."""
        return Amount(
            tokens=max(self.tokens - other.tokens, 0.0), millionths=max(self.millionths - other.millionths, 0.0)
        )


NOTHING = Amount()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Reason why a turn may not start now, and whole seconds until another attempt makes sense."""

    kind: FailureKind
    seconds: int


def take(times: Times, at: float, count: int, window: float) -> tuple[Times, float]:
    """Add a moment to `times` if then no `window` seconds hold more than `count`: (times, 0).

    Otherwise return (times, wait), where `at + wait` is the first later moment that fits. `times` are in order. Moments
    older than two windows before the newest are dropped, so a moment may be one window late and is still judged
    exactly.
    """
    newest = max((at, *times[-1:]))
    kept = [time for time in times if time > newest - 2 * window]
    if count and not _fits(kept, at, count, window):
        later = (time + window for time in kept if time + window > at)
        return tuple(kept), next(moment for moment in later if _fits(kept, moment, count, window)) - at
    insort(kept, at)
    return tuple(kept), 0.0


def _fits(times: list[float], at: float, count: int, window: float) -> bool:
    """Return True if each group of `count + 1` neighbours with `at` among them spans at least a window."""
    index = bisect_right(times, at)
    around = (*times[max(0, index - count) : index], at, *times[index : index + count])
    # Added, not subtracted: a moment found by adding the window must fit despite the rounding of floats.
    return all(last >= first + window for first, last in zip(around, around[count:], strict=False))


MESSAGES = "messages"


def take_message(numbers: Numbers, at: float, count: int) -> tuple[Numbers, float]:
    """Count the message sent at this moment, as `take` does. A repeated moment is not counted again."""
    times = numbers.get(MESSAGES, ())
    if at in times:
        return numbers, 0.0
    taken, wait = take(times, at, count, MINUTE)
    return {MESSAGES: taken}, wait


def give_back_message(numbers: Numbers, at: float) -> Numbers:
    """Undo the count of a message."""
    return {MESSAGES: tuple(time for time in numbers.get(MESSAGES, ()) if time != at)}


class Creation(StrEnum):
    """Kind of thing that people create and others see, or that costs Slack API calls. Counted per person."""

    BEGINNING = "beginning"
    """A conversation or a decision started in a window."""
    CHANNEL = "channel"
    INVITATION = "invitation"
    """An invitation of one person to a channel."""
    FILE = "file"
    SCHEDULE = "schedule"
    SEARCH = "search"
    """A search in a list, which runs for each typed letter."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Limit of `count` in any `seconds`; a `count` of 0 means none."""

    count: int
    seconds: float = HOUR


def take_creations(
    numbers: Numbers, at: float, made: Mapping[Creation, int], paces: Mapping[Creation, Pace]
) -> tuple[Numbers, float]:
    """Count everything made at this moment, or nothing: (numbers, 0), or (numbers, wait in seconds).

    A repeated moment is not counted again.
    """
    after, longest = dict(numbers), 0.0
    for each, count in made.items():
        pace, times = paces.get(each, Pace(0)), after.get(each, ())
        for _ in range(count if pace.count and at not in times else 0):
            times, wait = take(times, at, pace.count, pace.seconds)
            longest = max(longest, wait)
        after[each] = times
    return (numbers, longest) if longest else (after, 0.0)


def give_back_creations(numbers: Numbers, at: float) -> Numbers:
    """Undo the count of everything made at this moment."""
    return {name: tuple(time for time in times if time != at) for name, times in numbers.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSlot:
    """Slot of an active turn. If its process dies, the slot is free at `until`."""

    until: float
    began: float
    reserve: Amount = NOTHING
    """The possible cost of its next request. No other turn may use it until the turn or its time ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Turns of one person, or of a workspace: recently started, active, and their cost today.

    Each turn has a token, and each change can be repeated without counting twice.
    """

    begun: Times = ()
    held: Mapping[str, AnswerSlot] = field(default_factory=dict[str, AnswerSlot])
    ended: Mapping[str, float] = field(default_factory=dict[str, float])
    """By token: until when the end of a turn is remembered."""
    paid: Mapping[str, tuple[float, Amount]] = field(default_factory=dict[str, tuple[float, Amount]])
    """By token of an active turn: the amount already counted, and until when it is remembered.

    This outlasts the slot: a process that ends the turn of a dead one must not count the amount again.
    """
    day: float = 0.0
    tokens: float = 0.0
    millionths: float = 0.0

    @classmethod
    def read(cls, numbers: Numbers, now: float) -> Answers:
        """Return the numbers that are valid at this time."""
        day, *spent = numbers.get("today", (0.0, 0.0, 0.0))
        today = float(now // DAY)
        tokens, millionths = spent if day >= today else (0.0, 0.0)  # a later day comes from another process' clock
        values = [(*name.partition(" ")[::2], times) for name, times in numbers.items()]
        return cls(
            begun=numbers.get("begun", ()),
            held={
                token: AnswerSlot(until=t[0], began=t[1], reserve=_read_amount(t[2:]))
                for kind, token, t in values
                if kind == "held" and t[0] > now
            },
            paid={token: (t[0], _read_amount(t[1:])) for kind, token, t in values if kind == "paid" and t[0] > now},
            ended={token: t[0] for kind, token, t in values if kind == "ended" and t[0] > now},
            day=max(day, today),
            tokens=tokens,
            millionths=millionths,
        )

    def numbers(self) -> Numbers:
        """Return the numbers for `read`."""
        return {
            "begun": self.begun,
            "today": (self.day, self.tokens, self.millionths),
            **{
                f"held {token}": (place.until, place.began, *_build_pair(place.reserve))
                for token, place in self.held.items()
            },
            **{f"paid {token}": (until, *_build_pair(paid)) for token, (until, paid) in self.paid.items()},
            **{f"ended {token}": (until,) for token, until in self.ended.items()},
        }

    def begin(
        self, token: str, now: float, hold: float, allowance: Allowance, reserve: Amount = NOTHING
    ) -> Answers | Refusal:
        """Count a turn and hold a slot and a reserve for `hold` seconds; a repeated call holds them longer.

        The turn may start while the spent and reserved amounts are below the budget. So turns that start at once
        overdraw it by at most one request of one of them.
        """
        if token in self.held:
            return self._hold(token, now, hold, reserve)
        if self._is_spent(allowance):
            return self._spent_today(now)
        begun, wait = take(self.begun, now, allowance.calls, MINUTE)
        if 0 < allowance.at_once <= len(self.held) or self._is_spent(allowance, self.reserved):
            wait = max(wait, min(SOON, *(place.until - now for place in self.held.values())))
        if wait:
            return Refusal(kind=FailureKind.PACED, seconds=math.ceil(wait))
        return replace(self._hold(token, now, hold, reserve), begun=begun)

    def resume(self, token: str, now: float, hold: float, reserve: Amount = NOTHING) -> Answers:
        """Hold a slot for a turn that has waited for a person. It was counted at its start and is never refused."""
        return self._hold(token, now, hold, reserve)

    def go_on(
        self, token: str, now: float, spent: Amount, allowance: Allowance, beside: Amount = NOTHING
    ) -> tuple[Answers, Refusal | None]:
        """Count the total that a turn has spent so far, and return a refusal if its next request is not allowed.

        Reserves of other turns do not stop it, only spent amounts do, and `beside`: what other requests of this turn
        may cost that are under way. So each active turn overdraws a budget by at most one request.
        """
        before, more = self._paid(token), spent.beyond(self._paid(token))
        after = self._pay(more)
        after = replace(after, paid={**after.paid, token: (now + DAY, before + more)})
        return after, after._spent_today(now) if after._is_spent(allowance, beside) else None

    def withdraw(self, token: str) -> Answers:
        """Undo `begin`."""
        place = self.held.get(token)
        if place is None:
            return self
        index = self.begun.index(place.began) if place.began in self.begun else len(self.begun)
        return replace(self._without(token), begun=self.begun[:index] + self.begun[index + 1 :])

    def end(self, token: str, until: float, tokens: int, millionths: int) -> Answers:
        """Free slot and reserve, and count the spent amount once. The end is remembered until `until`."""
        if token in self.ended:
            return self
        after = self._pay(Amount(tokens=tokens, millionths=millionths).beyond(self._paid(token)))
        paid = {other: amount for other, amount in self.paid.items() if other != token}
        return replace(after._without(token), ended={**self.ended, token: until}, paid=paid)

    @property
    def reserved(self) -> Amount:
        """Return the possible cost of the next requests of all active turns."""
        return sum((place.reserve for place in self.held.values()), NOTHING)

    def _paid(self, token: str) -> Amount:
        return self.paid[token][1] if token in self.paid else NOTHING

    def _pay(self, more: Amount) -> Answers:
        return replace(self, tokens=self.tokens + more.tokens, millionths=self.millionths + more.millionths)

    def _spent_today(self, now: float) -> Refusal:
        return Refusal(kind=FailureKind.SPENT_TODAY, seconds=math.ceil((self.day + 1) * DAY - now))

    def _is_spent(self, allowance: Allowance, reserved: Amount = NOTHING) -> bool:
        tokens, dollars = self.tokens + reserved.tokens, (self.millionths + reserved.millionths) / MILLIONTHS
        return 0 < allowance.tokens <= tokens or 0 < allowance.dollars <= dollars

    def _hold(self, token: str, now: float, hold: float, reserve: Amount) -> Answers:
        place = self.held.get(token, AnswerSlot(until=now, began=now))
        ended = {other: until for other, until in self.ended.items() if other != token}
        return replace(self, held={**self.held, token: replace(place, until=now + hold, reserve=reserve)}, ended=ended)

    def _without(self, token: str) -> Answers:
        return replace(self, held={other: place for other, place in self.held.items() if other != token})


def _build_pair(amount: Amount) -> Times:
    return amount.tokens, amount.millionths


def _read_amount(numbers: Times) -> Amount:
    """Read a pair. Entries from before pairs were stored have none, and read as zero."""
    tokens, millionths = numbers or (0.0, 0.0)
    return Amount(tokens=tokens, millionths=millionths)


def sum_tokens(usage: Usage) -> int:
    """Return all tokens that the model read or wrote."""
    return usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens


def build_amount(usage: Usage, cost: str) -> Amount:
    """Return the usage as an amount. `cost` is as in `Message`: empty while it is unknown."""
    return Amount(tokens=sum_tokens(usage), millionths=parse_millionths(cost))


def parse_millionths(cost: str) -> int:
    """Return a cost (`Message.cost`) in whole millionths of a dollar, rounded up; 0 if it is unknown."""
    return math.ceil(Decimal(cost or 0) * MILLIONTHS)
