"""The table of ratings on the wall: gaps come first and stay gaps, and below stands what ratings mean and doubt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.state.sheet import Listing, Mark, Matrix, Sheet
from app.decision.drafts.draft import refresh_draft
from app.decision.layout.sheets import build_sheet, recall
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, accepted, before, cell, example, minimal
from tests.unit.decision.sheets.walls import in_short, laid, of_type, plainly, titled, wall


def unrated(*gaps: tuple[str, str]) -> Draft:
    """The example's ratings without some."""
    draft = example("consequences")
    cells = draft["table"]["cells"]
    draft["table"]["cells"] = [each for each in cells if (each["alternative_id"], each["objective_id"]) not in gaps]
    return draft


@pytest.mark.req("S0-154")
def test_the_table_shows_every_option_on_every_objective_with_doubt_and_reason() -> None:
    (table,) = of_type(laid("consequences", example("consequences")), Matrix)
    assert table.title == "Ratings against A1 Volunteer overtime rota (today)"
    assert [head.handle for head in table.rows] == ["A1", "A2", "A3", "A4", "A5", "A6"]
    assert [head.handle for head in table.columns] == ["O1", "O2", "O3", "O4", "O5", "O6"]
    assert [head.handle for head in table.rows if Mark.BASELINE in head.marks] == ["A1"]
    assert [[rating.value for rating in row] for row in table.cells] == [
        [0, 0, 0, 0, 0, 0],
        [2, 2, -1, -1, -1, 0],
        [1, 2, -1, -2, -2, 0],
        [2, 2, -2, 1, 0, 0],
        [1, 1, 0, 0, -1, 0],
        [1, -2, -2, 0, 0, 0],
    ]
    assert [rating.doubtful for rating in table.cells[4]] == [True, True, False, True, False, False]
    assert table.cells[1][1].note == "Only handovers on Monday mornings remain. · 0.3 shifts/agent/month"


@pytest.mark.req("S0-155")
def test_missing_ratings_come_first_and_are_not_nought() -> None:
    draft = unrated(("A2", "O4"), ("A5", "O4"), ("A3", "O1"))
    shown = laid("consequences", draft)
    first = shown.sections[0]
    assert isinstance(first, Listing)
    assert first.title == "Missing ratings (3)"
    assert [(item.handle, item.marks, item.notes) for item in first.items] == [
        ("O1", (Mark.GAP,), ("A3 Budget call centre",)),
        ("O4", (Mark.GAP,), ("A2 Specialist partner with onboarding and A5 AI triage plus paid on-call",)),
    ]
    (table,) = of_type(shown, Matrix)
    assert [rating.value for rating in table.cells[1]] == [2, 2, -1, None, -1, 0]
    assert in_short("consequences", draft) == "27 of 30 rated"


def unknown(option: str, objective: str) -> Draft:
    """The example's ratings, of which nobody knows one."""
    draft = example("consequences")
    cell(draft, option, objective).update(rating=0, rating_range={"low": -2, "high": 2}, uncertainty={"level": "high"})
    return draft


def test_a_rating_that_nobody_knows_is_no_0_neither_in_the_table_nor_among_those_that_are_given() -> None:
    draft = unknown("A2", "O1")
    (table,) = of_type(laid("consequences", draft), Matrix)
    assert table.cells[1][0].value is None
    assert table.cells[1][0].unknown
    assert not table.cells[1][1].unknown
    assert "Nobody knows yet: it may be any step from −2 to +2." in table.cells[1][0].note
    assert "between" not in table.cells[1][0].note
    assert in_short("consequences", draft) == "29 of 30 rated (1 not known)"
    head, *lines = laid("consequences", draft).essence
    assert head.startswith("29 of 30 ratings given (1 not known), against ")
    assert lines[0].startswith("O1 Solve urgent off-hours…: best A4 (+2), worst A1 (0), A2 not known; ")


def test_what_nobody_knows_is_said_to_be_any_step_that_people_gave_a_meaning() -> None:
    (table,) = of_type(laid("consequences", unknown("A2", "O6")), Matrix)
    assert "it may be any step from −2 to 0." in table.cells[1][5].note


def test_all_are_said_to_be_rated_alike_only_where_all_are_known() -> None:
    def told(draft: Draft) -> str:
        lines = laid("consequences", draft).essence
        return next(each for line in lines for each in line.split("; ") if each.startswith("O6 "))

    name = "O6 Obey working-time law"
    assert told(example("consequences")) == f"{name}: all 0"
    assert told(unknown("A3", "O6")) == f"{name}: 0 so far, A3 not known"
    draft = unknown("A3", "O6")
    draft["table"]["cells"] = [each for each in draft["table"]["cells"] if find_place(each) != ("A5", "O6")]
    assert told(draft) == f"{name}: 0 so far, A3 not known, A5 not rated"


