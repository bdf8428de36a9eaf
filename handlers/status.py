"""What Slack shows beside a thread while we work: "is thinking…" until the first words, and the agent session.

Best effort and never in anybody's way: it runs beside the answer, goes behind everything but previews, and a workspace
that does not offer one of the two is not asked for it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any

import structlog

from app.core import texts
from app.core.errors import Retryable, SlackRefused
from app.core.model import ThreadKey
from handlers.delivery import Delivery
from handlers.line import Line
from handlers.pacer import Priority

THREAD, SESSION = "assistant.threads.setStatus", "agents.sessions.setStatus"

PROCESSING, ACTIVE = "processing", "active"
"""Slack: a session that is processing has a Stop of its own, and stays so until the app says otherwise."""

NOT_OFFERED = frozenset(
    {
        "deprecated_endpoint",
        "feature_disabled",
        "method_deprecated",
        "missing_scope",
        "no_permission",
        "not_allowed_token_type",
        "team_access_not_granted",
        "unknown_method",
    }
)
"""Codes that speak of the workspace or the app, and not of this thread."""

LAST_WORDS = 3.0
"""Seconds that *active* gets when the program ends."""

log = structlog.get_logger(__name__)


class Statuses:
    """The statuses of one workspace's threads."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._missing: set[str] = set()
        self._wanted: dict[ThreadKey, str] = {}
        self._writers: dict[ThreadKey, asyncio.Task[None]] = {}
        self._at_work: set[asyncio.Task[None]] = set()

    def begin(self, thread: ThreadKey, delivery: Delivery) -> None:
        """An answer begins. Returns at once."""
        self._start(self._think(thread, delivery))
        self._move(thread, PROCESSING)

    def end(self, thread: ThreadKey) -> None:
        """The answer is delivered. Returns at once."""
        self._move(thread, ACTIVE)

    def unsay(self, thread: ThreadKey) -> None:
        """Nothing was posted that would take back that we are thinking. Returns at once."""
        self._start(self._unsay(thread))

    async def close(self) -> None:
        """Let go of what is under way; what nobody would say later, that a session is over, gets `LAST_WORDS`."""
        last = {self._writers[thread] for thread, status in self._wanted.items() if status == ACTIVE}
        for task in self._at_work - last:
            task.cancel()
        if last:
            await asyncio.wait(last, timeout=LAST_WORDS)
        for task in last:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)

    async def _think(self, thread: ThreadKey, delivery: Delivery) -> None:
        """Show a status until the first words.

        Slack takes it back with our first post, but not with an edit, nor if it arrives after that post.
        """
        with _excused(THREAD):
            if not await self._has_turn(THREAD, thread) or delivery.begun.is_set():
                return
            with _excused(THREAD):  # it may have arrived all the same
                await self._set(THREAD, thread, texts.THINKING)
            if delivery.parts:
                await delivery.begun.wait()
            if delivery.begun.is_set() and await self._has_turn(THREAD, thread):
                await self._set(THREAD, thread, "")

    async def _unsay(self, thread: ThreadKey) -> None:
        with _excused(THREAD):
            if await self._has_turn(THREAD, thread):
                await self._set(THREAD, thread, "")

    def _move(self, thread: ThreadKey, status: str) -> None:
        """One writer for each thread, which sends the newest: a late *processing* must not come after *active*."""
        is_writing = thread in self._wanted
        self._wanted[thread] = status
        if not is_writing:
            self._writers[thread] = self._start(self._write(thread))

    async def _write(self, thread: ThreadKey) -> None:
        """Say what is wanted. *Processing* may be missed; *active* is tried until Slack has heard it."""
        said = ""
        try:
            while said != self._wanted[thread]:
                said = await self._say(thread)
        finally:
            del self._wanted[thread], self._writers[thread]

    async def _say(self, thread: ThreadKey) -> str:
        """Say what is wanted when its turn comes, and give it. Gives nothing if it must be said once more."""
        wanted = self._wanted[thread]
        try:
            if await self._has_turn(SESSION, thread):
                wanted = self._wanted[thread]
                await self._set(SESSION, thread, wanted)
        except Retryable as error:
            log.info("status_not_shown", method=SESSION, error=type(error).__name__)
            if self._wanted[thread] == ACTIVE:
                await self._line.clock.sleep(error.after)
                return ""
        return wanted

    async def _has_turn(self, method: str, thread: ThreadKey) -> bool:
        """Wait for a turn. False where the workspace does not offer the method. Raises `StoreUnavailable`."""
        if method not in self._missing:
            await self._line.pacer.turn(method, thread.channel, Priority.STATUS)
        return method not in self._missing

    async def _set(self, method: str, thread: ThreadKey, status: str) -> None:
        """Set it once, in its turn. A refusal is final. Raises `SlackUnavailable`."""
        try:
            await self._line.call(method, channel_id=thread.channel, thread_ts=thread.root, status=status)
        except SlackRefused as error:
            log.info("status_not_shown", method=method, code=error.code)
            if error.code in NOT_OFFERED:
                self._missing.add(method)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return task


@contextmanager
def _excused(method: str) -> Generator[None]:
    """Go on after an outage: the status is not shown."""
    try:
        yield
    except Retryable as error:
        log.info("status_not_shown", method=method, error=type(error).__name__)
