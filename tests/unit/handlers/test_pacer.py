"""How a workspace's budget of calls is spent."""

from __future__ import annotations

import weakref

import pytest

from handlers.pacer import CHANNELS, KEPT_FOR_FINALS, PER_MINUTE, SECONDS_PER_POST, Pacer
from tests.contract.store.clock import ManualClock

UPDATE, POST = "chat.update", "chat.postMessage"
UPDATES = int(PER_MINUTE[UPDATE])


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def pacer(clock: ManualClock) -> Pacer:
    return Pacer(clock)


def spent(pacer: Pacer, method: str, *, preview: bool) -> int:
    """How many calls can be made at once, each in a channel of its own."""
    number = 0
    while not pacer.delay(method, f"C{number}", preview=preview):
        pacer.count(method, f"C{number}")
        number += 1
    return number


def test_a_minute_holds_no_more_edits_than_slack_allows(pacer: Pacer) -> None:
    assert spent(pacer, UPDATE, preview=False) == UPDATES


def test_previews_leave_a_share_that_only_finals_may_use(pacer: Pacer) -> None:
    previews = spent(pacer, UPDATE, preview=True)
    assert previews == UPDATES * (1 - KEPT_FOR_FINALS)
    assert spent(pacer, UPDATE, preview=False) == UPDATES - previews


def test_the_budget_comes_back_evenly_and_is_never_more_than_a_minutes(clock: ManualClock, pacer: Pacer) -> None:
    spent(pacer, UPDATE, preview=False)
    delay = pacer.delay(UPDATE, "C1", preview=False)
    assert delay == pytest.approx(60 / UPDATES)  # pyright: ignore[reportUnknownMemberType]
    clock.advance(delay + 1e-6)
    assert spent(pacer, UPDATE, preview=False) == 1
    clock.advance(3_600)
    assert spent(pacer, UPDATE, preview=False) == UPDATES


def test_a_channel_gets_one_post_a_second_and_others_do_not_wait_for_it(clock: ManualClock, pacer: Pacer) -> None:
    pacer.count(POST, "C1")
    assert pacer.delay(POST, "C1", preview=False) == SECONDS_PER_POST
    assert pacer.delay(POST, "C2", preview=False) == 0
    assert pacer.delay(UPDATE, "C1", preview=False) == 0
    clock.advance(SECONDS_PER_POST)
    assert pacer.delay(POST, "C1", preview=False) == 0


def test_retry_after_stops_the_method_everywhere_and_no_other(clock: ManualClock, pacer: Pacer) -> None:
    pacer.pause(UPDATE, 30)
    assert pacer.delay(UPDATE, "C1", preview=False) == 30
    assert pacer.delay(POST, "C1", preview=False) == 0
    clock.advance(30)
    assert pacer.delay(UPDATE, "C1", preview=True) == 0


def test_a_shorter_retry_after_does_not_end_a_longer_one(pacer: Pacer) -> None:
    pacer.pause(UPDATE, 30)
    pacer.pause(UPDATE, 5)
    assert pacer.delay(UPDATE, "C1", preview=False) == 30


def test_a_method_without_a_budget_of_ours_waits_only_for_slack(pacer: Pacer) -> None:
    pacer.count("users.info", "C1")
    assert pacer.delay("users.info", "C1", preview=True) == 0
    pacer.pause("users.info", 2)
    assert pacer.delay("users.info", "C1", preview=True) == 2


class Channel(str):
    """A channel's id that can be watched to be forgotten."""

    __slots__ = ("__weakref__",)


def test_channels_that_have_long_been_quiet_are_forgotten(pacer: Pacer) -> None:
    quiet = Channel("C0")
    memory = weakref.ref(quiet)
    pacer.count(POST, quiet)
    del quiet
    for number in range(1, CHANNELS):
        pacer.count(POST, f"C{number}")
    assert memory()
    pacer.count(POST, f"C{CHANNELS}")
    assert memory() is None
