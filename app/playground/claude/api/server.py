"""The Messages API on loopback: its routes, and the path of a request to its answer.

It is strict where the API is strict, and scripted where the API would think. It contains no rule and no format of its
own.
"""

import asyncio
import math
from collections import deque
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from aiohttp import web

from app.http_server import listen
from app.playground.claude.api.answer import Answer, compose
from app.playground.claude.api.exchange import Exchange
from app.playground.claude.api.http import REQUEST_ID, build_headers, build_middleware, read_json
from app.playground.claude.api.models import MODELS
from app.playground.claude.api.player import Player, wait_for_gates, wait_forever
from app.playground.claude.api.prompt import Prompt
from app.playground.claude.api.refusals import Refusal, build_invalid_request
from app.playground.claude.api.rules import (
    LARGEST_REQUEST,
    PROMPT_RULES,
    TOOL_RULES,
    History,
    PausedTurns,
    check_max_tokens,
)
from app.playground.claude.api.script import Cut, HtmlFault, HttpFault, NoAnswer, Script, Turn
from app.playground.claude.api.signatures import Signer
from app.playground.claude.api.usage import PromptCache
from app.playground.claude.api.web.uses import Sealer, WebUses
from app.playground.journal import Journal

_KEPT = 1000  # exchanges; older ones are forgotten, to bound the memory of a long test
_SHUTDOWN = 0.1  # seconds; open streams are cancelled before, so no request is left to wait for
_ERROR_PAGE = "<html><head><title>{0}</title></head><body><h1>{0} Bad Gateway</h1></body></html>"


@dataclass(frozen=True)
class ClaudeOptions:
    """Settings of one emulator."""

    api_key: str = "sk-ant-playground"
    """The one accepted key. Thinking is signed with it, so it also identifies the account."""
    journal: Path | None = None
    """A file for the journal, beside the one in memory."""


class ClaudePlayground:
    """A server that speaks the Messages API. Set its answers with `script`; read what it received in `requests`."""

    def __init__(self, options: ClaudeOptions | None = None) -> None:
        options = options or ClaudeOptions()
        self.api_key = options.api_key
        self.script = Script()
        self.journal = Journal(options.journal)
        self._port = 0
        """TCP port on 127.0.0.1; 0 takes a free one."""
        self._exchanges: deque[Exchange] = deque(maxlen=_KEPT)
        self._arrivals = 0
        self._arrived = asyncio.Condition()
        self._open: set[asyncio.Task[object]] = set()
        self._cache = PromptCache()
        self._signer = Signer(options.api_key)
        self._paused = PausedTurns()
        self._sealer = Sealer(options.api_key)
        self._history = History(self._signer, self._paused, self._sealer)
        self._listening = AsyncExitStack()

    @property
    def url(self) -> str:
        """Return the base URL for the SDK. It is valid after `start`; a restart keeps the port."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def requests(self) -> Sequence[Exchange]:
        """Return the requests for an answer, oldest first; the last 1,000."""
        return tuple(self._exchanges)

    async def arrival(self, number: int) -> Exchange:
        """Wait for the request of that number, counted from 1, to arrive."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: self._arrivals >= number)
        return self._exchanges[number - 1 - self._arrivals]

    async def start(self) -> None:
        """Listen on loopback."""
        middlewares = [build_middleware(self.api_key, self.journal)]
        app = web.Application(middlewares=middlewares, client_max_size=LARGEST_REQUEST)
        app.router.add_post("/v1/messages", self._messages)
        app.router.add_post("/v1/messages/count_tokens", self._count_tokens)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/v1/models/{id}", self._model)
        runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=_SHUTDOWN)
        self._port = await self._listening.enter_async_context(listen(runner, "127.0.0.1", self._port))

    async def stop(self) -> None:
        """Stop listening and cut off the answers in progress."""
        for exchange in self._exchanges:
            exchange.end("failed")
        for task in self._open:
            task.cancel()
        await self._listening.aclose()

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        exchange = Exchange(request[REQUEST_ID], _build_headers(request), await read_json(request))
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._take_in(exchange)
            return await self._answer(request, exchange)
        except Refusal:
            exchange.end("refused")
            raise
        except (asyncio.CancelledError, ConnectionError):
            exchange.end("aborted")
            raise
        finally:
            exchange.end("failed")  # a predicate or a computed answer raised; aiohttp logs it and answers 500
            self._open.discard(task)
            self.journal.write(exchange.outcome, id=exchange.id, sent=exchange.sent)

    async def _take_in(self, exchange: Exchange) -> None:
        asked = {name: exchange.body.get(name) for name in ("model", "stream", "max_tokens")}
        self.journal.write("request", id=exchange.id, **asked)
        self._exchanges.append(exchange)
        self._arrivals += 1
        async with self._arrived:
            self._arrived.notify_all()

    async def _answer(self, request: web.Request, exchange: Exchange) -> web.StreamResponse:
        prompt = exchange.prompt
        check_max_tokens(prompt)
        self._check(prompt)
        turn = self.script.take(prompt)
        match turn.fault:
            case HttpFault():
                exchange.end("failed")
                raise _build_http_error(turn.fault)
            case HtmlFault(status):
                exchange.end("failed")
                page = _ERROR_PAGE.format(status)
                return web.Response(status=status, text=page, content_type="text/html")
            case NoAnswer():
                await wait_forever()
            case Cut() if not prompt.streams:
                raise build_invalid_request("playground: a turn that is cut needs a streamed request")
            case _:
                pass
        answer = self._compose(turn, prompt)
        if prompt.streams:
            return await Player(request, exchange, build_headers(request)).play(answer, turn)
        await wait_for_gates(turn, math.inf)
        exchange.end("answered")
        return web.json_response(answer.message(), headers=build_headers(request))

    def _compose(self, turn: Turn, prompt: Prompt) -> Answer:
        web = WebUses(prompt, self._sealer)
        turn = web.expand(turn)
        usage = replace(self._cache.meter(prompt), searches=web.searches, fetches=web.fetches)
        answer = compose(turn, prompt, usage, lambda shown: self._signer.sign(shown, prompt))
        if turn.stop_reason == "pause_turn":
            self._paused.add(answer.content)
        return answer

    def _check(self, prompt: Prompt) -> None:
        for rule in (*PROMPT_RULES, *TOOL_RULES):
            rule(prompt)
        self._history.check(prompt)

    async def _count_tokens(self, request: web.Request) -> web.Response:
        prompt = Prompt.read(await read_json(request))
        self._check(prompt)
        tokens = prompt.prefixes[-1].tokens
        return web.json_response({"input_tokens": tokens}, headers=build_headers(request))

    async def _models(self, request: web.Request) -> web.Response:
        data = [model.info() for model in MODELS.values()]
        page = {
            "data": data,
            "has_more": False,
            "first_id": data[0]["id"],
            "last_id": data[-1]["id"],
        }
        return web.json_response(page, headers=build_headers(request))

    async def _model(self, request: web.Request) -> web.Response:
        model = MODELS.get(request.match_info["id"])
        if model is None:
            raise Refusal(404, f"model: {request.match_info['id']}")
        return web.json_response(model.info(), headers=build_headers(request))


def _build_headers(request: web.Request) -> dict[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}


def _build_http_error(fault: HttpFault) -> Refusal:
    after = fault.retry_after
    headers = {} if after is None else {"retry-after": f"{after:g}"}
    return Refusal(fault.status, fault.message, error_code=fault.error_code, headers=headers)
