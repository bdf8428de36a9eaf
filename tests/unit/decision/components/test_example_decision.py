"""The worked example goes through all nine components, in both forms, and comes out as it went in."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from app.decision.schema.handles import build_record, map_handles
from app.decision.schema.paths import find_values
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, RECORDS, accepted, before, example, minimal, undated

TOLD = {
    "notes_next_steps": (
        "No step works on “Can three part-time agents be hired by March?”.",
        "Which open point is this for: “Decide and tell the team”?",
    ),
}
"""What a careful reader would ask about the example; all else in it is sound."""


@pytest.mark.parametrize("key", KEYS)
def test_each_result_of_the_example_is_accepted_complete_and_unchanged(key: str) -> None:
    judged = accepted(key, example(key))
    assert judged.missing == ()
    assert not judged.blocked
    assert not [*PLAYBOOK[key].validator.iter_errors(judged.draft)]
    if "table" in judged.draft:
        assert judged.draft["table"].pop("baseline_id") == "A1"
    assert undated(judged.draft) == example(key)


@pytest.mark.parametrize("key", KEYS)
def test_of_the_example_people_are_told_only_what_is_really_open(key: str) -> None:
    told = [remark.text for remark in accepted(key, example(key)).remarks]
    assert len(told) == len(TOLD.get(key, ()))
    assert all(map(str.startswith, told, TOLD.get(key, ())))


@pytest.mark.req("S0-153", "S0-226")
@pytest.mark.parametrize("key", KEYS)
def test_the_record_of_a_draft_is_the_record_it_was_made_of(key: str) -> None:
    """Ids are kept, references are ids again, and lists are maps again; handles are all that may be added."""
    ids = {handle: each for each, handle in map_handles(RECORDS.values()).items()}
    ids |= {name: item_id for name, item_id in _handles_that_were_given(key).items() if name not in ids}
    assert _without_handles(build_record(PLAYBOOK[key], example(key), ids, _no_new_id)) == _without_handles(
        RECORDS[key]
    )


@pytest.mark.parametrize("key", KEYS)
def test_the_least_that_people_may_say_can_be_approved(key: str) -> None:
    drafts = {each: minimal(each) for each in KEYS}
    judged = accepted(key, minimal(key), before(key, drafts))
    assert judged.missing == ()
    assert not [*PLAYBOOK[key].validator.iter_errors(judged.draft)]
    build_record(PLAYBOOK[key], judged.draft, {each: str(uuid4()) for each in ("A1", "A2", "O1")}, lambda: str(uuid4()))


@pytest.mark.parametrize("key", KEYS)
def test_judging_what_was_accepted_changes_nothing(key: str) -> None:
    once = accepted(key, example(key))
    assert accepted(key, once.draft) == once


def _no_new_id() -> str:
    raise AssertionError("an id was lost")


def _handles_that_were_given(key: str) -> dict[str, str]:
    """The ids of items whose record had no handle, by the handle that the draft gave them."""
    pairs = zip(_items(example(key), PLAYBOOK[key].handles), _items(RECORDS[key], PLAYBOOK[key].handles), strict=True)
    return {draft["handle"]: record["id"] for draft, record in pairs}


def _items(data: Any, paths: Any) -> list[Any]:
    return [item for path in paths for item in find_values(data, path)]


def _without_handles(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_handles(each) for key, each in data.items() if key != "handle"}  # pyright: ignore
    return [_without_handles(each) for each in data] if isinstance(data, list) else data  # pyright: ignore
