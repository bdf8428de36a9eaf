"""The order that amounts give, by hand and against the formula."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import RatingTable
from app.decision.analysis.scores import compute_nets, compute_scores
from app.decision.analysis.swing import find_swings
from app.decision.firmness.amounts import Reversal, compare_orders
from tests.properties import limit_examples
from tests.unit.decision.tables import rows, tables

MORE, LESS = Measure(Direction.MAXIMIZE), Measure(Direction.MINIMIZE)
TABLE = rows({"A": [0, 2], "B": [1, 0], "C": [2, -1]})
DAYS = {("A", "O1"): 34.0, ("B", "O1"): 20.0, ("C", "O1"): 18.0}


@pytest.mark.req("TR-16")
def test_a_step_that_is_worth_little_by_amount_turns_the_order_and_its_cells_are_named() -> None:
    measured = MeasuredTable({"O1": LESS}, DAYS)
    found = compare_orders(TABLE, measured, find_swings(TABLE), {"O1": 100, "O2": 60})
    assert found
    # By ratings B has 50 + 20, A 0 + 60, C 100 + 0; by amounts B has 100 * 14/16 + 20.
    assert found.by_ratings == pytest.approx({"A": 60, "B": 70, "C": 100})
    assert found.by_amounts == pytest.approx({"A": 60, "B": 107.5, "C": 100})
    assert found.reversals == (Reversal("C", "B", (("B", "O1"),)),)


@pytest.mark.req("TR-16")
def test_without_all_points_a_swing_is_worth_its_steps_as_in_the_plain_sum() -> None:
    found = compare_orders(TABLE, MeasuredTable({"O1": LESS}, DAYS), find_swings(TABLE), {"O1": 100})
    assert found
    # The worst of both objectives are 0 and -1, so the values by ratings are the plain sums.
    assert found.by_ratings == pytest.approx({"A": 2, "B": 1, "C": 1})
    assert found.by_amounts == pytest.approx({"A": 2, "B": 2 * 14 / 16, "C": 1})
    assert found.reversals == ()


def test_the_nearer_to_a_target_the_better_and_equal_amounts_tell_nothing_apart() -> None:
    target = MeasuredTable({"O1": Measure(Direction.TARGET, 20.0)}, DAYS)
    found = compare_orders(TABLE, target, find_swings(TABLE), {})
    assert found
    assert found.by_amounts == pytest.approx({"A": 2, "B": 2, "C": 2 * 12 / 14 - 1})
    same = MeasuredTable({"O1": MORE}, dict.fromkeys(DAYS, 5.0))
    level = compare_orders(TABLE, same, find_swings(TABLE), {})
    assert level
    assert level.by_amounts == pytest.approx({"A": 2, "B": 0, "C": -1})


def test_without_all_amounts_of_an_objective_or_with_a_gap_there_is_no_other_order() -> None:
    few = MeasuredTable({"O1": LESS}, {("A", "O1"): 34.0})
    assert compare_orders(TABLE, few, find_swings(TABLE), {}) is None
    gap = rows({"A": [0, 2], "B": [1, None]})
    assert compare_orders(gap, MeasuredTable({"O1": LESS}, DAYS), find_swings(gap), {}) is None


@pytest.mark.req("TR-16")
def test_an_objective_without_all_its_amounts_counts_by_its_ratings_in_both_orders() -> None:
    measures, swings = {"O1": LESS, "O2": LESS}, find_swings(TABLE)
    few = {("A", "O2"): 9.0, ("B", "O2"): 1.0}
    found = compare_orders(TABLE, MeasuredTable(measures, {**DAYS, **few}), swings, {})
    assert found
    # O1 is worth 0, 1 and 2 by ratings, and 0, 2 * 14/16 and 2 by days; O2 adds 2, 0 and -1 to both.
    assert found.by_ratings == pytest.approx({"A": 2, "B": 1, "C": 1})
    assert found.by_amounts == pytest.approx({"A": 2, "B": 2 * 14 / 16, "C": 1})
    assert compare_orders(TABLE, MeasuredTable(measures, few), swings, {}) is None


@pytest.mark.req("TR-16")
@limit_examples(25)
@given(tables(gaps=0), st.data())
def test_amounts_that_say_the_same_as_the_ratings_give_the_same_values(table: RatingTable, data: st.DataObject) -> None:
    swings = find_swings(table)
    factor = data.draw(st.integers(1, 9))
    amounts = {at: float(cell.rating * factor) for at, cell in table.cells.items()}
    found = compare_orders(table, MeasuredTable(dict.fromkeys(table.objectives, MORE), amounts), swings, {})
    if not swings:
        assert found is None
        return
    assert found
    assert found.by_amounts == pytest.approx(found.by_ratings)
    assert found.reversals == ()


@limit_examples(25)
@given(tables(gaps=0), st.data())
def test_by_steps_the_values_by_ratings_are_the_plain_sums_also_where_all_are_alike(
    table: RatingTable, data: st.DataObject
) -> None:
    swings = find_swings(table)
    amounts = {at: float(data.draw(st.integers(0, 50))) for at in table.cells}
    found = compare_orders(table, MeasuredTable(dict.fromkeys(table.objectives, MORE), amounts), swings, {})
    if found:
        assert found.by_ratings == pytest.approx(compute_nets(compute_scores(table)))
