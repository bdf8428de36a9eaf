"""The worked example: every number of the engine was found by hand first."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from app.decision.analysis.analysis import Standout, StandoutRule, analyse, find_standing
from app.decision.analysis.conflict import find_conflicts
from app.decision.analysis.dominance import find_dominance
from app.decision.analysis.measures import find_contradictions
from app.decision.analysis.quality import Element, judge_quality
from app.decision.analysis.ratings import Steps
from app.decision.analysis.scores import count_once
from app.decision.analysis.swaps import Beaten, Cancelled, imagine
from app.decision.analysis.swing import FULL_SWING, Swing, weigh
from app.decision.analysis.variation import IrrelevantKind, find_unvarying
from app.decision.rows import read_swap
from tests.unit.decision.tables import (
    COMPONENTS,
    EXPECTED,
    TRADEOFFS,
    example,
    example_measured,
    rated_exactly,
    replaced,
)

TABLE = example()
ANALYSIS = analyse(TABLE)
LEFT = TABLE.among(ANALYSIS.dominance.left)
POINTS = {each["objective_id"]: each["points"] for each in TRADEOFFS["swing_weights"]}


def test_the_table_is_full_and_its_baseline_is_0() -> None:
    expected = EXPECTED["consequences"]
    assert TABLE.size == expected["cells_expected"]
    assert TABLE.size - len(ANALYSIS.missing) == expected["cells_filled"]
    assert set(TABLE.row("A1")) == {0}


def test_no_rating_contradicts_its_measure_and_a_wrong_sign_would() -> None:
    assert (
        list(find_contradictions(TABLE, example_measured())) == EXPECTED["consequences"]["rating_contradicts_measure"]
    )
    found = find_contradictions(replaced(TABLE, "A5", "O3", 1), example_measured())
    assert [(each.objective, each.rated_higher, each.rated_lower) for each in found] == [("O3", "A5", "A1")]


@pytest.mark.req("S0-167")
def test_dominance_is_as_found_by_hand() -> None:
    expected, found = EXPECTED["dominance"], ANALYSIS.dominance
    keys = ("dominated_by", "all_dominators", "kind")
    assert [
        {"alternative_id": each.alternative} | {key: asdict(each)[key] for key in keys} for each in found.dominated
    ] == [{**each, "all_dominators": tuple(each["all_dominators"])} for each in expected["dominated"]]
    assert list(found.left) == expected["non_dominated"]
    assert found.baseline_dominated is expected["status_quo_dominated"]
    assert list(found.ties) == expected["identical_alternatives"]
    assert list(found.like_baseline) == expected["equal_to_status_quo"]
    assert find_dominance(rated_exactly(TABLE)).possible == ()
    assert [(each.by, each.alternative, each.fill) for each in found.possible] == [("A1", "A5", ())]


def test_dominance_names_where_the_dominator_is_better_and_where_it_is_equal() -> None:
    assert [(list(each.better_on), list(each.equal_on)) for each in ANALYSIS.dominance.dominated] == [
        (each["better_on"], each["equal_on"]) for each in TRADEOFFS["dominated_alternatives"]
    ]


def test_dominance_holds_inside_the_ranges_and_on_the_raw_measures() -> None:
    dominated, measured = ANALYSIS.dominance.dominated, example_measured()
    assert (
        all(each.dominated_by in each.certain_by for each in dominated)
        is EXPECTED["dominance"]["robust_to_rating_ranges"]
    )
    assert [not measured.find_worse(each.dominated_by, each.alternative) for each in dominated] == [
        EXPECTED["dominance"]["holds_on_raw_measures"]
    ] * 2
    assert measured.find_worse("A4", "A2") == ("O3",)


@pytest.mark.req("S0-165", "S0-168")
def test_the_law_does_not_separate_the_options_before_nor_after_setting_aside() -> None:
    expected = EXPECTED["irrelevant_objectives"]
    assert list(find_unvarying(TABLE)) == expected["over_all_alternatives"]
    assert list(find_unvarying(LEFT)) == expected["over_non_dominated"]
    assert [(each.objective, each.rating, each.kind) for each in ANALYSIS.irrelevant] == [
        ("O6", 0, IrrelevantKind.NO_VARIATION)
    ]
    assert not ANALYSIS.nothing_separates


def test_speed_and_team_have_the_same_pattern_and_the_leader_leads_if_they_count_once() -> None:
    expected = EXPECTED["objectives_with_identical_pattern_over_non_dominated"]
    assert [list(group) for group in ANALYSIS.same_patterns] == expected
    assert [score.net for score in count_once(LEFT)] == [0, -1, 1, 0]
    assert ANALYSIS.leaders_counted_once == (EXPECTED["leader_if_identical_objectives_count_once"],)


def test_sums_and_counts() -> None:
    assert {score.alternative: score.net for score in ANALYSIS.scores} == EXPECTED["net_scores"]
    assert {score.alternative: [score.plus, score.minus] for score in ANALYSIS.scores} == EXPECTED["plus_minus"]
    assert ANALYSIS.leaders == (EXPECTED["leader_by_sum"],)
    assert EXPECTED["leader_tied"] is False


@pytest.mark.req("S0-169")
def test_tensions_are_best_and_worst_among_those_left() -> None:
    expected = EXPECTED["tensions"]
    assert {
        each.alternative: {"gains": list(each.gains), "losses": list(each.losses)} for each in ANALYSIS.tensions
    } == expected["best_worst_among_non_dominated"]
    assert {
        each.alternative: {"better": list(each.better), "worse": list(each.worse)} for each in ANALYSIS.tensions
    } == expected["versus_status_quo"]
    assert not any(each.all_rounder for each in ANALYSIS.tensions)


def test_pairs_say_where_each_is_better() -> None:
    assert [
        {
            "a": pair.one,
            "b": pair.other,
            "better_a": [each.objective for each in pair.better],
            "better_b": [each.objective for each in pair.worse],
            "equal": list(pair.equal),
        }
        for pair in ANALYSIS.pairs
    ] == EXPECTED["pairwise_non_dominated"]


def test_part_timers_instead_of_ai_is_four_times_one_step_for_two_steps_of_cost() -> None:
    pair = ANALYSIS.pairs[-1]
    assert (pair.one, pair.other) == ("A4", "A5")
    assert pair.better == (Steps("O1", 1), Steps("O2", 1), Steps("O4", 1), Steps("O5", 1))
    assert pair.worse == (Steps("O3", -2),)


def test_the_headline_is_speed_against_cost() -> None:
    expected = EXPECTED["objective_conflicts_over_non_dominated"]
    assert [
        {"a": each.one, "b": each.other, "discordant": each.discordant, "concordant": each.concordant}
        for each in find_conflicts(LEFT)
    ] == expected
    headline = ANALYSIS.headline
    assert headline
    assert [headline.one, headline.other] == list(TRADEOFFS["headline_conflict"].values())[:2]
    assert (headline.discordant, headline.concordant) == (2, 0)


def test_the_one_question_is_part_timers_against_the_partner() -> None:
    assert [
        {
            "alternative_id": each.alternative,
            "by": each.by,
            "loses_steps": each.gives_up.steps,
            "gains_steps": sum(gain.steps for gain in each.gains),
        }
        for each in ANALYSIS.practical_dominance
    ] == EXPECTED["practical_dominance_candidates"]
    question = ANALYSIS.practical_dominance[0]
    assert (question.gives_up, question.gains) == (Steps("O3", 1), (Steps("O4", 2), Steps("O5", 1)))


def test_two_even_swaps_leave_only_the_money_and_the_part_timers_ahead() -> None:
    found = imagine(example().among(["A2", "A4"]), example_measured(), list(map(read_swap, TRADEOFFS["even_swaps"])))
    measures = [*found.measured.measures][:5]
    assert [found.measured.amounts["A2", each] for each in measures] == [2.0, 0.3, 95, 4.4, 0]
    assert [found.measured.amounts["A4", each] for each in measures] == [2.0, 0.3, 88, 4.4, 0]
    assert found.swapped == (("A2", "O3"), ("A2", "O4"), ("A2", "O5"))
    assert found.cancelled == (Cancelled("O4", "A2", "A4"), Cancelled("O5", "A2", "A4"))
    assert found.beaten == (Beaten("A2", "A4"),)


def test_regret_names_two_different_options() -> None:
    expected, regrets = EXPECTED["regret_over_non_dominated"], ANALYSIS.regrets
    assert {each.alternative: each.worst for each in regrets.each} == expected["max"]
    assert {each.alternative: each.total for each in regrets.each} == expected["total"]
    assert regrets.smallest_worst == (expected["smallest_max"],)
    assert regrets.each[1].given_up == (Steps("O3", 1), Steps("O4", 2), Steps("O5", 1))


def test_the_swings_to_ask_for_are_the_ranges_of_those_left() -> None:
    expected = [Swing(each["objective_id"], each["worst"], each["best"]) for each in TRADEOFFS["swing_weights"]]
    assert list(ANALYSIS.swings) == expected


def test_swing_values_and_the_points_of_cost_at_which_the_lead_changes() -> None:
    expected, weighed = EXPECTED["swing_weighted"], weigh(LEFT, POINTS)
    assert sum(POINTS.values()) == expected["points_total"]
    assert weighed.values == expected["value_points"]
    assert {each: round(value / sum(POINTS.values()), 3) for each, value in weighed.values.items()} == expected[
        "value_normalised"
    ]
    assert weighed.leaders == (expected["leader"],)
    change = expected["cost_points_at_which_leader_changes"]
    assert weighed.break_evens == (), "155 points of cost would turn it, but nobody can give more than 100"
    assert change["points"] > FULL_SWING


def test_one_step_changes_the_dominated_in_twelve_cases_and_never_the_leader() -> None:
    expected, found = EXPECTED["sensitivity_one_step"], ANALYSIS.sensitivity
    assert list(found.leaders) == expected["leader_changes"]
    shown = [
        {
            "alternative_id": each.nudge.alternative,
            "objective_id": each.nudge.objective,
            "from": each.nudge.rating,
            "to": each.nudge.to,
            "dominated_after": list(each.after),
        }
        for each in found.dominated
    ]
    doubtful = {at for at, cell in TABLE.cells.items() if cell.doubtful}
    in_order = sorted(
        expected["dominated_set_changes"],
        key=lambda each: (each["alternative_id"], each["objective_id"]) not in doubtful,
    )
    assert shown == in_order
    assert len(shown) == 12
    assert not found.doubtful_only


def test_decision_quality_is_its_weakest_element() -> None:
    expected = EXPECTED["decision_quality"]
    found = judge_quality({Element(each["name"]): each["score"] for each in COMPONENTS["decision_quality"]["elements"]})
    assert found.overall == expected["overall_score"]
    assert list(found.weakest) == expected["weakest"]
    assert found.acceptable is expected["acceptable_at_80"]
    assert found.affirmable is expected["affirmation_allowed"]
    assert [*found.improvements] == list(expected["improvement_priority"])


def test_the_part_timers_stand_out_and_what_speaks_against_them_is_named() -> None:
    expected = Standout(
        "A4", StandoutRule.LEADS, weakest_on=("O3",), among_weakest_on=(), other_readings=("A5",), is_level=False,
        by_value=False, rivals=("A2", "A5"),
    )  # fmt: skip
    assert find_standing(ANALYSIS).standout == expected
    assert find_standing(ANALYSIS, weigh(LEFT, POINTS)).standout == replace(expected, by_value=True)
