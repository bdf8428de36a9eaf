"""The only module that knows them all: it makes the parts from the settings, joins them, and takes them apart again."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from app.agent.claude import Claude
from app.agent.turn import TurnSettings
from app.clock import SystemClock
from app.core.errors import SettingsError, SlackRefused, SlackUnavailable, StoreUnavailable
from app.lease import LeaseTimes
from app.ports import Clock
from app.session import Services
from app.settings import Settings
from app.worker import Worker, WorkerSettings
from handlers import gate, listen
from handlers.outlet import SlackOutlet
from handlers.web import SlackIdentity, SlackWeb
from store.cipher import MasterKeys
from store.embedded import embedded
from store.mongo import open_store
from store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What runs inside `running`. `port` is where Slack's HTTP requests are heard; 0 over a socket."""

    store: Store
    identity: SlackIdentity
    worker: Worker
    port: int


@asynccontextmanager
async def opened_store(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
    """Open the store over `MONGODB_URI`, or over the embedded MongoDB."""
    keys = MasterKeys.parse(settings.master_key.get_secret_value())
    async with AsyncExitStack() as stack:
        uri = settings.mongodb_uri.get_secret_value()
        if not uri:
            uri = await stack.enter_async_context(embedded(settings.data_dir.expanduser()))
        try:
            store = await open_store(uri, settings.database, keys, clock)
        except StoreUnavailable as error:
            raise SettingsError("MongoDB does not answer. Check MONGODB_URI and that it runs.") from error
        stack.callback(store.close)
        yield store


@asynccontextmanager
async def opened_slack(settings: Settings) -> AsyncGenerator[tuple[SlackWeb, SlackIdentity]]:
    """Open the Web API and ask it who we are. Raises `SettingsError`."""
    token = settings.slack_bot_token.get_secret_value()
    web = SlackWeb(token, settings.slack_api_url, settings.write_seconds)
    try:
        yield web, await _identify(web)
    finally:
        await web.close()


@asynccontextmanager
async def running(settings: Settings, *, http: bool) -> AsyncGenerator[Running]:
    """Run the app for the length of the block. Raises `SettingsError` with one clear sentence if it cannot start."""
    require(settings, http=http)
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(opened_store(settings, clock))
        web, identity = await stack.enter_async_context(opened_slack(settings))
        claude = Claude(settings.anthropic_api_key, settings.anthropic_base_url, settings.turn_seconds)
        stack.push_async_callback(claude.close)
        outlet = SlackOutlet(web, clock)
        stack.push_async_callback(outlet.close)
        worker = _worker(settings, store, outlet, claude, clock)
        app = gate.build(web, identity, store.inbox, worker.wake, settings.slack_signing_secret.get_secret_value())
        await stack.enter_async_context(_working(worker))
        if http:
            port = await stack.enter_async_context(listen.by_http(app, settings.http_host, settings.http_port))
        else:
            token, port = settings.slack_app_token.get_secret_value(), 0
            await listen.prove_app_token(token, settings.slack_api_url)
            await stack.enter_async_context(listen.by_socket(app, token, clock))
        yield Running(store=store, identity=identity, worker=worker, port=port)


def require(settings: Settings, *, http: bool) -> None:
    """Raise `SettingsError` for the first setting that is missing, with what to do about it."""
    secret = ("SLACK_SIGNING_SECRET", settings.slack_signing_secret)
    socket = ("SLACK_APP_TOKEN", settings.slack_app_token)
    needed = (
        ("SLACK_BOT_TOKEN", settings.slack_bot_token),
        secret if http else socket,
        ("ANTHROPIC_API_KEY", settings.anthropic_api_key),
        ("THREADWISE_MASTER_KEY", settings.master_key),
    )
    for name, value in needed:
        if not value.get_secret_value():
            raise SettingsError(f"{name} is not set. The README says where to get it; `threadwise check` shows all.")


def _worker(settings: Settings, store: Store, outlet: SlackOutlet, claude: Claude, clock: Clock) -> Worker:
    turn = TurnSettings(model=settings.model, max_tokens=settings.max_tokens, context_tokens=settings.context_tokens)
    services = Services(inbox=store.inbox, conversations=store.conversations, outlet=outlet, model=claude, turn=turn)
    times = LeaseTimes(
        lease=settings.lease_seconds, heartbeat=settings.heartbeat_seconds, margin=settings.write_seconds
    )
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    return Worker(services, clock, WorkerSettings(name=name, lease=times, poll=settings.poll_seconds))


@asynccontextmanager
async def _working(worker: Worker) -> AsyncGenerator[None]:
    task = asyncio.ensure_future(worker.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _identify(web: SlackWeb) -> SlackIdentity:
    try:
        return await web.identify()
    except SlackRefused as error:
        raise SettingsError(f"Slack does not accept SLACK_BOT_TOKEN ({error.code}).") from error
    except SlackUnavailable as error:
        raise SettingsError("Slack cannot be reached. Check your network and SLACK_API_URL.") from error
