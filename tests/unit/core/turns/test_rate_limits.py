"""The arithmetic of limits: how many messages and answers a window may hold, at once, and what they may cost a day."""

from __future__ import annotations

from itertools import accumulate, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.usage import Usage
from app.core.errors import FailureKind
from app.core.turns.rate_limits import (
    DAY,
    HOUR,
    MILLIONTHS,
    MINUTE,
    NOTHING,
    SOON,
    Allowance,
    Amount,
    Answers,
    Creation,
    Numbers,
    Pace,
    Refusal,
    Times,
    give_back_creations,
    give_back_message,
    parse_millionths,
    sum_tokens,
    take,
    take_creations,
    take_message,
)

WINDOW = 10.0
NOON = 20_000.5 * DAY

COUNTS = st.integers(1, 4)
EIGHTHS = st.integers(-80, 40).map(lambda step: step / 8)
"""Seconds after the newest moment, at most a window before it. Eighths, because floats add them exactly."""
ARRIVALS = st.lists(EIGHTHS, min_size=1, max_size=40).map(
    lambda steps: [*accumulate(steps, lambda newest, step: newest + step, initial=NOON)]
)


def fill(moments: list[float], count: int) -> tuple[Times, list[float]]:
    """Offer moments one after another, none more than a window late; return what is stored, and all that were taken."""
    times: Times = ()
    taken: list[float] = []
    newest = moments[0]
    for moment in moments:
        at = max(moment, newest - WINDOW)
        times, wait = take(times, at, count, WINDOW)
        if not wait:
            taken.append(at)
            newest = max(newest, at)
    return times, taken


def crowded(taken: list[float], at: float) -> int:
    """Return how many moments, with this one, the fullest window holds that holds this one."""
    everything = [*taken, at]
    starts = [start for start in everything if start <= at < start + WINDOW]
    return max(sum(start <= moment < start + WINDOW for moment in everything) for start in starts)


@given(moments=ARRIVALS, count=COUNTS)
def test_no_window_ever_holds_more_than_its_count_though_moments_come_late(moments: list[float], count: int) -> None:
    _, taken = fill(moments, count)
    for start in taken:
        assert sum(start <= at < start + WINDOW for at in taken) <= count


@given(moments=ARRIVALS, count=COUNTS, step=EIGHTHS)
def test_a_moment_is_refused_only_if_a_window_would_hold_too_many(
    moments: list[float], count: int, step: float
) -> None:
    times, taken = fill(moments, count)
    at = times[-1] + step
    _, wait = take(times, at, count, WINDOW)
    assert (wait > 0) == (crowded(taken, at) > count)


@given(moments=ARRIVALS, count=COUNTS, step=EIGHTHS, part=st.integers(0, 999))
def test_waiting_exactly_as_long_as_told_succeeds_and_any_shorter_fails(
    moments: list[float], count: int, step: float, part: int
) -> None:
    times, _ = fill(moments, count)
    at = times[-1] + step
    unchanged, wait = take(times, at, count, WINDOW)
    if wait:
        assert take(unchanged, at + wait, count, WINDOW)[1] == 0
        assert take(unchanged, at + wait * part / 1000, count, WINDOW)[1] > 0


@given(steps=st.lists(st.integers(0, 159), min_size=2, max_size=4, unique=True), count=COUNTS)
def test_moments_that_all_fit_fit_in_any_order(steps: list[int], count: int) -> None:
    moments = [NOON + step / 8 for step in steps]
    outcomes = {
        result
        for order in permutations(moments)
        for result, taken in [_offer_all(order, count)]
        if len(taken) == len(moments)
    }
    assert outcomes in (set(), {tuple(sorted(moments))})
    assert bool(outcomes) == all(crowded(moments, at) - 1 <= count for at in moments)


def _offer_all(moments: tuple[float, ...], count: int) -> tuple[Times, list[float]]:
    times: Times = ()
    taken: list[float] = []
    for at in moments:
        times, wait = take(times, at, count, WINDOW)
        if not wait:
            taken.append(at)
    return times, taken


