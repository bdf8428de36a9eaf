"""A rating that nobody knows is no fact: the step that holds its place sets nobody aside and wins nothing."""

from __future__ import annotations

from app.decision.analysis.analysis import StandoutRule, analyse
from app.decision.analysis.ratings import Cell, RatingTable
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import rated
from tests.unit.decision.sheets.walls import laid, titled, wall

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
    assert "Left to weigh: A2 Way A2, A3 Way A3" in shown.essence
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
    assert "open until these are known: A2 Way A2 on O1 Aim O1." in gains
    assert "Counted as 0, though nobody knows" in wall(shown)
    assert "A2 Way A2 on O1 Aim O1: " not in titled(shown, "What one step would change")


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
    found = unknown(rated(rows, "recommendation"), "A2", "O1").standout
    assert found is None or found.rule is StandoutRule.LEADS
