"""Handles and ids: ids are the server's, an item keeps its own, and nothing ever refers to nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import BrokenInvariant
from app.decision.drafts.draft import Accepted, Rejected, read, refresh_draft
from app.decision.record import DecisionRecord
from app.decision.schema.handles import (
    build_draft,
    build_record,
    find_dangling,
    find_highest,
    find_next_handle,
    list_handles,
    map_handles,
    prune,
    renumber,
)
from app.decision.schema.paths import Draft, find_places
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, RECORDS, TODAY, before, example, minimal, refused

AGAIN: Draft = {
    "fundamental_objectives": [
        {"handle": "O1", "description": "Meet in spring"},
        {"handle": "O9", "description": "Keep the cost low"},
        {"handle": "O3", "description": "Meet at all"},
    ],
    "means_objectives": [{"handle": "M1", "description": "Ask early", "supports": ["O1", "O9", "O3"]}],
}
"""What a model submits in a step that is begun anew and has given O1 to O4 before."""

ALL = [(key, path) for key in KEYS for path in PLAYBOOK[key].references]


def test_a_step_that_is_begun_anew_gives_no_handle_that_it_gave_before() -> None:
    draft = renumber(PLAYBOOK["objectives"], AGAIN, {"O": 4}, ())
    assert [each["handle"] for each in draft["fundamental_objectives"]] == ["O10", "O9", "O11"]
    assert draft["means_objectives"][0] == {**AGAIN["means_objectives"][0], "supports": ["O10", "O9", "O11"]}
    assert find_highest([draft]) == {"O": 11, "M": 1}
    assert renumber(PLAYBOOK["objectives"], draft, {"O": 4}, ()) == draft


def test_what_is_known_by_its_handle_keeps_it() -> None:
    assert renumber(PLAYBOOK["objectives"], AGAIN, {"O": 4}, ("O1", "O3")) == AGAIN
    draft: Draft = {"table": {"cells": []}, "uncertainties": [{"handle": "U1", "description": "As in the first step"}]}
    assert renumber(PLAYBOOK["consequences"], draft, {"U": 3}, ("U1",)) == draft


def test_what_is_submitted_in_a_step_that_is_begun_anew_is_told_from_what_was_there_before() -> None:
    so_far = DecisionRecord(before("objectives").results, TODAY, spent={"O": 4})
    accepted = read(PLAYBOOK["objectives"], AGAIN, so_far)
    assert isinstance(accepted, Accepted)
    assert [each["handle"] for each in accepted.draft["fundamental_objectives"]] == ["O10", "O9", "O11"]


def record(key: str, draft: Any, ids: dict[str, str] | None = None) -> dict[str, Any]:
    """The record, with ids that can be told apart."""
    numbers = count(1)
    known = {handle: f"id of {handle}" for handle in before(key).handles}
    return build_record(PLAYBOOK[key], draft, known if ids is None else ids, lambda: f"new {next(numbers)}")


def with_every_reference(key: str) -> Any:
    """The example's draft, with the references that it happens not to have."""
    draft = example(key)
    match key:
        case "objectives":
            draft["fundamental_objectives"][0]["party"] = "P1"
            draft["means_objectives"][0]["via"] = ["M2"]
        case "consequences":
            former = {"baseline_id": "A2", "alternative_id": "A3", "objective_id": "O1", "rating": -1}
            draft["table"] |= {"baseline_id": "A1", "former": [former]}
            draft["limit_checks"] = [{"limit": "At most 100,000 euro", "objective_id": "O3", "applies": True}]
        case "tradeoffs":
            draft["dominated_alternatives"][0]["disputed_on"] = ["O3"]
            draft["dominated_alternatives"][0]["kept_beside"] = ["A2"]
            draft["dropped_alternatives"] = [{"alternative_id": "A5"}]
        case "recommendation":
            draft["remaining_uncertainties"][0]["about"] = ["A5"]
        case _:
            pass
    return draft


