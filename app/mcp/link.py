"""The link to one tool server: made when it is needed, ended when the server hangs, dies or floods.

One task of its own holds the session, because the SDK wants it opened and closed in the same one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, Final

import structlog
from mcp import ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    EmbeddedResource,
    Implementation,
    PaginatedRequestParams,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
    ToolListChangedNotification,
)

from app.core.errors import OutcomeUnknown, OutOfReach
from app.mcp.listing import MOST_TOOLS, build_listing
from app.mcp.server_file import Server
from app.mcp.transport import Quota, connect
from app.ports.servers import ServedTool, ServerAnswer, ServerListing

log = structlog.get_logger(__name__)

LONGEST_ANSWER: Final = 20_000
"""Characters of an answer that are kept."""

MOST_PAGES = 5

AWAY = "The server {server} cannot be reached just now. Nothing was sent. Go on without it, and say so."
CHANGED = (
    "The server {server} has changed what it says of {tool}, so nothing was sent. It can be used in your next answer."
)
LOST = "The server {server} ended or sent nothing that can be read. Go on without it, and say so."
LATE = "The server {server} did not answer in time. Go on without it, and say so."
LEFT_OUT = "({kind} left out)"
CUT = "…({count} more characters)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds for a server, less than a tool has in all."""

    connect: float = 8.0
    answer: float = 20.0
    sign: float = 3.0
    """For a sign of life after a call that was too late."""
    relist: float = 5.0
    """Between two looks at tools that are said to have changed."""


class ServerLink:
    """Link to one server. `listing` is what is known of its tools, also while it is away."""

    def __init__(self, name: str, server: Server, patience: Patience) -> None:
        self._name, self._server, self._patience = name, server, patience
        self._session: ClientSession | None = None
        self._task: asyncio.Task[None] | None = None
        self._one = asyncio.Lock()
        self._over, self._stale, self._quota = asyncio.Event(), asyncio.Event(), Quota()
        self.listing = ServerListing(server=name, fault="not tried yet")

    async def open(self) -> ClientSession | None:
        """Return the session; connect if there is none. None if that fails: the listing says why."""
        async with self._one:
            if self._session is not None and not self._over.is_set():
                return self._session
            await self._drop()
            self._over, self._stale, self._quota = asyncio.Event(), asyncio.Event(), Quota()
            ready = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._hold(ready, self._over))
            try:
                self._session = await ready
            except asyncio.CancelledError:
                self._over.set()
                raise
            return self._session

    async def close(self) -> None:
        """End the link, with the child process if there is one."""
        async with self._one:
            await self._drop()

    async def call(self, tool: ServedTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        """See `ToolServers.call`."""
        session = await self.open()
        if session is None:
            raise OutOfReach(AWAY.format(server=self._name))
        if tool.digest not in {each.digest for each in self.listing.tools}:
            raise OutOfReach(CHANGED.format(server=self._name, tool=tool.name))
        self._quota.renew()
        over = self._over
        try:
            async with asyncio.timeout(self._patience.answer):
                # The SDK's own `call_tool` would check the answer against the server's schema, with its expressions.
                result = await session.send_request(
                    CallToolRequest(params=CallToolRequestParams(name=tool.name, arguments=dict(arguments))),
                    CallToolResult,
                )
        except TimeoutError as error:
            self._probe(session, over)
            raise OutcomeUnknown(LATE.format(server=self._name)) from error
        except asyncio.CancelledError:
            self._probe(session, over)
            raise
        except MCPError as error:
            if error.code == CONNECTION_CLOSED or over.is_set():
                over.set()
                raise OutcomeUnknown(LOST.format(server=self._name)) from error
            return ServerAnswer(text=_cut(str(error.message)), failed=True)
        except Exception as error:  # whatever the SDK makes of a broken answer
            log.warning("server_broken", error=type(error).__name__)
            raise OutcomeUnknown(LOST.format(server=self._name)) from error
        return ServerAnswer(text=_read_content(result), failed=bool(result.is_error))

    async def _drop(self) -> None:
        self._over.set()
        self._session = None
        if self._task is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience.connect):
                    await asyncio.wait([self._task])
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _hold(self, ready: asyncio.Future[ClientSession | None], over: asyncio.Event) -> None:
        """Hold the session until it is over."""
        fault = "it ended"
        try:
            async with connect(self._server, self._quota, over) as (heard, said):
                us = Implementation(name="threadwise", version=version("threadwise"))
                async with ClientSession(heard, said, message_handler=self._notice, client_info=us) as session:
                    if await self._begin(session):
                        ready.set_result(session)
                        await self._keep_listing(session, over)
                    else:
                        fault = "it does not answer"
        except FileNotFoundError:
            fault = "its command is not there"
        except Exception as error:  # noqa: BLE001 – a server may break in any way, and costs nobody but itself
            fault = "it cannot be reached, or does not speak the protocol"
            log.warning("server_away", error=type(error).__name__)
        finally:
            over.set()
            self.listing = replace(self.listing, fault=fault)
            if not ready.done():
                ready.set_result(None)

    async def _begin(self, session: ClientSession) -> bool:
        """Greet the server and list its tools. Return False if it does not answer in time."""
        try:
            async with asyncio.timeout(self._patience.connect):
                await session.initialize()
                await self._list(session)
        except TimeoutError:
            return False
        return True

    async def _keep_listing(self, session: ClientSession, over: asyncio.Event) -> None:
        """List the tools again whenever the server says that they have changed, until it is over."""
        while not over.is_set():
            waits = [asyncio.ensure_future(each.wait()) for each in (over, self._stale)]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waits:
                    each.cancel()
            if not over.is_set():
                self._stale.clear()
                async with asyncio.timeout(self._patience.connect):
                    await self._list(session)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._patience.relist):
                        await over.wait()

    async def _list(self, session: ClientSession) -> None:
        told, cursor = list[Tool](), None
        for _ in range(MOST_PAGES):
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
            told += page.tools
            cursor = page.next_cursor
            if not cursor or len(told) > MOST_TOOLS:
                break
        self.listing = await asyncio.to_thread(build_listing, self._name, told, self._server.reads)

    async def _notice(self, message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._stale.set()

    def _probe(self, session: ClientSession, over: asyncio.Event) -> None:
        """End the link unless the server gives a sign of life: others may have calls there."""

        async def probe() -> None:
            try:
                async with asyncio.timeout(self._patience.sign):
                    await session.send_ping()
            except Exception:  # noqa: BLE001 – any answer but a good one is no sign of life
                over.set()

        task = asyncio.create_task(probe())
        _PROBES.add(task)
        task.add_done_callback(_PROBES.discard)


_PROBES = set[asyncio.Task[None]]()
"""The loop itself holds tasks weakly."""


def _read_content(result: CallToolResult) -> str:
    """Return the text of an answer; other content is named and left out."""
    parts = [_read_part(part) for part in result.content[:100]]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return _cut("\n".join(parts))


def _read_part(part: Any) -> str:
    if isinstance(part, TextContent):
        return part.text
    if isinstance(part, ResourceLink):
        return f"{part.name}: {part.uri}"
    if isinstance(part, EmbeddedResource) and isinstance(part.resource, TextResourceContents):
        return part.resource.text
    return LEFT_OUT.format(kind=part.type)


def _cut(text: str) -> str:
    more = len(text) - LONGEST_ANSWER
    return text if more <= 0 else f"{text[:LONGEST_ANSWER]}{CUT.format(count=more)}"
