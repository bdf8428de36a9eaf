"""The edge cases of the analysis, each as the smallest table that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.analysis.analysis import analyse
from app.decision.analysis.variation import IrrelevantKind
from tests.unit.decision.tables import MINI_CASES, rows


@pytest.mark.parametrize("case", MINI_CASES, ids=[case["name"] for case in MINI_CASES])
def test_an_edge_case_comes_out_as_by_hand(case: dict[str, Any]) -> None:
    table = rows(case["ratings"], baseline="SQ")
    analysis = analyse(table)
    found = {each.alternative: each for each in analysis.dominance.dominated}
    possible: dict[str, list[str]] = {}
    for each in analysis.dominance.possible:
        possible.setdefault(each.alternative, []).append(each.by)

    assert {alternative: list(each.all_dominators) for alternative, each in found.items()} == case["dominated"]
    assert possible == case.get("possible", {})
    assert [list(tie) for tie in analysis.dominance.ties] == case.get("identical", [])
    assert [list(at) for at in analysis.missing] == case.get("missing", [])
    assert [each.objective for each in analysis.irrelevant if each.kind is IrrelevantKind.NO_VARIATION] == case[
        "irrelevant"
    ]
    for alternative, kind in case.get("kind", {}).items():
        assert found[alternative].kind == kind
    for alternative, shown in case.get("shown_dominator", {}).items():
        assert found[alternative].dominated_by == shown
    for alternative in case.get("certain_despite_gap", []):
        assert alternative in found
    if "irrelevant_after_setting_aside" in case:
        remaining = [each for each in analysis.irrelevant if each.kind is IrrelevantKind.NO_VARIATION_REMAINING]
        assert [each.objective for each in remaining] == case["irrelevant_after_setting_aside"]


@pytest.mark.parametrize(
    ("name", "baseline_dominated", "like_baseline", "nothing_separates"),
    [
        ("tie", True, (), True),
        ("equal_to_status_quo", False, ("A",), False),
        ("all_irrelevant", False, ("A",), True),
        ("single_alternative", False, (), False),
    ],
)
def test_what_the_notes_of_a_case_ask_to_be_said(
    name: str, baseline_dominated: bool, like_baseline: tuple[str, ...], nothing_separates: bool
) -> None:
    case = next(case for case in MINI_CASES if case["name"] == name)
    analysis = analyse(rows(case["ratings"], baseline="SQ"))
    assert analysis.dominance.baseline_dominated is baseline_dominated
    assert analysis.dominance.like_baseline == like_baseline
    assert analysis.nothing_separates is nothing_separates


def test_a_gap_is_asked_for_by_its_place() -> None:
    case = next(case for case in MINI_CASES if case["name"] == "missing_cell")
    analysis = analyse(rows(case["ratings"], baseline="SQ"))
    assert {each.fill for each in analysis.dominance.possible} == {(("A", "O2"),)}
