"""The program in a process that can be killed at a point. It reads its settings from the environment, as `run` does.

Started by `tests.crash.processes` from a server that has imported everything already, so in milliseconds.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from pymongo import monitoring

from app.logs import configure
from app.ports import Clock
from app.ports.store import Store
from app.settings import Settings
from app.wiring import Application, Opening, connect_store, run_app
from tests.crash.points import Point
from tests.crash.tripwire import Passed, Tape, Tripwire, Wiretap, watched


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a process is to do. With a `point` it dies there; with a `tape` it writes down what it calls."""

    environment: dict[str, str]
    folder: Path
    """Where it works and where `armed` is."""
    log: str
    http: bool = False
    opening: Opening = connect_store
    """How it opens its store."""
    point: Point | None = None
    tape: bool = False

    @property
    def armed(self) -> Path:
        """The file that arms the point, or the tape."""
        return self.folder / "armed"

    @property
    def taped(self) -> Path:
        """Where the tape is written."""
        return self.folder / "tape"


def serve(orders: Orders, parent: Connection) -> None:
    """Be the program until `parent` is closed. Sends the port of its HTTP door when it serves."""
    os.environ.clear()
    os.environ.update(orders.environment)
    os.chdir(orders.folder)
    log = os.open(orders.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    settings = Settings.read()
    configure(settings.log_level, as_json=True)
    asyncio.run(_serve(settings, orders, parent))


async def _serve(settings: Settings, orders: Orders, parent: Connection) -> None:
    passed = _passed(orders)

    @asynccontextmanager
    async def opening(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
        async with orders.opening(settings, clock) as store:
            yield watched(store, passed) if passed else store

    if passed:
        monitoring.register(Wiretap(passed))
    async with run_app(settings, http=orders.http, opening=opening) as program:
        await _until_alone(parent, program)


def _passed(orders: Orders) -> Passed | None:
    if orders.point:
        return Tripwire(orders.point, orders.armed)
    return Tape(orders.taped, orders.armed) if orders.tape else None


async def _until_alone(parent: Connection, program: Application) -> None:
    alone = asyncio.Event()
    parent.send(program.port)
    asyncio.get_running_loop().add_reader(parent.fileno(), alone.set)
    await alone.wait()
