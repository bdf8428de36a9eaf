"""A draft that is noted bit by bit, in whatever order: how it begins, what it lacks, how it reads, what stays whole."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.validators import Draft202012Validator

from app.decision.drafts.draft import Accepted, Rejected, read
from app.decision.drafts.notebook import DraftChange, DraftEditor, ItemAddress
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
from app.decision.schema.handles import find_dangling, list_handles
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
from app.decision.schema.paths import Draft, find_value, find_values, is_object, nest
from app.decision.schema.validation import find_schema_issues
from tests.properties import limit_examples
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


HANDLES = ("A1", "A2", "A3", "O1", "O2", "M1", "D1", "D2", "IO1", "U1", "C1", "H1", "P1", "S1", "N1", "A77")
TEXTS = st.sampled_from(
    ("", "Hire", "hire ", "Ask Ada", "Where do we meet?", "2027-01-31", "high", "x" * 600, "minimize")
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    TEXTS | st.sampled_from(HANDLES) | st.integers(-3, 101) | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)


def items(notebook: DraftEditor, path: str) -> st.SearchStrategy[dict[str, Any]]:
    """Two times of three an item of the worked example, else what the list knows, and anything else."""
    given = [each for each in find_values(example(notebook.component.key), f"{path}[]") if is_object(each)]
    real = st.sampled_from([{name: each[name] for name in each if name != "handle"} for each in given] or [{}])
    known = [*find_element(notebook.component, path).get("properties", ("text",)), "colour"]
    words = {name: TEXTS for name in ("name", "description", "statement", "text", "action") if name in known}
    odd = st.dictionaries(st.sampled_from(known), VALUES)
    mixed = st.tuples(odd, st.fixed_dictionaries({}, optional=words)).map(lambda both: {**both[0], **both[1]})
    return real.map(deepcopy) | real.map(deepcopy) | mixed


@st.composite
def changes(draw: st.DrawFn, notebook: DraftEditor, draft: Draft) -> DraftChange | Rejected:
    paths = [*list_lists(notebook.component) * 3, "nowhere"]
    path, to = draw(st.sampled_from(paths)), draw(st.sampled_from(paths))
    at = ItemAddress(draw(st.sampled_from([*HANDLES, "Ask Ada"])), draw(st.sampled_from(["", path])))
    listed = [
        (path, each) for path in list_lists(notebook.component) for each in find_values(draft, f"{path}[].handle")
    ]
    if listed and draw(st.integers(0, 3)):
        path, handle = draw(st.sampled_from(listed))
        at = ItemAddress(handle)
    said = draw(items(notebook, path))
    match draw(st.sampled_from(("note", "note", "note", "change", "move", "drop", "fill", "rate"))):
        case "note":
            return notebook.note(draft, path, said, draw(TEXTS))
        case "change":
            return notebook.change(draft, at, said, draw(TEXTS))
        case "move":
            return notebook.move(draft, at, to, draw(st.sampled_from((dict[str, Any](), said))))
        case "drop":
            return notebook.drop(draft, at)
        case "fill":
            known = list_fields(notebook.component)
            names, was = [*known, "focal_decision", "table", "colour"], example(notebook.component.key)
            real = {name: find_value(was, name) for name in known if find_value(was, name) is not None}
            odd = st.dictionaries(st.sampled_from(names), VALUES, max_size=3)
            return notebook.fill(draft, draw(st.just(deepcopy(real)) | odd))
        case _:
            cell = {name: draw(st.sampled_from(HANDLES)) for name in ("alternative_id", "objective_id")}
            return notebook.rate(draft, {**cell, "rating": draw(st.integers(-3, 3))})


@pytest.mark.parametrize("key", KEYS)
@limit_examples(8)
@given(data=st.data())
def test_no_sequence_of_changes_leaves_a_draft_that_is_wrong_rather_than_incomplete(
    key: str, data: st.DataObject
) -> None:
    component, so_far = PLAYBOOK[key], before(key)
    draft: Draft = deepcopy(data.draw(st.sampled_from(({}, example(key), example(key)))))
    notebook, given_up = DraftEditor(component, so_far, frozenset(list_handles([draft]))), set[str]()
    for _ in range(data.draw(st.integers(1, 8))):
        untouched = deepcopy(draft)
        changed = data.draw(changes(notebook, draft))
        assert draft == untouched
        if isinstance(changed, Rejected):
            assert changed.issues
            continue
        fresh = set(list_handles([changed.draft])) - set(list_handles([draft]))
        assert not fresh & given_up, "a handle that was given up is not given again"
        given_up |= set(list_handles([draft])) - set(list_handles([changed.draft])) - set(so_far.handles)
        draft = changed.draft
        notebook = replace(notebook, spent=notebook.spent.union(list_handles([draft])))
        wrong = [each for each in find_schema_issues(component, draft) if each.kind is not IssueKind.MISSING]
        assert {each.problem for each in wrong} <= {"too few"}
        assert find_dangling(component, draft, so_far.handles) == ()
        judged = read(component, begin_draft(component, draft), so_far)
        missing = list_blockers(component, draft, so_far)
        assert missing or not isinstance(judged, Rejected)
        assert isinstance(judged, Rejected) or judged.missing == missing
