"""How a workspace's budget of calls is spent."""

from __future__ import annotations

import weakref
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.pacer import (
    CHANNELS,
    KEPT_FOR_FINALS,
    PER_WINDOW,
    POSTS_AT_ONCE,
    PREVIEWS_AT_ONCE,
    SECONDS_PER_POST,
    WINDOW,
    Pacer,
)
from tests.contract.store.clock import ManualClock

UPDATE, POST = "chat.update", "chat.postMessage"
UPDATES = PER_WINDOW[UPDATE]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def pacer(clock: ManualClock) -> Pacer:
    return Pacer(clock)


def spent(pacer: Pacer, method: str, *, preview: bool) -> int:
    """How many calls can be made at once, each in a channel of its own."""
    number = 0
    while not pacer.take(method, f"C{number}", preview=preview):
        number += 1
    return number


def over(pacer: Pacer, clock: ManualClock, seconds: float, *, preview: bool) -> list[float]:
    """When edits are made by somebody who makes each as early as allowed for so long."""
    start, made = clock.monotonic(), list[float]()
    while clock.monotonic() - start < seconds:
        wait = pacer.take(UPDATE, "C1", preview=preview)
        if wait:
            clock.advance(wait + 1e-6)
        else:
            made.append(clock.monotonic() - start)
    return made


def test_a_minute_holds_no_more_edits_than_slack_allows(clock: ManualClock, pacer: Pacer) -> None:
    made = over(pacer, clock, 300, preview=False)
    assert all(sum(at <= each < at + WINDOW for each in made) <= UPDATES for at in made)
    assert len(made) == 5 * UPDATES


def test_previews_leave_a_share_that_only_finals_may_use(clock: ManualClock, pacer: Pacer) -> None:
    previews = [at for at in over(pacer, clock, WINDOW - 1, preview=True) if at < WINDOW]
    assert len(previews) <= UPDATES * (1 - KEPT_FOR_FINALS)
    assert spent(pacer, UPDATE, preview=False) >= UPDATES * KEPT_FOR_FINALS


def test_each_answer_that_is_open_has_its_final_edit_kept_for_it(clock: ManualClock, pacer: Pacer) -> None:
    pacer.drafts = 30
    assert len(over(pacer, clock, WINDOW - 1, preview=True)) <= UPDATES - 30


def test_previews_come_quickly_at_first_and_then_evenly(clock: ManualClock, pacer: Pacer) -> None:
    made = over(pacer, clock, 120, preview=True)
    gaps = [later - earlier for earlier, later in pairwise(made)]
    assert max(gaps[: PREVIEWS_AT_ONCE - 1]) == 0
    assert min(gaps[PREVIEWS_AT_ONCE:]) > 2
    assert max(gaps) < 3, "nobody stares at a frozen answer"


def test_two_callers_never_get_the_same_place(pacer: Pacer) -> None:
    assert [pacer.take(POST, "C1", preview=False) for _ in range(POSTS_AT_ONCE)] == [0] * POSTS_AT_ONCE
    assert pacer.take(POST, "C1", preview=False) > 0


def test_a_channel_gets_a_short_burst_and_then_one_post_a_second_and_others_do_not_wait_for_it(
    clock: ManualClock, pacer: Pacer
) -> None:
    for _ in range(POSTS_AT_ONCE):
        pacer.take(POST, "C1", preview=False)
    assert pacer.delay(POST, "C1", preview=False) == POSTS_AT_ONCE * SECONDS_PER_POST
    assert pacer.delay(POST, "C2", preview=False) == 0
    assert pacer.delay(UPDATE, "C1", preview=False) == 0
    clock.advance(POSTS_AT_ONCE * SECONDS_PER_POST)
    assert pacer.delay(POST, "C1", preview=False) == 0


