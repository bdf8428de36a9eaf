"""What the model submits: cleaned, checked field by field, and answered so that it knows what to correct."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.errors import ExtractionError
from app.decision.drafts.draft import SERVERS, Rejected, find_unproven, read
from app.decision.schema.component import find_subschema
from app.decision.schema.feedback import SHOWN, abridge, build_feedback, build_unreadable
from app.decision.schema.findings import Issue
from app.decision.schema.paths import Draft
from app.decision.schema.validation import describe_requirement, find_schema_issues
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, example, minimal, refused


def answer(key: str, submitted: Any) -> dict[str, Any]:
    """What the model is told."""
    judged = read(PLAYBOOK[key], submitted, before(key))
    return build_feedback(PLAYBOOK[key].tool, judged.issues if isinstance(judged, Rejected) else ())


@pytest.mark.req("S4-030", "S4-032", "S4-034")
def test_feedback_is_result_then_issues_then_count_and_last_what_to_do() -> None:
    draft = example("problem_frame")
    draft["focal_decision"]["trigger"] = "  "
    del draft["decision_hierarchy"]["deferred"][0]["statement"]
    draft["parties"][0]["mood"] = "glad"
    told = answer("problem_frame", draft)
    assert list(told) == ["result", "issues", "issue_count", "action"]
    assert list(told["issues"]) == ["invalid", "missing", "unknown"]
    assert told == {
        "result": "validation_failed",
        "issues": {
            "invalid": [
                {
                    "field": "focal_decision.trigger",
                    "provided": "",
                    "problem": "empty text",
                    "requirement": "a text of at most 500 characters",
                }
            ],
            "missing": [
                {"field": "decision_hierarchy.deferred.0.statement", "requirement": "a text of at most 500 characters"}
            ],
            "unknown": ["parties.0.mood"],
        },
        "issue_count": 3,
        "action": "Call submit_problem_frame() with corrected data. Unknown fields may be typos. "
        "Not there: parties.0.mood (there is `handle`, `name`, `role`, `influence`, `concerns`).",
    }


@pytest.mark.req("S4-031", "S4-037")
@pytest.mark.parametrize(
    ("key", "path", "value", "problem", "required"),
    [
        ("issue_raising", ("potential_decisions", 0, "priority"), "urgent", "not one of these", "one of high, medium"),
        ("issue_raising", ("uncertainties", 0, "resolvable"), "yes", "wrong type", "true or false"),
        ("issue_raising", ("objectives",), "speed", "wrong type", "a list of at most 50; what is wanted"),
        ("objectives", ("means_objectives", 0, "handle"), "M", "not a handle of this kind", "a handle of a means"),
        ("objectives", ("fundamental_objectives", 0, "weight"), 1.5, "too high", "a number from 0 to 1"),
        ("objectives", ("fundamental_objectives", 0, "performance_measure", "baseline"), "x", "wrong type", "a number"),
        ("problem_frame", ("focal_decision", "deadline"), "18 December", "no such date", "a date (YYYY-MM-DD)"),
        ("problem_frame", ("focal_decision", "deadline"), "2026-02-30", "no such date", "a date (YYYY-MM-DD)"),
        ("problem_frame", ("decision_maker",), "Maya", "wrong type", "an object"),
        ("alternatives", ("alternatives", 0, "name"), "x" * 101, "too long", "a text of at most 100 characters"),
        ("consequences", ("table", "cells", 3, "rating"), -3, "too low", "a whole number from -2 to 2"),
        ("consequences", ("table", "cells", 3, "rating"), 2.0, "wrong type", "a whole number from -2 to 2"),
        ("consequences", ("table", "cells", 3, "rating"), True, "wrong type", "a whole number from -2 to 2"),
        ("tradeoffs", ("tensions", 0, "net_score"), "3", "wrong type", "a whole number"),
        ("recommendation", ("key_considerations",), list("abcdefgh"), "too many", "a list of at most 7"),
        ("decision_quality", ("elements", 0, "score"), 0.8, "wrong type", "a whole number from 0 to 100"),
        ("notes_next_steps", ("planned_actions", 0, "due_date"), "Friday", "no such date", "a date (YYYY-MM-DD)"),
    ],
)  # fmt: skip
def test_each_field_is_told_what_is_wrong_and_what_it_has_to_be(
    key: str, path: tuple[Any, ...], value: Any, problem: str, required: str
) -> None:
    draft: Any = example(key)
    holder = draft
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    (issue,) = answer(key, draft)["issues"]["invalid"]
    assert issue["field"] == ".".join(map(str, path))
    assert issue["provided"] == abridge(value)
    assert issue["problem"] == problem
    assert issue["requirement"].startswith(required)


@pytest.mark.req("S4-033", "S4-038")
def test_unknown_fields_are_named_as_they_were_written() -> None:
    told = answer("notes_next_steps", {**example("notes_next_steps"), "todo": [], "mood": ""})
    assert sorted(told["issues"]["unknown"]) == ["mood", "todo"]


@pytest.mark.req("S4-039")
def test_the_count_of_issues_is_of_what_is_invalid_missing_and_unknown_together() -> None:
    draft = {**example("notes_next_steps"), "todo": [], "mood": "", "notes": [1, 2]}
    draft["planned_actions"] = [{"owner": "Lena Fischer", "status": "planned"}]
    told = answer("notes_next_steps", draft)
    assert {kind: len(issues) for kind, issues in told["issues"].items()} == {"invalid": 2, "missing": 2, "unknown": 2}
    assert told["issue_count"] == 6


@pytest.mark.req("S4-035")
def test_the_result_is_one_of_three() -> None:
    assert answer("issue_raising", example("issue_raising"))["result"] == "accepted"
    assert answer("issue_raising", {})["result"] == "validation_failed"
    assert build_unreadable("submit_objectives") == {
        "result": "tool_error",
        "issues": {"invalid": [], "missing": [], "unknown": []},
        "issue_count": 0,
        "action": "Call submit_objectives() with the data as one JSON object.",
    }


@pytest.mark.req("S4-036")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("submitted", ["{}", "[]", "null", '"a"', '{"a": 1}', '{"table": {"cells": [{}]}}'])
def test_whatever_is_submitted_the_feedback_holds_no_schema(key: str, submitted: str) -> None:
    told = json.dumps(answer(key, json.loads(submitted)))
    assert not any(word in told for word in ("$ref", "$defs", "additionalProperties", '"properties"', 'pattern":'))


@pytest.mark.parametrize("submitted", [[], "text", 3, None])
def test_what_is_no_object_is_refused_as_a_whole(submitted: Any) -> None:
    assert refused("objectives", submitted) == {"(all)": "wrong type"}


def test_long_values_are_shown_as_far_as_they_help() -> None:
    issues = [Issue("a", "", provided="x" * 500), Issue("b", "", provided=[1, 2]), Issue("c", "", provided={"k": 1})]
    shown = [each["provided"] for each in build_feedback("t", issues)["issues"]["invalid"]]
    assert shown == ["x" * SHOWN + "…", "list of 2", "object of 1"]


@pytest.mark.req("S0-227")
def test_nulls_are_things_that_nobody_said() -> None:
    draft = example("problem_frame")
    draft["focal_decision"] |= {"trigger": None, "in_scope": [None, " Nights "]}
    draft["parties"].append(None)
    judged = accepted("problem_frame", draft).draft
    assert "trigger" not in judged["focal_decision"]
    assert judged["focal_decision"]["in_scope"] == ["Nights"]
    assert None not in judged["parties"]


@pytest.mark.req("S0-036", "S0-037")
def test_markup_is_taken_out_before_anything_is_judged() -> None:
    draft = minimal("issue_raising")
    draft["potential_decisions"][0]["description"] = "Hire <script>x</script>[INST] now"
    assert accepted("issue_raising", draft).draft["potential_decisions"][0]["description"] == "Hire  now"
    draft["potential_decisions"][0]["description"] = "<b></b>"
    assert refused("issue_raising", draft) == {"potential_decisions.0.description": "empty text"}


def test_data_that_is_too_deep_is_refused_before_it_is_looked_at() -> None:
    deep: Any = "x"
    for _ in range(30):
        deep = [deep]
    with pytest.raises(ExtractionError):
        read(PLAYBOOK["objectives"], deep, before("objectives"))


def test_what_a_criterion_asks_for_is_no_error_of_a_draft() -> None:
    component, draft = PLAYBOOK["problem_frame"], minimal("problem_frame")
    draft["focal_decision"]["statement"] = "Where?"
    del draft["decision_maker"]
    assert len([*component.validator.iter_errors(draft)]) == 2
    assert find_schema_issues(component, draft) == ()


def test_a_field_is_reported_once_however_many_rules_it_breaks() -> None:
    draft = minimal("objectives")
    draft["fundamental_objectives"][0]["handle"] = ["O", "1"]
    assert refused("objectives", draft) == {"fundamental_objectives.0.handle": "wrong type"}


def test_what_a_value_has_to_be_is_said_in_words() -> None:
    assert describe_requirement({}) == "an object"
    assert describe_requirement({"type": "boolean"}) == "true or false"
    assert describe_requirement({"type": "string"}) == "a text"
    long = {"type": "string", "minLength": 10, "maxLength": 500}
    assert describe_requirement(long) == "a text of 10 to 500 characters"
    assert find_subschema(PLAYBOOK["objectives"].json_schema, ["nothing"]) is None


@pytest.mark.req("S0-228")
def test_items_whose_words_nobody_wrote_are_pointed_out() -> None:
    said = ["I want customers\nhelped  FAST, please", "x" * 400 + " and the nights"]
    draft = example("issue_raising")
    first, second, third = draft["objectives"]
    first["evidence"] = [{"quote": "Customers helped fast"}]
    second |= {"evidence": [{"quote": "never said"}], "origin": "user"}
    third["origin"] = "ai_suggested"
    draft["uncertainties"][0]["evidence"] = [{"quote": "the nights"}]
    pointed_out = find_unproven(draft, said)
    assert "IO2" in pointed_out
    assert not {"IO1", "IO3", "U1"} & set(pointed_out)
    assert "D1" in pointed_out, "an item without any quote is unproven as well"


@pytest.mark.parametrize("source", SERVERS)
def test_what_was_written_into_a_window_or_deleted_since_is_theirs_although_no_message_holds_it(source: str) -> None:
    item = {"handle": "D1", "description": "Where to meet", "origin": "user"}
    draft: Draft = {"potential_decisions": [item | {"evidence": [{"message_id": source, "quote": "Where to meet"}]}]}
    assert find_unproven(draft, ()) == ()
    draft = {"potential_decisions": [item | {"evidence": [{"quote": "Where to meet"}]}]}
    assert find_unproven(draft, ()) == ("D1",)


def test_an_item_without_a_quote_whose_own_words_somebody_wrote_is_not_said_to_be_written_by_nobody() -> None:
    draft: Draft = {"alternatives": [{"handle": "A1", "name": "School hall"}, {"handle": "A2", "name": "Town hall"}]}
    assert find_unproven(draft, ["We could take the school  hall."]) == ("A2",)
