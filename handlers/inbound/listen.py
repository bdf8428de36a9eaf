"""The two ways to receive from Slack: a socket that we open (Socket Mode), or signed HTTP requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import structlog
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from app.core.errors import SettingsError, SlackRefused, SlackUnavailable
from app.http_server import Caps, Connection, Connections, find_connection, listen
from app.ports import Clock
from handlers.inbound.reading.signature import Claim, read_claim
from handlers.outbound.web import SlackWeb

PATH = "/slack/events"
MOST_BYTES = 2**20
"""Limit of a request. Slack's largest are views, with 250 KB."""
UNSIGNED, COMPRESSED, TOO_LARGE = 401, 415, 413
CONNECT_SECONDS = 15.0
PING_SECONDS = 10.0
"""A socket that was silent for four of these is reopened by the SDK."""
DEAD_SECONDS = 30.0

log = structlog.get_logger(__name__)


async def prove_app_token(app_token: str, api_url: str) -> None:
    """Ask Slack for the address of a socket, without using it. Raise `SettingsError` if it gives none.

    The SDK cannot do this: it hides a refusal and retries forever.
    """
    web = SlackWeb(app_token, api_url)
    try:
        await web.call("apps.connections.open")
    except SlackRefused as error:
        words = f"Slack does not accept SLACK_APP_TOKEN ({error.code}); it needs the scope connections:write."
        raise SettingsError(words) from error
    except SlackUnavailable as error:
        raise SettingsError("Slack cannot be reached. Check your network and SLACK_API_URL.") from error
    finally:
        await web.close()


@asynccontextmanager
async def open_socket(app: AsyncApp, app_token: str, clock: Clock) -> AsyncGenerator[Callable[[], Awaitable[bool]]]:
    """Listen over a socket for the length of the block, and yield a check of whether it is open.

    Raise `SettingsError` if none can be opened.
    """
    # Any: the SDK's types are partly unknown
    handler: Any = AsyncSocketModeHandler(app, app_token, ping_interval=PING_SECONDS)
    try:
        await asyncio.wait_for(handler.connect_async(), CONNECT_SECONDS)
    except TimeoutError:
        await handler.close_async()
        raise SettingsError("Slack did not open a socket in time. Check your network.") from None
    watch = asyncio.ensure_future(_watch(handler, clock))
    try:
        yield handler.client.is_connected
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        await handler.close_async()


async def _watch(handler: Any, clock: Clock) -> None:
    """Give the SDK a fresh address if a socket stays dead: it would retry the one whose ticket is used up forever."""
    dead_since: float | None = None
    while True:
        await clock.sleep(PING_SECONDS / 2)
        if await handler.client.is_connected():
            dead_since = None
            continue
        dead_since = dead_since or clock.monotonic()
        if clock.monotonic() - dead_since >= DEAD_SECONDS:
            log.warning("socket_dead", seconds=DEAD_SECONDS)
            handler.client.wss_uri = None
            dead_since = None


@dataclass(frozen=True, slots=True)
class HttpEndpoint:
    """The address for Slack's requests, the signing secret, and the limits of connections."""

    host: str
    port: int
    secret: str
    caps: Caps


@asynccontextmanager
async def serve_http(app: AsyncApp, where: HttpEndpoint, clock: Clock) -> AsyncGenerator[int]:
    """Listen for Slack's requests for the length of the block, and yield the TCP port.

    Bolt checks each signature again. That costs little, and protects an app that is served in another way. Raise
    `SettingsError` if nothing can listen there.
    """
    signatures = _SignatureCheck(where.secret.encode(), clock)
    application = web.Application(client_max_size=MOST_BYTES, middlewares=[signatures.check])
    application.router.add_post(PATH, app.server(path=PATH).handle_post_requests)
    async with AsyncExitStack() as stack:
        listening = listen(web.AppRunner(application), where.host, where.port, Connections(where.caps))
        try:
            port = await stack.enter_async_context(listening)
        except OSError as error:
            raise SettingsError(
                f"Nothing can listen on {where.host}:{where.port}: choose another THREADWISE_HTTP_PORT or "
                "THREADWISE_HTTP_HOST."
            ) from error
        yield port


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class _SignatureCheck:
    """Middleware that refuses requests without a valid signature, whatever their path.

    It does so before anything is decompressed or parsed.
    """

    def __init__(self, secret: bytes, clock: Clock) -> None:
        self._secret, self._clock = secret, clock

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request, or refuse it: by its headers alone if they suffice, else by the bytes of its body."""
        connection = find_connection(request)
        try:
            claim = read_claim(request.headers, self._clock.now().timestamp())
            status = UNSIGNED if claim is None else await self._prove(claim, request, connection)
            if status:
                return web.Response(status=status)
            connection.answer()
            return await handler(request)
        finally:
            connection.rest()

    async def _prove(self, claim: Claim, request: web.Request, connection: Connection) -> int:
        """Read the body and return 0 if the signature matches, else the status of the refusal."""
        if request.headers.get("Content-Encoding"):
            return COMPRESSED
        if (request.content_length or 0) > MOST_BYTES:
            return TOO_LARGE
        connection.read_body()
        try:
            body = await request.read()  # kept by aiohttp: Bolt reads the same bytes
        except web.HTTPRequestEntityTooLarge:
            return TOO_LARGE
        except (ConnectionError, web.RequestPayloadError):
            return UNSIGNED  # sent to no one: the client left, was cut off, or does not send HTTP
        return 0 if claim.holds(self._secret, body) else UNSIGNED
