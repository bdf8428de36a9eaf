"""What differs between two versions, as the steps that build on them are told it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from app.decision.playbook.version_changes import MOST, list_changes
from tests.unit.decision.components.worked import PLAYBOOK, cell, example


def changed(key: str, after: dict[str, Any], before: dict[str, Any] | None = None) -> tuple[str, ...]:
    return list_changes(PLAYBOOK[key], before or example(key), after, (1, 2))


@pytest.mark.req("FA-21", "FA-27")
def test_a_changed_rating_is_told_with_its_cell_and_both_values() -> None:
    after = deepcopy(example("consequences"))
    cell(after, "A5", "O1")["rating"] = 2
    assert changed("consequences", after) == ("Consequences: v1 → v2", "- A5 on O1: +1 → +2")


@pytest.mark.req("FA-21", "FA-27")
def test_why_a_cell_has_changed_and_its_amounts_are_told_with_it() -> None:
    was = {"alternative_id": "A5", "objective_id": "O1", "rating": 1, "quant_value": 50, "quant_unit": "kEUR"}
    said = {**was, "rating": 0, "quant_value": 80, "rationale": "Their second offer is dearer"}
    before, after = ({"table": {"cells": [each]}} for each in (was, said))
    (_, line) = changed("consequences", after, before)
    assert line == "- A5 on O1: +1 [50 kEUR] → 0 [80 kEUR], because: Their second offer is dearer"
    plain = {"alternative_id": "A5", "objective_id": "O1", "rating": 1}
    one, two = ({"table": {"cells": [{**plain, "quant_value": each}]}} for each in (1, 2))
    assert changed("consequences", two, one)[1] == "- A5 on O1: +1 [1] → +1 [2]"
    large = {"table": {"cells": [{**plain, "quant_value": 1_234_567}]}}
    assert changed("consequences", large, one)[1] == "- A5 on O1: +1 [1] → +1 [1,234,567]"
    unknown = {"table": {"cells": [{**plain, "rating": 0, "rating_range": {"low": -2, "high": 2}}]}}
    assert changed("consequences", unknown, {"table": {"cells": [plain]}})[1] == "- A5 on O1: +1 → not known"
    bare, doubted = ({"table": {"cells": [{**plain, **more}]}} for more in ({}, {"uncertainty": {"level": "high"}}))
    assert changed("consequences", doubted, bare)[1] == "- A5 on O1: worded or backed otherwise"


@pytest.mark.req("FA-21")
def test_items_that_came_went_and_were_reworded_are_told_by_name() -> None:
    after = deepcopy(example("objectives"))
    first, second, *rest = after["fundamental_objectives"]
    new = {"handle": "O9", "description": "Be proud of it"}
    after["fundamental_objectives"] = [{**first, "description": "Be quick"}, *rest, new]
    _head, *lines = changed("objectives", after)
    assert lines == [
        "- O1 Be quick: worded or backed otherwise",
        f"- O2 {second['description']}: gone",
        "- O9 Be proud of it: new",
    ]


@pytest.mark.req("FA-21")
def test_a_measure_that_an_objective_got_is_told_as_added_and_not_as_worded_otherwise() -> None:
    bare = deepcopy(example("objectives"))
    first = bare["fundamental_objectives"][0]
    measure = first.pop("performance_measure")
    assert changed("objectives", example("objectives"), bare)[1] == f"- O1 {first['description']}: Measure added"
    assert changed("objectives", bare)[1] == f"- O1 {first['description']}: Measure taken out"
    both = deepcopy(bare)
    both["fundamental_objectives"][0] |= {"description": "Be quick", "performance_measure": measure}
    assert changed("objectives", both, bare)[1] == "- O1 Be quick: worded or backed otherwise, Measure added"


@pytest.mark.req("FA-21")
def test_points_scores_days_and_verdicts_are_told_with_both_values_and_not_as_worded_otherwise() -> None:
    def told(key: str, path: str, **fields: Any) -> str:
        before = example(key)
        after = deepcopy(before)
        after[path][0] |= fields
        return changed(key, after, before)[1]

    assert told("tradeoffs", "swing_weights", points=60) == "- swing_weights O1: Points 100 → 60"
    assert told("tradeoffs", "dominated_alternatives", user_verdict="keep").endswith(" set_aside → keep")
    assert told("decision_quality", "elements", score=40) == "- Helpful Problem Frame: Score 90 → 40"
    steps = told("notes_next_steps", "planned_actions", due_date="2026-12-14", action="Replay more old tickets")
    assert steps == "- N1 Replay more old tickets: worded or backed otherwise, By when 2026-12-11 → 2026-12-14"
    assert told("tradeoffs", "tensions", gains=["O1"], net_score=4).endswith(": Gains changed, Net score 0 → 4")


@pytest.mark.req("FA-21")
def test_fields_are_told_with_both_values_and_quotes_are_no_change() -> None:
    before: dict[str, Any] = {"focal_decision": {"deadline": "2026-12-18", "scope": "All", "in_scope": ["Nights"]}}
    after: dict[str, Any] = {"focal_decision": {"deadline": "2027-01-08", "in_scope": ["Nights", "Days"]}}
    assert changed("problem_frame", after, before)[1:] == (
        "- focal_decision.deadline: 2026-12-18 → 2027-01-08",
        "- focal_decision.scope: All → nothing",
        "- Days: new",
    )
    quoted = {**before, "parties": [{"handle": "P1", "name": "Jo", "evidence": [{"quote": "Jo"}]}]}
    plain = {**before, "parties": [{"handle": "P1", "name": "Jo"}]}
    assert changed("problem_frame", quoted, plain) == ("Problem frame: v1 → v2",)


@pytest.mark.req("FA-21")
def test_of_many_changes_the_rest_is_counted() -> None:
    after = deepcopy(example("consequences"))
    for each in after["table"]["cells"]:
        each["rating"] = -2 if each["rating"] else 0
    told = changed("consequences", after)
    assert len(told) == MOST + 2
    assert told[-1].endswith("more changes")
    assert "- A2 on O1: +2 → -2" in told
