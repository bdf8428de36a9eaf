"""Readers of a thread, and what they may be told of other places without a permission.

What was written in a place is told there, and in direct messages with the owner. Elsewhere only public text is told,
and nothing if people of other companies read the thread. What the owner cannot see is told nowhere.
"""

from __future__ import annotations

from typing import Final

from app.agent.tools.context import TurnContext
from app.core.errors import OutOfReach
from app.core.thread import ThreadKey
from app.ports import Spot

PLACES: Final = 12
"""Places that one call looks up, because Slack allows about 50 a minute. Nothing is told of any further place."""

ONLY_DIRECT: Final = "What was said in direct messages is told in direct messages alone: everybody here reads along."
PRIVATE: Final = (
    "{name} is private, and others read this thread: what is written there is told only there or in direct messages. "
    "The owner can ask you in either."
)
UNNAMED: Final = "That channel"
UNNAMED_TARGET: Final = (
    "That channel is private, and others read this thread: the card that asks would tell them its name. The owner can "
    "say its name, or ask you in direct messages."
)
SHARED: Final = (
    "People of other companies read this thread: nothing is told here that was written elsewhere in the workspace. "
    "The owner can ask you in direct messages."
)
KEPT_BACK: Final = (
    "What was held in direct messages and in other private places is not told here, where others read along: the "
    "owner can ask in direct messages."
)
"""Always told in threads that others read, so that it does not reveal whether there is such a conversation."""


class Audience:
    """Readers of the thread in which a tool works. Each place is looked up once."""

    def __init__(self, context: TurnContext) -> None:
        self._context = context
        self._hears: dict[str, bool] = {}

    async def place(self, name: str) -> Spot:
        """Return a channel, by name, id or link. Raises `OutOfReach` if nothing may be told here of it."""
        spot, here = await self._context.channel(name), self._context.thread
        if here.direct or spot.id == here.channel:
            return spot
        if spot.private:
            raise OutOfReach(
                ONLY_DIRECT if spot.direct else PRIVATE.format(name=spot.name if _is_said(spot, name) else UNNAMED)
            )
        if await self.is_shared():
            raise OutOfReach(SHARED)
        return spot

    async def may_name(self, spot: Spot) -> bool:
        """Return True if the readers of this thread may hear that there is such a channel."""
        here = self._context.thread
        return here.direct or spot.id == here.channel or not (spot.private or await self.is_shared())

    @property
    def kept_back(self) -> str:
        """A remark on what may not be told here; empty if everything may."""
        return "" if self._context.thread.direct else KEPT_BACK

    async def hears_of(self, thread: ThreadKey) -> bool:
        """Return True if what was said in that thread may be told here."""
        channel = thread.channel
        if channel not in self._hears:
            is_near = self._context.thread.direct or not thread.direct
            self._hears[channel] = is_near and len(self._hears) < PLACES and await self._is_told(channel)
        return self._hears[channel]

    async def _is_told(self, channel: str) -> bool:
        try:
            await self.place(channel)
        except OutOfReach:
            return False
        return True

    async def is_shared(self) -> bool:
        """Return True if people of another company read this thread."""
        return (await self._context.channel(self._context.thread.channel)).shared


def check_target(context: TurnContext, spot: Spot, said: str) -> None:
    """Raise `OutOfReach` for a channel whose name a card must not tell the readers of this thread."""
    here = context.thread
    is_named = spot.direct or here.direct or spot.id == here.channel or _is_said(spot, said)
    if spot.private and not is_named:
        raise OutOfReach(UNNAMED_TARGET)


def _is_said(spot: Spot, said: str) -> bool:
    """Return True if a channel was called by its name. Who has its id, or a link into it, may not know that."""
    return said.strip().removeprefix("#").casefold() == spot.name.removeprefix("#").casefold()
