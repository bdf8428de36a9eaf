"""Holding a conversation: one writer at a time, for as long as the lease lasts.

The holder is the only one who steps and saves it. Whoever loses the lease stops at once and writes nothing more. A
Slack call that is under way then cannot be called back: so none begins near the end of a lease, and a new holder waits.
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
    """Seconds.

    `margin` is how much of a lease must be left for a Slack write to begin, and how long a new holder waits before its
    own first write to what somebody else was writing: the time after which any Slack write has come to its end.
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
        """The moment, as Slack's ts."""
        return ts_of(self._clock.now())

    async def change(self, change: Callable[[Conversation], Step]) -> Step:
        """Commit what a function makes of the state; it is called when nobody else changes that, and gives its step.

        Raises `LostConversation` and `StoreUnavailable`, and what the function raises.
        """
        async with self.writing:
            made = change(self.conversation)
            self.conversation = await self._store.save(made)
        self._watch.saved(made)
        return made

    async def step(self, event: Event, cause: str) -> None:
        """Apply an event that the program itself found out, and commit it."""
        await self.change(lambda now: machine.step(now, event, cause))

    async def performed(self, effect: Effect) -> None:
        """Commit that an effect has been performed."""
        await self.change(lambda now: Step(conversation=now.without_effect(effect.id)))

    def lose(self) -> None:
        """Note that somebody else has it."""
        if not self.lost.is_set():
            self.lost.set()
            self._watch.lost()

    def check(self) -> None:
        """Raise unless a Slack write may begin now: `LostConversation` or, while we cannot know, `StoreUnavailable`."""
        if self.lost.is_set():
            raise LostConversation
        if self._clock.monotonic() > self._until - self._times.margin:
            raise StoreUnavailable("the lease could not be renewed in time")

    async def pause(self, seconds: float) -> None:
        """Wait while holding on. Raises `LostConversation` as soon as that is in vain."""
        wait, lost = asyncio.ensure_future(self._clock.sleep(seconds)), asyncio.ensure_future(self.lost.wait())
        try:
            await asyncio.wait((wait, lost), return_when=asyncio.FIRST_COMPLETED)
        finally:
            wait.cancel()
            lost.cancel()
        if self.lost.is_set():
            raise LostConversation

    async def let_others_finish(self) -> None:
        """Wait until whatever the last holder began to write has come to its end."""
        await self.pause(self._times.margin)

    async def keep(self) -> None:
        """Renew the lease until cancelled; sets `lost` when it is gone."""
        while not self.lost.is_set():
            await self._clock.sleep(self._times.heartbeat)
            asked = self._clock.monotonic()
            try:
                if await self._store.renew(self.conversation, self._times.lease):
                    self._until = asked + self._times.lease
                else:
                    self.lose()
            except StoreUnavailable:  # nobody can take it over meanwhile; `check` stops the writes
                pass
            except Exception:  # a heart must not stop for a bug: the next beat renews, or finds that it is lost
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
