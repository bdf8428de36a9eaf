"""Health, readiness and metrics over HTTP, for whoever supervises the process. Nobody is asked who they are.

`/healthz` answers as long as the event loop turns; `/readyz` says which part does not work; `/metrics` is Prometheus'.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from app.connections import Caps, Connections, answer_anybody
from app.core.errors import SettingsError, StoreUnavailable
from app.listening import listening
from app.watch.asked import Asked
from app.watch.metrics import Metrics
from app.watch.readiness import PATIENCE, Readiness

CAPS = Caps(in_all=64, by_address=32)
"""A few who look, each with a connection or two."""


class Probes:
    """Answers the three paths. `ask` is what is asked of MongoDB for them."""

    def __init__(self, readiness: Readiness, metrics: Metrics, ask: Asked) -> None:
        self._readiness, self._metrics, self._waits, self._books = readiness, metrics, ask.waits, ask.books

    async def healthz(self, _: web.Request) -> web.Response:
        """Tell that the process lives."""
        return web.Response(text="ok\n")

    async def readyz(self, _: web.Request) -> web.Response:
        """Tell of each part whether it works; 503 unless all do."""
        parts = dict(await self._readiness.standing())
        return web.json_response(parts, status=200 if all(parts.values()) else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        """Tell the numbers, without those of the inbox while MongoDB is away."""
        try:
            async with asyncio.timeout(PATIENCE):
                queue, books = await asyncio.gather(self._waits(), self._books())
        except (StoreUnavailable, TimeoutError):
            queue = books = None
        return web.Response(body=self._metrics.page(queue, books), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


@asynccontextmanager
async def served(probes: Probes, host: str, port: int) -> AsyncGenerator[int]:
    """Serve them for the length of the block; gives the port. Raises `SettingsError` if it is not free."""
    app = web.Application(middlewares=[answer_anybody])
    app.router.add_get("/healthz", probes.healthz)
    app.router.add_get("/readyz", probes.readyz)
    app.router.add_get("/metrics", probes.metrics)
    runner = web.AppRunner(app)
    async with AsyncExitStack() as stack:
        try:
            chosen = await stack.enter_async_context(listening(runner, host, port, Connections(CAPS)))
        except OSError as error:
            raise SettingsError(
                f"Nothing can listen on {host}:{port}: choose another THREADWISE_WATCH_PORT or THREADWISE_WATCH_HOST."
            ) from error
        yield chosen
