"""How the look-alikes stop serving."""

import asyncio

from aiohttp import web

UNTIL_MADE = 3
"""Rounds of the event loop from the acceptance of a connection until the server knows of it."""


async def closed(runner: web.AppRunner) -> None:
    """Stop listening, then end every connection; a connection that was being accepted meanwhile is ended, too."""
    for site in tuple(runner.sites):
        await site.stop()
    for _ in range(UNTIL_MADE):
        await asyncio.sleep(0)
    await runner.cleanup()
