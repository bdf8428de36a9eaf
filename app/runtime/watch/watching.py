"""The watch port, through which a process can be observed from outside."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.ports import Clock, Unwatched, Watch
from app.runtime.watch.backlog import Asked
from app.runtime.watch.health import Readiness

PARTS = ("mongodb", "slack", "worker")


@dataclass(frozen=True, slots=True)
class WatchPort:
    """Address of the watch port. Port 0 turns it off, and then nothing is counted."""

    host: str
    port: int


@asynccontextmanager
async def run_watch(
    where: WatchPort, ask: Asked, clock: Clock, tools: Iterable[str]
) -> AsyncGenerator[tuple[Watch, Readiness]]:
    """Serve the probes for the length of the block; yield the counter and the register of parts.

    `ask` holds the queries to MongoDB. `tools` are the names under which permissions are counted. Raise `SettingsError`
    if the TCP port is taken.
    """
    readiness = Readiness(*PARTS)
    if not where.port:
        yield Unwatched(), readiness
        return
    from app.runtime.watch.metrics import Metrics  # takes a twentieth of a second
    from app.runtime.watch.probes import Probes
    from app.runtime.watch.probes import serve as served

    async def answers() -> bool:
        await ask.waits()
        return True

    metrics = Metrics(clock, tools)
    with readiness.register("mongodb", answers):
        async with served(Probes(readiness, metrics, ask), where.host, where.port):
            yield metrics, readiness
