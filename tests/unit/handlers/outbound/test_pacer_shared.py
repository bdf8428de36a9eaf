"""Pacers of several processes over one ledger, and what the ledger costs."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from app.core.errors import StoreUnavailable
from handlers.outbound.pacer import DOORS, LATE, LOOK_AGAIN, Priority
from handlers.slack.budget import KEPT, STATED, TIERS
from tests.fakes import virtual
from tests.unit.handlers.callers import AT_ONCE, POST, Workspace
from tests.unit.handlers.strict_slack import TEAM

UPDATE = "chat.update"
FINAL, _, STATUS, PREVIEW = Priority


@pytest.fixture
def place() -> Workspace:
    return Workspace()


@virtual
async def test_the_first_post_in_a_channel_costs_one_write_and_no_look(place: Workspace) -> None:
    await place.pacer.turn(POST, "C1", PREVIEW)
    assert (place.ledger.reads, place.ledger.writes) == (0, 1)


@virtual
async def test_a_process_alone_never_looks_at_what_it_has_written_itself(place: Workspace) -> None:
    await place.crowd()
    await asyncio.sleep(KEPT)  # the ledger has forgotten the queue by then
    await place.crowd()
    assert (place.ledger.reads, place.ledger.writes) == (0, 2 * AT_ONCE)


@virtual
async def test_processes_share_a_door() -> None:
    place = Workspace(3)
    times = list[float]()
    for turn in range(12):
        await place.pacers[turn % 3].turn(POST, "C1", PREVIEW)
        times.append(place.clock.monotonic())
    window = TIERS[POST].window
    assert all(sum(at <= other < at + window for other in times) <= AT_ONCE for at in times)


@virtual
async def test_who_loses_a_race_for_a_place_looks_again_and_waits() -> None:
    place = Workspace(2)
    ours, theirs = place.pacers
    for _ in range(AT_ONCE - 1):
        await theirs.turn(POST, "C1", FINAL)
    place.ledger.before_exchange = lambda: theirs.turn(POST, "C1", FINAL)
    await ours.turn(POST, "C1", FINAL)
    assert place.clock.monotonic() >= TIERS[POST].window


@virtual
async def test_a_retry_after_that_one_process_gets_is_obeyed_by_all() -> None:
    place = Workspace(2)
    ours, theirs = place.pacers
    await theirs.turn(UPDATE, "", FINAL)
    await ours.close_queue(UPDATE, "C1", 30)
    await theirs.turn(UPDATE, "C2", FINAL)
    assert 30 <= place.clock.monotonic() <= 30 + LOOK_AGAIN + LATE


@virtual
async def test_a_retry_after_closes_the_door_it_names_alone(place: Workspace) -> None:
    await place.pacer.close_queue(POST, "C1", 30)
    await place.pacer.turn(POST, "C2", PREVIEW)
    await place.pacer.turn(UPDATE, "C1", PREVIEW)
    assert place.clock.monotonic() == 0


@virtual
async def test_a_retry_after_is_not_lost_to_what_others_write_at_the_same_moment() -> None:
    place = Workspace(2)
    ours, theirs = place.pacers
    place.ledger.before_exchange = lambda: theirs.turn(UPDATE, "", FINAL)
    await ours.close_queue(UPDATE, "", 30)
    await theirs.turn(UPDATE, "", FINAL)
    assert place.clock.monotonic() >= 30


@virtual
async def test_while_the_ledger_is_away_nobody_may_call_and_everybody_is_told(place: Workspace) -> None:
    place.ledger.is_away = True
    waiting = [place.calls(str(number), FINAL) for number in range(3)]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 3
    assert place.served == []
    place.ledger.is_away = False
    await place.pacer.turn(POST, "C1", FINAL)


@virtual
async def test_who_waits_for_a_place_is_told_when_the_ledger_goes_away(place: Workspace) -> None:
    await place.crowd()
    waiting = place.calls("waiting", FINAL)
    await asyncio.sleep(1)
    place.ledger.is_away = True
    with pytest.raises(StoreUnavailable):
        await waiting


@virtual
async def test_a_retry_after_is_obeyed_here_although_the_ledger_cannot_be_told(place: Workspace) -> None:
    place.ledger.is_away = True
    with pytest.raises(StoreUnavailable):
        await place.pacer.close_queue(UPDATE, "", 30)
    place.ledger.is_away = False
    place.calls("final", FINAL, queue=UPDATE)
    await asyncio.sleep(LOOK_AGAIN - 1)
    assert place.served == []


@virtual
async def test_each_process_says_how_many_answers_it_has_open() -> None:
    place = Workspace(2)
    with place.pacers[0].reserve_final_edit(), place.pacers[0].reserve_final_edit():
        await place.pacers[0].turn(UPDATE, "", PREVIEW)
        with place.pacers[1].reserve_final_edit():
            await place.pacers[1].turn(UPDATE, "", PREVIEW)
            numbers = await place.ledger.numbers(TEAM, UPDATE)
    assert sorted(said[0] for name, said in numbers.items() if name.startswith("answers:")) == [1, 2]
    await place.pacers[0].turn(UPDATE, "", FINAL)
    numbers = await place.ledger.numbers(TEAM, UPDATE)
    assert [said[0] for name, said in numbers.items() if name.startswith("answers:")] == [1]


@virtual
async def test_who_waits_hears_when_others_need_less_than_they_had_kept() -> None:
    place = Workspace(2)
    ours, theirs = place.pacers
    with ExitStack() as answers:
        for _ in range(TIERS[UPDATE].calls):
            answers.enter_context(theirs.reserve_final_edit())
        for _ in range(10):
            await theirs.turn(UPDATE, "", FINAL)
        waiting = place.calls("preview", PREVIEW, queue=UPDATE)
        await asyncio.sleep(2 * LOOK_AGAIN)
        assert place.pacer is ours
        assert place.served == []
    await theirs.turn(UPDATE, "", FINAL)
    await asyncio.sleep(LOOK_AGAIN + 1)
    assert place.served == ["preview"]
    await waiting


@virtual
async def test_a_process_that_only_waits_goes_on_saying_what_it_has_open(place: Workspace) -> None:
    await place.pacer.close_queue(UPDATE, "", 10 * STATED)
    with place.pacer.reserve_final_edit():
        waiting = place.calls("preview", PREVIEW, queue=UPDATE)
        await asyncio.sleep(5 * STATED)
        numbers = await place.ledger.numbers(TEAM, UPDATE)
        waiting.cancel()
    ((count, at),) = [said for name, said in numbers.items() if name.startswith("answers:")]
    assert count == 1
    assert place.clock.now().timestamp() - at < STATED
    assert place.ledger.writes < 20, "not at every look"


@virtual
async def test_only_so_many_doors_are_remembered(place: Workspace) -> None:
    for number in range(DOORS + 1):
        await place.pacer.turn(POST, f"C{number}", PREVIEW)
    assert place.ledger.reads == 0
    await place.pacer.turn(POST, f"C{DOORS}", PREVIEW)
    await place.pacer.turn(POST, "C1", PREVIEW)
    assert place.ledger.reads == 0, "the newest are known"
    await place.pacer.turn(POST, "C0", PREVIEW)
    assert place.ledger.reads == 1, "the oldest is looked up again"
    await place.pacer.turn(POST, "C1", PREVIEW)
    assert place.ledger.reads == 1, "it was used in between"


@virtual
async def test_no_process_always_comes_too_late_to_the_next_place() -> None:
    place = Workspace(3)
    turns = [0, 0, 0]

    async def crowd_of(process: int) -> None:
        while True:
            await place.pacers[process].turn(POST, "C1", PREVIEW)
            turns[process] += 1

    crowds = [asyncio.ensure_future(crowd_of(process)) for process in range(3) for _ in range(5)]
    await asyncio.sleep(1_000)
    for pacer in place.pacers:
        await pacer.close()
    await asyncio.gather(*crowds, return_exceptions=True)
    assert min(turns) > sum(turns) / 5
