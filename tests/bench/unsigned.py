"""Group 10: requests that Slack did not sign, at the port of `run --http`, and a signed one beside a flood of them."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import hmac
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic, time
from uuid import uuid4

from rich.table import Table

from handlers.inbound.listen import PATH
from tests.bench import table
from tests.bench.answers import AT_ONCE
from tests.bench.stage import Lab, Stage, at_work, prepared
from tests.bench.stop import OVER_HTTP
from tests.flow.chat import free_port

HOST = "127.0.0.1"
BURST = 16
"""Requests that a client of the flood sends before it waits for their answers: so they cost this process little."""
CLIENTS = 4
PAUSE = 0.25
"""Seconds between signed requests beside the flood."""
TARGET, ACKNOWLEDGED = 0.0002, 3.0
"""Seconds of CPU that the design allows an unsigned request, and within which Slack wants an answer."""
BODY = json.dumps({"type": "event_callback", "event": {"text": "x" * 800}}).encode()
BOMB = gzip.compress(bytes(2**20))
NOTE = (
    f"A request has {len(BODY)} bytes of body. CPU is that of Threadwise's process, the system's work for it included. "
    f"The flood comes over {CLIENTS} connections, from the process that measures. A signed request is a mention, which "
    "is written down before it is answered; each begins a conversation."
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How many unsigned requests each case has, and how many signed ones come beside the flood."""

    unsigned: int
    signed: int
    samples: int


FULL = Plan(8_000, 20, 3)
QUICK = Plan(1_000, 4, 1)


@dataclass(frozen=True, slots=True)
class Refused:
    """Seconds of CPU for each of many refused requests."""

    cpu: float


@dataclass(frozen=True, slots=True)
class Beside:
    """Seconds until a signed request was answered, and how many others were refused in a second meanwhile."""

    answered: float
    refused: float


def _hundredths(seconds: float) -> str:
    return f"{seconds * 1_000:.2f} ms"


REFUSED = (table.Figure[Refused]("CPU of a request", _hundredths, lambda r: r.cpu, TARGET),)
UNCONNECTED = (table.Figure[Refused]("CPU of a request and its connection", _hundredths, lambda r: r.cpu),)
BESIDE = (
    table.Figure[Beside]("until it is answered", table.milliseconds, lambda b: b.answered, ACKNOWLEDGED),
    table.Figure[Beside]("unsigned ones refused in a second", table.number, lambda b: b.refused),
)


async def measure(lab: Lab) -> Table:
    """Send unsigned requests of three kinds, then over connections of their own, then signed ones beside them."""
    plan, port = QUICK if lab.quick else FULL, free_port()
    async with prepared(delivery="http") as stage, at_work(stage, OVER_HTTP, lab, THREADWISE_HTTP_PORT=str(port)):
        stage.says(AT_ONCE.turn())
        kinds = {
            "no signature": _request(BODY, {}),
            "a signature of something else": _request(BODY, _signature("guessed", BODY)),
            "a megabyte in a kilobyte": _request(BOMB, {**_signature("guessed", BOMB), "Content-Encoding": "gzip"}),
        }
        rows = [
            row
            for kind, request in kinds.items()
            for row in table.compared(kind, REFUSED, [await _refused(stage, port, request, plan) for _ in _each(plan)])
        ]
        alone = [await _unconnected(stage, port, kinds["no signature"], plan) for _ in _each(plan)]
        rows += table.compared("no signature, each over a connection of its own", UNCONNECTED, alone)
        rows += table.compared("a signed request beside them", BESIDE, await _beside(stage, port, plan))
    return table.drawn("10. Unsigned requests", rows, NOTE)


def _each(plan: Plan) -> range:
    return range(plan.samples)


def _signature(secret: str, body: bytes) -> dict[str, str]:
    at = str(int(time()))
    signed = hmac.new(secret.encode(), f"v0:{at}:".encode() + body, hashlib.sha256)
    return {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": f"v0={signed.hexdigest()}"}


def _request(body: bytes, headers: Mapping[str, str]) -> bytes:
    given = {"Host": HOST, "Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"POST {PATH} HTTP/1.1\r\n{lines}\r\n".encode() + body


class _Client(asyncio.Protocol):
    """Sends the same request for ever, or until so many were answered."""

    def __init__(self, request: bytes, most: float) -> None:
        self._request, self._most = request, most
        self._open = 0
        self.answered = 0
        self.done = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        heard = data.count(b"HTTP/1.1 4")
        self.answered += heard
        self._open -= heard
        if self.answered >= self._most:
            self.done.set()
        elif self._open <= 0:
            self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        self.done.set()

    def _send(self) -> None:
        self._open = BURST
        self.transport.write(self._request * BURST)


async def _refused(stage: Stage, port: int, request: bytes, plan: Plan) -> Refused:
    before = stage.bot.cpu
    loop = asyncio.get_running_loop()
    transport, client = await loop.create_connection(lambda: _Client(request, plan.unsigned), HOST, port)
    await client.done.wait()
    transport.close()
    return Refused((stage.bot.cpu - before) / client.answered)


async def _unconnected(stage: Stage, port: int, request: bytes, plan: Plan) -> Refused:
    before, number = stage.bot.cpu, plan.unsigned // 4
    for _ in range(number):
        await _asked(port, request)
    return Refused((stage.bot.cpu - before) / number)


async def _asked(port: int, request: bytes) -> bytes:
    """Give the first line of the answer."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(request)
    line = await reader.readline()
    writer.close()
    return line


async def _beside(stage: Stage, port: int, plan: Plan) -> Sequence[Beside]:
    answers: list[Beside] = []
    async with _flood(port) as clients:
        for channel in stage.channels(plan.signed):
            await asyncio.sleep(PAUSE)
            refused, began = sum(client.answered for client in clients), monotonic()
            line = await _asked(port, _mention(stage, channel))
            assert b" 200 " in line, f"a signed request was answered {line!r}"
            answered = monotonic() - began
            await asyncio.sleep(PAUSE)
            more = sum(client.answered for client in clients) - refused
            answers.append(Beside(answered, more / (monotonic() - began)))
    return answers


@asynccontextmanager
async def _flood(port: int) -> AsyncGenerator[list[_Client]]:
    loop, request = asyncio.get_running_loop(), _request(BODY, {})
    made = [await loop.create_connection(lambda: _Client(request, float("inf")), HOST, port) for _ in range(CLIENTS)]
    try:
        yield [client for _, client in made]
    finally:
        for transport, _ in made:
            transport.close()


def _mention(stage: Stage, channel: str) -> bytes:
    person = next(member.id for member in stage.slack.workspace.members.values() if not member.is_bot)
    said = {"type": "app_mention", "user": person, "channel": channel, "ts": f"{time():.6f}"}
    event = {**said, "text": f"<@{stage.slack.bot_user_id}> please."}
    ids = {"team_id": stage.slack.team_id, "event_id": f"Ev{uuid4().hex}"}
    body = json.dumps({"type": "event_callback", **ids, "event": event}).encode()
    return _request(body, _signature(stage.slack.signing_secret, body))
