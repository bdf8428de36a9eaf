"""A change by hand: refused for what it makes wrong, never for what was wrong before or is still to come."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.drafts.draft import Rejected
from app.decision.drafts.hand_edit import HandEdit, judge_hand_edit
from app.decision.drafts.notebook import DraftChange, DraftEditor
from app.decision.drafts.noting import list_blockers
from app.decision.layout import sheets
from app.decision.schema.handles import list_handles
from app.decision.schema.paths import Draft
from tests.properties import limit_examples
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, example, minimal
from tests.unit.decision.drafts.test_noting import changes

CONSEQUENCES, NOTES = PLAYBOOK["consequences"], PLAYBOOK["notes_next_steps"]
OVER = "2020-02-20"


def taken(key: str, was: Draft, now: Draft) -> HandEdit:
    made = judge_hand_edit(PLAYBOOK[key], was, now, before(key))
    assert isinstance(made, HandEdit)
    return made


def table(*cells: tuple[str, str, int]) -> Draft:
    return {"table": {"cells": [{"alternative_id": a, "objective_id": o, "rating": rating} for a, o, rating in cells]}}


def test_a_reason_that_is_missing_elsewhere_keeps_no_rating_out_and_is_still_needed() -> None:
    noted = table(("A2", "O1", 2))
    made = taken("consequences", noted, table(("A2", "O1", 2), ("A2", "O2", 1)))
    assert made.draft["table"]["cells"][1]["rating"] == 1
    assert "A2 on O1 reason: what the rating is based on" in made.missing


def test_a_new_extreme_without_a_reason_is_refused() -> None:
    was = table(("A2", "O1", 2))
    made = judge_hand_edit(CONSEQUENCES, was, table(("A2", "O1", 2), ("A3", "O1", -2)), before("consequences"))
    assert isinstance(made, Rejected)
    assert [issue.field for issue in made.issues] == ["table.cells.1.rationale"]


def test_a_date_that_has_passed_since_keeps_no_other_change_out_and_is_still_needed() -> None:
    was = minimal("notes_next_steps")
    was["planned_actions"] = [{"handle": "N1", "action": "Call", "due_date": OVER}, {"handle": "N2", "action": "Ring"}]
    now = deepcopy(was)
    now["planned_actions"][1]["owner"] = "Ada"
    made = taken("notes_next_steps", was, now)
    assert made.draft["planned_actions"][1]["owner"] == "Ada"
    assert [need for need in made.missing if need.startswith("N1 due date: ")]
    now["planned_actions"][1]["due_date"] = OVER
    assert isinstance(judge_hand_edit(NOTES, was, now, before("notes_next_steps")), Rejected)


def test_what_was_noticed_before_is_no_news() -> None:
    was = accepted("alternatives", minimal("alternatives")).draft
    now = deepcopy(was)
    now["alternatives"][1]["broken_limits"] = ["Too far away"]
    made = taken("alternatives", was, now)
    assert [remark.text.split(" (")[0] for remark in made.news] == ["A2 Bergen breaks a limit"]
    assert len(made.remarks) > len(made.news)


def test_who_names_another_status_quo_need_not_mark_it_as_well() -> None:
    was = accepted("alternatives", example("alternatives")).draft
    made = taken("alternatives", was, {**was, "status_quo_id": "A2"})
    assert [each["handle"] for each in made.draft["alternatives"] if each["is_status_quo"]] == ["A2"]
    assert made.missing == ()


@pytest.mark.parametrize("key", KEYS)
@limit_examples(8)
@given(data=st.data())
def test_a_draft_however_it_was_noted_can_be_kept_as_it_is_and_be_shown_with_what_it_needs(
    key: str, data: st.DataObject
) -> None:
    component, so_far = PLAYBOOK[key], before(key)
    notebook, draft = DraftEditor(component, so_far), dict[str, Any]()
    for _ in range(data.draw(st.integers(1, 6))):
        noted = data.draw(changes(notebook, draft))
        draft = noted.draft if isinstance(noted, DraftChange) else draft
    made = taken(key, draft, draft)
    assert made.news == ()
    assert bool(made.missing) == bool(list_blockers(component, draft, so_far))
    assert sheets.build_sheet(component, made.draft, so_far).sections or not list_handles([made.draft])
    assert len(sheets.write_gist(component, made.draft, so_far)) <= 80
