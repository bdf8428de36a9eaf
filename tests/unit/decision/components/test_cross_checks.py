"""Between components (X1 to X10): what was approved earlier binds what comes later, and the server keeps it so."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.drafts.draft import refresh_draft
from tests.unit.decision.components.worked import (
    PLAYBOOK,
    accepted,
    before,
    example,
    minimal,
    refused,
    remarks,
    undated,
)


def test_x1_a_link_to_a_decision_that_is_gone_is_dropped_and_said() -> None:
    issues = example("issue_raising")
    issues["potential_decisions"] = issues["potential_decisions"][1:]
    after = refresh_draft(
        PLAYBOOK["problem_frame"], example("problem_frame"), before("problem_frame", issue_raising=issues)
    )
    assert "source_decision_id" not in after.draft["focal_decision"]
    assert [each.text for each in after.remarks] == ["Left out, because it is not there any more: D1."]
    own = refresh_draft(PLAYBOOK["issue_raising"], issues, before("issue_raising"))
    assert "focal_candidate_id" not in own.draft


def test_x2_the_focal_statement_of_the_tiers_is_that_of_the_frame() -> None:
    draft = example("problem_frame")
    draft["decision_hierarchy"]["focal"]["statement"] = "Something else altogether?"
    judged = accepted("problem_frame", draft).draft
    assert judged["decision_hierarchy"]["focal"] == example("problem_frame")["decision_hierarchy"]["focal"]
    del draft["decision_hierarchy"]["focal"]
    assert accepted("problem_frame", draft).draft["decision_hierarchy"]["focal"]["handle"] == "H6"
    del draft["focal_decision"]["statement"]
    assert "focal" not in accepted("problem_frame", draft).draft["decision_hierarchy"]


def test_x3_an_objective_added_later_asks_for_its_column_alone() -> None:
    objectives = example("objectives")
    objectives["fundamental_objectives"].append({"handle": "O7", "description": "Keep it simple"})
    after = refresh_draft(
        PLAYBOOK["consequences"], example("consequences"), before("consequences", objectives=objectives)
    )
    assert after.draft["table"]["objective_ids"] == ["O1", "O2", "O3", "O4", "O5", "O6", "O7"]
    (needed,) = after.missing
    assert needed.startswith("ratings on O7 Keep it simple: A2 Specialist partner")
    assert "A1" not in needed, "the status quo is 0 there as well"


def test_x3_an_option_that_is_gone_takes_its_row_along_and_no_other() -> None:
    alternatives = example("alternatives")
    alternatives["alternatives"] = [each for each in alternatives["alternatives"] if each["handle"] != "A3"]
    del alternatives["strategy_table"]
    after = refresh_draft(
        PLAYBOOK["consequences"], example("consequences"), before("consequences", alternatives=alternatives)
    )
    assert after.draft["table"]["alternative_ids"] == ["A1", "A2", "A4", "A5", "A6"]
    assert len(after.draft["table"]["cells"]) == 30
    assert after.missing == ()
    assert after.remarks[0].text.endswith("is not there any more: 6 ratings.")
    objectives = example("objectives")
    objectives["fundamental_objectives"].pop()
    narrow = refresh_draft(
        PLAYBOOK["consequences"], example("consequences"), before("consequences", objectives=objectives)
    )
    assert narrow.remarks[0].text.endswith(": 5 ratings."), "nobody rates the status quo"


def test_x3_rows_and_columns_stand_in_display_order_whatever_the_model_wrote() -> None:
    draft = example("consequences")
    draft["table"]["cells"].reverse()
    draft["table"]["alternative_ids"] = ["A2"]
    table = undated(accepted("consequences", draft).draft)["table"]
    assert table["cells"] == example("consequences")["table"]["cells"]
    assert table["alternative_ids"] == ["A1", "A2", "A3", "A4", "A5", "A6"]


def test_x6_what_does_not_stand_out_is_not_named_as_such() -> None:
    draft = example("recommendation")
    draft["standout_option"]["alternative_id"] = "A5"
    judged = accepted("recommendation", draft)
    assert "standout_option" not in judged.draft
    assert "A5 AI triage plus paid on-call does not stand out" in judged.remarks[0].text


def test_x6_regrets_are_of_options_that_are_left() -> None:
    draft = example("recommendation")
    draft["regret_notes"].append({"alternative_id": "A3", "worst_give_up": "Answers"})
    judged = accepted("recommendation", draft)
    assert judged.draft["regret_notes"] == example("recommendation")["regret_notes"]
    assert "A3 Budget call centre was set aside: shall it stay so?" in judged.remarks[0].text


def test_x7_a_doubtful_option_without_an_uncertainty_is_pointed_out() -> None:
    draft = example("recommendation")
    draft["remaining_uncertainties"] = []
    told = remarks("recommendation", draft)
    assert [line.split(":")[1].split(" (")[0].strip()[:2] for line in told.splitlines()] == ["A5", "A4"]
    draft["remaining_uncertainties"] = [{"description": "It all", "impact": "low", "about": ["A2", "A4", "A5"]}]
    assert remarks("recommendation", draft) == ""


@pytest.mark.req("S0-196")
@pytest.mark.parametrize("claimed", [None, 78, 60])
def test_x8_the_overall_score_is_the_lowest_one_whatever_was_claimed(claimed: int | None) -> None:
    draft: Any = {**example("decision_quality"), "overall_score": claimed, "weakest": ["Clear Tradeoffs"]}
    judged = accepted("decision_quality", draft)
    assert judged.draft == example("decision_quality")
    assert [each.text for each in judged.remarks] == ["The overall score is the lowest one: 60, not 78."] * (
        claimed == 78
    )


@pytest.mark.req("S0-207")
def test_x9_a_decision_is_affirmed_only_at_100() -> None:
    draft = {**example("notes_next_steps"), "decision_affirmation": "It was a good decision at the time."}
    assert refused("notes_next_steps", draft) == {"decision_affirmation": "the overall decision quality is 60 %"}
    unscored = before("notes_next_steps")
    del unscored.results["decision_quality"]  # pyright: ignore[reportIndexIssue]
    assert refused("notes_next_steps", draft, unscored) == {"decision_affirmation": "nothing is scored yet"}
    full = minimal("decision_quality")
    full["elements"] = [{**each, "score": 100} for each in full["elements"]]
    best = accepted("decision_quality", full).draft
    assert accepted("notes_next_steps", draft, before("notes_next_steps", decision_quality=best)).missing == ()


@pytest.mark.req("S0-207")
def test_x9_an_affirmation_that_the_quality_no_longer_bears_stays_and_cannot_be_approved() -> None:
    draft = {**example("notes_next_steps"), "decision_affirmation": "It was a good decision at the time."}
    after = refresh_draft(PLAYBOOK["notes_next_steps"], draft, before("notes_next_steps"))
    assert after.missing == (
        "decision affirmation: the overall decision quality is 60 %, it has to be left out below 100 %",
    )
    assert after.draft["decision_affirmation"] == draft["decision_affirmation"], "only people take it out"
    del draft["decision_affirmation"]
    assert refresh_draft(PLAYBOOK["notes_next_steps"], draft, before("notes_next_steps")).missing == ()


def test_a_text_that_names_what_is_gone_stays_and_cannot_be_approved() -> None:
    alternatives = example("alternatives")
    alternatives["alternatives"] = [each for each in alternatives["alternatives"] if each["handle"] != "A5"]
    draft = example("recommendation")
    draft["synthesis"] += " A5 comes close, and A5 costs nothing."
    changed = before("recommendation", alternatives=alternatives)
    assert refresh_draft(PLAYBOOK["recommendation"], draft, changed).missing == (
        "synthesis: names A5, which is not there, "
        "it has to be a text that names only options and objectives that exist",
    )


def test_x10_a_step_has_to_work_on_the_weakest_element() -> None:
    draft = example("notes_next_steps")
    draft["planned_actions"] = [{"handle": "N1", "action": "Tell the team"}]
    assert "No step works on the weakest element, Reliable consequence information" in remarks(
        "notes_next_steps", draft
    )
    draft["planned_actions"][0]["addresses"] = "reliable consequence  information"
    assert "weakest" not in remarks("notes_next_steps", draft)


@pytest.mark.req("FA-22")
@pytest.mark.parametrize(
    ("way", "action", "is_asked"),
    [
        ("Lenz calls the ministry", "Ask the ministry about the grant", False),
        ("Lenz calls the ministry", "Lenz tells the team", True),
        ("a load test", "Run a load test with 10k requests", False),
        ("ask the staff about the commute", "Survey on commuting", False),
        ("ask the staff about the commute", "Find two movers", True),
        ("somebody who checks the table", "Sam goes through the table", False),
        ("Referenzen von Kessler", "Alte Kunden anrufen, Referenz für Kessler", False),
    ],
)
def test_an_action_that_may_be_the_way_that_people_said_is_not_asked_for_again_and_a_way_without_one_is_named(
    way: str, action: str, is_asked: bool
) -> None:
    quality = example("decision_quality")
    weak = next(each for each in quality["elements"] if each["name"] == "Reliable Consequence Information")
    weak["improvement_path"] = f"{way}."
    planned = {"planned_actions": [{"handle": "N1", "action": action, "owner": "Petra"}]}
    told = remarks("notes_next_steps", planned, before("notes_next_steps", decision_quality=quality))
    asked = f"the weakest element, Reliable consequence information. You said: {way}. Which step is that?"
    assert (asked in told) is is_asked
    assert "What would raise it?" not in told


def test_an_action_that_people_said_would_raise_the_weakest_element_works_on_it_whatever_else_it_is_for() -> None:
    quality = example("decision_quality")
    weak = next(each for each in quality["elements"] if each["name"] == "Reliable Consequence Information")
    weak["improvement_path"] = "The vendor test on 200 tickets would raise it"
    before_it = before("notes_next_steps", decision_quality=quality)
    draft = example("notes_next_steps")
    draft["planned_actions"] = [{"handle": "N1", "action": "Tell the team", "addresses": "U2"}]
    assert "weakest" in remarks("notes_next_steps", draft, before_it)
    draft["planned_actions"][0]["action"] = "Start the vendor test"
    assert "weakest" not in remarks("notes_next_steps", draft, before_it)
