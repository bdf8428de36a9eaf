"""The connection to one workspace: calls wait for their turn, and Slack's rate limits are reported to the pacer."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Protocol

from app.core.errors import SlackUnavailable
from app.core.model import ThreadKey
from app.ports import Clock
from handlers.pacer import Pacer, Place, Priority
from handlers.web import Answer


class Web(Protocol):
    """The part of `handlers.web.SlackWeb` that is needed here. Raises `SlackUnavailable` and `SlackRefused`."""

    async def call(self, method: str, **arguments: Any) -> Answer:
        """Make a call, with a single attempt."""
        ...

    async def upload(self, address: str, content: bytes) -> None:
        """Upload the bytes of a file to the address that Slack gave for them, with a single attempt."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """Client, budget and clock of one workspace."""

    web: Web
    pacer: Pacer
    clock: Clock

    async def say(self, method: str, priority: Priority, **arguments: Any) -> Answer:
        """Wait for the call's turn and make it, with a single attempt. Raise as `Web`, and `StoreUnavailable`."""
        place = await self.pacer.turn(method, _channel(arguments), priority)
        return await self.call(place, **arguments)

    async def pages(self, method: str, priority: Priority, **arguments: Any) -> AsyncGenerator[Answer]:
        """Make a call that lists items, and yield its pages until there are no more. Raise as `say`."""
        page: dict[str, str] = {}
        while True:
            answer = await self.say(method, priority, **arguments, **page)
            yield answer
            more: Answer = answer.get("response_metadata") or {}
            if not more.get("next_cursor"):
                return
            page = {"cursor": str(more["next_cursor"])}

    async def call(self, place: Place, **arguments: Any) -> Answer:
        """Make the call whose turn has come. If Slack refuses it as too early, the door is closed for all processes.

        A call that was not sent gives its place back.
        """
        try:
            return await self.web.call(place.method, **arguments)
        except SlackUnavailable as error:
            if not error.ambiguous:
                await self.pacer.refused(place.method, place.channel, error.after)
            if error.unsent:
                self.pacer.unused(place)
            raise


def aside(thread: ThreadKey, user: str, *, beside: bool = False) -> dict[str, str]:
    """Return the target of an ephemeral message.

    In direct messages it is shown below all threads, where it is seen at once. So is one `beside` a thread: a
    decision's thread holds nothing but the hub, so no one reads it.
    """
    place = {} if thread.direct or beside else {"thread_ts": thread.root}
    return {"channel": thread.channel, "user": user, **place}


def _channel(arguments: dict[str, Any]) -> str:
    return str(arguments.get("channel", ""))
