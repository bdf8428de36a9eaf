"""Lets a process be looked at from outside, where that is wanted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.ports import Clock, Unwatched, Watch
from app.watch.asked import Asked
from app.watch.readiness import Readiness

PARTS = ("mongodb", "slack", "worker")


@dataclass(frozen=True, slots=True)
class WatchPort:
    """Where it can be looked at; port 0 is nowhere, and then nothing is counted."""

    host: str
    port: int


@asynccontextmanager
async def watched(
    where: WatchPort, ask: Asked, clock: Clock, tools: Iterable[str]
) -> AsyncGenerator[tuple[Watch, Readiness]]:
    """Serve the probes for the length of the block; gives who counts, and where each part says that it is there.

    `ask` is what MongoDB is asked for; `tools` are the names under which permissions are counted. Raises
    `SettingsError` if the port is not free.
    """
    readiness = Readiness(*PARTS)
    if not where.port:
        yield Unwatched(), readiness
        return
    from app.watch.metrics import Metrics  # takes a twentieth of a second
    from app.watch.probes import Probes, served

    async def answers() -> bool:
        await ask.waits()
        return True

    metrics = Metrics(clock, tools)
    with readiness.having("mongodb", answers):
        async with served(Probes(readiness, metrics, ask), where.host, where.port):
            yield metrics, readiness
