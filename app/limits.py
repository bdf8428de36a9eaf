"""The limits of a person and of a workspace, counted in the ledger that all processes share (S0-005, S0-006).

First the person's limit, then the workspace's; what the second refuses is given back to the first. Whatever is asked
again after a crash is not counted twice.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from app.core.errors import StoreUnavailable
from app.core.limits import (
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
    amount_of,
    give_back_made,
    give_back_message,
    millionths_of,
    take_made,
    take_message,
    tokens_of,
)
from app.core.model import Usage
from app.ports import Clock, Entry, Ledger

T = TypeVar("T")

TRIES = 50
"""Lost races before we say that the store is not there: each is lost to a process that came further, so even ten
processes in a constant race lose as many in a row in one case of two hundred."""
REMEMBERED = MINUTE
"""Seconds; shorter than any entry is kept, because versions begin anew when one is forgotten."""
KEYS = 2_000
MESSAGES_KEPT = 3 * MINUTE
MADE_KEPT = 3 * HOUR
ANSWERS_KEPT = 2.0 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """What a person and a workspace may use. `hold` (seconds) is longer than any answer takes.

    `reserve` is the most that one request to the model is expected to cost.
    """

    user: Allowance = field(default_factory=lambda: Allowance(messages=20, calls=15, at_once=5))
    workspace: Allowance = field(default_factory=lambda: Allowance(messages=200, calls=60, at_once=30))
    hold: float = 300.0
    reserve: Amount = NOTHING
    creations: Mapping[Creation, Pace] = field(default_factory=dict[Creation, Pace])


class Limits:
    """Says whether something may be done now. Raises `StoreUnavailable` while nobody can know."""

    def __init__(self, ledger: Ledger, clock: Clock, settings: LimitSettings) -> None:
        self._ledger = ledger
        self._settings = settings
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()

    async def message(self, team: str, user: str, at: float) -> int:
        """Count the message that was sent at this time (Slack's ts). Returns the seconds to wait; 0 if it may pass."""
        limit, own = self._settings, f"messages:{user}"
        wait = await self._take_message(team, own, at, limit.user.messages)
        if not wait:
            wait = await self._take_message(team, "messages", at, limit.workspace.messages)
            if wait and limit.user.messages:
                await self._change(team, own, lambda numbers: (give_back_message(numbers, at), None), MESSAGES_KEPT)
        return math.ceil(wait)

    async def begin_answer(self, team: str, user: str, token: str) -> Refusal | None:
        """Count an answer as begun and hold a place for it, until it ends or for `hold` seconds. None if it may."""
        limit, own = self._settings, f"answers:{user}"
        refusal = await self._begin(team, own, token, limit.user)
        if refusal is None:
            refusal = await self._begin(team, "answers", token, limit.workspace)
            if refusal and limit.user.bounds_answers:
                await self._change_answers(team, own, lambda answers, _: (answers.withdraw(token), None))
        return refusal

    async def resume_answer(self, team: str, user: str, token: str) -> None:
        """Hold a place for the next stretch of an answer that has waited for a person. `token` names the stretch."""

        def resume(answers: Answers, now: float) -> tuple[Answers, None]:
            return answers.resume(token, now, self._settings.hold, self._settings.reserve), None

        await self._change_bounded(team, user, resume)

    async def go_on(self, team: str, user: str, token: str, usage: Usage, cost: str) -> Refusal | None:
        """Count what an answer has used in all so far; None if its next request may be made."""
        spent = amount_of(usage, cost)
        refusals: list[Refusal | None] = []
        for key, allowance in self._bounded(user):

            def go_on(answers: Answers, now: float, allowance: Allowance = allowance) -> tuple[Answers, Refusal | None]:
                return answers.go_on(token, now, spent, allowance)

            refusals.append(await self._change_answers(team, key, go_on))
        return next(filter(None, refusals), None)

    async def end_answer(self, team: str, user: str, token: str, usage: Usage, cost: str) -> None:
        """Free the place of an answer and count what it used. `cost` as in `Message`: empty while it is unknown."""

        def end(answers: Answers, now: float) -> tuple[Answers, None]:
            return answers.end(token, now + self._settings.hold, tokens_of(usage), millionths_of(cost)), None

        await self._change_bounded(team, user, end)

    async def create(self, team: str, user: str, at: float, made: Mapping[Creation, int]) -> int:
        """Count what somebody makes at this moment (seconds since 1970), all of it or nothing.

        Returns the seconds to wait; 0 if it may be made.
        """
        paces = self._settings.creations
        if not any(each in paces and paces[each].count for each in made):
            return 0
        taken = partial(take_made, at=at, made=made, paces=paces)
        return math.ceil(await self._change(team, f"made:{user}", taken, MADE_KEPT))

    async def pause(self, team: str, user: str, made: Creation) -> int:
        """In how many seconds somebody may make one more of this; 0 if they may now. Counts nothing."""
        if made not in self._settings.creations:
            return 0
        entry, now = await self._ledger.read(team, f"made:{user}"), self._clock.now().timestamp()
        return math.ceil(take_made(entry.numbers, now, {made: 1}, self._settings.creations)[1])

    async def take_back(self, team: str, user: str, at: float) -> None:
        """Uncount what somebody wanted to make at this moment, and could not."""
        await self._change(team, f"made:{user}", lambda numbers: (give_back_made(numbers, at), None), MADE_KEPT)

    async def first_today(self, team: str, what: str) -> bool:
        """Note that this was done. True for one caller in a day, counted from then."""
        entry = await self._ledger.read(team, f"done:{what}")
        return not entry.version and await self._ledger.exchange(team, f"done:{what}", entry, float(DAY))

    async def tokens_today(self, team: str, user: str) -> int:
        """How many tokens this person's answers have used today (UTC); 0 where nothing is counted."""
        return int((await self.spent_today(team, user)).tokens)

    async def spent_today(self, team: str, user: str = "") -> Amount:
        """What the answers of this person have used today (UTC), or those of all; nothing where nothing is counted."""
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
        """Change what is counted of answers, of the person and of the workspace."""
        for key, _ in self._bounded(user):
            await self._change_answers(team, key, change)

    def _bounded(self, user: str) -> Sequence[tuple[str, Allowance]]:
        """Where answers of this person are counted, and what is allowed there."""
        counted = ((f"answers:{user}", self._settings.user), ("answers", self._settings.workspace))
        return [(key, allowance) for key, allowance in counted if allowance.bounds_answers]

    async def _change_answers(self, team: str, key: str, change: Callable[[Answers, float], tuple[Answers, T]]) -> T:
        def changed(numbers: Numbers) -> tuple[Numbers, T]:
            now = self._clock.now().timestamp()
            answers, said = change(Answers.read(numbers, now), now)
            return answers.numbers(), said

        return await self._change(team, key, changed, ANSWERS_KEPT)

    async def _change(self, team: str, key: str, change: Callable[[Numbers], tuple[Numbers, T]], kept: float) -> T:
        """Change an entry to what `change` makes of it; return what it says besides.

        What is remembered saves the reading as long as no other process has changed it; nothing is said because of it
        alone: either the exchange proves that it was right, or it is read.
        """
        known = self._remembered(team, key)
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

    def _remembered(self, team: str, key: str) -> _Known:
        known = self._known.setdefault((team, key), _Known())
        self._known.move_to_end((team, key))
        if len(self._known) > KEYS:
            self._known.popitem(last=False)  # whoever is using it still holds it
        return known


@dataclass(slots=True)
class _Known:
    """An entry as we left it, until a moment of the monotonic clock."""

    # First come, first served: only other processes can win a race against us.
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    entry: Entry = field(default_factory=Entry)
    until: float = 0.0
