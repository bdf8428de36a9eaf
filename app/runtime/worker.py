"""The worker. It claims conversations that have work, holds a session with each, and decides what a failure means.

Conversations progress side by side. A conversation has at most one session at a time across all processes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from structlog.contextvars import bound_contextvars

from app.core.errors import LostConversation, Retryable
from app.core.thread import ThreadKey
from app.ports import Claimed, Clock, Inbox, InboxRow, Watch
from app.ports.watch import UNWATCHED
from app.runtime.lease import HeldConversation, LeaseTimes, RowMemory, hold_conversation
from app.runtime.session import Session, Shutdown
from app.runtime.turn_runner import Resources

log = structlog.get_logger(__name__)

CLAIMS = 8
"""Conversations that are claimed with one search: others get their share, and the first is not kept waiting."""

RECEIPTS = 200
"""The last events that have woken this worker."""

ATTEMPTS = 3
"""Failed attempts after which work is parked. Outages and limits are not counted."""

BREAK_OFF_SECONDS = 5.0
"""Seconds for turns that are broken off at shutdown to show that in Slack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """The worker's identity, workspace and pace (seconds).

    `poll` is the fallback for lost change notifications. `drain` is how long turns may continue at shutdown.
    """

    team: str
    name: str
    lease: LeaseTimes
    poll: float
    drain: float = 25.0
    threads: int = 200
    """Conversations with a session at the same time."""


