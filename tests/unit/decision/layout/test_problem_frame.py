"""The sheet of the step that frames a decision."""

from __future__ import annotations

from app.core.state.sheet import Facts
from app.decision.layout.sheets import build_sheet
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, before


def test_sentences_in_a_list_on_one_line_keep_no_full_stop_before_the_semicolon() -> None:
    frame: Draft = {
        "focal_decision": {"constraints": ["The rent is a limit.", "We need bikes."], "in_scope": ["a.", "b"]}
    }
    (facts,) = build_sheet(PLAYBOOK["problem_frame"], frame, before("problem_frame")).sections
    assert isinstance(facts, Facts)
    assert [*facts.rows] == [("In", "a; b"), ("Limits", "The rent is a limit; We need bikes")]
