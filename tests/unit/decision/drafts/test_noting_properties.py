"""Whatever is noted, in whatever order: the draft keeps its schema, and no handle leads nowhere or means two things."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.drafts.draft import Rejected, read
from app.decision.drafts.notebook import DraftChange, DraftEditor, ItemAddress
from app.decision.drafts.noting import begin_draft, list_blockers
from app.decision.schema.findings import IssueKind
from app.decision.schema.handles import find_dangling, list_handles
from app.decision.schema.outline import find_element, list_fields, list_lists
from app.decision.schema.paths import Draft, find_value, find_values, is_object
from app.decision.schema.validation import find_schema_issues
from tests.properties import limit_examples
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example

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
