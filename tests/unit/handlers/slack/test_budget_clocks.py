"""The arithmetic of one queue where clocks do not agree, or are set back."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from handlers.slack.budget import FINALS_AT_LEAST, MARGIN, MINUTE, TRUSTED, Budget, Tier, Trust
from tests.unit.handlers.queues import NOW, POSTS, PROVEN, UPDATES, WINDOW, later, over


def test_a_clock_that_was_set_back_an_hour_closes_no_door() -> None:
    _, full = over(PROVEN, 1, preview=False)
    learned = full.state("a", 40, NOW).refuse(NOW, 3_600)
    made, left = over(learned, 4 * WINDOW, preview=True, start=NOW - 3_600)
    assert len(made) > 2 * UPDATES.calls
    assert not left.answers, "nor is what was said then believed for an hour"


def test_a_clock_that_was_set_back_holds_no_try_beyond_what_is_proven() -> None:
    tried = Trust(proven=TRUSTED, probed=NOW, held=NOW + WINDOW, patience=WINDOW)
    sent = tuple(NOW - 60 + second for second in range(TRUSTED))
    budget = replace(Budget(tier=UPDATES, sent=sent), trust=tried)
    assert later(budget, NOW).wait(NOW, preview=False) > 0
    assert later(budget, NOW - 40).wait(NOW - 40, preview=False) == 0


acts = st.lists(
    st.tuples(st.floats(0, 10), st.booleans(), st.sampled_from([None, None, None, 0.0, 1.0, 30.0, MINUTE])),
    max_size=80,
)


@example(
    tier=UPDATES,
    acts=[(9, True, MINUTE), (0, False, 30), (10, False, 1), (8, False, 30), (7, True, 1), (4, True, None)],
    back=30,
    preview=True,
)
@example(tier=UPDATES, acts=[(0, False, MINUTE / 2), (0, True, None), (0, True, None)], back=0, preview=True)
@given(tier=st.sampled_from([UPDATES, POSTS]), acts=acts, back=st.floats(0, 7_200), preview=st.booleans())
def test_however_far_a_clock_is_set_back_nobody_waits_longer_than_a_window_or_a_retry_after(
    tier: Tier, acts: list[tuple[float, bool, float | None]], back: float, preview: bool
) -> None:
    budget, now = Budget(tier=tier), NOW
    for pause, is_preview, retry_after in acts:
        budget = later(budget, now := now + pause).spend(now, preview=is_preview)
        budget = budget if retry_after is None else budget.refuse(now, retry_after)
    set_back, longest = now - back, max(WINDOW, MINUTE) + MARGIN
    looks = [set_back + second for second in range(0, 2 * round(longest) + 1, 2)]
    waits = [later(budget, look).wait(look, preview=preview) for look in looks]
    assert max(waits) <= longest
    assert min(waits) == 0, "and it ends, though nobody writes meanwhile, once what seems yet to come is over too"


def test_a_clock_that_is_a_second_behind_does_not_give_previews_twice() -> None:
    """Two machines, one a second behind, take turns: together they get what one would."""
    budget, made, now = PROVEN, 0, NOW
    for step in range(600):
        now += 0.1
        seen = now - step % 2
        budget = later(budget, seen)
        if not budget.wait(seen, preview=True):
            budget, made = budget.spend(seen, preview=True), made + 1
    assert made <= UPDATES.calls * (1 - FINALS_AT_LEAST)
