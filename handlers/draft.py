"""A reply while it grows: one writer edits its messages with the newest snapshot; what was overtaken is never sent.

The next edit is chosen only when its turn has come, and that is asked for only after the previous one has returned: so
edits cannot overtake each other, and none shows less than could be known. What is shown and kept is sanitised (S0-026).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from app.core.errors import LostConversation, Retryable, SlackRefused
from app.core.sanitize import safe_prefix
from app.ports import Keeper
from app.threaded import in_thread
from handlers import blocks, mrkdwn
from handlers.blocks import Rendered
from handlers.delivery import Delivery
from handlers.line import Line
from handlers.pacer import NEVER, Priority, unless

SECONDS_BETWEEN_EDITS = 1.0
"""Requirements part 5: at most one preview a second of an answer. Its final form does not wait for that."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A text, raw as it came, and the messages that show what is safe of it."""

    raw: str
    safe: str
    pages: tuple[Rendered, ...]


class SlackDraft:
    """Implements `app.ports.Draft` for the reply with that `seq`."""

    def __init__(self, delivery: Delivery, line: Line, keeper: Keeper, seq: int) -> None:
        self.delivery = delivery
        self._line, self._keeper, self._seq = line, keeper, seq
        self._text = ""
        self._snapshot = _Snapshot("", "", ())
        self._kept: tuple[str, tuple[str, ...]] = ("", ())
        self._changed, self._closing = asyncio.Event(), asyncio.Event()
        self._last_try = self._served = NEVER
        self._writer = asyncio.ensure_future(self._write())

    def show(self, text: str) -> None:
        """Offer the newest text, raw; what cannot be written in time is skipped for what comes after it."""
        self._text = text
        self._changed.set()

    async def close(self) -> tuple[str, ...]:
        """End the writer after the write that is under way, if any."""
        self._closing.set()
        self._changed.set()
        self.delivery.begun.set()
        await self._writer
        return tuple(self.delivery.parts)

    async def _write(self) -> None:
        with self._line.pacer.answering():
            while await self._changed.wait() and not self._closing.is_set():
                try:
                    await self._show_next()
                except Retryable as error:
                    log.info("preview_put_off", error=type(error).__name__, seconds=error.after)
                    await unless(self._closing, self._line.clock.sleep(error.after))
                    self._changed.set()
                except (SlackRefused, LostConversation) as error:
                    log.warning("preview_given_up", error=type(error).__name__)
                    return

    async def _show_next(self) -> None:
        """Bring the first page that is behind up to date, when its turn has come."""
        pause = self._last_try + SECONDS_BETWEEN_EDITS - self._line.clock.monotonic()
        if pause > 0:
            await unless(self._closing, self._line.clock.sleep(pause))
        if self._closing.is_set():
            return
        self._changed.clear()  # at once after looking: a close in between would never be seen
        index = await self._behind()
        if index is None:
            return
        self._changed.set()  # there is more to do: this page or one after it
        method = self.delivery.method(index)
        try:
            if not await self._has_turn(index):
                return
            index = await self._behind()
            if index is not None and self.delivery.method(index) == method:
                await self._show(index, self._snapshot)
        finally:
            self.delivery.let_go()

    async def _has_turn(self, index: int) -> bool:
        """Wait for the turn of a page; False if the draft is closed first.

        For their first words people have waited long enough: those are kept meanwhile.
        """
        turn = unless(self._closing, self.delivery.turn(index, Priority.PREVIEW, self._served))
        if self._served != NEVER:
            return await turn
        keeping = asyncio.ensure_future(self._keep(self._snapshot))
        try:
            return await turn
        finally:
            await keeping

    async def _keep(self, snapshot: _Snapshot) -> None:
        """Keep what is going to be shown and where it stands, unless that is kept."""
        state = snapshot.raw, tuple(self.delivery.parts)
        if self._kept != state:
            await self._keeper.record(snapshot.safe, state[1])
            self._kept = state

    async def _show(self, index: int, snapshot: _Snapshot) -> None:
        await self._keep(snapshot)
        known = len(self.delivery.parts)
        self._last_try = self._line.clock.monotonic()
        await self.delivery.write(index, snapshot.pages[index])
        self._served = self._last_try
        if len(self.delivery.parts) > known:
            await self._keep(snapshot)

    async def _behind(self) -> int | None:
        """The first page that does not look as it should with the newest text."""
        if self._snapshot.raw is not self._text:
            self._snapshot = await in_thread(self._rendered, self._text)
        behind = (i for i, page in enumerate(self._snapshot.pages) if not self.delivery.shows(i, page))
        return next(behind, None)

    def _rendered(self, raw: str) -> _Snapshot:
        """Pages with *Stop* below the last one, where the answer grows."""
        pages = mrkdwn.previews(raw)
        stop = blocks.stop(self._seq)
        last = len(pages) - 1
        return _Snapshot(
            raw, safe_prefix(raw), tuple(blocks.page(page, stop if i == last else ()) for i, page in enumerate(pages))
        )
