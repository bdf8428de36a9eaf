"""What ranges, doubts and unknown ratings leave open is told as far as it is open, and no further: it is no fact."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.analysis.analysis import StandoutRule, analyse
from app.decision.analysis.ratings import Cell, RatingTable
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.found_so_far import render_grid
from app.decision.playbook.openings import write_opening
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


NOT_KNOWN = {"low": -2, "high": 2}


def unknown(so_far: DecisionRecord, option: str, objective: str) -> DecisionRecord:
    """The decision with one rating of which people said that they do not know it."""
    for each in so_far.results["consequences"]["table"]["cells"]:
        if (each["alternative_id"], each["objective_id"]) == (option, objective):
            each |= {"rating": 0, "rating_range": NOT_KNOWN, "uncertainty": {"level": "high"}}
    return so_far


def test_an_option_is_not_set_aside_by_a_rating_that_nobody_knows() -> None:
    rows = {"A1": [0, 0], "A2": [0, 1], "A3": [1, 1]}
    assert "Set aside: A2 Way A2" in laid("tradeoffs", {}, rated(rows)).essence[0]
    shown = laid("tradeoffs", {}, unknown(rated(rows), "A2", "O1"))
    assert "Left to weigh: A2 Way A2 and A3 Way A3" in shown.essence
    told = titled(shown, "Not settled by what is known")
    assert "It depends on what nobody knows yet: A2 Way A2 on O1 Aim O1." in told
    assert "[gap]" not in told


def test_nothing_is_won_or_lost_by_a_rating_that_nobody_knows() -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 2, -1], "A3": [2, -1, 1]}
    shown = laid("tradeoffs", {}, unknown(rated(rows), "A2", "O1"))
    instead = titled(shown, "One instead of another").partition("A3 Way A3 instead of A2 Way A2\n")[2]
    assert instead.splitlines()[:2] == ["  +2 O3 Aim O3", "  −3 O2 Aim O2"]
    gains = titled(shown, "What each option gains")
    assert "A3 Way A3\n  Gains O3 Aim O3" in gains
    assert "Where it stands on O1 Aim O1 depends on what is not known there yet: A2 Way A2." in gains
    assert "Counted as 0, though nobody knows" in wall(shown)
    assert "A2 Way A2 on O1 Aim O1: " not in titled(shown, "What one step would change")


@pytest.mark.req("TR-18")
def test_objectives_that_the_same_option_keeps_open_take_one_line_of_each_option() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [0, 0, -1], "A3": [1, 1, 1]})
    so_far = unknown(unknown(so_far, "A2", "O1"), "A2", "O2")
    told = titled(laid("tradeoffs", {}, so_far), "What each option gains").partition("A3 Way A3")[2]
    open_yet = [each.strip() for each in told.splitlines() if "depends on" in each]
    both = "Where it stands on O1 Aim O1 and O2 Aim O2 depends on what is not known there yet: A2 Way A2."
    assert open_yet == [both]


@pytest.mark.req("TR-09")
def test_the_heart_by_the_ratings_names_the_objectives_that_it_does_not_compare() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, -2, 1], "A3": [-1, 1, 2]}
    left_out = "Not compared for it, as nobody knows all of it yet: O3 Aim O3"
    told = titled(laid("tradeoffs", {}, unknown(rated(rows), "A2", "O3")), "The heart of it")
    assert told.endswith(left_out)
    assert "Not compared" not in titled(laid("tradeoffs", {}, rated(rows)), "The heart of it")
    asked = unknown(rated(rows), "A2", "O3")
    assert f"O1 Aim O1 against O2 Aim O2. {left_out}." in write_opening(PLAYBOOK["tradeoffs"], asked)


@pytest.mark.req("TR-09")
def test_the_card_says_that_who_leads_is_said_as_far_as_is_known() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, -2, 2], "A3": [-1, 1, 2]}
    shown = laid("tradeoffs", {}, unknown(rated(rows), "A3", "O3"))
    assert "Leads on the plain sum, as far as is known: A2 Way A2" in shown.essence[-1]
    assert "Leads on the plain sum: A2 Way A2" in laid("tradeoffs", {}, rated({**rows, "A3": [-1, 1, 0]})).essence[-1]
    level = unknown(rated({**rows, "A3": [1, 1, 2]}), "A3", "O3")
    assert (
        "Level on the plain sum, as far as is known: A2 Way A2 and A3 Way A3"
        in laid("tradeoffs", {}, level).essence[-1]
    )


def test_of_what_nobody_knows_an_answer_changes_who_leads_and_no_other_rating() -> None:
    rows = {"A1": [0, 0, 0], "A2": [1, 0, 0], "A3": [0, 0, -1]}
    so_far = unknown(rated(rows, "recommendation", A2_O2="high"), "A3", "O1")
    told = titled(laid("recommendation", {}, so_far), "What to find out first")
    of_answer, of_rating = (told.partition(f"{option} on {objective}\n")[2].splitlines() for option, objective in (
        ("A3 Way A3", "O1 Aim O1"), ("A2 Way A2", "O2 Aim O2"),
    ))  # fmt: skip
    assert of_answer[0] == "  An answer here alone could change who leads."
    assert of_answer[1].endswith("of the cases that you call possible, the answer here decides who leads.")
    assert of_rating[0] == "  Another rating here alone would change who leads."
    assert of_rating[1].endswith("of the cases that you call possible, another rating here would change who leads.")


def test_a_rating_that_nobody_knows_is_doubtful_whatever_the_level() -> None:
    rows = {"A1": [0, 0, 0], "A2": [1, 0, 0], "A3": [0, 0, -1]}
    so_far = unknown(rated(rows, "recommendation"), "A3", "O1")
    for each in so_far.results["consequences"]["table"]["cells"]:
        if "rating_range" in each:
            each["uncertainty"] = {"level": "low"}
    assert so_far.standout is None
    assert so_far.standing.shaken_by == (("A3", "O1"),)


def test_what_nobody_knows_counts_in_sums_and_swings_and_is_not_missing() -> None:
    cells = {("A1", "O1"): Cell(1, (-2, 2)), ("A1", "O2"): Cell(1), ("A2", "O1"): Cell(0), ("A2", "O2"): Cell(0)}
    table = RatingTable(("A1", "A2"), ("O1", "O2"), cells)
    found = analyse(table)
    assert (table.unknown, table.known.missing, found.missing) == ((("A1", "O1"),), (("A1", "O1"),), ())
    assert ([each.net for each in found.scores], found.leaders) == ([2, 0], ("A1",))
    assert [each.objective for each in found.swings] == ["O1", "O2"]
    assert found.dominance.left == ("A1", "A2")
    nothing_open = table.known
    assert nothing_open.known is nothing_open


def test_nobody_is_the_only_one_left_through_a_rating_that_nobody_knows() -> None:
    rows = {"A1": [0, 0], "A2": [0, 1], "A3": [1, 1]}
    alone = rated(rows, "recommendation").standout
    assert alone
    assert alone.rule is StandoutRule.ONLY_ONE_LEFT
    assert unknown(rated(rows, "recommendation"), "A2", "O1").standout is None


def test_a_rating_of_now_that_may_be_any_step_in_a_year_is_known() -> None:
    so_far = rated({"A1": [0, 0], "A2": [-2, 1], "A3": [-1, 1]})
    for each in so_far.results["consequences"]["table"]["cells"]:
        if (each["alternative_id"], each["objective_id"]) == ("A2", "O1"):
            each["in_a_year"] = 2
    shown = laid("tradeoffs", {}, so_far)
    aside = "Set aside: not certain within what you call possible: A2 Way A2 (beaten by another)"
    assert aside in shown.essence
    assert "nobody knows" not in wall(shown)
    assert "not known" not in wall(shown)
