"""Tradeoffs, recommendation and quality: the edge cases that a facilitator meets."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator

from app.decision.drafts.draft import refresh_draft
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.schema.outline import LEFT_OUT
from app.decision.schema.paths import Draft, find_values
from tests.unit.decision.components.worked import (
    KEYS,
    PLAYBOOK,
    accepted,
    before,
    example,
    minimal,
    rated,
    refused,
    remarks,
)
from tests.unit.decision.sheets.walls import titled, wall

# --- tradeoffs


@pytest.mark.req("S0-172", "S0-173")
def test_tradeoffs_need_a_full_table_and_the_tradeoff_in_peoples_own_words() -> None:
    draft = example("tradeoffs")
    consequences = example("consequences")
    del consequences["table"]["cells"][-1]
    own = "the tradeoff in your own words: what would you give up for what?"
    draft["user_understanding"] = "ok"
    assert accepted("tradeoffs", draft, before("tradeoffs", consequences=consequences)).missing == (
        "a full table of ratings (Consequences)",
        own,
    )
    for words, missing in (("I see it.", (own,)), ("Days or money", ())):
        assert accepted("tradeoffs", {**draft, "user_understanding": words}).missing == missing


@pytest.mark.req("FA-03")
def test_whoever_keeps_an_option_or_leaves_an_objective_out_need_not_have_said_why() -> None:
    kept = {"alternative_id": "A3", "user_verdict": "keep"}
    draft = {
        "dominated_alternatives": [kept],
        "irrelevant_objectives": [{"objective_id": "O1", "kind": "user_dismissed"}],
    }
    assert "reason" not in " ".join(accepted("tradeoffs", draft).missing)
    assert "No rating holds your reason yet." in remarks("tradeoffs", draft)


@pytest.mark.parametrize(
    ("authority", "status", "asked"),
    [
        ("needs_approval", "decided", "somebody else approves this. Have they, or is it a leaning until then?"),
        ("recommends", "decided", "somebody else decides this. Have they, or is it a leaning until then?"),
        ("recommends", "leaning", ""),
        ("sole", "decided", ""),
    ],
)
def test_a_decision_that_somebody_else_makes_is_not_called_made_unasked(
    authority: str, status: str, asked: str
) -> None:
    frame = example("problem_frame")
    frame["decision_maker"]["authority"] = authority
    draft = {**minimal("notes_next_steps"), "decision": {"status": status}}
    told = remarks("notes_next_steps", draft, before("notes_next_steps", problem_frame=frame))
    assert (asked in told) if asked else ("By the problem frame" not in told)


@pytest.mark.req("FA-10")
def test_who_has_the_last_word_by_the_frame_is_named_in_the_question_about_a_decision_that_is_called_made() -> None:
    def asked(*names: str) -> str:
        frame = example("problem_frame")
        frame["decision_maker"] |= {"name": "Maya", "authority": "recommends"}
        frame["parties"] = [{"handle": f"P{n}", "name": each, "role": "decision_maker"} for n, each in enumerate(names)]
        draft = {**minimal("notes_next_steps"), "decision": {"status": "decided"}}
        return remarks("notes_next_steps", draft, before("notes_next_steps", problem_frame=frame))

    assert "By the problem frame, Sam Rivera decides this. Have they" in asked("Sam Rivera")
    assert "By the problem frame, Sam and Ada decide this. Have they" in asked("Sam", "Ada")


def test_a_status_quo_that_is_beaten_is_asked_what_changing_costs() -> None:
    told = remarks("tradeoffs", {}, rated({"A1": [0, 0], "A2": [1, 0]}))
    assert "On your own ratings another option is never worse than A1 Way A1. What would changing cost?" in told


def test_if_nothing_tells_the_options_apart_something_is_missing() -> None:
    told = remarks("tradeoffs", {}, rated({"A1": [0, 0], "A2": [0, 0]}))
    assert "No objective tells the options apart." in told
    assert "A1 Way A1 and A2 Way A2 are rated alike." in told


def test_options_that_tie_are_asked_what_else_differs() -> None:
    told = remarks("tradeoffs", {}, rated({"A1": [0, 0], "A2": [1, -1], "A3": [1, -1]}))
    assert told == "A2 Way A2 and A3 Way A3 are rated alike. What else differs, or are they the same?"


def test_a_single_survivor_has_a_tension_without_gains_and_losses() -> None:
    draft = accepted("tradeoffs", {}, rated({"A1": [0, 0], "A2": [1, 1]})).draft
    assert [(each["alternative_id"], each["gains"], each["losses"]) for each in draft["tensions"]] == [("A2", [], [])]
    assert "headline_conflict" not in draft


def test_while_a_rating_is_missing_there_is_no_net_score() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1]})
    del so_far.results["consequences"]["table"]["cells"][-1]
    draft = accepted("tradeoffs", {}, so_far).draft
    assert "net_score" not in draft["tensions"][1]


def test_the_pair_of_the_headline_is_computed_whatever_is_claimed() -> None:
    draft = example("tradeoffs")
    draft["headline_conflict"] |= {"objective_a_id": "O3", "objective_b_id": "O1"}
    assert accepted("tradeoffs", draft).draft["headline_conflict"] == example("tradeoffs")["headline_conflict"]
    draft["headline_conflict"]["objective_b_id"] = "O2"
    kept = accepted("tradeoffs", draft).draft["headline_conflict"]
    assert kept == example("tradeoffs")["headline_conflict"], "the pair is computed, and people's words are theirs"


@pytest.mark.req("FA-05", "FA-16")
def test_what_people_call_the_heart_of_it_stays_and_says_what_it_was_said_of() -> None:
    words = "It is our nights against our money."
    was = rated({"A1": [0, 0], "A2": [1, -1]})
    first = accepted("tradeoffs", {"headline_conflict": {"statement": words}}, was).draft
    assert first["headline_conflict"] == {"objective_a_id": "O1", "objective_b_id": "O2", "statement": words}
    changed = rated({"A1": [0, 0, 0], "A2": [0, 1, -1], "A3": [0, 2, -2]})
    after = refresh_draft(PLAYBOOK["tradeoffs"], first, changed).draft
    heart = after["headline_conflict"]
    assert (heart["objective_a_id"], heart["objective_b_id"], heart["statement"]) == ("O2", "O3", words)
    assert refresh_draft(PLAYBOOK["tradeoffs"], after, changed).draft == after
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], after, changed), "The heart of it").splitlines()
    assert told[0] == f"{words} (Said when the ratings spoke of O1 Aim O1 against O2 Aim O2.)"
    assert told[1].startswith("By your ratings: O2")
    on_card = build_sheet(PLAYBOOK["tradeoffs"], after, changed).essence
    assert on_card[0] == f"The heart of it: {words}"
    assert on_card[1].startswith("By your ratings: O2")
    assert build_sheet(PLAYBOOK["tradeoffs"], first, was).essence[0] == f"The heart of it: {words}"
    heart["statement"] = "Speed against rest."
    again = accepted("tradeoffs", after, changed).draft["headline_conflict"]
    assert "said_of" not in again, "these are words of now"


@pytest.mark.req("FA-05")
def test_words_on_the_heart_of_it_outlast_ratings_that_oppose_nothing() -> None:
    draft = {"headline_conflict": {"statement": "Sleep."}}
    one = rated({"A1": [0, 0], "A2": [1, 1]})
    made = accepted("tradeoffs", draft, one).draft
    assert made["headline_conflict"] == {"statement": "Sleep."}
    assert titled(build_sheet(PLAYBOOK["tradeoffs"], made, one), "The heart of it") == "Sleep."


@pytest.mark.req("FA-05")
def test_the_model_is_asked_for_no_field_that_is_computed() -> None:
    asked = PLAYBOOK["tradeoffs"].asked_schema["properties"]
    fields = {name: set(each.get("items", each).get("properties", ())) for name, each in asked.items()}
    assert fields["headline_conflict"] == {"statement"}
    assert fields["tensions"] == {"alternative_id", "statement"}
    assert fields["swing_weights"] == {"objective_id", "points", "worst", "best"}, "points belong to a range"
    assert fields["dominated_alternatives"] == {"alternative_id", "explanation", "user_verdict", "reason"}
    assert fields["practical_dominance"] == {"alternative_id", "by", "user_verdict", "reason"}
    assert fields["irrelevant_objectives"] == {"objective_id", "reason", "kind"}
    for component in PLAYBOOK.components:
        assert LEFT_OUT not in json.dumps(component.asked_schema), component.key


OPEN = (
    ("problem_frame", "decision_maker.role"),
    ("problem_frame", "parties[].role"),
    ("objectives", "fundamental_objectives[].performance_measure.direction"),
    ("notes_next_steps", "decision.status"),
    ("alternatives", "alternatives[].description"),
    ("tradeoffs", "dominated_alternatives[].reason"),
    ("tradeoffs", "irrelevant_objectives[].reason"),
    ("consequences", "table.cells[].rationale"),
    ("objectives", "fundamental_objectives[].performance_measure.target"),
    ("recommendation", "remaining_uncertainties[].by_when"),
)
"""What a card shows as open, or approval waits for."""


@pytest.mark.req("FA-03")
@pytest.mark.parametrize(
    ("key", "path"), [*OPEN, *((key, each.path) for key in KEYS for each in PLAYBOOK[key].criteria if each.path)]
)
def test_what_nobody_has_said_yet_is_demanded_of_nobody_who_hands_a_result_in(key: str, path: str) -> None:
    draft, component = example(key), PLAYBOOK[key]
    *outer, last = path.split(".")
    for holder in find_values(draft, ".".join(outer)) if outer else [draft]:
        if isinstance(holder.get(last), list):
            holder[last] = []
        else:
            holder.pop(last, None)
    form: Any = Draft202012Validator(dict(component.asked_schema))
    assert not [each.message for each in form.iter_errors(draft) if each.validator in ("required", "minItems")]


# --- recommendation


@pytest.mark.req("S0-187")
def test_a_synthesis_has_fifty_characters() -> None:
    draft = {**example("recommendation"), "synthesis": "x" * 50}
    assert accepted("recommendation", draft).missing == ()
    draft["synthesis"] = "x" * 49
    assert accepted("recommendation", draft).missing == ("a summary of what was found (50 characters or more)",)


@pytest.mark.req("S0-174")
@pytest.mark.parametrize("verdict", ["You should choose A4.", "On balance the best choice is A4", "I  RECOMMEND A4."])
def test_a_synthesis_that_decides_is_refused(verdict: str) -> None:
    draft = example("recommendation")
    draft["synthesis"] += verdict
    assert refused("recommendation", draft) == {"synthesis": "it decides for people"}


def test_texts_name_only_what_exists() -> None:
    draft = example("recommendation")
    draft["synthesis"] += " A4 and A7 differ."
    draft["key_considerations"].append("O9 is dear.")
    assert refused("recommendation", draft) == {
        "synthesis": "names A7, which is not there",
        "key_considerations.4": "names O9, which is not there",
    }


def named(rows: dict[str, list[int]], alternative: str, points: dict[str, int] | None = None, **doubt: str) -> bool:
    """True if this option may be named as the one that stands out."""
    so_far = rated(rows, "recommendation", **doubt)
    swings = [{"objective_id": each, "points": value} for each, value in (points or {}).items()]
    so_far.results["tradeoffs"]["swing_weights"] = swings
    draft = minimal("recommendation") | {"standout_option": {"alternative_id": alternative, "rationale": "It leads."}}
    return "standout_option" in accepted("recommendation", draft, so_far).draft


@pytest.mark.req("S0-182")
def test_an_option_stands_out_only_if_it_leads_on_every_reading_and_no_doubt_can_change_that() -> None:
    clear = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -2]}
    assert named(clear, "A2")
    assert not named(clear, "A1"), "another one leads"
    assert not named({"A1": [0, 0], "A2": [1, -1]}, "A2"), "a tie"
    assert not named(clear, "A2", A2_O1="high"), "one doubtful step makes it a tie"
    assert not named(clear, "A2", {"O1": 10, "O2": 100}), "people's own points say otherwise"
    assert named(clear, "A2", {"O1": 100, "O2": 10})
    assert named(clear, "A2", {"O1": 100}), "points that do not fit the table say nothing"
    assert named({"A1": [0, 0], "A2": [1, 0]}, "A2"), "the only one that is left"
    assert named({"A1": [0, 0], "A2": [1, -2]}, "A1"), "the status quo may stand out as well"
    assert not named({"A1": [0, 0]}, "A1"), "one alone does not"


def test_without_ratings_nothing_stands_out() -> None:
    so_far = before("recommendation")
    del so_far.results["consequences"]  # pyright: ignore[reportIndexIssue]
    judged = accepted("recommendation", example("recommendation"), so_far)
    assert "standout_option" not in judged.draft
    assert judged.draft["regret_notes"] == example("recommendation")["regret_notes"]


def test_at_most_seven_considerations_and_at_least_one() -> None:
    draft: Draft = {**example("recommendation"), "key_considerations": []}
    assert accepted("recommendation", draft).missing == ("at least one consideration that matters for the choice",)


# --- decision quality


@pytest.mark.req("S0-199")
def test_all_seven_elements_need_a_score() -> None:
    draft = example("decision_quality")
    draft["elements"] = draft["elements"][1:6]
    judged = accepted("decision_quality", draft)
    assert judged.missing == ("scores for Helpful problem frame and Commitment to follow through",)
    assert not {"overall_score", "weakest", "acceptable"} & judged.draft.keys(), "undefined, not 0"


def test_seven_scores_of_six_elements_are_refused() -> None:
    draft = example("decision_quality")
    draft["elements"][6]["name"] = "Clear Objectives"
    assert refused("decision_quality", draft) == {"elements.6.name": "there twice"}


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("helpful frame", "Helpful Problem Frame"),
        ("helpful problem frame", "Helpful Problem Frame"),
        ("Commitment to Action", "Commitment to Follow Through"),
    ],
)
def test_other_names_of_the_elements_are_understood(alias: str, name: str) -> None:
    draft = example("decision_quality")
    (element,) = [each for each in draft["elements"] if each["name"] == name]
    element["name"] = alias
    assert accepted("decision_quality", draft).draft == example("decision_quality")


@pytest.mark.parametrize("element", [{"name": "Right People Involved", "score": 3}, {"name": 7, "score": 3}, {}, "x"])
def test_what_is_no_element_is_refused(element: Any) -> None:
    draft = example("decision_quality")
    draft["elements"][0] = element
    assert refused("decision_quality", draft)


def test_all_elements_with_the_lowest_score_are_weakest() -> None:
    draft = example("decision_quality")
    draft["elements"][5]["score"] = 60
    weakest = ["Reliable Consequence Information", "Clear Tradeoffs"]
    assert accepted("decision_quality", draft).draft["weakest"] == weakest


def test_a_score_far_from_the_record_is_asked_about() -> None:
    draft = example("decision_quality")
    draft["elements"][3]["score"] = 90
    draft["overall_score"] = 70
    assert remarks("decision_quality", draft) == "", "6 of 30 doubtful ratings are not many"
    consequences = example("consequences")
    for each in consequences["table"]["cells"][6:14]:
        each["uncertainty"] = {"level": "high"}
    told = remarks("decision_quality", draft, before("decision_quality", consequences=consequences))
    assert told == "Reliable consequence information has 90 %, but 13 of 30 ratings are doubtful. Does it hold?"


def evidence(so_far: DecisionRecord) -> tuple[str, str]:
    """What is told of the doubtful ratings: by the opening of the step, and beside a full score of its information."""
    draft = minimal("decision_quality")
    draft["elements"][3]["score"] = 95
    told = re.search(r"\d of \d ratings (?:is|are) doubtful", write_opening(PLAYBOOK["decision_quality"], so_far))
    asked = re.search(r"\d of \d ratings (?:is|are) doubtful", remarks("decision_quality", draft, so_far))
    return (told[0] if told else "", asked[0] if asked else "")


@pytest.mark.req("FA-16")
def test_the_opening_and_the_question_about_a_score_count_the_same_doubtful_ratings() -> None:
    rows = {"A1": [0, 0], "A2": [1, -1], "A3": [-1, 1]}
    assert evidence(rated(rows, "decision_quality", A2_O1="high", A3_O1="high")) == ("2 of 4 ratings are doubtful",) * 2
    assert evidence(rated(rows, "decision_quality", A2_O1="high")) == ("1 of 4 ratings is doubtful", ""), "not a third"
    today = rated({"A1": [0, 0], "A2": [1, -1]}, "decision_quality", A1_O1="high", A1_O2="high")
    assert evidence(today) == ("0 of 2 ratings are doubtful", "")
    gone = rated(rows, "decision_quality", A3_O1="high", A3_O2="high", A2_O1="high")
    gone.results["alternatives"]["alternatives"].pop()
    assert evidence(gone) == ("1 of 2 ratings is doubtful",) * 2, "A3 is not there any more"
    gone.results["objectives"]["fundamental_objectives"].pop(0)
    assert evidence(replace(gone)) == ("0 of 1 ratings are doubtful", ""), "O1 is not there any more"


@pytest.mark.parametrize(("least", "acceptable"), [(80, True), (79, False)])
def test_a_decision_is_acceptable_where_no_score_is_below_eighty(least: int, acceptable: bool) -> None:
    draft = minimal("decision_quality")
    for each in draft["elements"]:
        each["score"] = 100
    draft["elements"][3]["score"] = least
    assert accepted("decision_quality", draft).draft["acceptable"] is acceptable


def test_full_marks_everywhere_get_the_one_test_question() -> None:
    draft = minimal("decision_quality")
    for each in draft["elements"]:
        each["score"] = 100
    assert "would one more week of work change anything?" in remarks("decision_quality", draft)
    assert accepted("decision_quality", draft).draft["acceptable"] is True


# --- words of former ratings


@pytest.mark.req("FA-16")
@pytest.mark.parametrize("field", ["user_leaning", "standout_option"])
def test_words_for_other_ratings_are_marked_on_the_recommendation(field: str) -> None:
    own = {"user_leaning": "Two, I think.", "standout_option": {"alternative_id": "A2", "rationale": "It is quick."}}
    was = rated({"A1": [0, 0], "A2": [2, -1]}, "recommendation")
    draft = accepted("recommendation", {field: own[field]}, was).draft
    component = PLAYBOOK["recommendation"]
    mark = "Written for earlier ratings"
    assert mark not in wall(build_sheet(component, draft, was))
    changed = rated({"A1": [0, 0], "A2": [2, 0]}, "recommendation")
    assert mark in wall(build_sheet(component, draft, changed))


@pytest.mark.req("TR-06")
def test_the_heart_that_people_name_stays_of_these_ratings_while_no_other_pair_is_opposed_more_often() -> None:
    draft = {"headline_conflict": {"statement": "Speed", "objective_a_id": "O1", "objective_b_id": "O2"}}
    tied = rated({"A1": [0, 0, 0], "A2": [2, -1, 0], "A3": [1, 1, -1], "A4": [-1, 0, 2]})
    assert "said_of" not in refresh_draft(PLAYBOOK["tradeoffs"], draft, tied).draft["headline_conflict"]
    other = rated({"A1": [0, 0, 0], "A2": [2, 1, -1], "A3": [1, 0, 1], "A4": [0, -1, 2]})
    assert "said_of" in refresh_draft(PLAYBOOK["tradeoffs"], draft, other).draft["headline_conflict"]
