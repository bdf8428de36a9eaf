"""The page over HTTP: its files, its state, and its actions."""

import asyncio
import hmac
import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from aiohttp import web

from app.playground.slack.page.acts import PageActs
from app.playground.slack.page.view import PageView
from app.playground.slack.values.arguments import read_arguments
from app.playground.slack.values.model import Change, Clock, File
from app.playground.slack.values.refusal import Refusal
from app.playground.slack.values.surfaces import Json
from app.playground.slack.workspace.workspace import Workspace

_HARMLESS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
}
_CHARSETS: Mapping[str, str] = {"text/html": "utf-8", "text/plain": "utf-8"}


def build_file_response(file: File, *, is_download: bool) -> web.Response:
    """Return the answer to a GET of a file."""
    disposition = "attachment" if is_download else "inline"
    named = {"Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(file.name, safe='')}"}
    # A browser shows HTML and plain text; text of other kinds it would only offer to keep.
    is_source = file.mimetype.startswith("text/") and file.mimetype != "text/html"
    shown = "text/plain" if is_source else file.mimetype
    return web.Response(
        body=file.content, content_type=shown, charset=_CHARSETS.get(shown), headers={**_HARMLESS, **named}
    )


PAGE = Path(__file__).parents[2] / "page"
HEARTBEAT = 15.0  # the clock's seconds between signs of life on a quiet event stream
_LOCAL_HOSTS = ("127.0.0.1", "localhost")
NO_TOKEN = "Please open the address that was printed at the start: the token at its end is what lets you in."
_UNFRAMED = {"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY"}
_HEADERS = {**_UNFRAMED, "Referrer-Policy": "no-referrer"}


class PageHttp:
    """Routes for the browser."""

    def __init__(self, workspace: Workspace, acts: PageActs, view: PageView, clock: Clock) -> None:
        self._workspace = workspace
        self._acts = acts
        self._view = view
        self._clock = clock
        self._streams: set[asyncio.Queue[Json | None]] = set()
        self.token = secrets.token_urlsafe(32)
        """New for each emulator, even with the same seed."""

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return all routes."""
        return [
            web.get("/play/state", self.state),
            web.get("/play/events", self.events),
            web.get("/play/files/{file}", self.file),
            web.post("/play/{act}", self.act),
            web.get("/", self.index),
            web.get("/archives/{channel}/{message}", self.permalink),
            web.static("/page", PAGE),
        ]

    async def index(self, request: web.Request) -> web.StreamResponse:
        """Serve the page."""
        return web.FileResponse(PAGE / "index.html")

    async def permalink(self, request: web.Request) -> web.StreamResponse:
        """Send a message link on to the page, which reads the place from the fragment."""
        raise web.HTTPFound(f"/#{request.match_info['channel']}/{request.match_info['message']}")

    async def state(self, request: web.Request) -> web.StreamResponse:
        """Answer GET /play/state?user=U…."""
        return web.json_response(self._view.state(self._viewer(request)))

    async def file(self, request: web.Request) -> web.StreamResponse:
        """Answer GET /play/files/F…?user=U…: the file as a browser shows it, or with `download` as one to keep."""
        file = self._view.file(request.match_info["file"], self._viewer(request))
        if file is None:
            raise web.HTTPNotFound(text="There is no such file, or you are not where it was shared.")
        return build_file_response(file, is_download=bool(request.query.get("download")))

    async def act(self, request: web.Request) -> web.StreamResponse:
        """Answer POST /play/<act>: 400 with a sentence if the person cannot do that."""
        self._refuse_strangers(request)
        act = self._acts.by_name.get(request.match_info["act"])
        if act is None or request.content_type != "application/json":
            return web.json_response({"error": "The playground takes known acts, as JSON."}, status=404)
        try:
            return web.json_response(await act(await read_arguments(request)) or {})
        except (LookupError, PermissionError, ValueError) as problem:
            return web.json_response({"error": str(problem.args[0])}, status=400)
        except Refusal as refusal:
            return web.json_response({"error": "; ".join(refusal.body["errors"])}, status=400)

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Answer GET /play/events?user=U… with one server-sent event for each change this person can see."""
        user = self._viewer(request)
        waiting: asyncio.Queue[Json | None] = asyncio.Queue()

        def hear(change: Change) -> None:
            if told := self._view.event(change, user):
                waiting.put_nowait(told)

        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        # Watch the workspace before the headers are sent: a client that has those misses no change.
        stop_hearing = self._workspace.watch(hear)
        self._streams.add(waiting)
        try:
            await response.prepare(request)
            await _pour(waiting, response, self._clock.real(HEARTBEAT))
        except ConnectionError:
            return response  # the page was closed
        finally:
            stop_hearing()
            self._streams.discard(waiting)
        return response

    def close(self) -> None:
        """End all event streams."""
        for stream in self._streams:
            stream.put_nowait(None)

    def _viewer(self, request: web.Request) -> str:
        self._refuse_strangers(request)
        member = self._workspace.member(request.query.get("user", ""))
        if member is None or member.is_bot:
            first = next(member for member in self._workspace.members.values() if not member.is_bot)
            if request.query.get("user"):
                raise web.HTTPNotFound(text=json.dumps({"error": "There is no such person."}))
            return first.id
        return member.id

    def _refuse_strangers(self, request: web.Request) -> None:
        host = request.host.rsplit(":", 1)[0]
        if host not in _LOCAL_HOSTS or request.headers.get("Origin", _build_origin(request)) != _build_origin(request):
            raise web.HTTPForbidden(text=json.dumps({"error": "Only pages of this machine may look in."}))
        if not hmac.compare_digest(_read_token(request).encode(), self.token.encode()):
            raise web.HTTPUnauthorized(text=json.dumps({"error": NO_TOKEN}), content_type="application/json")


async def forbid_frames(_: web.Request, response: web.StreamResponse) -> None:
    """Forbid that another page shows this one in a frame, or learns its address."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


def _build_origin(request: web.Request) -> str:
    return f"http://{request.host}"


def _read_token(request: web.Request) -> str:
    """Return the token of a request, from its header or, for requests a browser makes by itself, from the address."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token if scheme == "Bearer" else request.query.get("token", "")


async def _pour(waiting: asyncio.Queue[Json | None], response: web.StreamResponse, heartbeat: float) -> None:
    while True:
        try:
            told = await asyncio.wait_for(waiting.get(), heartbeat)
        except TimeoutError:
            await response.write(b": still here\n\n")
            continue
        if told is None:
            return
        await response.write(f"data: {json.dumps(told)}\n\n".encode())
