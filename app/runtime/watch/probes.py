"""Health, readiness and metrics over HTTP, for a process supervisor. There is no authentication.

`/healthz` answers while the event loop runs. `/readyz` names the parts that do not work. `/metrics` is Prometheus'.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from app.core.errors import SettingsError, StoreUnavailable
from app.http_server import Caps, Connections, answer_anybody, listen
from app.runtime.watch.backlog import Asked
from app.runtime.watch.health import PATIENCE, Readiness
from app.runtime.watch.metrics import Metrics

CAPS = Caps(in_all=64, by_address=32)
"""Enough for a few supervisors and scrapers with a connection or two each."""


class Probes:
    """Handlers of the three paths. `ask` holds their queries to MongoDB."""

    def __init__(self, readiness: Readiness, metrics: Metrics, ask: Asked) -> None:
        self._readiness, self._metrics, self._waits, self._books = readiness, metrics, ask.waits, ask.books

    async def healthz(self, _: web.Request) -> web.Response:
        """Answer that the process lives."""
        return web.Response(text="ok\n")

    async def readyz(self, _: web.Request) -> web.Response:
        """Answer for each part whether it works, with status 503 unless all do."""
        parts = dict(await self._readiness.standing())
        return web.json_response(parts, status=200 if all(parts.values()) else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        """Answer with the metrics, without those of the inbox while MongoDB is unavailable."""
        try:
            async with asyncio.timeout(PATIENCE):
                queue, books = await asyncio.gather(self._waits(), self._books())
        except (StoreUnavailable, TimeoutError):
            queue = books = None
        return web.Response(body=self._metrics.page(queue, books), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


@asynccontextmanager
async def serve(probes: Probes, host: str, port: int) -> AsyncGenerator[int]:
    """Serve the probes for the length of the block and yield the TCP port. Raise `SettingsError` if it is taken."""
    app = web.Application(middlewares=[answer_anybody])
    app.router.add_get("/healthz", probes.healthz)
    app.router.add_get("/readyz", probes.readyz)
    app.router.add_get("/metrics", probes.metrics)
    runner = web.AppRunner(app)
    async with AsyncExitStack() as stack:
        try:
            chosen = await stack.enter_async_context(listen(runner, host, port, Connections(CAPS)))
        except OSError as error:
            raise SettingsError(
                f"Nothing can listen on {host}:{port}: choose another THREADWISE_WATCH_PORT or THREADWISE_WATCH_HOST."
            ) from error
        yield chosen
