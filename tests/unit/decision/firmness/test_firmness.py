"""Firmness, against plain enumeration: every case is written out, and the values follow from the formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.decision.analysis.ratings import At, Cell, RatingTable
from app.decision.analysis.swing import Swing, find_swings
from app.decision.firmness.counting import count_cases
from app.decision.firmness.drawing import DRAWS, draw_cases
from app.decision.firmness.firmness import Doubt, Firmness, find_firmness
from app.decision.firmness.space import ENUMERATED, build_space
from tests.properties import limit_examples
from tests.unit.decision.tables import replaced, rows, tables

Points = dict[str, int]

FOUR_ERRORS = 4 * 0.0079
"""Four standard errors of 4,000 draws: no share of an honest draw is farther off."""


def doubted(table: RatingTable, spans: Mapping[At, tuple[int, int] | None]) -> RatingTable:
    """The same table with these ranges; None is a doubt without a range."""
    cells = {at: Cell(table.cells[at].rating, span, doubtful=True) for at, span in spans.items()}
    return RatingTable(table.alternatives, table.objectives, {**table.cells, **cells}, table.baseline)


def firm(table: RatingTable, points: Points) -> Firmness:
    found = find_firmness(table, find_swings(table), points)
    assert found
    return found


# --- the oracle: nothing of the engine


def possible(cell: Cell) -> range:
    if cell.span:
        return range(cell.span[0], cell.span[1] + 1)
    return (
        range(max(-2, cell.rating - 1), min(2, cell.rating + 1) + 1)
        if cell.doubtful
        else range(cell.rating, cell.rating + 1)
    )


def cases(table: RatingTable) -> Iterator[dict[At, int]]:
    places = list(table.cells)
    for ratings in product(*(possible(table.cells[at]) for at in places)):
        yield dict(zip(places, ratings, strict=True))


def leaders(table: RatingTable, ratings: Mapping[At, int], worths: Mapping[str, Fraction]) -> frozenset[str]:
    """Who leads if a step on each objective is worth so much."""
    values = {
        each: sum(worths[objective] * ratings[each, objective] for objective in table.objectives)
        for each in table.alternatives
    }
    return frozenset(each for each, value in values.items() if value == max(values.values()))


def step_worths(table: RatingTable, points: Points) -> dict[str, Fraction]:
    """What one step is worth by points for going from the worst to the best rating."""
    return {
        each: Fraction(points[each], max(table.column(each)) - min(table.column(each)))  # pyright: ignore
        for each in table.objectives
    }


def turned(table: RatingTable, at: At, ratings: Mapping[At, int], worths: Mapping[str, Fraction]) -> bool:
    """Whether who leads depends on this one rating."""
    return len({leaders(table, {**ratings, at: each}, worths) for each in possible(table.cells[at])}) > 1


@st.composite
def spaces(draw: st.DrawFn) -> tuple[RatingTable, Points]:
    """A table whose objectives all vary, with few cases, and points."""
    table = draw(tables(most=3, gaps=0))
    assume(all(len(set(table.column(each))) > 1 for each in table.objectives))
    assume(prod(len(possible(cell)) for cell in table.cells.values()) <= 300)
    points = {each: draw(st.integers(1, 100)) for each in table.objectives}
    return table, points


@pytest.mark.req("TR-12")
@limit_examples(25)
@given(spaces())
def test_shares_of_first_places_are_those_of_all_cases_written_out(space: tuple[RatingTable, Points]) -> None:
    table, points = space
    worths = step_worths(table, points)
    ahead = [leaders(table, each, worths) for each in cases(table)]
    found = firm(table, points)
    assert found.exact
    for each in table.alternatives:
        assert found.firsts.get(each, 0) == pytest.approx(ahead.count(frozenset({each})) / len(ahead))
    assert found.level == pytest.approx(sum(len(each) > 1 for each in ahead) / len(ahead), abs=1e-9)
    assert {*found.level_ones} == {one for each in ahead if len(each) > 1 for one in each}


@pytest.mark.req("TR-13")
@limit_examples(25)
@given(spaces())
def test_a_doubt_matters_in_the_cases_where_another_rating_there_changes_who_leads(
    space: tuple[RatingTable, Points],
) -> None:
    table, points = space
    worths, whole = step_worths(table, points), list(cases(table))
    found = firm(table, points)
    now = {at: cell.rating for at, cell in table.cells.items()}
    one = dict.fromkeys(table.objectives, Fraction(1))
    assert {each.at for each in found.doubts} == {at for at, cell in table.cells.items() if len(possible(cell)) > 1}
    for each in found.doubts:
        at = each.at
        assert each.share == pytest.approx(sum(turned(table, at, case, worths) for case in whole) / len(whole))
        assert each.alone == (turned(table, at, now, worths) or turned(table, at, now, one))
        assert each.alone_by_value == turned(table, at, now, worths)
        assert each.by_sum == any(turned(table, at, case, one) for case in whole)
        assert each.idle == (each.share == 0 and not each.alone and not each.by_sum)
    order = [(not each.alone, -each.share) for each in found.doubts]
    assert order == sorted(order)


@pytest.mark.req("TR-12", "TR-13")
@limit_examples(10)
@given(spaces())
def test_drawn_cases_agree_with_counted_ones_within_the_error_that_is_promised(
    space: tuple[RatingTable, Points],
) -> None:
    table, points = space
    whole = build_space(table, find_swings(table), points)
    drawn, counted = draw_cases(whole), count_cases(whole)
    assert drawn.firsts == pytest.approx(counted.firsts, abs=FOUR_ERRORS)
    assert {at: drawn.turning.get(at, 0) for at in counted.turning} == pytest.approx(counted.turning, abs=FOUR_ERRORS)


# --- by hand


@pytest.mark.req("TR-12")
def test_one_range_of_three_ratings_gives_a_third_to_each_and_a_third_to_the_tie() -> None:
    found = firm(doubted(rows({"A": [0, 1], "B": [1, 0]}), {("B", "O1"): (-1, 1)}), {"O1": 100, "O2": 50})
    # B gets 100, 0 or −100 points on O1; A always 50 on O2. So B leads in one case of three.
    assert found.firsts == pytest.approx({"A": 2 / 3, "B": 1 / 3})
    assert [*found.firsts] == ["A", "B"]
    assert (found.level, found.exact, found.cases, found.open) == (pytest.approx(0), True, 3, ())
    tied = firm(doubted(rows({"A": [0, 1], "B": [1, 0]}), {("B", "O1"): (-1, 1)}), {"O1": 100, "O2": 100})
    assert (tied.firsts, tied.level) == (pytest.approx({"A": 2 / 3}), pytest.approx(1 / 3))


@pytest.mark.req("TR-12")
def test_a_doubt_without_a_range_reaches_one_step_and_stays_on_the_scale() -> None:
    for rating, reach in ((1, (0, 2)), (2, (1, 2))):
        table, points = doubted(rows({"A": [0, 1], "B": [rating, 0]}), {("B", "O1"): None}), {"O1": 100, "O2": 50}
        assert build_space(table, find_swings(table), points).bounds["B", "O1"] == reach
        assert firm(table, points).cases == len(range(*reach)) + 1


@pytest.mark.req("TR-12")
def test_where_no_points_were_given_any_are_tried() -> None:
    table = rows({"A": [2, 0], "B": [0, 2], "C": [1, 1]})
    found = firm(table, {})
    assert (found.open, found.cases, found.exact) == (("O1", "O2"), DRAWS, False)
    # By symmetry A and B lead in half of the cases each, and C, which lies between, in none.
    assert found.firsts == pytest.approx({"A": 0.5, "B": 0.5}, abs=FOUR_ERRORS)
    some = firm(table, {"O1": 40})
    # O2 has more than 40 points in 60 of 100 cases.
    assert (some.open, some.firsts) == (("O2",), pytest.approx({"A": 0.4, "B": 0.6}, abs=FOUR_ERRORS))


@pytest.mark.req("TR-12")
def test_an_objective_that_only_a_doubt_makes_vary_takes_part_and_may_count_for_anything() -> None:
    found = firm(doubted(rows({"A": [1, 0], "B": [0, 0]}), {("B", "O2"): (0, 2)}), {"O1": 100})
    assert found.open == ("O2",)
    # With B at 2, O2 would need more than 100 points, with B at 1 more than 200: A always leads.
    assert found.firsts == pytest.approx({"A": 1.0}, abs=0.001)


@pytest.mark.req("TR-12")
def test_who_is_behind_only_where_nothing_counts_is_level_in_the_lead() -> None:
    found = firm(rows({"A": [1, 0], "B": [1, 1], "C": [0, 0]}), {"O1": 100, "O2": 0})
    assert (found.firsts, found.level, found.level_ones) == ({}, 1.0, ("A", "B"))
    one_ahead = firm(rows({"A": [1, 0], "B": [1, 1], "C": [0, 0]}), {"O1": 100, "O2": 1})
    assert one_ahead.firsts == {"B": 1.0}


@pytest.mark.req("TR-12")
def test_beyond_200_000_cases_they_are_drawn_and_the_same_table_gives_the_same_numbers() -> None:
    table = rows({"A": [0, 1, 1, 0, 1, 0], "B": [1, 0, 0, 1, 0, 1]})
    few = doubted(table, dict.fromkeys([*table.cells][:11], None))
    many = doubted(table, dict.fromkeys(table.cells, None))
    points = dict.fromkeys(table.objectives, 100)
    assert (firm(few, points).cases, firm(few, points).exact) == (3**11, True)
    assert 3**11 <= ENUMERATED == 200_000 < 3**12
    drawn = firm(many, points)
    assert (drawn.cases, drawn.exact) == (4_000, False)
    assert drawn.firsts == {"A": 0.42125, "B": 0.434}, "in another process they were these"
    assert drawn.firsts != firm(replaced(many, "A", "O1", 1), points).firsts
    assert drawn.firsts["A"] == pytest.approx(drawn.firsts["B"], abs=2 * FOUR_ERRORS)


@pytest.mark.req("TR-13")
def test_what_changes_the_lead_alone_is_found_out_first_then_what_changes_it_together_and_idle_doubts_last() -> None:
    table = rows({"A": [2, 0, 0], "B": [0, 2, 0], "C": [-2, -2, -1]})
    spans = {("C", "O1"): (-2, -1), ("B", "O1"): (0, 1), ("A", "O3"): (-1, 0), ("A", "O1"): (1, 2)}
    found = firm(doubted(table, spans), {"O1": 100, "O2": 100, "O3": 20})
    # A and B are level as rated. Each of three doubts alone breaks that tie; C is behind whatever it gets.
    assert {each.at for each in found.doubts[:3]} == {("B", "O1"), ("A", "O1"), ("A", "O3")}
    assert [each.alone for each in found.doubts] == [True, True, True, False]
    assert found.doubts[-1] == Doubt(("C", "O1"), alone=False, share=0.0, by_sum=False)
    assert [each.idle for each in found.doubts] == [False, False, False, True]
    spans = {("B", "O1"): (-1, 2), ("A", "O1"): (0, 2)}
    alone, together = firm(doubted(rows({"A": [2, 2], "B": [1, 1]}), spans), {"O1": 100, "O2": 20}).doubts
    assert (alone.at[0], alone.alone, together.at[0], together.alone) == ("A", True, "B", False)
    assert alone.share < together.share, "what changes it alone comes first, in however few cases"


@pytest.mark.req("TR-13")
def test_two_doubts_may_change_together_what_neither_changes_alone() -> None:
    table = doubted(rows({"A": [2, 0, 1], "B": [0, 1, 0]}), {("A", "O1"): (1, 2), ("B", "O2"): (1, 2)})
    found = firm(table, {"O1": 100, "O2": 45, "O3": 1})
    # A has 101 or 51 points, B 45 or 90. B passes A only where A is low and B is high: one case of four.
    assert found.firsts == pytest.approx({"A": 0.75, "B": 0.25})
    assert [(each.at[0], each.alone) for each in found.doubts] == [("A", False), ("B", False)]
    assert [each.share for each in found.doubts] == [0.5, 0.5]


@pytest.mark.req("TR-13")
def test_doubts_that_turn_the_plain_sum_together_are_not_idle_though_they_never_turn_the_lead_by_points() -> None:
    table = rows({"A": [0, 0, 0], "B": [-2, -2, 1]})
    found = firm(doubted(table, {("B", "O2"): (-2, 0), ("B", "O3"): (0, 2)}), {"O1": 100, "O2": 40, "O3": 40})
    # By points B has at most 80 of A's 140. By the sum B has −3, and 0 with both doubts at their best.
    assert found.firsts == {"A": 1.0}
    assert [(each.alone, each.share, each.by_sum, each.idle) for each in found.doubts] == [(False, 0, True, False)] * 2
    behind = firm(doubted(table, {("B", "O2"): (-2, 0), ("B", "O3"): (0, 1)}), {"O1": 100, "O2": 40, "O3": 40})
    assert [each.idle for each in behind.doubts] == [True, True], "B has −1 at most"
    ahead = firm(doubted(table, {("A", "O2"): (-1, 0), ("B", "O3"): (0, 2)}), {"O1": 100, "O2": 40, "O3": 40})
    assert [each.idle for each in ahead.doubts] == [True, True], "A has −1 at least, and B −2 at most"
    level = firm(doubted(table, {("A", "O2"): (-1, 0), ("B", "O2"): (-2, 0)}), {"O1": 100, "O2": 40, "O3": 40})
    assert [(each.alone, each.idle) for each in level.doubts] == [(False, False)] * 2, "both may have −1"


def test_a_doubt_about_an_objective_without_points_matters_in_no_case() -> None:
    found = firm(doubted(rows({"A": [1, 0], "B": [1, 2], "C": [0, 1]}), {("B", "O2"): (-1, 2)}), {"O1": 100, "O2": 0})
    # A and B are level whatever it is, so that any value of B's lies beside A's.
    assert [(each.at[0], each.share) for each in found.doubts] == [("B", 0)]


def test_a_single_option_leads_and_no_doubt_can_change_that() -> None:
    table = doubted(rows({"A": [1, 0]}), {("A", "O1"): None})
    for points in ({}, {"O1": 100}):
        found = find_firmness(table, [Swing("O1", 0, 2)] if points else [], points)
        assert found
        assert found.firsts == {"A": 1.0}
        assert [each.idle for each in found.doubts] == [True]


def test_while_a_rating_is_missing_nothing_is_said() -> None:
    assert find_firmness(rows({"A": [1, None], "B": [0, 1]}), [], {}) is None


def test_a_table_without_doubts_and_with_all_points_has_one_case() -> None:
    found = firm(rows({"A": [2, 0], "B": [0, 1]}), {"O1": 100, "O2": 50})
    assert (found.cases, found.firsts, found.doubts) == (1, {"A": 1.0}, ())
