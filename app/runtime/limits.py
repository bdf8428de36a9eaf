"""The limits of a person and of a workspace, counted in the ledger that all processes share.

First the person's limit is counted, then the workspace's; if the second refuses, the first count is undone. A request
that is repeated after a crash is not counted twice.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from app.core.conversation.usage import Usage
from app.core.errors import StoreUnavailable
from app.core.turns.rate_limits import (
    DAY,
    HOUR,
    MINUTE,
    NOTHING,
    Allowance,
    Amount,
    Answers,
    Creation,
    Numbers,
    Pace,
    Refusal,
    build_amount,
    give_back_creations,
    give_back_message,
    parse_millionths,
    sum_tokens,
    take_creations,
    take_message,
)
from app.ports import Clock, Entry, Ledger

T = TypeVar("T")

TRIES = 50
"""Lost races after which the store counts as unavailable.

Each race is lost to a process that made progress. Ten processes in a constant race reach this limit once in two hundred
cases.
"""
REMEMBERED = MINUTE
"""Seconds; shorter than the lifetime of any entry, because the versions of an expired entry start again."""
KEYS = 2_000
MESSAGES_KEPT = 3 * MINUTE
MADE_KEPT = 3 * HOUR
ANSWERS_KEPT = 2.0 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """The allowances of a person and of a workspace. `hold` (seconds) is longer than any answer takes.

    `reserve` is the highest expected cost of one model request.
    """

    user: Allowance = field(default_factory=lambda: Allowance(messages=20, calls=15, at_once=5))
    workspace: Allowance = field(default_factory=lambda: Allowance(messages=200, calls=60, at_once=30))
    hold: float = 300.0
    reserve: Amount = NOTHING
    creations: Mapping[Creation, Pace] = field(default_factory=dict[Creation, Pace])


class Limits:
    """Checker of limits. Raises `StoreUnavailable` while the counts are unknown."""

    def __init__(self, ledger: Ledger, clock: Clock, settings: LimitSettings) -> None:
        self._ledger = ledger
        self._settings = settings
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()

    async def message(self, team: str, user: str, at: float) -> int:
        """Count the message that was sent at this time (Slack's ts). Return the seconds to wait; 0 if it may pass."""
        limit, own = self._settings, f"messages:{user}"
        wait = await self._take_message(team, own, at, limit.user.messages)
        if not wait:
            wait = await self._take_message(team, "messages", at, limit.workspace.messages)
            if wait and limit.user.messages:
                await self._change(team, own, lambda numbers: (give_back_message(numbers, at), None), MESSAGES_KEPT)
        return math.ceil(wait)

    async def begin_answer(self, team: str, user: str, token: str) -> Refusal | None:
        """Count a started answer and hold a place for it until it ends, or for `hold` seconds.

        Return None if it may start.
        """
        limit, own = self._settings, f"answers:{user}"
        refusal = await self._begin(team, own, token, limit.user)
        if refusal is None:
            refusal = await self._begin(team, "answers", token, limit.workspace)
            if refusal and limit.user.bounds_answers:
                await self._change_answers(team, own, lambda answers, _: (answers.withdraw(token), None))
        return refusal

    async def resume_answer(self, team: str, user: str, token: str) -> None:
        """Hold a place for the next part of an answer that has waited for a person. `token` names the part."""

        def resume(answers: Answers, now: float) -> tuple[Answers, None]:
            return answers.resume(token, now, self._settings.hold, self._settings.reserve), None

        await self._change_bounded(team, user, resume)

    async def go_on(self, team: str, user: str, token: str, usage: Usage, cost: str) -> Refusal | None:
        """Count an answer's total usage so far; return None if its next request may be made."""
        spent = build_amount(usage, cost)
        refusals: list[Refusal | None] = []
        for key, allowance in self._list_bounds(user):

            def go_on(answers: Answers, now: float, allowance: Allowance = allowance) -> tuple[Answers, Refusal | None]:
                return answers.go_on(token, now, spent, allowance)

            refusals.append(await self._change_answers(team, key, go_on))
        return next(filter(None, refusals), None)

    async def end_answer(self, team: str, user: str, token: str, usage: Usage, cost: str) -> None:
        """Release the place of an answer and count its usage. `cost` as in `Message`: empty while it is unknown."""

        def end(answers: Answers, now: float) -> tuple[Answers, None]:
            return answers.end(token, now + self._settings.hold, sum_tokens(usage), parse_millionths(cost)), None

        await self._change_bounded(team, user, end)

    async def create(self, team: str, user: str, at: float, made: Mapping[Creation, int]) -> int:
        """Count a person's creations at this moment (seconds since 1970), all or none.

        Return the seconds to wait; 0 if they may be made.
        """
        paces = self._settings.creations
        if not any(each in paces and paces[each].count for each in made):
            return 0
        taken = partial(take_creations, at=at, made=made, paces=paces)
        return math.ceil(await self._change(team, f"made:{user}", taken, MADE_KEPT))

    async def pause(self, team: str, user: str, made: Creation) -> int:
        """Return the seconds until the person may create one more; 0 if they may now. Counts nothing."""
        if made not in self._settings.creations:
            return 0
        entry, now = await self._ledger.read(team, f"made:{user}"), self._clock.now().timestamp()
        return math.ceil(take_creations(entry.numbers, now, {made: 1}, self._settings.creations)[1])

    async def take_back(self, team: str, user: str, at: float) -> None:
        """Undo the count of creations of this moment that failed."""
        await self._change(team, f"made:{user}", lambda numbers: (give_back_creations(numbers, at), None), MADE_KEPT)

    async def first_today(self, team: str, what: str) -> bool:
        """Record that this was done. Return True for one caller in a day, counted from then."""
        entry = await self._ledger.read(team, f"done:{what}")
        return not entry.version and await self._ledger.exchange(team, f"done:{what}", entry, float(DAY))

    async def tokens_today(self, team: str, user: str) -> int:
        """Return the tokens of this person's answers today (UTC); 0 if nothing is counted."""
        return int((await self.spent_today(team, user)).tokens)

    async def spent_today(self, team: str, user: str = "") -> Amount:
        """Return today's usage (UTC) of this person's answers, or of everyone's. It is empty if nothing was counted."""
        entry = await self._ledger.read(team, f"answers:{user}" if user else "answers")
        answers = Answers.read(entry.numbers, self._clock.now().timestamp())
        return Amount(tokens=answers.tokens, millionths=answers.millionths)

    async def _take_message(self, team: str, key: str, at: float, count: int) -> float:
        if not count:
            return 0.0
        return await self._change(team, key, partial(take_message, at=at, count=count), MESSAGES_KEPT)

    async def _begin(self, team: str, key: str, token: str, allowance: Allowance) -> Refusal | None:
        settings = self._settings

        def begin(answers: Answers, now: float) -> tuple[Answers, Refusal | None]:
            begun = answers.begin(token, now, settings.hold, allowance, settings.reserve)
            return (answers, begun) if isinstance(begun, Refusal) else (begun, None)

        return await self._change_answers(team, key, begin) if allowance.bounds_answers else None

    async def _change_bounded(
        self, team: str, user: str, change: Callable[[Answers, float], tuple[Answers, None]]
    ) -> None:
        """Change the counts of answers, of the person and of the workspace."""
        for key, _ in self._list_bounds(user):
            await self._change_answers(team, key, change)

    def _list_bounds(self, user: str) -> Sequence[tuple[str, Allowance]]:
        """Return the entries that count this person's answers, with their allowances."""
        counted = ((f"answers:{user}", self._settings.user), ("answers", self._settings.workspace))
        return [(key, allowance) for key, allowance in counted if allowance.bounds_answers]

    async def _change_answers(self, team: str, key: str, change: Callable[[Answers, float], tuple[Answers, T]]) -> T:
        def changed(numbers: Numbers) -> tuple[Numbers, T]:
            now = self._clock.now().timestamp()
            answers, said = change(Answers.read(numbers, now), now)
            return answers.numbers(), said

        return await self._change(team, key, changed, ANSWERS_KEPT)

    async def _change(self, team: str, key: str, change: Callable[[Numbers], tuple[Numbers, T]], kept: float) -> T:
        """Change an entry by `change`; return its second result.

        A remembered entry saves the read as long as no other process has changed it. No refusal depends on memory
        alone: either the exchange proves the entry current, or the entry is read.
        """
        known = self._recall(team, key)
        async with known.turn:
            for _ in range(TRIES):
                is_guess = known.until > self._clock.monotonic()
                entry = known.entry if is_guess else await self._ledger.read(team, key)
                known.until = 0.0
                numbers, said = change(entry.numbers)
                if numbers == entry.numbers:
                    if is_guess:
                        continue
                    return said
                if await self._ledger.exchange(team, key, replace(entry, numbers=numbers), kept):
                    known.entry = Entry(numbers=numbers, version=entry.version + 1)
                    known.until = self._clock.monotonic() + REMEMBERED
                    return said
        raise StoreUnavailable(f"others are always faster at {key!r}")

    def _recall(self, team: str, key: str) -> _Known:
        known = self._known.setdefault((team, key), _Known())
        self._known.move_to_end((team, key))
        if len(self._known) > KEYS:
            self._known.popitem(last=False)  # its current user still holds it
        return known


@dataclass(slots=True)
class _Known:
    """An entry as this process left it, until a moment of the monotonic clock."""

    # First come, first served: only other processes can win a race against this one.
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    entry: Entry = field(default_factory=Entry)
    until: float = 0.0
