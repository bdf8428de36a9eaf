"""Tradeoffs on the wall: points, amounts and even swaps stand beside the sums, and say what they rest on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.state.sheet import Sheet
from app.decision.layout.sheets import build_sheet, recall
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, accepted, amounting, example, rated
from tests.unit.decision.sheets.walls import laid, titled, wall


@pytest.mark.req("TR-02")
def test_swing_points_tell_what_follows_and_what_would_turn_it() -> None:
    told = titled(laid("tradeoffs", example("tradeoffs")), "What going from worst to best is worth").splitlines()
    assert told[:2] == ["O1 Solve urgent off-hours problems quickly", "  100 points, from 0 to +2"]
    assert told[-2].startswith("By these points: A4 Three part-time weekend agents 270, A5 AI triage")
    assert told[-1] == "No other points for a single objective, from 0 to 100, would change who leads."


def weighed(rows: dict[str, list[int]], *points: int) -> str:
    """What is told of these points for O1, O2, …"""
    given = [{"objective_id": f"O{number}", "points": each} for number, each in enumerate(points, 1)]
    return titled(laid("tradeoffs", {"swing_weights": given}, rated(rows)), "What going from worst to best is worth")


@pytest.mark.req("TR-19")
def test_other_points_that_turn_the_lead_are_told_against_those_given_the_nearest_first() -> None:
    told = weighed({"A1": [0, 0, 0], "A2": [1, 2, -1], "A3": [2, -1, 1]}, 60, 100, 60).splitlines()
    assert told[-4:] == [
        "A3 Way A3 takes the lead as soon as O2 Aim O2 counts for under 90; you said 100.",
        "A3 Way A3 takes the lead as soon as O3 Aim O3 counts for over 70; you said 60.",
        "A3 Way A3 takes the lead as soon as O1 Aim O1 counts for over 80; you said 60.",
        "If the points of one objective alone change, A2 Way A2 stays in front, or level with others, for 90 to 100 of "
        "O2 Aim O2, 0 to 70 of O3 Aim O3 and 0 to 80 of O1 Aim O1.",
    ]
    beyond = weighed({"A1": [0, 0], "A2": [2, 0], "A3": [0, 1]}, 100, 95).splitlines()
    assert beyond[-3] == "A3 Way A3 takes the lead as soon as O1 Aim O1 counts for under 95; you said 100."
    assert beyond[-2] == "A2 Way A2 and A3 Way A3 lead together as soon as O2 Aim O2 counts for over 99; you said 95."
    level = weighed({"A1": [0, 0], "A2": [2, 0], "A3": [0, 1], "A4": [0, 1]}, 100, 60).splitlines()
    assert level[-3] == "A3 Way A3 and A4 Way A4 lead together as soon as O1 Aim O1 counts for under 60; you said 100."


@pytest.mark.req("TR-02")
def test_points_for_a_range_that_a_new_rating_has_moved_count_for_nothing_and_say_so() -> None:
    draft = {
        "swing_weights": [
            {"objective_id": "O1", "points": 100, "worst": -2, "best": 2},
            {"objective_id": "O2", "points": 60, "worst": -1, "best": 1},
        ]
    }
    then, now = ({"A1": [0, 0], "A2": [2, -1], "A3": [-2, 1]}, {"A1": [0, 0], "A2": [2, -2], "A3": [-2, 1]})
    asked = "What going from worst to best is worth"
    assert "By these points: A2 Way A2 100, A1 Way A1 80 and A3 Way A3 60" in titled(
        laid("tradeoffs", draft, rated(then)), asked
    )
    told = titled(laid("tradeoffs", draft, rated(now)), asked).splitlines()
    assert told == [
        "O1 Aim O1",
        "  100 points, from −2 to +2",
        "O2 Aim O2",
        "  60 points, given for going from −1 to +1: they count for nothing until you say them anew.",
    ]


@pytest.mark.req("TR-02", "TR-06")
def test_points_on_what_people_left_out_or_what_is_not_rated_yet_are_not_asked_for_again() -> None:
    points = [{"objective_id": each, "points": 60, "worst": -1, "best": 1} for each in ("O1", "O2")]
    left_out: dict[str, Any] = {
        "swing_weights": points,
        "irrelevant_objectives": [{"objective_id": "O2", "kind": "user_dismissed", "reason": "never mind"}],
    }
    so_far = rated({"A1": [0, 0, 0], "A2": [2, -2, -1], "A3": [-2, 1, 1]})
    told = titled(laid("tradeoffs", left_out, so_far), "What going from worst to best is worth").splitlines()
    assert told[1].endswith("they count for nothing until you say them anew.")
    assert told[3] == "  60 points, given for going from −1 to +1: not counted now."
    essence = build_sheet(PLAYBOOK["tradeoffs"], left_out, so_far).essence
    assert "O2 Aim" not in next(each for each in essence if "until you say them" in each)


def test_swing_points_that_do_not_fit_the_table_are_shown_and_nothing_is_made_of_them() -> None:
    draft = {"swing_weights": [{"objective_id": "O1", "points": 60}]}
    told = titled(laid("tradeoffs", draft), "What going from worst to best is worth")
    assert told == "O1 Solve urgent off-hours problems quickly\n  60 points, from 0 to +2"
    bare = build_sheet(PLAYBOOK["tradeoffs"], draft, DecisionRecord({}, TODAY))
    assert "  60 points" in titled(bare, "What going from worst").splitlines()


@pytest.mark.req("TR-15")
def test_sums_counts_and_points_stand_in_the_sheet_that_speaks_of_them() -> None:
    draft = {"swing_weights": [{"objective_id": "O1", "points": 100}, {"objective_id": "O2", "points": 60}]}
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-2, 1], "A4": [-2, -1]}
    assert titled(laid("tradeoffs", draft, rated(rows)), "Sums").splitlines() == [
        "Option | Plain sum | Better than the status quo on | Worse than it on | By your points",
        "A1 Way A1 | 0 | 0 | 0 | 80",
        "A2 Way A2 | +1 | 1 | 1 | 100",
        "A3 Way A3 | −1 | 1 | 1 | 60",
        "A4 Way A4 | −3 | 0 | 2 | –",
    ]
    later = rated(rows, "recommendation")
    later = replace(later, results={**later.results, "tradeoffs": draft})
    recommended = recall(PLAYBOOK["recommendation"], Sheet(), later)
    assert "All sums, and what each option gains and gives up: see Tradeoffs" in titled(recommended, "In other steps")
    gap = rated(rows)
    del gap.results["consequences"]["table"]["cells"][3]
    assert titled(laid("tradeoffs", {}, gap), "Sums").splitlines()[2] == "A2 Way A2 | – | 1 | 0"


@pytest.mark.req("TR-16")
def test_where_amounts_order_the_options_otherwise_both_orders_stand_there_with_what_causes_it() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1], "A3": [2, -2]})
    objectives = so_far.results["objectives"]["fundamental_objectives"]
    objectives[0]["performance_measure"] = {"metric": "days", "units": "days", "direction": "minimize", "baseline": 34}
    objectives[1]["performance_measure"] = {"metric": "cost", "units": "kEUR", "direction": "minimize", "baseline": 10}
    so_far = amounting(so_far, A2_O1=20, A3_O1=18, A2_O2=11, A3_O2=60)
    draft = {"swing_weights": [{"objective_id": "O1", "points": 100}, {"objective_id": "O2", "points": 60}]}
    shown = laid("tradeoffs", draft, so_far)
    # By ratings A2 has 50 + 30, by amounts 100 · 14/16 + 60 · 49/50; A1 has 60 and A3 100 by both.
    assert titled(shown, "By amounts the order is another one").splitlines() == [
        "By ratings: A3 Way A3 100, A2 Way A2 80 and A1 Way A1 60",
        "By amounts, in proportion between worst and best: A2 Way A2 146.3, A3 Way A3 100 and A1 Way A1 60",
        "A3 Way A3 is ahead of A2 Way A2 by ratings, and behind by amounts. That comes from:",
        "  A2 Way A2 on O1 Aim O1: rated +1, measured 20 days",
        "  A2 Way A2 on O2 Aim O2: rated −1, measured 11 kEUR",
    ]
    assert "A2 Way A2 | 0 | 1 | 1 | 80 | 146.3" in titled(shown, "Sums")


@pytest.mark.parametrize(("cost", "told"), [(11, "+1.7"), (59, "−0.2"), (54.75, "0")])
def test_values_by_amounts_have_the_signs_of_plain_sums_where_they_are_steps(cost: float, told: str) -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1], "A3": [2, -2]})
    for each in so_far.results["objectives"]["fundamental_objectives"]:
        each["performance_measure"] = {"metric": "what", "units": "it", "direction": "minimize", "baseline": 34}
    so_far = amounting(so_far, A2_O1=20, A3_O1=18, A2_O2=cost + 24, A3_O2=84)
    # 2 · 14/16 + 2 · (60 − cost)/50 − 2 steps
    assert f"A2 Way A2 | 0 | 1 | 1 | {told}" in titled(laid("tradeoffs", {}, so_far), "Sums").splitlines()


def test_even_swaps_and_what_people_understood_stand_in_their_own_words() -> None:
    shown = laid("tradeoffs", example("tradeoffs"))
    assert (
        "  O4 Give correct and friendly answers from 3.8 to 4.4 points, paid for with O3 Keep extra cost low from 50 "
        "to 75 kEUR/year" in titled(shown, "Even swaps").splitlines()
    )
    assert titled(shown, "In your own words").startswith("Maya: it is part-timers for 88 thousand")


def test_a_note_without_a_full_stop_gets_one_before_what_is_said_of_it() -> None:
    former = rated({"A1": [0, 0], "A2": [2, -1]})
    draft = accepted("tradeoffs", {"user_understanding": "Speed against cost"}, former).draft
    shown = build_sheet(PLAYBOOK["tradeoffs"], draft, rated({"A1": [0, 0], "A2": [1, -1]}))
    assert titled(shown, "In your own words").startswith("Speed against cost. Written for earlier ratings;")


@pytest.mark.req("TR-10")
def test_the_imagined_row_stands_in_the_table_with_what_the_swaps_bring_about() -> None:
    shown = laid("tradeoffs", example("tradeoffs"))
    table = titled(shown, "The table after these swaps").splitlines()
    assert table[0].startswith("Option | O3 Keep extra cost low (kEUR/year) | O4 Give correct")
    assert "A2 Specialist partner with onboarding | 95 (imagined, was 50) | 4.4 (imagined, was 3.8) | 0 (imagined" in (
        "\n".join(table)
    )
    assert "A4 Three part-time weekend agents | 88 | 4.4 | 0" in table
    told = titled(shown, "What the swaps bring about").splitlines()
    assert (
        "A4 Three part-time weekend agents now dominates A2 Specialist partner with onboarding, "
        "if the swaps are fair." in told
    )
    assert any(line.startswith("O4 Give correct and friendly answers drops out between A2") for line in told)
    assert "The table after" not in wall(laid("tradeoffs", {}, rated({"A1": [0], "A2": [1]})))
