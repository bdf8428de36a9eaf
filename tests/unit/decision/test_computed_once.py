"""What follows from a table is computed once, however many rules and parts of a sheet ask for it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from types import CodeType, FrameType
from typing import Any

import pytest

from app.decision.analysis.analysis import analyse
from app.decision.drafts.draft import read
from app.decision.firmness.firmness import find_firmness
from app.decision.layout.sheets import build_sheet
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, example

ASKED = ("objectives", "alternatives", "consequences", "tradeoffs")


def build_record() -> DecisionRecord:
    return DecisionRecord({key: example(key) for key in ASKED}, TODAY)


def count_calls(work: Callable[[], Any]) -> Counter[str]:
    """How often the long functions begin, as the interpreter tells it."""
    watched: dict[CodeType, str] = {each.__code__: each.__name__ for each in (analyse, find_firmness)}
    seen = Counter[str]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in watched:
            seen[watched[frame.f_code]] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return seen


@pytest.mark.req("TR-21")
def test_the_rules_and_the_sheet_of_a_step_analyse_a_table_once() -> None:
    so_far, component, draft = build_record(), PLAYBOOK["recommendation"], example("recommendation")

    def settle() -> None:
        read(component, draft, so_far)
        build_sheet(component, draft, so_far)
        so_far.firmness_by(example("tradeoffs"))

    assert count_calls(settle) == {"analyse": 1, "find_firmness": 1}


def test_what_is_held_is_not_given_for_other_points_or_verdicts() -> None:
    so_far, agreed = build_record(), example("tradeoffs")
    dismissed = {"irrelevant_objectives": [{"objective_id": "O1", "kind": "user_dismissed"}]}
    others: list[Draft] = [
        {**agreed, "swing_weights": []},
        {**agreed, **dismissed},
        {**agreed, **dismissed, "swing_weights": []},
    ]
    found = [so_far.firmness_by(each) for each in (agreed, *others)]
    assert found == [build_record().firmness_by(each) for each in (agreed, *others)]
    assert all(one != other for one, other in combinations(found, 2))
    assert so_far.measure(example("consequences")) == so_far.measure(so_far.results["consequences"])
    assert so_far.table(example("consequences")) == so_far.table(so_far.results["consequences"])
