"""Tool servers for tests: child processes that behave, or do not."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from app.clock import SystemClock
from app.mcp.link import Patience
from app.mcp.server_file import CommandServer
from app.mcp.tool_servers import McpServers, link_servers
from app.ports import ServedTool

SCRIPT = Path(__file__).parents[2] / "hostile_server.py"
QUICK = Patience(connect=5.0, answer=0.5, sign=0.3, relist=0.05)


def describe(how: str, noted: Path, *reads: str) -> dict[str, Any]:
    """A server as the operators' file names it."""
    return {"command": sys.executable, "args": ["-S", str(SCRIPT), how, str(noted)], "reads": list(reads)}


@asynccontextmanager
async def serving(
    how: str, noted: Path, *reads: str, patience: Patience = QUICK
) -> AsyncGenerator[tuple[McpServers, ServedTool]]:
    """A linked server that behaves so, with its tool that puts tickets."""
    server = CommandServer.model_validate(describe(how, noted, *reads))
    async with link_servers({"board": server}, SystemClock(), patience) as servers:
        (listing,) = servers.list_servers()
        yield servers, next(tool for tool in listing.tools if tool.name == "put_ticket")


def done(noted: Path) -> list[dict[str, Any]]:
    """What the server was told, call by call."""
    return [json.loads(line) for line in noted.read_text().splitlines()] if noted.exists() else []
