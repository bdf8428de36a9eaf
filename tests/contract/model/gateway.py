"""A gateway between the app and the API: it lets nothing pass, and answers what it was told to."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from app.http_server import listen

HTML = b"<html><head><title>Sign in</title></head><body><h1>Acme</h1></body></html>"
OPENAI = b'{"error": {"message": "no", "type": "invalid_request_error", "param": null, "code": "401"}}'
PLAIN = b'{"detail": ["no"]}'
"""What gateways say: a page for people, the error of another API, and JSON of their own."""


@dataclass
class Gateway:
    """Answers everything alike. `torn`: the body ends before it should."""

    status: int = 200
    body: bytes = HTML
    content_type: str = "text/html"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    torn: bool = False
    asked: int = 0
    url: str = ""
    authorization: str = ""
    """What the last request has named in this header."""

    def becomes(self, other: Gateway) -> None:
        """Answer as another one from now on."""
        self.status, self.body, self.torn = other.status, other.body, other.torn
        self.content_type, self.headers = other.content_type, other.headers

    async def answers(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        self.asked += 1
        self.authorization = request.headers.get("Authorization", "")
        if not self.torn:
            return web.Response(
                status=self.status, body=self.body, content_type=self.content_type, headers=self.headers
            )
        response = web.StreamResponse(status=self.status, headers=self.headers)
        response.content_type, response.content_length = self.content_type, len(self.body) + 100
        await response.prepare(request)
        await response.write(self.body)
        assert request.transport is not None
        request.transport.close()
        return response


@asynccontextmanager
async def standing(gateway: Gateway) -> AsyncGenerator[Gateway]:
    """Listen on loopback."""
    app = web.Application()
    app.router.add_route("*", "/{any:.*}", gateway.answers)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    async with listen(runner, "127.0.0.1", 0) as port:
        gateway.url = f"http://127.0.0.1:{port}"
        yield gateway