def test_an_option_that_nobody_can_rate_is_neither_best_nor_worst() -> None:
    lines = laid("consequences", unknown("A6", "O2")).essence
    (told,) = (each for line in lines for each in line.split("; ") if each.startswith("O2 "))
    assert "worst A1 (0)" in told


def test_a_full_table_has_no_list_of_what_is_missing() -> None:
    assert titled(laid("consequences", example("consequences")), "Missing") == ""


def test_ratings_that_speak_against_their_measures_are_listed() -> None:
    draft = example("consequences")
    cell(draft, "A3", "O3").update(rating=1, quant_value=60)
    told = titled(laid("consequences", draft), "Ratings that speak against their measures")
    assert (
        "On O3 Keep extra cost low, A3 Budget call centre is rated above A2 Specialist partner with onboarding" in told
    )


def test_what_the_steps_mean_and_what_is_uncertain_stands_below_the_table() -> None:
    shown = laid("consequences", example("consequences"))
    assert titled(shown, "What the steps mean").splitlines()[:3] == [
        "O1 Solve urgent off-hours problems quickly",
        "  +2: 3 h or less",
        "  +1: over 3 to 7 h",
    ]
    assert "O5 Keep customers' personal data safe\n  0: level 0\n  −1: level 1" in titled(shown, "What the steps mean")
    assert "U1 Number of off-hours requests next winter" in titled(shown, "Uncertainties")
    assert "  Knowing it would not change the choice." in titled(shown, "Uncertainties")


def test_doubtful_ratings_are_told_with_what_the_doubt_comes_from_and_none_is_left_out() -> None:
    told = titled(laid("consequences", example("consequences")), "Doubtful ratings (6)").splitlines()
    assert told[0] == "A2 Specialist partner with onboarding on O4 Give correct and friendly answers"
    assert told[1] == "  One reference customer only"
    assert told[-2:] == ["A6 Mandatory rota for all agents on O6 Obey working-time law", "  Works-council agreement"]


EUROS, YARD = {"quant_value": 15_400, "quant_unit": "EUR"}, {"quant_value": 1000, "quant_unit": "m²"}
RANGE: Draft = {"rating": 0, "rating_range": {"low": 0, "high": 1}}


@pytest.mark.parametrize(
    ("reason", "beside", "note"),
    [
        ("15,400 EUR", EUROS, "15,400 EUR"),
        ("28,000 eur over 14 months", EUROS, "28,000 eur over 14 months · 15,400 EUR"),
        ("15,400 eur over 14 months", EUROS, "15,400 eur over 14 months"),
        *((each, YARD, each) for each in ("1000 m²", "1,000 m²", "1.000 m² and a yard", "1 000 m²")),
        *((each, RANGE, "between 0 and +1") for each in ("Between 0 and +1", "between 0 and 1.")),
    ],
)
def test_an_amount_or_a_range_that_its_reason_names_is_told_once(reason: str, beside: Draft, note: str) -> None:
    draft = minimal("consequences")
    draft["table"]["cells"][0] |= {**beside, "rationale": reason}
    (table,) = of_type(laid("consequences", draft, plainly("consequences")), Matrix)
    assert table.cells[1][0].note == note


def test_a_doubt_without_a_driver_has_no_reason_made_up() -> None:
    draft = minimal("consequences")
    draft["table"]["cells"][0]["uncertainty"] = {"level": "high"}
    assert titled(laid("consequences", draft, plainly("consequences")), "Doubtful") == "A2 Bergen on O1 Shorten the way"


def test_a_rating_tells_its_range_its_source_and_its_doubt() -> None:
    draft = minimal("consequences")
    draft["table"]["cells"][0] |= {
        "rationale": "It is nearer", "quant_value": 88000, "rating_range": {"low": 0, "high": 2}, "source": "Map",
        "uncertainty": {"level": "low", "driver": "Roadworks"},
    }  # fmt: skip
    (table,) = of_type(laid("consequences", draft, plainly("consequences")), Matrix)
    note = "It is nearer · 88,000 · between 0 and +2 · In doubt: Roadworks · Source: Map"
    assert table.cells[1][0].note == note