class Worker:
    """Claimer of conversations, until it is stopped. Call `wake` for each new event, from this or another process."""

    def __init__(
        self, inbox: Inbox, resources: Resources, clock: Clock, settings: WorkerSettings, watch: Watch = UNWATCHED
    ) -> None:
        self._inbox, self._resources, self._clock, self._settings = inbox, resources, clock, settings
        self._watch = watch
        self._sessions: dict[ThreadKey, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard = deque[str](maxlen=RECEIPTS)
        self._rows = RowMemory(clock)
        self._news = asyncio.Event()
        self._woken: dict[ThreadKey, str] = {}
        """Threads with news that no look has begun for, and that had no session, each with its newest receipt."""
        self._must_search = True
        """False if all that is known to wait are the woken threads."""
        self._is_looking = False
        self._left_some = False
        """True if the last look ended for want of room."""
        self._has_more = False
        """True if a session has ended since the last look began, and may have left work."""
        self._ending = Shutdown()

    def wake(self, thread: ThreadKey, receipt: str = "") -> None:
        """Wake the session of this thread, or claim the thread if it has none. Each receipt wakes once.

        Of an event that came to this process the change feed tells as well.
        """
        if receipt in self._heard:
            return
        if receipt:
            self._heard.append(receipt)
        if session := self._sessions.get(thread):
            session.set()  # and when it ends, the worker looks for events that came too late for it
        else:
            self._woken[thread] = receipt
            self._news.set()

    @property
    def busy(self) -> bool:
        """Return True while a conversation has a session or may need one."""
        return bool(self._sessions) or self._news.is_set() or self._is_looking

    async def run(self) -> None:
        """Claim conversations and work until cancelled. Then break off the sessions, which releases their leases."""
        try:
            while True:
                await self._look()
                await self._wait()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def drain(self) -> None:
        """Start nothing new, and let active turns end. Break off those that take too long.

        Another process claims the rest, or this one does when it starts again.
        """
        self._ending.begins_nothing = True
        if await self._quiet(self._settings.drain):
            return
        log.warning("turns_broken_off", seconds=self._settings.drain)
        self._ending.break_off.set()
        await self._quiet(BREAK_OFF_SECONDS)

    async def _quiet(self, seconds: float) -> bool:
        """Wait for the sessions in progress. Return True if all have ended in time."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        return not self._tasks

    @property
    def _room(self) -> int:
        """Return the number of conversations that may be claimed now."""
        return 0 if self._ending.begins_nothing else min(CLAIMS, self._settings.threads - len(self._sessions))

    async def _look(self) -> None:
        """Claim waiting conversations, as far as there is room."""
        must_search = self._must_search or self._has_more
        woken, self._woken = self._woken, {}
        self._is_looking = True
        self._left_some = self._has_more = self._must_search = False
        self._news.clear()
        self._rows.forget_expired()
        try:
            if not must_search and await self._claim_woken(woken):
                self._pass_on_news()
                return
            while room := self._room:
                if await self._claim(room) < room:
                    self._pass_on_news()
                    return
            self._left_some = True
        except Exception:  # one unreadable conversation must not stop the others
            log.exception("claim_failed")
            self._must_search = True
        finally:
            self._is_looking = False

    def _pass_on_news(self) -> None:
        """Leave what came during a look to the sessions that it has begun: they read their inbox after it."""
        claimed = self._woken.keys() & self._sessions.keys()
        for thread in claimed:
            self._sessions[thread].set()
            del self._woken[thread]
        if claimed and not self._woken and not self._has_more:
            self._news.clear()

    async def _claim_woken(self, woken: Mapping[ThreadKey, str]) -> bool:
        """Claim these threads without a search. Return False if one of them is to be searched for."""
        if len(woken) > self._room:
            return False
        settings, claim = self._settings, self._resources.conversations.claim_thread
        claims = (claim(settings.name, settings.lease.lease, *each) for each in woken.items())
        results = await asyncio.gather(*claims, return_exceptions=True)
        for each in results:
            if isinstance(each, Claimed):
                self._begin(each)
        if errors := [each for each in results if isinstance(each, BaseException)]:
            raise errors[0]  # what is leased is worked on, and the rest is searched for
        return None not in results

    async def _claim(self, limit: int) -> int:
        """Claim conversations and start to work on them. Return their number."""
        settings = self._settings
        claimed = await self._resources.conversations.claim_some(
            settings.team, settings.name, settings.lease.lease, tuple(self._sessions), limit
        )
        for each in claimed:
            self._begin(each)
        return len(claimed)

    def _begin(self, claimed: Claimed) -> None:
        """Start to work on a conversation."""
        thread = claimed.conversation.thread
        news = self._sessions[thread] = asyncio.Event()
        if thread in self._woken:  # its rows were read before that
            news.set()
        task = asyncio.ensure_future(self._work(claimed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _wait(self) -> None:
        """Wait for news, at most for one poll."""
        try:
            async with asyncio.timeout(self._settings.poll):
                await self._news.wait()
        except TimeoutError:
            self._must_search = True
            for session in self._sessions.values():
                session.set()

    async def _work(self, claimed: Claimed) -> None:
        conversation = claimed.conversation
        lease, store, has_more = self._settings.lease, self._resources.conversations, True
        try:
            with bound_contextvars(conversation=conversation.id):
                async with hold_conversation(conversation, store, self._clock, lease, self._watch) as hold:
                    hold.recall(self._rows.take(conversation))
                    await self._session(hold, claimed.rows)
                self._rows.keep(hold.conversation, hold.known_rows)
            has_more = self._sessions[conversation.thread].is_set()  # an event came after the last look at the inbox
        except (LostConversation, Retryable) as error:
            log.warning("session_ended", error=type(error).__name__)
        except Exception:  # giving up has failed too: the lease expires by itself, and the conversation is tried again
            log.exception("session_lost")
        finally:
            del self._sessions[conversation.thread]
            if has_more or self._left_some:
                self._has_more = True
                self._news.set()

    async def _session(self, hold: HeldConversation, found: tuple[InboxRow, ...] | None) -> None:
        thread = hold.conversation.thread
        session = Session(hold, self._inbox, self._resources, self._sessions[thread], self._ending, found)
        try:
            await session.run()
        except LostConversation:
            log.warning("lease_lost")
            hold.lose()
        except Exception:  # a bug in one thread must not stop the others
            log.exception("session_failed")
            counts = await self._inbox.count_failure(thread, seconds=self._settings.poll)
            if max(counts.values(), default=0) >= ATTEMPTS:
                await hold.outlast(session.give_up)
