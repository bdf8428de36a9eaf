"""Dominance against its definition: every content of the gaps is tried."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.dominance import DominanceKind, find_dominance
from app.decision.analysis.ratings import BEST, WORST, Cell, RatingTable
from tests.unit.decision.tables import fillings, rows, tables


def dominates(table: RatingTable, one: str, other: str) -> bool:
    """The definition, for a table without gaps: as good everywhere, better somewhere."""
    both = [(table.rating(one, objective), table.rating(other, objective)) for objective in table.objectives]
    ratings = [(a, b) for a, b in both if a is not None and b is not None]
    assert len(ratings) == len(both)
    return all(a >= b for a, b in ratings) and any(a > b for a, b in ratings)


def filled(table: RatingTable, one: str, ones: int, others: int) -> RatingTable:
    """Gaps of `one` hold `ones`, all others `others`."""
    cells = {at: Cell(ones if at[0] == one else others) for at in table.missing}
    return RatingTable(table.alternatives, table.objectives, {**table.cells, **cells}, table.baseline)


@pytest.mark.req("S0-167")
@given(tables(most=4, gaps=2))
def test_certain_is_what_holds_for_every_content_of_the_gaps_and_possible_what_holds_for_some(
    table: RatingTable,
) -> None:
    found = find_dominance(table)
    holds = {
        (one, other): {dominates(each, one, other) for each in fillings(table)}
        for one, other in permutations(table.alternatives, 2)
    }
    dominators = {each.alternative: set(each.all_dominators) for each in found.dominated}
    for other in table.alternatives:
        assert dominators.get(other, set()) == {one for one, two in holds if two == other and holds[one, two] == {True}}
    assert {(each.by, each.alternative) for each in found.possible} == {
        (one, other) for (one, other), results in holds.items() if True in results and other not in dominators
    }


@given(tables(most=8))
def test_the_dominator_that_is_shown_is_not_dominated_and_the_farthest_ahead(table: RatingTable) -> None:
    found = find_dominance(table)
    assert found.left
    for each in found.dominated:
        candidates = [over for over in each.all_dominators if over in found.left]
        sums = {over: sum(WORST if rating is None else rating for rating in table.row(over)) for over in candidates}
        assert each.dominated_by == next(over for over in candidates if sums[over] == max(sums.values()))


@given(tables(most=6))
def test_better_and_equal_divide_all_objectives_and_strict_means_better_wherever_alternatives_differ(
    table: RatingTable,
) -> None:
    for each in find_dominance(table).dominated:
        certain = filled(table, each.dominated_by, WORST, BEST)
        ahead = {
            objective: (certain.rating(each.dominated_by, objective) or 0)
            - (certain.rating(each.alternative, objective) or 0)
            for objective in table.objectives
        }
        assert each.better_on == tuple(objective for objective, steps in ahead.items() if steps > 0)
        assert each.equal_on == tuple(objective for objective, steps in ahead.items() if steps == 0)
        level = [
            objective
            for objective in each.equal_on
            if None in table.column(objective) or len(set(table.column(objective))) > 1
        ]
        assert each.kind == (DominanceKind.WEAK if level else DominanceKind.STRICT)


@given(tables(gaps=0), st.data())
def test_a_robust_finding_holds_for_any_ratings_inside_the_ranges_and_another_one_does_not(
    table: RatingTable, data: st.DataObject
) -> None:
    for each in find_dominance(table).dominated:
        if each.robust:
            cells = {at: Cell(data.draw(st.integers(*cell.bounds))) for at, cell in table.cells.items()}
        else:
            cells = {
                at: Cell(cell.bounds[0] if at[0] == each.dominated_by else cell.bounds[1])
                for at, cell in table.cells.items()
            }
        moved = RatingTable(table.alternatives, table.objectives, cells)
        assert dominates(moved, each.dominated_by, each.alternative) is each.robust


@given(tables(most=6))
def test_identical_full_rows_are_a_tie_and_none_of_them_dominates_another(table: RatingTable) -> None:
    found = find_dominance(table)
    group = {alternative: tie for tie in found.ties for alternative in tie}
    for one, other in permutations(table.alternatives, 2):
        alike = table.row(one) == table.row(other) and None not in table.row(one)
        assert (other in group.get(one, ())) is alike
    for each in found.dominated:
        assert not set(each.all_dominators) & set(group.get(each.alternative, ()))


def test_between_dominators_equally_far_ahead_the_first_in_display_order_is_shown() -> None:
    found = find_dominance(rows({"C": [0, 0], "B": [0, 2], "A": [2, 0]}))
    assert [(each.alternative, each.dominated_by) for each in found.dominated] == [("C", "B")]


def test_a_dominator_that_is_dominated_itself_is_not_shown() -> None:
    found = find_dominance(rows({"A": [0, 0], "B": [1, 1], "C": [2, 1]}))
    assert found.dominated[0].all_dominators == ("B", "C")
    assert found.dominated[0].dominated_by == "C"


def test_better_on_all_that_varies_is_strict_though_a_condition_is_met_by_all() -> None:
    found = find_dominance(rows({"A": [2, 1], "B": [0, 1]})).dominated
    assert [(each.kind, each.better_on, each.equal_on) for each in found] == [(DominanceKind.STRICT, ("O1",), ("O2",))]


def test_without_a_baseline_nothing_is_said_of_it() -> None:
    found = find_dominance(rows({"A": [0], "B": [0], "C": [1]}))
    assert not found.baseline_dominated
    assert found.like_baseline == ()
    assert found.ties == (("A", "B"),)


def test_a_range_that_reaches_across_makes_a_finding_less_than_robust() -> None:
    cells = {("A", "O1"): Cell(2, (0, 2)), ("B", "O1"): Cell(1, (1, 1))}
    assert [each.robust for each in find_dominance(RatingTable(("A", "B"), ("O1",), cells)).dominated] == [False]
    cells["A", "O1"] = Cell(2, (1, 2))
    assert [each.robust for each in find_dominance(RatingTable(("A", "B"), ("O1",), cells)).dominated] == [False]
    cells["B", "O1"] = Cell(0, (-1, 0))
    assert [each.robust for each in find_dominance(RatingTable(("A", "B"), ("O1",), cells)).dominated] == [True]
