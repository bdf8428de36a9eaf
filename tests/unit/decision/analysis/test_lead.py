"""Standing out: who leads by which reading, and what doubtful ratings do to the lead, tried one by one and together."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.analysis import Standing, StandoutRule, analyse, find_standing
from app.decision.analysis.ratings import Cell, RatingTable, Steps
from app.decision.analysis.standing.lead import check_lead
from app.decision.analysis.standing.verdicts import NONE_GIVEN, NotWorth, SetAside, Verdicts
from app.decision.analysis.swing import weigh
from tests.properties import limit_examples
from tests.unit.decision.tables import contents, replaced, rows, tables


def table_of(cells: dict[str, list[Cell]]) -> RatingTable:
    """A table written as one list of cells for each alternative."""
    objectives = tuple(f"O{number + 1}" for number in range(len(next(iter(cells.values())))))
    places = {(each, at): cell for each, row in cells.items() for at, cell in zip(objectives, row, strict=True)}
    return RatingTable(tuple(cells), objectives, places)


def standing(table: RatingTable, points: dict[str, int] | None = None, verdicts: Verdicts = NONE_GIVEN) -> Standing:
    """Who stands out, by these points if there are any, after what people decided."""
    analysis = analyse(table, verdicts=verdicts)
    left = table.among(analysis.dominance.left)
    return find_standing(analysis, weigh(left, points) if points else None)


def name_of(found: Standing) -> str | None:
    return found.standout and found.standout.alternative


def score(table: RatingTable, alternative: str, worth: dict[str, Fraction]) -> Fraction:
    """The definition of a reading: the worth of all steps."""
    return sum((worth[each] * (table.rating(alternative, each) or 0) for each in worth), Fraction())


@pytest.mark.req("TR-01")
@pytest.mark.parametrize(
    ("doubtful", "shaken"),
    [
        (Cell(2, doubtful=True), []),
        (Cell(2, (1, 2), doubtful=True), []),
        (Cell(2, (0, 2), doubtful=True), [("A", "O1")]),
        (Cell(2, (0, 2)), []),
        (Cell(2, (2, 2), doubtful=True), []),
    ],
    ids=["one step", "an end that holds", "an end that ends it", "no doubt", "a range of one"],
)
def test_a_doubtful_rating_moves_to_the_end_of_its_range_or_by_one_step_without_one(
    doubtful: Cell, shaken: list[tuple[str, str]]
) -> None:
    table = table_of({"A": [doubtful, Cell(0)], "B": [Cell(-1), Cell(1)]})
    found = standing(table)
    assert list(found.shaken_by) == shaken
    assert name_of(found) == (None if shaken else "A")


@pytest.mark.req("TR-01")
def test_a_lead_by_value_that_one_set_aside_could_take_by_a_doubtful_rating_is_no_standout() -> None:
    # By value A has 130, and B and C have 100. A beats C everywhere, but a step more on O2 would bring C to 200.
    rows = {"A": [Cell(2), Cell(0), Cell(1)], "B": [Cell(-1), Cell(1), Cell(0)]}
    doubted = table_of({**rows, "C": [Cell(-1), Cell(0, (0, 1), doubtful=True), Cell(1)]})
    points = {"O1": 30, "O2": 100, "O3": 100}
    assert analyse(doubted).dominance.left == ("A", "B")
    assert name_of(standing(table_of({**rows, "C": [Cell(-1), Cell(0), Cell(1)]}), points)) == "A"
    assert standing(doubted, points).shaken_by == (("C", "O2"),)


@pytest.mark.req("TR-01")
def test_a_lead_by_value_that_one_doubtful_rating_ends_is_no_standout_though_the_sum_holds() -> None:
    # Sums 4 and 1; by value A has 100 and B 90, and one step of A on O2 is worth 50.
    table = table_of(
        {
            "A": [Cell(0), Cell(2, doubtful=True), Cell(2)],
            "B": [Cell(2), Cell(0), Cell(-1)],
        }
    )
    assert name_of(standing(table)) == "A"
    assert name_of(standing(table, {"O1": 90, "O2": 100, "O3": 0})) is None
    assert standing(table, {"O1": 90, "O2": 100, "O3": 0}).shaken_by == (("A", "O2"),)
    assert name_of(standing(table, {"O1": 40, "O2": 100, "O3": 0})) == "A"


@pytest.mark.req("TR-01")
def test_who_leads_by_sum_and_is_only_level_by_value_does_not_stand_out() -> None:
    table = table_of({"A": [Cell(2), Cell(0)], "B": [Cell(-1), Cell(1)]})
    assert name_of(standing(table, {"O1": 100, "O2": 99})) == "A"
    assert standing(table, {"O1": 100, "O2": 100}) == Standing(None)


@pytest.mark.req("TR-01")
def test_the_only_one_left_does_not_stand_out_if_a_doubtful_rating_ends_its_lead() -> None:
    sure = table_of({"A": [Cell(0), Cell(0)], "B": [Cell(1), Cell(0)]})
    assert name_of(standing(sure)) == "B"
    found = standing(table_of({"A": [Cell(0), Cell(0)], "B": [Cell(1, doubtful=True), Cell(0)]}))
    assert (found.standout, found.shaken_by) == (None, (("B", "O1"),))


STEP, GAINS = Steps("O1", 1), (Steps("O2", 2), Steps("O3", 1))


@pytest.mark.req("TR-01")
@pytest.mark.parametrize(
    ("sure", "verdicts"),
    [
        ((2, 0), Verdicts(dropped=frozenset({"C"}))),
        ((2, 0), Verdicts(not_worth=frozenset({NotWorth("C", "A", frozenset({STEP}), frozenset(GAINS))}))),
        ((1, 1), Verdicts(set_aside=frozenset({SetAside("C", "A")}))),
    ],
    ids=["dropped", "given up", "set aside"],
)
def test_the_doubtful_rating_of_one_that_people_took_out_in_words_ends_no_lead(
    sure: tuple[int, int], verdicts: Verdicts
) -> None:
    # The sums are 4, 2 and 2, and the doubtful rating alone would bring C to 4.
    rest = {"A": [Cell(1), Cell(2), Cell(1)], "B": [Cell(0), Cell(0), Cell(2)]}
    table = table_of({**rest, "C": [*map(Cell, sure), Cell(0, (0, 2), doubtful=True)]})
    assert standing(table) == Standing(None, (("C", "O3"),))
    found = standing(table, verdicts=verdicts)
    assert (name_of(found), found.shaken_by) == ("A", ())


@pytest.mark.req("TR-01")
def test_a_doubtful_rating_on_an_objective_that_people_dismissed_ends_no_lead() -> None:
    table = table_of({"A": [Cell(2), Cell(0, (-2, 0), doubtful=True)], "B": [Cell(0), Cell(1)]})
    assert standing(table) == Standing(None, (("A", "O2"),))
    found = standing(table, verdicts=Verdicts(left_out=frozenset({"O2"})))
    assert (name_of(found), found.shaken_by) == ("A", ())


@given(tables(gaps=0), st.data())
def test_what_shakes_a_lead_is_what_ends_it_when_tried(table: RatingTable, data: st.DataObject) -> None:
    worth = {each: Fraction(data.draw(st.integers(0, 4))) for each in table.objectives}
    values = {each: score(table, each, worth) for each in table.alternatives}
    leader = max(values, key=lambda each: values[each])
    if list(values.values()).count(values[leader]) > 1:
        return
    shaken: list[tuple[str, str]] = []
    for at in product(table.alternatives, table.objectives):
        cell = table.cells[at]
        for to in set(cell.reach) if cell.doubtful else ():
            moved = RatingTable(table.alternatives, table.objectives, {**table.cells, at: Cell(to)})
            tried = {each: score(moved, each, worth) for each in table.alternatives}
            if any(tried[each] >= tried[leader] for each in tried if each != leader) and at not in shaken:
                shaken.append(at)
    assert list(check_lead(table, leader, [worth]).shaken_by) == shaken


@pytest.mark.req("TR-05")
@limit_examples(20)
@given(tables(most=3, gaps=0).filter(lambda each: len(each.objectives) < 3))
def test_a_rival_is_who_can_draw_level_somewhere_in_all_ranges_together(table: RatingTable) -> None:
    worth = dict.fromkeys(table.objectives, Fraction(1))
    for leader in table.alternatives:
        found = {
            each
            for content in contents(table)
            for each in table.alternatives
            if each != leader and score(content, each, worth) >= score(content, leader, worth)
        }
        assert set(check_lead(table, leader, [worth]).rivals) == found


@pytest.mark.req("TR-05")
def test_the_only_one_left_names_who_could_come_back_within_the_ranges() -> None:
    table = table_of({"A": [Cell(0), Cell(0)], "B": [Cell(1, (0, 2)), Cell(2)], "C": [Cell(1, (-1, 2)), Cell(-2)]})
    found = standing(table).standout
    assert found
    assert (found.alternative, found.rule, found.rivals) == ("B", StandoutRule.ONLY_ONE_LEFT, ("C",))
    exact = standing(rows({"A": [0, 0], "B": [1, 2], "C": [1, -2]})).standout
    assert exact
    assert exact.rivals == ()


def test_a_lead_that_holds_is_moved_by_no_rating_that_nobody_doubts() -> None:
    table = replaced(rows({"A": [2, 0], "B": [0, 1]}), "A", "O1", 2)
    assert standing(table).shaken_by == ()
