"""The reading of a turn's files, beside what else its conversation does: it takes as long as Slack and a file need."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from app.agent.attachments import ReadFiles
from app.ports import LiveReply


class FileReading:
    """At most one reading at a time. `live` is the reply that shows it, and that the turn goes on with."""

    def __init__(self) -> None:
        self._task: asyncio.Future[ReadFiles] | None = None
        self.live: LiveReply | None = None

    @property
    def is_under_way(self) -> bool:
        """Return True until the files are read, or cannot be."""
        return self._task is not None and not self._task.done()

    def begin(self, read: Callable[[], Awaitable[ReadFiles]], live: LiveReply) -> None:
        """Start to read. The caller takes the files when they are read."""
        self._task, self.live = asyncio.ensure_future(read()), live

    async def over(self) -> None:
        """Return when no reading is under way."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    def take(self) -> ReadFiles | None:
        """Return what was read, once; None if nothing was. Raise what kept it from being read."""
        task, self._task = self._task, None
        return task.result() if task else None

    def end(self) -> None:
        """Break the reading off."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.live = None

    async def drop(self) -> None:
        """Break the reading off, and close the live reply without an end."""
        task, live = self._task, self.live
        self.end()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)
            if live is not None:
                await live.close()
