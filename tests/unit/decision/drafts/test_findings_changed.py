"""What a card of tradeoffs that is shown again says of findings: only what was otherwise on the former sheet."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.drafts.draft import refresh_draft
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, accepted, rated

Rows = dict[str, list[int]]

KEEP_A3 = {"dominated_alternatives": [{"alternative_id": "A3", "user_verdict": "keep", "reason": "Good for morale"}]}


def told(was: Rows, now: Rows, said: Draft | None = None) -> tuple[str, ...]:
    """What is told once the ratings of tradeoffs have become others, without short names."""
    former, so_far = rated(was), rated(now)
    before = accepted("tradeoffs", said or {}, former).draft
    names = {each: f"Way {each}" for each in was}
    so_far = replace(so_far, before=before, former=names)
    after = refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(before), so_far).draft
    return bare(describe_changes(before, after, so_far, former))


def bare(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines with handles alone, without those on swing points."""
    found: list[Any] = [each for each in lines if not each.startswith(("changed:", "new:", "taken out:"))]
    for number in range(1, 8):
        found = [each.replace(f"A{number} Way A{number}", f"A{number}") for each in found]
    return tuple(found)


@pytest.mark.req("FA-13")
def test_an_option_that_was_set_aside_and_is_not_dominated_now_is_back_in() -> None:
    was = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]}
    assert told(was, {**was, "A3": [-1, 2]}) == ("A3 is now level with A2", "A3 is back in")
    two = {"A1": [0, 0], "A2": [2, 2], "A3": [1, -1], "A4": [-1, 1]}
    assert "A3 and A4 are back in" in told(two, {**two, "A2": [-2, -2]})


@pytest.mark.req("FA-13")
def test_an_option_that_was_kept_is_not_back_in_but_no_longer_dominated() -> None:
    was = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]}
    assert told(was, {**was, "A3": [-1, 2]}, KEEP_A3)[1:] == ("A3, which you kept, is no longer dominated",)


@pytest.mark.req("FA-13")
def test_an_option_that_is_not_there_any_more_is_not_back_in() -> None:
    was = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]}
    now = {each: was[each] for each in ("A1", "A2")}
    assert told(was, now) == ()
    assert told(was, now, KEEP_A3) == ()


@pytest.mark.req("FA-13")
def test_an_option_that_people_have_just_left_out_is_neither_back_in_nor_free() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]})
    left_out = {"dropped_alternatives": [{"alternative_id": "A3", "reason": "too risky"}]}
    for said in ({}, KEEP_A3):
        before, after = (accepted("tradeoffs", each, so_far).draft for each in (said, left_out))
        assert bare(describe_changes(before, after, so_far)) == ()


@pytest.mark.req("FA-13")
def test_an_option_that_people_give_up_for_one_that_is_far_ahead_is_not_back_in() -> None:
    was = {"A1": [0, 0, 0], "A2": [2, -2, -2], "A3": [2, 0, 0], "A4": [-2, 2, 1]}
    now = {**was, "A3": [1, 0, 0]}
    assert "A2 is back in" in told(was, now)
    so_far = rated(now)
    answer = {"practical_dominance": [{"alternative_id": "A2", "by": "A3", "user_verdict": "accepted"}]}
    before, after = accepted("tradeoffs", {}, rated(was)).draft, accepted("tradeoffs", answer, so_far).draft
    assert not any("back in" in each for each in describe_changes(before, after, so_far, rated(was)))


@pytest.mark.req("FA-13")
def test_the_status_quo_is_neither_set_aside_nor_back_in_but_beaten_or_not() -> None:
    was = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 2]}
    now = {**was, "A2": [2, 0]}
    assert told(was, now) == ("A2 leads now", "the status quo, A1, is beaten now")
    assert told(now, was)[-1] == "the status quo, A1, is no longer beaten"
    assert told(now, {**now, "A2": [2, 1]}) == ()


@pytest.mark.req("FA-13")
def test_the_status_quo_that_was_kept_is_told_once_as_no_longer_beaten() -> None:
    was = {"A1": [0, 0], "A2": [2, 0], "A3": [-1, 2]}
    keep = {"dominated_alternatives": [{"alternative_id": "A1", "user_verdict": "keep", "reason": "It is safe"}]}
    assert told(was, {**was, "A2": [2, -1]}, keep) == (
        "A3 is now level with A2",
        "the status quo, A1, is no longer beaten",
    )


@pytest.mark.req("FA-13")
def test_an_option_can_be_set_aside_once_the_better_one_counts_on_nothing_more() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]}
    former, so_far = rated(rows), rated(rows)
    former.results["alternatives"]["alternatives"][1]["assumptions"] = ["The subsidy comes"]
    before, after = (accepted("tradeoffs", {}, each).draft for each in (former, so_far))
    assert bare(describe_changes(before, after, so_far, former)) == ("A3 can be set aside now",)


@pytest.mark.req("FA-13")
def test_an_option_that_is_kept_no_longer_can_be_set_aside() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]})
    kept, without = accepted("tradeoffs", KEEP_A3, so_far).draft, accepted("tradeoffs", {}, so_far).draft
    assert bare(describe_changes(kept, without, so_far)) == ("A3 can be set aside now",)
    assert bare(describe_changes(without, kept, so_far)) == ("A3 is back in",)
