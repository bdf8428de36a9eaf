"""Of one thing a unit is told in the singular."""

from __future__ import annotations

import pytest

from app.decision.rows import describe_amount
from app.decision.schema.terms import count_unit
from tests.unit.decision.components.worked import rated


@pytest.mark.parametrize(
    ("unit", "one"),
    [
        ("hours", "hour"), ("euros a year", "euro a year"), ("days", "day"), ("times a week", "time a week"),
        ("kEUR", "kEUR"), ("%", "%"), ("business", "business"), ("bonus", "bonus"), ("basis", "basis"), ("gas", "gas"),
        ("boxes", "boxes"), ("parties", "parties"), ("", ""), ("steps", "step"), ("euros net", "euro net"),
        ("kbps", "kbps"), ("mbps", "mbps"), ("news", "news"), ("lens", "lens"), ("chaos", "chaos"), ("fps", "fps"),
        ("volunteer hours", "volunteer hour"), ("volunteer hours per week", "volunteer hour per week"),
        ("sales calls a day", "sales call a day"), ("square metres", "square metre"), ("business days", "business day"),
        ("share of buildings", "share of buildings"), ("days of news", "day of news"), ("hours/week", "hour/week"),
    ],
)  # fmt: skip
def test_a_unit_is_in_the_singular_of_one_alone(unit: str, one: str) -> None:
    assert (count_unit(1, unit), count_unit(2, unit), count_unit(1.5, unit)) == (one, unit, unit)


def test_an_amount_of_one_is_told_so_everywhere() -> None:
    assert describe_amount({"quant_value": 1, "quant_unit": "hours"}) == "1 hour"
    so_far = rated({"A1": [0], "A2": [1]})
    measure = {"metric": "Hours at the phone", "direction": "minimize", "units": "hours"}
    so_far.results["objectives"]["fundamental_objectives"][0]["performance_measure"] = measure
    cells = so_far.results["consequences"]["table"]["cells"]
    cells[-1] |= {"quant_value": 1.0, "quant_unit": "hours"}
    assert so_far.describe_amount(("A2", "O1")) == "1 hour"
