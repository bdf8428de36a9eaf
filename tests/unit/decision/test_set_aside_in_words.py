"""What people set aside in words is compared no longer: neither how firm a lead is nor one step asks for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.core.state.sheet import Facts
from app.decision.layout.first_page import build_first_page
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, cell, rated
from tests.unit.decision.sheets.walls import titled

ROWS = {"A1": [0, 0, 0], "A2": [2, -2, 0], "A3": [2, -1, 0], "A4": [-1, 0, 1]}
"""A3 dominates A2, whose doubtful second rating may be as good as A3's."""


def said(verdict: str = "set_aside") -> dict[str, Any]:
    row = {"alternative_id": "A2", "dominated_by": "A3"}
    return {"dominated_alternatives": [{**row, "user_verdict": verdict} if verdict else row]}


def record(verdict: str = "set_aside", rows: dict[str, list[int]] = ROWS, **doubt: str) -> DecisionRecord:
    so_far = rated(rows, "recommendation", **doubt)
    points = [{"objective_id": f"O{n}", "points": each} for n, each in enumerate((100, 60, 20), 1)]
    return replace(so_far, results={**so_far.results, "tradeoffs": {**said(verdict), "swing_weights": points}})


def firm(so_far: DecisionRecord) -> str:
    return COMPUTED["firmness"](so_far, PLAYBOOK["recommendation"])


def test_how_firm_a_lead_is_does_not_count_what_people_set_aside_in_words() -> None:
    assert "A2 Way A2 and A3 are level in about half." in firm(record("", A2_O2="high"))
    assert firm(record(A2_O2="high")) == ""
    assert record("", A2_O2="high").doubts
    assert record(A2_O2="high").doubts == ()


def test_a_doubt_in_what_people_set_aside_keeps_nobody_from_standing_out() -> None:
    assert record("", A2_O2="high").standing.shaken_by == (("A2", "O2"),)
    standout = record(A2_O2="high").standout
    assert standout
    assert standout.alternative == "A3"


def test_what_one_step_would_change_leaves_out_what_people_set_aside_in_words() -> None:
    for verdict, is_told in (("", True), ("set_aside", False)):
        sheet = build_sheet(PLAYBOOK["tradeoffs"], said(verdict), rated(ROWS))
        told = titled(sheet, "What one step would change")
        assert ("A2 Way A2 and A3 Way A3 would be level" in told) is is_told, told


def test_a_verdict_beside_another_dominator_does_not_count() -> None:
    so_far = record(A2_O2="high")
    so_far.results["tradeoffs"]["dominated_alternatives"][0]["dominated_by"] = "A4"
    assert so_far.doubts


def test_the_options_that_are_level_are_named_if_they_are_few() -> None:
    rows = {"A1": [0, 0, 0], **{f"A{n}": [2, -1, 0] for n in range(2, 6)}}
    assert "Several are level in about two thirds." in firm(record("", rows, A2_O2="high"))
    del rows["A5"]
    told = firm(record("", rows, A2_O2="high"))
    assert "Some of A2, A3 Way A3 and A4 Way A4 are level in about two thirds." in told, "A2 only in some of these"
    del rows["A4"]
    assert "A2 and A3 are level in about a third." in firm(record("", rows, A2_O2="high"))


def test_a_doubt_in_what_people_gave_up_keeps_nobody_from_standing_out() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 2, 0], "A3": [-2, -2, 1], "A4": [0, 1, 1]}, "recommendation")
    cell(so_far, "A4", "O1").update({"uncertainty": {"level": "high"}, "rating_range": {"low": 0, "high": 2}})
    assert replace(so_far, results={**so_far.results, "tradeoffs": {}}).standing.shaken_by == (("A4", "O1"),)
    assert so_far.analysis is not None
    found = next(each for each in so_far.analysis.practical_dominance if each.alternative == "A4")
    answer = {
        "alternative_id": found.alternative,
        "by": found.by,
        "gives_up": [{"objective_id": found.gives_up.objective, "steps": found.gives_up.steps}],
        "gains": [{"objective_id": each.objective, "steps": each.steps} for each in found.gains],
        "user_verdict": "accepted",
    }
    standout = replace(so_far, results={**so_far.results, "tradeoffs": {"practical_dominance": [answer]}}).standout
    assert standout
    assert standout.alternative == "A2"


BEATEN_TWICE = {"A1": [0, 0, 0], "A2": [2, 2, 2], "A3": [1, 1, 1], "A4": [1, 1, 0]}
"""A3 surely dominates A4, and A2 both of them unless its first rating turns out low."""


def told_aside(so_far: DecisionRecord) -> tuple[str, str]:
    """What the first page and the card of the tradeoffs call set aside."""
    page = build_first_page(PLAYBOOK["consequences"], so_far).sections[0]
    assert isinstance(page, Facts)
    essence = build_sheet(PLAYBOOK["tradeoffs"], so_far.results["tradeoffs"], so_far).essence
    return dict(page.rows)["Set aside"], next(each for each in essence if each.startswith("Set aside"))


def beaten_twice(**tradeoffs: Any) -> DecisionRecord:
    so_far = rated(BEATEN_TWICE, "recommendation")
    cell(so_far, "A2", "O1").update({"rating_range": {"low": 0, "high": 2}})
    return replace(so_far, results={**so_far.results, "tradeoffs": tradeoffs})


def test_an_option_that_only_one_set_aside_in_words_surely_beats_is_not_surely_out() -> None:
    verdict = {"alternative_id": "A3", "dominated_by": "A2", "user_verdict": "set_aside"}
    so_far = beaten_twice(dominated_alternatives=[verdict])
    assert so_far.firmness
    assert "A4" in so_far.firmness.firsts
    for told in told_aside(so_far):
        surely, perhaps = told.split("not certain within what you call possible: ")
        assert "A3" in surely, "people's own words, whatever turns out"
        assert "A4" in perhaps
    for told in told_aside(beaten_twice()):
        assert "A4" in told.split("not certain")[0]


def test_an_option_that_a_doubt_without_a_range_may_bring_first_is_not_surely_out() -> None:
    rows = {"A1": [0, 0, 0], "A2": [1, 1, 0], "A3": [1, 0, 0]}
    so_far = rated(rows, "recommendation", A3_O2="high", A2_O1="high")
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": {}})
    for told in told_aside(so_far):
        assert "A3" in told.split("not certain within what you call possible: ")[1]
