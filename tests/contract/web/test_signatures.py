"""Over HTTP nothing is unpacked, parsed or kept of what does not prove that it is Slack's."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import hmac
import zlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.async_app import AsyncApp

from app.http_server import Caps
from handlers.inbound.listen import MOST_BYTES, PATH, HttpEndpoint, serve_http
from tests.contract.store.clock import ManualClock
from tests.contract.web.strangers import HOST, Client, head

SECRET = "secret"
EVENT = b'{"type": "event_callback"}'


class Bolt(AsyncApp):
    """Everything behind the signature: it keeps the bodies that came so far."""

    def __init__(self) -> None:
        super().__init__(token="xoxb-1", signing_secret=SECRET)
        self.heard: list[bytes] = []

    def server(self, *_: Any, **__: Any) -> Any:
        return self

    async def handle_post_requests(self, request: web.Request) -> web.Response:
        self.heard.append(await request.read())
        return web.Response()


class Port:
    def __init__(self, number: int, bolt: Bolt, clock: ManualClock) -> None:
        self.number, self.bolt, self.clock = number, bolt, clock

    def signed(self, body: bytes, secret: str = SECRET, **headers: str) -> bytes:
        """A whole request with a signature of these bytes."""
        return head(PATH, {**self.signature(body, secret), "Content-Length": str(len(body)), **headers}) + body

    def signature(self, body: bytes, secret: str = SECRET) -> dict[str, str]:
        at = str(int(self.clock.now().timestamp()))
        mac = hmac.new(secret.encode(), b"v0:" + at.encode() + b":" + body, hashlib.sha256)
        return {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": f"v0={mac.hexdigest()}"}


@pytest.fixture
async def port() -> AsyncGenerator[Port]:
    async with listened() as port:
        yield port


@asynccontextmanager
async def listened(in_all: int = 16, by_address: int = 16) -> AsyncGenerator[Port]:
    bolt, clock = Bolt(), ManualClock()
    where = HttpEndpoint(HOST, 0, SECRET, Caps(in_all=in_all, by_address=by_address))
    async with serve_http(bolt, where, clock) as number:
        yield Port(number, bolt, clock)


async def test_what_slack_signed_goes_on_as_it_came(port: Port) -> None:
    async with Client(port.number) as slack:
        assert await slack.asks(port.signed(EVENT)) == 200
        assert await slack.asks(port.signed("Grüße 🦜".encode())) == 200, "the connection is kept"
    assert port.bolt.heard == [EVENT, "Grüße 🦜".encode()]


@pytest.mark.req("SE-01")
async def test_without_a_signature_no_byte_of_the_body_is_waited_for(port: Port) -> None:
    async with Client(port.number) as stranger:
        assert await stranger.asks(head(PATH, {"Content-Length": "1000"})) == 401
        await stranger.is_hung_up_on()
    assert port.bolt.heard == []


@pytest.mark.req("SE-01", "S0-001")
@pytest.mark.parametrize("path", [PATH, "/", "/slack/install"])
async def test_a_signature_with_another_secret_or_of_another_body_opens_no_path(port: Port, path: str) -> None:
    for claim in (port.signature(EVENT, "guessed"), port.signature(b"something else")):
        async with Client(port.number) as stranger:
            length = {"Content-Length": str(len(EVENT))}
            assert await stranger.asks(head(path, {**claim, **length}) + EVENT) == 401
    assert port.bolt.heard == []


@pytest.mark.req("SE-01")
async def test_a_signed_request_that_is_repeated_after_five_minutes_is_refused(port: Port) -> None:
    recorded = port.signed(EVENT)
    port.clock.advance(301)
    async with Client(port.number) as replayer:
        assert await replayer.asks(recorded) == 401
    assert port.bolt.heard == []


@pytest.mark.req("SE-01")
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, identity"])
async def test_a_compressed_body_is_refused_unread_even_if_its_bytes_are_signed(port: Port, encoding: str) -> None:
    body = gzip.compress(EVENT) if "gzip" in encoding else zlib.compress(EVENT)
    signed = port.signed(body, **{"Content-Encoding": encoding})
    async with Client(port.number) as client:
        assert await client.asks(signed.removesuffix(body)) == 415
    assert port.bolt.heard == []


@pytest.mark.req("SE-01")
async def test_a_body_of_more_than_a_megabyte_is_refused_by_its_announcement(port: Port) -> None:
    body = b"x" * (MOST_BYTES + 1)
    async with Client(port.number) as client:
        assert await client.asks(port.signed(body).removesuffix(body)) == 413
    body = body[1:]
    async with Client(port.number) as client:
        assert await client.asks(port.signed(body)) == 200
    assert port.bolt.heard == [body]


@pytest.mark.req("SE-01")
async def test_a_body_in_chunks_is_refused_where_it_passes_a_megabyte_and_its_end_is_not_waited_for(port: Port) -> None:
    claim = {**port.signature(EVENT), "Transfer-Encoding": "chunked"}
    chunk = b"%x\r\n" % (MOST_BYTES // 2) + b"x" * (MOST_BYTES // 2) + b"\r\n"
    async with Client(port.number) as client:
        client.sends(head(PATH, claim) + chunk + chunk)
        client.sends(b"1\r\nx\r\n")
        assert await client.hears() == 413
    async with Client(port.number) as client:
        assert await client.asks(head(PATH, claim) + b"%x\r\n%b\r\n0\r\n\r\n" % (len(EVENT), EVENT)) == 200


@pytest.mark.parametrize("claimed", [len(EVENT) - 1, len(EVENT) + 1])
async def test_a_length_that_lies_proves_nothing(port: Port, claimed: int) -> None:
    async with Client(port.number) as client:
        client.sends(head(PATH, {**port.signature(EVENT), "Content-Length": str(claimed)}) + EVENT)
        if claimed < len(EVENT):
            assert await client.hears() in (400, 401)  # the byte too many is no second request
    assert port.bolt.heard == []


async def test_what_is_no_http_is_answered_and_hung_up_on(port: Port) -> None:
    for garbage in (
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"POST /slack/events\r\nx\r\n\r\n",
        b"GET " + b"x" * 20_000,
    ):
        async with Client(port.number) as stranger:
            assert await stranger.asks(garbage) == 400
            await stranger.is_hung_up_on()


async def test_a_broken_chunk_is_refused(port: Port) -> None:
    claim = {**port.signature(EVENT), "Transfer-Encoding": "chunked"}
    async with Client(port.number) as stranger:
        assert await stranger.asks(head(PATH, claim) + b"nonsense\r\n\r\n") in (400, 401)
    assert port.bolt.heard == []


@pytest.mark.req("SE-01", "SE-19")
async def test_beside_a_flood_of_unsigned_requests_a_signed_one_is_answered_in_its_turn(port: Port) -> None:
    unsigned = head(PATH, {"Content-Length": str(len(EVENT))}) + EVENT
    answers: list[str] = []

    async def flood(stranger: Client) -> None:
        for _ in range(40):
            assert await stranger.asks(unsigned) == 401
        answers.append("unsigned")

    async with Client(port.number) as one, Client(port.number) as two, Client(port.number) as slack:
        floods = [asyncio.ensure_future(flood(stranger)) for stranger in (one, two)]
        await asyncio.sleep(0)
        assert await slack.asks(port.signed(EVENT)) == 200
        answers.append("signed")
        await asyncio.gather(*floods)
    assert answers[0] == "signed"


@pytest.mark.req("SE-02")
async def test_a_signed_request_is_answered_while_idle_and_half_sent_ones_fill_every_place() -> None:
    async with listened(in_all=4, by_address=3) as port:
        half = head(PATH, port.signature(EVENT) | {"Content-Length": "30"})
        beginnings = (b"", b"POST", half, half)
        async with Client(port.number) as a, Client(port.number) as b, Client(port.number, "127.0.0.2") as c:
            for client, beginning in zip((a, b, c), beginnings, strict=False):
                client.sends(beginning)
            async with Client(port.number, "127.0.0.2") as d, Client(port.number) as slack:
                d.sends(half)
                assert await slack.asks(port.signed(EVENT)) == 200
            await a.is_hung_up_on()
