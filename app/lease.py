"""Holding of a conversation: one writer at a time, for as long as the lease lasts.

Only the holder applies events and saves the state. A holder that loses the lease stops at once and writes nothing more.
A Slack call in progress cannot be called back. So none starts near the end of a lease, and a new holder waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from app.clock import ts_of
from app.core import machine
from app.core.effects import Effect
from app.core.errors import LostConversation, StoreUnavailable
from app.core.events import Event
from app.core.model import Conversation, Step
from app.ports import Clock, Conversations, Unwatched, Watch

log = structlog.get_logger(__name__)

UNWATCHED = Unwatched()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseTimes:
    """Times of a lease, in seconds.

    `margin` is the time after which any Slack write has ended. A Slack write starts only with that much of the lease
    left. A new holder waits that long before its first write to a Slack message of another holder.
    """

    lease: float = 6.0
    heartbeat: float = 1.5
    margin: float = 4.0


class Hold:
    """A leased conversation, kept current. `conversation` is always the last saved state."""

    def __init__(
        self,
        conversation: Conversation,
        store: Conversations,
        clock: Clock,
        times: LeaseTimes,
        watch: Watch = UNWATCHED,
    ) -> None:
        self.conversation = conversation
        self.lost = asyncio.Event()
        self.writing = asyncio.Lock()
        """Held while the state is saved, so that what reads a row to change it cannot be overtaken."""
        self._store, self._clock, self._times, self._watch = store, clock, times, watch
        self._until = clock.monotonic() + times.lease

    @property
    def at(self) -> str:
        """Return the current time as Slack's ts."""
        return ts_of(self._clock.now())

    async def change(self, change: Callable[[Conversation], Step]) -> Step:
        """Commit the result of a function of the state; it is called while nothing else changes the state.

        Returns the function's transition. Raises `LostConversation` and `StoreUnavailable`, and what the function
        raises.
        """
        async with self.writing:
            made = change(self.conversation)
            self.conversation = await self._store.save(made)
        self._watch.saved(made)
        return made

    async def step(self, event: Event, cause: str) -> None:
        """Apply and commit an event that the program itself detected."""
        await self.change(lambda now: machine.step(now, event, cause))

    async def performed(self, effect: Effect) -> None:
        """Commit that an effect has been performed."""
        await self.change(lambda now: Step(conversation=now.without_effect(effect.id)))

    def lose(self) -> None:
        """Record that another process has the lease."""
        if not self.lost.is_set():
            self.lost.set()
            self._watch.lost()

    def check(self) -> None:
        """Raise `LostConversation` unless a Slack write may start now.

        Raises `StoreUnavailable` while that is unknown.
        """
        if self.lost.is_set():
            raise LostConversation
        if self._clock.monotonic() > self._until - self._times.margin:
            raise StoreUnavailable("the lease could not be renewed in time")

    async def pause(self, seconds: float) -> None:
        """Wait while holding on. Raises `LostConversation` as soon as the lease is lost."""
        wait, lost = asyncio.ensure_future(self._clock.sleep(seconds)), asyncio.ensure_future(self.lost.wait())
        try:
            await asyncio.wait((wait, lost), return_when=asyncio.FIRST_COMPLETED)
        finally:
            wait.cancel()
            lost.cancel()
        if self.lost.is_set():
            raise LostConversation

    async def let_others_finish(self) -> None:
        """Wait until the last holder's writes in progress have ended."""
        await self.pause(self._times.margin)

    async def keep(self) -> None:
        """Renew the lease until cancelled; set `lost` when the lease is gone."""
        while not self.lost.is_set():
            await self._clock.sleep(self._times.heartbeat)
            asked = self._clock.monotonic()
            try:
                if await self._store.renew(self.conversation, self._times.lease):
                    self._until = asked + self._times.lease
                else:
                    self.lose()
            except StoreUnavailable:  # no process can take it over meanwhile; `check` stops the writes
                pass
            except Exception:  # a bug must not stop the heartbeat: the next beat renews the lease, or finds it lost
                log.exception("heartbeat_failed")


@asynccontextmanager
async def holding(
    conversation: Conversation, store: Conversations, clock: Clock, times: LeaseTimes, watch: Watch = UNWATCHED
) -> AsyncGenerator[Hold]:
    """Hold a claimed conversation for the length of the block, and release it after."""
    hold = Hold(conversation, store, clock, times, watch)
    watch.taken(conversation)
    heart = asyncio.ensure_future(hold.keep())
    try:
        yield hold
    finally:
        heart.cancel()
        watch.let_go(conversation)
        await asyncio.gather(heart, return_exceptions=True)
        if not hold.lost.is_set():
            await store.release(hold.conversation)
