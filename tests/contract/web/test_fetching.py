"""Fetching of a person's file: from Slack alone, without following anything elsewhere, up to a limit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from app.core.errors import FetchFault, FileNotFetched
from handlers.outbound.web import SlackWeb

TOKEN = "xoxb-secret"


class Host:
    """A server that answers with what it was given, and keeps the tokens that it was shown."""

    def __init__(self) -> None:
        self.answer, self.shown = web.Response(body=b"City,Rent", content_type="text/csv"), list[str]()
        self.is_endless, self.leads_on = False, 0
        app = web.Application()
        app.router.add_get("/{path:.*}", self._serve)
        self.server = TestServer(app)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self.shown.append(request.headers.get("Authorization", ""))
        if len(self.shown) <= self.leads_on:
            return web.Response(status=302, headers={"Location": "/files-origin/costs.csv"})
        return await self._pour(request) if self.is_endless else self.answer

    async def _pour(self, request: web.Request) -> web.StreamResponse:
        """Send until nobody listens."""
        sent = web.StreamResponse(headers={"Content-Type": "text/csv"})
        await sent.prepare(request)
        while True:
            await sent.write(b"City,Rent\n" * 1_000)

    def answers(self, body: bytes, kind: str, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.answer = web.Response(body=body, content_type=kind, status=status, headers=headers)

    @property
    def address(self) -> str:
        return str(self.server.make_url("/files-pri/T1-F1/costs.csv"))


@pytest.fixture
async def host() -> AsyncGenerator[Host]:
    host = Host()
    await host.server.start_server()
    yield host
    await host.server.close()


async def fetch(host: Host, address: str, most: int = 100) -> bytes | FetchFault:
    """Fetch with this host as the configured Slack; gives the bytes, or why there are none."""
    slack = SlackWeb(TOKEN, str(host.server.make_url("/api/")))
    try:
        return await slack.download(address, most)
    except FileNotFetched as error:
        return error.reason
    finally:
        await slack.close()


@pytest.mark.req("IN-03")
async def test_a_file_is_fetched_with_our_token(host: Host) -> None:
    assert await fetch(host, host.address) == b"City,Rent"
    assert host.shown == [f"Bearer {TOKEN}"]


@pytest.mark.req("IN-03")
@pytest.mark.parametrize(
    "address",
    [
        "http://files.slack.com/files-pri/T1-F1/costs.csv",
        "http://files.slack.com:443/files-pri/T1-F1/costs.csv",
        "https://files.slack.com.example.com/costs.csv",
        "https://notslack.com/costs.csv",
        "https://files.slack.com:8443/costs.csv",
        "https://me@files.slack.com/costs.csv",
        "http://127.0.0.1:9/costs.csv",
        "http://[::1/costs.csv",
        "file:///etc/passwd",
        "costs.csv",
        "",
    ],
)
async def test_no_address_but_slacks_own_is_asked_and_shown_our_token(host: Host, address: str) -> None:
    assert await fetch(host, address) is FetchFault.ELSEWHERE


@pytest.mark.req("IN-03")
async def test_a_redirect_to_another_address_of_slacks_is_followed_with_our_token(host: Host) -> None:
    """In an organisation, files.slack.com leads to files-origin.slack.com, which wants the token again."""
    host.leads_on, shown = 2, f"Bearer {TOKEN}"
    assert await fetch(host, host.address) == b"City,Rent"
    assert host.shown == [shown, shown, shown]


@pytest.mark.req("IN-03")
async def test_redirects_in_a_circle_are_given_up(host: Host) -> None:
    host.leads_on = 1_000
    assert await fetch(host, host.address) is FetchFault.LOGIN_PAGE
    assert len(host.shown) < 10


@pytest.mark.req("IN-03")
@pytest.mark.parametrize("to", ["http://files.slack.com/costs.csv", "https://files.slack.com.example.com/costs.csv"])
async def test_a_redirect_to_no_address_of_slacks_is_not_followed(host: Host, to: str) -> None:
    host.answers(b"", "text/plain", 302, {"Location": to})
    assert await fetch(host, host.address) is FetchFault.LOGIN_PAGE


@pytest.mark.req("IN-03")
async def test_a_redirect_elsewhere_is_not_followed(host: Host) -> None:
    other = Host()
    await other.server.start_server()
    host.answers(b"", "text/plain", 302, {"Location": other.address})
    assert await fetch(host, host.address) is FetchFault.LOGIN_PAGE
    assert other.shown == []
    await other.server.close()


@pytest.mark.req("IN-03")
@pytest.mark.parametrize(("most", "found"), [(9, b"City,Rent"), (8, FetchFault.TOO_LARGE)])
async def test_no_more_bytes_are_taken_than_the_limit(host: Host, most: int, found: bytes | FetchFault) -> None:
    assert await fetch(host, host.address, most) == found


@pytest.mark.req("IN-03")
async def test_a_file_without_an_end_is_given_up_at_the_limit(host: Host) -> None:
    host.is_endless = True
    async with asyncio.timeout(5):
        assert await fetch(host, host.address, 100_000) is FetchFault.TOO_LARGE


@pytest.mark.req("IN-02")
async def test_a_login_page_is_no_file_but_a_page_that_was_shared_is(host: Host) -> None:
    host.answers(b"<html>Sign in</html>", "text/html")
    assert await fetch(host, host.address) is FetchFault.LOGIN_PAGE
    host.answers(b"<html>Ours</html>", "text/html", headers={"Content-Disposition": "attachment; filename=a.html"})
    assert await fetch(host, host.address) == b"<html>Ours</html>"


@pytest.mark.parametrize(("status", "fault"), [(404, FetchFault.DELETED), (503, FetchFault.UNAVAILABLE)])
async def test_what_slack_answers_instead_of_a_file_has_its_name(host: Host, status: int, fault: FetchFault) -> None:
    host.answers(b"", "text/plain", status)
    assert await fetch(host, host.address) is fault
