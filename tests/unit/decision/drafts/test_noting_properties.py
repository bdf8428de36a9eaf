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
from app.decision.drafts.noting import list_blockers
from app.decision.schema.findings import IssueKind
from app.decision.schema.handles import find_dangling, list_handles
from app.decision.schema.outline import find_element, list_fields, list_lists
from app.decision.schema.paths import Draft
from app.decision.schema.validation import find_schema_issues
from tests.properties import limit_examples
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before

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
    """Mostly what the list knows, and anything else."""
    known = [*find_element(notebook.component, path).get("properties", ("text",)), "colour"]
    words = {name: TEXTS for name in ("name", "description", "statement", "text", "action") if name in known}
    odd = st.dictionaries(st.sampled_from(known), VALUES)
    return st.tuples(odd, st.fixed_dictionaries({}, optional=words)).map(lambda both: {**both[0], **both[1]})


@st.composite
def changes(draw: st.DrawFn, notebook: DraftEditor, draft: Draft) -> DraftChange | Rejected:
    paths = [*list_lists(notebook.component), "nowhere"]
    path, to = draw(st.sampled_from(paths)), draw(st.sampled_from(paths))
    at = ItemAddress(
        draw(st.sampled_from([*list_handles([draft]), *HANDLES, "Ask Ada"])), draw(st.sampled_from(["", "", path]))
    )
    said = draw(items(notebook, path))
    match draw(st.sampled_from(("note", "note", "note", "change", "move", "drop", "fill", "rate"))):
        case "note":
            return notebook.note(draft, path, said, draw(TEXTS))
        case "change":
            return notebook.change(draft, at, said, draw(TEXTS))
        case "move":
            return notebook.move(draft, at, to, said)
        case "drop":
            return notebook.drop(draft, at)
        case "fill":
            names = [*list_fields(notebook.component), "focal_decision", "table", "colour"]
            return notebook.fill(draft, draw(st.dictionaries(st.sampled_from(names), VALUES, max_size=3)))
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
    notebook, draft = DraftEditor(component, so_far), dict[str, Any]()
    given_up = set[str]()
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
        judged = read(component, draft, so_far)
        missing = list_blockers(component, draft, so_far)
        assert missing or not isinstance(judged, Rejected)
        assert isinstance(judged, Rejected) or judged.missing == missing
