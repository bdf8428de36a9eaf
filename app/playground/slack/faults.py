"""What goes wrong when a test wants it: faults in the Web API, and points at which the test itself steps in.

A point is passed by calls of a Web API method ("chat.update") and by attempts to deliver something to the app, named
by its type ("message", "block_actions"). A test that kills the app does it there.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

from app.playground.journal import Journal

FaultKind = Literal[
    "http_500",
    "http_503",
    "http_429",
    "ok_false_ratelimited",
    "drop_before",
    "drop_after",
    "slow",
    "error",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with the next calls of one method: `times` of them, once `after` more have gone well.

    `drop_before` cuts the connection and applies nothing; `drop_after` applies the call, then cuts; `slow` answers
    after `seconds` real seconds; `error` answers `code`; `http_429` says `retry_after`.
    """

    method: str
    kind: FaultKind
    times: int = 1
    after: int = 0
    retry_after: int = 1
    seconds: float = 0.0
    code: str = "internal_error"


Moment = Literal["before", "instead", "after"]
"""`before` the thing is done; `instead`: it is never done, and the connection is cut; `after` it was done, before the
answer goes out (a delivery: after the app's answer to it, or the lack of one)."""

Act = Callable[[], Awaitable[object] | None]


@dataclass(slots=True)
class _Point:
    name: str
    moment: Moment
    act: Act
    left: int


class Passing:
    """One call or delivery, and the points that lie on its way."""

    def __init__(self, points: list[_Point], journal: Journal) -> None:
        self._points = points
        self._journal = journal

    async def reaches(self, moment: Moment) -> bool:
        """Run the acts of this moment, in the order they were planned; returns whether there were any."""
        due = [point for point in self._points if point.moment == moment]
        for point in due:
            self._journal.write("point", name=point.name, moment=moment)
            if (running := point.act()) is not None:
                await running
        return bool(due)


STORM: tuple[FaultKind, ...] = ("http_500", "http_503", "http_429", "ok_false_ratelimited", "drop_before", "drop_after")
"""What a storm is made of: everything that passes by itself."""


class Faults:
    """The faults still to come, in the order they were added, and those that come by chance."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._points: list[_Point] = []
        self._planted: list[Fault] = []
        self._chance = 0.0
        self._dice = random.Random(0)

    def storm(self, chance: float, seed: int) -> None:
        """Let each call go wrong with this probability from now on, the same way for the same seed; 0 ends it."""
        self._chance, self._dice = chance, random.Random(seed)

    def at(self, name: str, *, moment: Moment, act: Act, nth: int = 1) -> None:
        """Run `act` once, at the nth call or delivery of this name from now on; what is refused counts too."""
        self._points.append(_Point(name, moment, act, nth))

    def passing(self, name: str) -> Passing:
        """Count a call or delivery, and return the points on its way."""
        met = [point for point in self._points if point.name == name]
        for point in met:
            point.left -= 1
        return Passing([point for point in met if point.left == 0], self._journal)

    def add(self, fault: Fault) -> None:
        """Plant a fault."""
        self._planted.append(fault)

    def take(self, method: str) -> Fault | None:
        """Return what goes wrong with this call, and count it; faults of one method come one after the other."""
        for index, fault in enumerate(self._planted):
            if fault.method != method:
                continue
            if fault.after:
                self._planted[index] = replace(fault, after=fault.after - 1)
                return None
            self._planted[index : index + 1] = [replace(fault, times=fault.times - 1)] if fault.times > 1 else []
            return fault
        return Fault(method, self._dice.choice(STORM)) if self._dice.random() < self._chance else None
