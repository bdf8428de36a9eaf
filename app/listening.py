"""Start and stop of an HTTP server, of the program and of the emulators."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from aiohttp import web

from app.connections import Connections

UNTIL_MADE = 3
"""Rounds of the event loop from the acceptance of a connection until the server knows of it."""


@asynccontextmanager
async def listening(
    runner: web.AppRunner, host: str, port: int, connections: Connections | None = None
) -> AsyncGenerator[int]:
    """Listen for the length of the block, and end every connection after it; yield the port.

    With port 0 the system chooses one. `connections` keeps its caps and deadlines; without it there are none. Raises
    `OSError` if the port is not available.
    """
    await runner.setup()
    try:
        assert runner.server is not None, "it has been set up"
        factory = connections.serve(runner.server) if connections else runner.server
        server = await asyncio.get_running_loop().create_server(factory, host, port)
        try:
            yield int(server.sockets[0].getsockname()[1])
        finally:
            await _close(server)
    finally:
        await runner.cleanup()


async def _close(server: asyncio.Server) -> None:
    """Accept no more connections, and only then stop listening.

    The order matters. A connection that was accepted but not announced stays open for good if its server is closed
    (`Server._attach` fails). aiohttp would leave one open, too, if it is announced after all others have ended.
    """
    for each in server.sockets:
        asyncio.get_running_loop().remove_reader(each.fileno())
    for _ in range(UNTIL_MADE):
        await asyncio.sleep(0)
    server.close()
