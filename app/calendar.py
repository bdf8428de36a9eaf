"""The calendar: what time alone brings about becomes an event in the inbox, as if somebody had said it.

An event's receipt names what it is about and when, so that of several processes that look, one is heard, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import structlog

from app.clock import ts_of
from app.core.errors import Retryable
from app.core.events import IdlePassed, WorkDue
from app.ports import Clock, Conversations, Inbox

LOOKED_AT = 50
"""So many that one look takes in; who cannot be helped must not keep others from being seen."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarSettings:
    """For which workspace is looked, and how often."""

    team: str
    idle_minutes: int
    """After how much silence of its owner a goal counts as left (S1-055)."""
    look: float = 5.0
    """Seconds from one look to the next (requirements part 5)."""


class Calendar:
    """Looks for one workspace what is due, and which goals were left (C-25)."""

    def __init__(self, inbox: Inbox, conversations: Conversations, clock: Clock, settings: CalendarSettings) -> None:
        self._inbox, self._conversations, self._clock, self._settings = inbox, conversations, clock, settings

    async def run(self) -> None:
        """Look again and again until cancelled; outlasts outages."""
        while True:
            try:
                await self.look()
            except Retryable as error:
                log.warning("calendar_put_off", error=type(error).__name__)
            except Exception:  # what cannot be read now must not end the looking
                log.exception("calendar_failed")
            await self._clock.sleep(self._settings.look)

    async def look(self) -> None:
        """Take in an event for each conversation that something is due for; the worker hears of it as of all events."""
        now, settings = self._clock.now(), self._settings
        for each in await self._conversations.due(settings.team, now, LOOKED_AT):
            # In the background only the schedule has a card that changes: it tells two plans for one time apart.
            receipt = ":".join(("due", each.id, *map(str, each.cards), each.next_run))
            due = WorkDue(receipt=receipt, thread=each.thread, at=ts_of(now), due=each.next_run)
            await self._inbox.take_in(due)
        left = now - timedelta(minutes=settings.idle_minutes)
        for each in await self._conversations.quiet_since(settings.team, left):
            passed = IdlePassed(
                receipt=f"idle:{each.id}:{each.newest}", thread=each.thread, at=ts_of(now), newest=each.newest
            )
            await self._inbox.take_in(passed)
