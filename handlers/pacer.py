"""The pacer: says when a call to Slack may be made, so that all processes together stay within Slack's limits.

Callers queue at the door of their call; the most urgent goes first, and of previews that of the answer which was served
longest ago. A place is taken from the shared ledger before it is given away: without the ledger nothing is sent. The
pacer never drops a call: what to drop is the caller's knowledge.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4

from app.ports import Clock, Entry, Ledger
from handlers.budget import TIERS, Budget, Tier

DOORS = 2_000
"""Doors whose last known numbers are kept in memory; those of others are read again when they are used."""

LOOK_AGAIN = 5.0
"""Seconds after which a door is looked at again although its turn should come later: others may have left it."""

LATE = 0.01
"""Seconds by which we come later than computed: a place must not be asked for a rounding error too early."""


class Priority(IntEnum):
    """Who goes first at a door (design D8)."""

    FINAL = 0
    QUESTION = 1
    STATUS = 2
    PREVIEW = 3


NEVER = float("-inf")
"""When an answer was served of which nothing is shown yet."""


@dataclass(order=True, slots=True)
class _Caller:
    priority: Priority
    served: float
    number: int
    place: asyncio.Future[None] = field(compare=False)


@dataclass(eq=False, slots=True)
class _Door:
    key: str
    tier: Tier
    waiting: list[_Caller] = field(default_factory=list[_Caller])
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    attendant: asyncio.Task[None] | None = None

    def first(self) -> _Caller | None:
        """Whose turn is next. Who was served or gave up leaves the queue here."""
        self.waiting = [caller for caller in self.waiting if not caller.place.done()]
        return min(self.waiting, default=None)


@dataclass(frozen=True, slots=True)
class _Known:
    entry: Entry
    until: float
    """When the ledger forgets it."""


class Pacer:
    """Spends the budget of one workspace together with the pacers of other processes."""

    def __init__(self, clock: Clock, team: str, ledger: Ledger) -> None:
        self._clock, self._team, self._ledger = clock, team, ledger
        self._process = uuid4().hex[:12]
        self._answers = 0
        self._doors: dict[str, _Door] = {}
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._numbers = count()

    @contextmanager
    def answering(self) -> Generator[None]:
        """Count an answer as open meanwhile: finals have a place kept for it."""
        self._answers += 1
        try:
            yield
        finally:
            self._answers -= 1

    async def turn(self, method: str, channel: str, priority: Priority, served: float = NEVER) -> None:
        """Return when the call may be made; make it at once. `served` says when the same answer was last served.

        Giving up the wait leaves the queue. Raises `StoreUnavailable` while the ledger cannot be reached.
        """
        door = self._door(method, channel)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        door.waiting.append(_Caller(priority, served, next(self._numbers), place))
        door.changed.set()
        await place

    async def refused(self, method: str, channel: str, seconds: float) -> None:
        """Close a door for everybody, as Slack's Retry-After asks. Raises `StoreUnavailable`; here it holds even so."""
        key, tier = _key(method, channel), TIERS[method]
        written = False
        while not written:
            now, entry = self._now(), self._entry(key)
            budget = Budget.of(tier, entry, now).refuse(now, seconds)
            self._remember(key, budget.entry(entry.version), budget.kept(now))
            written = await self._exchange(key, budget, entry.version)

    async def close(self) -> None:
        """Let go of whoever waits."""
        attendants = [door.attendant for door in self._doors.values() if door.attendant]
        for attendant in attendants:
            attendant.cancel()
        await asyncio.gather(*attendants, return_exceptions=True)

    def _door(self, method: str, channel: str) -> _Door:
        key = _key(method, channel)
        if key not in self._doors:
            door = self._doors[key] = _Door(key, TIERS[method])
            door.attendant = asyncio.ensure_future(self._attend(door))
            door.attendant.add_done_callback(partial(_dismiss, door))
        return self._doors[key]

    async def _attend(self, door: _Door) -> None:
        """Give places away at one door as long as somebody waits there."""
        try:
            while first := door.first():
                door.changed.clear()
                wait = await self._take(door, first)
                if not wait:
                    _give(door)
                elif await unless(door.changed, self._clock.sleep(min(wait, LOOK_AGAIN) + LATE)):
                    self._remember(door.key, await self._ledger.read(self._team, door.key))
        finally:
            del self._doors[door.key]

    async def _take(self, door: _Door, caller: _Caller) -> float:
        """Take a place and give 0, or give the seconds until there may be one."""
        preview = caller.priority is Priority.PREVIEW
        while True:
            now, entry = self._now(), self._entry(door.key)
            budget = Budget.of(door.tier, entry, now)
            wait = budget.wait(now, preview=preview)
            if wait and budget.states(self._process, self._answers, now):
                return wait
            after = budget if wait else budget.spend(now, preview=preview)
            if await self._exchange(door.key, after.stating(self._process, self._answers, now), entry.version):
                return wait

    async def _exchange(self, key: str, budget: Budget, version: int) -> bool:
        """Write what was computed, or learn what others have written meanwhile."""
        entry, seconds = budget.entry(version), budget.kept(self._now())
        written = await self._ledger.exchange(self._team, key, entry, seconds)
        if written:
            self._remember(key, replace(entry, version=version + 1), seconds)
        else:
            self._remember(key, await self._ledger.read(self._team, key))
        return written

    def _entry(self, key: str) -> Entry:
        """What is known of a door: nothing before its first use, and when the ledger has forgotten it too."""
        known = self._known.get(key)
        return known.entry if known and self._now() < known.until else Entry()

    def _remember(self, key: str, entry: Entry, seconds: float = float("inf")) -> None:
        self._known[key] = _Known(entry, self._now() + seconds)
        self._known.move_to_end(key)
        if len(self._known) > DOORS:
            self._known.popitem(last=False)

    def _now(self) -> float:
        """Processes share the clock on the wall; each has a monotonic one of its own."""
        return self._clock.now().timestamp()


async def unless(event: asyncio.Event, act: Coroutine[Any, Any, object]) -> bool:
    """Do something until it is done or the event is set; True if it was done. Raises what it raises."""
    doing, waiting = asyncio.ensure_future(act), asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait((doing, waiting), return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            doing.result()
        return doing.done()
    finally:
        waiting.cancel()
        doing.cancel()
        await asyncio.gather(doing, waiting, return_exceptions=True)


def _give(door: _Door) -> None:
    """The place goes to whoever is first now: somebody more urgent may have come, and the first may have left."""
    if caller := door.first():
        caller.place.set_result(None)


def _dismiss(door: _Door, attendant: asyncio.Task[None]) -> None:
    """Tell those who still wait why nobody attends to them any more."""
    error = None if attendant.cancelled() else attendant.exception()
    while caller := door.first():
        if error is None:
            caller.place.cancel()
        else:
            caller.place.set_exception(error)


def _key(method: str, channel: str) -> str:
    return f"{method}:{channel}" if TIERS[method].per_channel else method
