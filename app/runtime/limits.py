"""The limits of a person and of a workspace, counted in the ledger that all processes share.

A person's count and the workspace's are changed with one write, and neither if one refuses. A race with another process
may write a part of it, which is counted on or undone by the next attempt. A request that is repeated after a crash is
not counted twice.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, TypeVar

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
    give_back_creations,
    give_back_message,
    parse_millionths,
    sum_tokens,
    take_creations,
    take_message,
)
from app.ports import Clock, Entry, Ledger

T = TypeVar("T")
Change: TypeAlias = Callable[[Numbers], tuple[Numbers, T]]
"""Function from the numbers of an entry to its new numbers, and to what is said of them."""
AnswersChange: TypeAlias = Callable[[Answers, float, Allowance], tuple[Answers, T]]
"""The same of counted answers, at a time, within an allowance."""

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
        own = f"messages:{user}"
        counts = {own: self._settings.user.messages, "messages": self._settings.workspace.messages}
        changes = {key: partial(take_message, at=at, count=count) for key, count in counts.items() if count}
        waits = await self._change_all(team, changes, MESSAGES_KEPT, stops=True)
        if any(waits[1:]):
            await self._change(team, own, lambda numbers: (give_back_message(numbers, at), None), MESSAGES_KEPT)
        return math.ceil(sum(waits))

    async def begin_answer(self, team: str, user: str, token: str) -> Refusal | None:
        """Count a started answer and hold a place for it until it ends, or for `hold` seconds.

        Return None if it may start.
        """
        settings, own = self._settings, f"answers:{user}"

        def begin(answers: Answers, now: float, allowance: Allowance) -> tuple[Answers, Refusal | None]:
            begun = answers.begin(token, now, settings.hold, allowance, settings.reserve)
            return (answers, begun) if isinstance(begun, Refusal) else (begun, None)

        def withdraw(answers: Answers, _: float, __: Allowance) -> tuple[Answers, None]:
            return answers.withdraw(token), None

        refusals = await self._change_bounded(team, user, begin, stops=True)
        if any(refusals[1:]):
            await self._change(team, own, self._build_answers_change(withdraw, settings.user), ANSWERS_KEPT)
        return next(filter(None, refusals), None)

    async def resume_answer(self, team: str, user: str, token: str) -> None:
        """Hold a place for the next part of an answer that has waited for a person. `token` names the part."""

        def resume(answers: Answers, now: float, _: Allowance) -> tuple[Answers, None]:
            return answers.resume(token, now, self._settings.hold, self._settings.reserve), None

        await self._change_bounded(team, user, resume)

    async def go_on(self, team: str, user: str, token: str, spent: Amount, beside: int = 0) -> Refusal | None:
        """Count what an answer has spent in all; return None if its next request may be made beside so many others."""
        reserved = self._settings.reserve.times(beside)

        def go_on(answers: Answers, now: float, allowance: Allowance) -> tuple[Answers, Refusal | None]:
            return answers.go_on(token, now, spent, allowance, reserved)

        return next(filter(None, await self._change_bounded(team, user, go_on)), None)

    async def end_answer(self, team: str, user: str, token: str, usage: Usage, cost: str) -> None:
        """Release the place of an answer and count its usage. `cost` as in `Message`: empty while it is unknown."""

        def end(answers: Answers, now: float, _: Allowance) -> tuple[Answers, None]:
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

    async def _change_bounded(
        self,
        team: str,
        user: str,
        change: AnswersChange[T],
        *,
        stops: bool = False,
    ) -> list[T]:
        """Change the counts of answers, of the person and of the workspace, as `_change_all`."""
        settings = self._settings
        counted = ((f"answers:{user}", settings.user), ("answers", settings.workspace))
        changes = {
            key: self._build_answers_change(change, allowance) for key, allowance in counted if allowance.bounds_answers
        }
        return await self._change_all(team, changes, ANSWERS_KEPT, stops=stops)

    def _build_answers_change(self, change: AnswersChange[T], allowance: Allowance) -> Change[T]:
        def changed(numbers: Numbers) -> tuple[Numbers, T]:
            now = self._clock.now().timestamp()
            answers, said = change(Answers.read(numbers, now), now, allowance)
            return answers.numbers(), said

        return changed

    async def _change(self, team: str, key: str, change: Change[T], kept: float) -> T:
        """Change one entry as `_change_all`; return what was said."""
        return (await self._change_all(team, {key: change}, kept))[0]

    async def _change_all(
        self, team: str, changes: Mapping[str, Change[T]], kept: float, *, stops: bool = False
    ) -> list[T]:
        """Change entries with one write. Return the second result of each change, in their order.

        With `stops`, a true result refuses: it is the last of the list, and nothing is written. A lost race may have
        written a part, and the changes are then made again, so each can be repeated. Keys that share a process are
        given in one order, the person's before the workspace's, so that nobody waits in a circle.
        """
        known = {key: self._recall(team, key) for key in changes}
        async with AsyncExitStack() as turns:
            for each in known.values():
                await turns.enter_async_context(each.turn)
            for _ in range(TRIES):
                said = await self._try_changes(team, known, changes, kept, stops=stops)
                if said is not None:
                    return said
        raise StoreUnavailable(f"others are always faster at {', '.join(changes)}")

    async def _try_changes(
        self, team: str, known: Mapping[str, _Known], changes: Mapping[str, Change[T]], kept: float, *, stops: bool
    ) -> list[T] | None:
        """Return what the changes said; None if they must be tried again.

        A remembered entry saves the read as long as no other process has changed it. No refusal depends on memory
        alone: either the exchange proves the entry current, or the entry is read.
        """
        said: list[T] = []
        written: dict[str, Entry] = {}
        for key, change in changes.items():
            is_guess = known[key].until > self._clock.monotonic()
            entry = known[key].entry if is_guess else await self._ledger.read(team, key)
            numbers, result = change(entry.numbers)
            refuses = stops and bool(result)
            if is_guess and (refuses or numbers == entry.numbers):
                known[key].until = 0.0
                return None
            said.append(result)
            if refuses:
                return said
            if numbers != entry.numbers:
                written[key] = replace(entry, numbers=numbers)
        for key in written:
            known[key].until = 0.0
        if written and not await self._ledger.exchange_all(team, written, kept):
            return None
        for key, entry in written.items():
            known[key].entry = replace(entry, version=entry.version + 1)
            known[key].until = self._clock.monotonic() + REMEMBERED
        return said

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
