"""The worked example as it is shipped: the same decision that the engine's numbers were found by hand for."""

from __future__ import annotations

from datetime import date

import pytest

from app.decision.drafts.draft import Accepted, find_unproven, read, refresh_draft
from app.decision.drafts.readiness import read_command
from app.decision.playbook import example
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, undated
from tests.unit.decision.tables import EXAMPLE

LONG_AFTER = date(2036, 1, 1)


def test_it_has_all_steps_and_what_was_said_in_each() -> None:
    assert tuple(example.load_drafts()) == KEYS
    assert {key: list(example.list_said(key)) for key in KEYS} == EXAMPLE["user_lines"]
    assert example.read_question() == EXAMPLE["components"]["problem_frame"]["focal_decision"]["statement"]


@pytest.mark.parametrize("key", KEYS)
def test_each_result_is_accepted_whole_and_comes_out_as_it_went_in(key: str) -> None:
    shipped = example.load_drafts()[key]
    so_far = before(key, dict(example.load_drafts()))
    judged = read(PLAYBOOK[key], dict(shipped), so_far)
    assert isinstance(judged, Accepted)
    assert judged.missing == ()
    if "table" in judged.draft:
        assert judged.draft["table"].pop("baseline_id") == "A1"
    assert undated(judged.draft) == shipped


@pytest.mark.parametrize("key", KEYS)
def test_each_result_can_be_shown_long_after_its_dates_are_over(key: str) -> None:
    so_far = before(key, dict(example.load_drafts()))
    late = refresh_draft(PLAYBOOK[key], example.load_drafts()[key], type(so_far)(so_far.results, LONG_AFTER))
    assert late.missing == ()
    assert late.draft == read_again(key)


def read_again(key: str) -> object:
    judged = read(PLAYBOOK[key], dict(example.load_drafts()[key]), before(key, dict(example.load_drafts())))
    assert isinstance(judged, Accepted)
    return judged.draft


@pytest.mark.parametrize("key", ["issue_raising", "objectives"])
def test_what_is_said_to_be_hers_is_quoted_from_her_lines(key: str) -> None:
    assert find_unproven(example.load_drafts()[key], example.list_said(key)) == ()


def test_no_line_but_the_last_ends_its_step() -> None:
    assert all(read_command(PLAYBOOK[key], line) is None for key in KEYS for line in example.list_said(key)[:-1])