def test_without_objectives_or_options_there_is_nothing_to_rate() -> None:
    nothing = DecisionRecord({}, TODAY)
    told = wall(laid("consequences", {"table": {"cells": []}}, nothing))
    assert told == "Objectives and options come first: there is nothing to rate yet."
    assert in_short("consequences", {"table": {"cells": []}}, nothing) == "no ratings yet"


def test_without_a_status_quo_every_rating_is_due() -> None:
    alternatives = minimal("alternatives")
    del alternatives["status_quo_id"]
    so_far = before("consequences", {**plainly("consequences").results, "alternatives": alternatives})
    (table,) = of_type(laid("consequences", minimal("consequences"), so_far), Matrix)
    assert table.title == "Ratings against the status quo"
    assert in_short("consequences", minimal("consequences"), so_far) == "1 of 2 rated"


def test_a_rating_that_the_model_proposes_is_marked_beside_the_table() -> None:
    draft = minimal("consequences")
    draft["table"]["cells"][0]["origin"] = "ai_suggested"
    shown = laid("consequences", draft, plainly("consequences"))
    assert titled(shown, "Proposed ratings (1)") == "A2 Bergen on O1 Shorten the way: +1 [suggested]"
    (table,) = of_type(shown, Matrix)
    assert table.cells[1][0].note == "A proposal: nobody has said it."
    assert titled(laid("consequences", example("consequences")), "Proposed") == ""


def test_what_was_rated_against_an_earlier_status_quo_stands_below_as_a_proposal_until_it_is_rated() -> None:
    so_far = before("consequences", alternatives={**example("alternatives"), "status_quo_id": "A2"})
    draft = refresh_draft(
        PLAYBOOK["consequences"], accepted("consequences", example("consequences")).draft, so_far
    ).draft
    told = titled(build_sheet(PLAYBOOK["consequences"], draft, so_far), "Proposed by subtraction (30)").splitlines()
    assert told[:2] == [
        "A1 Volunteer overtime rota (today) on O1 Solve urgent off-hours problems quickly: −2",
        "  It was rated 0 against A1 Volunteer overtime rota.",
    ]
    assert told[-1] == "  It was rated 0 against A1 Volunteer overtime rota."
    assert not any(each.endswith(" more") for each in told)
    o2 = [each for each in draft["table"]["former"] if (each["alternative_id"], each["objective_id"]) == ("A6", "O2")]
    zero = {**o2[0], "alternative_id": "A2", "rating": 2}
    draft["table"]["former"] = [*o2, zero]
    told = titled(build_sheet(PLAYBOOK["consequences"], draft, so_far), "Proposed by subtraction")
    assert "It was rated −2 against A1" in told
    assert "cannot be worked out: please rate it." in told
    assert titled(laid("consequences", example("consequences")), "Proposed by subtraction") == ""


@pytest.mark.req("FA-06")
def test_each_limit_says_who_keeps_it_who_breaks_it_and_whose_amount_is_unknown_or_that_nobody_could_check_it() -> None:
    frame, draft = example("problem_frame"), example("consequences")
    frame["focal_decision"]["constraints"] = ["At most 60,000 euro extra per year", "Everybody agrees"]
    del cell(draft, "A6", "O3")["quant_value"]
    so_far = before("consequences", problem_frame=frame)
    told = titled(build_sheet(PLAYBOOK["consequences"], draft, so_far), "Limits, checked against amounts").splitlines()
    cost = "O3 Keep extra cost low"
    assert told[0] == "At most 60,000 euro extra per year"
    assert told[1].startswith(f"  Kept on {cost}: A2 Specialist partner with onboarding with 50 kEUR/year, A3 ")
    assert told[2] == f"  Broken on {cost}: A4 Three part-time weekend agents with 88 kEUR/year"
    assert told[3] == "  No amount that can be compared: A6 Mandatory rota for all agents"
    assert told[4:] == ["Everybody agrees", "  Not checked: no amount certainly tells whether it is kept."]
    results = {**so_far.results, "consequences": draft}
    counted = titled(recall(PLAYBOOK["tradeoffs"], Sheet(), replace(so_far, results=results)), "In other steps")
    assert "Limits, checked against amounts (1 of 2 checked, 1 broken by an option): see Consequences" in counted
    bare = {**frame, "focal_decision": {**frame["focal_decision"], "constraints": ["Everybody agrees"]}}
    so_far = replace(so_far, results={**results, "problem_frame": bare})
    counted = titled(recall(PLAYBOOK["tradeoffs"], Sheet(), so_far), "In other steps")
    assert "Limits, checked against amounts (0 of 1 checked): see Consequences" in counted


