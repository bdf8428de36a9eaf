"""Points that are noted in the talk belong to the ranges that people gave them for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Role
from app.core.state.interview import Mode
from app.decision.schema.paths import Draft
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.core.threads import said
from tests.unit.decision.components.worked import rated

WIDE = {"A1": [0, 0], "A2": [2, -2], "A3": [-2, 1]}
"""The second objective goes from -2; points were given while it went from -1."""


GIVEN: list[dict[str, Any]] = [{"objective_id": "O2", "worst": -1, "best": 1, "points": 60, "rank": 1}]


def weighing(*texts: str, **more: Any) -> Box:
    """The step in which points were given for a former range, and what was said there by a person and the app."""
    roles = ((Role.ASSISTANT, ""), (Role.PERSON, "UOWNER"))
    sides = (roles[seq % 2] for seq in range(1, len(texts) + 1))
    rows = tuple(
        replace(said(seq, text), role=role, author=author)
        for (seq, text), (role, author) in zip(enumerate(texts, 1), sides, strict=True)
    )
    draft = {"swing_weights": GIVEN}
    return Box(interviewed(component="tradeoffs", draft=draft, **more), rows, so_far=rated(WIDE))


OLD = ("60 on O2", "Noted.", "ok")


@pytest.mark.req("TR-02")
@pytest.mark.parametrize(
    ("talk", "is_said"),
    [
        ((*OLD, "The range on O2 changed. What now?", "go on"), False),
        ((*OLD, "The range on O2 changed. What now?", "60"), True),
        ((*OLD, "The range on O2 changed. What now?", "sixty, as I said"), True),
        ((*OLD, "The range on O2 changed. What now?", "the same"), True),
        ((*OLD, "Does O2 count 60 points from -2 to +1?", "yes"), True),
        ((*OLD, "Does O2 count 60 points from -2 to +1?", "no"), False),
    ],
)
def test_points_of_a_former_range_are_noted_again_only_if_people_have_just_said_them(
    talk: tuple[str, ...], *, is_said: bool
) -> None:
    fields = {"objective_id": "O2", "points": 60}
    calls: tuple[tuple[str, Draft], ...] = (
        ("note_item", {"list": "swing_weights", "fields": fields}),
        ("change_item", {"item": "o2", "fields": {"points": 60}}),
    )
    for name, given in calls:
        told, failed = weighing(*talk).sends(name, given)
        assert failed != is_said
        assert is_said or "60 were given on O2 Aim O2 for another range" in str(told)
    weighing(*talk).does("note_item", list="swing_weights", fields={**fields, "points": 70})
    weighing(*talk, mode=Mode.DIRECT).does("note_item", list="swing_weights", fields=fields)
