"""Swing weights, against the formula."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.decision.analysis.ratings import Flaw, InvalidInput, RatingTable
from app.decision.analysis.swing import BreakEven, GivenPoints, find_swings, select_points, weigh
from app.decision.analysis.variation import find_varying
from tests.unit.decision.tables import rows, tables


def worth(table: RatingTable, points: dict[str, Fraction]) -> dict[str, Fraction]:
    """The sum of points · (rating − worst) / (best − worst) over the objectives that vary."""
    return {
        alternative: sum(
            (
                points[objective] * (column[index] - min(column)) / (max(column) - min(column))
                for objective, column in find_varying(table).items()
            ),
            Fraction(),
        )
        for index, alternative in enumerate(table.alternatives)
    }


def first(values: dict[str, Fraction]) -> set[str]:
    return {alternative for alternative, value in values.items() if value == max(values.values())}


@pytest.mark.req("TR-19")
@given(tables(gaps=0), st.data())
def test_values_follow_the_formula_and_the_lead_ends_exactly_at_the_break_even(
    table: RatingTable, data: st.DataObject
) -> None:
    objectives = list(find_varying(table))
    assume(objectives)
    points = {objective: data.draw(st.integers(0, 100)) for objective in objectives}
    points[data.draw(st.sampled_from(objectives))] = 100
    exact = {objective: Fraction(each) for objective, each in points.items()}
    before = dict(points)

    found = weigh(table, points)

    assert points == before
    values = worth(table, exact)
    assert found.values == pytest.approx({alternative: float(value) for alternative, value in values.items()})
    assert all(0 <= each <= sum(points.values()) for each in found.values.values())
    assert set(found.leaders) == first(values)
    leader = found.leaders[0]
    if len(found.leaders) > 1:
        assert found.break_evens == ()
    assert [abs(each.points - each.given) for each in found.break_evens] == sorted(
        abs(each.points - each.given) for each in found.break_evens
    )
    for each in found.break_evens:
        assert each.given == points[each.objective]
        level = Fraction(each.points).limit_denominator(10**6)
        assert 0 <= level <= 100
        assert leader in first(worth(table, {**exact, each.objective: level}))
        halfway = (level + exact[each.objective]) / 2
        assert first(worth(table, {**exact, each.objective: halfway})) == {leader}
        step = -1 if each.points < each.given else 1
        assert first(worth(table, {**exact, each.objective: Fraction(each.whole + step)})) == set(each.to)
        assert (leader in each.to) is (level in (0, 100)), "at an end of the scale a lead ends in a tie"
        assert leader in first(worth(table, {**exact, each.objective: Fraction(each.whole)}))


@given(tables(gaps=0), st.data())
def test_within_its_span_nobody_passes_the_leader_and_outside_of_it_somebody_does(
    table: RatingTable, data: st.DataObject
) -> None:
    objectives = list(find_varying(table))
    assume(objectives)
    points = {each: data.draw(st.integers(0, 100)) for each in objectives} | {objectives[0]: 100}
    found = weigh(table, points)
    assume(len(found.leaders) == 1)
    other = data.draw(st.integers(0, 100))
    for objective, (low, high) in found.spans.items():
        ahead = first(worth(table, {**{each: Fraction(points[each]) for each in points}, objective: Fraction(other)}))
        assert (found.leaders[0] in ahead) is (low <= other <= high)
        assert (low, high) != (0, 100), "that would say nothing"


@given(tables(gaps=0), st.data())
def test_without_a_break_even_no_points_of_that_objective_end_the_lead(table: RatingTable, data: st.DataObject) -> None:
    objectives = list(find_varying(table))
    assume(objectives)
    points = dict.fromkeys(objectives, 100)
    found = weigh(table, points)
    assume(len(found.leaders) == 1)
    safe = [objective for objective in objectives if objective not in {each.objective for each in found.break_evens}]
    for objective in safe:
        other = {**{each: Fraction(100) for each in objectives}, objective: Fraction(data.draw(st.integers(0, 100)))}
        assert first(worth(table, other)) == set(found.leaders)


def test_a_lead_may_end_upwards_and_downwards() -> None:
    table = rows({"A": [1, 2, 0], "B": [2, 0, 0], "C": [0, 0, 2]})
    found = weigh(table, {"O1": 60, "O2": 100, "O3": 90})
    assert found.leaders == ("A",)
    assert found.break_evens == (BreakEven("O2", 60.0, ("C",), 100),), (
        "neither 200 points of O1 nor 130 of O3 can be given"
    )


def test_who_leads_beyond_a_break_even_is_told_for_whole_points_and_not_for_parts_of_one() -> None:
    found = weigh(rows({"A": [2, 0, -2], "B": [-1, 1, -1], "C": [1, 0, 1]}), {"O1": 100, "O2": 89, "O3": 85})
    assert found.leaders == ("C",)
    turn = next(each for each in found.break_evens if each.objective == "O3")
    # O3 gives B a third of its points. With 33.5 points B passes C, and with 33 points A is level with B.
    assert (turn.points, turn.to, turn.whole) == (33.5, ("A", "B"), 34)


@pytest.mark.req("TR-19")
def test_a_lead_that_becomes_a_tie_at_an_end_of_the_scale_ends_there_and_a_span_goes_to_it() -> None:
    above = weigh(rows({"A": [1, 0], "B": [0, 1]}), {"O1": 100, "O2": 60})
    assert (above.break_evens[-1], above.break_evens[-1].whole) == (BreakEven("O2", 100.0, ("A", "B"), 60), 99)
    assert above.spans == {"O1": (60, 100)}, "from 0 to 100 points of O2, B never passes A"
    below = weigh(rows({"A": [2, 0], "B": [0, 0], "C": [1, 1]}), {"O1": 100, "O2": 0})
    assert (below.break_evens[-1], below.break_evens[-1].whole) == (BreakEven("O1", 0.0, ("A", "B", "C"), 100), 1)
    assert below.spans == {"O2": (0, 50)}


@pytest.mark.req("TR-02")
def test_points_count_only_for_the_range_they_were_given_for() -> None:
    swings = find_swings(rows({"A": [1, 0, 0], "B": [2, 1, 0]}))
    given = [GivenPoints("O1", 100, 1, 2), GivenPoints("O2", 60, 0, 2), GivenPoints("O3", 50, 0, 1)]
    assert select_points(given, swings) == {"O1": 100}
    assert select_points([GivenPoints("O2", 60)], swings) == {"O2": 60}, "nobody noted another range"


@pytest.mark.parametrize(
    "points",
    [
        {},
        {"O1": 100},
        {"O1": 100, "O2": 50, "O3": 10},
        {"O1": 100, "O2": 50, "O9": 10},
        {"O1": 101, "O2": 100},
        {"O1": 100, "O2": -1},
        {"O1": 99, "O2": 50},
    ],
    ids=["none", "one too few", "one that does not vary", "unknown", "above", "below", "no 100"],
)
def test_points_are_for_exactly_the_objectives_that_vary_and_the_largest_is_100(points: dict[str, int]) -> None:
    with pytest.raises(InvalidInput) as refused:
        weigh(rows({"A": [1, 0, 1], "B": [0, 1, 1]}), points)
    assert refused.value.flaw is Flaw.POINTS


def test_where_nothing_varies_there_is_nothing_to_weigh() -> None:
    with pytest.raises(InvalidInput) as refused:
        weigh(rows({"A": [1], "B": [1]}), {})
    assert refused.value.flaw is Flaw.POINTS


def test_a_gap_cannot_be_weighed() -> None:
    with pytest.raises(InvalidInput) as refused:
        weigh(rows({"A": [1, None], "B": [0, 1]}), {"O1": 100})
    assert (refused.value.flaw, refused.value.handles) == (Flaw.GAPS, ("A", "O2"))
