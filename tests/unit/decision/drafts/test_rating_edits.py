"""Ratings that a person chose in a window stand, at any size of the table; the model is told of them, no more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.drafts.rating_edits import (
    REASONS,
    describe_ratings,
    find_carried,
    find_chosen,
    remove_chosen,
    restore_chosen,
)
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import rated

SO_FAR: DecisionRecord = rated({"A1": [0, 0], "A2": [0, 0], "A3": [0, 0]}, key="consequences")
"""Three options, the first of them the status quo, on two objectives."""


def cell(option: str, objective: str, rating: int = 1, **more: Any) -> dict[str, Any]:
    return {"alternative_id": option, "objective_id": objective, "rating": rating, **more}


def by_hand(option: str, objective: str, rating: int = 1) -> dict[str, Any]:
    return cell(option, objective, rating, origin="user")


def table(*cells: Any, **more: Any) -> Draft:
    return {"table": {"cells": list(cells), **more}}


def test_what_people_chose_of_options_and_objectives_of_now_counts() -> None:
    draft = table(
        by_hand("A2", "O1"), cell("A3", "O1", origin="ai_suggested"), cell("A2", "O2"), by_hand("A9", "O1"),
        by_hand("A2", "O9"), by_hand("A1", "O1", 0), baseline_id="A1",
    )  # fmt: skip
    assert find_chosen(draft, SO_FAR) == {("A2", "O1"): by_hand("A2", "O1")}
    assert remove_chosen(draft, SO_FAR)["table"]["cells"] == draft["table"]["cells"][1:]


def test_what_was_chosen_against_another_status_quo_does_not() -> None:
    draft = table(by_hand("A2", "O1"), baseline_id="A3")
    assert find_chosen(draft, SO_FAR) == {}
    assert remove_chosen(draft, SO_FAR) == draft
    assert describe_ratings(draft, SO_FAR) == ""


def test_the_model_is_told_of_them_objective_by_objective() -> None:
    draft = table(by_hand("A2", "O1", 2), by_hand("A2", "O2", 0), by_hand("A3", "O1", -1))
    assert describe_ratings(draft, SO_FAR).splitlines()[1:] == ["O1: A2 +2, A3 -1", "O2: A2 +0"]


UNKNOWN = {"rating_range": {"low": -2, "high": 2}}


def test_a_rating_that_nobody_knows_is_told_as_that_and_never_as_a_zero_or_proposed_as_one() -> None:
    draft = table(by_hand("A2", "O1", 0) | UNKNOWN | {"rationale": "Sam says minus two"}, by_hand("A3", "O1", 0))
    assert describe_ratings(draft, SO_FAR).splitlines()[1:] == ['O1: A2 not known ("Sam says minus two"), A3 +0']
    former = [{**each, "baseline_id": "A3"} for each in draft["table"]["cells"][:1]]
    known = {**by_hand("A1", "O1", 1), "baseline_id": "A3"}
    assert [*find_carried(table(former=[*former, known]), SO_FAR)] == [("A3", "O1")]


@pytest.mark.req("FA-15")
def test_a_reason_that_was_typed_with_a_rating_is_told_to_the_model_and_a_further_one_is_said_to_be_there() -> None:
    near = by_hand("A2", "O1") | {"rationale": "It is\nnear"}
    assert describe_ratings(table(near, by_hand("A3", "O1")), SO_FAR).splitlines()[1:] == [
        'O1: A2 +1 ("It is near"), A3 +1'
    ]
    names = [f"A{number}" for number in range(1, REASONS + 3)]
    wide = rated({name: [0] for name in names}, key="consequences")
    cells = [by_hand(name, "O1") | {"rationale": "near"} for name in names[1:]]
    (row,) = describe_ratings(table(*cells), wide).splitlines()[1:]
    assert row.count('("near")') == REASONS
    assert row.endswith(f"{names[-1]} +1*")


@pytest.mark.req("FA-03")
def test_they_take_the_place_of_what_a_model_submits_and_nothing_else_does() -> None:
    before = table(by_hand("A2", "O1", -1), cell("A3", "O1", -2))
    submitted: Draft = {**table(cell("A2", "O1", 2), cell("A3", "O1", 1)), "uncertainties": []}
    after = restore_chosen(submitted, before, SO_FAR)
    assert after == {**table(cell("A3", "O1", 1), by_hand("A2", "O1", -1)), "uncertainties": []}


@pytest.mark.parametrize("submitted", [{}, {"table": {}}, table()])
def test_what_a_model_leaves_out_is_filled_in(submitted: Draft) -> None:
    assert restore_chosen(submitted, table(by_hand("A2", "O1")), SO_FAR) == table(by_hand("A2", "O1"))


def test_what_was_rated_against_an_earlier_status_quo_outlasts_a_submission_and_no_model_claims_it() -> None:
    left = by_hand("A2", "O1", 2) | {"baseline_id": "A3"}
    kept = table(cell("A2", "O1"), baseline_id="A1", former=[left])
    assert remove_chosen(kept, SO_FAR) == table(cell("A2", "O1"), baseline_id="A1")
    claimed = table(cell("A2", "O2"), former=[cell("A2", "O2") | {"baseline_id": "A3"}])
    assert restore_chosen(claimed, kept, SO_FAR) == table(cell("A2", "O2"), former=[left])
    assert restore_chosen(claimed, {}, SO_FAR) == table(cell("A2", "O2"))
    unseen = table(by_hand("A2", "O1", 2), baseline_id="A3")
    assert restore_chosen(table(cell("A2", "O2")), unseen, SO_FAR) == table(cell("A2", "O2"), former=[left])
    gone = [left | {"baseline_id": "A9"}, left | {"objective_id": "O9"}]
    assert restore_chosen(table(), table(baseline_id="A1", former=gone), SO_FAR) == table()


@pytest.mark.req("FA-03")
def test_a_model_cannot_claim_that_a_person_chose_its_rating() -> None:
    assert restore_chosen(table(by_hand("A2", "O1")), {}, SO_FAR) == table(cell("A2", "O1"))
    assert restore_chosen(table(by_hand("A2", "O1")), table(cell("A2", "O1")), SO_FAR) == table(cell("A2", "O1"))


@pytest.mark.parametrize("submitted", [None, [], {"table": []}, {"table": {"cells": {}}}, table(None, 7, [])])
def test_what_is_no_table_is_left_for_the_schema_to_find(submitted: Any) -> None:
    assert restore_chosen(submitted, {}, SO_FAR) == submitted


SOME = st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3))


@given(SOME | st.dictionaries(st.sampled_from(["table", "cells"]), SOME), SOME)
def test_anything_may_be_submitted(submitted: Any, place: Any) -> None:
    before = table(by_hand("A2", "O1"))
    restore_chosen(submitted, before, SO_FAR)
    cells = restore_chosen(table({"alternative_id": place, "objective_id": place}), before, SO_FAR)["table"]["cells"]
    assert cells[-1] == by_hand("A2", "O1")
