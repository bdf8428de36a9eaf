"""The line to one workspace: every call is made in its turn, and what Slack says of our pace is told to the pacer."""

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
    """What is needed of `handlers.web.SlackWeb`. Raises `SlackUnavailable` and `SlackRefused`."""

    async def call(self, method: str, **arguments: Any) -> Answer:
        """Make one call, once."""
        ...

    async def upload(self, address: str, content: bytes) -> None:
        """Send the bytes of a file to the address that Slack gave for them, once."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """Client, budget and time of one workspace."""

    web: Web
    pacer: Pacer
    clock: Clock

    async def say(self, method: str, priority: Priority, **arguments: Any) -> Answer:
        """Wait for the call's turn and make it, once. Raises as `Web`, and `StoreUnavailable`."""
        place = await self.pacer.turn(method, _channel(arguments), priority)
        return await self.call(place, **arguments)

    async def pages(self, method: str, priority: Priority, **arguments: Any) -> AsyncGenerator[Answer]:
        """Make a call that lists something, page by page, until there is no more or nobody asks. Raises as `say`."""
        page: dict[str, str] = {}
        while True:
            answer = await self.say(method, priority, **arguments, **page)
            yield answer
            more: Answer = answer.get("response_metadata") or {}
            if not more.get("next_cursor"):
                return
            page = {"cursor": str(more["next_cursor"])}

    async def call(self, place: Place, **arguments: Any) -> Answer:
        """Make the call whose turn has come. If Slack finds it too early, the door is closed for everybody.

        A call that did not leave has used nothing.
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
    """Where words for one person go. In direct messages they stand below all threads, where they are seen at once.

    So do those that are `beside` a thread: nobody has to be in that of a decision, whose first message is all of it.
    """
    place = {} if thread.direct or beside else {"thread_ts": thread.root}
    return {"channel": thread.channel, "user": user, **place}


def _channel(arguments: dict[str, Any]) -> str:
    return str(arguments.get("channel", ""))
