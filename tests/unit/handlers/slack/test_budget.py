"""The arithmetic of one queue."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.playground.slack.api.methods import METHODS
from app.ports import Entry
from handlers.slack.budget import (
    FINALS_AT_LEAST,
    KEPT,
    LONG,
    LONGEST_HOLD,
    MARGIN,
    MINUTE,
    PREVIEWS_AT_LEAST,
    PREVIEWS_AT_ONCE,
    PROBE_GAP,
    STATED,
    TIERS,
    TRUSTED,
    Budget,
    Tier,
    Trust,
)
from tests.unit.handlers.queues import NOW, POSTS, PROVEN, UPDATES, WINDOW, later, over, within


@pytest.mark.parametrize("method", TIERS)
def test_no_tier_of_ours_is_above_slacks(method: str) -> None:
    ours, slacks = TIERS[method], METHODS[method].tier
    if slacks:
        assert within(over(Budget(tier=ours), 5 * slacks.seconds, preview=False)[0], slacks.seconds) <= slacks.calls
        assert ours.per_channel is slacks.per_channel


@given(
    tier=st.sampled_from([UPDATES, POSTS, TIERS["reactions.remove"]]),
    acts=st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.floats(0, 4)), max_size=120),
)
def test_no_interleaving_of_processes_sends_more_than_slack_allows(
    tier: Tier, acts: list[tuple[int, bool, float]]
) -> None:
    """Each process looks at what it knew last; only a write over the newest version counts."""
    stored, known = Entry(), [Entry()] * 3
    now, made = NOW, list[float]()
    for process, preview, pause in acts:
        now += pause
        while not (budget := Budget.of(tier, known[process], now)).wait(now, preview=preview):
            if known[process].version == stored.version:
                made.append(now)
                entry = budget.spend(now, preview=preview).entry(stored.version)
                stored = known[process] = replace(entry, version=stored.version + 1)
                break
            known[process] = stored
    assert within(made, tier.seconds) <= tier.calls


def test_over_many_minutes_no_sixty_seconds_hold_more_than_the_tier_and_nearly_that_many_are_used() -> None:
    made, _ = over(PROVEN, 600, preview=False)
    assert within(made, MINUTE) <= UPDATES.calls
    assert len(made) >= 9 * UPDATES.calls


times = st.floats(NOW - 600, NOW + 600)
counts = st.integers(0, 100).map(float)


@given(
    st.builds(
        Budget,
        tier=st.just(UPDATES),
        sent=st.lists(st.floats(NOW - WINDOW + 1, NOW), max_size=50).map(lambda sent: tuple(sorted(sent))),
        closed=st.tuples(times, st.floats(NOW - 600, NOW + MARGIN)),
        previews=st.tuples(st.floats(-1, PREVIEWS_AT_ONCE), st.floats(NOW - 600, NOW + MARGIN)),
        trust=st.builds(
            Trust,
            proven=st.integers(1, 50),
            probed=st.floats(0, NOW),
            held=st.floats(0, NOW),
            patience=st.floats(0, LONGEST_HOLD),
        ),
        answers=st.dictionaries(st.text("abc:.", min_size=1), st.tuples(counts, st.floats(NOW - STATED + 1, NOW))),
    )
)
def test_what_is_written_is_read_back(budget: Budget) -> None:
    assert Budget.of(UPDATES, budget.entry(7), NOW) == budget
    assert budget.entry(7).version == 7


def test_previews_leave_a_share_that_only_finals_may_use() -> None:
    previews, left = over(PROVEN, WINDOW - 1, preview=True)
    finals, _ = over(left, 1, preview=False, start=NOW + WINDOW - 1)
    assert len(previews) <= UPDATES.calls * (1 - FINALS_AT_LEAST)
    assert len(finals) >= UPDATES.calls * FINALS_AT_LEAST


def test_every_answer_that_is_open_anywhere_has_its_final_edit_kept_for_it() -> None:
    budget = PROVEN.state("a", 12, NOW).state("b", 18, NOW)
    assert UPDATES.calls - 30 - 1 <= len(over(budget, WINDOW - 1, preview=True)[0]) <= UPDATES.calls - 30


def test_however_many_answers_are_open_previews_do_not_end() -> None:
    made, _ = over(PROVEN.state("a", 500, NOW), WINDOW - 1, preview=True)
    assert UPDATES.calls * PREVIEWS_AT_LEAST - 1 <= len(made) <= UPDATES.calls * PREVIEWS_AT_LEAST


def test_what_a_process_said_long_ago_does_not_count_for_it_may_have_died() -> None:
    budget = PROVEN.state("a", 40, NOW)
    assert later(budget, NOW + STATED - 1).answers
    assert not later(budget, NOW + STATED).answers


def test_a_process_says_again_what_it_has_open_when_that_changes_and_before_it_is_forgotten() -> None:
    budget = PROVEN.state("a", 3, NOW)
    assert budget.states("a", 3, NOW)
    assert not budget.states("a", 4, NOW)
    assert not budget.states("a", 3, NOW + STATED / 2)
    assert budget.states("b", 0, NOW)
    assert not budget.state("a", 0, NOW).answers
    assert Budget(tier=POSTS).states("a", 3, NOW), "nobody asks in a queue that is not scarce"


def test_previews_come_quickly_at_first_and_then_evenly() -> None:
    made, _ = over(PROVEN, 120, preview=True)
    gaps = [later - earlier for earlier, later in pairwise(made)]
    assert max(gaps[: PREVIEWS_AT_ONCE - 1]) < 0.01
    assert min(gaps[PREVIEWS_AT_ONCE:]) > 2
    assert max(gaps) < 3, "nobody stares at a frozen answer"


def test_a_single_place_for_previews_is_used_about_once_a_window() -> None:
    small = Budget(tier=replace(UPDATES, calls=1))
    made, _ = over(small, 10 * WINDOW, preview=True)
    assert 9 <= len(made) <= 10


def test_a_channel_gets_a_short_burst_and_then_less_than_one_post_a_second() -> None:
    made, _ = over(Budget(tier=POSTS), 60, preview=True)
    assert max(made[: POSTS.calls]) == 0
    assert within(made, POSTS.seconds) <= POSTS.calls
    assert len(made) >= 40


def test_retry_after_closes_the_door_for_finals_and_previews() -> None:
    budget = PROVEN.refuse(NOW, 30)
    assert budget.wait(NOW, preview=False) == 30
    assert budget.wait(NOW, preview=True) == 30
    assert later(budget, NOW + 30).wait(NOW + 30, preview=True) == 0


def test_a_shorter_retry_after_does_not_end_a_longer_one() -> None:
    assert PROVEN.refuse(NOW, 30).refuse(NOW, 5).wait(NOW, preview=False) == 30


def test_a_retry_after_of_nothing_is_still_a_pause() -> None:
    assert Budget(tier=POSTS).refuse(NOW, 0).wait(NOW, preview=False) == MARGIN


def test_a_door_is_remembered_at_least_until_it_opens() -> None:
    budget = PROVEN.refuse(NOW, 2 * KEPT)
    assert budget.find_retention(NOW) == 2 * KEPT
    assert budget.find_retention(NOW + 2 * KEPT) == KEPT


def test_what_slack_was_not_seen_to_allow_is_asked_for_one_call_after_the_other() -> None:
    made, _ = over(Budget(tier=UPDATES), 30, preview=False)
    gaps = [later - earlier for earlier, later in pairwise(made)]
    assert max(made[:TRUSTED]) == 0
    assert min(gaps[TRUSTED:]) >= PROBE_GAP
    assert len(made) == UPDATES.calls, "and then all of it is used"


def test_what_slack_has_allowed_once_is_asked_for_at_once_the_next_time() -> None:
    _, used = over(Budget(tier=UPDATES), WINDOW, preview=False)
    made, _ = over(used, 1, preview=False, start=NOW + 2 * WINDOW)
    assert len(made) >= UPDATES.calls - 1


def refused_after(sent: int) -> Budget:
    """Somebody sent so many calls at once, and Slack refused the last."""
    budget = replace(PROVEN, trust=Trust(proven=sent))
    for _ in range(sent):
        budget = budget.spend(NOW, preview=False)
    return budget.refuse(NOW, MINUTE)


def test_after_a_refusal_no_more_is_sent_than_slack_took_for_as_long_as_a_window() -> None:
    made, _ = over(refused_after(21), WINDOW - 2, preview=False, start=NOW + 1)
    assert made == []
    made, _ = over(refused_after(21), WINDOW + PROBE_GAP / 2, preview=False)
    assert len(made) == 20 + 1, "then one more is tried"


def test_previews_share_what_slack_really_allows() -> None:
    twice = refused_after(22).refuse(NOW, MINUTE)
    made, _ = over(twice, WINDOW - 1, preview=True, start=NOW + WINDOW)
    assert 20 * (1 - FINALS_AT_LEAST) - 1 <= len(made) <= 20 * (1 - FINALS_AT_LEAST)


def test_each_try_that_is_refused_makes_the_next_one_wait_longer() -> None:
    budget, holds = PROVEN, list[float]()
    for _ in range(8):
        budget = budget.refuse(NOW, MINUTE)
        holds.append(budget.trust.held - NOW)
    assert holds[:3] == [WINDOW, 2 * WINDOW, 4 * WINDOW]
    assert holds[-1] == LONGEST_HOLD


def test_a_try_that_slack_allows_makes_the_next_refusal_a_first_one() -> None:
    budget = replace(PROVEN, trust=Trust(proven=TRUSTED, patience=16 * WINDOW))
    for _ in range(TRUSTED + 2):
        budget = budget.spend(NOW, preview=False)
    assert budget.refuse(NOW, MINUTE).trust.held == NOW + WINDOW


def test_a_refusal_on_a_quiet_day_leaves_what_is_always_trusted() -> None:
    budget = later(PROVEN.spend(NOW, preview=False).refuse(NOW, LONG), NOW + LONG)
    assert len(over(budget, WINDOW - LONG - 1, preview=False, start=NOW + LONG)[0]) == TRUSTED


@pytest.mark.parametrize("others", [0, 30])
def test_a_refusal_for_a_moment_speaks_of_no_minutes_limit(others: int) -> None:
    budget = PROVEN
    for _ in range(others + 1):
        budget = budget.spend(NOW, preview=False)
    assert budget.refuse(NOW, 1).trust == budget.trust


@pytest.mark.req("MW-20")
def test_a_second_refusal_for_a_moment_speaks_of_the_minutes_limit_if_the_wait_was_kept() -> None:
    budget = PROVEN
    for _ in range(6):
        budget = budget.spend(NOW, preview=False)
    once = budget.refuse(NOW, 1)
    assert once.refuse(NOW, 1).trust == budget.trust, "another call that was on its way"
    again = later(once, NOW + 2).spend(NOW + 2, preview=False)
    assert again.refuse(NOW + 2, 1).trust.proven == 5
    assert later(once, NOW + WINDOW).refuse(NOW + WINDOW, 1).trust == budget.trust, "that was another minute"


def test_a_call_that_was_not_made_is_not_counted_and_uncounted_only_once() -> None:
    budget = PROVEN.spend(NOW, preview=True)
    after = budget.spend(NOW, preview=True).spend(NOW + 1, preview=True)
    undone = after.unspend(NOW + 1, preview=True)
    assert (undone.sent, undone.previews) == ((NOW, NOW), (after.previews[0] + 1, NOW + 1))
    assert undone.unspend(NOW + 1, preview=True) == undone
    assert after.unspend(NOW + 1, preview=False).previews == after.previews
    posts = Budget(tier=POSTS).spend(NOW, preview=True)
    assert posts.unspend(NOW, preview=True) == Budget(tier=POSTS)


def test_a_refusal_until_our_oldest_call_is_a_minute_old_speaks_of_the_minutes_limit() -> None:
    budget = PROVEN
    for second in range(0, 58, 2):
        budget = budget.spend(NOW + second, preview=False)
    assert budget.refuse(NOW + 56, 4).trust.proven == 28
    assert budget.refuse(NOW + 30, 4).trust == budget.trust
    assert not Budget(tier=UPDATES).refuse(NOW, 1).trust.held, "and where none was sent there is none"


def test_a_call_that_is_uncounted_leaves_the_share_of_its_person() -> None:
    one = Budget(tier=UPDATES).spend(NOW, preview=False, person="U1").spend(NOW + 1, preview=False, person="U1")
    assert one.unspend(NOW + 1, preview=False, person="U1").people == {"U1": (NOW,)}
    assert one.unspend(NOW, preview=False, person="U1").unspend(NOW + 1, preview=False, person="U1").people == {}
