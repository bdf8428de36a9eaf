"""What ranges, doubts, unknown ratings and narrow scales leave open is told as far as it is open, and no further."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.analysis.analysis import StandoutRule, analyse
from app.decision.analysis.ratings import Cell, Flaw, InvalidInput, RatingTable
from app.decision.firmness.space import build_space
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.found_so_far import render_grid
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.rows import read_scales
from tests.unit.decision.components.worked import PLAYBOOK, cell, ranged, rated
from tests.unit.decision.sheets.walls import laid, titled, wall

STEP = {"A1": [0, 0, 0], "A2": [0, 1, 1], "A3": [2, 2, 0]}
"""A2 beats A3 by one step on O3 alone."""


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
    cell(so_far, option, objective).update(rating=0, rating_range=NOT_KNOWN, uncertainty={"level": "high"})
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
    cell(so_far, "A2", "O1")["in_a_year"] = 2
    shown = laid("tradeoffs", {}, so_far)
    aside = "Set aside: not certain within what you call possible: A2 Way A2 (beaten by another)"
    assert aside in shown.essence
    assert "nobody knows" not in wall(shown)
    assert "not known" not in wall(shown)


NO_BETTER = {"0": "no breach", "-1": "a few", "-2": "many"}


def defined(so_far: DecisionRecord, **steps: dict[str, str]) -> DecisionRecord:
    """The decision with what steps mean, such as `O1={"0": "no breach"}`."""
    anchors = [{"objective_id": objective, **meanings} for objective, meanings in steps.items()]
    so_far.results["consequences"]["table"]["anchors"] = anchors
    return so_far


def reach(so_far: DecisionRecord, option: str, objective: str) -> tuple[int, int]:
    """The lowest and highest rating that the drawings try."""
    assert so_far.rated
    assert so_far.analysis
    space = build_space(so_far.rated, so_far.analysis.swings, so_far.select_points({}))
    return space.bounds[option, objective]


ROWS = {"A1": [0, 0], "A2": [1, 0], "A3": [0, 0]}


@pytest.mark.req("TR-12")
def test_a_rating_that_nobody_knows_is_drawn_from_the_steps_that_people_gave_a_meaning() -> None:
    assert reach(unknown(rated(ROWS), "A3", "O2"), "A3", "O2") == (-2, 2)
    narrow = defined(unknown(rated(ROWS), "A3", "O2"), O2=NO_BETTER)
    assert narrow.firmness
    assert [*narrow.firmness.firsts] == ["A2"]
    gap_between = defined(unknown(rated(ROWS), "A3", "O2"), O2={"1": "some", "-2": "none"})
    assert reach(gap_between, "A3", "O2") == (-2, 1), "0 and what lies between are there without words"
    bare = defined(unknown(rated(ROWS), "A3", "O2"), O2={"0": "as today"})
    assert reach(bare, "A3", "O2") == (-2, 2), "the words on 0 alone say nothing of the others"


@pytest.mark.req("TR-12")
def test_a_doubt_without_a_range_reaches_a_step_within_the_scale_and_what_people_said_stays() -> None:
    rows = {"A1": [0, 0], "A2": [1, 0], "A3": [0, 1]}
    doubted = defined(rated(rows, A2_O2="high", A3_O2="high"), O2=NO_BETTER)
    assert reach(doubted, "A2", "O2") == (-1, 0)
    assert reach(doubted, "A3", "O2") == (0, 1), "people rated it +1, whatever that means"
    said = defined(rated(rows), O2=NO_BETTER)
    cell(said, "A2", "O2")["rating_range"] = {"low": -1, "high": 1}
    assert reach(said, "A2", "O2") == (-1, 1)


def test_no_step_is_told_of_that_the_scale_does_not_have() -> None:
    rows = {"A1": [0, 0], "A2": [1, 0], "A3": [0, 0]}
    step = "A3 Way A3 on O2 Aim O2: +1 instead of 0"
    assert step in titled(laid("tradeoffs", {}, rated(rows)), "What one step would change")
    told = titled(laid("tradeoffs", {}, defined(rated(rows), O2=NO_BETTER)), "What one step would change")
    assert "O2 Aim O2: +1" not in told
    assert "A2 Way A2 on O2 Aim O2: −1 instead of 0" in told


def test_an_option_is_not_said_to_beat_others_by_a_step_that_the_scale_does_not_have() -> None:
    rows = {"A1": [0, 0], "A2": [1, 0], "A3": [1, 0]}
    told = "A3 Way A3 could be as good or better everywhere."
    assert told in titled(laid("tradeoffs", {}, unknown(rated(rows), "A3", "O2")), "Not settled by what is known")
    narrow = laid("tradeoffs", {}, defined(unknown(rated(rows), "A3", "O2"), O2=NO_BETTER))
    assert told not in titled(narrow, "Not settled by what is known")
    assert "A2 Way A2 could be as good or better everywhere." in titled(narrow, "Not settled by what is known")


def test_a_scale_reaches_from_the_lowest_to_the_highest_step_with_a_meaning_and_always_holds_0() -> None:
    anchors = [
        {"objective_id": "O1", **NO_BETTER},
        {"objective_id": "O2", "2": "twice"},
        {"objective_id": "O3", "0": "as today"},
    ]
    assert read_scales({"table": {"cells": [], "anchors": anchors}}) == {"O1": (-2, 0), "O2": (0, 2)}
    assert read_scales({}) == {}
    with pytest.raises(InvalidInput) as refused:
        RatingTable(("A1",), ("O1",), {}, scales={"O1": (1, 2)})
    assert (refused.value.flaw, refused.value.handles) == (Flaw.OFF_SCALE, ("O1",))
