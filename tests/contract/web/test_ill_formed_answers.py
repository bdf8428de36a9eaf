"""What Slack, or something between it and us, answers against its own rules, through the real SDK."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from app.core.errors import SlackUnavailable
from app.http_server import listen
from handlers.outbound.web import SlackWeb

METHODS = ["chat.postMessage", "users.info"]
"""One that is sent as JSON, and one that is read by GET."""

HTML = b"<html><body>Bad gateway</body></html>"


@asynccontextmanager
async def slack_answers(status: int, kind: str, body: bytes, **headers: str) -> AsyncGenerator[SlackWeb]:
    """A Slack that has only this to say."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, body=body, headers={"Content-Type": kind, **headers})

    application = web.Application()
    application.router.add_route("*", "/api/{method}", answer)
    async with listen(web.AppRunner(application), "127.0.0.1", 0) as port:
        client = SlackWeb("xoxb-1", f"http://127.0.0.1:{port}/api/")
        try:
            yield client
        finally:
            await client.close()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("status", "kind", "body"),
    [
        pytest.param(502, "application/json", HTML, id="HTML that says it is JSON"),
        pytest.param(200, "application/json", b'{"ok": true, "ts": "17', id="JSON that was cut"),
        pytest.param(200, "application/json", b'{"ok": "\xff"}', id="JSON that is no UTF-8"),
        pytest.param(200, "application/json", b"[1]", id="JSON that is a list"),
        pytest.param(200, "application/json", b"null", id="JSON that is nothing"),
        pytest.param(200, "application/json", b"", id="nothing that says it is JSON"),
        pytest.param(200, "text/plain", b"ok", id="a word"),
        pytest.param(200, "text/plain", b"\xff", id="a word that is no UTF-8"),
        pytest.param(503, "text/plain", b"upstream timed out", id="an outage in words"),
        pytest.param(200, "text/html", HTML, id="HTML"),
        pytest.param(502, "text/html", HTML, id="an outage in HTML"),
    ],
)
async def test_an_answer_that_nobody_can_read_is_an_outage_after_which_nothing_is_certain(
    status: int, kind: str, body: bytes, method: str
) -> None:
    async with slack_answers(status, kind, body) as client:
        with pytest.raises(SlackUnavailable) as raised:
            await client.call(method, channel="C1")
    assert raised.value.ambiguous


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "text/html"])
async def test_a_retry_after_is_heard_whatever_it_is_wrapped_in(kind: str) -> None:
    async with slack_answers(429, kind, HTML, **{"Retry-After": "7"}) as client:
        with pytest.raises(SlackUnavailable) as raised:
            await client.call("chat.postMessage", channel="C1")
    assert (raised.value.after, raised.value.ambiguous) == (7, False)


@pytest.mark.req("MW-20")
@pytest.mark.parametrize(("status", "is_unknown"), [(404, True), (405, True), (502, False)])
async def test_a_page_that_knows_no_such_method_says_so_by_its_status(status: int, is_unknown: bool) -> None:
    async with slack_answers(status, "text/html", HTML) as client:
        with pytest.raises(SlackUnavailable) as raised:
            await client.call("agents.sessions.setStatus")
    assert raised.value.is_unknown is is_unknown
    assert not raised.value.unsent


async def test_where_nobody_listens_nothing_was_sent() -> None:
    client = SlackWeb("xoxb-1", "http://127.0.0.1:1/api/")
    with pytest.raises(SlackUnavailable) as raised:
        await client.call("chat.update", channel="C1")
    await client.close()
    assert raised.value.unsent
