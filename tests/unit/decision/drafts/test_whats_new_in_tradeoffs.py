"""What changed in a tradeoff or in ratings that are shown again: points, sums, who comes first, each kind once."""

from __future__ import annotations

import pytest

from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import accepted, before, example, rated


@pytest.mark.req("TR-02")
def test_points_that_are_put_aside_are_told_before_the_findings_and_other_points_as_a_changed_field() -> None:
    narrow = rated({"A1": [0, 0], "A2": [2, -1], "A3": [-2, 1]})
    wide = rated({"A1": [0, 0], "A2": [2, -2], "A3": [-2, 1]})
    given = {"objective_id": "O1", "worst": -2, "best": 2, "points": 100, "rank": 1}
    former = {"points": 60, "worst": -1, "best": 1}
    was: Draft = {"swing_weights": [given, {"objective_id": "O2", **former}], "dominated_alternatives": []}
    now: Draft = {**was, "swing_weights": [given, {"objective_id": "O2", "former": former}], "user_understanding": "x"}
    aside = "your points on O2 Aim O2 count no longer: they were given for another range"
    assert describe_changes(was, now, wide, narrow) == (aside, "new: The tradeoff in your words")
    assert describe_changes(now, {**now, "user_understanding": "y"}, wide) == (
        "changed: The tradeoff in your words (y instead of x)",
    )
    unrated = rated({"A1": [0, 0], "A2": [2, -2], "A3": [-2, 1]})
    del unrated.results["consequences"]["table"]["cells"][-1]
    assert aside not in describe_changes(was, now, unrated, narrow), "its range is not known yet"
    anew: Draft = {**now, "swing_weights": [{**given, "points": 90}, *now["swing_weights"][1:]]}
    assert describe_changes(was, anew, wide, narrow)[0] == aside
    assert "worst to best" in describe_changes(was, anew, wide, narrow)[-1]


def test_sums_of_a_tradeoff_tell_who_leads() -> None:
    def sums(**nets: int) -> Draft:
        return {"tensions": [{"alternative_id": handle, "net_score": net} for handle, net in nets.items()]}

    so_far = rated({"A1": [0], "A2": [1]}, "tradeoffs")
    assert describe_changes(sums(A1=0, A2=1), sums(A1=0, A2=0), so_far)[0] == "A1 Way A1 is now level with A2 Way A2"
    more = {"tensions": [*sums(A1=0, A2=1)["tensions"], {"alternative_id": "A3", "statement": "Not worth it"}]}
    assert describe_changes(sums(A1=0, A2=1), more, so_far) == ("changed: What each option gains and gives up",)


def test_a_table_without_options_has_no_leader() -> None:
    cells: Draft = {"table": {"cells": [{"alternative_id": "A1", "objective_id": "O1", "rating": 1}]}}
    assert describe_changes({"notes": []}, cells, before("issue_raising")) == ("new rating: A1 on O1",)


@pytest.mark.req("FA-13")
def test_who_comes_first_most_often_now_is_told_of_a_tradeoff_unless_it_leads_anew_as_well() -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 2, -1], "A3": [1, 0, -2]}
    former, draft = rated(rows), {"tensions": [{"alternative_id": "A2", "net_score": 1}]}
    now = rated({**rows, "A3": [1, 1, -2]})
    reworded = {**draft, "user_understanding": "It is about the budget."}
    often = "A3 Way A3 comes first most often now, over what you call possible, and no longer A2 Way A2"
    assert describe_changes(draft, reworded, now, former) == (often, "new: The tradeoff in your words")
    assert describe_changes(draft, reworded, former, former) == ("new: The tradeoff in your words",)
    assert describe_changes(draft, draft, now, former) == (often,)
    assert describe_changes(draft, reworded, now) == ("new: The tradeoff in your words",)
    anew = {"tensions": [{"alternative_id": "A3", "net_score": 2}]}
    assert describe_changes(draft, anew, now, former) == ("A3 Way A3 leads instead of A2 Way A2",)
    assert describe_changes({}, draft, now, former) == ()
    other = describe_changes({"user_leaning": "Two"}, {"user_leaning": "Three"}, now, former)
    assert other == ("changed: What you lean towards (Three instead of Two)",), "no other step weighs the options"


FRAME = {"decision_maker": {"name": "Maya"}}
HEADS = [{"handle": f"P{n}", "name": f"Head {n}"} for n in (1, 2, 3)]


def test_new_fields_and_new_items_stand_together_and_new_is_said_once() -> None:
    now: Draft = {"decision_maker": {"name": "Maya", "authority": "sole"}, "parties": HEADS}
    told = "new: Decision maker (How they decide), P1 Head 1, P2 Head 2 and 1 more"
    assert describe_changes(FRAME, now, before("problem_frame")) == (told,)


def test_a_doubt_or_range_on_ratings_that_stay_is_told_with_its_place() -> None:
    was, now = (accepted("consequences", example("consequences")).draft for _ in range(2))
    cells = {f"{each['alternative_id']}_{each['objective_id']}": each for each in now["table"]["cells"]}
    cells["A2_O3"]["rating_range"] = {"low": -2, "high": 0}
    cells["A3_O1"]["uncertainty"] = {"level": "high", "driver": "Vendor"}
    assert describe_changes(was, now, before("consequences")) == (
        "another reason, doubt or range: A2 Specialist partner with onboarding on O3 Keep extra cost low and "
        "A3 Budget call centre on O1 Solve urgent off-hours…",
    )
    cells["A6_O1"]["rationale"] = "They are tired."
    assert describe_changes(was, now, before("consequences"))[0].endswith(" and 1 more")
