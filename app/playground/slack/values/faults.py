"""Faults for tests: planned errors of the Web API, and points at which the test itself acts.

Calls of a Web API method ("chat.update") pass such a point, and so do deliveries to the app, named by their type
("message", "block_actions"). A test that kills the app does it there.
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
    """A fault of the next calls of one method: `times` of them, once `after` more have succeeded.

    `drop_before` cuts the connection and applies nothing; `drop_after` applies the call, then cuts. `slow` answers
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
"""Moment of an act, relative to the call or delivery.

`before` it is done; `instead`: it is never done, and the connection is cut; `after` it is done, before the answer is
sent. For a delivery, `after` is after the app's answer, or the lack of one.
"""

Act = Callable[[], Awaitable[object] | None]


@dataclass(slots=True)
class _Point:
    name: str
    moment: Moment
    act: Act
    left: int


class Passing:
    """One call or delivery, with the points that it passes."""

    def __init__(self, points: list[_Point], journal: Journal) -> None:
        self._points = points
        self._journal = journal

    async def reaches(self, moment: Moment) -> bool:
        """Run the acts of this moment in their planned order; return True if there were any."""
        due = [point for point in self._points if point.moment == moment]
        for point in due:
            self._journal.write("point", name=point.name, moment=moment)
            if (running := point.act()) is not None:
                await running
        return bool(due)


STORM: tuple[FaultKind, ...] = ("http_500", "http_503", "http_429", "ok_false_ratelimited", "drop_before", "drop_after")
"""The faults of a storm: all those that end by themselves."""


class Faults:
    """The planned faults in the order they were added, and random ones."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._points: list[_Point] = []
        self._planted: list[Fault] = []
        self._chance = 0.0
        self._dice = random.Random(0)

    def storm(self, chance: float, seed: int) -> None:
        """Let each call fail with this probability from now on, the same way for the same seed; 0 ends it."""
        self._chance, self._dice = chance, random.Random(seed)

    def at(self, name: str, *, moment: Moment, act: Act, nth: int = 1) -> None:
        """Run `act` once, at the nth call or delivery of this name from now on; refused ones count too."""
        self._points.append(_Point(name, moment, act, nth))

    def passing(self, name: str) -> Passing:
        """Count a call or delivery, and return the points it passes."""
        met = [point for point in self._points if point.name == name]
        for point in met:
            point.left -= 1
        return Passing([point for point in met if point.left == 0], self._journal)

    def add(self, fault: Fault) -> None:
        """Add a fault."""
        self._planted.append(fault)

    def take(self, method: str) -> Fault | None:
        """Return the fault of this call, and count it; faults of one method occur one after the other."""
        for index, fault in enumerate(self._planted):
            if fault.method != method:
                continue
            if fault.after:
                self._planted[index] = replace(fault, after=fault.after - 1)
                return None
            self._planted[index : index + 1] = [replace(fault, times=fault.times - 1)] if fault.times > 1 else []
            return fault
        return Fault(method, self._dice.choice(STORM)) if self._dice.random() < self._chance else None
