"""The pacer: decides when a call to Slack may be made, so that all processes together stay within Slack's limits.

Callers wait in the queue of their method. The most urgent one goes first; of previews, that of the reply that was
served longest ago. A place is taken from the shared ledger before it is given away: without the ledger nothing is sent.
All who may call now get their places with one write, and of some methods a few places are taken ahead.

An unused place goes back, even if it is unknown whether it was taken. Otherwise final replies would wait for calls that
were never made. The pacer never drops a call, because only the caller knows what can be dropped.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4

from app.ports import Clock, Entry, Ledger
from handlers.outbound.shared_writes import SharedWrites
from handlers.slack.budget import AHEAD_SECONDS, TIERS, Budget, Tier

DOORS = 2_000
"""Doors whose last known numbers are cached; the numbers of others are read again when they are used."""

LOOK_AGAIN = 5.0
"""Seconds after which a queue is read again before its wait ends: other processes may have given places back."""

GIVEN_BACK_AFTER = 0.25
"""Seconds until the ledger hears of an unused place, unless a caller comes: its place is then taken with that write."""

GIVEN_AGAIN = 0.1
"""Seconds for which an unused place can be given to another caller as it is: less than each tier's margin, because the
call is made so much later than it was counted."""

GRAIN = 2.0**-22
"""Seconds: the smallest step between two stored times of day. It tells the places of processes apart."""

PLACES_AT_ONCE = 1_000
"""Calls that one process can place in the same instant: each is a grain after the one before, and none after now."""

LATE = 0.01
"""Seconds added to each computed wait: a rounding error must not make a request too early."""


class Priority(IntEnum):
    """The order of callers in a queue."""

    FINAL = 0
    QUESTION = 1
    STATUS = 2
    PREVIEW = 3


NEVER = float("-inf")
"""Time of the last preview of a reply that has shown nothing yet."""


_person: ContextVar[str] = ContextVar("person", default="")


def act_for(person: str) -> None:
    """Make the calls that follow in this task, and in the tasks it starts, for this person; for no one if empty."""
    _person.set(person)


@contextmanager
def switch_person(person: str) -> Generator[None]:
    """Make the calls of the block for this person."""
    before = _person.set(person)
    try:
        yield
    finally:
        _person.reset(before)


@dataclass(frozen=True, slots=True)
class CallSlot:
    """The right to make one call now, for a `person`.

    It was counted under the time `at`, and as a preview if `preview` is True.
    """

    method: str
    channel: str
    at: float
    preview: bool
    person: str = ""


@dataclass(order=True, slots=True)
class _Caller:
    priority: Priority
    served: float
    number: int
    place: asyncio.Future[CallSlot] = field(compare=False)
    person: str = field(compare=False)


@dataclass(eq=False, slots=True)
class _MethodQueue:
    method: str
    channel: str
    waiting: list[_Caller] = field(default_factory=list[_Caller])
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    attendant: asyncio.Task[None] | None = None

    @property
    def key(self) -> str:
        return _build_key(self.method, self.channel)

    @property
    def tier(self) -> Tier:
        return TIERS[self.method]

    def first(self) -> _Caller | None:
        """Return the next caller. Callers that were served or gave up leave the queue here."""
        return next(iter(self.firsts()), None)

    def firsts(self) -> list[_Caller]:
        """Return each person's first caller, the most urgent first: an exhausted share delays no one else."""
        return list({caller.person: caller for caller in reversed(self.present())}.values())[::-1]

    def present(self) -> list[_Caller]:
        """Return all callers, the most urgent first."""
        self.waiting = sorted(caller for caller in self.waiting if not caller.place.done())
        return self.waiting


@dataclass(frozen=True, slots=True)
class _CachedEntry:
    entry: Entry
    until: float
    """Time at which the ledger forgets it."""


