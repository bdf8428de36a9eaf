"""The status in a thread during a turn, and Slack's agent session.

The status is "is thinking…" until the first text, and what is being done whenever no text has come for a while.

It is best effort and delays nothing: it runs beside the reply and comes after everything but previews. A method that
the workspace does not offer is not called again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any

import structlog

from app.core.copy import texts
from app.core.errors import Retryable, SlackRefused, SlackUnavailable
from app.core.thread import ThreadKey
from app.ports import Clock
from handlers.outbound.delivery import Delivery
from handlers.outbound.pacer import CallSlot, Priority, run_unless
from handlers.outbound.web import SlackCaller

THREAD, SESSION = "assistant.threads.setStatus", "agents.sessions.setStatus"

PROCESSING, ACTIVE = "processing", "active"
"""In Slack, a session that is processing has a Stop button of its own, until the app ends that."""

NOT_OFFERED = frozenset(
    {
        "access_denied",
        "deprecated_endpoint",
        "feature_disabled",
        "method_deprecated",
        "missing_scope",
        "no_permission",
        "not_allowed",
        "not_allowed_token_type",
        "team_access_not_granted",
        "unknown_method",
    }
)
"""Error codes about the workspace or the app, and not about this thread."""

ASKED_AGAIN = 3_600.0
"""Seconds after which a method that is not offered is retried: the app may have been reinstalled."""

LONGEST_PAUSE = 64.0
"""Seconds between two attempts during an outage: the pauses double up to this."""

SILENCE = 10.0
"""Seconds without new text after which the status says what is being done."""

REPEATED = 100.0
"""Seconds after which a status is sent again: Slack takes it away after two minutes."""

LAST_WORDS = 3.0
"""Seconds for the *active* status when the program ends."""

log = structlog.get_logger(__name__)


class Activity:
    """What is being done for one reply, and for how long people have read nothing new."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._shown_at = clock.monotonic()
        self.changed = asyncio.Event()
        self.words = ""
        self.is_over = False

    def show(self, words: str) -> None:
        """Set what is being done."""
        if words != self.words:
            self.words = words
            self.changed.set()

    def show_text(self) -> None:
        """Note that people read something new."""
        self._shown_at = self._clock.monotonic()
        self.changed.set()

    def end(self) -> None:
        """Note that the reply ends."""
        self.is_over = True
        self.changed.set()

    def compute_wait(self) -> float:
        """Return the seconds until people have read nothing new for `SILENCE`; at most 0 if they have not."""
        return self._shown_at + SILENCE - self._clock.monotonic()