@given(moments=st.lists(st.floats(2.0**31 - 2 * WINDOW, 2.0**31 + 2 * WINDOW), max_size=20), count=COUNTS)
def test_a_wait_is_found_even_where_floats_change_their_precision(moments: list[float], count: int) -> None:
    times: Times = ()
    for at in moments:
        times, wait = take(times, at, count, WINDOW)
        assert wait >= 0


def test_no_more_moments_are_kept_than_can_still_matter() -> None:
    times: Times = ()
    for second in range(1000):
        times, _ = take(times, NOON + second, 3, WINDOW)
    assert len(times) <= 2 * 3


def test_without_a_limit_every_moment_is_taken() -> None:
    times: Times = ()
    for _ in range(100):
        times, wait = take(times, NOON, 0, WINDOW)
        assert wait == 0


def test_a_limit_that_was_lowered_holds_at_once_and_tells_the_exact_wait() -> None:
    times: Times = tuple(NOON + second for second in range(8))
    _, wait = take(times, NOON + 8, 2, WINDOW)
    assert wait == 8, "two of the last seconds remain: 7 and the one that is to come, once 6 has gone"
    assert take(times, NOON + 16, 2, WINDOW)[1] == 0


def test_a_message_is_counted_once_however_often_it_is_asked_for() -> None:
    once, _ = take_message({}, NOON, 2)
    again, wait = take_message(once, NOON, 2)
    assert (again, wait) == (once, 0)
    assert take_message(again, NOON + 1, 2)[1] == 0, "the same message was counted twice"


def test_a_message_that_is_given_back_leaves_its_place() -> None:
    full, _ = take_message({}, NOON, 1)
    assert take_message(full, NOON + 1, 1)[1] == MINUTE - 1
    assert take_message(give_back_message(full, NOON), NOON + 1, 1)[1] == 0


PACES = {Creation.FILE: Pace(2), Creation.INVITATION: Pace(5)}


@pytest.mark.req("SE-13")
def test_of_what_somebody_makes_at_once_all_counts_or_nothing() -> None:
    numbers, wait = take_creations({}, 0.0, {Creation.FILE: 1, Creation.INVITATION: 4}, PACES)
    assert wait == 0
    refused, wait = take_creations(numbers, 600.0, {Creation.FILE: 1, Creation.INVITATION: 2}, PACES)
    assert (refused, wait) == (numbers, HOUR - 600)
    after, wait = take_creations(numbers, 600.0, {Creation.FILE: 1, Creation.INVITATION: 1}, PACES)
    assert (len(after[Creation.FILE]), len(after[Creation.INVITATION]), wait) == (2, 5, 0)
    assert give_back_creations(after, 600.0) == numbers


def test_what_is_made_at_one_moment_counts_once_and_what_has_no_pace_does_not() -> None:
    numbers, _ = take_creations({}, 1.0, {Creation.FILE: 1, Creation.SEARCH: 3}, PACES)
    assert take_creations(numbers, 1.0, {Creation.FILE: 1}, PACES) == (numbers, 0.0)
    assert (numbers[Creation.FILE], numbers[Creation.SEARCH]) == ((1.0,), ())


HOLD = 300.0


def begun(answers: Answers, token: str, now: float = NOON, **limits: Any) -> Answers:
    """Begin an answer that must be allowed."""
    after = answers.begin(token, now, HOLD, Allowance(**limits))
    assert isinstance(after, Answers), after
    return Answers.read(after.numbers(), now)


def refused(answers: Answers, token: str = "new", now: float = NOON, **limits: Any) -> Refusal:
    """Ask for an answer that must be refused."""
    after = answers.begin(token, now, HOLD, Allowance(**limits))
    assert isinstance(after, Refusal), after
    return after


FRESH = Answers.read({}, NOON)


def test_no_more_answers_begin_a_minute_than_allowed_and_the_wait_is_exact() -> None:
    answers = begun(begun(FRESH, "a", calls=2), "b", NOON + 10, calls=2)
    assert refused(answers, now=NOON + 10.5, calls=2) == Refusal(kind=FailureKind.PACED, seconds=50)
    assert begun(answers, "c", NOON + 60, calls=2)