class Pacer:
    """Pacer of one workspace, which shares its budget with the pacers of other processes.

    `process` is the name of its process among them, in hexadecimal digits, at least three.
    """

    def __init__(self, clock: Clock, team: str, ledger: Ledger, process: str = "") -> None:
        self._clock, self._team, self._ledger = clock, team, ledger
        self._writes = SharedWrites(ledger, team)
        self._process = process or uuid4().hex[:12]
        self._early = (PLACES_AT_ONCE + int(self._process[:3], 16)) * GRAIN
        """Seconds, about a thousandth, by which our places are counted early, so that no two processes use the same
        time."""
        self._answers = 0
        self._queues: dict[str, _MethodQueue] = {}
        self._known: OrderedDict[str, _CachedEntry] = OrderedDict()
        self._unused: dict[str, tuple[CallSlot, ...]] = {}
        """Unused places that may still be counted in a queue; the next exchange removes them."""
        self._returned: dict[str, CallSlot] = {}
        """The place of a queue that was not used last, and that is certainly counted."""
        self._ahead: dict[str, list[CallSlot]] = {}
        """Places of a queue that were taken ahead, each counted under the time at which it lapses."""
        self._is_closed = False
        self._numbers = count()

    @contextmanager
    def reserve_final_edit(self) -> Generator[None]:
        """Count a reply as open during the block, so that a call is reserved for its final form."""
        self._answers += 1
        try:
            yield
        finally:
            self._answers -= 1

    async def turn(self, method: str, channel: str, priority: Priority, served: float = NEVER) -> CallSlot:
        """Wait until the call may be made. Then make it at once, or report the place as `unused`.

        `served` is the time of the reply's last preview. Cancelling the wait leaves the queue. Raise `StoreUnavailable`
        while the ledger is unreachable.
        """
        queue = self._find_queue(method, channel)
        place: asyncio.Future[CallSlot] = asyncio.get_running_loop().create_future()
        queue.waiting.append(_Caller(priority, served, next(self._numbers), place, _person.get()))
        queue.changed.set()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and not place.exception():  # it came at the same moment
                self.give_back(place.result())
            raise

    def give_back(self, place: CallSlot) -> None:
        """Give back a place whose call was certainly not made.

        Return at once; other processes learn of it when possible.
        """
        if place.at > self._now():
            self._ahead.setdefault(_build_key(place.method, place.channel), []).append(replace(place, person=""))
        else:
            self._take_back(place)
        if not self._is_closed:
            self._find_queue(place.method, place.channel).changed.set()

    async def close_queue(self, method: str, channel: str, seconds: float) -> None:
        """Close a queue for all processes, as Slack's Retry-After asks.

        Raise `StoreUnavailable`, with the queue closed here.
        """
        key, tier = _build_key(method, channel), TIERS[method]
        for place in self._ahead.pop(key, ()):
            self._note(place)
        written = False
        while not written:
            now, entry = self._now(), self._entry(key)
            budget = Budget.of(tier, entry, now).refuse(now, seconds)
            self._remember(key, budget.entry(entry.version), budget.find_retention(now))
            written = await self._exchange(key, budget, entry.version, ())

    async def close(self) -> None:
        """Cancel all waits."""
        self._is_closed = True
        attendants = [queue.attendant for queue in self._queues.values() if queue.attendant]
        for attendant in attendants:
            attendant.cancel()
        await asyncio.gather(*attendants, return_exceptions=True)

    def _find_queue(self, method: str, channel: str) -> _MethodQueue:
        key = _build_key(method, channel)
        if key not in self._queues:
            queue = self._queues[key] = _MethodQueue(method, channel)
            queue.attendant = asyncio.ensure_future(self._attend(queue))
            queue.attendant.add_done_callback(partial(_dismiss, queue))
        return self._queues[key]

    async def _attend(self, queue: _MethodQueue) -> None:
        """Give away the places of one queue while callers wait, and take back unused ones."""
        try:
            while (callers := queue.firsts()) or self._unused.get(queue.key):
                queue.changed.clear()
                if not callers and not await run_unless(queue.changed, self._clock.sleep(GIVEN_BACK_AFTER)):
                    continue
                wait = await self._serve(queue)
                if wait and await run_unless(queue.changed, self._clock.sleep(min(wait, LOOK_AGAIN) + LATE)):
                    self._remember(queue.key, await self._ledger.read(self._team, queue.key))
        finally:
            del self._queues[queue.key]

    async def _serve(self, queue: _MethodQueue) -> float:
        """Give a place to each caller who may have one, with one write, and return 0 if somebody got one.

        Otherwise return the seconds until one of them may. Without callers, only unused places go back.
        """
        while True:
            now, entry = self._now(), self._entry(queue.key)
            known = Budget.of(queue.tier, entry, now)
            if self._give_again(queue, known) or self._give_ahead(queue, known):
                return 0.0
            unused = self._unused.get(queue.key, ())
            before = _unspend(known, unused)
            after, places, wait = self._allot(queue, before, now)
            if wait and not unused and before.states(self._process, self._answers, now):
                return wait
            ahead = self._take_ahead(queue, after, now) if places else ()
            for place in ahead:
                after = after.spend(place.at, preview=False)
            after = after.state(self._process, self._answers, now)
            if await self._exchange_for((*places, *ahead), queue.key, after, entry.version):
                self._forget(queue.key, unused)
                self._ahead.setdefault(queue.key, []).extend(ahead)
                for place in places:
                    self._give(queue, place)
                return wait

    def _allot(self, queue: _MethodQueue, budget: Budget, now: float) -> tuple[Budget, tuple[CallSlot, ...], float]:
        """Return the budget with a place for each caller who may call now, and these places.

        The last value is the seconds until somebody may; 0 if there is a place, or no caller.
        """
        places, waits = list[CallSlot](), dict[str, float]()
        for caller in queue.present():
            if caller.person in waits:  # whoever comes later for the same person waits behind
                continue
            preview = caller.priority is Priority.PREVIEW
            if wait := budget.wait(now, preview=preview, person=caller.person):
                waits[caller.person] = wait
                continue
            place = self._place(queue, budget, caller)
            budget = budget.spend(place.at, preview=preview, person=place.person)
            places.append(place)
        return budget, tuple(places), 0.0 if places else min(waits.values(), default=0.0)

    def _place(self, queue: _MethodQueue, budget: Budget, caller: _Caller) -> CallSlot:
        """Return a place with a unique time."""
        preview = caller.priority is Priority.PREVIEW
        return CallSlot(queue.method, queue.channel, self._find_time(budget, 0.0), preview, caller.person)

    def _find_time(self, budget: Budget, later: float) -> float:
        """Return the present time, or so many seconds later, as a time under which nothing is counted."""
        at = self._now() + later - self._early
        while at in budget.sent:
            at = math.nextafter(at, math.inf)
        return at

    def _take_ahead(self, queue: _MethodQueue, budget: Budget, now: float) -> tuple[CallSlot, ...]:
        """Return the places that may be taken ahead of this budget, if none are left."""
        if any(place.at > now for place in self._ahead.get(queue.key, ())):
            return ()
        places = list[CallSlot]()
        while len(places) < budget.count_ahead():
            at = self._find_time(budget, AHEAD_SECONDS)
            budget = budget.spend(at, preview=False)
            places.append(CallSlot(queue.method, queue.channel, at, preview=False))
        return tuple(places)

    def _give_ahead(self, queue: _MethodQueue, budget: Budget) -> bool:
        """Give the first caller a place that was taken ahead. Places that have lapsed go back with the next write."""
        now, places = self._now(), self._ahead.pop(queue.key, [])
        for place in places:
            if place.at <= now:
                self._note(place)
        left = [place for place in places if place.at > now]
        caller = None if budget.is_closed(now) else queue.first()
        if caller and left:
            caller.place.set_result(replace(left.pop(0), person=caller.person))
        if left:
            self._ahead[queue.key] = left
        return bool(caller) and len(left) < len(places)

    def _give_again(self, queue: _MethodQueue, budget: Budget) -> bool:
        """Give the first caller the place that was given back a moment ago for the same person. Nothing is written.

        The shares of a scarce method depend on what a place was taken for, so its places are always counted anew.
        """
        now, place, caller = self._now(), self._returned.pop(queue.key, None), queue.first()
        if place is None or caller is None or queue.tier.scarce or budget.is_closed(now):
            return False
        if now - place.at > GIVEN_AGAIN or place.person != caller.person:
            return False
        self._forget(queue.key, (place,))
        caller.place.set_result(place)
        return True

    async def _exchange_for(self, places: Sequence[CallSlot], key: str, budget: Budget, version: int) -> bool:
        """Write the budget like `_exchange`. If the outcome is unknown, treat the places as unused."""
        try:
            return await self._exchange(key, budget, version, places)
        except BaseException:
            for place in places:
                self._note(place)
            raise

    def _give(self, queue: _MethodQueue, place: CallSlot) -> None:
        """Give a place to its person's present first caller: a more urgent one may have come, or the first left."""
        if caller := next((each for each in queue.firsts() if each.person == place.person), None):
            caller.place.set_result(place)
        else:
            self._take_back(place)

    def _take_back(self, place: CallSlot) -> None:
        """Remember a place that is counted, and that nobody uses."""
        self._note(place)
        self._returned[_build_key(place.method, place.channel)] = place

    def _note(self, place: CallSlot) -> None:
        """Remember a place to give back, for as long as it is counted."""
        key, tier, now = _build_key(place.method, place.channel), TIERS[place.method], self._now()
        counting = tuple(each for each in self._unused.get(key, ()) if now - each.at < tier.window)
        self._unused[key] = (*counting, place)

    def _forget(self, key: str, places: tuple[CallSlot, ...]) -> None:
        """Remove places that are no longer counted."""
        left = tuple(each for each in self._unused.pop(key, ()) if each not in places)
        if left:
            self._unused[key] = left

    async def _exchange(self, key: str, budget: Budget, version: int, places: Sequence[CallSlot]) -> bool:
        """Write the computed budget. If another process was quicker, read its numbers and return False.

        A write that was made with others may have succeeded without saying so. If that cannot be seen, the places are
        treated as unused.
        """
        entry, seconds = budget.entry(version), budget.find_retention(self._now())
        writes = self._writes.exchange if places else partial(self._ledger.exchange, self._team)
        written = await writes(key, entry, seconds)
        if written:
            self._remember(key, replace(entry, version=version + 1), seconds)
            return True
        found = await self._ledger.read(self._team, key)
        self._remember(key, found)
        if written is None and found != replace(entry, version=version + 1):
            for place in places:
                self._note(place)
            return False
        return written is None

    def _entry(self, key: str) -> Entry:
        """Return the known numbers of a queue; empty before its first use and after the ledger's expiry."""
        known = self._known.get(key)
        return known.entry if known and self._now() < known.until else Entry()

    def _remember(self, key: str, entry: Entry, seconds: float = float("inf")) -> None:
        self._known[key] = _CachedEntry(entry, self._now() + seconds)
        self._known.move_to_end(key)
        if len(self._known) > DOORS:
            self._known.popitem(last=False)

    def _now(self) -> float:
        """Return the wall-clock time, which processes share, unlike their monotonic clocks."""
        return self._clock.now().timestamp()


async def run_unless(event: asyncio.Event, act: Coroutine[Any, Any, object]) -> bool:
    """Await an action until the event is set. Return True if the action completed, and raise its error."""
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


def _unspend(budget: Budget, places: tuple[CallSlot, ...]) -> Budget:
    for place in places:
        budget = budget.unspend(place.at, preview=place.preview, person=place.person)
    return budget


def _dismiss(queue: _MethodQueue, attendant: asyncio.Task[None]) -> None:
    """Pass the attendant's error to the callers that still wait."""
    error = None if attendant.cancelled() else attendant.exception()
    while caller := queue.first():
        if error is None:
            caller.place.cancel()
        else:
            caller.place.set_exception(error)


def _build_key(method: str, channel: str) -> str:
    return f"{method}:{channel}" if TIERS[method].per_channel else method
