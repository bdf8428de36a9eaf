"""Each sentence says of which options and objectives it is true: those compared, left out, or measured unlike."""

from __future__ import annotations

from dataclasses import replace

from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, accepted, rated
from tests.unit.decision.sheets.walls import laid, titled, wall

OUT = {"alternative_id": "A3", "reason": "Too far."}
REDUNDANT = {"objective_id": "O3", "kind": "redundant", "reason": "It is O1 again."}


def timed(so_far: DecisionRecord, **hours: int) -> DecisionRecord:
    """The decision with O1 measured in hours, of which fewer are better."""
    (first, *others) = so_far.results["objectives"]["fundamental_objectives"]
    measure = {"metric": "Hours", "direction": "minimize", "units": "hours"}
    for each in so_far.results["consequences"]["table"]["cells"]:
        if each["objective_id"] == "O1" and each["alternative_id"] in hours:
            each |= {"quant_value": hours[each["alternative_id"]], "quant_unit": "hours"}
    objectives = {"fundamental_objectives": [{**first, "performance_measure": measure}, *others]}
    return replace(so_far, results={**so_far.results, "objectives": objectives})


def test_an_option_left_out_with_another_rating_is_named_where_every_option_is_rated_alike() -> None:
    rows = {"A1": [0, 0], "A2": [0, 1], "A3": [2, -1]}
    shown = laid("tradeoffs", accepted("tradeoffs", {"dropped_alternatives": [OUT]}, rated(rows)).draft, rated(rows))
    told = titled(shown, "Does not separate the options")
    assert told == "O1 Aim O1\n  Every option is rated 0.\n  A3 Way A3, which you left out, is rated +2."
    rows["A3"] = [0, -1]
    shown = laid("tradeoffs", accepted("tradeoffs", {"dropped_alternatives": [OUT]}, rated(rows)).draft, rated(rows))
    assert "which you left out" not in titled(shown, "Does not separate the options")


def test_the_only_option_left_is_said_to_be_compared_without_those_that_people_left_out() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, 1], "A3": [2, 0]}, "recommendation")
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": {"dropped_alternatives": [OUT]}})
    told = write_opening(PLAYBOOK["recommendation"], so_far)
    assert "never worse than any other. Left out by you, and not compared: A3 Way A3." in told


def test_options_alike_on_what_counts_are_not_called_alike_on_what_people_left_out() -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 0, 2], "A3": [1, -1, 0]}
    draft = accepted("tradeoffs", {"irrelevant_objectives": [REDUNDANT]}, rated(rows)).draft
    told = titled(laid("tradeoffs", draft, rated(rows)), "Rated alike")
    assert "On your ratings A2 Way A2 is no different from the status quo.\n" in told
    assert "  Not alike on O3 Aim O3, which you left out.\n" in told
    rows["A2"] = [0, 0, 0]
    told = titled(laid("tradeoffs", draft, rated(rows)), "Rated alike")
    assert "which you left out" not in told


def test_an_option_gains_nothing_where_one_measures_better_and_is_not_weakest_where_one_measures_worse() -> None:
    rows = {"A1": [0, 0, 0], "A2": [1, 1, -1], "A3": [1, -1, 1], "A4": [-1, 2, 0]}
    better = timed(rated(rows), A1=20, A2=12, A3=10, A4=30)
    told = titled(laid("tradeoffs", {}, better), "What each option gains")
    assert "A3 Way A3\n  Gains O1 Aim O1 and O3 Aim O3" in told
    assert "A2 Way A2\n  Gives up O3 Aim O3" in told
    assert "• A2 Way A2: best on nothing; weakest on O3 Aim O3." in COMPUTED["tensions"](better, PLAYBOOK["tradeoffs"])
    level = {"A1": [0, 0, 0], "A2": [-1, 1, 0], "A3": [-1, 0, 1]}
    slower = timed(rated(level), A1=20, A2=25, A3=30)
    told = titled(laid("tradeoffs", {}, slower), "What each option gains")
    assert "A3 Way A3\n  Gains O3 Aim O3\n  Gives up O1 Aim O1" in told, "it measures worst, and alone"
    assert told.count("O1 Aim O1") == 2, "A1 gains it"
    opening = COMPUTED["tensions"](slower, PLAYBOOK["tradeoffs"])
    assert "• A3 Way A3: best on O3 Aim O3; weakest on O1 Aim O1; one of the weakest on O2 Aim O2." in opening
    alike = titled(laid("tradeoffs", {}, timed(rated(level), A1=20, A2=30, A3=30)), "What each option gains")
    assert alike.count("One of the weakest on O1") == 2


def test_an_option_that_also_measures_better_is_not_said_to_be_better_by_one_step_alone() -> None:
    rows = {"A1": [0, 0, 0, 0], "A2": [0, 0, 0, 1], "A3": [0, 2, 2, 0]}
    told = titled(laid("tradeoffs", {}, timed(rated(rows), A1=20, A2=12, A3=15)), "Is one step worth it?")
    assert "On O1 Aim O1 they measure differently: A2 Way A2 12 hours, A3 Way A3 15 hours." in told
    told = titled(laid("tradeoffs", {}, timed(rated(rows), A1=20, A2=15, A3=12)), "Is one step worth it?")
    assert "measure differently" not in told


def test_while_ratings_compare_with_a_former_status_quo_it_is_called_by_its_name() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 1, 0], "A3": [0, 0, 0], "A4": [-1, 0, 2]}, "recommendation")
    so_far.results["alternatives"]["status_quo_id"] = "A2"
    so_far.results["consequences"]["table"]["baseline_id"] = "A1"
    so_far = DecisionRecord(so_far.results, so_far.today)
    assert so_far.compared_with == "A1"
    assert so_far.baseline == "A2"
    told = wall(laid("tradeoffs", {}, so_far))
    assert "A3 Way A3 is no different from A1 Way A1." in told
    assert "Better than A1 Way A1 on" in told
    assert "No better than A1 Way A1 on O3 Aim O3" in told
    assert "The status quo stands out (A2 Way A2)" in write_opening(PLAYBOOK["recommendation"], so_far)
    assert "A1 Way A1 is beaten." in write_opening(PLAYBOOK["recommendation"], so_far)
    assert "A1 Way A1 is beaten: A2 Way A2" in write_opening(PLAYBOOK["tradeoffs"], so_far)
