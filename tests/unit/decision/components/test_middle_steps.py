"""Alternatives and consequences: the edge cases that a facilitator meets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.decision.record import DecisionRecord
from app.decision.rows import build_measure
from app.decision.schema.paths import find_places
from tests.unit.decision.components.worked import (
    PLAYBOOK,
    TODAY,
    accepted,
    before,
    cell,
    example,
    minimal,
    rated,
    refused,
    remarks,
)

# --- alternatives


@pytest.mark.req("S0-141", "S0-142")
def test_two_options_with_a_named_status_quo_are_the_least() -> None:
    draft = minimal("alternatives")
    draft["alternatives"] = [{"handle": "A1", "name": "Oslo", "description": "As always"}]
    del draft["status_quo_id"]
    assert accepted("alternatives", draft).missing == (
        "at least two options, the status quo among them",
        "which option is the status quo: what happens if nobody decides?",
    )


@pytest.mark.req("S0-136")
def test_the_marked_option_is_the_status_quo_and_the_named_one_gets_its_mark() -> None:
    marked, named = minimal("alternatives"), minimal("alternatives")
    del marked["status_quo_id"]
    del named["alternatives"][0]["is_status_quo"]
    assert accepted("alternatives", marked).draft == accepted("alternatives", named).draft
    assert accepted("alternatives", named).draft["alternatives"][0]["is_status_quo"] is True


def test_two_marked_options_or_another_one_than_named_are_refused() -> None:
    draft = minimal("alternatives")
    draft["alternatives"][1]["is_status_quo"] = True
    assert refused("alternatives", draft) == {"alternatives.1.is_status_quo": "two of them"}
    del draft["status_quo_id"]
    assert refused("alternatives", draft) == {"alternatives.1.is_status_quo": "two of them"}


def test_names_are_unique() -> None:
    draft = minimal("alternatives")
    draft["alternatives"][1]["name"] = "OSLO"
    assert refused("alternatives", draft) == {"alternatives.1": "there twice"}


def test_an_option_that_is_the_status_quo_in_other_words_is_asked_about() -> None:
    draft = minimal("alternatives")
    draft["alternatives"][1]["description"] = "as  ALWAYS"
    assert "A2 Bergen reads like the status quo A1 Oslo" in remarks("alternatives", draft)


@pytest.mark.parametrize(
    ("options", "told"), [(2, "One idea beside"), (3, ""), (7, ""), (8, "That is a lot to compare.")]
)
def test_too_few_and_too_many_options_are_worth_a_word(options: int, told: str) -> None:
    draft = minimal("alternatives")
    draft["alternatives"] += [
        {"handle": f"A{n}", "name": f"Town {n}", "description": f"Number {n}"} for n in range(3, options + 1)
    ]
    assert remarks("alternatives", draft).startswith(told)
    assert bool(remarks("alternatives", draft)) == bool(told)


def test_an_option_that_breaks_a_limit_is_for_people_to_drop() -> None:
    draft = example("alternatives")
    draft["alternatives"][3]["broken_limits"] = ["100,000 euro a year"]
    assert "A4 Three part-time weekend agents breaks a limit (100,000 euro a year)." in remarks("alternatives", draft)


@pytest.mark.req("S0-137")
@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("strategies[].selections", [], "not one for each column"),
        ("strategies[].selections[].column_id", "S3", "not one for each column"),
        ("strategies[].selections[].option", "Nobody", "no such option"),
        ("strategies[].alternative_id", "A2", "has two rows"),
        ("decision_columns[].options", [], "too few"),
        ("decision_columns[].options[]", "AI FIRST, own on-call", "there twice"),
    ],
)
def test_each_strategy_chooses_once_in_every_column(path: str, value: Any, problem: str) -> None:
    draft = example("alternatives")
    find_places(draft["strategy_table"], path)[0].put(value)
    assert problem in refused("alternatives", draft).values()


def test_no_two_strategies_are_alike() -> None:
    draft = example("alternatives")
    rows = draft["strategy_table"]["strategies"]
    rows[1]["selections"] = list(reversed(rows[0]["selections"]))
    assert refused("alternatives", draft) == {"strategy_table.strategies.1": "same as another row"}


# --- consequences


@pytest.mark.req("S0-152", "S0-157")
def test_a_missing_cell_is_unknown_and_asked_for_by_objective() -> None:
    draft = example("consequences")
    for alternative, objective in [("A2", "O1"), ("A5", "O1"), ("A6", "O4")]:
        draft["table"]["cells"].remove(cell(draft, alternative, objective))
    assert accepted("consequences", draft).missing == (
        "ratings on O1 Solve urgent off-hours problems quickly: A2 Specialist partner with onboarding "
        "and A5 AI triage plus paid on-call",
        "ratings on O4 Give correct and friendly answers: A6 Mandatory rota for all agents",
    )


@pytest.mark.req("TR-18")
def test_an_option_that_came_later_is_asked_for_once_and_not_for_each_objective() -> None:
    draft = example("consequences")
    draft["table"]["cells"] = [each for each in draft["table"]["cells"] if each["alternative_id"] != "A6"]
    assert accepted("consequences", draft).missing == (
        "ratings on O1, O2, O3, O4, O5 and O6: A6 Mandatory rota for all agents",
    )


def test_a_table_that_nobody_has_rated_yet_is_a_draft() -> None:
    (needed,) = accepted("consequences", {}).missing
    assert needed.startswith("ratings on O1, O2, O3, O4, O5 and O6: A2 Specialist partner")
    nothing = DecisionRecord({}, TODAY)
    assert accepted("consequences", {"table": {"cells": []}}, nothing).missing == ("objectives and options to rate",)


@pytest.mark.req("S0-156")
def test_a_rating_against_its_measure_is_a_contradiction() -> None:
    draft = example("consequences")
    cell(draft, "A2", "O3")["rating"] = 1
    told = remarks("consequences", draft)
    assert "! On O3 Keep extra cost low, A2 Specialist partner with onboarding is rated above A1" in told
    assert accepted("consequences", draft).blocked


def against_the_measure(draft: Any, **measure: Any) -> str:
    """What is told if the cost rises and is rated better, and nobody noted what it is today but in the measure."""
    objectives = example("objectives")
    objectives["fundamental_objectives"][2]["performance_measure"] |= measure
    cells = [each for each in draft["table"]["cells"] if each["alternative_id"] == "A2"]
    draft["table"]["cells"] = cells
    cell(draft, "A2", "O3")["rating"] = 1
    return remarks("consequences", draft, before("consequences", objectives=objectives))


@pytest.mark.req("S0-156")
def test_what_is_measured_today_is_compared_with_also_where_only_the_measure_says_it() -> None:
    told = "! On O3 Keep extra cost low, A2 Specialist partner with onboarding is rated above A1"
    assert told in against_the_measure(example("consequences"))
    assert told in against_the_measure(example("consequences"), units=" KEUR/year")
    bare = example("consequences")
    del cell(bare, "A2", "O3")["quant_unit"]
    assert told in against_the_measure(bare)
    assert "On O3" not in against_the_measure(example("consequences"), baseline=60)


@pytest.mark.req("TR-08", "FA-26")
def test_that_the_status_quo_is_taken_at_todays_amount_is_said_where_a_rating_is_held_against_it() -> None:
    taken = "A1 is taken at today's 0 kEUR/year, because no amount was said for it. Which holds?"
    assert taken in against_the_measure(example("consequences"))
    said = example("consequences")
    cell(said, "A2", "O3")["rating"] = 1
    cell(said, "A1", "O3")["quant_value"] = 0
    told = remarks("consequences", said)
    assert "A2 Specialist partner with onboarding is rated above A1" in told
    assert "taken at today's" not in told


def test_an_amount_in_another_unit_than_its_measure_contradicts_nothing() -> None:
    assert "On O3" not in against_the_measure(example("consequences"), units="full-time staff")
    objectives = example("objectives")
    del objectives["fundamental_objectives"][2]["performance_measure"]["units"]
    draft = example("consequences")
    draft["table"]["cells"] = [cell(draft, "A2", "O3") | {"rating": 1}]
    assert "On O3" not in remarks("consequences", draft, before("consequences", objectives=objectives))


def test_the_amount_that_was_noted_of_the_status_quo_goes_before_that_of_the_measure() -> None:
    objectives, draft = example("objectives"), example("consequences")
    objectives["fundamental_objectives"][2]["performance_measure"]["baseline"] = 60
    cell(draft, "A2", "O3")["rating"] = 1
    told = remarks("consequences", draft, before("consequences", objectives=objectives))
    assert "! On O3 Keep extra cost low, A2 Specialist partner with onboarding is rated above A1" in told


def test_without_a_status_quo_the_amount_of_the_measure_belongs_to_no_option() -> None:
    options = example("alternatives")
    del options["status_quo_id"]
    assert before("consequences", alternatives=options).measure({}).amounts == {}
    assert before("consequences").measure({}).amounts == {
        ("A1", "O1"): 9.5, ("A1", "O2"): 3.2, ("A1", "O3"): 0, ("A1", "O4"): 4.1, ("A1", "O5"): 0, ("A1", "O6"): 0,
    }  # fmt: skip


def test_measures_without_a_number_as_target_contradict_nothing() -> None:
    objectives = example("objectives")
    objectives["fundamental_objectives"][2]["performance_measure"] |= {"direction": "target", "target": "low"}
    del objectives["fundamental_objectives"][0]["performance_measure"]
    draft = example("consequences")
    cell(draft, "A2", "O3")["rating"] = 1
    assert "On O3" not in remarks("consequences", draft, before("consequences", objectives=objectives))


@pytest.mark.req("TR-04")
@pytest.mark.parametrize(
    ("target", "unit", "number"),
    [
        ("5", "years", 5),
        ("5 years", "years", 5),
        ("5", "", 5),
        ("5 years", "", None),
        ("18 months", "years", 1.5),
        ("20k euro", "euro", 20_000),
        ("-5", "°C", -5),
        ("-5 °C", "°C", None),
        ("about -5 °C", "°C", None),
        ("minus 5 °C", "°C", None),
        ("5 days earlier", "days", None),
        ("at least 5 years", "years", None),
        ("5 to 7 years", "years", None),
        ("5 people", "years", None),
        ("low", "", None),
    ],
)
def test_a_target_may_be_written_with_its_unit(target: str, unit: str, number: float | None) -> None:
    measure = build_measure({"metric": "stays", "direction": "target", "target": target, "units": unit})
    assert (measure.target if measure else None) == number


@pytest.mark.req("TR-18")
def test_reasons_that_several_ratings_lack_are_asked_for_in_one_line() -> None:
    draft = example("consequences")
    for option in ("A2", "A4"):
        del cell(draft, option, "O1")["rationale"]
    assert accepted("consequences", draft).missing == ("reason for A2 on O1 and A4 on O1: what the rating is based on",)
    draft["table"]["cells"].reverse()
    assert accepted("consequences", draft).missing[0].startswith("reason for A2 on O1 and A4 on O1:"), "in any order"


@pytest.mark.req("FA-03")
def test_a_reason_that_nobody_gave_for_the_largest_steps_is_needed_and_demanded_of_no_submission() -> None:
    draft = example("consequences")
    del cell(draft, "A2", "O1")["rationale"]
    assert accepted("consequences", draft).missing == ("A2 on O1 reason: what the rating is based on",)
    assert "then" not in json.dumps(PLAYBOOK["consequences"].asked_schema)
    draft["table"]["cells"][6]["rating"] = 3
    assert set(refused("consequences", draft)) == {"table.cells.6.rating"}, "an error is one"
    del draft["table"]["cells"][6]
    del cell(draft, "A2", "O3")["rationale"]
    assert accepted("consequences", draft)


@pytest.mark.parametrize(("low", "high", "problem"), [(1, 2, "does not hold it"), (-2, 0, None), (-2, 3, "too high")])
def test_a_range_holds_its_rating(low: int, high: int, problem: str | None) -> None:
    draft = example("consequences")
    cell(draft, "A2", "O4")["rating_range"] = {"low": low, "high": high}
    assert problem is None or problem in refused("consequences", draft).values()
    assert problem is not None or accepted("consequences", draft)


def test_a_cell_is_rated_once() -> None:
    draft = example("consequences")
    draft["table"]["cells"].append({**cell(draft, "A2", "O3"), "rating": 0})
    assert refused("consequences", draft) == {"table.cells.36": "rated twice"}


def test_an_option_or_objective_that_is_not_in_the_decision_cannot_be_rated() -> None:
    draft = example("consequences")
    draft["table"]["cells"][0]["alternative_id"] = "A7"
    draft["table"]["cells"][1]["objective_id"] = "O7"
    assert refused("consequences", draft) == {
        "table.cells.0.alternative_id": "names nothing that exists",
        "table.cells.1.objective_id": "names nothing that exists",
    }


def test_means_objectives_are_not_rated() -> None:
    draft = example("consequences")
    draft["table"]["cells"][0]["objective_id"] = "M1"
    assert refused("consequences", draft) == {"table.cells.0.objective_id": "not a handle of this kind"}


def test_an_option_that_is_better_everywhere_is_asked_about() -> None:
    draft = example("consequences")
    for each in draft["table"]["cells"]:
        if each["alternative_id"] == "A4":
            each |= {"rating": 1}
            each.pop("rating_range", None)
    assert "A4 Three part-time weekend agents is rated better everywhere." in remarks("consequences", draft)


def test_an_option_is_not_called_better_everywhere_while_one_of_its_ratings_is_missing_or_no_better() -> None:
    asked = "A2 Way A2 is rated better everywhere."
    so_far = rated({"A1": [0, 0, 0, 0], "A2": [1, 1, 1, 1]}, "consequences")
    ratings = [{"alternative_id": "A2", "objective_id": f"O{number}", "rating": 1} for number in range(1, 5)]
    assert asked in remarks("consequences", {"table": {"cells": ratings}}, so_far)
    assert asked not in remarks("consequences", {"table": {"cells": ratings[:3]}}, so_far)
    assert asked not in remarks(
        "consequences", {"table": {"cells": [*ratings[:3], {**ratings[3], "rating": 0}]}}, so_far
    )


def test_objectives_that_are_rated_alike_are_asked_about() -> None:
    draft = example("consequences")
    cell(draft, "A3", "O1")["rating"] = 2
    cell(draft, "A6", "O1")["rating"] = -2
    told = remarks("consequences", draft)
    assert (
        "O1 Solve urgent off-hours problems quickly and O2 Protect the agents' health and private life are rated"
        in told
    )


def test_equal_ratings_that_hide_a_large_difference_are_asked_about() -> None:
    draft = example("consequences")
    cell(draft, "A5", "O1")["quant_value"] = 4.6
    cell(draft, "A3", "O1")["quant_value"] = 9.4
    assert "On O1 Solve urgent off-hours… equal ratings hide a large" in remarks("consequences", draft)


def test_a_step_without_a_meaning_is_asked_about() -> None:
    draft = example("consequences")
    cell(draft, "A2", "O5")["rating"] = 1
    assert "is rated +1, a step nobody has given a meaning" in remarks("consequences", draft)


def test_as_good_as_the_status_quo_has_a_meaning_of_its_own() -> None:
    draft = example("consequences")
    agreed = {"1": "better", "2": "much better", "-1": "worse", "-2": "much worse"}
    draft["table"]["anchors"] = [{"objective_id": f"O{number}", **agreed} for number in range(1, 7)]
    assert "a step nobody has given a meaning" not in remarks("consequences", draft)


def test_a_doubt_is_asked_what_it_comes_from() -> None:
    draft = example("consequences")
    cell(draft, "A4", "O1")["uncertainty"] = {"level": "high"}
    told = "What does the doubt about A4 Three part-time weekend agents on O1 Solve urgent off-hours problems quickly"
    assert told in remarks("consequences", draft)


def test_a_reason_why_nobody_knows_a_rating_is_not_asked_for_again() -> None:
    draft = example("consequences")
    cell(draft, "A4", "O1").update(rating=0, rating_range={"low": -2, "high": 2}, uncertainty={"level": "high"})
    assert "What does the doubt about A4" not in remarks("consequences", draft)
    del cell(draft, "A4", "O1")["rationale"]
    assert "What does the doubt about A4" in remarks("consequences", draft)
