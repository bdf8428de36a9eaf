"""A verdict submitted in the wrong list is refused with the list of its finding, as it is when it is noted."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.drafts.draft import Rejected, read
from tests.unit.decision.components.worked import PLAYBOOK, accepted, minimal, rated

NEVER_WORSE = {"A1": [0, 0], "A2": [2, 1], "A3": [2, 0]}
"""A2 is never worse than A3, so nothing is given up between them."""
ONE_STEP = {"A1": [0, 0, 0], "A2": [2, 2, 0], "A3": [-2, -2, 1], "A4": [0, 1, 1]}
"""A4 is a step ahead of A2, which is far ahead of it."""


def submitted(rows: dict[str, list[int]], path: str, **row: str) -> list[tuple[str, str]]:
    """The fields that are refused, with what is wanted there; empty if nothing is refused."""
    draft: Any = {**minimal("tradeoffs"), path: [row]}
    judged = read(PLAYBOOK["tradeoffs"], draft, rated(rows))
    return [(each.field, each.requirement) for each in judged.issues] if isinstance(judged, Rejected) else []


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
@pytest.mark.req("FA-04")
def test_a_verdict_on_a_dominance_is_refused_among_the_practical_ones_with_where_it_belongs(verdict: str) -> None:
    row = {"alternative_id": "A3", "by": "A2", "user_verdict": verdict}
    assert submitted(NEVER_WORSE, "practical_dominance", **row) == [
        ("practical_dominance.0.alternative_id", "a verdict in dominated_alternatives, where the ratings find it")
    ]


@pytest.mark.req("FA-04")
def test_a_verdict_on_a_practical_dominance_is_refused_among_the_others_with_where_it_belongs() -> None:
    row = {"alternative_id": "A4", "user_verdict": "set_aside"}
    assert submitted(ONE_STEP, "dominated_alternatives", **row) == [
        ("dominated_alternatives.0.alternative_id", "a verdict in practical_dominance, where the ratings find it")
    ]


def test_where_it_belongs_a_verdict_is_taken_and_a_claim_without_one_is_no_verdict() -> None:
    given: dict[str, Any] = {"alternative_id": "A3", "user_verdict": "set_aside"}
    draft = accepted("tradeoffs", {**minimal("tradeoffs"), "dominated_alternatives": [given]}, rated(NEVER_WORSE)).draft
    row = next(each for each in draft["dominated_alternatives"] if each["alternative_id"] == "A3")
    assert row["user_verdict"] == "set_aside"
    assert submitted(NEVER_WORSE, "practical_dominance", alternative_id="A3", by="A2") == []


def test_a_verdict_on_what_the_ratings_find_nowhere_is_dropped_with_the_claim() -> None:
    assert submitted(NEVER_WORSE, "dominated_alternatives", alternative_id="A2", user_verdict="set_aside") == []
