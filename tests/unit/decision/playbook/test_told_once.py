"""What is told once is known in every later step that speaks of the thing."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from app.decision.playbook.found_so_far import REASONS, list_findings
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, example

TODAY = date(2026, 11, 21)
WHY, ASSUMED = "The hall is next door.", "The caretaker opens at six."
DRIVER, KEPT = "How cold it gets", "we know the people there"


def told(key: str, *more_cells: dict[str, Any]) -> str:
    """All that a later step is told when each earlier one holds something of people's."""
    results = {each.key: example(each.key) for each in PLAYBOOK.earlier(key)}
    results["issue_raising"]["uncertainties"][0]["driver"] = DRIVER
    if "alternatives" in results:
        results["alternatives"]["alternatives"][1]["assumptions"] = [ASSUMED]
    if "consequences" in results:
        cells = results["consequences"]["table"]["cells"]
        next(each for each in cells if each["alternative_id"] == "A2")["rationale"] = WHY
        cells += more_cells
    if "tradeoffs" in results:
        results["tradeoffs"]["dominated_alternatives"][0] |= {"user_verdict": "keep", "reason": KEPT}
    found = list_findings(PLAYBOOK[key], DecisionRecord(results, TODAY, {}))
    return "\n".join(line for each in found for line in (each.heading, *each.lines))


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["tradeoffs", "recommendation"])
def test_a_reason_given_for_a_rating_is_known_where_ratings_are_spoken_of(key: str) -> None:
    assert f"- A2 on O1: {WHY}" in told(key)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["consequences", "recommendation", "decision_quality"])
def test_an_assumption_of_an_option_is_known_where_options_are_judged(key: str) -> None:
    assert f"- A2: {ASSUMED}" in told(key)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", [*KEYS[KEYS.index("consequences") :], "problem_frame"])
def test_an_uncertainty_comes_with_what_it_depends_on(key: str) -> None:
    assert f"(depends on: {DRIVER})" in told(key)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["recommendation", "decision_quality", "notes_next_steps"])
def test_why_a_dominated_option_is_kept_is_known_afterwards(key: str) -> None:
    assert f"they said keep, because {KEPT}" in told(key)


def test_of_very_many_reasons_the_rest_is_counted() -> None:
    more = [{"alternative_id": "A2", "objective_id": "O1", "rating": 1, "rationale": "near"}] * REASONS
    assert "more, which are on record" in told("tradeoffs", *more)
    assert told("tradeoffs", *more).count(" on O1: near") < REASONS
