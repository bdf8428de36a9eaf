"""Tensions, pairs, the headline and the questions, by definition."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given

from app.decision.analysis.conflict import (
    Conflict,
    compare_pair,
    find_conflicts,
    find_headline,
    find_practical_dominance,
    find_tensions,
    list_as_opposed,
    list_pairs,
)
from app.decision.analysis.ratings import RatingTable, Steps
from app.decision.analysis.scores import (
    Regrets,
    Score,
    compute_nets,
    compute_regrets,
    compute_scores,
    count_once,
    find_leaders,
)
from app.decision.analysis.variation import find_varying
from tests.unit.decision.tables import rows, tables


@pytest.mark.req("S0-169")
@given(tables())
def test_gains_and_losses_are_best_and_worst_and_never_the_same_objective(table: RatingTable) -> None:
    for tension in find_tensions(table):
        assert not set(tension.gains) & set(tension.losses)
        assert set(tension.gains) | set(tension.losses) <= find_varying(table).keys()
        for objective, column in find_varying(table).items():
            rating = table.rating(tension.alternative, objective)
            assert (objective in tension.gains) is (rating == max(column))
            assert (objective in tension.losses) is (rating == min(column))


def test_one_alternative_alone_has_no_gains_and_no_losses_and_is_no_all_rounder() -> None:
    (tension,) = find_tensions(rows({"A": [1, -1]}))
    assert (tension.gains, tension.losses, tension.all_rounder) == ((), (), False)
    assert (tension.better, tension.worse) == (("O1",), ("O2",))


def test_an_option_that_is_nowhere_best_and_nowhere_worst_is_an_all_rounder() -> None:
    found = find_tensions(rows({"A": [2, 0], "B": [0, 2], "C": [1, 1]}))
    assert [tension.all_rounder for tension in found] == [False, False, True]


def test_what_has_a_gap_is_neither_gain_nor_loss_and_in_no_pair() -> None:
    table = rows({"A": [2, 1], "B": [None, 0]})
    assert [(each.gains, each.losses) for each in find_tensions(table)] == [(("O2",), ()), ((), ("O2",))]
    (pair,) = list_pairs(table)
    assert (pair.better, pair.worse, pair.equal) == ((Steps("O2", 1),), (), ())


@given(tables())
def test_one_instead_of_the_other_is_the_opposite_of_the_other_instead_of_the_one(table: RatingTable) -> None:
    for one, other in combinations(table.alternatives, 2):
        there, back = compare_pair(table, one, other), compare_pair(table, other, one)
        assert there.better == tuple(Steps(each.objective, -each.steps) for each in back.worse)
        assert there.worse == tuple(Steps(each.objective, -each.steps) for each in back.better)
        assert there.equal == back.equal
        assert all(each.steps > 0 for each in there.better)


@given(tables())
def test_two_objectives_conflict_as_often_as_they_order_two_alternatives_oppositely(table: RatingTable) -> None:
    for conflict in find_conflicts(table):
        one, other = find_varying(table)[conflict.one], find_varying(table)[conflict.other]
        products = [
            (one[a] - one[b]) * (other[a] - other[b]) for a, b in combinations(range(len(table.alternatives)), 2)
        ]
        assert conflict.discordant == sum(each < 0 for each in products)
        assert conflict.concordant == sum(each > 0 for each in products)


def test_a_larger_spread_decides_between_conflicts_that_are_as_frequent_and_then_the_order() -> None:
    assert find_headline(rows({"A": [1, 0, 0], "B": [0, 1, 2]})) == Conflict("O1", "O3", 1, 0)
    assert find_headline(rows({"A": [1, 0, 0], "B": [0, 1, 1]})) == Conflict("O1", "O2", 1, 0)


def test_what_is_opposed_with_few_exceptions_comes_before_what_is_opposed_more_often_but_with_more() -> None:
    table = rows({"A": [0, -1, 2], "B": [1, 1, 1], "C": [-2, 2, 2], "D": [-1, 0, 2]})
    assert find_conflicts(table)[0] == Conflict("O1", "O2", 4, 2)
    assert find_headline(table) == Conflict("O1", "O3", 3, 0)


def test_what_is_opposed_more_often_comes_before_a_larger_spread() -> None:
    table = rows({"A": [2, -2, 0], "B": [0, 2, 1], "C": [-2, 2, 2]})
    assert find_headline(table) == Conflict("O1", "O3", 3, 0)


def test_conflicts_that_oppose_as_many_pairs_stand_beside_the_headline_and_those_that_oppose_fewer_do_not() -> None:
    table = rows({"A": [2, 0, 1, 0], "B": [1, 1, 1, 0], "C": [0, 2, 2, 0]})
    headline = Conflict("O1", "O2", 3, 0)
    assert find_headline(table) == headline
    assert list_as_opposed(table, headline) == ()
    assert list_as_opposed(table, Conflict("O1", "O3", 2, 0)) == (headline,)


def test_where_no_objectives_are_opposed_there_is_no_headline() -> None:
    assert find_headline(rows({"A": [1, 1], "B": [0, 0]})) is None
    assert find_headline(rows({"A": [1, 1]})) is None


def test_two_objectives_that_are_never_opposed_are_no_headline_however_few_alternatives_they_order() -> None:
    table = rows({"A": [2, 1, 2], "B": [-2, -1, -1], "C": [-2, -1, 2], "D": [-2, -2, 1]})
    assert find_conflicts(table)[1] == Conflict("O1", "O3", 0, 2)
    assert find_headline(table) == Conflict("O2", "O3", 1, 3)


@given(tables(most=4))
def test_a_question_is_asked_where_one_step_stands_against_three_on_two_objectives(table: RatingTable) -> None:
    asked = {(each.alternative, each.by) for each in find_practical_dominance(table)}
    expected: set[tuple[str, str]] = set()
    for alternative, by in permutations(table.alternatives, 2):
        both = zip(table.row(alternative), table.row(by), strict=True)
        steps = [b - a for a, b in both if a is not None and b is not None]
        ahead = [each for each in steps if each > 0]
        full = len(steps) == len(table.objectives)
        if full and [each for each in steps if each < 0] == [-1] and len(ahead) >= 2 and sum(ahead) >= 3:
            expected.add((alternative, by))
    assert asked == expected


@pytest.mark.parametrize(
    ("ahead", "asked"),
    [([0, 1, 2], True), ([0, 1, 1], False), ([0, 0, 2], False), ([-1, 2, 2], False)],
    ids=["one step against three", "against two", "on one objective only", "two steps"],
)
def test_how_far_ahead_is_far_enough_to_ask(ahead: list[int], asked: bool) -> None:
    assert bool(find_practical_dominance(rows({"A": [1, 0, 0], "B": ahead}))) is asked


@given(tables(gaps=0))
def test_what_is_given_up_is_the_difference_to_the_best(table: RatingTable) -> None:
    found = compute_regrets(table)
    for regret in found.each:
        row = dict(zip(table.objectives, table.row(regret.alternative), strict=True))
        given_up = {
            objective: max(rating or 0 for rating in table.column(objective)) - (row[objective] or 0)
            for objective in table.objectives
        }
        assert {each.objective: each.steps for each in regret.given_up} == {
            objective: steps for objective, steps in given_up.items() if steps
        }
        assert (regret.worst, regret.total) == (max(given_up.values()), sum(given_up.values()))
        assert (regret.alternative in found.smallest_worst) is (regret.worst == min(each.worst for each in found.each))


def test_there_is_no_regret_while_a_cell_is_missing() -> None:
    assert compute_regrets(rows({"A": [1, 2], "B": [0, None]})) == Regrets()


def test_a_gap_makes_a_sum_unknown_and_nobody_leads() -> None:
    found = compute_scores(rows({"A": [2, -1], "B": [1, None]}))
    assert found == (Score("A", 1, 1, 1), Score("B", None, 1, 0))
    assert find_leaders(compute_nets(found)) == ()


def test_a_tie_has_several_leaders() -> None:
    assert find_leaders(compute_nets(compute_scores(rows({"A": [2, -1], "B": [0, 0], "C": [-1, 2]})))) == ("A", "C")


def test_objectives_that_vary_alike_count_once_and_others_as_often_as_they_are() -> None:
    table = rows({"A": [1, 1, 1, 2], "B": [0, 0, 1, 0]})
    assert compute_nets(count_once(table)) == {"A": 4, "B": 1}
