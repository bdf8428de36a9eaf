"""What a table of ratings is, and what it refuses."""

from __future__ import annotations

import pytest

from app.decision.analysis.ratings import At, Cell, Flaw, InvalidInput, RatingTable
from tests.unit.decision.tables import example, rows

ROWS, COLUMNS = ("A1", "A2"), ("O1",)


def refused(
    alternatives: tuple[str, ...] = ROWS,
    objectives: tuple[str, ...] = COLUMNS,
    cells: dict[At, Cell] | None = None,
    baseline: str | None = "A1",
) -> tuple[Flaw, tuple[str, ...]]:
    with pytest.raises(InvalidInput) as caught:
        RatingTable(alternatives, objectives, cells or {}, baseline)
    return caught.value.flaw, caught.value.handles


def test_a_table_without_rows_or_columns_is_refused() -> None:
    assert refused(alternatives=()) == (Flaw.EMPTY, ())
    assert refused(objectives=()) == (Flaw.EMPTY, ())


def test_a_table_of_more_than_fifty_columns_is_refused() -> None:
    handles = tuple(str(number) for number in range(51))
    assert refused(objectives=handles) == (Flaw.TOO_LARGE, ())
    assert RatingTable(ROWS, handles[:50], {}).size == 100


def test_a_handle_occurs_once() -> None:
    assert refused(alternatives=("A1", "A2", "A2")) == (Flaw.DUPLICATE, ("A2",))


def test_handles_that_are_not_in_the_table_are_refused() -> None:
    assert refused(baseline="A9") == (Flaw.UNKNOWN, ("A9",))
    assert refused(cells={("A9", "O1"): Cell(0)}) == (Flaw.UNKNOWN, ("A9", "O1"))
    assert refused(cells={("A2", "O9"): Cell(0)}) == (Flaw.UNKNOWN, ("A2", "O9"))


@pytest.mark.req("S0-144")
@pytest.mark.parametrize("rating", [-3, 3])
def test_a_rating_off_the_scale_is_refused(rating: int) -> None:
    assert refused(cells={("A2", "O1"): Cell(rating)}) == (Flaw.OFF_SCALE, ("A2", "O1"))


@pytest.mark.parametrize("span", [(-3, 0), (-1, 3), (1, 2), (-2, -1)])
def test_a_range_holds_its_rating_and_stays_on_the_scale(span: tuple[int, int]) -> None:
    assert refused(cells={("A2", "O1"): Cell(0, span)}) == (Flaw.RANGE, ("A2", "O1"))


@pytest.mark.parametrize("cell", [Cell(1), Cell(1, (0, 1))])
def test_the_baseline_is_0_and_nothing_else(cell: Cell) -> None:
    assert refused(cells={("A1", "O1"): cell}) == (Flaw.BASELINE, ("A1", "O1"))


def test_the_baseline_need_not_be_rated_and_any_other_gap_stays_a_gap() -> None:
    table = RatingTable(ROWS, COLUMNS, {}, "A1")
    assert table.column("O1") == (0, None)
    assert table.missing == (("A2", "O1"),)
    assert RatingTable(ROWS, COLUMNS, {}).missing == (("A1", "O1"), ("A2", "O1"))


def test_gaps_are_listed_objective_by_objective() -> None:
    table = rows({"A": [None, None], "B": [None, 1]})
    assert table.missing == (("A", "O1"), ("B", "O1"), ("A", "O2"))


def test_nobody_can_change_a_table_after_it_was_checked() -> None:
    cells = {("A2", "O1"): Cell(1)}
    table = RatingTable(ROWS, COLUMNS, cells)
    cells["A2", "O1"] = Cell(7)
    assert table.rating("A2", "O1") == 1
    with pytest.raises(TypeError):
        table.cells["A2", "O1"] = Cell(7)  # type: ignore[index]


def test_a_part_of_a_table_keeps_its_order_and_loses_the_baseline_with_its_row() -> None:
    table = example()
    assert table.among(["A5", "A1"]).alternatives == ("A1", "A5")
    assert table.among(["A5", "A1"]).baseline == "A1"
    assert table.among(["A5", "A2"]).baseline is None
    assert table.select_columns(["O4", "O2"]).row("A3") == (2, -2)


def test_an_error_says_what_and_where() -> None:
    error = InvalidInput(Flaw.OFF_SCALE, "A2", "O1")
    assert str(error) == "off_scale A2 O1"
