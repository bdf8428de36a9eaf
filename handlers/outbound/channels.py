"""Names of channels, for places where Slack does not show them itself.

Nothing waits long for them: a name that does not come in time is left out.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from app.core.errors import Retryable, SlackRefused
from handlers.outbound.pacer import Priority
from handlers.outbound.web import SlackCaller

REMEMBERED = 2_000
"""Number of channels whose names are cached."""

FRESH_SECONDS = 3_600.0
"""Seconds for which a name is cached."""

ASKED_AT_ONCE = 10
"""Channels that are looked up at a time. The others are looked up the next time."""

ASK_SECONDS = 1.0
"""Seconds that a caller waits for names at most."""


@dataclass(frozen=True, slots=True)
class _KnownChannel:
    name: str
    """Empty if Slack does not say."""
    until: float


class Channels:
    """The channels of one workspace."""

    def __init__(self, line: SlackCaller) -> None:
        self._line = line
        self._known: OrderedDict[str, _KnownChannel] = OrderedDict()

    async def names(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Return the names of these channels, as far as they are known within `ASK_SECONDS`."""
        wanted, now = list(dict.fromkeys(ids)), self._line.clock.monotonic()
        fresh = {id_ for id_ in wanted if (known := self._known.get(id_)) and now < known.until}
        unknown = [id_ for id_ in wanted if id_ not in fresh][:ASKED_AT_ONCE]
        with suppress(TimeoutError):
            async with asyncio.timeout(ASK_SECONDS):
                await asyncio.gather(*(self._ask(id_) for id_ in unknown))
        return {id_: known.name for id_ in wanted if (known := self._known.get(id_)) and known.name}

    async def _ask(self, id_: str) -> None:
        try:
            answer = await self._line.say("conversations.info", Priority.QUESTION, channel=id_)
            name = str(answer["channel"].get("name") or "")
        except SlackRefused:  # for an hour, too: otherwise a few such channels would use up the budget for lookups
            name = ""
        except Retryable:
            return
        self._known[id_] = _KnownChannel(name, self._line.clock.monotonic() + FRESH_SECONDS)
        self._known.move_to_end(id_)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
