"""How an HTTP server of ours listens and stops, the program's as well as the look-alikes'."""

from __future__ import annotations

import asyncio

from aiohttp import web

UNTIL_MADE = 3
"""Rounds of the event loop from the acceptance of a connection until the server knows of it."""


async def opened(runner: web.AppRunner, host: str, port: int) -> asyncio.Server:
    """Listen; with port 0 the system chooses one. Raises `OSError` if the port cannot be had."""
    await runner.setup()
    assert runner.server is not None, "it has been set up"
    try:
        return await asyncio.get_running_loop().create_server(runner.server, host, port)
    except OSError:
        await runner.cleanup()
        raise


def port_of(server: asyncio.Server) -> int:
    """Where it listens."""
    return int(server.sockets[0].getsockname()[1])


async def closed(runner: web.AppRunner, server: asyncio.Server) -> None:
    """Accept nobody else, then stop listening and end every connection.

    In this order: asyncio leaves a connection open for good that it has accepted when its server is closed and not yet
    made known (`Server._attach` fails), and so would aiohttp one that is made known after it has ended all others.
    """
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    for _ in range(UNTIL_MADE):
        await asyncio.sleep(0)
    server.close()
    await runner.cleanup()
