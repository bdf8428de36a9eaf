"""What tells alternatives apart, by definition."""

from __future__ import annotations

import pytest
from hypothesis import given

from app.decision.analysis.ratings import RatingTable
from app.decision.analysis.variation import (
    Irrelevant,
    IrrelevantKind,
    find_irrelevant,
    find_unvarying,
    find_varying,
    group_patterns,
)
from tests.unit.decision.tables import rows, tables


@given(tables())
def test_an_objective_varies_or_does_not_or_has_a_gap(table: RatingTable) -> None:
    for objective in table.objectives:
        column = table.column(objective)
        full, alike = None not in column, len(set(column)) == 1
        assert (objective in find_varying(table)) is (full and not alike)
        assert (objective in find_unvarying(table)) is (full and alike and len(column) > 1)


@pytest.mark.req("S0-165", "S0-168")
@given(tables())
def test_irrelevant_is_what_does_not_vary_over_all_or_over_those_left(table: RatingTable) -> None:
    left = table.among(table.alternatives[:-1] or table.alternatives)
    found = {each.objective: each for each in find_irrelevant(table, left)}
    assert found.keys() == find_unvarying(table).keys() | find_unvarying(left).keys()
    for objective, each in found.items():
        assert set(left.column(objective)) == {each.rating}
        assert (each.kind is IrrelevantKind.NO_VARIATION) is (objective in find_unvarying(table))


@pytest.mark.req("S0-165", "S0-168")
def test_an_objective_with_one_rating_and_a_gap_is_not_yet_irrelevant() -> None:
    table = rows({"A": [1], "B": [1], "C": [None]})
    assert find_irrelevant(table, table) == ()
    remaining = find_irrelevant(table, table.among(["A", "B"]))
    assert remaining == (Irrelevant("O1", 1, IrrelevantKind.NO_VARIATION_REMAINING),)


@given(tables())
def test_objectives_are_in_one_group_if_and_only_if_they_vary_alike(table: RatingTable) -> None:
    group = {objective: found for found in group_patterns(table) for objective in found}
    for one in table.objectives:
        for other in table.objectives:
            alike = one != other and one in find_varying(table) and table.column(one) == table.column(other)
            assert (one != other and other in group.get(one, ())) is alike


def test_two_objectives_that_do_not_vary_are_no_pattern() -> None:
    assert group_patterns(rows({"A": [1, 1], "B": [1, 1]})) == ()
