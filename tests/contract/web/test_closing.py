"""A server that stops leaves no connection behind, at whatever moment it was made."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from slack_bolt.async_app import AsyncApp

from app.core.errors import SettingsError
from app.core.turns.rate_limits import Amount
from app.http_server import Caps
from app.playground.claude import ClaudePlayground
from app.playground.slack import SlackPlayground
from app.ports import Queue
from app.runtime.watch.backlog import Asked, Books
from app.runtime.watch.health import Readiness
from app.runtime.watch.metrics import Metrics
from app.runtime.watch.probes import Probes, serve
from handlers.inbound.listen import HttpEndpoint, serve_http
from tests.contract.store.clock import ManualClock

HOST = "127.0.0.1"
PATIENCE = 10.0  # seconds

Serving = Callable[[], AbstractAsyncContextManager[int]]


async def nothing_waits() -> Queue:
    return Queue()


async def no_books() -> Books:
    return Books(rules=0, spent=Amount())


def probes() -> AbstractAsyncContextManager[int]:
    return serve(Probes(Readiness(), Metrics(ManualClock(), ()), Asked(waits=nothing_waits, books=no_books)), HOST, 0)


def door_for_slack(port: int = 0) -> AbstractAsyncContextManager[int]:
    app = AsyncApp(token="xoxb-1", signing_secret="secret")
    return serve_http(app, HttpEndpoint(HOST, port, "secret", Caps(in_all=8, by_address=8)), ManualClock())


@asynccontextmanager
async def look_alike(playground: ClaudePlayground | SlackPlayground) -> AsyncGenerator[int]:
    await playground.start()
    yield int(playground.url.rpartition(":")[2])
    await playground.stop()


def of_the_model() -> AbstractAsyncContextManager[int]:
    return look_alike(ClaudePlayground())


def of_slack() -> AbstractAsyncContextManager[int]:
    return look_alike(SlackPlayground())


@pytest.mark.parametrize("rounds", range(6))
@pytest.mark.parametrize("serving", [probes, door_for_slack, of_the_model, of_slack])
async def test_who_connects_while_a_server_stops_is_hung_up_on(serving: Serving, rounds: int) -> None:
    with socket.socket() as caller:
        async with serving() as port:
            caller.connect((HOST, port))  # the system has it; the server hears of it in its next rounds
            for _ in range(rounds):
                await asyncio.sleep(0)
        caller.settimeout(PATIENCE)
        try:
            heard = await asyncio.to_thread(caller.recv, 1)
        except ConnectionResetError:
            heard = b""
        assert heard == b""


async def test_a_port_for_slack_that_is_taken_is_a_matter_of_settings() -> None:
    async with door_for_slack() as port:
        with pytest.raises(SettingsError, match=f"{HOST}:{port}: choose another THREADWISE_HTTP_PORT"):
            async with door_for_slack(port):
                pass
