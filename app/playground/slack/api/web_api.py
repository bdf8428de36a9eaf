"""The HTTP endpoint of the Web API: POST or GET /api/<method>.

Checks come in Slack's order: the method exists, the token is right, its scope suffices, the rate limit allows it.
Latency and planted faults come before all of them; every call is written to the journal.
"""

import asyncio
import math
from collections import Counter
from dataclasses import dataclass

from aiohttp import web

from app.playground.journal import Journal
from app.playground.slack.api.methods import MANAGING, METHODS, Method
from app.playground.slack.api.site import Site
from app.playground.slack.api.tiers import Meter
from app.playground.slack.values.arguments import Arguments, read_arguments
from app.playground.slack.values.faults import Fault, Faults
from app.playground.slack.values.model import CallFailed, ChannelKind
from app.playground.slack.values.options import SlackOptions
from app.playground.slack.values.refusal import Refusal
from app.playground.slack.values.surfaces import Json
from app.playground.slack.workspace.wire import MANAGING_SCOPE, SCOPE_PREFIX

_HTTP_FAULTS = {"http_500": 500, "http_503": 503}


@dataclass(frozen=True, slots=True)
class Answer:
    """HTTP answer; a status of 0 means that the connection is cut instead."""

    body: Json
    status: int = 200
    retry_after: int | None = None


CUT = Answer({}, status=0)


def build_rate_limited(retry_after: int) -> Answer:
    """Return Slack's HTTP 429."""
    return Answer({"ok": False, "error": "ratelimited"}, 429, retry_after)


class WebApi:
    """All methods behind one handler."""

    def __init__(self, site: Site, options: SlackOptions, faults: Faults, journal: Journal) -> None:
        self._site = site
        self._options = options
        self._faults = faults
        self._journal = journal
        self._meter = Meter(site.clock, options.tiers)
        self.calls: Counter[str] = Counter()
        """Calls of each method; `unknown` counts those of unknown methods."""
        self.unknown: Counter[str] = Counter()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call."""
        name = request.match_info["method"]
        (self.calls if name in METHODS else self.unknown)[name] += 1
        passing, fault = self._faults.passing(name), self._faults.take(name)
        latency = self._options.latency
        await asyncio.sleep(latency.get(name, latency.get("*", 0.0)) + (fault.seconds if fault else 0.0))
        args = Arguments({})
        try:
            args = await read_arguments(request)
            await passing.reaches("before")
            cut = CUT if await passing.reaches("instead") else self._instead(fault)
            answer = cut or self._called(name, _read_token(request, args), args)
        except Refusal as refusal:
            answer = Answer(refusal.body)
        if fault and fault.kind == "drop_after":
            answer = CUT
        self._record(name, args, answer)
        await passing.reaches("after")
        return self._response(request, answer)

    def _instead(self, fault: Fault | None) -> Answer | None:
        """Return the answer of a fault in the method's place."""
        match fault:
            case Fault(kind="http_500" | "http_503" as kind):
                return Answer({"ok": False, "error": "internal_error"}, _HTTP_FAULTS[kind])
            case Fault(kind="http_429"):
                return build_rate_limited(fault.retry_after)
            case Fault(kind="ok_false_ratelimited"):
                return Answer({"ok": False, "error": "ratelimited"})
            case Fault(kind="drop_before"):
                return CUT
            case Fault(kind="error"):
                return Answer({"ok": False, "error": fault.code})
            case _:
                return None

    def _called(self, name: str, token: str, args: Arguments) -> Answer:
        method = METHODS.get(name)
        if method is None:
            raise Refusal("unknown_method", req_method=name)
        self._check_token(method, token)
        self._check_scope(method, args)
        if self._options.limits:
            early = self._meter.wait(name, method.tier, args.text("channel"))
            if early:
                return build_rate_limited(max(1, math.ceil(self._site.clock.real(early))))
        return Answer({"ok": True} | method.call(self._site, args))

    def _check_token(self, method: Method, token: str) -> None:
        app = self._site.app
        if not token:
            raise Refusal("not_authed")
        if token not in (app.bot_token, app.app_token):
            raise Refusal("invalid_auth")
        if token != (app.app_token if method.token == "app" else app.bot_token):
            raise Refusal("not_allowed_token_type")

    def _check_scope(self, method: Method, args: Arguments) -> None:
        kind = self._kind(args)
        is_managing = method.scope == MANAGING
        needed = MANAGING_SCOPE[kind] if is_managing else method.scope and method.scope.replace("*", SCOPE_PREFIX[kind])
        granted = self._site.app.scopes
        if needed and needed not in granted:
            raise Refusal("missing_scope", needed=needed, provided=",".join(sorted(granted)))

    def _kind(self, args: Arguments) -> ChannelKind:
        channel = self._site.workspace.channels.get(args.text("channel"))
        return channel.kind if channel else "group" if args.flag("is_private") else "channel"

    def _record(self, name: str, args: Arguments, answer: Answer) -> None:
        said = {key: value for key, value in args.values.items() if key != "token"}
        entry = self._journal.write("call", method=name, args=said, answer=answer.body, status=answer.status)
        if not answer.body.get("ok"):
            error = answer.body.get("error", "connection dropped")
            self._site.workspace.tell(CallFailed(entry["at"], name, error, answer.status))

    def _response(self, request: web.Request, answer: Answer) -> web.StreamResponse:
        if answer.status == 0 and request.transport is not None:
            request.transport.abort()
        headers = {"x-oauth-scopes": ",".join(sorted(self._site.app.scopes))}
        if answer.retry_after is not None:
            headers["Retry-After"] = str(answer.retry_after)
        return web.json_response(answer.body, status=answer.status or 200, headers=headers)


def _read_token(request: web.Request, args: Arguments) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token if scheme == "Bearer" else args.text("token")
