"""Stands between the program and its store, and kills the process at a point; or writes down what is called.

Armed by a file: who manages to remove it dies, so that of several processes with the same point one is killed, once.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from pymongo import monitoring

from app.ports.store import Store
from tests.crash.points import Moment, Point, Side

Passed = Callable[[Side, str, Moment], None]
"""Told of every call just before it is made and just after it has returned."""


class Tripwire:
    """Kills this process at its point, while `armed` exists."""

    def __init__(self, point: Point, armed: Path) -> None:
        self._point, self._armed, self._left = point, armed, point.nth

    def __call__(self, side: Side, name: str, moment: Moment) -> None:
        """Count a call."""
        point = self._point
        if (side, name, moment) != (point.side, point.name, point.moment) or not self._armed.exists():
            return
        self._left -= 1
        if self._left == 0 and disarm(self._armed):
            os.kill(os.getpid(), signal.SIGKILL)


class Tape:
    """Writes the name of each call to a file while `armed` exists; of one that returns, nothing more."""

    def __init__(self, tape: Path, armed: Path) -> None:
        self._tape, self._armed = tape, armed

    def __call__(self, side: Side, name: str, moment: Moment) -> None:
        """Write a call down."""
        if moment == "before" and self._armed.exists():
            with self._tape.open("a") as lines:
                lines.write(f"{side} {name}\n")


def disarm(armed: Path) -> bool:
    """Remove the file; True for the one who did it."""
    try:
        armed.unlink()
    except FileNotFoundError:
        return False
    return True


def watched(store: Store, passed: Passed) -> Store:
    """The same store, whose ports tell of every call."""
    ports: Any = {each.name: _Port(each.name, getattr(store, each.name), passed) for each in fields(store)}
    return replace(store, **{**ports, "close": store.close})


class _Port:
    def __init__(self, name: str, port: Any, passed: Passed) -> None:
        self._name, self._port, self._passed = name, port, passed

    def __getattr__(self, method: str) -> Any:
        call, name = getattr(self._port, method), f"{self._name}.{method}"

        async def passing(*args: Any, **kwargs: Any) -> Any:
            self._passed(Side.STORE, name, "before")
            result = await call(*args, **kwargs)
            self._passed(Side.STORE, name, "after")
            return result

        return passing


WRITES = frozenset({"insert", "update", "findAndModify", "delete"})


class Wiretap(monitoring.CommandListener):
    """Hears every write to MongoDB, in the driver's thread, before it is sent and after it was answered."""

    def __init__(self, passed: Passed) -> None:
        self._passed = passed
        self._under_way: dict[int, str] = {}

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        """A command is about to be sent."""
        if event.command_name in WRITES:
            name = f"{event.command_name} {event.command[event.command_name]}"
            self._under_way[event.request_id] = name
            self._passed(Side.MONGO, name, "before")

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        """A command was carried out."""
        if name := self._under_way.pop(event.request_id, None):
            self._passed(Side.MONGO, name, "after")

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """A command failed."""
        self._under_way.pop(event.request_id, None)