@pytest.mark.req("S0-092", "S0-225", "S0-226")
def test_new_items_get_an_id_of_the_server_and_known_ones_keep_theirs() -> None:
    draft = minimal("alternatives")
    draft["alternatives"].append({"handle": "A3", "name": "Rome", "description": "Far"})
    kept = record("alternatives", draft, {"A1": "one", "A2": "two"})
    assert [(each["id"], each["handle"]) for each in kept["alternatives"]] == [
        ("one", "A1"), ("two", "A2"), ("new 1", "A3"),
    ]  # fmt: skip
    assert kept["status_quo_id"] == "one"
    assert "id" not in draft["alternatives"][0], "the draft is not touched"


@pytest.mark.req("S0-153")
def test_lists_of_the_model_are_maps_in_the_record() -> None:
    draft = minimal("consequences")
    draft["table"]["anchors"] = [{"objective_id": "O1", "2": "next door", "-2": "abroad"}]
    table = record("consequences", draft)["table"]
    assert table["cells"] == {
        "id of A2:id of O1": {"alternative_id": "id of A2", "objective_id": "id of O1", "rating": 1}
    }
    assert table["anchors"] == {"id of O1": {"2": "next door", "-2": "abroad"}}
    selections = RECORDS["alternatives"]["strategy_table"]["strategies"][1]["selections"]
    assert example("alternatives")["strategy_table"]["strategies"][1]["selections"] == [
        {"column_id": f"S{index}", "option": option} for index, option in enumerate(selections.values(), 1)
    ]


def test_items_without_a_handle_get_the_next_one_and_known_ids_their_own() -> None:
    draft = build_draft(PLAYBOOK["consequences"], RECORDS["consequences"], map_handles(RECORDS.values()))
    assert [each["handle"] for each in draft["uncertainties"]] == ["U2", "U3", "U1"]
    assert [each["handle"] for each in example("notes_next_steps")["planned_actions"]] == ["N1", "N2", "N3", "N4"]


def test_a_handle_that_was_given_up_is_not_given_again() -> None:
    assert find_next_handle("A", []) == "A1"
    assert find_next_handle("A", ["A2", "A10", "O12", "AB99"]) == "A11"


def test_two_items_may_not_share_a_handle() -> None:
    draft = minimal("issue_raising")
    draft["potential_decisions"].append({"handle": "D1", "description": "Another one"})
    assert refused("issue_raising", draft) == {
        "potential_decisions.0.handle": "used for two items",
        "potential_decisions.1.handle": "used for two items",
    }


@pytest.mark.parametrize(("key", "path"), ALL)
def test_a_reference_to_nothing_is_an_issue_wherever_it_stands(key: str, path: str) -> None:
    draft = with_every_reference(key)
    place = find_places(draft, path)[0]
    place.put(place.value.rstrip("0123456789") + "99")
    (issue,) = [
        issue for issue in find_dangling(PLAYBOOK[key], draft, before(key).handles) if issue.provided.endswith("99")
    ]
    assert issue.field == place.name
    assert issue.requirement.startswith("one of ")
    assert place.name in refused(key, draft)
    with pytest.raises(BrokenInvariant):
        record(key, draft)


def test_where_there_is_nothing_to_refer_to_the_model_is_told_so() -> None:
    draft = minimal("issue_raising")
    draft |= {"potential_decisions": [], "focal_candidate_id": "D1"}
    (issue,) = find_dangling(PLAYBOOK["issue_raising"], draft, [])
    assert issue.requirement == "nothing: there is no such item yet"


