"""Port to the tool servers that operators have connected. Everything a server says is data from outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from app.core.copy import permission_cards

SEPARATOR = "__"
"""Between server and tool in the name that the model reads. None of our own tools has it in its name."""


def name_tool_and_server(tool: str) -> str:
    """Return the name that the model reads as words: of a tool of ours, or of one of a server and that server."""
    server, is_served, name = tool.partition(SEPARATOR)
    words = permission_cards.name_tool(name if is_served else tool)
    return permission_cards.SERVED.format(tool=words, server=server) if is_served else words


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedTool:
    """A tool of a server, cleaned and bounded."""

    server: str
    """The server's name in the operators' file."""
    name: str
    """The tool's name as the server knows it."""
    description: str
    schema: Mapping[str, Any]
    """JSON schema of its input, rebuilt from the few keywords that are known to be harmless."""
    reads: bool
    """True if the operators declare that it changes nothing."""
    digest: str
    """Digest of all that the server says of it, which a permanent permission holds for."""

    @property
    def label(self) -> str:
        """Return the name that the model reads, of the characters that the API accepts."""
        return f"{self.server}{SEPARATOR}{self.name.replace('.', '_').replace('/', '_')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerListing:
    """A server with its newest known tools, in the order of their names."""

    server: str
    tools: tuple[ServedTool, ...] = ()
    fault: str = ""
    """Reason why it cannot be reached, as one clause; empty if it can."""
    left_out: tuple[str, ...] = ()
    """Tools that it names and that cannot be offered, each with the reason."""
    unknown_reads: tuple[str, ...] = ()
    """Names that the operators declare as reading, and that the server does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAnswer:
    """What a server answered to a call: text as it sent it, cut to a bounded length. `failed` is what it says."""

    text: str
    failed: bool = False


class ToolServers(Protocol):
    """All tool servers of the program."""

    def list_servers(self) -> tuple[ServerListing, ...]:
        """Return the servers with their tools as they are known now, in the order of their names. Asks nobody."""
        ...

    async def call(self, tool: ServedTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        """Call a tool once. The server gets the arguments and nothing else.

        Raise `OutOfReach` if nothing was sent, and `OutcomeUnknown` if the server may have done it.
        """
        ...


class NoServers:
    """Implementation for a program without tool servers."""

    def list_servers(self) -> tuple[ServerListing, ...]:
        """See `ToolServers.list_servers`."""
        return ()

    async def call(self, tool: ServedTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        """See `ToolServers.call`."""
        raise AssertionError(f"nobody offers {tool.label}")


NO_SERVERS: Final[ToolServers] = NoServers()