@given(st.lists(st.floats(0, 5), max_size=60))
def test_no_channel_ever_gets_more_posts_than_one_a_second_and_a_burst(pauses: list[float]) -> None:
    clock = ManualClock()
    pacer, made = Pacer(clock), list[float]()
    for pause in pauses:
        clock.advance(pause)
        if not pacer.take(POST, "C1", preview=False):
            made.append(clock.monotonic())
    for at in made:
        assert sum(at <= each < at + POSTS_AT_ONCE * SECONDS_PER_POST for each in made) <= POSTS_AT_ONCE


def test_retry_after_stops_an_edit_everywhere_and_no_other_method(clock: ManualClock, pacer: Pacer) -> None:
    pacer.refused(UPDATE, "C1", 30)
    assert pacer.delay(UPDATE, "C2", preview=False) == 30
    assert pacer.delay(POST, "C1", preview=False) == 0
    clock.advance(30)
    assert pacer.delay(UPDATE, "C1", preview=True) == 0


def test_retry_after_of_a_post_stops_its_channel_alone(pacer: Pacer) -> None:
    pacer.refused(POST, "C1", 30)
    assert pacer.delay(POST, "C1", preview=False) == 30
    assert pacer.delay(POST, "C2", preview=False) == 0


def test_a_shorter_retry_after_does_not_end_a_longer_one(pacer: Pacer) -> None:
    pacer.refused(UPDATE, "C1", 30)
    pacer.refused(UPDATE, "C1", 5)
    assert pacer.delay(UPDATE, "C1", preview=False) == 30


def test_one_refusal_changes_no_budget(clock: ManualClock, pacer: Pacer) -> None:
    pacer.take(UPDATE, "C1", preview=True)
    pacer.refused(UPDATE, "C1", 1)
    clock.advance(WINDOW)
    assert spent(pacer, UPDATE, preview=True) == PREVIEWS_AT_ONCE


def test_where_slack_refuses_again_previews_learn_what_it_allows_and_finals_do_not_wait_for_them(
    clock: ManualClock, pacer: Pacer
) -> None:
    for _ in range(10):
        pacer.take(UPDATE, "C1", preview=True)
    pacer.refused(UPDATE, "C1", 1)
    pacer.refused(UPDATE, "C1", 1)
    clock.advance(2)
    assert pacer.delay(UPDATE, "C1", preview=True) > 10
    assert pacer.delay(UPDATE, "C1", preview=False) == 0
    assert len(over(pacer, clock, 55, preview=True)) < 10


def test_what_was_learned_is_forgotten_in_peace(clock: ManualClock, pacer: Pacer) -> None:
    pacer.take(UPDATE, "C1", preview=True)
    pacer.refused(UPDATE, "C1", 1)
    pacer.refused(UPDATE, "C1", 1)
    for _ in range(12):
        clock.advance(WINDOW)
        pacer.delay(UPDATE, "C1", preview=True)
    assert spent(pacer, UPDATE, preview=True) == PREVIEWS_AT_ONCE


def test_a_method_without_a_budget_of_ours_waits_only_for_slack(pacer: Pacer) -> None:
    assert pacer.take("users.info", "C1", preview=True) == 0
    assert pacer.delay("users.info", "C1", preview=True) == 0
    pacer.refused("users.info", "C1", 3)
    assert pacer.delay("users.info", "C2", preview=False) == 3


class Channel(str):
    """A channel's id that can be watched to be forgotten."""

    __slots__ = ("__weakref__",)


def test_channels_that_have_long_been_quiet_are_forgotten(clock: ManualClock, pacer: Pacer) -> None:
    quiet = Channel("C0")
    memory = weakref.ref(quiet)
    pacer.take(POST, quiet, preview=False)
    del quiet
    for number in range(1, CHANNELS + 1):
        assert memory()
        clock.advance(1)
        pacer.take(POST, f"C{number}", preview=False)
    assert memory() is None


def test_a_pause_that_is_over_is_forgotten(clock: ManualClock, pacer: Pacer) -> None:
    quiet = Channel("C0")
    memory = weakref.ref(quiet)
    pacer.refused(POST, quiet, 1)
    del quiet
    assert memory()
    clock.advance(2)
    pacer.refused(POST, "C1", 1)
    assert memory() is None
