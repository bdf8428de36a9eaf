"""A rule covers so many writes an hour and ends when it was not used for long, whichever process counts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.core.errors import StoreUnavailable
from app.core.state.permission import PermissionRequest, Rule
from app.ports import Entry
from app.runtime.outside.rule_uses import DAY, RuleUses, Use
from tests.contract.store.clock import ManualClock
from tests.memory_store import MemoryLedger


class Counting:
    """Rules as several processes count them: one ledger, and as many counters as are asked for."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.ledger = MemoryLedger(self.clock)
        self.rule = Rule(
            team="T1", user="U1", tool="post", scope="channel:C1", allows=True, at=self.clock.now().isoformat()
        )

    def process(self) -> RuleUses:
        return RuleUses(ledger=self.ledger, clock=self.clock, days=90, per_hour=10)


@pytest.mark.req("SE-05")
async def test_the_eleventh_write_of_an_hour_is_not_covered_by_whichever_process_and_the_next_hour_is() -> None:
    counting = Counting()
    uses = await asyncio.gather(*(counting.process().take(counting.rule) for _ in range(11)))
    assert sorted(uses) == [Use.COVERED] * 10 + [Use.FULL]
    counting.clock.advance(3_599)
    assert await counting.process().take(counting.rule) is Use.FULL
    counting.clock.advance(2)
    assert await counting.process().take(counting.rule) is Use.COVERED


@pytest.mark.req("SE-05")
async def test_each_rule_counts_for_itself() -> None:
    counting = Counting()
    for _ in range(10):
        await counting.process().take(counting.rule)
    other = replace(counting.rule, scope="channel:C2")
    assert await counting.process().take(other) is Use.COVERED


@pytest.mark.req("SE-05")
async def test_a_rule_ends_ninety_days_after_its_last_use_and_lives_as_long_as_it_is_used() -> None:
    counting = Counting()
    for _ in range(3):
        counting.clock.advance(89 * DAY)
        assert await counting.process().take(counting.rule) is Use.COVERED
    counting.clock.advance(90 * DAY)
    assert await counting.process().take(counting.rule) is Use.ENDED


@pytest.mark.req("SE-05")
async def test_a_rule_that_was_never_used_ends_ninety_days_after_it_was_given() -> None:
    counting = Counting()
    counting.clock.advance(90 * DAY - 1)
    spans = await counting.process().spans([counting.rule])
    ends = datetime.fromisoformat(counting.rule.at) + timedelta(days=90)
    assert (spans["post", "channel:C1"].used, spans["post", "channel:C1"].ends) == (None, ends)
    counting.clock.advance(1)
    assert await counting.process().take(counting.rule) is Use.ENDED


@pytest.mark.req("SE-05")
async def test_the_list_tells_the_last_use_and_the_end_of_what_allows_and_nothing_of_what_forbids() -> None:
    counting = Counting()
    await counting.process().take(counting.rule)
    used = counting.clock.now()
    never = replace(counting.rule, scope="channel:C2", allows=False)
    spans = await counting.process().spans([counting.rule, never])
    assert list(spans) == [("post", "channel:C1")]
    assert spans["post", "channel:C1"].used == used.astimezone(UTC)


async def test_who_always_loses_the_race_for_a_rule_is_told_that_the_store_is_away() -> None:
    class Taken(MemoryLedger):
        async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
            return False

    counting = Counting()
    uses = RuleUses(ledger=Taken(counting.clock), clock=counting.clock)
    with pytest.raises(StoreUnavailable):
        await uses.take(counting.rule)
    with pytest.raises(StoreUnavailable):
        await uses.note_allowed("T1", "U1", PermissionRequest(tool="post", scope="channel:C1", reads=False))
