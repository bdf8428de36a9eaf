"""Places that were taken and not used: they go back, so that nobody waits for a call that was never made."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import StoreUnavailable
from app.ports import Entry
from handlers.outbound.pacer import GIVEN_AGAIN, GIVEN_BACK_AFTER, LATE, LOOK_AGAIN, NEVER, Pacer, Priority, act_for
from handlers.slack.budget import TIERS
from tests.fakes import virtual
from tests.memory_store import MemoryLedger
from tests.unit.handlers.callers import AT_ONCE, FINAL, POST, PREVIEW, UPDATE, Workspace
from tests.unit.handlers.strict_slack import TEAM
from tests.virtual import VirtualClock, in_virtual_time

EDITS = TIERS[UPDATE]
ALL_TRUSTED = Entry(numbers={"trust": (float(EDITS.calls), 0.0, 0.0, 0.0)})
"""Slack has taken a full tier before."""


async def counted(place: Workspace, queue: str = f"{POST}:C1") -> int:
    """How many calls the ledger counts."""
    return len((await place.ledger.numbers(TEAM, queue)).get("sent", ()))


@pytest.fixture
def place() -> Workspace:
    return Workspace()


@virtual
@pytest.mark.req("MW-20")
async def test_after_a_burst_of_outages_finished_answers_go_at_once_as_far_as_the_minutes_budget_goes(
    place: Workspace,
) -> None:
    await place.ledger.exchange(TEAM, UPDATE, ALL_TRUSTED, 100.0)
    for _ in range(EDITS.calls - 11):
        await place.pacer.turn(UPDATE, "C1", FINAL)
    place.ledger.is_torn = True
    for _ in range(11):
        with pytest.raises(StoreUnavailable):
            await place.pacer.turn(UPDATE, "C1", FINAL)
    place.ledger.is_torn = False
    before = place.clock.monotonic()
    for _ in range(11):
        await place.pacer.turn(UPDATE, "C1", FINAL)
    assert place.clock.monotonic() == before
    await place.pacer.turn(UPDATE, "C1", FINAL)
    assert place.clock.monotonic() >= EDITS.window, "and no further"


@virtual
@pytest.mark.req("MW-20")
async def test_a_place_that_came_and_is_not_used_goes_back_and_wakes_who_waits_for_it(place: Workspace) -> None:
    taken = [await place.pacer.turn(POST, "C1", FINAL) for _ in range(AT_ONCE)]
    waiting = place.calls("waiting", FINAL)
    await asyncio.sleep(0.5)
    place.pacer.give_back(taken[-1])
    await waiting
    assert place.clock.monotonic() == 0.5


@virtual
async def test_others_learn_of_an_unused_place_though_nobody_here_asks_for_more() -> None:
    place = Workspace(2)
    place.pacer.give_back(await place.pacer.turn(POST, "C1", FINAL))
    await asyncio.sleep(1)
    assert await counted(place) == 0


@virtual
async def test_a_place_that_goes_back_while_another_one_is_taken_back_goes_back_too(place: Workspace) -> None:
    first, second = [await place.pacer.turn(POST, "C1", FINAL) for _ in range(2)]

    async def gives_back() -> None:
        place.pacer.give_back(second)

    place.ledger.before_exchange = gives_back
    place.pacer.give_back(first)
    await asyncio.sleep(1)
    assert await counted(place) == 0


@virtual
async def test_others_learn_of_an_unused_place_though_somebody_here_has_to_wait(place: Workspace) -> None:
    taken = [await place.pacer.turn(POST, "C1", FINAL) for _ in range(2)]
    await place.pacer.close_queue(POST, "C1", 30)
    place.calls("waiting", FINAL)
    await asyncio.sleep(1)
    place.pacer.give_back(taken[0])
    await asyncio.sleep(1)
    assert (await counted(place), place.served) == (0, [])


@virtual
async def test_places_that_go_back_soon_after_each_other_cost_one_write(place: Workspace) -> None:
    taken = [await place.pacer.turn(POST, "C1", FINAL) for _ in range(3)]
    writes = place.ledger.writes
    for each in taken:
        place.pacer.give_back(each)
        await asyncio.sleep(GIVEN_BACK_AFTER / 2)
    await asyncio.sleep(1)
    assert (await counted(place), place.ledger.writes) == (0, writes + 1)


@virtual
async def test_an_unused_place_is_remembered_until_the_ledger_can_be_told(place: Workspace) -> None:
    taken = await place.pacer.turn(POST, "C1", FINAL)
    place.ledger.is_away = True
    place.pacer.give_back(taken)
    await asyncio.sleep(1)
    assert await counted(place) == 1
    place.ledger.is_away = False
    await place.pacer.turn(POST, "C1", FINAL)
    assert await counted(place) == 1


@virtual
@pytest.mark.req("MW-20")
async def test_a_place_whose_only_caller_gave_up_while_it_was_taken_goes_back(place: Workspace) -> None:
    gone = place.calls("gone", FINAL)

    async def gives_up() -> None:
        gone.cancel()

    place.ledger.before_exchange = gives_up
    await asyncio.gather(gone, return_exceptions=True)
    await asyncio.sleep(1)
    assert await counted(place) == 0


@pytest.mark.req("MW-20")
@pytest.mark.parametrize("steps", range(8))
def test_a_place_that_comes_at_the_moment_at_which_its_caller_gives_up_goes_back(steps: int) -> None:
    async def run() -> None:
        place, loop = Workspace(), asyncio.get_running_loop()
        gone = place.calls("gone", FINAL)

        def give_up(left: int) -> None:
            loop.call_soon(give_up, left - 1) if left else gone.cancel()

        async def begins_to_give_up() -> None:
            give_up(steps)

        place.ledger.before_exchange = begins_to_give_up
        await asyncio.gather(gone, return_exceptions=True)
        await asyncio.sleep(1)
        assert await counted(place) == len(place.served)

    in_virtual_time(run())


@virtual
@pytest.mark.req("MW-09")
async def test_a_place_that_goes_back_is_given_to_the_next_caller_as_it_is(place: Workspace) -> None:
    place.pacer.give_back(await place.pacer.turn(POST, "C1", PREVIEW))
    writes = place.ledger.writes
    await asyncio.sleep(GIVEN_AGAIN - 0.01)
    await place.pacer.turn(POST, "C1", FINAL)
    assert (await counted(place), place.ledger.writes) == (1, writes)
    await place.pacer.turn(POST, "C1", FINAL)
    await asyncio.sleep(1)
    assert (await counted(place), place.ledger.writes) == (2, writes + 1), "it is given once, and does not go back"


@virtual
@pytest.mark.req("MW-09")
async def test_a_place_whose_caller_gave_up_while_it_was_taken_is_given_to_the_next_caller(place: Workspace) -> None:
    gone = place.calls("gone", PREVIEW)

    async def gives_up() -> None:
        gone.cancel()

    place.ledger.before_exchange = gives_up
    await asyncio.gather(gone, return_exceptions=True)
    await place.pacer.turn(POST, "C1", FINAL)
    assert (await counted(place), place.ledger.writes) == (1, 1)


@virtual
async def test_a_place_that_goes_back_is_counted_anew_after_a_moment(place: Workspace) -> None:
    place.pacer.give_back(await place.pacer.turn(POST, "C1", FINAL))
    writes = place.ledger.writes
    await asyncio.sleep(GIVEN_AGAIN + 0.01)
    second = await place.pacer.turn(POST, "C1", FINAL)
    assert (await counted(place), place.ledger.writes) == (1, writes + 1)
    assert second.at > GIVEN_AGAIN


@virtual
async def test_a_place_that_goes_back_is_not_given_to_another_person(place: Workspace) -> None:
    act_for("U1")
    place.pacer.give_back(await place.pacer.turn(POST, "C1", FINAL))
    act_for("U2")
    assert (await place.pacer.turn(POST, "C1", FINAL)).person == "U2"
    act_for("")
    assert await counted(place) == 1


@virtual
async def test_a_place_of_a_scarce_method_that_goes_back_is_counted_anew(place: Workspace) -> None:
    place.pacer.give_back(await place.pacer.turn(UPDATE, "C1", PREVIEW))
    assert not (await place.pacer.turn(UPDATE, "C1", FINAL)).preview


@virtual
async def test_a_place_that_goes_back_is_not_given_while_slack_allows_no_call(place: Workspace) -> None:
    taken = await place.pacer.turn(POST, "C1", FINAL)
    await place.pacer.close_queue(POST, "C1", 30)
    place.pacer.give_back(taken)
    await place.pacer.turn(POST, "C1", FINAL)
    assert place.clock.monotonic() >= 30


@virtual
async def test_a_place_whose_write_has_an_unknown_outcome_is_not_given_again(place: Workspace) -> None:
    place.ledger.is_torn = True
    with pytest.raises(StoreUnavailable):
        await place.pacer.turn(POST, "C1", FINAL)
    place.ledger.is_torn = False
    writes = place.ledger.writes
    await place.pacer.turn(POST, "C1", FINAL)
    assert (await counted(place), place.ledger.writes > writes) == (1, True)


@virtual
async def test_a_preview_that_was_not_made_may_be_made_later(place: Workspace) -> None:
    await place.ledger.exchange(TEAM, UPDATE, ALL_TRUSTED, 100.0)
    for _ in range(30):
        place.pacer.give_back(await place.pacer.turn(UPDATE, "C1", PREVIEW))
        await asyncio.sleep(0)
    assert place.clock.monotonic() == 0


@virtual
async def test_after_the_end_nothing_is_begun_any_more(place: Workspace) -> None:
    taken = await place.pacer.turn(POST, "C1", FINAL)
    await place.pacer.close()
    writes = place.ledger.writes
    place.pacer.give_back(taken)
    await asyncio.sleep(1)
    assert place.ledger.writes == writes


@dataclass
class TornLedger:
    """A ledger whose outages are told beforehand: `away`, or `torn`, which writes and does not say so."""

    ledger: MemoryLedger
    outages: list[str] = field(default_factory=list[str])

    async def read(self, team: str, key: str) -> Entry:
        if self._next() == "away":
            raise StoreUnavailable
        return await self.ledger.read(team, key)

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        outage = self._next()
        if outage == "away":
            raise StoreUnavailable
        await asyncio.sleep(0.005)
        written = await self.ledger.exchange(team, key, entry, seconds)
        if outage == "torn":
            raise StoreUnavailable
        return written

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        return all([await self.exchange(team, key, entry, seconds) for key, entry in entries.items()])

    def _next(self) -> str:
        return self.outages.pop() if self.outages else ""


QUEUES = [UPDATE, "reactions.remove"]
callers = st.lists(
    st.tuples(
        st.floats(0, 20),
        st.sampled_from([FINAL, PREVIEW]),
        st.sampled_from(["used", "unused", "cancelled"]),
        st.integers(0, 1),
    ),
    min_size=8,
    max_size=30,
)
outages = st.lists(st.sampled_from(["", "", "away", "torn"]), max_size=40)


class Storm:
    """Two processes in one queue, before a ledger that fails as it was told. `made` says when calls were made."""

    def __init__(self, queue: str, outages: list[str]) -> None:
        self.clock, self.queue, self.outages = VirtualClock(), queue, outages
        self.ledger = TornLedger(MemoryLedger(self.clock))
        self.pacers = [Pacer(self.clock, TEAM, self.ledger, process) for process in ("000a", "fffb")]
        self.made: list[float] = []

    async def blows(self, acts: list[tuple[float, Priority, str, int]]) -> None:
        """Let callers come, use their place, give it back, or give up."""
        await self.ledger.exchange(TEAM, UPDATE, ALL_TRUSTED, 1_000.0)
        self.ledger.outages = self.outages
        await asyncio.gather(*(self._call(*act) for act in acts))
        self.ledger.outages = []
        await asyncio.sleep(1)  # who still waits for a write that was begun before hears of its outage

    async def _call(self, at: float, priority: Priority, ends: str, process: int) -> None:
        await asyncio.sleep(at)
        try:
            async with asyncio.timeout(0.003 if ends == "cancelled" else 30):
                place = await self.pacers[process].turn(self.queue, "C1", priority, NEVER)
        except (StoreUnavailable, TimeoutError):
            return
        if ends == "used":
            self.made.append(self.clock.now().timestamp())
        else:
            self.pacers[process].give_back(place)

    async def finishes(self, process: int) -> tuple[float, float]:
        """Make a final call; gives how long it waited, and how long it had to."""
        tier, asked = TIERS[self.queue], self.clock.now().timestamp()
        recent = sorted(self.made)[-tier.calls :]
        demanded = max(0.0, recent[0] + tier.window - asked) if len(recent) == tier.calls else 0.0
        await self.pacers[process].turn(self.queue, "C1", FINAL)
        self.made.append(self.clock.now().timestamp())
        return self.made[-1] - asked, demanded


@given(queue=st.sampled_from(QUEUES), acts=callers, outages=outages, process=st.integers(0, 1))
@pytest.mark.req("MW-20")
def test_whatever_goes_wrong_no_window_holds_more_than_the_budget_and_a_final_waits_no_longer_than_that_demands(
    queue: str, acts: list[tuple[float, Priority, str, int]], outages: list[str], process: int
) -> None:
    async def run() -> None:
        storm, tier = Storm(queue, outages), TIERS[queue]
        await storm.blows(acts * 4)
        await storm.finishes(1 - process)  # so it tells what it has not used
        for _ in range(5):
            waited, demanded = await storm.finishes(process)
            assert waited <= max(demanded, LOOK_AGAIN) + LATE + 0.1
        window = tier.window - GIVEN_AGAIN - 0.01  # a place that is given again was counted so much earlier
        assert window > tier.seconds
        assert max(sum(at <= each < at + window for each in storm.made) for at in storm.made) <= tier.calls

    in_virtual_time(run())
