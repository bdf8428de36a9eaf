"""Amounts: their direction, and what contradicts them."""

from __future__ import annotations

import pytest

from app.decision.analysis.measures import (
    Contradiction,
    Direction,
    Measure,
    MeasuredTable,
    find_contradictions,
)
from app.decision.analysis.ratings import WHOLE, Cell, Flaw, InvalidInput, RatingTable
from tests.unit.decision.tables import rows

MORE, LESS = Measure(Direction.MAXIMIZE), Measure(Direction.MINIMIZE)
MEASURED = MeasuredTable(
    {"pay": MORE, "hours": LESS},
    {("A", "pay"): 50, ("A", "hours"): 40, ("B", "pay"): 45, ("B", "hours"): 35},
)


def test_each_direction_has_its_own_better() -> None:
    near = Measure(Direction.TARGET, 20)
    assert [measure.compare(21, 25) for measure in (MORE, LESS, near)] == [-1, 1, 1]
    assert near.compare(19, 21) == 0
    assert near.compare(10, 21) == -1


@pytest.mark.parametrize(
    ("direction", "target"), [(Direction.TARGET, None), (Direction.MAXIMIZE, 3.0), (Direction.MINIMIZE, 0.0)]
)
def test_a_measure_has_a_target_only_if_it_is_to_be_met(direction: Direction, target: float | None) -> None:
    with pytest.raises(InvalidInput) as refused:
        Measure(direction, target)
    assert refused.value.flaw is Flaw.TARGET


def test_an_amount_needs_a_measure() -> None:
    with pytest.raises(InvalidInput) as refused:
        MeasuredTable({"pay": MORE}, {("A", "hours"): 1})
    assert (refused.value.flaw, refused.value.handles) == (Flaw.UNKNOWN, ("A", "hours"))


def test_a_higher_rating_for_a_worse_amount_is_a_contradiction_and_an_equal_one_is_none() -> None:
    table = rows({"A": [0, 1], "B": [1, 1], "C": [2, -1]})
    measured = MeasuredTable({"O1": LESS}, {("A", "O1"): 10, ("B", "O1"): 12, ("C", "O1"): 10})
    assert find_contradictions(table, measured) == (Contradiction("O1", "B", "A"),)


def test_what_is_not_rated_or_not_measured_contradicts_nothing() -> None:
    table = rows({"A": [0, 2], "B": [None, 1], "C": [2, 0]})
    measured = MeasuredTable({"O1": LESS}, {("A", "O1"): 10, ("B", "O1"): 99})
    assert find_contradictions(table, measured) == ()


def test_a_rating_that_nobody_knows_contradicts_no_amount() -> None:
    """Its 0 only holds the place."""
    table = RatingTable(("A", "B"), ("O1",), {("A", "O1"): Cell(-1), ("B", "O1"): Cell(0, WHOLE)})
    measured = MeasuredTable({"O1": LESS}, {("A", "O1"): 10, ("B", "O1"): 12})
    assert find_contradictions(table, measured) == ()


def test_an_amount_is_worse_only_if_both_are_known() -> None:
    amounts = {**MEASURED.amounts, ("C", "pay"): 40, ("C", "hours"): 40, ("D", "pay"): 1}
    measured = MeasuredTable(MEASURED.measures, amounts)
    assert measured.find_worse("C", "A") == ("pay",)
    assert measured.find_worse("A", "C") == ()
    assert measured.find_worse("A", "B") == ("hours",)
    assert measured.find_worse("D", "A") == ("pay",)
    assert measured.find_worse("A", "D") == ()
