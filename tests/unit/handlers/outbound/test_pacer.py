"""Whose turn it is to call Slack, within one process and among several over one ledger, and what the ledger costs."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from app.core.errors import StoreUnavailable
from app.ports import Entry
from handlers.outbound.pacer import DOORS, LATE, LOOK_AGAIN, run_unless
from handlers.slack.budget import KEPT, STATED, TIERS
from tests.fakes import virtual
from tests.unit.handlers.callers import AT_ONCE, FINAL, POST, PREVIEW, QUESTION, STATUS, UPDATE, Workspace
from tests.unit.handlers.strict_slack import TEAM
from tests.virtual import VirtualClock


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
