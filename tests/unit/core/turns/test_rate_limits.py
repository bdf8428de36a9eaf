"""The arithmetic of limits: how many messages a window may hold."""

from __future__ import annotations

from itertools import accumulate, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.turns.rate_limits import (
    DAY,
    HOUR,
    MINUTE,
    Creation,
    Pace,
    Times,
    give_back_creations,
    give_back_message,
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
