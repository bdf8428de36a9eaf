"""A tool server for the demo and for tests: a board of tickets, which lives as long as its process.

Run it by its file; it speaks over its input and output, and needs no network.
"""

from __future__ import annotations

from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

MOST = 200

server = MCPServer("tickets")
_tickets: list[str] = []


@server.tool(structured_output=False)
def list_tickets() -> str:
    """List the tickets on the board."""
    return "\n".join(f"{number}. {title}" for number, title in enumerate(_tickets, 1)) or "The board is empty."


@server.tool(structured_output=False)
def open_ticket(title: Annotated[str, Field(min_length=1, max_length=MOST, description="What is to be done.")]) -> str:
    """Put a ticket on the board, where the whole office sees it."""
    _tickets.append(title)
    return f"Ticket {len(_tickets)} is open: {title}"


if __name__ == "__main__":
    server.run()
