"""A live reply: one writer edits its messages with the newest snapshot, and outdated ones are never sent.

The content of an edit is chosen when its turn has come, and a turn is requested after the previous edit has returned.
So edits cannot overtake each other, and each shows the newest text. Shown and stored text is sanitised.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from app.core.conversation.conversation import Message
from app.core.errors import LostConversation, Retryable, SlackRefused
from app.core.text.sanitize import cut_safe_prefix
from app.ports import WriteGuard
from app.threaded import run_in_thread
from handlers.outbound.delivery import Delivery
from handlers.outbound.pacer import NEVER, Priority, run_unless
from handlers.outbound.thread_status import Activity
from handlers.outbound.web import SlackCaller
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import RenderedMessage

SECONDS_BETWEEN_EDITS = 1.0
"""At most one preview a second of a reply: all replies share Slack's limit on edits. Final forms do not wait."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A raw text, and the pages that show its safe part."""

    raw: str
    safe: str
    pages: tuple[RenderedMessage, ...]


class SlackLiveReply:
    """Implementation of `app.ports.LiveReply` for that reply."""

    def __init__(
        self, delivery: Delivery, line: SlackCaller, keeper: WriteGuard, reply: Message, activity: Activity
    ) -> None:
        self.delivery, self._activity = delivery, activity
        self._line, self._keeper, self._seq, self._breaks = line, keeper, reply.seq, reply.breaks
        self._text = ""
        self._snapshot = _Snapshot("", "", ())
        self._kept: tuple[str, tuple[str, ...]] = ("", ())
        self._changed, self._closing = asyncio.Event(), asyncio.Event()
        self._last_try = self._served = NEVER
        self._writer = asyncio.ensure_future(self._write())

    def show(self, text: str) -> None:
        """Offer the newest text, raw. A text that cannot be written in time is skipped."""
        self._text = text
        self._changed.set()
        self._activity.show_text()

    def go_on_below(self, at: int) -> None:
        """See `LiveReply.go_on_below`."""
        self._breaks = (*self._breaks, at)

    def show_activity(self, words: str) -> None:
        """Set what is being done; the status says it once no text has come for a while."""
        self._activity.show(words)

    async def close(self) -> tuple[str, ...]:
        """End the writer after its present write, if any."""
        self._closing.set()
        self._changed.set()
        self._activity.end()
        self.delivery.begun.set()
        await self._writer
        return tuple(self.delivery.parts)

    async def _write(self) -> None:
        with self._line.pacer.reserve_final_edit():
            while await self._changed.wait() and not self._closing.is_set():
                try:
                    await self._show_next()
                except Retryable as error:
                    log.info("preview_put_off", error=type(error).__name__, seconds=error.after)
                    await run_unless(self._closing, self._line.clock.sleep(error.after))
                except (SlackRefused, LostConversation) as error:
                    log.warning("preview_given_up", error=type(error).__name__)
                    return

    async def _show_next(self) -> None:
        """Wait for the turn of the first outdated page, and update it."""
        pause = self._last_try + SECONDS_BETWEEN_EDITS - self._line.clock.monotonic()
        if pause > 0:
            await run_unless(self._closing, self._line.clock.sleep(pause))
        if self._closing.is_set():
            return
        self._changed.clear()  # right after the check: a close in between would be missed
        index = await self._behind()
        if index is None:
            return
        self._changed.set()  # there is more to do: this page or a later one
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
        """Wait for the turn of a page; return False if the draft is closed first.

        The first text is stored during the wait, because people have waited long enough for it.
        """
        turn = run_unless(self._closing, self.delivery.turn(index, Priority.PREVIEW, self._served))
        if self._served != NEVER:
            return await turn
        keeping = asyncio.ensure_future(self._keep(self._snapshot))
        try:
            return await turn
        finally:
            await keeping

    async def _keep(self, snapshot: _Snapshot) -> None:
        """Store the text that will be shown, and its pages, unless they are stored already."""
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
        """Return the first page that does not show the newest text."""
        if self._snapshot.raw is not self._text:
            self._snapshot = await run_in_thread(self._render, self._text)
        behind = (i for i, page in enumerate(self._snapshot.pages) if not self.delivery.shows(i, page))
        return next(behind, None)

    def _render(self, raw: str) -> _Snapshot:
        """Return the pages of a text, with *Stop* below the last one, where the reply grows."""
        pages = mrkdwn.split_previews(raw, self._breaks)
        stop = blocks.build_stop_button(self._seq)
        last = len(pages) - 1
        return _Snapshot(
            raw,
            cut_safe_prefix(raw),
            tuple(blocks.render_page(page, stop if i == last else ()) for i, page in enumerate(pages)),
        )
