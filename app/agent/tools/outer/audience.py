"""Who reads along in a thread, and what they may hear of other places without anybody being asked.

Rule: what was written in a place is told there, and in direct messages with the owner. Elsewhere only what is public is
told, and nothing where people of other companies read along. Of what the owner cannot see, nothing is told anywhere.
"""

from __future__ import annotations

from typing import Final

from app.agent.tools.outside import TurnContext
from app.core.errors import OutOfReach
from app.core.thread import ThreadKey
from app.ports import Spot

PLACES: Final = 12
"""Places that one call looks at; of what was said in others nothing is told. Slack: some 50 looks a minute."""

ONLY_DIRECT: Final = "What was said in direct messages is told in direct messages alone: everybody here reads along."
PRIVATE: Final = (
    "{name} is private, and others read this thread: what is written there is told only there or in direct messages. "
    "The owner can ask you in either."
)
SHARED: Final = (
    "People of other companies read this thread: nothing is told here that was written elsewhere in the workspace. "
    "The owner can ask you in direct messages."
)
KEPT_BACK: Final = (
    "What was held in direct messages and in other private places is not told here, where others read along: the "
    "owner can ask in direct messages."
)
"""Always told where others read along, so that nobody learns from it whether there is such a thing."""


class Audience:
    """Those who read the thread in which a tool works. Each place is looked at once."""

    def __init__(self, context: TurnContext) -> None:
        self._context = context
        self._hears: dict[str, bool] = {}

    async def place(self, name: str) -> Spot:
        """A channel, by name, id or link, of which may be told here. Raises `OutOfReach` for any other."""
        spot, here = await self._context.channel(name), self._context.thread
        if here.direct or spot.id == here.channel:
            return spot
        if spot.private:
            raise OutOfReach(ONLY_DIRECT if spot.direct else PRIVATE.format(name=spot.name))
        if await self._reads_along():
            raise OutOfReach(SHARED)
        return spot

    @property
    def kept_back(self) -> str:
        """What is to be said of all that may not be told here; empty where everything may."""
        return "" if self._context.thread.direct else KEPT_BACK

    async def hears_of(self, thread: ThreadKey) -> bool:
        """True if of what was said in this thread may be told here."""
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

    async def _reads_along(self) -> bool:
        """True if somebody of another company reads this thread."""
        return (await self._context.channel(self._context.thread.channel)).shared
