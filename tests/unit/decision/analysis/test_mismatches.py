"""Equal ratings of amounts far apart, and different ratings of equal amounts."""

from __future__ import annotations

import pytest

from app.decision.analysis.amounts.mismatches import MismatchKind, find_mismatches
from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import WHOLE, Cell, RatingTable
from tests.unit.decision.tables import rows

LESS, NEAR_20 = Measure(Direction.MINIMIZE), Measure(Direction.TARGET, 20)


def found(ratings: dict[str, list[int | None]], measure: Measure, **amounts: float) -> list[tuple[str, str, str]]:
    measured = MeasuredTable({"O1": measure}, {(each, "O1"): amount for each, amount in amounts.items()})
    return [(each.kind.name, each.one, each.other) for each in find_mismatches(rows(ratings), measured, {})]


@pytest.mark.req("TR-04")
@pytest.mark.parametrize(("middle", "asked"), [(26, True), (25, False)])
def test_equal_ratings_are_asked_about_from_more_than_a_quarter_of_the_range_on(middle: float, asked: bool) -> None:
    told = found({"A": [0], "B": [0], "C": [-2]}, LESS, A=0, B=middle, C=100)
    assert told == ([("EQUAL_RATINGS", "A", "B")] if asked else [])


@pytest.mark.req("TR-04")
def test_different_ratings_of_equal_amounts_are_asked_about() -> None:
    assert found({"A": [0], "B": [1], "C": [-1]}, LESS, A=5, B=5, C=9) == [("EQUAL_AMOUNTS", "A", "B")]
    assert found({"A": [0], "B": [0], "C": [-1]}, LESS, A=5, B=5, C=9) == []


@pytest.mark.req("TR-04")
def test_with_a_target_the_distance_to_it_is_compared() -> None:
    assert found({"A": [0], "B": [1]}, NEAR_20, A=18, B=22) == [("EQUAL_AMOUNTS", "A", "B")]
    assert found({"A": [0], "B": [0], "C": [-1]}, NEAR_20, A=10, B=30, C=40) == []
    assert found({"A": [0], "B": [0], "C": [-1]}, NEAR_20, A=10, B=20, C=40) == [("EQUAL_RATINGS", "A", "B")]
    near_4 = Measure(Direction.TARGET, 4)
    assert found({"A": [0], "B": [1]}, near_4, A=3.9, B=4.1) == [("EQUAL_AMOUNTS", "A", "B")], "in spite of last digits"


def test_the_farthest_apart_come_first_and_what_is_unknown_is_not_asked_about() -> None:
    told = found({"A": [0], "B": [0], "C": [0], "D": [None]}, LESS, A=0, B=50, C=100, D=70)
    assert told == [("EQUAL_RATINGS", "A", "C"), ("EQUAL_RATINGS", "A", "B"), ("EQUAL_RATINGS", "B", "C")]
    assert found({"A": [0], "B": [0]}, LESS, A=1) == []
    assert MismatchKind("equal_ratings") is MismatchKind.EQUAL_RATINGS


def test_a_rating_that_nobody_knows_is_neither_equal_to_another_nor_different() -> None:
    """Its 0 only holds the place."""
    cells = {("A", "O1"): Cell(0), ("B", "O1"): Cell(0, WHOLE), ("C", "O1"): Cell(-2), ("D", "O1"): Cell(0, WHOLE)}
    amounts = {("A", "O1"): 0, ("B", "O1"): 50, ("C", "O1"): 100, ("D", "O1"): 100}
    table = RatingTable(("A", "B", "C", "D"), ("O1",), cells)
    assert find_mismatches(table, MeasuredTable({"O1": LESS}, amounts), {}) == ()


@pytest.mark.req("TR-04")
def test_while_todays_amount_is_unknown_a_small_share_of_the_amounts_is_no_large_difference() -> None:
    """260 and 230 thousand are close, however small the range of the few amounts that are known."""
    ratings: dict[str, list[int | None]] = {"A": [0], "B": [1], "C": [2], "D": [1]}
    measured = MeasuredTable({"O1": LESS}, {("B", "O1"): 260, ("C", "O1"): 190, ("D", "O1"): 230})
    assert find_mismatches(rows(ratings, baseline="A"), measured, {}) == ()
    apart = MeasuredTable({"O1": LESS}, {("B", "O1"): 260, ("C", "O1"): 190, ("D", "O1"): 194})
    assert [(each.one, each.other) for each in find_mismatches(rows(ratings, baseline="A"), apart, {})] == [("B", "D")]
    today = MeasuredTable({"O1": LESS}, {("A", "O1"): 250, ("B", "O1"): 260, ("C", "O1"): 190, ("D", "O1"): 230})
    assert [(each.one, each.other) for each in find_mismatches(rows(ratings, baseline="A"), today, {})] == [("B", "D")]


@pytest.mark.parametrize(
    ("amounts", "meaning", "asked"),
    [
        ((12, 29), "10 to 30 days", None),
        ((12, 31), "10 to 30 days", ("B",)),
        ((9, 31), "10 to 30 days", ("A", "B")),
        ((12, 31), "about a month", ()),
        ((12, 31), "", ()),
    ],
)
def test_equal_ratings_within_a_defined_step_are_not_asked_about_and_an_amount_outside_of_it_is(
    amounts: tuple[float, float], meaning: str, asked: tuple[str, ...] | None
) -> None:
    given = {("A", "O1"): amounts[0], ("B", "O1"): amounts[1], ("C", "O1"): 0.0}
    measured = MeasuredTable({"O1": LESS}, given, {"O1": "days"})
    told = find_mismatches(rows({"A": [1], "B": [1], "C": [2]}), measured, {("O1", 1): meaning, ("O1", 2): "0 or less"})
    assert [(each.rating, each.outside) for each in told] == ([] if asked is None else [(1, asked)])
