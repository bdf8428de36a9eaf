"""The real slack_sdk and Bolt, set up against a playground.

Everything comes back as `Any`: their own annotations are partial, and strict type checking would drown in it.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from app.http_server import listen
from app.playground.slack import SlackPlayground

Bot = Any


def bot_of(slack: SlackPlayground, token: str | None = None, **options: Any) -> Bot:
    """Return an AsyncWebClient without the SDK's own retries."""
    options.setdefault("retry_handlers", [])
    return AsyncWebClient(slack.bot_token if token is None else token, slack.api_url, **options)


def webhook(url: str) -> Any:
    """Return an AsyncWebhookClient, which is what Bolt's `respond` uses."""
    return AsyncWebhookClient(url)


async def refusal(call: Awaitable[object]) -> Any:
    """Return the response to a call that the SDK raises SlackApiError for."""
    with pytest.raises(SlackApiError) as raised:
        await call
    error: Any = raised.value
    return error.response


async def refused(call: Awaitable[object]) -> str:
    """Return the code with which Slack refuses a call."""
    return (await refusal(call))["error"]


def bolt_app(slack: SlackPlayground, **options: Any) -> Any:
    """Return an AsyncApp that talks to the playground."""
    return AsyncApp(client=bot_of(slack), **options)


@asynccontextmanager
async def bolt_socket(slack: SlackPlayground, app: Any) -> AsyncGenerator[None]:
    """Connect a Bolt app through Bolt's own Socket Mode handler; it looks after its connection each second."""
    handler: Any = AsyncSocketModeHandler(app, slack.app_token, ping_interval=1)
    await handler.connect_async()
    try:
        yield
    finally:
        await handler.close_async()


@asynccontextmanager
async def serving(routes: web.Application) -> AsyncGenerator[str]:
    """Serve an app's Request URL on loopback."""
    async with listen(web.AppRunner(routes, shutdown_timeout=0.1), "127.0.0.1", 0) as port:
        yield f"http://127.0.0.1:{port}/slack/events"


def by_hand(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> web.Application:
    """Return a server that passes Slack's challenge and answers the rest as told."""

    async def handle(request: web.Request) -> web.StreamResponse:
        if request.content_type == "application/json":
            body = await request.json()
            if body["type"] == "url_verification":
                return web.json_response({"challenge": body["challenge"]})
        return await answer(request)

    routes = web.Application()
    routes.router.add_post("/slack/events", handle)
    return routes


async def ignore() -> None:
    """A listener that only acknowledges."""
