"""Ledgers in which something is in the way: others, or the network."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from app.core.errors import StoreUnavailable
from app.ports import Entry, Ledger


@dataclass
class RacingLedger:
    """A ledger with the pauses that a network makes, in which others come first. Counts the races they won."""

    ledger: Ledger
    lost: int = 0

    async def read(self, team: str, key: str) -> Entry:
        await asyncio.sleep(0)
        entry = await self.ledger.read(team, key)
        await asyncio.sleep(0)
        return entry

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        await asyncio.sleep(0)
        won = await self.ledger.exchange(team, key, entry, seconds)
        self.lost += not won
        return won

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        return all([await self.exchange(team, key, entry, seconds) for key, entry in entries.items()])


class HopelessLedger:
    """A ledger in which others are always faster."""

    def __init__(self) -> None:
        self.tries = 0

    async def read(self, team: str, key: str) -> Entry:
        return Entry()

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        self.tries += 1
        return False

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        self.tries += 1
        return False


class DeadLedger:
    """A ledger that cannot be reached."""

    async def read(self, team: str, key: str) -> Entry:
        raise StoreUnavailable

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        raise StoreUnavailable

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        raise StoreUnavailable