def test_no_more_answers_are_under_way_than_allowed_until_one_ends() -> None:
    answers = begun(begun(FRESH, "a", at_once=2), "b", at_once=2)
    assert refused(answers, at_once=2) == Refusal(kind=FailureKind.PACED, seconds=int(SOON))
    assert begun(answers.end("a", NOON + HOLD, 0, 0), "c", at_once=2)


def test_the_place_of_a_process_that_died_is_free_after_its_time() -> None:
    answers = begun(FRESH, "a", at_once=1)
    late = NOON + HOLD - 1
    assert refused(Answers.read(answers.numbers(), late), now=late, at_once=1).seconds == 1
    assert begun(Answers.read(answers.numbers(), NOON + HOLD), "b", NOON + HOLD, at_once=1)


def test_the_longer_of_two_waits_is_told() -> None:
    answers = begun(FRESH, "a", calls=1, at_once=1)
    assert refused(answers, calls=1, at_once=1).seconds == 60
    assert refused(answers, now=NOON + 55, calls=1, at_once=1).seconds == SOON


def test_an_answer_that_is_begun_again_after_a_crash_counts_once_and_holds_its_place_longer() -> None:
    answers = begun(begun(FRESH, "a", calls=1, at_once=1), "a", NOON + 20, calls=1, at_once=1)
    assert answers.begun == (NOON,)
    still = NOON + 20 + HOLD - 1
    assert "a" in Answers.read(answers.numbers(), still).held


def test_an_answer_that_begins_anew_after_its_end_counts_anew() -> None:
    ended = begun(FRESH, "a", calls=2).end("a", NOON + HOLD, 100, 5)
    again = begun(ended, "a", calls=2)
    assert len(again.begun) == 2
    assert again.end("a", NOON + HOLD, 100, 5).tokens == 200


def test_an_answer_that_goes_on_after_it_waited_is_neither_refused_nor_counted_again_and_has_its_place() -> None:
    limits = {"calls": 1, "at_once": 1, "tokens": 5}
    waited = begun(FRESH, "a", **limits).end("a", NOON + HOLD, 5, 0)
    going_on = waited.resume("a:1", NOON + 1, HOLD)
    assert (going_on.begun, list(going_on.held)) == (waited.begun, ["a:1"])
    assert refused(going_on, now=NOON + 2 * MINUTE, at_once=1).kind is FailureKind.PACED
    assert going_on.resume("a:1", NOON + 9, HOLD).held["a:1"].until == NOON + 9 + HOLD
    assert going_on.end("a:1", NOON + HOLD, 2, 0).end("a:1", NOON + HOLD, 2, 0).tokens == 7


def test_what_is_withdrawn_leaves_nothing_behind() -> None:
    before = begun(FRESH, "a", calls=2, at_once=2)
    assert begun(before, "b", calls=2, at_once=2).withdraw("b") == before
    assert before.withdraw("unheard of") == before


def test_what_is_withdrawn_long_after_it_began_frees_its_place() -> None:
    answers = begun(FRESH, "a", at_once=1)
    for minute in (1, 2, 3):
        answers = begun(answers, f"later {minute}", NOON + minute * MINUTE)
    left = answers.withdraw("a")
    assert "a" not in left.held
    assert left.begun == answers.begun


def test_an_answer_is_paid_for_once_however_often_its_end_is_told() -> None:
    answers = begun(FRESH, "a").end("a", NOON + HOLD, 100, 5)
    again = Answers.read(answers.numbers(), NOON + HOLD - 1).end("a", NOON + 2 * HOLD, 100, 5)
    assert (again.tokens, again.millionths) == (100, 5)


def test_an_answer_whose_place_ran_out_is_paid_for_all_the_same() -> None:
    late = NOON + HOLD + 1
    answers = Answers.read(begun(FRESH, "a").numbers(), late)
    assert answers.held == {}
    assert answers.end("a", late + HOLD, 100, 5).tokens == 100


