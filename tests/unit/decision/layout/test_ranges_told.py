"""What ranges, doubts and unknown ratings leave open is told as far as it is open, and no further."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.analysis.ratings import Cell
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.found_so_far import render_grid
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, rated
from tests.unit.decision.sheets.walls import laid, titled, wall

STEP = {"A1": [0, 0, 0], "A2": [0, 1, 1], "A3": [2, 2, 0]}
"""A2 beats A3 by one step on O3 alone."""


def ranged(so_far: DecisionRecord, **spans: tuple[int, int]) -> DecisionRecord:
    """The same with these ranges: `A2_O1=(0, 1)`."""
    for each in so_far.results["consequences"]["table"]["cells"]:
        if span := spans.get(f"{each['alternative_id']}_{each['objective_id']}"):
            each["rating_range"] = {"low": span[0], "high": span[1]}
    return so_far


def test_a_pair_names_what_is_not_known_of_it() -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 2, -1], "A3": [2, -1, 1]}
    shown = laid("tradeoffs", {}, ranged(rated({**rows, "A2": [0, 2, -1]}), A2_O1=(-2, 2)))
    told = titled(shown, "One instead of another")
    instead = told.partition("A3 Way A3 instead of A2 Way A2\n")[2]
    assert instead.splitlines()[:3] == ["  +2 O3 Aim O3", "  −3 O2 Aim O2", "  Not known: O1 Aim O1"]
    known = told.partition("A3 Way A3 instead of A1 Way A1\n")[2].partition("instead of")[0]
    assert "Not known" not in known


@pytest.mark.parametrize(
    ("spans", "told"),
    [
        ({"A2_O3": (0, 1)}, "the difference may be less than one step."),
        ({"A2_O3": (1, 2)}, "the difference may be more than one step."),
        ({"A3_O3": (-1, 1)}, "the difference may be more or less than one step."),
        ({"A3_O1": (0, 2)}, "A3 Way A3 may bring less than that."),
        ({"A2_O1": (-2, 0)}, "A3 Way A3 may bring more than that."),
        ({"A2_O1": (-2, 0), "A3_O2": (1, 2)}, "A3 Way A3 may bring more or less than that."),
        ({"A3_O2": (2, 2)}, ""),
    ],
)
def test_a_question_of_one_step_says_which_way_the_ranges_leave_it_open(
    spans: dict[str, tuple[int, int]], told: str
) -> None:
    asked = titled(laid("tradeoffs", {}, ranged(rated(STEP), **spans)), "Is one step worth it?")
    assert [each for each in asked.splitlines() if "Within the ranges you gave" in each] == (
        [f"  Within the ranges you gave, {told}"] if told else []
    )


def test_a_range_of_one_rating_is_told_as_that_rating() -> None:
    so_far = ranged(rated({"A1": [0, 0], "A2": [-1, 1]}), A2_O1=(-1, -1), A2_O2=(0, 1))
    consequences = so_far.results["consequences"]
    sheet = build_sheet(PLAYBOOK["consequences"], consequences, so_far)
    assert "between −1 and −1" not in wall(sheet)
    assert "between 0 and +1" in wall(sheet)
    assert "O1 −1 · O2 +1 (0…+1)" in "\n".join(sheet.essence)
    assert render_grid(consequences["table"]["cells"], so_far)[0] == "O1: A1 0, A2 -1"
    assert so_far.rated
    assert so_far.rated.cells["A2", "O1"] == Cell(-1, (-1, -1)), "it is certain"


def first_to_know(*points: int) -> str:
    """What is told of a doubt that ends the lead on the plain sum, with these points."""
    so_far = rated({"A1": [0, 0], "A2": [2, -1]}, "recommendation", A2_O2="high")
    given: Any = [{"objective_id": f"O{n}", "points": each} for n, each in enumerate(points, 1)]
    results = {**so_far.results, "tradeoffs": {"swing_weights": given}}
    return titled(
        build_sheet(PLAYBOOK["recommendation"], {}, DecisionRecord(results, so_far.today)), "What to find out first"
    )


def test_a_doubt_that_turns_the_plain_sum_alone_says_so_if_points_tell_another_thing() -> None:
    assert "Another rating here alone would change who leads on the plain sum." in first_to_know(100, 10)
    assert "Another rating here alone would change who leads.\n" in f"{first_to_know(100, 60)}\n"
    assert "Another rating here alone would change who leads.\n" in f"{first_to_know()}\n"
