"""Places that are taken ahead, and what is written together: fewer writes, and never one call more than allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import StoreUnavailable
from app.ports import Entry
from handlers.outbound.pacer import NEVER, Pacer, Priority
from handlers.slack.budget import AHEAD, AHEAD_SECONDS, TIERS
from tests.fakes import virtual
from tests.memory_store import MemoryLedger
from tests.unit.handlers.callers import AT_ONCE, POST, Workspace
from tests.unit.handlers.strict_slack import TEAM
from tests.virtual import VirtualClock, in_virtual_time

SESSION, THREAD = "agents.sessions.setStatus", "assistant.threads.setStatus"
TIER = TIERS[SESSION]
FINAL, _, STATUS, _ = Priority


class Written:
    """A ledger that counts commands, takes a while, and can be changed by somebody else just before a write."""

    def __init__(self, clock: VirtualClock) -> None:
        self.ledger = MemoryLedger(clock)
        self.commands = 0
        self.is_away = self.is_torn = False
        self.rivals: list[tuple[str, Entry]] = []
        self.followers: list[str] = []
        """Keys that somebody else writes over right after a write."""

    async def read(self, team: str, key: str) -> Entry:
        return await self.ledger.read(team, key)

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        return await self.exchange_all(team, {key: entry}, seconds)

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        self.commands += 1
        await asyncio.sleep(0.002)
        if self.is_away:
            raise StoreUnavailable
        while self.rivals:
            key, rival = self.rivals.pop()
            await self.ledger.exchange(team, key, rival, seconds)
        written = await self.ledger.exchange_all(team, entries, seconds)
        while self.followers:
            key = self.followers.pop()
            await self.ledger.exchange(team, key, await self.ledger.read(team, key), seconds)
        if self.is_torn:
            raise StoreUnavailable
        return written

    async def sent(self, key: str) -> tuple[float, ...]:
        return (await self.ledger.read(TEAM, key)).numbers.get("sent", ())


class Office:
    """Some processes over one ledger of that kind."""

    def __init__(self, processes: int = 1) -> None:
        self.clock = VirtualClock()
        self.ledger = Written(self.clock)
        self.pacers = [Pacer(self.clock, TEAM, self.ledger, f"{256 * each:03x}c") for each in range(processes)]
        self.pacer = self.pacers[0]


@pytest.fixture
def place() -> Office:
    return Office()


@virtual
@pytest.mark.req("MW-09")
async def test_two_turns_that_begin_and_end_show_it_with_one_write(place: Office) -> None:
    for _ in range(1 + AHEAD):
        await place.pacer.turn(SESSION, "C1", STATUS)
        await asyncio.sleep(2)
    assert place.ledger.commands == 1
    await place.pacer.turn(SESSION, "C1", STATUS)
    assert place.ledger.commands == 2


@virtual
async def test_a_place_that_was_taken_ahead_is_not_used_after_its_time_and_goes_back_with_the_next_write(
    place: Office,
) -> None:
    await place.pacer.turn(SESSION, "C1", STATUS)
    await asyncio.sleep(AHEAD_SECONDS)
    await place.pacer.turn(SESSION, "C1", STATUS)
    assert place.ledger.commands == 2
    assert len(await place.ledger.sent(SESSION)) == 2 + AHEAD, "those of the first write are not among them"


@virtual
async def test_a_place_that_was_taken_ahead_and_given_back_is_used_by_the_next_without_a_write(place: Office) -> None:
    await place.pacer.turn(SESSION, "C1", STATUS)
    for _ in range(3 * AHEAD):
        place.pacer.give_back(await place.pacer.turn(SESSION, "C1", STATUS))
    await asyncio.sleep(1)
    assert place.ledger.commands == 1


@virtual
async def test_a_queue_that_slack_closed_is_not_passed_with_a_place_that_was_taken_ahead(place: Office) -> None:
    await place.pacer.turn(SESSION, "C1", STATUS)
    await place.pacer.close_queue(SESSION, "C1", 8)
    await place.pacer.turn(SESSION, "C1", STATUS)
    assert place.clock.monotonic() >= 8
    assert len(await place.ledger.sent(SESSION)) == 2 + AHEAD, "those that were dropped are not among them"


@virtual
async def test_a_place_that_goes_back_to_a_closed_queue_waits_until_it_opens(place: Office) -> None:
    await place.pacer.turn(SESSION, "C1", STATUS)
    ahead = await place.pacer.turn(SESSION, "C1", STATUS)
    await place.pacer.close_queue(SESSION, "C1", 8)
    place.pacer.give_back(ahead)
    await place.pacer.turn(SESSION, "C1", STATUS)
    assert place.clock.monotonic() >= 8


@virtual
async def test_places_ahead_of_which_nobody_knows_whether_they_were_taken_are_not_used(place: Office) -> None:
    place.ledger.is_torn = True
    with pytest.raises(StoreUnavailable):
        await place.pacer.turn(SESSION, "C1", STATUS)
    place.ledger.is_torn = False
    await place.pacer.turn(SESSION, "C1", STATUS)
    assert len(await place.ledger.sent(SESSION)) == 1 + AHEAD


@virtual
@pytest.mark.req("MW-09")
async def test_all_who_may_call_at_one_moment_get_their_places_with_one_write() -> None:
    place = Workspace()
    callers = [place.pacer.turn(POST, "C1", FINAL) for _ in range(AT_ONCE)]
    places = await asyncio.gather(*callers)
    assert len({each.at for each in places}) == AT_ONCE
    assert (place.ledger.writes, place.clock.monotonic()) == (1, 0)


@virtual
@pytest.mark.req("MW-09")
async def test_queues_that_are_asked_at_one_moment_are_counted_with_one_write(place: Office) -> None:
    queues = [(SESSION, "C1"), (THREAD, "C1"), (POST, "C1"), (POST, "C2")]
    await asyncio.gather(*(place.pacer.turn(method, channel, STATUS) for method, channel in queues))
    assert place.ledger.commands == 1
    assert len(await place.ledger.sent(f"{POST}:C2")) == 1


@virtual
async def test_a_queue_that_another_process_was_quicker_to_takes_no_place_from_those_it_was_written_with(
    place: Office,
) -> None:
    now = place.clock.now().timestamp()
    place.ledger.rivals = [(f"{POST}:C1", Entry(numbers={"sent": (now - 0.5,)}))]
    await asyncio.gather(*(place.pacer.turn(POST, channel, FINAL) for channel in ("C1", "C2", "C3")))
    counted = [len(await place.ledger.sent(f"{POST}:{channel}")) for channel in ("C1", "C2", "C3")]
    assert counted == [2, 1, 1]


@virtual
async def test_a_place_that_was_taken_and_at_once_written_over_is_not_taken_twice(place: Office) -> None:
    place.ledger.rivals = [(f"{POST}:C1", Entry(numbers={"sent": (place.clock.now().timestamp() - 0.5,)}))]
    place.ledger.followers = [f"{POST}:C2"]
    await asyncio.gather(*(place.pacer.turn(POST, channel, FINAL) for channel in ("C1", "C2")))
    await asyncio.sleep(1)
    assert [len(await place.ledger.sent(f"{POST}:{channel}")) for channel in ("C1", "C2")] == [2, 1]


@virtual
@pytest.mark.req("MW-09")
async def test_however_many_processes_have_called_half_of_a_budget_is_left_to_who_needs_it_at_once() -> None:
    place = Office(9)
    for pacer in place.pacers:
        await pacer.turn(SESSION, "C1", STATUS)
    await asyncio.gather(*(place.pacers[0].turn(SESSION, "C1", STATUS) for _ in range(TIER.calls // 2)))
    assert place.clock.monotonic() < 1


@virtual
async def test_an_outage_of_what_is_written_together_is_told_to_everybody(place: Office) -> None:
    place.ledger.is_away = True
    callers = [place.pacer.turn(POST, channel, FINAL) for channel in ("C1", "C2")]
    outcomes = await asyncio.gather(*callers, return_exceptions=True)
    assert [type(each) for each in outcomes] == [StoreUnavailable] * 2


acts = st.lists(
    st.tuples(st.floats(0, 20), st.integers(0, 3), st.sampled_from(["used", "used", "used", "unused"])),
    min_size=20,
    max_size=60,
)


@given(acts=acts, crowd=st.integers(1, 3))
@pytest.mark.req("MW-09")
def test_however_processes_take_places_ahead_no_window_holds_more_than_allowed_and_half_is_there_for_everybody(
    acts: list[tuple[float, int, str]], crowd: int
) -> None:
    async def run() -> None:
        place, made = Office(4), list[tuple[float, float]]()

        async def call(pause: float, process: int, ends: str) -> None:
            await asyncio.sleep(pause)
            asked = place.clock.now().timestamp()
            turn = await place.pacers[process].turn(SESSION, "C1", STATUS, NEVER)
            if ends == "unused":
                place.pacers[process].give_back(turn)
            else:
                made.append((asked, place.clock.now().timestamp()))

        await asyncio.gather(*(call(*act) for act in acts * crowd))
        times = sorted(at for _, at in made)
        assert all(sum(at <= each < at + TIER.window - 0.05 for each in times) <= TIER.calls for at in times)
        for asked, at in made:
            if at - asked > 1:  # somebody waits, so at least half of the budget was really used
                recent = [each for each in times if asked - TIER.window - AHEAD_SECONDS <= each <= at]
                assert len(recent) >= TIER.calls // 2
        for pacer in place.pacers:
            await pacer.close()

    in_virtual_time(run())