def test_what_can_be_found_out_after_the_decision_is_due_is_not_said_to_be_in_time() -> None:
    draft, frame = minimal("consequences"), example("problem_frame")
    unknown: dict[str, Any] = {
        "handle": "U1",
        "description": "Who applies",
        "resolvable": True,
        "by_when": "2026-12-18",
    }
    draft["uncertainties"] = [unknown]
    so_far = before("consequences", problem_frame=frame)
    told = titled(build_sheet(PLAYBOOK["consequences"], draft, so_far), "Uncertainties")
    assert "Can be found out in time." in told
    unknown["by_when"] = "2027-01-15"
    told = titled(build_sheet(PLAYBOOK["consequences"], draft, so_far), "Uncertainties")
    assert "in time" not in told
    assert "That is after the decision is due (18 December 2026)." in told


def with_limits(*limits: str) -> DecisionRecord:
    frame = example("problem_frame")
    frame["focal_decision"]["constraints"] = [*limits]
    return before("consequences", problem_frame=frame)


@pytest.mark.req("FA-15")
def test_the_card_names_each_option_beyond_a_firm_limit_with_its_amount_and_what_is_allowed() -> None:
    draft, component = example("consequences"), PLAYBOOK["consequences"]
    essence = build_sheet(component, draft, with_limits("At most 55 kEUR extra per year")).essence
    four, six = "A4 Three part-time weekend agents", "A6 Mandatory rota for all agents"
    allowed = "(at most 55 kEUR/year)"
    assert essence[1] == f"Breaks a limit: {four} with 88 kEUR/year and {six} with 90 kEUR/year {allowed}"
    many = build_sheet(component, draft, with_limits("At most 45 kEUR extra per year")).essence
    amounts = "A2 with 50 kEUR/year, A3 with 50 kEUR/year, A4 with 88 kEUR/year and A6 with 90 kEUR/year"
    assert many[1] == f"Breaks a limit: {amounts} (at most 45 kEUR/year)", "without names they all have room"
    kept = build_sheet(component, draft, with_limits("At most 90 kEUR extra per year")).essence
    assert "limit" not in "\n".join(kept)


@pytest.mark.req("FA-15")
def test_a_broken_limit_is_not_pushed_off_the_card_by_what_the_model_brought_up_and_what_was_corrected() -> None:
    draft = example("consequences")
    draft["table"]["cells"][1]["origin"] = "ai_suggested"
    draft["corrections"] = [{"handle": "C1", "text": "240 calls", "was": "260 calls", "origin": "user"}]
    so_far = with_limits("At most 55 kEUR extra per year")
    essence = build_sheet(PLAYBOOK["consequences"], draft, so_far, ("U1.driver",)).essence
    assert any(each.startswith("💡") for each in essence), essence
    assert any(each.startswith("Corrected since") for each in essence)
    assert any(each.startswith("Breaks a limit: A4") for each in essence)


@pytest.mark.req("FA-15")
def test_a_small_table_names_what_breaks_a_limit_in_its_first_line_so_that_no_option_is_pushed_out() -> None:
    draft, so_far = example("consequences"), with_limits("At most 55 kEUR extra per year")
    draft["table"]["cells"] = [each for each in draft["table"]["cells"] if each["alternative_id"] != "A6"]
    options = so_far.results["alternatives"]["alternatives"]
    few = {**so_far.results["alternatives"], "alternatives": options[:5]}
    essence = build_sheet(
        PLAYBOOK["consequences"], draft, replace(so_far, results={**so_far.results, "alternatives": few})
    ).essence
    assert "Breaks a limit: A4 with 88 kEUR/year (at most 55 kEUR/year)" in essence[0]
    assert [each[:2] for each in essence[1:]] == ["A2", "A3", "A4", "A5"]
    few = {**few, "alternatives": options[:4]}
    essence = build_sheet(
        PLAYBOOK["consequences"], draft, replace(so_far, results={**so_far.results, "alternatives": few})
    ).essence
    assert essence[1].startswith("Breaks a limit: A4 with 88 kEUR/year")


def test_a_line_on_a_correction_keeps_the_figure_though_the_fact_is_named_above() -> None:
    draft, text = example("consequences"), "A music school with 12 teachers and many rooms and altogether 240 pupils"
    draft["corrections"] = [{"handle": "C1", "text": text, "was": text.replace("240", "260"), "origin": "user"}]
    essence = build_sheet(PLAYBOOK["consequences"], draft, before("consequences"), ("C1",)).essence
    assert f"Corrected since: C1 {text}" in essence
