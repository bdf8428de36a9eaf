"""Connections to tool servers, bounded: a server that floods is cut off before it fills the memory.

The SDK's own connection to a child process reads lines of any length; therefore only its sessions are used here.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import SecretStr

from app.mcp.server_file import AddressServer, CommandServer, Server
from app.processes import build_environment

LONGEST_MESSAGE: Final = 1_000_000
"""Bytes of one message."""

MOST_BYTES, MOST_MESSAGES = 4_000_000, 1_000
"""What a server may send from one request of ours to the next."""

GRACE = 1.0
"""Seconds in which a child process may end by itself after its input was closed."""

SECONDS = 30.0
"""Seconds without a byte after which an HTTP request is given up."""

Streams = tuple[Any, Any]


class Flooded(Exception):
    """The server sends more than anybody has asked for."""


@dataclass
class Quota:
    """What a server may still send until the next request."""

    bytes_left: int = MOST_BYTES
    messages_left: int = MOST_MESSAGES

    def renew(self) -> None:
        """Allow as much again: a request is made."""
        self.bytes_left, self.messages_left = MOST_BYTES, MOST_MESSAGES

    def take(self, count: int, messages: int = 1) -> None:
        """Count what has come. Raise `Flooded` if it is too much."""
        self.bytes_left -= count
        self.messages_left -= messages
        if self.bytes_left < 0 or self.messages_left < 0:
            raise Flooded


def connect(server: Server, quota: Quota, over: asyncio.Event) -> AbstractAsyncContextManager[Streams]:
    """Yield the streams of a session. `over` is set once the server is gone or has sent too much."""
    return _start(server, quota, over) if isinstance(server, CommandServer) else _reach(server, quota, over)


def _reveal(values: Mapping[str, SecretStr]) -> dict[str, str]:
    return {name: value.get_secret_value() for name, value in values.items()}


@asynccontextmanager
async def _start(server: CommandServer, quota: Quota, over: asyncio.Event) -> AsyncGenerator[Streams]:
    """Run a child process for the length of the block. It gets no variable of ours but those of the file.

    What it writes to its error output is nobody's to read here: it may hold people's words.
    """
    process = await asyncio.create_subprocess_exec(
        server.command,
        *server.args,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=build_environment() | _reveal(server.env),
        start_new_session=True,
        limit=LONGEST_MESSAGE,
    )
    to_session, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, said = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_hear, process, to_session, quota, over)
            tasks.start_soon(_say, process, said)
            yield heard, to_server
            tasks.cancel_scope.cancel()
    finally:
        for each in (to_session, heard, to_server, said):
            each.close()
        await _end(process)


async def _hear(process: asyncio.subprocess.Process, to_session: Any, quota: Quota, over: asyncio.Event) -> None:
    assert process.stdout is not None, "it was started with a pipe"
    try:
        async with to_session:
            while line := await process.stdout.readline():  # raises ValueError if it is too long
                quota.take(len(line))
                with suppress(ValueError):  # a line that is no message is none of ours: many print a greeting
                    await to_session.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
    except (Flooded, ValueError, OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass
    finally:
        over.set()


async def _say(process: asyncio.subprocess.Process, said: Any) -> None:
    assert process.stdin is not None, "it was started with a pipe"
    with suppress(OSError):
        async for message in said:
            process.stdin.write(f"{message.message.model_dump_json(by_alias=True, exclude_unset=True)}\n".encode())
            await process.stdin.drain()


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close the input, and end the process with all that it has started. A cancelled caller waits for it, too."""
    if process.stdin is not None:
        process.stdin.close()
    with anyio.CancelScope(shield=True):
        await _wait(process)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        # What a flooding server has left in its pipe would keep the pipe open: nothing public closes it.
        getattr(process, "_transport").close()  # noqa: B009
        await _wait(process)
        await asyncio.sleep(0)


async def _wait(process: asyncio.subprocess.Process) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            await process.wait()


@asynccontextmanager
async def _reach(server: AddressServer, quota: Quota, over: asyncio.Event) -> AsyncGenerator[Streams]:
    """Reach an address for the length of the block. It is never left for another one: headers may be secrets."""
    line = _BoundedLine(httpx2.AsyncHTTPTransport(), quota, over)
    async with (
        httpx2.AsyncClient(
            headers=_reveal(server.headers), timeout=httpx2.Timeout(SECONDS), transport=line, follow_redirects=False
        ) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=LONGEST_MESSAGE) as streams,
    ):
        yield streams


class _BoundedLine(httpx2.AsyncBaseTransport):
    """HTTP of which each byte that comes is counted."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, quota: Quota, over: asyncio.Event) -> None:
        self._inner, self._quota, self._over = inner, quota, over

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream), "an async transport answers so"
        response.stream = _CountedStream(response.stream, self._quota, self._over)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _CountedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, quota: Quota, over: asyncio.Event) -> None:
        self._inner, self._quota, self._over = inner, quota, over

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            try:
                self._quota.take(len(part))
            except Flooded as error:
                self._over.set()
                raise httpx2.ReadError("too much was sent") from error
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()
