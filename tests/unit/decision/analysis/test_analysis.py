"""The whole analysis: its order, its independence of order, and what stands out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.analysis import Analysis, Standing, StandoutRule, analyse, find_standing
from app.decision.analysis.conflict import Conflict, compare_pair
from app.decision.analysis.ratings import Cell, RatingTable
from app.decision.analysis.standing.verdicts import SetAside, Verdicts
from app.decision.analysis.swing import weigh
from tests.unit.decision.tables import rows, tables

BY_ORDER = {"dominated_by", "kind", "better_on", "equal_on", "despite"}
"""What is said of the one dominator that is shown: between equals the first one."""


def unordered(value: Any) -> Any:
    """The same without any order; of a finding only what does not depend on display order."""
    if is_dataclass(value):
        return frozenset(
            (each.name, unordered(getattr(value, each.name))) for each in fields(value) if each.name not in BY_ORDER
        )
    return frozenset(unordered(each) for each in value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType]


def findings(table: RatingTable) -> dict[str, Any]:
    analysis = analyse(table)
    found = {each.name: unordered(getattr(analysis, each.name)) for each in fields(Analysis) if each.name != "table"}
    found["pairs"] = {
        unordered(compare_pair(table, *ends))
        for pair in analysis.pairs
        for ends in ((pair.one, pair.other), (pair.other, pair.one))
    }
    headline = analysis.headline
    found["headline"] = headline and headline.discordant - headline.concordant
    found.pop("as_opposed")  # beside a headline that the order may choose among equals
    return found


@given(tables(), st.data())
def test_another_display_order_changes_no_finding(table: RatingTable, data: st.DataObject) -> None:
    other = RatingTable(
        tuple(data.draw(st.permutations(table.alternatives))),
        tuple(data.draw(st.permutations(table.objectives))),
        table.cells,
        table.baseline,
    )
    assert findings(other) == findings(table)


def names(value: Any) -> Iterator[tuple[str, ...]]:
    """Every list of handles in an analysis."""
    if is_dataclass(value):
        for each in fields(value):
            yield from names(getattr(value, each.name))
    elif isinstance(value, tuple) and value and all(isinstance(each, str) for each in value):  # pyright: ignore[reportUnknownVariableType]
        yield value  # pyright: ignore[reportUnknownVariableType]
    elif isinstance(value, tuple):
        for each in value:  # pyright: ignore[reportUnknownVariableType]
            yield from names(each)


@given(tables(), st.data())
def test_whatever_is_listed_is_listed_in_display_order(table: RatingTable, data: st.DataObject) -> None:
    alternatives = tuple(data.draw(st.permutations(table.alternatives)))
    objectives = tuple(data.draw(st.permutations(table.objectives)))
    analysis = analyse(RatingTable(alternatives, objectives, table.cells, table.baseline))
    order = (*alternatives, *objectives)
    for listed in names(analysis):
        assert list(listed) == sorted(listed, key=order.index)
    assert list(analysis.missing) == sorted(
        analysis.missing, key=lambda at: (objectives.index(at[1]), alternatives.index(at[0]))
    )
    for found in (analysis.dominance.dominated, analysis.dominance.possible, analysis.scores, analysis.tensions):
        handles = [each.alternative for each in found]
        assert handles == sorted(handles, key=order.index)
    for found in (analysis.irrelevant, analysis.swings):
        handles = [each.objective for each in found]
        assert handles == sorted(handles, key=order.index)


@given(tables())
def test_the_analysis_changes_nothing_and_says_the_same_twice(table: RatingTable) -> None:
    before = dict(table.cells)
    assert analyse(table) == analyse(table)
    assert dict(table.cells) == before


@given(tables())
def test_an_analysis_names_what_is_missing_for_it_to_be_final(table: RatingTable) -> None:
    analysis = analyse(table)
    assert set(analysis.missing) == {
        (alternative, objective)
        for alternative in table.alternatives
        for objective in table.objectives
        if table.rating(alternative, objective) is None
    }
    if not analysis.missing:
        assert {at for each in analysis.dominance.possible for at in each.fill} <= {*table.unknown}


def test_an_option_that_people_set_aside_shares_no_lead_whatever_holds_the_place_of_what_nobody_knows_of_it() -> None:
    known = {("A1", "O1"): Cell(0), ("A1", "O2"): Cell(2), ("A2", "O2"): Cell(0)}
    table = RatingTable(("A1", "A2"), ("O1", "O2"), {**known, ("A2", "O1"): Cell(2, (-2, 2))}, None, {"O1": (0, 0)})
    assert analyse(table).leaders == ("A1", "A2")
    assert analyse(table, verdicts=Verdicts(set_aside=frozenset({SetAside("A2", "A1")}))).leaders == ("A1",)


def test_what_is_set_aside_is_weighed_against_nothing() -> None:
    analysis = analyse(rows({"A": [2, 0], "B": [0, 2], "C": [-1, -1]}))
    assert analysis.dominance.left == ("A", "B")
    assert [each.alternative for each in analysis.tensions] == ["A", "B"]
    assert [(each.worst, each.best) for each in analysis.swings] == [(0, 2), (0, 2)]
    assert [each.alternative for each in analysis.regrets.each] == ["A", "B"]
    assert [each.alternative for each in analysis.scores] == ["A", "B", "C"]


def standing(table: RatingTable, points: dict[str, int] | None = None) -> Standing:
    """Who stands out in this table, by these points if there are any."""
    analysis = analyse(table)
    left = table.among(analysis.dominance.left)
    return find_standing(analysis, weigh(left, points) if points else None)


def test_the_only_one_left_stands_out() -> None:
    found = standing(rows({"SQ": [0, 0], "A": [2, 1], "B": [1, 1]}, baseline="SQ")).standout
    assert found
    assert (found.alternative, found.rule, found.weakest_on, found.other_readings, found.rivals) == (
        ("A", StandoutRule.ONLY_ONE_LEFT, (), (), ())
    )


def test_the_only_one_there_ever_was_does_not() -> None:
    assert standing(rows({"SQ": [0]}, baseline="SQ")) == Standing(None)


def test_in_a_tie_none_stands_out() -> None:
    assert standing(rows({"A": [2, 0], "B": [0, 2]})) == Standing(None)


def test_while_a_cell_is_missing_none_stands_out_by_its_sum() -> None:
    assert standing(rows({"A": [2, None], "B": [-1, 0]})) == Standing(None)


@pytest.mark.parametrize(("doubtful", "stands_out"), [(True, False), (False, True)])
def test_a_lead_that_rests_on_a_doubtful_rating_does_not_stand_out(doubtful: bool, stands_out: bool) -> None:
    cells = {
        ("A", "O1"): Cell(2, doubtful=doubtful),
        ("A", "O2"): Cell(0),
        ("B", "O1"): Cell(0),
        ("B", "O2"): Cell(1),
    }
    assert bool(standing(RatingTable(("A", "B"), ("O1", "O2"), cells)).standout) is stands_out


def test_an_option_that_leads_by_sum_but_not_by_value_does_not_stand_out() -> None:
    table = rows({"A": [2, 0], "B": [0, 1]})
    found = standing(table, {"O1": 100, "O2": 50}).standout
    assert found
    assert (found.alternative, found.by_value) == ("A", True)
    assert standing(table).standout
    assert standing(table, {"O1": 50, "O2": 100}).standout is None


def test_the_heart_is_sought_among_the_options_that_people_may_well_take() -> None:
    """Each is best on one objective. The baseline is no contender beside two others, unless it leads."""
    ratings = {"B": [0, 0, 0], "A1": [2, -1, 0], "A2": [1, 1, -1]}
    found = analyse(rows(ratings, baseline="B"))
    assert found.contenders == ("A1", "A2")
    assert found.headline == Conflict("O1", "O2", 1, 0)
    assert analyse(rows({"B": [0, 0, 0], "A1": [1, -2, 0], "A2": [-2, 1, 0]}, baseline="B")).contenders == (
        "B",
        "A1",
        "A2",
    )
    assert analyse(rows({"B": [0, 0], "A1": [2, -1]}, baseline="B")).contenders == ("B", "A1")
