"""Changes of a card that is shown again are told by kind: each kind once, and of ratings what else than the step."""

from __future__ import annotations

from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import accepted, before, example

FRAME = {"decision_maker": {"name": "Maya"}}
HEADS = [{"handle": f"P{n}", "name": f"Head {n}"} for n in (1, 2, 3)]


def test_new_fields_and_new_items_stand_together_and_new_is_said_once() -> None:
    now: Draft = {"decision_maker": {"name": "Maya", "authority": "sole"}, "parties": HEADS}
    told = "new: Decision maker (How they decide), P1 Head 1, P2 Head 2 and 1 more"
    assert describe_changes(FRAME, now, before("problem_frame")) == (told,)


def test_a_doubt_or_range_on_ratings_that_stay_is_told_with_its_place() -> None:
    was, now = (accepted("consequences", example("consequences")).draft for _ in range(2))
    cells = {f"{each['alternative_id']}_{each['objective_id']}": each for each in now["table"]["cells"]}
    cells["A2_O3"]["rating_range"] = {"low": -2, "high": 0}
    cells["A3_O1"]["uncertainty"] = {"level": "high", "driver": "Vendor"}
    assert describe_changes(was, now, before("consequences")) == (
        "another reason, doubt or range: A2 Specialist partner with onboarding on O3 Keep extra cost low and "
        "A3 Budget call centre on O1 Solve urgent off-hours…",
    )
    cells["A6_O1"]["rationale"] = "They are tired."
    assert describe_changes(was, now, before("consequences"))[0].endswith(" and 1 more")
