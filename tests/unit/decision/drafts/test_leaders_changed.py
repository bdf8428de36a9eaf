"""What a card of tradeoffs that is shown again says of findings and of who leads: what is otherwise than then."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.drafts.draft import refresh_draft
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, accepted, rated

Rows = dict[str, list[int]]

LEVEL: Rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 2], "A4": [1, 0]}
"""A2, A3 and A4 are level."""


def lead(was: Rows, now: Rows, said: Draft | None = None) -> list[str]:
    """What a card of tradeoffs tells of who leads once the ratings have become others."""
    former, so_far = rated(was), rated(now)
    before = accepted("tradeoffs", said or {}, former).draft
    after = refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(before), replace(so_far, before=before)).draft
    return select_lead(describe_changes(before, after, so_far, former))


def select_lead(lines: tuple[str, ...]) -> list[str]:
    """The lines on who leads, with handles alone."""
    found = [each for each in lines if " lead" in each or " level " in each]
    for number in range(1, 7):
        found = [each.replace(f"A{number} Way A{number}", f"A{number}") for each in found]
    return found


def without(rows: Rows, option: str, objective: int) -> DecisionRecord:
    """The decision with these ratings except one."""
    so_far = rated(rows)
    table = so_far.results["consequences"]["table"]
    at = {"alternative_id": option, "objective_id": f"O{objective}"}
    table["cells"] = [each for each in table["cells"] if not at.items() <= each.items()]
    return so_far


@pytest.mark.req("FA-13")
def test_of_options_that_were_level_the_one_that_falls_back_is_named_and_not_those_that_stay() -> None:
    assert lead(LEVEL, {**LEVEL, "A4": [0, 0]}) == ["A4 is no longer level with A2 and A3"]
    assert lead(LEVEL, {**LEVEL, "A4": [0, 0], "A3": [-2, 2]}) == ["A2 leads now"]
    five = {**LEVEL, "A5": [0, 1]}
    assert lead(five, {**LEVEL, "A5": [0, 0], "A4": [0, 0]}) == ["A4 and A5 are no longer level with A2 and A3"]


@pytest.mark.req("FA-13")
def test_several_that_draw_level_are_told_in_the_plural() -> None:
    alone = {**LEVEL, "A3": [-1, 1], "A4": [0, 0]}
    assert lead(alone, LEVEL) == ["A3 and A4 are now level with A2"]
    assert lead(alone, {**LEVEL, "A4": [0, 0]}) == ["A3 is now level with A2"]


@pytest.mark.req("FA-13")
def test_who_comes_and_who_goes_among_those_that_are_level_are_both_told() -> None:
    pair = {**LEVEL, "A4": [0, 0]}
    assert lead(pair, {**LEVEL, "A3": [-2, 2]}) == ["A4 is now level with A2", "A3 is no longer level with A2"]


@pytest.mark.req("FA-13")
def test_several_that_lead_instead_of_another_one_are_not_said_to_be_level_only_now() -> None:
    alone = {**LEVEL, "A4": [2, 1]}
    assert lead(alone, {**LEVEL, "A4": [0, 0]}) == ["A2 and A3 lead instead of A4, level with each other"]


@pytest.mark.req("FA-13")
def test_while_a_rating_is_missing_nobody_can_say_who_leads_and_then_it_is_told() -> None:
    full, gap = rated(LEVEL), without(LEVEL, "A4", 2)
    whole, open_one = (accepted("tradeoffs", {}, each).draft for each in (full, gap))
    assert select_lead(describe_changes(whole, open_one, gap, full)) == ["nobody can say now who leads"]
    assert select_lead(describe_changes(open_one, whole, full, gap)) == [
        "A2, A3 and 1 more lead now, level with each other"
    ]


@pytest.mark.req("FA-13")
def test_a_rating_that_a_dominated_option_lacks_leaves_it_open_who_leads_too() -> None:
    was: Rows = {"A1": [0, 0, 0], "A2": [2, 2, 0]}
    now = without({**was, "A3": [1, 1, -2]}, "A3", 1)
    before, after = accepted("tradeoffs", {}, rated(was)).draft, accepted("tradeoffs", {}, now).draft
    assert "A3" in [each["alternative_id"] for each in after["dominated_alternatives"]]
    assert "nobody can say now who leads" in describe_changes(before, after, now, rated(was))


def table_lead(was: Rows, now: Rows, tradeoffs: Draft) -> list[str]:
    """What a card of ratings tells of who leads, after these tradeoffs were approved."""
    former, so_far = (replace(rated(each, "consequences"), later={"tradeoffs": tradeoffs}) for each in (was, now))
    before, after = (
        accepted("consequences", dict(rated(rows).results["consequences"]), record).draft
        for rows, record in ((was, former), (now, so_far))
    )
    return select_lead(describe_changes(before, after, so_far, former))


@pytest.mark.req("FA-13")
def test_who_led_on_the_ratings_is_known_by_the_objectives_and_options_of_that_time() -> None:
    was: Rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 1]}
    more = {"A1": [0, 0, 0], "A2": [2, -1, 1], "A3": [-1, 1, 0]}
    assert table_lead(was, more, {}) == [], "A2 led before the objective was added"
    assert table_lead({**was, "A4": [2, 1]}, was, {}) == ["A2 leads instead of A4"]


@pytest.mark.req("FA-13", "TR-06")
def test_an_objective_or_option_that_people_left_out_does_not_say_who_leads_on_the_ratings() -> None:
    rows: Rows = {"A1": [0, 0, 0], "A2": [2, 0, 0], "A3": [-1, 2, 2]}
    dismissed = {"irrelevant_objectives": [{"objective_id": "O3", "kind": "user_dismissed", "reason": "No matter"}]}
    fewer = {**rows, "A3": [-1, 2, -1]}
    assert table_lead(rows, fewer, {}) == ["A2 leads instead of A3"]
    assert table_lead(rows, fewer, dismissed) == [], "A2 led alone without O3"
    out = {"dropped_alternatives": [{"alternative_id": "A3"}]}
    assert table_lead(rows, fewer, out) == []


@pytest.mark.req("FA-13")
def test_who_leads_by_points_now_is_told_beside_who_did() -> None:
    points = {"swing_weights": [{"objective_id": "O1", "points": 100}, {"objective_id": "O2", "points": 60}]}
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [1, 1], "A4": [-2, 2]}
    assert lead(rows, {**rows, "A3": [0, 1]}, points) == [
        "A2 is now level with A3",
        "A2 leads by your points instead of A3",
    ]
    assert lead(rows, {**rows, "A3": [0, 1]}) == ["A2 is now level with A3"], "nobody gave points"
    assert lead(rows, rows, points) == []


@pytest.mark.req("FA-13", "TR-06")
def test_an_option_that_is_not_worth_its_one_step_is_told_as_set_aside_and_one_to_be_asked_about_as_asked() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, 2, 0], "A3": [0, 1, 1], "A4": [1, -2, 2]}
    former = {**rows, "A3": [1, 2, 1]}
    was, now = rated(former), rated(rows)
    before = accepted("tradeoffs", {}, was).draft
    asked = refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(before), replace(now, before=before)).draft
    told = describe_changes(before, asked, now, was)
    assert "asked anew, if one step is worth it: A3 Way A3" in told
    said: Draft = {"practical_dominance": [{"alternative_id": "A3", "by": "A2", "user_verdict": "accepted"}]}
    answered = accepted("tradeoffs", said, now).draft
    assert describe_changes(asked, answered, now) == ("set aside, as one step is not worth it: A3 Way A3",)
    assert "set aside, as one step is not worth it: A3 Way A3" in describe_changes(before, answered, now, was)
    other: Draft = {**answered, "user_understanding": "Speed against money"}
    assert not any("one step" in each for each in describe_changes(answered, other, now)), "that has been told"


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
