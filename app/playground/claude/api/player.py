"""Sender of an answer on a connection: the pace, the gates, and the faults in the middle of it.

`answer` and `http` determine order and bytes. Only this module waits.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from app.playground.claude.api import http
from app.playground.claude.api.answer import Answer, Frame
from app.playground.claude.api.exchange import Exchange
from app.playground.claude.api.refusals import Refusal
from app.playground.claude.api.script import Cut, CutKind, Turn


class Player:
    """Streamer of one answer to one client."""

    def __init__(self, request: web.Request, exchange: Exchange, headers: Mapping[str, str]) -> None:
        self._request = request
        self._exchange = exchange
        self._response = web.StreamResponse(headers={**http.HEADERS, **headers})

    async def play(self, answer: Answer, turn: Turn) -> web.StreamResponse:
        """Send the stream, or as much of it as the turn's fault lets through."""
        await self._response.prepare(self._request)
        cut = turn.fault if isinstance(turn.fault, Cut) else None
        for nth, frame in enumerate(answer.frames()):
            if nth > 0:
                await wait_for_gates(turn, frame.at)
                if cut is not None and frame.at >= cut.after:
                    await _CUTS[cut.kind](self, cut)
                    self._exchange.end("failed")
                    return self._response
            await self._send(frame, nth)
            if frame.event == "content_block_delta":
                await asyncio.sleep(turn.pace.seconds)
        self._exchange.end("answered")
        return self._response

    async def _send(self, frame: Frame, nth: int) -> None:
        await self._response.write(http.encode(frame.event, frame.data, nth))
        self._exchange.count(frame.at + frame.length)

    async def overloaded(self, _cut: Cut) -> None:
        """Send the error event that ends a stream under load."""
        error = {"type": "error", "error": Refusal(529).error()}
        await self._response.write(http.encode("error", error, 0))

    async def dropped(self, _cut: Cut) -> None:
        """Close the connection in the middle of the body, after what was sent has left."""
        transport = self._request.transport
        assert transport is not None  # a client that left has cancelled us already
        transport.close()

    async def reset(self, _cut: Cut) -> None:
        """Reset the connection, as the network does when a machine dies."""
        transport = self._request.transport
        assert transport is not None  # a client that left has cancelled us already
        at_once = struct.pack("ii", 1, 0)  # to linger for no time makes the kernel send RST
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        transport.abort()

    async def ended(self, _cut: Cut) -> None:
        """End the body as if it were complete."""

    async def malformed(self, _cut: Cut) -> None:
        """Send a frame whose JSON breaks off."""
        await self._response.write(http.MALFORMED)

    async def silent(self, _cut: Cut) -> None:
        """Hold the connection and send nothing until the client leaves."""
        await wait_forever()

    async def pings_only(self, cut: Cut) -> None:
        """Hold the connection with pings until the client leaves."""
        while True:
            await self._response.write(http.PING)
            await asyncio.sleep(cut.every)


_CUTS: Mapping[CutKind, Callable[[Player, Cut], Awaitable[None]]] = {
    "overloaded": Player.overloaded,
    "dropped": Player.dropped,
    "reset": Player.reset,
    "ended": Player.ended,
    "malformed": Player.malformed,
    "silent": Player.silent,
    "pings_only": Player.pings_only,
}


async def wait_for_gates(turn: Turn, at: float) -> None:
    """Wait until every gate up to that place in the turn is open."""
    for gate in turn.gates:
        if gate.after <= at:
            await gate.opened.wait()


async def wait_forever() -> None:
    """Wait until cancelled."""
    await asyncio.Event().wait()