@st.composite
def drafts_with_lost_references(draw: st.DrawFn) -> tuple[str, dict[str, Any], DecisionRecord]:
    """A draft of the example in a decision that has lost items, and itself with handles exchanged."""
    key = draw(st.sampled_from(KEYS))
    draft, so_far = example(key), before(key)
    for path in PLAYBOOK[key].references:
        for place in find_places(draft, path):
            if draw(st.integers(0, 9)) == 0:
                place.put(place.value.rstrip("0123456789") + str(draw(st.integers(1, 12))))
    results = {each: result for each, result in so_far.results.items() if draw(st.integers(0, 3))}
    return key, draft, DecisionRecord(results, TODAY)


@given(drafts_with_lost_references())
def test_no_dangling_reference_is_ever_accepted_nor_survives_a_change_before_it(
    case: tuple[str, dict[str, Any], DecisionRecord],
) -> None:
    key, draft, so_far = case
    component = PLAYBOOK[key]
    judged = read(component, draft, so_far)
    loose = find_dangling(component, draft, so_far.handles)
    assert isinstance(judged, Rejected if loose else (Accepted, Rejected))
    after = refresh_draft(component, draft, so_far).draft
    for accepted in [after, *([judged.draft] if isinstance(judged, Accepted) else [])]:
        assert find_dangling(component, accepted, so_far.handles) == ()
        ids = {handle: f"id of {handle}" for handle in so_far.handles}
        build_record(component, accepted, ids, lambda: "new")  # raises if anything is loose


@given(drafts_with_lost_references(), st.sampled_from(["", " A5 and O2 differ most."]))
def test_what_could_be_approved_after_a_change_before_it_is_what_would_be_accepted_if_it_were_submitted(
    case: tuple[str, dict[str, Any], DecisionRecord], more: str
) -> None:
    key, draft, so_far = case
    if key == "recommendation":
        draft["synthesis"] += more
    after = refresh_draft(PLAYBOOK[key], draft, so_far)
    judged = read(PLAYBOOK[key], after.draft, replace(so_far, before=after.draft))
    assert isinstance(judged, Accepted) or after.missing != ()


@given(st.data())
def test_a_draft_comes_back_from_its_record(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(KEYS))
    draft = example(key)
    for path in PLAYBOOK[key].handles:
        if path.endswith("[]"):
            (items,) = find_places(draft, path.removesuffix("[]"))
            items.put(data.draw(st.permutations(items.value)))
    numbers = count(1)
    ids = {handle: f"id of {handle}" for handle in before(key).handles}
    kept = build_record(PLAYBOOK[key], draft, ids, lambda: f"new {next(numbers)}")
    assert build_draft(PLAYBOOK[key], kept, {each: handle for handle, each in ids.items()}) == draft


def test_with_a_reference_that_an_item_cannot_lack_the_item_goes() -> None:
    draft = example("objectives")
    draft["fundamental_objectives"] = draft["fundamental_objectives"][2:]
    kept, missed = prune(PLAYBOOK["objectives"], draft, before("objectives").handles)
    assert missed == ("O1", "O2")
    assert [each["supports"] for each in kept["means_objectives"]] == [["O4"], [], ["O3"]]
    tradeoffs, _ = prune(
        PLAYBOOK["tradeoffs"], example("tradeoffs"), [f"A{n}" for n in range(1, 7)] + ["O1", "O2", "O3", "O4"]
    )
    assert [each["objective_id"] for each in tradeoffs["swing_weights"]] == ["O1", "O2", "O3", "O4"]
    assert len(tradeoffs["even_swaps"]) == 1
    frame, missed = prune(PLAYBOOK["problem_frame"], example("problem_frame"), [])
    assert "source_decision_id" not in frame["focal_decision"]
    assert missed == ("D1",)
    assert set(list_handles([frame])) >= {"H1", "P1"}


def test_what_a_draft_loses_at_its_top_is_asked_for_again() -> None:
    draft = example("alternatives")
    draft["alternatives"] = draft["alternatives"][1:]
    after = refresh_draft(PLAYBOOK["alternatives"], draft, before("alternatives"))
    assert "status_quo_id" not in after.draft
    assert after.missing == ("which option is the status quo: what happens if nobody decides?",)
