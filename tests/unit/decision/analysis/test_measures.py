"""Amounts: their direction, what contradicts them, and what is swapped for what."""

from __future__ import annotations

import pytest

from app.decision.analysis.measures import (
    Contradiction,
    Direction,
    Measure,
    MeasuredTable,
    find_contradictions,
)
from app.decision.analysis.ratings import Flaw, InvalidInput
from app.decision.analysis.swaps import EvenSwap, apply_swaps
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


def test_an_amount_is_worse_only_if_both_are_known() -> None:
    amounts = {**MEASURED.amounts, ("C", "pay"): 40, ("C", "hours"): 40, ("D", "pay"): 1}
    measured = MeasuredTable(MEASURED.measures, amounts)
    assert measured.find_worse("C", "A") == ("pay",)
    assert measured.find_worse("A", "C") == ()
    assert measured.find_worse("A", "B") == ("hours",)
    assert measured.find_worse("D", "A") == ("pay",)
    assert measured.find_worse("A", "D") == ()


def test_a_swap_writes_an_imagined_row_and_changes_no_amount() -> None:
    before = dict(MEASURED.amounts)
    found = apply_swaps(MEASURED, ("A", "B"), [EvenSwap("A", "hours", 35, "pay", 44)])
    assert found.rows == {"A": {"pay": 44, "hours": 35}, "B": {"pay": 45, "hours": 35}}
    assert (found.equal, found.better, found.preferred) == (("hours",), {"A": (), "B": ("pay",)}, "B")
    assert MEASURED.amounts == before


def test_before_any_swap_each_is_better_somewhere_and_none_is_preferred() -> None:
    found = apply_swaps(MEASURED, ("A", "B"), [])
    assert (found.equal, found.better, found.preferred) == ((), {"A": ("pay",), "B": ("hours",)}, None)
    assert found.log == ()


def test_two_rows_that_have_become_equal_are_equally_good() -> None:
    assert apply_swaps(MEASURED, ("A", "B"), [EvenSwap("A", "hours", 35, "pay", 45)]).preferred is None


def test_a_second_swap_starts_where_the_first_one_ended() -> None:
    swaps = [EvenSwap("A", "hours", 38, "pay", 48), EvenSwap("A", "hours", 35, "pay", 46)]
    found = apply_swaps(MEASURED, ("A", "B"), swaps)
    assert [(each.level_from, each.pay_from) for each in found.log] == [(40, 50), (38, 48)]
    assert found.preferred == "A"


@pytest.mark.parametrize(
    "swap",
    [
        EvenSwap("A", "hours", 35, "pay", 55),
        EvenSwap("A", "hours", 45, "pay", 45),
        EvenSwap("A", "hours", 40, "pay", 45),
        EvenSwap("A", "hours", 35, "pay", 50),
        EvenSwap("A", "hours", 40, "pay", 50),
        EvenSwap("A", "hours", 35, "hours", 45),
    ],
    ids=["both better", "both worse", "nothing levelled", "nothing paid", "nothing at all", "with itself"],
)
def test_what_gives_nothing_for_something_is_no_swap(swap: EvenSwap) -> None:
    with pytest.raises(InvalidInput) as refused:
        apply_swaps(MEASURED, ("A", "B"), [swap])
    assert refused.value.flaw is Flaw.NO_SWAP


@pytest.mark.parametrize(
    ("swap", "handles"),
    [
        (EvenSwap("C", "hours", 35, "pay", 45), ("C",)),
        (EvenSwap("A", "fame", 35, "pay", 45), ("A", "fame")),
        (EvenSwap("A", "hours", 35, "fame", 45), ("A", "fame")),
    ],
)
def test_a_swap_is_within_the_pair_and_within_what_is_measured(swap: EvenSwap, handles: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as refused:
        apply_swaps(MEASURED, ("A", "B"), [swap])
    assert (refused.value.flaw, refused.value.handles) == (Flaw.UNKNOWN, handles)


def test_a_pair_is_swapped_only_if_all_its_amounts_are_known() -> None:
    with pytest.raises(InvalidInput) as refused:
        apply_swaps(MeasuredTable({"pay": MORE}, {("A", "pay"): 1}), ("A", "B"), [])
    assert (refused.value.flaw, refused.value.handles) == (Flaw.GAPS, ("B", "pay"))
