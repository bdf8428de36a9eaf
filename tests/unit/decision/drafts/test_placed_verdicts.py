"""Verdicts that are noted of the wrong kind of finding reach the right one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.decision.components.worked import accepted, minimal, rated

NEVER_WORSE = {"A1": [0, 0], "A2": [2, 1], "A3": [2, 0]}
"""A2 is never worse than A3, so nothing is given up between them."""
WHY = "Without the subsidy there is no A2."


def place(row: dict[str, Any], *dominated: dict[str, Any]) -> dict[str, Any]:
    """What an accepted submission has of A3's dominance."""
    given = {"alternative_id": "A3", "by": "A2", **row}
    draft = {**minimal("tradeoffs"), "practical_dominance": [given], "dominated_alternatives": list(dominated)}
    rows = accepted("tradeoffs", draft, rated(NEVER_WORSE)).draft["dominated_alternatives"]
    return next(each for each in rows if each["alternative_id"] == "A3")


@pytest.mark.parametrize(("noted", "stands"), [("accepted", "set_aside"), ("rejected", "keep")])
def test_a_verdict_noted_as_practical_dominance_stays_with_the_option_that_is_dominated(
    noted: str, stands: str
) -> None:
    found = place({"user_verdict": noted, "reason": WHY})
    assert (found["user_verdict"], found["reason"]) == (stands, WHY)


def test_a_verdict_noted_beside_the_dominance_itself_is_not_replaced() -> None:
    own = {"alternative_id": "A3", "user_verdict": "keep", "reason": "The owner wants it."}
    assert place({"user_verdict": "accepted"}, own)["user_verdict"] == "keep"
    bare = {"alternative_id": "A3"}
    assert place({"user_verdict": "accepted"}, bare)["user_verdict"] == "set_aside"


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"user_verdict": "rejected"},
        {"user_verdict": "accepted", "gives_up": [], "gains": []},
        {"user_verdict": "accepted", "by": "A1"},
    ],
    ids=["none", "kept without a reason", "of a former finding", "of another pair"],
)
def test_a_verdict_that_was_not_given_on_this_dominance_is_not_placed_there(row: dict[str, Any]) -> None:
    assert "user_verdict" not in place(row)