@pytest.mark.parametrize("limits", [{"tokens": 100}, {"dollars": 0.5}])
def test_a_budget_that_is_spent_lasts_until_midnight_utc(limits: dict[str, Any]) -> None:
    answers = begun(FRESH, "a", **limits).end("a", NOON + HOLD, 99, 499_999)
    answers = begun(answers, "b", **limits).end("b", NOON + HOLD, 1, 1)
    assert refused(answers, **limits) == Refusal(kind=FailureKind.SPENT_TODAY, seconds=DAY // 2)
    midnight = NOON + DAY / 2
    assert refused(Answers.read(answers.numbers(), midnight - 1), now=midnight - 1, **limits).seconds == 1
    assert begun(Answers.read(answers.numbers(), midnight), "c", midnight, **limits).tokens == 0


def test_a_budget_that_is_spent_for_a_process_with_a_fast_clock_is_spent_for_all() -> None:
    midnight = NOON + DAY / 2
    ahead = Answers.read({}, midnight + 1).end("a", midnight + HOLD, 100, 0)
    behind = Answers.read(ahead.numbers(), midnight - 1)
    assert refused(behind, now=midnight - 1, tokens=100).kind is FailureKind.SPENT_TODAY
    assert behind.day == ahead.day


@given(spent=st.dictionaries(st.text(max_size=3), st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4))
def test_ends_may_come_in_any_order(spent: dict[str, tuple[int, int]]) -> None:
    outcomes: list[Numbers] = []
    for order in permutations(spent):
        answers = FRESH
        for token in order:
            answers = answers.end(token, NOON + HOLD, *spent[token])
        outcomes.append(answers.numbers())
    assert all(outcome == outcomes[0] for outcome in outcomes)


TOKENS = st.sampled_from(["a", "b", "message:T1:C1:1.5", "with space"])
CHANGES = st.lists(st.tuples(st.sampled_from(["begin", "withdraw", "end"]), TOKENS, st.integers(0, 200)), max_size=30)


@given(changes=CHANGES)
def test_after_anything_limits_hold_repeats_change_nothing_and_numbers_read_back(
    changes: list[tuple[str, str, int]],
) -> None:
    now, limits, answers = NOON, Allowance(calls=3, at_once=2), FRESH
    for change, token, seconds in changes:
        now += seconds
        answers = Answers.read(answers.numbers(), now)
        assert Answers.read(answers.numbers(), now) == answers
        once = _changed(answers, change, token, now, limits)
        assert _changed(once, change, token, now, limits) == once
        answers = once
        assert len(answers.held) <= 2
        assert sum(at > now - MINUTE for at in answers.begun) <= 3


def _changed(answers: Answers, change: str, token: str, now: float, limits: Allowance) -> Answers:
    match change:
        case "begin":
            after = answers.begin(token, now, HOLD, limits)
            return answers if isinstance(after, Refusal) else after
        case "withdraw":
            return answers.withdraw(token)
        case _:
            return answers.end(token, now + HOLD, 1, 1)


def test_all_tokens_count_and_unknown_prices_do_not() -> None:
    usage = Usage(input_tokens=1, output_tokens=20, cache_read_tokens=300, cache_write_tokens=4000)
    assert sum_tokens(usage) == 4321
    assert [parse_millionths(cost) for cost in ("", "0", "0.0000001", "0.25", "1.0000005")] == [
        0,
        0,
        1,
        250_000,
        1_000_001,
    ]


@pytest.mark.parametrize("limits", [{"calls": 1}, {"at_once": 1}, {"tokens": 1}, {"dollars": 0.1}])
def test_answers_are_bounded_by_any_limit_on_them(limits: dict[str, Any]) -> None:
    assert Allowance(**limits).bounds_answers
    assert not Allowance(messages=1).bounds_answers


# --- budgets hold within an answer

ROUND = Amount(tokens=10, millionths=10)


def reserved(answers: Answers, token: str, now: float = NOON, **limits: Any) -> Answers | Refusal:
    """Begin an answer with a reserve of one round."""
    after = answers.begin(token, now, HOLD, Allowance(**limits), ROUND)
    return Answers.read(after.numbers(), now) if isinstance(after, Answers) else after


@pytest.mark.req("SE-07")
@pytest.mark.parametrize("limits", [{"tokens": 10}, {"dollars": 10 / MILLIONTHS}])
def test_what_one_answer_has_reserved_no_other_begins_on(limits: dict[str, Any]) -> None:
    answers = reserved(FRESH, "a", **limits)
    assert isinstance(answers, Answers)
    assert reserved(answers, "b", **limits) == Refusal(kind=FailureKind.PACED, seconds=int(SOON))
    free = Answers.read(answers.numbers(), NOON + HOLD)
    assert isinstance(reserved(free, "b", NOON + HOLD, **limits), Answers), "a process that died reserves for its time"


@pytest.mark.req("SE-07")
@pytest.mark.parametrize("limits", [{"tokens": 12}, {"dollars": 12 / MILLIONTHS}])
def test_an_answer_stops_before_the_request_for_which_nothing_is_left(limits: dict[str, Any]) -> None:
    allowance, answers = Allowance(**limits), begun(FRESH, "a", **limits)
    answers, refusal = answers.go_on("a", NOON, ROUND, allowance)
    assert refusal is None
    answers, refusal = Answers.read(answers.numbers(), NOON).go_on("a", NOON, ROUND + ROUND, allowance)
    assert refusal == Refusal(kind=FailureKind.SPENT_TODAY, seconds=DAY // 2)
    assert answers.end("a", NOON + HOLD, 20, 20).tokens == 20, "what was counted meanwhile is not counted again"


@pytest.mark.req("SE-07")
def test_what_a_process_that_died_had_spent_stays_spent_and_is_not_paid_for_again() -> None:
    answers, _ = begun(FRESH, "a", tokens=100).go_on("a", NOON, ROUND, Allowance(tokens=100))
    later = Answers.read(answers.numbers(), NOON + HOLD + 1)
    assert (later.held, later.tokens) == ({}, 10)
    ended = later.end("a", NOON + 2 * HOLD, 15, 15)
    assert (ended.tokens, ended.millionths, ended.paid) == (15, 15, {})


def test_a_look_that_is_repeated_or_comes_late_counts_nothing_twice() -> None:
    answers = begun(FRESH, "a")
    for spent in (ROUND + ROUND, ROUND + ROUND, ROUND):
        answers, _ = answers.go_on("a", NOON, spent, Allowance())
    assert (answers.tokens, answers.millionths) == (20, 20)


def test_an_entry_of_before_there_were_reserves_is_read() -> None:
    assert Answers.read({"held a": (NOON + 1, NOON)}, NOON).reserved == NOTHING


ENDS = st.sampled_from([False] * 9 + [True])
MOVES = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 10), ENDS), min_size=8, max_size=60)
"""Whose turn it is, what the request costs that is made now, and whether the answer ends after it."""


