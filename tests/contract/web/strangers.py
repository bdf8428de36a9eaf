"""Clients that keep to no rules, byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType

PATIENCE = 5.0  # seconds; less than any deadline that a test does not shorten
HOST = "127.0.0.1"


class Client:
    """One TCP connection, from an address of loopback of one's choice."""

    def __init__(self, port: int, address: str = HOST) -> None:
        self._port, self._address = port, address

    async def __aenter__(self) -> Client:
        where = (HOST, self._port)
        self._reader, self._writer = await asyncio.open_connection(*where, local_addr=(self._address, 0))
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._writer.transport.abort()

    def sends(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)

    async def hears(self) -> int:
        """Wait for an answer, and give its status; 0 if the server hangs up without one."""
        async with asyncio.timeout(PATIENCE):
            try:
                head = await self._reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0
            lines = head.decode().split("\r\n")
            length = next((line.split(":")[1] for line in lines if line.lower().startswith("content-length")), "0")
            await self._reader.readexactly(int(length))
            return int(lines[0].split()[1])

    async def asks(self, data: bytes) -> int:
        """Send bytes and wait for the answer."""
        self.sends(data)
        return await self.hears()

    async def is_hung_up_on(self) -> None:
        """Wait until the server ends the connection."""
        async with asyncio.timeout(PATIENCE):
            try:
                while await self._reader.read(2**16):
                    pass
            except ConnectionError:
                return

    def stops_reading(self) -> None:
        """Take no byte from the system any more."""
        assert isinstance(self._writer.transport, asyncio.ReadTransport)
        self._writer.transport.pause_reading()


def head(path: str, headers: Mapping[str, str], method: str = "POST") -> bytes:
    """The head of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: threadwise.example"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
