"""Faults planted in the Web API: what the network and Slack do on a bad day, when a test wants it."""

import random
from dataclasses import dataclass, replace
from typing import Literal

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


STORM: tuple[FaultKind, ...] = ("http_500", "http_503", "http_429", "ok_false_ratelimited", "drop_before", "drop_after")
"""What a storm is made of: everything that passes by itself."""


class Faults:
    """The faults still to come, in the order they were added, and those that come by chance."""

    def __init__(self) -> None:
        self._planted: list[Fault] = []
        self._chance = 0.0
        self._dice = random.Random(0)

    def storm(self, chance: float, seed: int) -> None:
        """Let each call go wrong with this probability from now on, the same way for the same seed; 0 ends it."""
        self._chance, self._dice = chance, random.Random(seed)

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
