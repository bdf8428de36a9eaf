"""Where people gave only some steps a meaning, nothing that nobody has said goes beyond them."""

from __future__ import annotations

import pytest

from app.decision.analysis.ratings import Flaw, InvalidInput, RatingTable
from app.decision.firmness.space import build_space
from app.decision.record import DecisionRecord
from app.decision.rows import read_scales
from tests.unit.decision.components.worked import rated
from tests.unit.decision.layout.test_ranges_told import unknown
from tests.unit.decision.sheets.walls import laid, titled

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
    for each in said.results["consequences"]["table"]["cells"]:
        if (each["alternative_id"], each["objective_id"]) == ("A2", "O2"):
            each["rating_range"] = {"low": -1, "high": 1}
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
