"""HTTP servers of ours: how they listen and stop, how many connections they hold, and how long each may take."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from aiohttp import web

MOST_HEADERS = 64
"""Headers of a request. With 8 KB each, this bounds the memory of a client that is not authenticated yet."""
SWEEPS = 10
"""Checks for late connections within the shortest deadline."""


@dataclass(frozen=True, slots=True)
class Caps:
    """Highest numbers of simultaneous connections."""

    in_all: int
    by_address: int
    """From one address. Behind a proxy, all connections have the proxy's."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Longest times that a connection waits for its client, in seconds."""

    head: float = 10.0
    """From the connection, or from the first byte of a later request, to the end of its headers."""
    body: float = 10.0
    """From the end of the headers to the end of the body."""
    idle: float = 75.0
    """From one request to the next; proxies keep a connection for 60 seconds."""


class Connection(web.RequestHandler):
    """One connection: aiohttp's, with a deadline. `read_body`, `answer` and `rest` set the state of its request."""

    __slots__ = ("_all", "_is_idle", "_wire", "address", "deadline")

    def __init__(self, server: web.Server, connections: Connections) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # pyright: ignore[reportArgumentType]  as `AppRunner` says it
            auto_decompress=False,  # a kilobyte could become a megabyte before the client is authenticated
            lingering_time=0,  # a refused request is not read to its end
            max_headers=MOST_HEADERS,
        )
        self._all = connections
        self._is_idle = False
        self.address = ""
        self.deadline = math.inf

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the client, or hang up if there is no room."""
        self._wire = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""  # a client that has left already has no address
        if not self._all.enter(self):
            self.cut()
            return
        self._expect_within(self._all.deadlines.head)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Release the connection's place."""
        self._all.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Start the deadline with the first byte of a request. Later bytes do not extend it."""
        if self._is_idle:
            self._is_idle = False
            self._expect_within(self._all.deadlines.head)
        super().data_received(data)

    def read_body(self) -> None:
        """Start to wait for the body."""
        self._expect_within(self._all.deadlines.body)

    def answer(self) -> None:
        """Start to answer: from now until `rest` the connection is kept."""
        self.deadline = math.inf
        self._all.keep(self)

    def rest(self) -> None:
        """Start to wait for the next request. A client that does not read the answer meets this deadline, too."""
        self._is_idle = True
        self._expect_within(self._all.deadlines.idle)
        self._all.release(self)

    def cut(self) -> None:
        """Hang up at once, also on a client that reads nothing."""
        self._wire.abort()

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Answer what is no HTTP without a line in the log: a stranger could fill it."""
        if status >= 500:
            return super().handle_error(request, status, exc, message)
        response = web.Response(status=status)
        response.force_close()
        return response

    def _expect_within(self, seconds: float) -> None:
        self.deadline = self._loop.time() + seconds


class Connections:
    """All connections of one port."""

    def __init__(self, caps: Caps, deadlines: Deadlines | None = None) -> None:
        self._caps = caps
        self.deadlines = deadlines or Deadlines()
        self._waiting: dict[Connection, None] = {}  # for their clients; longest wait first
        self._answered: set[Connection] = set()
        self._by_address: dict[str, int] = {}
        self._sweep: asyncio.TimerHandle | None = None

    def serve(self, server: web.Server) -> Callable[[], Connection]:
        """Return the factory of connections for `loop.create_server`."""
        return lambda: Connection(server, self)

    def enter(self, connection: Connection) -> bool:
        """Add a connection; return False if there is no room, because all others are being answered."""
        address = connection.address
        if self._by_address.get(address, 0) >= self._caps.by_address and not self._make_room(address):
            return False
        if len(self._waiting) + len(self._answered) >= self._caps.in_all and not self._make_room():
            return False
        self._waiting[connection] = None
        self._by_address[address] = self._by_address.get(address, 0) + 1
        self._look_later()
        return True

    def leave(self, connection: Connection) -> None:
        """Remove a connection. Removing it twice is allowed."""
        if connection not in self._waiting and connection not in self._answered:
            return
        self._waiting.pop(connection, None)
        self._answered.discard(connection)
        others = self._by_address.pop(connection.address) - 1
        if others:
            self._by_address[connection.address] = others

    def keep(self, connection: Connection) -> None:
        """Protect a connection while it is answered."""
        if connection in self._waiting:
            del self._waiting[connection]
            self._answered.add(connection)

    def release(self, connection: Connection) -> None:
        """Put a connection at the end of those that wait."""
        if connection in self._answered:
            self._answered.remove(connection)
            self._waiting[connection] = None

    def _make_room(self, address: str | None = None) -> bool:
        """Hang up on the client that has waited longest, with this address if one is given."""
        oldest = next((each for each in self._waiting if address in (None, each.address)), None)
        if oldest is None:
            return False
        self.leave(oldest)
        oldest.cut()
        return True

    def _look_later(self) -> None:
        if self._sweep is None:
            shortest = min(self.deadlines.head, self.deadlines.body, self.deadlines.idle)
            self._sweep = asyncio.get_running_loop().call_later(shortest / SWEEPS, self._cut_late)

    def _cut_late(self) -> None:
        """Hang up on all clients past their deadline. One pass costs less than a timer for each."""
        self._sweep = None
        now = asyncio.get_running_loop().time()
        for each in [each for each in self._waiting if each.deadline <= now]:
            self.leave(each)
            each.cut()
        if self._waiting or self._answered:
            self._look_later()


def find_connection(request: web.BaseRequest) -> Connection:
    """Return the connection of a request; its server listens with `Connections`."""
    connection = request.protocol
    assert isinstance(connection, Connection)
    return connection


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def answer_anybody(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer any client, for servers that read no bodies."""
    connection = find_connection(request)
    connection.answer()
    try:
        return await handler(request)
    finally:
        connection.rest()


UNTIL_MADE = 3
"""Rounds of the event loop from the acceptance of a connection until the server knows of it."""


@asynccontextmanager
async def listen(
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
