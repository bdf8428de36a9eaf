"""The program at the pace of the machine: Slack's is a post a second in each channel, which flows would wait for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

from app.ports import Clock, Entry
from app.ports.store import Store
from app.settings import Settings
from app.wiring import connect_store


class Forgetful:
    """Implements `app.ports.Ledger` and keeps nothing: nobody waits for a place."""

    async def read(self, team: str, key: str) -> Entry:
        """See `Ledger.read`."""
        return Entry()

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        """See `Ledger.exchange`. A second write finds that the first one was forgotten."""
        return not entry.version

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        """See `Ledger.exchange_all`."""
        return not any(entry.version for entry in entries.values())


@asynccontextmanager
async def unpaced(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
    """The real store, but for its pace."""
    async with connect_store(settings, clock) as store:
        yield replace(store, pacing=Forgetful())
