"""Socket Mode: tickets, WebSockets, envelopes and their acknowledgements.

Rule: a ticket opens one socket; an envelope goes to one socket; events raised while none is open come as retries.
"""

import asyncio
import json
from typing import Any

from aiohttp import WSMsgType, web

from app.playground.journal import Journal
from app.playground.slack.delivery.delivery import ACK_WINDOW, Attempt, Delivery, Outcome
from app.playground.slack.values.model import Clock, IdFactory
from app.playground.slack.values.surfaces import Json

MOST_SOCKETS = 10  # Slack: an app may hold ten Socket Mode connections


class Sockets:
    """All open sockets of the app; a `Transport`."""

    lost = Outcome(acknowledged=False, reason="timeout")

    def __init__(self, app_id: str, clock: Clock, mint: IdFactory, journal: Journal) -> None:
        self._app_id = app_id
        self._journal = journal
        self._clock = clock
        self._mint = mint
        self._tickets: set[str] = set()
        self._open: dict[web.WebSocketResponse, web.Request] = {}
        self._leaving: set[web.WebSocketResponse] = set()
        self._someone = asyncio.Event()
        self._awaited: dict[str, asyncio.Future[Json]] = {}

    @property
    def count(self) -> int:
        """Return the number of sockets that accept envelopes."""
        return len(self._open)

    def ticket(self) -> str:
        """Return the path and query of a WebSocket address that works once."""
        ticket = self._mint.uuid()
        self._tickets.add(ticket)
        return f"/link?ticket={ticket}&app_id={self._app_id}"

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer GET /link: one socket from handshake to close."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=401, text="This ticket is unknown or used.")
        self._tickets.remove(ticket)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if self.count >= MOST_SOCKETS:
            await socket.send_json(_build_disconnect("too_many_websockets"))
            await socket.close()
            return socket
        await self._greet(socket, request)
        await self._listen(socket)
        return socket

    async def _greet(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        hello = {
            "type": "hello",
            "num_connections": self.count + 1,
            "connection_info": {"app_id": self._app_id},
            "debug_info": {"host": "applink-1", "build_number": 10, "approximate_connection_time": 18060},
        }
        await socket.send_json(hello)
        self._open[socket] = request
        self._someone.set()
        self._journal.write("socket_opened", count=self.count)

    async def _listen(self, socket: web.WebSocketResponse) -> None:
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    self._acknowledge(frame.data)
        finally:
            self._forget(socket)
            self._leaving.discard(socket)

    def _acknowledge(self, text: str) -> None:
        answer: Any = json.loads(text)
        awaited = self._awaited.get(answer.get("envelope_id", ""))
        if awaited and not awaited.done():
            awaited.set_result(answer.get("payload") or {})

    def _forget(self, socket: web.WebSocketResponse) -> None:
        if self._open.pop(socket, None) is None:
            return
        if not self._open:
            self._someone.clear()
        self._journal.write("socket_closed", count=self.count)

    # --- Transport -------------------------------------------------------------------------------

    async def reachable(self) -> None:
        """Return once a socket is open."""
        await self._someone.wait()

    async def attempt(self, delivery: Delivery, attempt: Attempt) -> Outcome:
        """Send one envelope to one socket, chosen at random, and wait for its acknowledgement."""
        if not self._open:
            return self.lost
        socket = self._mint.random.choice(tuple(self._open))
        envelope = self._envelope(delivery, attempt)
        awaited: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._awaited[envelope["envelope_id"]] = awaited
        try:
            await socket.send_json(envelope)
            async with asyncio.timeout(self._clock.real(ACK_WINDOW)):
                answer = await awaited
        except (TimeoutError, ConnectionError):
            return self.lost
        finally:
            del self._awaited[envelope["envelope_id"]]
        return Outcome(acknowledged=True, answer=answer)

    def _envelope(self, delivery: Delivery, attempt: Attempt) -> Json:
        envelope: Json = {
            "envelope_id": self._mint.uuid(),
            "type": delivery.kind,
            "accepts_response_payload": delivery.kind != "events_api",
            "payload": delivery.payload,
        }
        if delivery.kind == "events_api":
            envelope |= {"retry_attempt": attempt.number, "retry_reason": attempt.reason}
        return envelope

    # --- what Slack does to connections ----------------------------------------------------------

    async def refresh(self, reason: str = "refresh_requested") -> None:
        """Ask every client to reconnect; but for a "warning", the old sockets get no more envelopes."""
        for socket in tuple(self._open):
            if reason != "warning":
                self._leaving.add(socket)
                self._forget(socket)
            await socket.send_json(_build_disconnect(reason))

    def drop(self) -> None:
        """Cut every connection without a notice, as a lost network does."""
        for socket, request in tuple(self._open.items()):
            self._forget(socket)
            if request.transport is not None:
                request.transport.abort()

    async def close(self) -> None:
        """Close every socket properly."""
        for socket in (*self._open, *self._leaving):
            await socket.close()


def _build_disconnect(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-1"}}
