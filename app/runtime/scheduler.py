"""The calendar: what time alone brings about becomes an event in the inbox, as if somebody had said it.

An event's receipt names what it is about and when, so that of several processes that look, one is heard, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from app.clock import format_ts
from app.core.conversation.conversation import Conversation
from app.core.errors import Retryable
from app.core.events.acts import ArchiveConfirmed, EraseConfirmed
from app.core.events.heard import IdlePassed, WorkDue
from app.ports import Clock, Conversations, EventIntake

SWEEP = 600.0
"""Seconds from one look for conversations that end to the next: what takes days need not be found in seconds."""

MOST_PASSED = 1_000
"""Silent conversations that are looked through at most for such as can be archived."""

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
    archive_after_days: int = 0
    """After how much silence a conversation is archived; 0 for never."""


class Calendar:
    """Looks for one workspace what is due, and which goals were left (C-25)."""

    def __init__(
        self, intake: EventIntake, conversations: Conversations, clock: Clock, settings: CalendarSettings
    ) -> None:
        self._intake, self._conversations, self._clock, self._settings = intake, conversations, clock, settings
        self._swept = float("-inf")

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
            due = WorkDue(receipt=receipt, thread=each.thread, at=format_ts(now), due=each.next_run)
            await self._intake.accept(due)
        left = now - timedelta(minutes=settings.idle_minutes)
        await self._end()
        for each in await self._conversations.quiet_since(settings.team, left):
            passed = IdlePassed(
                receipt=f"idle:{each.id}:{each.newest}", thread=each.thread, at=format_ts(now), newest=each.newest
            )
            await self._intake.accept(passed)

    async def _end(self) -> None:
        """Take in that conversations are archived which were silent, and erased whose time has come, from time to time.

        Each in its owner's name, through the machine, which looks again: whoever writes meanwhile is quicker.
        """
        if self._clock.monotonic() < self._swept + SWEEP:
            return
        now, team = self._clock.now(), self._settings.team
        for each in await self._conversations.ended(team, now, LOOKED_AT):
            receipt = f"ended:{each.id}:{each.ends}"
            over = EraseConfirmed(
                receipt=receipt, thread=each.thread, ts="", at=format_ts(now), user=each.owner, ends=each.ends
            )
            await self._intake.accept(over)
        if self._settings.archive_after_days:
            for each in await self._silent(now - timedelta(days=self._settings.archive_after_days)):
                newest = each.newest or each.thread.root
                receipt = f"silent:{each.id}:{newest}"
                silent = ArchiveConfirmed(
                    receipt=receipt, thread=each.thread, ts="", at=format_ts(now), user=each.owner, silent=newest
                )
                await self._intake.accept(silent)
        self._swept = self._clock.monotonic()

    async def _silent(self, moment: datetime) -> list[Conversation]:
        """Some of those that end by their silence: a step goes with its decision, and that with all its steps."""
        found: list[Conversation] = []
        for passed in range(0, MOST_PASSED, LOOKED_AT):
            page = await self._conversations.silent_since(self._settings.team, moment, passed, LOOKED_AT)
            found += [each for each in page if await self._ends(each, moment)]
            if len(page) < LOOKED_AT or len(found) >= LOOKED_AT:
                break
        return found[:LOOKED_AT]

    async def _ends(self, now: Conversation, moment: datetime) -> bool:
        if now.schedule or now.interview:
            return False
        threads = [step.thread for step in now.decision.steps if step.thread] if now.decision else []
        steps = [await self._conversations.find(thread) for thread in threads]
        return all(float(step.newest or step.thread.root) <= moment.timestamp() for step in steps if step)
