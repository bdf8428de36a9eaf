"""Changes of a draft, bit by bit: what counts, what is refused in words, and what no sequence of them can do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.decision.drafts.notebook import CELLS, DraftChange, ItemAddress
from app.decision.drafts.noting import list_blockers
from app.decision.record import DecisionRecord
from app.decision.schema.handles import find_next_handle
from app.decision.schema.paths import find_values
from tests.unit.decision.books import book, done, refused
from tests.unit.decision.components.worked import TODAY, before, example, minimal

COLUMNS = "strategy_table.decision_columns"


def test_a_step_that_is_begun_anew_counts_on_from_where_it_was() -> None:
    so_far = replace(before("objectives"), spent={"O": 4})
    after = done(book("objectives", so_far).note({}, "fundamental_objectives", {"description": "Meet in spring"}))
    assert after["fundamental_objectives"][0]["handle"] == "O5"


@pytest.mark.req("S0-117")
def test_an_objective_is_noted_as_it_was_stated_with_the_words_of_whoever_stated_it() -> None:
    objectives, words = book("objectives"), "nobody should wait for days"
    after = done(objectives.note({}, "fundamental_objectives", {"description": "Answer faster"}, words))
    assert after["fundamental_objectives"] == [
        {"handle": "O1", "description": "Answer faster", "evidence": [{"quote": words}]}
    ]


@pytest.mark.req("S0-088")
def test_what_is_said_is_noted_in_its_list_with_its_words_and_a_handle_of_the_server() -> None:
    issues = book("issue_raising")
    first = issues.note({}, "potential_decisions", {"description": " Hire ", "handle": "D9"}, "we could hire")
    assert isinstance(first, DraftChange)
    assert first.name == "D1"
    second = done(issues.note(first.draft, "potential_decisions", {"description": "Move", "origin": "ai_suggested"}))
    assert second["potential_decisions"] == [
        {"handle": "D1", "description": "Hire", "evidence": [{"quote": "we could hire"}]},
        {"handle": "D2", "description": "Move", "origin": "ai_suggested"},
    ]
    assert first.draft["potential_decisions"][1:] == [], "the draft that was given is left alone"


@pytest.mark.req("S0-131", "S0-135")
def test_an_option_is_noted_by_its_name_and_its_description_can_follow_or_stay_open() -> None:
    options = book("alternatives")
    draft = done(options.note({}, "alternatives", {"name": "Oslo"}))
    draft = done(options.note(draft, "alternatives", {"name": "Bergen", "description": "By the sea"}))
    draft = done(options.fill(draft, {"status_quo_id": "A1"}))
    assert list_blockers(options.component, draft, options.so_far) == ()
    described = done(options.change(draft, ItemAddress("a1"), {"description": "As always"}))
    assert described["alternatives"][0] == {"handle": "A1", "name": "Oslo", "description": "As always"}
    bare = done(options.move(described, ItemAddress("A2"), COLUMNS, {"options": ["sea", "land"]}))
    assert find_values(bare, f"{COLUMNS}[]") == [{"handle": "S1", "name": "Bergen", "options": ["sea", "land"]}]
    back = done(options.move(bare, ItemAddress("S1"), "alternatives", {}))
    assert back["alternatives"][1] == {"handle": "A2", "name": "Bergen"}, "without a description that nobody gave"


@pytest.mark.req("S0-104", "S0-105")
def test_fields_are_set_where_they_stand_alone_or_together_and_null_takes_them_out() -> None:
    frame = book("problem_frame")
    draft = done(frame.fill({}, {"decision_maker": {"name": "Ada", "role": "Chair"}}))
    draft = done(frame.fill(draft, {"focal_decision.statement": "Where do we meet in May?"}))
    draft = done(frame.fill(draft, {"focal_decision": {"scope": "The May meeting", "constraints": ["in May"]}}))
    assert draft["focal_decision"] == {
        "statement": "Where do we meet in May?",
        "scope": "The May meeting",
        "constraints": ["in May"],
    }
    assert list_blockers(frame.component, draft, frame.so_far) == ()
    draft = done(frame.fill(draft, {"focal_decision": {"scope": None}, "decision_maker": None}))
    assert "decision_maker" not in draft
    assert "scope" not in draft["focal_decision"]
    assert done(frame.note(draft, "focal_decision.constraints", {"text": "cheap"}))["focal_decision"][
        "constraints"
    ] == [
        "in May",
        "cheap",
    ]


@pytest.mark.req("S0-106", "S0-107")
def test_linked_decisions_and_parties_are_noted_and_a_tier_is_changed_with_its_handle() -> None:
    frame = book("problem_frame")
    draft = done(frame.note({}, "decision_hierarchy.already_made", {"statement": "We meet", "outcome": "yes"}))
    draft = done(frame.note(draft, "parties", {"name": "Bo", "role": "advisor"}))
    moved = frame.move(draft, ItemAddress("H1"), "decision_hierarchy.deferred", {})
    assert isinstance(moved, DraftChange)
    assert moved.name == "H1"
    assert moved.draft["decision_hierarchy"]["deferred"] == [{"handle": "H1", "statement": "We meet"}]
    assert moved.draft["parties"] == [{"handle": "P1", "name": "Bo", "role": "advisor"}]


@pytest.mark.req("S0-121", "S0-122", "S0-123")
def test_ends_and_means_are_told_apart_linked_and_measured() -> None:
    goals = book("objectives")
    measure = {"metric": "hours", "direction": "minimize"}
    draft = done(goals.note({}, "fundamental_objectives", {"description": "Be quick", "performance_measure": measure}))
    draft = done(goals.note(draft, "means_objectives", {"description": "Hire", "supports": ["O1"]}))
    draft = done(goals.change(draft, ItemAddress("O1"), {"performance_measure": {"units": "h"}}))
    assert draft["fundamental_objectives"][0]["performance_measure"] == {**measure, "units": "h"}
    promoted = goals.move(draft, ItemAddress("M1"), "fundamental_objectives", {})
    assert isinstance(promoted, DraftChange)
    assert promoted.draft["means_objectives"] == []
    assert promoted.draft["fundamental_objectives"][1] == {"handle": "O2", "description": "Hire"}
    demoted = done(goals.move(promoted.draft, ItemAddress("O1"), "means_objectives", {"supports": ["O2"]}))
    assert demoted["means_objectives"] == [{"handle": "M1", "description": "Be quick", "supports": ["O2"]}]


@pytest.mark.req("S0-150", "S0-151")
def test_a_rating_is_noted_with_reason_and_doubt_and_takes_the_place_of_the_former_one() -> None:
    ratings = book("consequences")
    doubt = {"level": "high", "driver": "no offer yet"}
    cell = {"alternative_id": "A2", "objective_id": "O1"}
    draft = done(ratings.rate({}, {**cell, "rating": 2, "rationale": "they said so", "uncertainty": doubt}))
    draft = done(ratings.change(draft, ItemAddress("A2:O1"), {"quant_value": 2.5}))
    assert draft["table"]["cells"] == [
        {**cell, "rating": 2, "rationale": "they said so", "uncertainty": doubt, "quant_value": 2.5}
    ]
    again = done(ratings.rate(draft, {**cell, "rating": 1}))
    assert again["table"]["cells"] == [{**cell, "quant_value": 2.5, "rating": 1}], "what was measured stays"
    extreme = done(ratings.rate(again, {**cell, "rating": -2}))
    missing = list_blockers(ratings.component, extreme, ratings.so_far)
    assert any(need.startswith("A2 on O1 reason: ") for need in missing)


@pytest.mark.req("S0-151")
@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_how_sure_people_are_of_a_rating_is_noted_on_three_levels(level: str) -> None:
    cell = {"alternative_id": "A2", "objective_id": "O1", "rating": 1, "uncertainty": {"level": level}}
    assert done(book("consequences").rate({}, cell))["table"]["cells"] == [cell]
    assert refused(book("consequences").rate({}, {**cell, "uncertainty": {"level": "some"}}))


def test_a_rating_that_a_person_chose_is_chosen_until_it_is_said_otherwise_and_no_model_claims_that() -> None:
    ratings = book("consequences")
    cell = {"alternative_id": "A2", "objective_id": "O1"}
    draft = {"table": {"cells": [{**cell, "rating": 1, "origin": "user"}]}}
    measured = done(ratings.change(draft, ItemAddress("A2:O1"), {"quant_value": 2.5}))
    assert measured["table"]["cells"] == [{**cell, "rating": 1, "origin": "user", "quant_value": 2.5}]
    for change in (
        ratings.rate(draft, {**cell, "rating": -1}),
        ratings.change(draft, ItemAddress("A2:O1"), {"rating": -1}),
        ratings.rate({}, {**cell, "rating": -1, "origin": "user"}),
    ):
        assert done(change)["table"]["cells"] == [{**cell, "rating": -1}]


def test_the_row_of_the_status_quo_is_the_servers() -> None:
    ratings = book("consequences")
    cell = {"alternative_id": "A1", "objective_id": "O1", "rating": 0}
    assert "status quo" in refused(ratings.rate({}, cell))
    other = done(ratings.rate({}, {**cell, "alternative_id": "A2"}))
    assert "status quo" in refused(ratings.change(other, ItemAddress("A2:O1"), {"alternative_id": "A1"}))


@pytest.mark.parametrize(
    ("key", "path", "given", "words"),
    [
        ("issue_raising", "decisions", {"description": "x"}, "list: no such list, it has to be one of potential_dec"),
        ("issue_raising", "potential_decisions", {}, "description is missing"),
        ("issue_raising", "potential_decisions", {"description": ""}, "description: empty text"),
        ("issue_raising", "potential_decisions", {"description": "x" * 501}, "description: too long"),
        (
            "issue_raising",
            "potential_decisions",
            {"description": "x", "priority": "urgent"},
            "one of high, medium, low",
        ),
        (
            "issue_raising",
            "potential_decisions",
            {"description": "x", "flavour": "red"},
            "there is no `flavour`; there is `description`",
        ),
        ("objectives", "means_objectives", {"description": "x", "supports": ["O9"]}, "supports.0: names nothing"),
        ("objectives", "means_objectives", {"description": "x", "supports": [["O1"]]}, "supports.0: wrong type"),
        ("consequences", CELLS, {"alternative_id": "A2", "objective_id": "O1", "rating": 3}, "rating: too high"),
        ("consequences", CELLS, {"alternative_id": "A2", "objective_id": "O1"}, "rating is missing: steps better"),
        ("consequences", CELLS, {"alternative_id": "A9", "objective_id": "O1", "rating": 1}, "one of A1, A2"),
        (
            "tradeoffs",
            "tensions",
            {"statement": "speed for money"},
            "alternative_id is missing: a handle of an alternative",
        ),
        ("decision_quality", "elements", {"name": "Luck", "score": 3}, "name: not one of these"),
        ("notes_next_steps", "notes", {"words": "x"}, "text: empty text"),
    ],
)
def test_what_cannot_be_noted_is_refused_in_words_with_the_field_and_what_it_has_to_be(
    key: str, path: str, given: dict[str, Any], words: str
) -> None:
    assert words in refused(book(key).note({}, path, given))


def test_a_quote_is_short_and_kept_only_where_the_component_wants_it() -> None:
    options, frame = book("alternatives"), book("problem_frame")
    assert "evidence.0.quote: too long" in refused(options.note({}, "alternatives", {"name": "Oslo"}, "x" * 201))
    draft = done(options.note({}, "alternatives", {"name": "Oslo"}, "first"))
    for number in range(6):
        draft = done(options.change(draft, ItemAddress("A1"), {}, f"quote {number}"))
    assert [each["quote"] for each in draft["alternatives"][0]["evidence"]] == [f"quote {n}" for n in range(1, 6)]
    assert done(frame.note({}, "parties", {"name": "Bo", "role": "advisor"}, "Bo"))["parties"][0].keys() == {
        "handle", "name", "role",
    }  # fmt: skip


@pytest.mark.req("FA-04")
def test_a_quote_of_former_words_is_no_evidence_for_the_new_ones() -> None:
    issues, at = book("issue_raising"), ItemAddress("C1")
    noted = done(issues.note({}, "considerations", {"text": "He was here for 22 years"}, "22 years"))
    for same in ({"text": " he was here  for 22 years"}, {"origin": "user"}):
        assert done(issues.change(noted, at, same))["considerations"][0]["evidence"] == [{"quote": "22 years"}]
    other = issues.change(noted, at, {"text": "He was here for 17 years"})
    assert "evidence" not in done(other)["considerations"][0]
    assert isinstance(other, DraftChange)
    assert other.altered == {"evidence": None}, "and the model is told"
    both = issues.change(noted, at, {"text": "He was here for 17 years"}, "no, 17")
    assert done(both)["considerations"][0]["evidence"] == [{"quote": "no, 17"}]
    assert isinstance(both, DraftChange)
    assert both.altered == {}


def test_the_same_thing_is_noted_once() -> None:
    issues, notes = book("issue_raising"), book("notes_next_steps")
    draft = done(issues.note({}, "potential_decisions", {"description": "Hire"}))
    assert "stands there already, as D1" in refused(issues.note(draft, "potential_decisions", {"description": "HIRE"}))
    draft = done(notes.note({}, "notes", {"text": "Ask Ada"}))
    assert "stands there already" in refused(notes.note(draft, "notes", {"text": "ask  ada"}))


def test_what_is_said_again_of_the_same_thing_is_added_where_there_are_no_handles() -> None:
    scores = book("decision_quality")
    draft = done(scores.note({}, "elements", {"name": "Sound Reasoning", "score": 70}))
    draft = done(scores.note(draft, "elements", {"name": "Logically Correct Reasoning", "rationale": "no gaps"}))
    assert draft["elements"] == [{"name": "Logically Correct Reasoning", "score": 70, "rationale": "no gaps"}]


def test_an_item_of_an_earlier_step_keeps_its_handle_and_no_other_handle_can_be_asked_for() -> None:
    ratings = book("consequences")
    assert "U1" in ratings.so_far.handles
    doubt = ratings.note({}, "uncertainties", {"handle": "U1", "description": "Will they answer?"})
    assert isinstance(doubt, DraftChange)
    assert doubt.name == "U1"
    fresh = find_next_handle("U", ratings.so_far.handles)
    for wanted in ("U1", "U99", "O1", 7):
        other = ratings.note(doubt.draft, "uncertainties", {"handle": wanted, "description": "Will it snow?"})
        assert isinstance(other, DraftChange)
        assert other.name == fresh


def test_a_handle_is_never_given_again() -> None:
    options = book("alternatives", DecisionRecord(before("alternatives").results, TODAY, example("alternatives")), "A8")
    added = options.note({}, "alternatives", {"name": "Rome"})
    assert isinstance(added, DraftChange)
    assert added.name == "A9", "A6 was approved before, and A8 stood in a draft"


def test_with_an_item_goes_what_refers_to_it() -> None:
    options = book("alternatives")
    gone = options.drop(example("alternatives"), ItemAddress("A1"))
    assert isinstance(gone, DraftChange)
    assert gone.loose == ("A1",)
    assert "status_quo_id" not in gone.draft
    assert "A1" not in find_values(gone.draft, "strategy_table.strategies[].alternative_id")
    goals = book("objectives")
    left = done(goals.drop(example("objectives"), ItemAddress("O1")))
    assert "O1" not in find_values(left, "means_objectives[].supports[]")


def test_an_item_that_moves_to_where_it_has_another_handle_leaves_no_reference_behind() -> None:
    issues = book("issue_raising")
    draft = done(issues.note({}, "potential_decisions", {"description": "Hire", "priority": "high"}, "we could hire"))
    draft = done(issues.fill(draft, {"focal_candidate_id": "D1"}))
    moved = issues.move(draft, ItemAddress("D1"), "considerations", {})
    assert isinstance(moved, DraftChange)
    assert (moved.name, moved.loose) == ("C1", ("D1",))
    assert "focal_candidate_id" not in moved.draft
    assert moved.draft["considerations"] == [{"handle": "C1", "evidence": [{"quote": "we could hire"}], "text": "Hire"}]


def test_an_item_is_not_moved_with_fields_that_the_other_list_refuses() -> None:
    issues = book("issue_raising")
    draft = done(issues.note({}, "considerations", {"text": "Hire"}))
    why = refused(issues.move(draft, ItemAddress("C1"), "potential_decisions", {"priority": "sky-high"}))
    assert "priority" in str(why)


def test_an_uncertainty_in_the_same_words_about_another_option_is_about_both() -> None:
    closing, words = book("recommendation", before("recommendation")), "Can we hire in time?"
    draft: Any = {}
    for option in ("A2", "A4", "A2"):
        noted = closing.note(draft, "remaining_uncertainties", {"description": words, "about": [option]})
        draft = done(noted)
        assert isinstance(noted, DraftChange)
    assert draft["remaining_uncertainties"] == [{"description": words, "about": ["A2", "A4"]}]


def test_texts_are_changed_dropped_and_moved_by_their_words() -> None:
    notes = book("notes_next_steps")
    draft = done(notes.note({}, "notes", {"text": "Ask Ada"}))
    draft = done(notes.change(draft, ItemAddress("ask ada"), {"text": "Ask Bo"}))
    action = notes.move(draft, ItemAddress("Ask Bo"), "planned_actions", {"owner": "Ada"})
    assert isinstance(action, DraftChange)
    assert action.draft["planned_actions"] == [{"handle": "N1", "action": "Ask Bo", "owner": "Ada"}]
    back = done(notes.move(action.draft, ItemAddress("N1"), "open_questions", {}))
    assert back["open_questions"] == ["Ask Bo"]
    assert done(notes.drop(back, ItemAddress("Ask Bo")))["open_questions"] == []


@pytest.mark.parametrize(
    ("at", "to", "words"),
    [
        (ItemAddress("A9"), "tensions", "names nothing that is noted"),
        (ItemAddress("A4"), "tensions", "stands in several lists, it has to be one of dominated_alternatives"),
        (ItemAddress("A4", "tensions"), "tensions", "to: cannot be moved there"),
        (ItemAddress("A4", "tensions"), "nowhere", "to: cannot be moved there"),
        (ItemAddress("A4", "nowhere"), "tensions", "names nothing that is noted"),
        (ItemAddress("A4", "tensions"), "swing_weights", "to: cannot be moved there"),
        (ItemAddress("A2", "practical_dominance"), "tensions", "names nothing that is noted"),
    ],
)
def test_what_cannot_be_moved_is_refused(at: ItemAddress, to: str, words: str) -> None:
    tradeoffs = book("tradeoffs")
    draft = example("tradeoffs")
    draft["dominated_alternatives"].append({"alternative_id": "A4"})
    assert words in refused(tradeoffs.move(draft, at, to, {}))


def test_a_row_takes_along_what_it_is_about() -> None:
    tradeoffs = book("tradeoffs")
    draft = done(tradeoffs.note({}, "dominated_alternatives", {"alternative_id": "A3", "explanation": "never better"}))
    assert done(tradeoffs.move(draft, ItemAddress("A3"), "tensions", {}))["tensions"] == [{"alternative_id": "A3"}]


def test_an_item_with_a_handle_is_known_by_its_words_and_a_refusal_names_what_may_be_meant() -> None:
    notes, draft = book("notes_next_steps"), dict[str, Any]()
    for action in ("Ask the ministry", "Write the job ad", "Have lunch"):
        draft = done(notes.note(draft, "planned_actions", {"action": action}))
    changed = done(notes.change(draft, ItemAddress("write the job ad", "planned_actions"), {"owner": "Maya"}))
    assert [each.get("owner") for each in changed["planned_actions"]] == [None, "Maya", None]
    told = refused(notes.change(draft, ItemAddress("The ad for the job"), {"owner": "Maya"}))
    assert "so nothing was changed" in told
    assert "it has to be one of N2 Write the job ad; N1 Ask the ministry; N3 Have lunch" in told
    assert "it has to be the handle of an item" in refused(notes.change({}, ItemAddress("N1"), {"owner": "Maya"}))


def test_what_is_not_there_can_neither_be_changed_nor_dropped() -> None:
    options = book("alternatives")
    assert "names nothing" in refused(options.change({}, ItemAddress("A1"), {"name": "Oslo"}))
    assert "names nothing" in refused(options.drop({}, ItemAddress("A1")))
    draft = minimal("alternatives")
    assert "stands there already, as A2" in refused(options.change(draft, ItemAddress("A1"), {"name": "bergen"}))


@pytest.mark.parametrize(
    ("key", "given", "words"),
    [
        ("problem_frame", {}, "fields: cannot be set here"),
        ("problem_frame", {"decision_hierarchy": {"focal": {"statement": "x"}}}, "cannot be set here"),
        ("problem_frame", {"decision_maker": "Ada"}, "decision_maker: cannot be set here"),
        ("problem_frame", {"decision_maker.name.first": "Ada"}, "did you mean `decision_maker.name`?"),
        ("problem_frame", {"focal_decision": {"deadline": "soon"}}, "focal_decision.deadline: no such date"),
        ("problem_frame", {"focal_decision": {"source_decision_id": "D77"}}, "names nothing that exists"),
        ("alternatives", {"alternatives": []}, "alternatives: cannot be set here"),
        ("alternatives", {"status_quo_id": ["A1"]}, "status_quo_id: wrong type"),
        ("problem_frame", {"decision_maker.name": "Ada", "focal_decision.source_decision_id": ["D1"]}, "wrong type"),
        ("consequences", {"table": None}, "table: cannot be set here"),
        ("decision_quality", {"overall_score": 99}, "overall_score: cannot be set here"),
    ],
)
def test_what_is_no_field_or_not_fit_for_it_is_refused(key: str, given: dict[str, Any], words: str) -> None:
    assert words in refused(book(key).fill({}, given))
