"""The HTTP side of the Messages API: keys, headers and events on the wire."""

import hmac
import json
from collections.abc import Mapping

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from app.playground.claude.api.answer import create_id
from app.playground.claude.api.prompt import Json, is_object
from app.playground.claude.api.refusals import Refusal, build_invalid_request
from app.playground.journal import Journal

API_VERSION = "2026-10-21"
LARGEST_BODY = 32 * 1024 * 1024  # bytes (Messages API)
REQUEST_ID = web.RequestKey("request_id", str)


def build_headers(request: web.Request) -> Mapping[str, str]:
    """Return the headers of every answer, refusals included."""
    return {
        "request-id": request[REQUEST_ID],
        "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
    }


def build_middleware(api_key: str, journal: Journal) -> Middleware:
    """Return the middleware in front of every route."""
    authorization = f"Bearer {api_key}".encode()

    @web.middleware
    async def admit(request: web.Request, handler: Handler) -> web.StreamResponse:
        request[REQUEST_ID] = create_id("req")
        try:
            _check_headers(request, authorization)
            return await handler(request)
        except web.HTTPNotFound:
            refusal = Refusal(404, f"Not found: {request.path}")
        except Refusal as raised:
            refusal = raised
        journal.write("refusal", id=request[REQUEST_ID], status=refusal.status, message=refusal.sentence)
        return web.json_response(
            refusal.body(request[REQUEST_ID]),
            status=refusal.status,
            headers={**build_headers(request), **refusal.headers},
        )

    return admit


def _check_headers(request: web.Request, authorization: bytes) -> None:
    if not hmac.compare_digest(request.headers.get("authorization", "").encode(), authorization):
        raise Refusal(401)
    version = request.headers.get("anthropic-version")
    if version is None:
        raise build_invalid_request("anthropic-version: header is required")
    if version != API_VERSION:
        raise build_invalid_request(f'anthropic-version: "{version}" is not a valid version')


async def read_json(request: web.Request) -> Json:
    """Read the body, to its end even if it is too large, so that the client gets the refusal."""
    raw = await request.content.read()
    if len(raw) > LARGEST_BODY:
        raise Refusal(413)
    try:
        body = json.loads(raw)
    except ValueError as e:
        raise build_invalid_request("The request body is not valid JSON") from e
    if not is_object(body):
        raise build_invalid_request("The request body is not a JSON object")
    return body


HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
}

PING = b'event: ping\ndata: {"type": "ping"}\n\n'
MALFORMED = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n'

_PADDED = frozenset({"content_block_delta", "content_block_stop", "message_delta"})
_PADDING = (0, 4, 2, 6, 5, 1, 3)  # spaces; they vary without a visible rule, as in real traffic


def encode(event: str, data: Json, nth: int) -> bytes:
    """Return the bytes of the stream's nth event."""
    if event == "ping":
        return PING
    body = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    if event in _PADDED:
        body = f"{body[:-1]}{' ' * _PADDING[nth % len(_PADDING)]}}}"
    return f"event: {event}\ndata: {body}\n\n".encode()