@pytest.mark.req("SE-07")
@given(MOVES, st.integers(1, 60), st.booleans())
def test_however_answers_interleave_each_passes_the_budget_by_no_more_than_one_request(
    moves: list[tuple[int, int, bool]], budget: int, in_dollars: bool
) -> None:
    allowance = Allowance(dollars=budget / MILLIONTHS) if in_dollars else Allowance(tokens=budget)
    answers, spent, at_once = FRESH, dict[str, int](), 0
    for number, (who, costs, ends) in enumerate(moves):
        token, now = f"a{who}", NOON + number
        answers = Answers.read(answers.numbers(), now)
        if token not in spent:
            made = answers.begin(token, now, HOLD, allowance, ROUND)
            if isinstance(made, Refusal):
                assert answers.tokens + answers.reserved.tokens >= budget, "there was enough for another one"
                continue
            answers, spent[token] = made, costs
            at_once = max(at_once, len(spent))
        else:
            so_far = Amount(tokens=spent[token], millionths=spent[token])
            answers, refusal = answers.go_on(token, now, so_far, allowance)
            ends = ends or refusal is not None
            spent[token] += 0 if refusal else costs
        if ends:
            answers = answers.end(token, now + HOLD, spent[token], spent.pop(token))
        used = answers.tokens + sum(total - _counted(answers, token) for token, total in spent.items())
        assert used < budget + 10 * at_once, "more than one request each"
    for token, total in spent.items():
        answers = answers.end(token, NOON + HOLD, total, total)
    assert (answers.reserved, answers.paid, answers.held) == (NOTHING, {}, {})


def _counted(answers: Answers, token: str) -> float:
    return answers.paid[token][1].tokens if token in answers.paid else 0.0
