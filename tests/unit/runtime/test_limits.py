"""The limits as processes apply them together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.core.conversation.usage import Usage
from app.core.errors import FailureKind, StoreUnavailable
from app.core.turns.rate_limits import NOTHING as NO_AMOUNT
from app.core.turns.rate_limits import Allowance, Amount, Answers, Creation, Pace, Refusal
from app.ports import Entry
from app.runtime.limits import TRIES, Limits, LimitSettings
from tests.contract.store.clock import ManualClock
from tests.memory_store import MemoryLedger
from tests.unit.ledgers import DeadLedger, HopelessLedger, RacingLedger

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()


NOTHING = Usage()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def ledger(clock: ManualClock) -> MemoryLedger:
    return MemoryLedger(clock)


DEFAULTS = LimitSettings()


def limited(user: Allowance = Allowance(), workspace: Allowance = Allowance()) -> LimitSettings:  # noqa: B008
    """Limits of the user and of the workspace; what is not named is not limited."""
    return LimitSettings(user=user, workspace=workspace)


async def waits(limits: Limits, moments: Sequence[float], user: str = "U1") -> list[int]:
    return [await limits.message("T1", user, at) for at in moments]


@pytest.mark.req("S0-005")
async def test_a_person_may_send_twenty_messages_a_minute_and_is_told_how_long_the_next_must_wait(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    limits = Limits(ledger, clock, DEFAULTS)
    assert await waits(limits, [NOON + second for second in range(20)]) == [0] * 20
    assert await waits(limits, [NOON + 20, NOON + 59.5]) == [40, 1]
    assert await limits.message("T1", "U2", NOON + 20) == 0, "another person has limits of their own"
    assert await limits.message("T2", "U1", NOON + 20) == 0, "another workspace is another world"
    assert await limits.message("T1", "U1", NOON + 60) == 0


@pytest.mark.req("S0-005")
async def test_a_workspace_may_send_two_hundred_messages_a_minute(ledger: MemoryLedger, clock: ManualClock) -> None:
    limits = Limits(ledger, clock, DEFAULTS)
    taken = [await limits.message("T1", f"U{number % 50}", NOON + number / 10) for number in range(200)]
    assert taken == [0] * 200
    assert await limits.message("T1", "U99", NOON + 20) == 40


async def test_a_message_that_the_workspace_refuses_does_not_count_against_its_author(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    limits = Limits(ledger, clock, limited(Allowance(messages=2), Allowance(messages=1)))
    assert await limits.message("T1", "U2", NOON) == 0
    assert await waits(limits, [NOON + second for second in range(1, 6)]) == [59, 58, 57, 56, 55]
    assert await waits(limits, [NOON + 60]) == [0]


async def test_a_message_that_is_asked_for_again_after_a_crash_is_counted_once(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    settings = limited(Allowance(messages=2), Allowance(messages=2))
    for process in (Limits(ledger, clock, settings), Limits(ledger, clock, settings)):
        assert await waits(process, [NOON]) == [0]
    assert await waits(Limits(ledger, clock, settings), [NOON + 1, NOON + 2]) == [0, 58]


async def test_processes_that_race_let_through_exactly_the_limit(ledger: MemoryLedger, clock: ManualClock) -> None:
    racing = RacingLedger(ledger)
    processes = [Limits(racing, clock, DEFAULTS) for _ in range(3)]
    answers = await asyncio.gather(
        *(processes[number % 3].message("T1", "U1", NOON + number / 8) for number in range(100))
    )
    assert answers.count(0) == 20
    assert racing.lost, "there was no race"


async def test_those_who_ask_in_one_process_take_turns_and_do_not_race(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    racing = RacingLedger(ledger)
    limits = Limits(racing, clock, DEFAULTS)
    answers = await asyncio.gather(*(limits.message("T1", "U1", NOON + number / 8) for number in range(2 * TRIES)))
    assert (answers.count(0), racing.lost) == (20, 0)


@pytest.mark.req("S0-006")
async def test_processes_that_race_begin_exactly_as_many_answers_as_the_workspace_allows(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    racing = RacingLedger(ledger)
    settings = limited(Allowance(at_once=4), Allowance(calls=7))
    processes = [Limits(racing, clock, settings) for _ in range(3)]
    refusals = await asyncio.gather(
        *(processes[number % 3].begin_answer("T1", f"U{number % 5}", f"t{number}") for number in range(40))
    )
    assert refusals.count(None) == 7
    assert racing.lost, "there was no race"
    begun = [f"t{number}" for number, refusal in enumerate(refusals) if refusal is None]
    held = [token for number in range(5) for token in _held(await ledger.read("T1", f"answers:U{number}"))]
    assert sorted(held) == sorted(begun), "a person's place was not given back"


def _held(entry: Entry) -> list[str]:
    return [name.removeprefix("held ") for name in entry.numbers if name.startswith("held ")]


@pytest.mark.req("S0-006")
async def test_a_person_may_begin_fifteen_answers_a_minute_and_a_workspace_sixty(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    limits = Limits(ledger, clock, DEFAULTS)
    for number in range(60):
        user = f"U{number // 15}"
        assert await limits.begin_answer("T1", user, str(number)) is None
        await limits.end_answer("T1", user, str(number), NOTHING, "")
        if number == 14:
            clock.advance(0.5)
            refusal = await limits.begin_answer("T1", user, "sixteenth")
            assert refusal == Refusal(kind=FailureKind.PACED, seconds=60)
    refusal = await limits.begin_answer("T1", "U9", "sixty-first")
    assert refusal == Refusal(kind=FailureKind.PACED, seconds=60)
    clock.advance(60)
    assert await limits.begin_answer("T1", "U0", "later") is None


async def test_five_answers_of_a_person_may_be_under_way_and_the_end_of_one_lets_another_begin(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    limits = Limits(ledger, clock, DEFAULTS)
    for number in range(5):
        assert await limits.begin_answer("T1", "U1", str(number)) is None
    assert await limits.begin_answer("T1", "U1", "sixth") == Refusal(kind=FailureKind.PACED, seconds=10)
    assert await limits.begin_answer("T1", "U2", "another person's") is None
    await limits.end_answer("T1", "U1", "0", NOTHING, "")
    assert await limits.begin_answer("T1", "U1", "sixth") is None


async def test_a_process_that_died_frees_its_places_by_and_by(ledger: MemoryLedger, clock: ManualClock) -> None:
    settings = replace(limited(Allowance(at_once=1), Allowance(at_once=1)), hold=100)
    assert await Limits(ledger, clock, settings).begin_answer("T1", "U1", "lost") is None
    clock.advance(99)
    assert await Limits(ledger, clock, settings).begin_answer("T1", "U2", "next")
    clock.advance(1)
    assert await Limits(ledger, clock, settings).begin_answer("T1", "U2", "next") is None


async def test_an_answer_that_another_process_begins_again_takes_nothing_twice(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    once = Allowance(calls=2, at_once=2)
    for _ in range(3):
        assert await Limits(ledger, clock, limited(once, once)).begin_answer("T1", "U1", "first") is None
    limits = Limits(ledger, clock, limited(once, once))
    assert await limits.begin_answer("T1", "U1", "second") is None
    assert await limits.begin_answer("T1", "U1", "third") is not None


async def test_an_answer_that_goes_on_after_it_waited_is_no_other_answer_and_each_stretch_is_paid_for_once(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    once, used = Allowance(calls=1, at_once=1, tokens=200), Usage(input_tokens=100)
    limits = Limits(ledger, clock, limited(once, once))
    assert await limits.begin_answer("T1", "U1", "a") is None
    await limits.end_answer("T1", "U1", "a", used, "")
    for stretch in ("a:1", "a:2"):
        await limits.resume_answer("T1", "U1", stretch)
        assert await limits.begin_answer("T1", "U1", "b") is not None
        for _ in range(2):
            await limits.end_answer("T1", "U1", stretch, used, "")
    assert await limits.tokens_today("T1", "U1") == 300
    clock.advance(60)
    assert await limits.begin_answer("T1", "U1", "b") == Refusal(kind=FailureKind.SPENT_TODAY, seconds=86_340)


async def test_a_person_whose_budget_is_spent_waits_until_midnight_and_the_others_go_on(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    limits = Limits(ledger, clock, limited(Allowance(tokens=1000)))
    used = Usage(input_tokens=300, output_tokens=100, cache_read_tokens=50, cache_write_tokens=50)
    for token in ("first", "second"):
        assert await limits.begin_answer("T1", "U1", token) is None
        for _ in range(2):
            await limits.end_answer("T1", "U1", token, used, "")
    clock.advance(3600)
    refusal = await limits.begin_answer("T1", "U1", "third")
    assert refusal == Refusal(kind=FailureKind.SPENT_TODAY, seconds=23 * 3600)
    assert await limits.begin_answer("T1", "U2", "another person's") is None
    clock.advance(23 * 3600)
    assert await limits.begin_answer("T1", "U1", "third") is None


async def test_what_a_person_used_today_is_told_without_counting_anything(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    limits = Limits(ledger, clock, limited(Allowance(tokens=1000)))
    assert await limits.tokens_today("T1", "U1") == 0
    await limits.begin_answer("T1", "U1", "first")
    await limits.end_answer("T1", "U1", "first", Usage(input_tokens=300, output_tokens=100), "")
    assert [await limits.tokens_today("T1", user) for user in ("U1", "U1", "U2")] == [400, 400, 0]
    clock.advance(24 * 3600)
    assert await limits.tokens_today("T1", "U1") == 0


async def test_the_dollars_of_all_persons_add_up_and_unknown_prices_cost_nothing(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    limits = Limits(ledger, clock, limited(workspace=Allowance(dollars=1.5)))
    for number, cost in enumerate(["0.75", "", "0.749999", "0.000001"]):
        assert await limits.begin_answer("T1", f"U{number}", f"t{number}") is None, cost
        await limits.end_answer("T1", f"U{number}", f"t{number}", NOTHING, cost)
    refusal = await limits.begin_answer("T1", "U9", "t9")
    assert refusal
    assert refusal.kind is FailureKind.SPENT_TODAY


async def test_where_nothing_is_limited_the_ledger_is_not_asked(clock: ManualClock) -> None:
    limits = Limits(DeadLedger(), clock, limited())
    assert await limits.message("T1", "U1", NOON) == 0
    assert await limits.begin_answer("T1", "U1", "t") is None
    await limits.end_answer("T1", "U1", "t", NOTHING, "")


async def test_a_workspace_may_be_limited_where_its_people_are_not(ledger: MemoryLedger, clock: ManualClock) -> None:
    limits = Limits(ledger, clock, limited(workspace=Allowance(messages=1, calls=1)))
    assert await waits(limits, [NOON, NOON + 1]) == [0, 59]
    assert await limits.begin_answer("T1", "U1", "first") is None
    assert await limits.begin_answer("T1", "U1", "second") is not None


async def test_a_ledger_that_cannot_be_reached_is_an_outage(clock: ManualClock) -> None:
    limits = Limits(DeadLedger(), clock, DEFAULTS)
    with pytest.raises(StoreUnavailable):
        await limits.message("T1", "U1", NOON)
    with pytest.raises(StoreUnavailable):
        await limits.begin_answer("T1", "U1", "t")
    with pytest.raises(StoreUnavailable):
        await limits.end_answer("T1", "U1", "t", NOTHING, "")


async def test_races_that_are_always_lost_end_as_an_outage(clock: ManualClock) -> None:
    ledger = HopelessLedger()
    with pytest.raises(StoreUnavailable):
        await Limits(ledger, clock, DEFAULTS).message("T1", "U1", NOON)
    assert ledger.tries == TRIES


@pytest.mark.req("SE-07")
@pytest.mark.parametrize("is_persons", [True, False])
async def test_before_each_request_both_the_persons_and_the_workspaces_budget_are_looked_at(
    ledger: MemoryLedger, clock: ManualClock, is_persons: bool
) -> None:
    few, many = Allowance(tokens=10), Allowance(tokens=1_000)
    limits = Limits(ledger, clock, limited(*((few, many) if is_persons else (many, few))))
    assert await limits.begin_answer("T1", "U1", "a") is None
    assert await limits.go_on("T1", "U1", "a", Amount(tokens=9)) is None
    refusal = await limits.go_on("T1", "U1", "a", Amount(tokens=11))
    assert refusal
    assert refusal.kind is FailureKind.SPENT_TODAY
    for key in ("answers:U1", "answers"):
        assert Answers.read((await ledger.read("T1", key)).numbers, clock.now().timestamp()).tokens == 11


@pytest.mark.req("SE-07", "AG-11")
async def test_what_other_requests_of_an_answer_may_cost_is_reserved_before_the_next(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    settings = replace(limited(user=Allowance(tokens=100)), reserve=Amount(tokens=20))
    limits, used = Limits(ledger, clock, settings), Amount(tokens=50)
    assert await limits.go_on("T1", "U1", "a", used, 2) is None
    assert await limits.go_on("T1", "U1", "a", used, 3), "110 tokens, if each costs what it may"
    assert await limits.go_on("T1", "U1", "a", used) is None


@pytest.mark.req("SE-07")
@pytest.mark.parametrize("of", ["person", "workspace"])
async def test_processes_that_race_pass_a_budget_by_no_more_than_one_request_for_each_answer(
    ledger: MemoryLedger, clock: ManualClock, of: str
) -> None:
    racing, allowed = RacingLedger(ledger), Allowance(tokens=100, at_once=5)
    one = Amount(tokens=10)
    settings = replace(limited(**{"user" if of == "person" else "workspace": allowed}), reserve=one)
    processes = [Limits(racing, clock, settings) for _ in range(3)]
    spent = 0

    async def answer(number: int) -> None:
        nonlocal spent
        limits, user, used = processes[number % 3], "U1" if of == "person" else f"U{number}", 0
        if await limits.begin_answer("T1", user, f"a{number}"):
            return
        while used == 0 or not await limits.go_on("T1", user, f"a{number}", Amount(tokens=used)):
            used, spent = used + 10, spent + 10
            await asyncio.sleep(0)
        await limits.end_answer("T1", user, f"a{number}", Usage(input_tokens=used), "")

    await asyncio.gather(*map(answer, range(5)))
    key = "answers:U1" if of == "person" else "answers"
    left = Answers.read((await ledger.read("T1", key)).numbers, clock.now().timestamp())
    assert 100 <= spent <= 100 + 5 * 10
    assert (left.tokens, left.reserved, left.paid) == (spent, NO_AMOUNT, {})
    assert racing.lost, "there was no race"


@pytest.mark.req("SE-13")
async def test_what_people_make_is_counted_for_each_of_them_and_given_back_where_it_came_to_nothing(
    ledger: MemoryLedger, clock: ManualClock
) -> None:
    settings = replace(limited(), creations={Creation.FILE: Pace(2)})
    limits = Limits(ledger, clock, settings)
    assert [await limits.create("T1", "U1", at, {Creation.FILE: 1}) for at in (NOON, NOON + 1, NOON + 2)] == [
        0,
        0,
        3598,
    ]
    assert await limits.create("T1", "U2", NOON + 2, {Creation.FILE: 1}) == 0
    await limits.take_back("T1", "U1", NOON + 1)
    assert await Limits(ledger, clock, settings).create("T1", "U1", NOON + 3, {Creation.FILE: 1}) == 0
    assert await limits.create("T1", "U1", NOON + 4, {Creation.SEARCH: 1}) == 0, "nobody limits that"


async def test_a_look_at_what_may_be_made_counts_nothing(ledger: MemoryLedger, clock: ManualClock) -> None:
    limits = Limits(ledger, clock, replace(limited(), creations={Creation.FILE: Pace(1)}))
    now = clock.now().timestamp()
    assert [await limits.pause("T1", "U1", Creation.FILE) for _ in range(2)] == [0, 0]
    await limits.create("T1", "U1", now, {Creation.FILE: 1})
    clock.advance(60)
    assert await limits.pause("T1", "U1", Creation.FILE) == 3540
    assert await limits.pause("T1", "U1", Creation.SEARCH) == 0
