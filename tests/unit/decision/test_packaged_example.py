"""The worked example as it is shipped: the same decision that the engine's numbers were found by hand for."""

from __future__ import annotations

from datetime import date

import pytest

from app.decision.drafts.draft import Accepted, read, refreshed, unproven
from app.decision.drafts.readiness import signal
from app.decision.playbook import example
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before
from tests.unit.decision.tables import EXAMPLE

LONG_AFTER = date(2036, 1, 1)


def test_it_has_all_steps_and_what_was_said_in_each() -> None:
    assert tuple(example.drafts()) == KEYS
    assert {key: list(example.said(key)) for key in KEYS} == EXAMPLE["user_lines"]
    assert example.question() == EXAMPLE["components"]["problem_frame"]["focal_decision"]["statement"]


@pytest.mark.parametrize("key", KEYS)
def test_each_result_is_accepted_whole_and_comes_out_as_it_went_in(key: str) -> None:
    shipped = example.drafts()[key]
    so_far = before(key, dict(example.drafts()))
    judged = read(PLAYBOOK[key], dict(shipped), so_far)
    assert isinstance(judged, Accepted)
    assert judged.missing == ()
    if "table" in judged.draft:
        assert judged.draft["table"].pop("baseline_id") == "A1"
    assert judged.draft == shipped


@pytest.mark.parametrize("key", KEYS)
def test_each_result_can_be_shown_long_after_its_dates_are_over(key: str) -> None:
    so_far = before(key, dict(example.drafts()))
    late = refreshed(PLAYBOOK[key], example.drafts()[key], type(so_far)(so_far.results, LONG_AFTER))
    assert late.missing == ()
    assert late.draft == read_again(key)


def read_again(key: str) -> object:
    judged = read(PLAYBOOK[key], dict(example.drafts()[key]), before(key, dict(example.drafts())))
    assert isinstance(judged, Accepted)
    return judged.draft


@pytest.mark.parametrize("key", ["issue_raising", "objectives"])
def test_what_is_said_to_be_hers_is_quoted_from_her_lines(key: str) -> None:
    assert unproven(example.drafts()[key], example.said(key)) == ()


def test_no_line_but_the_last_ends_its_step() -> None:
    assert all(signal(PLAYBOOK[key], line) is None for key in KEYS for line in example.said(key)[:-1])
