"""The ledger in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.ports import Clock, Entry

LONG_AGO = datetime.fromtimestamp(0, UTC)


class MemoryLedger:
    """Implementation of the `Ledger` port in memory. Entries expire."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: dict[tuple[str, str], tuple[datetime, Entry]] = {}

    async def read(self, team: str, key: str) -> Entry:
        """See `Ledger.read`."""
        until, entry = self._entries.get((team, key), (LONG_AGO, Entry()))
        return entry if self._clock.now() < until else Entry()

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        """See `Ledger.exchange`."""
        if (await self.read(team, key)).version != entry.version:
            return False
        until = self._clock.now() + timedelta(seconds=seconds)
        self._entries[team, key] = until, replace(entry, version=entry.version + 1)
        return True
