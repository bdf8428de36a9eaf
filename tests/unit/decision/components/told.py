"""A decision in which each earlier step holds something that people said."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from app.core.state.sheet import Item
from app.decision.layout.parts.result import Result
from app.decision.layout.parts.told_parts import TOLD
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, example

TODAY = date(2026, 11, 21)
THIRD = DecisionRecord({"alternatives": example("alternatives")}, TODAY, {}).label("A3")
WHY, ASSUMED = "The hall is next door.", "The caretaker opens at six."
DRIVER, KEPT = "How cold it gets", "we know the people there"


def known(key: str, *more_cells: dict[str, Any]) -> dict[str, Any]:
    """The results of all earlier steps, each with something of people's."""
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
    return results


def verdicts(key: str) -> dict[str, Any]:
    """The same, with people's words on a practical dominance and on an objective."""
    results = known(key)
    pair = {"alternative_id": "A4", "by": "A3", "user_verdict": "rejected", "reason": KEPT}
    gone = {"objective_id": "O2", "kind": "user_dismissed", "reason": WHY}
    results["tradeoffs"] |= {"practical_dominance": [pair], "irrelevant_objectives": [gone]}
    return results


def find_told(result: Result, name: str) -> Iterator[Item]:
    """What people put into words of this kind, as the details and windows of a later step list it."""
    return TOLD[name][2](result)
