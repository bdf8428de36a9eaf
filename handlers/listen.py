"""The two ways to hear Slack: a socket that we open (Socket Mode), or signed HTTP requests that Slack sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import structlog
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from app.core.errors import SettingsError, SlackRefused, SlackUnavailable
from app.listening import listening
from app.ports import Clock
from handlers.web import SlackWeb

PATH = "/slack/events"
CONNECT_SECONDS = 15.0
PING_SECONDS = 10.0
"""A socket that gave no sign of life for four of these is opened anew by the SDK."""
DEAD_SECONDS = 30.0

log = structlog.get_logger(__name__)


async def prove_app_token(app_token: str, api_url: str) -> None:
    """Ask Slack for the address of a socket, and leave it. Raises `SettingsError` if it gives none.

    The SDK cannot be asked: it hides a refusal and tries for ever.
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
async def by_socket(app: AsyncApp, app_token: str, clock: Clock) -> AsyncGenerator[Callable[[], Awaitable[bool]]]:
    """Listen over a socket for the length of the block; gives what tells whether it is open just now.

    Raises `SettingsError` if none can be opened.
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
    """Give the SDK a fresh address when a socket stays dead: it would try the one whose ticket is spent for ever."""
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


def by_http(app: AsyncApp, host: str, port: int) -> AbstractAsyncContextManager[int]:
    """Listen for Slack's requests for the length of the block; gives the port. Bolt checks each signature."""
    return listening(web.AppRunner(app.web_app(path=PATH, port=port), access_log=None), host, port)
