"""The worker: claims conversations that have work, holds a session with each, and decides what a failure means.

Different threads go on side by side; one thread has one session at a time, in all processes together.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from app.core.errors import LostConversation, Retryable
from app.core.model import Conversation, ThreadKey
from app.lease import Hold, LeaseTimes, holding
from app.ports import Clock
from app.session import Services, Session

log = structlog.get_logger(__name__)

ATTEMPTS = 3
"""Failed attempts after which work is parked. Outages and limits are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """How a worker paces itself (seconds). `poll` is the fallback for signals that were lost or came from elsewhere."""

    name: str
    lease: LeaseTimes
    poll: float = 1.0
    threads: int = 200
    """Conversations that are worked on at the same time."""


class Worker:
    """Runs until it is stopped; `wake` is called when something was taken in."""

    def __init__(self, services: Services, clock: Clock, settings: WorkerSettings) -> None:
        self._services, self._clock, self._settings = services, clock, settings
        self._sessions: dict[ThreadKey, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    def wake(self, thread: ThreadKey) -> None:
        """Say that this thread has something new: its session hears it at once, else it is claimed."""
        if session := self._sessions.get(thread):
            session.set()
        self._news.set()

    @property
    def busy(self) -> bool:
        """True while a conversation is worked on or may have to be."""
        return bool(self._sessions) or self._news.is_set()

    async def run(self) -> None:
        """Claim and work until cancelled; then stop the sessions, whose leases are released."""
        try:
            while True:
                self._news.clear()
                try:
                    while len(self._sessions) < self._settings.threads and await self._claim():
                        pass
                except Exception:  # one conversation that cannot be read must not stop the others
                    log.exception("claim_failed")
                await self._wait()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _claim(self) -> bool:
        conversation = await self._services.conversations.claim(
            self._settings.name, self._settings.lease.lease, tuple(self._sessions)
        )
        if conversation is None:
            return False
        self._sessions[conversation.thread] = asyncio.Event()
        task = asyncio.ensure_future(self._work(conversation))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _wait(self) -> None:
        """Wait for news, at most one poll."""
        try:
            async with asyncio.timeout(self._settings.poll):
                await self._news.wait()
        except TimeoutError:
            for session in self._sessions.values():
                session.set()

    async def _work(self, conversation: Conversation) -> None:
        lease = self._settings.lease
        try:
            with structlog.contextvars.bound_contextvars(conversation=conversation.id):
                async with holding(conversation, self._services.conversations, self._clock, lease) as hold:
                    await self._session(hold)
        except (LostConversation, Retryable) as error:
            log.warning("session_ended", error=type(error).__name__)
        finally:
            del self._sessions[conversation.thread]
            self._news.set()  # what came after the last look at the inbox wants a new session

    async def _session(self, hold: Hold) -> None:
        session = Session(hold, self._services, self._sessions[hold.conversation.thread])
        try:
            await session.run()
        except LostConversation:
            log.warning("lease_lost")
            hold.lost.set()
        except Exception:  # the one broad catch: a bug in one thread must not stop the others
            log.exception("session_failed")
            await self._count_failure(session, hold.conversation.thread)

    async def _count_failure(self, session: Session, thread: ThreadKey) -> None:
        counts = await self._services.inbox.count_failure(thread, seconds=self._settings.poll)
        worn_out = tuple(receipt for receipt, attempts in counts.items() if attempts >= ATTEMPTS)
        if worn_out:
            await session.park(worn_out[0])
            await self._services.inbox.park(worn_out)
