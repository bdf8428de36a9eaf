"""What one step changes: the same as computing all anew."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.dominance import NO_AMOUNTS, find_dominance
from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import Cell, RatingTable
from app.decision.analysis.scores import compute_nets, compute_scores, find_leaders
from app.decision.analysis.sensitivity import ALL_TRIED, Change, Nudge, find_sensitivity
from tests.unit.decision.tables import replaced, rows, tables


def leading(table: RatingTable) -> tuple[str, ...]:
    return find_leaders(compute_nets(compute_scores(table)))


def dominated(table: RatingTable, measured: MeasuredTable = NO_AMOUNTS) -> tuple[str, ...]:
    return tuple(each.alternative for each in find_dominance(table.known, measured).dominated)


@pytest.mark.req("TR-03")
@given(tables(), st.data())
def test_a_step_sets_aside_only_those_for_whom_no_amount_speaks(table: RatingTable, data: st.DataObject) -> None:
    amounts = {(each, "O1"): float(data.draw(st.integers(0, 2))) for each in table.alternatives}
    measured = MeasuredTable({"O1": Measure(Direction.MAXIMIZE)}, amounts)
    found = {
        (each.nudge.alternative, each.nudge.objective, each.nudge.to): each.after
        for each in find_sensitivity(table, measured).dominated
    }
    for (alternative, objective), cell in table.cells.items():
        for to in (cell.rating - 1, cell.rating + 1):
            low, high = cell.span or (-2, 2)
            is_tried = alternative != table.baseline and (alternative, objective) not in table.unknown
            if is_tried and low <= to <= high:
                after = dominated(replaced(table, alternative, objective, to), measured)
                assert found.get((alternative, objective, to), dominated(table, measured)) == after


@given(tables())
def test_each_step_changes_what_a_new_computation_says(table: RatingTable) -> None:
    expected: dict[str, list[Change]] = {"leading": [], "dominated": []}
    for alternative, objective in product(table.alternatives, table.objectives):
        cell = table.cells.get((alternative, objective))
        if alternative == table.baseline or cell is None or (alternative, objective) in table.unknown:
            continue
        for to in (cell.rating - 1, cell.rating + 1):
            low, high = cell.span or (-2, 2)
            if low <= to <= high:
                nudge = Nudge(alternative, objective, cell.rating, to, cell.doubtful)
                moved = replaced(table, alternative, objective, to)
                for name, computed in (("leading", leading), ("dominated", dominated)):
                    if computed(moved) != computed(table):
                        expected[name].append(Change(nudge, computed(moved)))
    for changes in expected.values():
        changes.sort(key=lambda change: not change.nudge.doubtful)
    found = find_sensitivity(table)
    assert list(found.leaders) == expected["leading"]
    assert list(found.dominated) == expected["dominated"]


def test_doubtful_ratings_come_first() -> None:
    cells = {("A", "O1"): Cell(1), ("B", "O1"): Cell(0, doubtful=True)}
    found = find_sensitivity(RatingTable(("A", "B"), ("O1",), cells))
    assert [change.nudge.alternative for change in found.leaders] == ["B", "A"]


def test_no_step_leaves_the_range_that_people_gave() -> None:
    cells = {("A", "O1"): Cell(1, (0, 1), doubtful=True), ("B", "O1"): Cell(2, (2, 2))}
    found = find_sensitivity(RatingTable(("A", "B"), ("O1",), cells))
    assert found.leaders == ()
    wider = find_sensitivity(RatingTable(("A", "B"), ("O1",), cells | {("A", "O1"): Cell(1, (0, 2), doubtful=True)}))
    assert [change.nudge.to for change in wider.leaders] == [2]


def test_a_lead_that_becomes_a_tie_is_a_change() -> None:
    found = find_sensitivity(rows({"A": [1], "B": [0]}, baseline="B"))
    assert found.leaders == (Change(Nudge("A", "O1", 1, 0, False), ("A", "B")),)


def test_the_baseline_is_never_moved() -> None:
    found = find_sensitivity(rows({"A": [0], "B": [0]}, baseline="A"))
    assert {change.nudge.alternative for change in (*found.leaders, *found.dominated)} == {"B"}


def test_of_a_large_table_only_doubtful_ratings_are_tried() -> None:
    alternatives, objectives = [tuple(f"{letter}{number}" for number in range(16)) for letter in "AO"]
    cells = {at: Cell(0, doubtful=at == ("A3", "O3")) for at in product(alternatives, objectives)}
    table = RatingTable(alternatives, objectives, cells)
    found = find_sensitivity(table)
    assert found.doubtful_only
    assert [(change.nudge.to, change.after) for change in found.leaders] == [
        (-1, tuple(each for each in alternatives if each != "A3")),
        (1, ("A3",)),
    ]
    assert not find_sensitivity(table.select_columns(objectives[: ALL_TRIED // 16])).doubtful_only


@pytest.mark.req("TR-03")
@given(tables(), st.data())
def test_what_only_the_ratings_would_set_aside_is_told_apart(table: RatingTable, data: st.DataObject) -> None:
    amounts = {(each, "O1"): float(data.draw(st.integers(0, 2))) for each in table.alternatives}
    measured = MeasuredTable({"O1": Measure(Direction.MAXIMIZE)}, amounts)
    found = find_sensitivity(table, measured)
    for each in found.denied:
        moved = replaced(table, each.nudge.alternative, each.nudge.objective, each.nudge.to)
        assert set(each.after) <= set(dominated(moved)) - set(dominated(table)) - set(dominated(moved, measured))
    assert find_sensitivity(table).denied == ()


def test_an_amount_keeps_an_option_that_one_step_would_set_aside() -> None:
    measured = MeasuredTable({"O2": Measure(Direction.MINIMIZE)}, {("A", "O2"): 88.0, ("B", "O2"): 50.0})
    found = find_sensitivity(rows({"A": [1, -2], "B": [0, -1]}), measured)
    assert Change(Nudge("A", "O2", -2, -1, False), ("B",)) in found.denied
    assert Change(Nudge("A", "O2", -2, -1, False), ("B",)) not in found.dominated


@pytest.mark.req("TR-03")
def test_no_step_frees_an_option_that_an_amount_already_keeps() -> None:
    kept = rows({"A": [1, 0], "B": [0, 0]})
    measured = MeasuredTable({"O2": Measure(Direction.MINIMIZE)}, {("A", "O2"): 88.0, ("B", "O2"): 50.0})
    assert find_sensitivity(kept, measured).dominated == ()
    assert Change(Nudge("B", "O1", 0, 1, False), ()) in find_sensitivity(kept).dominated, "by the ratings alone"
