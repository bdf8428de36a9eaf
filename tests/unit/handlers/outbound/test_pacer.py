"""Whose turn it is to call Slack, within one process."""

from __future__ import annotations

import asyncio

import pytest

from app.core.errors import StoreUnavailable
from app.ports import Entry
from handlers.outbound.pacer import LATE, Priority, run_unless
from handlers.slack.budget import TIERS
from tests.fakes import virtual
from tests.unit.handlers.callers import AT_ONCE, POST, Workspace
from tests.virtual import VirtualClock

TEAM = "T1"
UPDATE = "chat.update"
FINAL, QUESTION, STATUS, PREVIEW = Priority


@pytest.fixture
def place() -> Workspace:
    return Workspace()


@virtual
async def test_the_most_urgent_goes_first_and_each_rank_in_order_of_coming(place: Workspace) -> None:
    await place.crowd()
    for name, priority in {"p": PREVIEW, "s": STATUS, "q": QUESTION, "f1": FINAL, "f2": FINAL}.items():
        place.calls(name, priority)
    assert await place.all_served() == ["f1", "f2", "q", "s", "p"]


@virtual
async def test_of_previews_that_of_the_answer_served_longest_ago_goes_first(place: Workspace) -> None:
    await place.crowd()
    place.calls("just now", PREVIEW, 9.0)
    place.calls("long ago", PREVIEW, 2.0)
    place.calls("never", PREVIEW)
    assert await place.all_served() == ["never", "long ago", "just now"]


@virtual
async def test_somebody_more_urgent_who_comes_while_others_wait_goes_first(place: Workspace) -> None:
    await place.crowd()
    place.calls("preview", PREVIEW)
    await asyncio.sleep(1)
    place.calls("final", FINAL)
    assert await place.all_served() == ["final", "preview"]


@virtual
async def test_somebody_more_urgent_who_comes_while_a_place_is_taken_gets_that_place(place: Workspace) -> None:
    async def comes() -> None:
        place.calls("final", FINAL)
        await asyncio.sleep(0)

    place.ledger.before_exchange = comes
    place.calls("preview", PREVIEW)
    assert await place.all_served() == ["final", "preview"]


@virtual
async def test_a_final_need_not_wait_until_a_preview_may_be_made(place: Workspace) -> None:
    for _ in range(12):
        await place.pacer.turn(UPDATE, "", PREVIEW)
    place.calls("preview", PREVIEW, queue=UPDATE)
    await asyncio.sleep(0.2)
    began = place.clock.monotonic()
    await place.pacer.turn(UPDATE, "", FINAL)
    assert place.clock.monotonic() - began < LATE + 0.3
    assert place.served == []


@virtual
async def test_a_final_waits_no_longer_because_a_preview_waits_behind_it() -> None:
    place, window, calls = Workspace(), TIERS[UPDATE].window, TIERS[UPDATE].calls
    now = place.clock.now().timestamp()
    sent = (now - window + 1, *(now - 1 + 0.001 * number for number in range(calls - 1)))
    trust = (float(calls), 0.0, 0.0, 0.0)
    await place.ledger.exchange(TEAM, UPDATE, Entry(numbers={"sent": sent, "trust": trust}), window)
    place.calls("final", FINAL, queue=UPDATE)
    place.calls("preview", PREVIEW, queue=UPDATE)
    await asyncio.sleep(1.5)
    assert place.served == ["final"]
    await place.pacer.close()


@virtual
async def test_who_gives_up_leaves_the_queue_and_takes_nobodys_place(place: Workspace) -> None:
    await place.crowd()
    gone = place.calls("gone", FINAL)
    place.calls("next", PREVIEW)
    await asyncio.sleep(0.5)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    await place.pacer.turn(POST, "C1", PREVIEW)
    assert place.served == ["next"]
    assert len((await place.ledger.numbers(TEAM, "chat.postMessage:C1"))["sent"]) <= AT_ONCE


@virtual
async def test_a_place_whose_caller_gave_up_meanwhile_goes_to_the_next(place: Workspace) -> None:
    gone = place.calls("gone", FINAL)
    place.calls("next", PREVIEW)

    async def gives_up() -> None:
        gone.cancel()

    place.ledger.before_exchange = gives_up
    await asyncio.gather(gone, return_exceptions=True)
    await asyncio.sleep(0)
    assert place.served == ["next"]
    assert place.ledger.writes == 1


@virtual
async def test_doors_do_not_wait_for_each_other(place: Workspace) -> None:
    await place.crowd()
    await place.pacer.turn(POST, "C2", PREVIEW)
    await place.pacer.turn("reactions.add", "C1", STATUS)
    assert place.clock.monotonic() == 0


@virtual
async def test_a_place_that_nobody_wants_any_more_is_given_to_nobody(place: Workspace) -> None:
    gone = place.calls("gone", FINAL)

    async def gives_up() -> None:
        gone.cancel()

    place.ledger.before_exchange = gives_up
    await asyncio.gather(gone, return_exceptions=True)
    await asyncio.sleep(1)
    await place.pacer.turn(POST, "C1", FINAL)
    assert place.served == []


@virtual
async def test_at_the_end_whoever_waits_is_let_go(place: Workspace) -> None:
    await place.crowd()
    waiting = place.calls("waiting", FINAL)
    await asyncio.sleep(1)
    await place.pacer.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting


@virtual
async def test_a_wait_ends_with_the_act_or_with_the_event_whichever_comes_first() -> None:
    clock, event = VirtualClock(), asyncio.Event()
    assert await run_unless(event, clock.sleep(1))
    asyncio.get_running_loop().call_later(1, event.set)
    assert not await run_unless(event, clock.sleep(10))
    assert clock.monotonic() == 2
    assert not await run_unless(event, clock.sleep(10)), "an event that has happened is not waited for"


@virtual
async def test_what_goes_wrong_in_an_act_is_raised(place: Workspace) -> None:
    place.ledger.is_away = True
    with pytest.raises(StoreUnavailable):
        await run_unless(asyncio.Event(), place.pacer.turn(POST, "C1", FINAL))
