"""A file on its way into a thread, through the real SDK: what Slack takes, and what we make of its refusals."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from app.clock import SystemClock
from app.core.errors import SlackRefused, SlackUnavailable
from app.core.thread import ThreadKey
from app.http_server import listen
from app.playground.slack import Fault, SlackOptions, SlackPlayground
from app.playground.slack.values.options import BOT_SCOPES
from handlers.outbound.delivery import File, share
from handlers.outbound.pacer import Pacer
from handlers.outbound.web import SlackCaller, SlackWeb
from tests.memory_store import MemoryLedger

PAGE = File(name="where-do-we-go.html", content="<!doctype html><p>Wohin? → hier".encode(), comment="📄 <@U1>, here.")


class Place:
    """A thread in #general, and a line to it."""

    def __init__(self, slack: SlackPlayground, thread: ThreadKey) -> None:
        clock = SystemClock()
        self.slack, self.thread = slack, thread
        self.web = SlackWeb(slack.bot_token, slack.api_url)
        self.line = SlackCaller(self.web, Pacer(clock, slack.team_id, MemoryLedger(clock)), clock)

    async def close(self) -> None:
        await self.line.pacer.close()
        await self.web.close()
        await self.slack.stop()


async def place_with(**options: object) -> Place:
    slack = SlackPlayground(SlackOptions(limits=False, **options))  # pyright: ignore[reportArgumentType]
    await slack.start()
    channel = slack.workspace.channel_named("general")
    assert channel is not None
    root = await slack.people.says("Maya", "#general", "a decision")
    return Place(slack, ThreadKey(team=slack.team_id, channel=channel.id, root=root))


@pytest.fixture
async def place() -> AsyncGenerator[Place]:
    place = await place_with()
    yield place
    await place.close()


async def test_a_file_stands_in_the_thread_byte_by_byte_with_its_comment(place: Place) -> None:
    await share(place.line, place.thread, PAGE)
    (file,) = place.slack.people.files("Sam", "#general", place.thread.root)
    assert (file.name, file.title, file.content) == (PAGE.name, PAGE.name, PAGE.content)
    (message,) = place.slack.people.sees("Sam", "#general", place.thread.root)[1:]
    assert message.text == PAGE.comment
    assert place.slack.people.files("Sam", "#general") == []


async def test_without_the_scope_slack_says_which_and_nothing_is_posted() -> None:
    place = await place_with(scopes=BOT_SCOPES - {"files:write"})
    with pytest.raises(SlackRefused) as raised:
        await share(place.line, place.thread, PAGE)
    assert raised.value.code == "missing_scope"
    assert place.slack.people.files("Sam", "#general", place.thread.root) == []
    await place.close()


async def test_a_file_whose_sharing_is_uncertain_is_not_sent_again(place: Place) -> None:
    place.slack.faults.add(Fault("files.completeUploadExternal", "drop_after"))
    with pytest.raises(SlackUnavailable) as raised:
        await share(place.line, place.thread, PAGE)
    assert raised.value.ambiguous
    assert len(place.slack.people.files("Sam", "#general", place.thread.root)) == 1


async def test_bytes_that_are_not_as_many_as_announced_are_refused(place: Place) -> None:
    announced = await place.web.call("files.getUploadURLExternal", filename="x.txt", length=3)
    with pytest.raises(SlackRefused) as raised:
        await place.web.upload(announced["upload_url"], b"four")
    assert raised.value.code == "http_400"


@asynccontextmanager
async def server(path: str, answer: Callable[[web.Request], Awaitable[web.Response]]) -> AsyncGenerator[str]:
    """Gives the address of one that answers POSTs to a path."""
    application = web.Application()
    application.router.add_post(path, answer)
    async with listen(web.AppRunner(application), "127.0.0.1", 0) as port:
        yield f"http://127.0.0.1:{port}"


async def test_what_is_said_with_a_file_stands_in_no_address_that_a_proxy_would_log() -> None:
    queries: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        queries.append(request.query_string)
        return web.json_response({"ok": (await request.post())["initial_comment"] == PAGE.comment, "error": "lost"})

    async with server("/api/files.completeUploadExternal", answer) as address:
        client = SlackWeb("xoxb-1", f"{address}/api/")
        await client.call("files.completeUploadExternal", files="[]", initial_comment=PAGE.comment)
        await client.close()
    assert queries == [""]


@pytest.mark.parametrize("status", [429, 502])
async def test_an_address_that_cannot_take_bytes_now_is_an_outage_and_is_shown_no_token(status: int) -> None:
    tokens: list[str | None] = []

    async def answer(request: web.Request) -> web.Response:
        tokens.append(request.headers.get("Authorization"))
        return web.Response(status=status)

    async with server("/upload", answer) as address:
        client = SlackWeb("xoxb-1", "http://127.0.0.1:1/api/")
        for place in (f"{address}/upload", "http://127.0.0.1:1/upload", "no address"):
            with pytest.raises(SlackUnavailable):
                await client.upload(place, b"x")
        await client.close()
    assert tokens == [None]
