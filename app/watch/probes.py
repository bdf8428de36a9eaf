"""Health, readiness and metrics over HTTP, for whoever supervises the process. Nobody is asked who they are.

`/healthz` answers as long as the event loop turns; `/readyz` says which part does not work; `/metrics` is Prometheus'.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from app.core.errors import SettingsError, StoreUnavailable
from app.listening import listening
from app.ports import Queue
from app.watch.metrics import Metrics
from app.watch.readiness import PATIENCE, Readiness


class Probes:
    """Answers the three paths. `waits` asks for what waits in the inbox."""

    def __init__(self, readiness: Readiness, metrics: Metrics, waits: Callable[[], Awaitable[Queue]]) -> None:
        self._readiness, self._metrics, self._waits = readiness, metrics, waits

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
                queue = await self._waits()
        except (StoreUnavailable, TimeoutError):
            queue = None
        return web.Response(body=self._metrics.page(queue), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


@asynccontextmanager
async def served(probes: Probes, host: str, port: int) -> AsyncGenerator[int]:
    """Serve them for the length of the block; gives the port. Raises `SettingsError` if it is not free."""
    app = web.Application()
    app.router.add_get("/healthz", probes.healthz)
    app.router.add_get("/readyz", probes.readyz)
    app.router.add_get("/metrics", probes.metrics)
    runner = web.AppRunner(app, access_log=None)
    async with AsyncExitStack() as stack:
        try:
            chosen = await stack.enter_async_context(listening(runner, host, port))
        except OSError as error:
            raise SettingsError(
                f"Nothing can listen on {host}:{port}: choose another THREADWISE_WATCH_PORT or THREADWISE_WATCH_HOST."
            ) from error
        yield chosen
