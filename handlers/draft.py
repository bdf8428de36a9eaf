"""A reply while it grows: one writer edits its messages with the newest snapshot; what was overtaken is never sent.

The next edit is chosen only after the previous one has returned, so edits cannot overtake each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from app.core import stream
from app.core.errors import LostConversation, Retryable, SlackRefused
from app.ports import Clock, Keeper
from handlers import blocks, mrkdwn
from handlers.delivery import Delivery
from handlers.pacer import Pacer

SECONDS_BETWEEN_EDITS = 1.0
"""Requirements part 5: at most one edit a second of a message."""

log = structlog.get_logger(__name__)


class SlackDraft:
    """Implements `app.ports.Draft`."""

    def __init__(self, delivery: Delivery, pacer: Pacer, clock: Clock, channel: str, keeper: Keeper) -> None:
        self.delivery = delivery
        self._pacer, self._clock, self._channel, self._keeper = pacer, clock, channel, keeper
        self._text = ""
        self._changed, self._closing = asyncio.Event(), asyncio.Event()
        self._last_write: float | None = None
        pacer.drafts += 1
        self._writer = asyncio.ensure_future(self._write())

    def show(self, text: str) -> None:
        """Offer the newest text; what cannot be written in time is skipped for what comes after it."""
        self._text = text
        self._changed.set()

    async def close(self) -> tuple[str, ...]:
        """End the writer after the write that is under way, if any."""
        self._closing.set()
        self._changed.set()
        try:
            await self._writer
        finally:
            self._pacer.drafts -= 1
        return tuple(self.delivery.parts)

    async def _write(self) -> None:
        while not self._closing.is_set():
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._show_newest()
            except Retryable as error:
                log.info("preview_put_off", seconds=error.after)
                await self._pause(error.after)
                self._changed.set()
            except (SlackRefused, LostConversation) as error:
                log.warning("preview_given_up", error=type(error).__name__)
                return

    async def _show_newest(self) -> None:
        while not self._closing.is_set():
            pages = stream.previews(mrkdwn.harmless(self._text))
            index = self._next(pages)
            if index is None:
                return
            if delay := self._delay(index):
                await self._pause(delay)
                continue
            text = self._text
            await self._keeper.record(text, tuple(self.delivery.parts))
            known = len(self.delivery.parts)
            self._last_write = self._clock.monotonic()
            await self.delivery.put_once(index, blocks.page(pages[index]), preview=True)
            if len(self.delivery.parts) > known:
                await self._keeper.record(text, tuple(self.delivery.parts))

    def _next(self, pages: Sequence[str]) -> int | None:
        """The first page that does not look as it should."""
        stale = (i for i, page in enumerate(pages) if not self.delivery.shows(i, blocks.page(page)))
        return next(stale, None)

    def _delay(self, index: int) -> float:
        since = 0.0 if self._last_write is None else self._last_write + SECONDS_BETWEEN_EDITS - self._clock.monotonic()
        return max(since, self._pacer.delay(self.delivery.method(index), self._channel, preview=True), 0.0)

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than until the draft is closed."""
        pause = asyncio.ensure_future(self._clock.sleep(seconds))
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait((pause, closing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            pause.cancel()
            closing.cancel()
