"""Connections that wait for their clients end, and make room for others before that."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from aiohttp import web

from app.core.turns.rate_limits import Amount
from app.http_server import MOST_HEADERS, Caps, Connection, Connections, Deadlines, find_connection, listen
from app.ports import Queue
from app.runtime.watch.backlog import Asked, Books
from app.runtime.watch.health import Readiness
from app.runtime.watch.metrics import Metrics
from app.runtime.watch.probes import CAPS, Probes, serve
from tests.contract.store.clock import ManualClock
from tests.contract.web.strangers import HOST, PATIENCE, Client, head

NEVER = 600.0  # seconds
SOON = 0.05
LARGE = 2**25
"""Times two bytes: more than the system keeps for a client that does not read."""
WIDE = Caps(in_all=50, by_address=50)
WHOLE = head("/", {"Content-Length": "2"}) + b"hi"
HALF_HEAD, HALF_BODY = b"POST / HTTP/1.1\r\nHost: x\r\n", head("/", {"Content-Length": "5"}) + b"hi"


@pytest.mark.req("SE-02")
def test_who_does_not_send_is_waited_for_ten_seconds_and_between_requests_a_little_longer_than_a_proxy_does() -> None:
    assert Deadlines() == Deadlines(head=10, body=10, idle=75)
    assert CAPS.by_address < CAPS.in_all <= 100


class Server:
    """Answers with the body that it was sent; `hold` keeps back the answers to requests with `X-Hold`."""

    def __init__(self) -> None:
        self.port = 0
        self.hold = asyncio.Event()
        self.held = asyncio.Semaphore(0)
        self.asked: list[Connection] = []

    async def answer(self, request: web.Request) -> web.StreamResponse:
        connection = find_connection(request)
        self.asked.append(connection)
        connection.read_body()
        try:
            body = await request.read()
            connection.answer()
            if "X-Hold" in request.headers:
                self.held.release()
                await self.hold.wait()
            answer = body * LARGE if "X-Large" in request.headers else body
            return web.Response(body=answer, status=201 if body == b"hi" else 200)
        except ConnectionError:
            return web.Response()
        finally:
            connection.rest()


@asynccontextmanager
async def serving(caps: Caps = WIDE, deadlines: Deadlines | None = None) -> AsyncGenerator[Server]:
    server = Server()
    application = web.Application()
    application.router.add_post("/", server.answer)
    patient = deadlines or Deadlines(head=NEVER, body=NEVER, idle=NEVER)
    async with listen(web.AppRunner(application), HOST, 0, Connections(caps, patient)) as server.port:
        yield server


@pytest.mark.req("SE-02")
@pytest.mark.parametrize(
    ("deadlines", "sent"),
    [
        pytest.param(Deadlines(head=SOON, body=NEVER, idle=NEVER), b"", id="silent from the beginning"),
        pytest.param(Deadlines(head=SOON, body=NEVER, idle=NEVER), HALF_HEAD, id="half a head"),
        pytest.param(Deadlines(head=SOON, body=NEVER, idle=NEVER), WHOLE + HALF_HEAD, id="half a second head"),
        pytest.param(Deadlines(head=NEVER, body=SOON, idle=NEVER), HALF_BODY, id="half a body"),
        pytest.param(Deadlines(head=NEVER, body=NEVER, idle=SOON), WHOLE, id="silent after a request"),
    ],
)
async def test_who_is_silent_for_too_long_is_hung_up_on(deadlines: Deadlines, sent: bytes) -> None:
    async with serving(deadlines=deadlines) as server, Client(server.port) as client:
        if sent.startswith(WHOLE):
            assert await client.asks(WHOLE) == 201
        client.sends(sent.removeprefix(WHOLE))
        await client.is_hung_up_on()


@pytest.mark.req("SE-02")
@pytest.mark.parametrize(
    ("deadlines", "beginning"),
    [
        pytest.param(Deadlines(head=SOON, body=NEVER, idle=NEVER), HALF_HEAD + b"X-Slow: ", id="of the head"),
        pytest.param(
            Deadlines(head=NEVER, body=SOON, idle=NEVER), head("/", {"Content-Length": "9999"}), id="of the body"
        ),
    ],
)
async def test_a_byte_now_and_then_wins_no_time(deadlines: Deadlines, beginning: bytes) -> None:
    async with serving(deadlines=deadlines) as server, Client(server.port) as client:
        client.sends(beginning)
        ended = asyncio.ensure_future(client.is_hung_up_on())
        while not ended.done():
            client.sends(b"x")
            await asyncio.sleep(SOON / 10)
        await ended


@pytest.mark.req("SE-02")
async def test_whoever_asks_and_never_reads_the_answers_is_hung_up_on() -> None:
    async with serving(deadlines=Deadlines(head=NEVER, body=NEVER, idle=SOON)) as server, Client(server.port) as client:
        client.stops_reading()
        client.sends(head("/", {"Content-Length": "2", "X-Large": "1"}) + b"hi")
        async with asyncio.timeout(PATIENCE):
            while not server.asked or server.asked[0].connected:
                await asyncio.sleep(0.01)


async def test_a_request_that_is_answered_has_no_deadline_and_its_connection_goes_on_afterwards() -> None:
    deadlines = Deadlines(head=SOON, body=SOON, idle=NEVER)
    async with serving(deadlines=deadlines) as server, Client(server.port) as client:
        client.sends(head("/", {"Content-Length": "2", "X-Hold": "1"}) + b"hi")
        await server.held.acquire()
        await asyncio.sleep(3 * SOON)  # the deadlines of before pass
        server.hold.set()
        assert await client.hears() == 201
        assert await client.asks(WHOLE) == 201


@pytest.mark.req("SE-02")
@pytest.mark.parametrize(
    ("caps", "address"),
    [
        pytest.param(Caps(in_all=3, by_address=50), "127.0.0.2", id="in all"),
        pytest.param(Caps(in_all=50, by_address=3), HOST, id="by address"),
    ],
)
async def test_at_the_cap_who_has_waited_longest_goes_for_who_comes(caps: Caps, address: str) -> None:
    async with serving(caps) as server, AsyncExitStack() as stack:
        silent, half, asked = [await stack.enter_async_context(Client(server.port)) for _ in range(3)]
        half.sends(HALF_HEAD)
        assert await asked.asks(WHOLE) == 201
        newcomer = await stack.enter_async_context(Client(server.port, address))
        assert await newcomer.asks(WHOLE) == 201
        await silent.is_hung_up_on()
        assert await asked.asks(WHOLE) == 201
        another = await stack.enter_async_context(Client(server.port, address))
        assert await another.asks(WHOLE) == 201
        await half.is_hung_up_on()


@pytest.mark.req("SE-02")
async def test_the_cap_of_one_address_costs_no_other_address_a_connection() -> None:
    async with serving(Caps(in_all=50, by_address=2)) as server, AsyncExitStack() as stack:
        other = await stack.enter_async_context(Client(server.port, "127.0.0.2"))
        assert await other.asks(WHOLE) == 201
        greedy = [await stack.enter_async_context(Client(server.port)) for _ in range(5)]
        for client in greedy[:3]:
            await client.is_hung_up_on()
        for client in (other, *greedy[3:]):
            assert await client.asks(WHOLE) == 201


@pytest.mark.req("SE-02")
@pytest.mark.parametrize("caps", [Caps(in_all=2, by_address=50), Caps(in_all=50, by_address=2)])
async def test_requests_that_are_answered_are_kept_and_who_comes_too_many_is_hung_up_on(caps: Caps) -> None:
    async with serving(caps) as server, Client(server.port) as one, Client(server.port) as two:
        for client in (one, two):
            client.sends(head("/", {"Content-Length": "2", "X-Hold": "1"}) + b"hi")
            await server.held.acquire()
        async with Client(server.port) as third:
            await third.is_hung_up_on()
        server.hold.set()
        assert [await one.hears(), await two.hears()] == [201, 201]
        async with Client(server.port) as third:
            assert await third.asks(WHOLE) == 201


async def test_who_leaves_makes_room() -> None:
    async with serving(Caps(in_all=2, by_address=2)) as server, Client(server.port) as stays:
        assert await stays.asks(WHOLE) == 201
        for _ in range(5):
            async with Client(server.port) as passing:
                assert await passing.asks(WHOLE) == 201
            await stays.asks(WHOLE)  # the server hears of the end before
        assert await stays.asks(WHOLE) == 201


@pytest.mark.req("SE-01")
async def test_a_compressed_body_reaches_the_handler_as_it_came() -> None:
    small = gzip.compress(b"hi")
    async with serving() as server, Client(server.port) as client:
        sent = head("/", {"Content-Length": str(len(small)), "Content-Encoding": "gzip"}) + small
        assert await client.asks(sent) == 200, "it was unpacked"


async def test_a_head_of_too_many_lines_is_refused() -> None:
    many = {f"X-{number}": "x" for number in range(MOST_HEADERS + 1)}
    async with serving() as server, Client(server.port) as client:
        assert await client.asks(head("/", many)) == 400


@pytest.mark.req("SE-02")
async def test_the_watch_port_keeps_a_cap_and_answers_while_idle_ones_fill_it() -> None:
    async def nothing_waits() -> Queue:
        return Queue()

    async def no_books() -> Books:
        return Books(rules=0, spent=Amount())

    asked = Asked(waits=nothing_waits, books=no_books)
    probes = Probes(Readiness(), Metrics(ManualClock(), ()), asked)
    async with serve(probes, HOST, 0) as port, AsyncExitStack() as stack:
        idle = [await stack.enter_async_context(Client(port)) for _ in range(CAPS.by_address)]
        async with Client(port) as supervisor:
            for _ in range(2):
                assert await supervisor.asks(head("/healthz", {}, "GET")) == 200
        await idle[0].is_hung_up_on()
