"""A draft that is noted bit by bit: how it begins, what it still lacks, how it reads, and what can be noted in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator

from app.decision.drafts.draft import Accepted, read
from app.decision.drafts.noting import (
    begin_draft,
    list_blockers,
    remove_evidence,
    remove_kept,
    render_draft,
    render_text,
)
from app.decision.schema.feedback import describe_issue
from app.decision.schema.findings import Issue, IssueKind
from app.decision.schema.outline import (
    build_fields_schema,
    build_item_schema,
    find_element,
    find_words_field,
    is_text,
    label_item,
    list_fields,
    list_lists,
    list_single_fields,
)
from app.decision.schema.paths import Draft, find_values, nest
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, example, minimal


def errors(schema: dict[str, Any], said: Any) -> list[Any]:
    validator: Any = Draft202012Validator(schema)
    return list(validator.iter_errors(said))


@pytest.mark.parametrize("key", KEYS)
def test_a_draft_of_which_nothing_is_said_can_be_shown(key: str) -> None:
    judged = read(PLAYBOOK[key], begin_draft(PLAYBOOK[key], {}), before(key))
    assert isinstance(judged, Accepted)
    assert list_blockers(PLAYBOOK[key], {}, before(key)) == judged.missing


@pytest.mark.parametrize("key", KEYS)
def test_nothing_is_missing_from_what_can_be_approved(key: str) -> None:
    assert list_blockers(PLAYBOOK[key], example(key), before(key)) == ()
    assert begin_draft(PLAYBOOK[key], example(key)) == example(key)


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("key", KEYS)
def test_a_draft_that_is_handed_out_can_be_submitted_as_it_stands(key: str) -> None:
    whole, schema = accepted(key, example(key)).draft, PLAYBOOK[key].asked_schema
    handed = remove_kept(PLAYBOOK[key], whole)
    assert errors(dict(schema), handed) == []
    assert accepted(key, handed).draft.keys() == whole.keys()


def test_a_beginning_leaves_the_draft_alone_and_takes_objects_out_that_hold_nothing() -> None:
    draft: dict[str, Any] = {"strategy_table": {"decision_columns": [], "strategies": []}}
    assert begin_draft(PLAYBOOK["alternatives"], draft) == {"alternatives": []}
    assert "strategy_table" in draft
    frame = begin_draft(PLAYBOOK["problem_frame"], {"focal_decision": {"statement": "Where do we meet?"}})
    assert frame == {
        "focal_decision": {"statement": "Where do we meet?", "constraints": []},
        "decision_hierarchy": {"already_made": [], "deferred": []},
        "parties": [],
    }


def test_what_is_missing_or_wrong_is_named_by_handle_and_not_by_place() -> None:
    draft = minimal("alternatives")
    del draft["alternatives"][1]["name"]
    assert list_blockers(PLAYBOOK["alternatives"], draft, before("alternatives")) == ("A2 name",)
    frame = {**minimal("problem_frame"), "decision_hierarchy": {"already_made": [], "deferred": [{"handle": "H1"}]}}
    assert list_blockers(PLAYBOOK["problem_frame"], frame, before("problem_frame")) == ("H1 statement",)
    row = {"alternative_id": "A2", "selections": [{"column_id": "S1"}]}
    table = {"decision_columns": [{"handle": "S1", "name": "Who", "options": ["us"]}], "strategies": [row]}
    told = list_blockers(
        PLAYBOOK["alternatives"], {**minimal("alternatives"), "strategy_table": table}, before("alternatives")
    )
    assert told == ("A2 selections 0 option",)


def test_criteria_are_told_beside_what_would_be_refused() -> None:
    means = [{"handle": handle, "description": "Hire", "supports": list[str]()} for handle in ("M1", "M2")]
    draft: Draft = {"fundamental_objectives": [], "means_objectives": means}
    first, *criteria, refused = list_blockers(PLAYBOOK["objectives"], draft, before("objectives"))
    assert (first, criteria) == (
        "at least one objective that matters for its own sake",
        ["what M1 Hire serves", "what M2 Hire serves"],
    )
    assert refused == "M2: there twice, it has to be something that is not in the list yet"


@pytest.mark.parametrize(
    ("issue", "words"),
    [
        (Issue("a", "a text", kind=IssueKind.MISSING), "a is missing"),
        (Issue("a", "a text of 5; what it is", kind=IssueKind.MISSING), "a is missing: what it is"),
        (Issue("a", "one of b, c", kind=IssueKind.MISSING), "a is missing: one of b, c"),
        (Issue("a", "", kind=IssueKind.UNKNOWN), "there is no `a`"),
        (Issue("a", "text", "too long", "secret"), "a: too long, it has to be text"),
    ],
)
def test_an_issue_in_words_repeats_nothing_that_was_given(issue: Issue, words: str) -> None:
    assert describe_issue(issue) == words


def test_a_draft_reads_as_a_line_for_each_field_and_item() -> None:
    draft = {
        "means_objectives": [
            {"handle": "M1", "description": "Hire\n two", "supports": ["O1", "O2"], "evidence": [{"quote": "we hire"}]}
        ],
        "fundamental_objectives": [],
    }
    assert render_draft(PLAYBOOK["objectives"], draft) == (
        "means_objectives:\n- M1 description: Hire two; supports: O1, O2; evidence: (quote: we hire)"
    )
    assert render_text({"focal": {"statement": "Where?", "limits": ["a", "b"]}, "n": 3}) == (
        "focal.statement: Where?\nfocal.limits:\n- a\n- b\nn: 3"
    )
    assert render_draft(PLAYBOOK["objectives"], {}) == ""


@pytest.mark.parametrize("key", KEYS)
def test_a_draft_that_is_shown_holds_every_word_of_it(key: str) -> None:
    told = render_draft(PLAYBOOK[key], example(key))
    for path in list_lists(PLAYBOOK[key]):
        for item in find_values(example(key), f"{path}[]"):
            assert all(part in told for part in label_item(PLAYBOOK[key], path, item).split(":"))


@pytest.mark.parametrize("key", KEYS)
def test_every_item_of_the_example_can_be_said_in_the_form_that_the_model_is_told(key: str) -> None:
    component = PLAYBOOK[key]
    for path in list_lists(component):
        schema = build_item_schema(component, path)
        Draft202012Validator.check_schema(schema)
        assert "$ref" not in json.dumps(schema)
        assert schema["title"] == path
        for item in find_values(example(key), f"{path}[]"):
            said = {"text": item} if is_text(component, path) else item
            computed = {each.removeprefix(f"{path}[].") for each in component.kept}
            known = {name: each for name, each in said.items() if name not in {"handle", "evidence", *computed}}
            assert errors(schema, known) == []


@pytest.mark.parametrize("key", KEYS)
def test_the_fields_of_a_component_stand_where_the_draft_has_them_and_none_is_required(key: str) -> None:
    component = PLAYBOOK[key]
    schema = build_fields_schema(component)
    Draft202012Validator.check_schema(schema)
    assert errors(schema, {}) == []
    for path in list_single_fields(component):
        here: Any = schema
        for step in path.split("."):
            assert "required" not in here
            here = here["properties"][step]


@pytest.mark.req("FA-08")
@pytest.mark.parametrize("key", KEYS)
def test_what_null_is_said_to_take_out_may_be_null_by_the_schema_that_says_so(key: str) -> None:
    component = PLAYBOOK[key]
    for path in list_single_fields(component):
        assert errors(build_fields_schema(component), nest({path: None})) == []
        assert errors(build_fields_schema(component), nest({path: 42})) != []


def test_what_the_server_writes_cannot_be_noted() -> None:
    offered = [path for key in KEYS for path in (*list_lists(PLAYBOOK[key]), *list_fields(PLAYBOOK[key]))]
    assert not {"table.alternative_ids", "table.baseline_id", "overall_score", "weakest", "acceptable"} & set(offered)
    assert not any(path.startswith("decision_hierarchy.focal") for path in offered)
    assert "handle" not in build_item_schema(PLAYBOOK["alternatives"], "alternatives")["properties"]
    assert "handle" in build_item_schema(PLAYBOOK["consequences"], "uncertainties")["properties"], "of an earlier step"


def test_items_go_by_handle_by_what_they_are_about_or_by_their_words() -> None:
    rating = {"alternative_id": "A2", "objective_id": "O1", "rating": 1}
    assert label_item(PLAYBOOK["consequences"], "table.cells", rating) == "A2:O1"
    assert label_item(PLAYBOOK["alternatives"], "alternatives", {"handle": "A1", "name": "Oslo"}) == "A1"
    assert label_item(PLAYBOOK["decision_quality"], "elements", {"name": "Clear Tradeoffs"}) == "Clear Tradeoffs"
    assert label_item(PLAYBOOK["notes_next_steps"], "notes", "Ask Ada") == "Ask Ada"
    swap = example("tradeoffs")["even_swaps"][0]
    assert label_item(PLAYBOOK["tradeoffs"], "even_swaps", swap).count(":") == 2
    assert find_words_field(PLAYBOOK["notes_next_steps"], "notes") == "text"
    assert find_words_field(PLAYBOOK["recommendation"], "regret_notes") == ""
    assert find_element(PLAYBOOK["alternatives"], "nowhere") == {}


def test_what_the_server_keeps_for_itself_is_not_among_what_the_model_is_shown() -> None:
    cell = {"rating": 1, "quant_value": 4, "amount_for": {"rating": 1, "amount": 4}}
    draft = {"table": {"cells": [cell]}, "synthesis": "So", "written_for": [{"field": "synthesis"}]}
    assert remove_evidence(draft) == {"table": {"cells": [{"rating": 1, "quant_value": 4}]}, "synthesis": "So"}
