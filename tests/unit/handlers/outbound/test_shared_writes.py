"""What several callers write at one moment."""

from __future__ import annotations

import asyncio

from app.ports import Entry
from handlers.outbound.shared_writes import SharedWrites
from tests.fakes import virtual
from tests.memory_store import MemoryLedger
from tests.unit.handlers.strict_slack import TEAM
from tests.virtual import VirtualClock


@virtual
async def test_of_two_entries_for_one_key_at_one_moment_one_is_written_and_the_other_is_told_to_be_too_late() -> None:
    ledger = MemoryLedger(VirtualClock())
    writes = SharedWrites(ledger, TEAM)
    rivals = [Entry(numbers={"sent": (at,)}) for at in (1.0, 2.0)]
    written = await asyncio.gather(*(writes.exchange("chat.update", each, 60) for each in rivals))
    assert sorted(written, key=bool) == [False, True]
    assert (await ledger.read(TEAM, "chat.update")).numbers == rivals[written.index(True)].numbers


@virtual
async def test_what_is_written_together_is_kept_for_as_long_as_its_longest_entry_asks_for() -> None:
    clock = VirtualClock()
    ledger, entry = MemoryLedger(clock), Entry(numbers={"sent": (1.0,)})
    writes = SharedWrites(ledger, TEAM)
    await asyncio.gather(*(writes.exchange(key, entry, seconds) for key, seconds in (("a", 5), ("b", 60), ("c", 5))))
    await asyncio.sleep(50)
    assert (await ledger.read(TEAM, "b")).numbers == entry.numbers
