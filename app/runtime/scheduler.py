"""The scheduler. It stores an event in the inbox for each thing that the passing of time brings about.

An event's receipt names its subject and its time. If several processes find the same thing, it is stored once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from app.clock import format_ts
from app.core.conversation.card import FiledCard
from app.core.conversation.conversation import Conversation
from app.core.errors import Retryable
from app.core.events.acts import ArchiveConfirmed, EraseConfirmed, ReopenRequested
from app.core.events.heard import GoalIdled, RunDue
from app.core.state.status import Status
from app.ports import Clock, Conversations, EventIntake

SWEEP = 600.0
"""Seconds between two looks for conversations that end. Silence is counted in days, so a late look does no harm."""

MOST_PASSED = 1_000
"""Highest number of silent conversations in which one look searches for those that can be archived."""

LOOKED_AT = 50
"""Conversations per kind that one look handles. The limit keeps those that always fail from hiding the others."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerSettings:
    """The workspace of the scheduler, and the times between its looks."""

    team: str
    idle_minutes: int
    """Minutes of the owner's silence after which a goal counts as abandoned."""
    look: float = 5.0
    """Seconds between two looks."""
    archive_after_days: int = 0
    """Days of silence after which a conversation is archived; 0 for never."""


class Scheduler:
    """Finder of due runs, idle goals, and conversations that end, in one workspace."""

    def __init__(
        self, intake: EventIntake, conversations: Conversations, clock: Clock, settings: SchedulerSettings
    ) -> None:
        self._intake, self._conversations, self._clock, self._settings = intake, conversations, clock, settings
        self._swept = float("-inf")

    async def run(self) -> None:
        """Look repeatedly until cancelled. Outages are waited for."""
        while True:
            try:
                await self.look()
            except Retryable as error:
                log.warning("calendar_put_off", error=type(error).__name__)
            except Exception:  # a document that cannot be read must not end the search
                log.exception("calendar_failed")
            await self._clock.sleep(self._settings.look)

    async def look(self) -> None:
        """Store an event for each conversation that has work due. The worker is woken as for all events."""
        now, settings = self._clock.now(), self._settings
        for each in await self._conversations.due(settings.team, now, LOOKED_AT):
            # A background thread has no other card that changes. The card tells two schedules for the same time apart.
            receipt = ":".join(("due", each.id, *map(str, each.cards), each.next_run))
            due = RunDue(receipt=receipt, thread=each.thread, at=format_ts(now), due=each.next_run)
            await self._intake.accept(due)
        left = now - timedelta(minutes=settings.idle_minutes)
        await self._end()
        for each in await self._conversations.quiet_since(settings.team, left):
            since = each.silent_from
            receipt = f"idle:{each.id}:{since}"
            passed = GoalIdled(receipt=receipt, thread=each.thread, at=format_ts(now), newest=since)
            await self._intake.accept(passed)

    async def _end(self) -> None:
        """Store events that archive silent conversations and erase those whose time has come, once per `SWEEP`.

        A decision of which a step is in use is reopened instead: with it, the step would be erased. Each event is in
        the owner's name, and the machine checks it again. A message that arrives meanwhile comes first.
        """
        if self._clock.monotonic() < self._swept + SWEEP:
            return
        now, team = self._clock.now(), self._settings.team
        for each in await self._conversations.ended(team, now, LOOKED_AT):
            await self._intake.accept(await self._build_end(each, format_ts(now)))
        if self._settings.archive_after_days:
            for each in await self._silent(now - timedelta(days=self._settings.archive_after_days)):
                newest = each.newest or each.thread.root
                receipt = f"silent:{each.id}:{newest}"
                silent = ArchiveConfirmed(
                    receipt=receipt, thread=each.thread, ts="", at=format_ts(now), user=each.owner, silent=newest
                )
                await self._intake.accept(silent)
        self._swept = self._clock.monotonic()

    async def _build_end(self, now: Conversation, at: str) -> EraseConfirmed | ReopenRequested:
        """Return the event for a conversation whose time in the archive has come."""
        mark = f"{now.id}:{now.ends}"
        if await self._is_in_use(now):
            return ReopenRequested(
                receipt=f"used:{mark}", thread=now.thread, ts="", at=at, user=now.owner, ends=now.ends
            )
        return EraseConfirmed(receipt=f"ended:{mark}", thread=now.thread, ts="", at=at, user=now.owner, ends=now.ends)

    async def _is_in_use(self, now: Conversation) -> bool:
        """Return True for an archived decision if somebody has written in an open step of it since."""
        rows = [await self._conversations.row(now, seq) for seq in now.cards] if now.decision else []
        filed = max((row.card.at for row in rows if row and isinstance(row.card, FiledCard)), default="0", key=float)
        steps = [step for step in await self._steps(now) if step.status is not Status.ARCHIVED]
        return any(float(step.newest or 0) > float(filed) for step in steps)

    async def _steps(self, now: Conversation) -> list[Conversation]:
        """Return the conversations of the steps of a decision that have begun."""
        threads = now.decision.threads if now.decision else ()
        return [step for thread in threads if (step := await self._conversations.find(thread))]

    async def _silent(self, moment: datetime) -> list[Conversation]:
        """Return some silent conversations. A step is archived with its decision, and a decision with all its steps."""
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
        steps = await self._steps(now)
        return all(float(step.newest or step.thread.root) <= moment.timestamp() for step in steps)