class Statuses:
    """The statuses of one workspace's threads."""

    def __init__(self, line: SlackCaller) -> None:
        self._line = line
        self._missing: dict[str, float] = {}
        """Time until which a method is not called."""
        self._wanted: dict[ThreadKey, str] = {}
        self._writers: dict[ThreadKey, asyncio.Task[None]] = {}
        self._at_work: set[asyncio.Task[None]] = set()

    def begin(self, thread: ThreadKey, delivery: Delivery, activity: Activity) -> None:
        """Show that a reply begins, and what is done for it until it ends. Return at once."""
        self._start(self._think(thread, delivery))
        self._start(self._follow(thread, activity))
        self._move(thread, PROCESSING)

    def end(self, thread: ThreadKey) -> None:
        """Show that the reply is delivered. Return at once."""
        self._move(thread, ACTIVE)

    def unsay(self, thread: ThreadKey) -> None:
        """Clear the thinking status, which no post has replaced. Return at once."""
        self._start(self._unsay(thread))

    async def close(self) -> None:
        """Cancel open work, except that the end of a session gets `LAST_WORDS`: nothing would set it later."""
        last = {self._writers[thread] for thread, status in self._wanted.items() if status == ACTIVE}
        for task in self._at_work - last:
            task.cancel()
        if last:
            await asyncio.wait(last, timeout=LAST_WORDS)
        for task in last:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)

    async def _think(self, thread: ThreadKey, delivery: Delivery) -> None:
        """Show the thinking status until the first text.

        Slack clears it at our first post, but not at an edit, nor if it arrives after that post.
        """
        with _suppress_outage():
            place = await self._turn(THREAD, thread)
            if place and delivery.begun.is_set():
                self._line.pacer.give_back(place)
                return
            with _suppress_outage():  # it may have arrived nevertheless
                await self._set(place, thread, texts.THINKING)
            if delivery.parts:
                await delivery.begun.wait()
            if delivery.begun.is_set():
                await self._set(await self._turn(THREAD, thread), thread, "")

    async def _follow(self, thread: ThreadKey, activity: Activity) -> None:
        """Show what is being done while no new text comes, and take it back with the next text."""
        shown = ""
        while shown or not activity.is_over:
            activity.changed.clear()
            wait = activity.compute_wait()
            wanted = activity.words if wait <= 0 and not activity.is_over else ""
            if wanted != shown:
                with _suppress_outage():
                    await self._set(await self._turn(THREAD, thread), thread, wanted)
                shown = wanted
            elif await run_unless(activity.changed, self._line.clock.sleep(wait if wait > 0 else REPEATED)):
                shown = ""  # the same words are sent again

    async def _unsay(self, thread: ThreadKey) -> None:
        with _suppress_outage():
            await self._set(await self._turn(THREAD, thread), thread, "")

    def _move(self, thread: ThreadKey, status: str) -> None:
        """Set the wanted status.

        Each thread has one writer for the newest: a late *processing* must not follow *active*.
        """
        is_writing = thread in self._wanted
        self._wanted[thread] = status
        if not is_writing:
            self._writers[thread] = self._start(self._write(thread))

    async def _write(self, thread: ThreadKey) -> None:
        """Send the wanted status. *Processing* may be missed; *active* is retried until Slack accepts it."""
        said, pause = "", 0.0
        try:
            while said != self._wanted[thread]:
                said, pause = await self._say(thread, pause)
        finally:
            del self._wanted[thread], self._writers[thread]

    async def _say(self, thread: ThreadKey, paused: float) -> tuple[str, float]:
        """Send the wanted status when its turn has come, and return it; return nothing if it must be sent again.

        In that case it has waited, twice as long as before, and returns that time, too.
        """
        wanted, pause = self._wanted[thread], paused
        try:
            place = await self._turn(SESSION, thread)
            wanted = self._wanted[thread]
            await self._set(place, thread, wanted)
        except Retryable as error:
            log.info("status_not_shown", method=SESSION, error=type(error).__name__)
            if self._wanted[thread] == ACTIVE and self._is_offered(SESSION):
                pause = min(max(error.after, 2 * paused), max(error.after, LONGEST_PAUSE))
                await self._line.clock.sleep(pause)
                return "", pause
        return wanted, pause

    def _is_offered(self, method: str) -> bool:
        return self._line.clock.monotonic() >= self._missing.get(method, -math.inf)

    async def _turn(self, method: str, thread: ThreadKey) -> CallSlot | None:
        """Wait for a turn. Return None if the workspace does not offer the method. Raise `StoreUnavailable`."""
        if not self._is_offered(method):
            return None
        place = await self._line.pacer.turn(method, thread.channel, Priority.STATUS)
        if self._is_offered(method):
            return place
        self._line.pacer.give_back(place)
        return None

    async def _set(self, place: CallSlot | None, thread: ThreadKey, status: str) -> None:
        """Send a status in its turn, if there is one. A refusal is final. Raise `SlackUnavailable`."""
        if place is None:
            return
        try:
            await self._line.call(place, channel_id=thread.channel, thread_ts=thread.root, status=status)
        except SlackRefused as error:
            log.info("status_not_shown", method=place.method, code=error.code)
            if error.code in NOT_OFFERED:
                self._give_up(place.method)
        except SlackUnavailable as error:
            if error.is_unknown:
                self._give_up(place.method)
            raise

    def _give_up(self, method: str) -> None:
        self._missing[method] = self._line.clock.monotonic() + ASKED_AGAIN
        log.warning("status_given_up", method=method, seconds=ASKED_AGAIN)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return task


@contextmanager
def _suppress_outage() -> Generator[None]:
    """Suppress an outage, so that only the status is missing."""
    try:
        yield
    except Retryable as error:
        log.info("status_not_shown", method=THREAD, error=type(error).__name__)
