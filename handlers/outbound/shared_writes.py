"""Writes of a workspace's ledger: what several callers want to write at one moment is written with one command."""

from __future__ import annotations

import asyncio

from app.ports import Entry, Ledger


class SharedWrites:
    """Writer of entries that are exchanged. The first caller of a moment writes for all, one entry for each key."""

    def __init__(self, ledger: Ledger, team: str) -> None:
        self._ledger, self._team = ledger, team
        self._entries: dict[str, Entry] = {}
        self._seconds = 0.0
        self._write: asyncio.Future[bool | None] | None = None

    async def exchange(self, key: str, entry: Entry, seconds: float) -> bool | None:
        """Do as `Ledger.exchange`. Return None if this entry or another one of the same moment was not written."""
        if key in self._entries:  # the same entry twice: one of them is too late
            return await self._ledger.exchange(self._team, key, entry, seconds)
        self._entries[key] = entry
        self._seconds = max(self._seconds, seconds)
        if self._write is None:
            self._write = asyncio.ensure_future(self._flush())
        return await self._write

    async def _flush(self) -> bool | None:
        """Write what has gathered until the event loop comes round."""
        await asyncio.sleep(0)
        entries, seconds = self._entries, self._seconds
        self._entries, self._seconds, self._write = {}, 0.0, None
        written = await self._ledger.exchange_all(self._team, entries, seconds)
        return written if len(entries) == 1 else written or None
