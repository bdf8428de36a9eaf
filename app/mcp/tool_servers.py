"""All tool servers of the program: they are linked for the length of a block, and tried again while they are away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from app.mcp.link import Patience, ServerLink
from app.mcp.server_file import Servers
from app.ports.clock import Clock
from app.ports.servers import ServedTool, ServerAnswer, ServerListing

AGAIN = 60.0
"""Seconds after which servers that are away are tried again."""


class McpServers:
    """Implementation of the `ToolServers` port over the Model Context Protocol."""

    def __init__(self, servers: Servers, patience: Patience) -> None:
        self._links = {name: ServerLink(name, server, patience) for name, server in servers.items()}

    def list_servers(self) -> tuple[ServerListing, ...]:
        """See `ToolServers.list_servers`."""
        return tuple(link.listing for link in self._links.values())

    async def call(self, tool: ServedTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        """See `ToolServers.call`."""
        return await self._links[tool.server].call(tool, arguments)

    async def open(self) -> None:
        """Link all servers, side by side. What fails is told by the listing."""
        await asyncio.gather(*(link.open() for link in self._links.values()))

    async def close(self) -> None:
        """End all links."""
        await asyncio.gather(*(link.close() for link in self._links.values()))


@asynccontextmanager
async def link_servers(servers: Servers, clock: Clock, patience: Patience | None = None) -> AsyncGenerator[McpServers]:
    """Link the servers for the length of the block. One that is away delays the start by some seconds, and no more."""
    known = McpServers(servers, patience or Patience())

    async def keep() -> None:
        while True:
            await clock.sleep(AGAIN)
            await known.open()

    await known.open()
    task = asyncio.create_task(keep())
    try:
        yield known
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await known.close()
