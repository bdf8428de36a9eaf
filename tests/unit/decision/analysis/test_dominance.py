"""Dominance against its definition: every content of the gaps is tried."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.dominance import DominanceKind, find_dominance, find_dominators, read_bounds
from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import BEST, WORST, Cell, RatingTable
from app.decision.analysis.standing.verdicts import Kept, SetAside, Verdicts
from tests.properties import limit_examples
from tests.unit.decision.tables import contents, fillings, rated_exactly, rows, tables


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
    as_rated = find_dominance(rated_exactly(table))
    assert {(each.by, each.alternative) for each in as_rated.possible} == {
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


@pytest.mark.req("TR-05")
@limit_examples(25)
@given(tables(most=3, gaps=1).filter(lambda each: len(each.objectives) < 3))
def test_certain_holds_for_every_content_of_gaps_and_ranges_and_possible_for_some(table: RatingTable) -> None:
    found, every = find_dominance(table), list(contents(table))
    for each in found.dominated:
        certain = {
            by for by in each.all_dominators if all(dominates(content, by, each.alternative) for content in every)
        }
        assert set(each.certain_by) == certain
        beaten = all(
            any(dominates(content, by, each.alternative) for by in table.alternatives if by != each.alternative)
            for content in every
        )
        assert bool(each.certain_by) is beaten, "it could turn out otherwise exactly if in some content nobody beats it"
    assert {(each.by, each.alternative) for each in found.possible} == {
        (by, other)
        for by, other in permutations(table.alternatives, 2)
        if other in found.left and any(dominates(content, by, other) for content in every)
    }
    for each in found.possible:
        assert each.fill or each.ranges, "people are told what it depends on"


@pytest.mark.req("TR-05")
@given(tables(gaps=0))
def test_the_ratings_that_a_possible_dominance_depends_on_bring_it_about(table: RatingTable) -> None:
    for each in find_dominance(table).possible:
        best = {at: Cell(table.cells[at].bounds[at[0] == each.by]) for at in each.ranges}
        then = RatingTable(table.alternatives, table.objectives, {**table.cells, **best})
        assert dominates(then, each.by, each.alternative)


@pytest.mark.req("TR-05")
def test_a_range_on_another_objective_is_named_only_if_those_that_decide_make_both_level_at_best() -> None:
    cells = {("A", "O1"): Cell(0), ("A", "O2"): Cell(1), ("B", "O1"): Cell(-1, (-1, 0)), ("B", "O2"): Cell(1, (1, 2))}
    (level,) = find_dominance(RatingTable(("A", "B"), ("O1", "O2"), cells)).possible
    assert level.ranges == (("B", "O1"), ("B", "O2"))
    (ahead,) = find_dominance(RatingTable(("A", "B"), ("O1", "O2"), {**cells, ("B", "O1"): Cell(-1, (-1, 1))})).possible
    assert ahead.ranges == (("B", "O1"),)
    (sure,) = find_dominance(RatingTable(("A", "B"), ("O1", "O2"), {**cells, ("A", "O2"): Cell(0)})).possible
    assert sure.ranges == (("B", "O1"),)


@pytest.mark.req("TR-05")
def test_a_range_that_reaches_across_leaves_it_open_unless_another_dominator_is_certain() -> None:
    cells = {("A", "O1"): Cell(2, (0, 2)), ("B", "O1"): Cell(0), ("C", "O1"): Cell(0, (-1, 1))}
    pair = RatingTable(("A", "C"), ("O1",), {at: cells[at] for at in (("A", "O1"), ("C", "O1"))})
    assert [each.certain_by for each in find_dominance(pair).dominated] == [()]
    cells["B", "O1"] = Cell(2, (2, 2))
    found = find_dominance(RatingTable(("A", "B", "C"), ("O1",), cells))
    assert [(each.alternative, each.dominated_by, each.certain_by) for each in found.dominated] == [("C", "A", ("B",))]


MORE, LESS, NEAR_20 = Measure(Direction.MAXIMIZE), Measure(Direction.MINIMIZE), Measure(Direction.TARGET, 20)


def measured(measure: Measure, **amounts: float) -> MeasuredTable:
    """Amounts of O1 by alternative."""
    return MeasuredTable({"O1": measure}, {(each, "O1"): amount for each, amount in amounts.items()})


@pytest.mark.req("TR-03")
@pytest.mark.parametrize(
    ("measure", "better", "worse"), [(LESS, 0, 300_000), (MORE, 3, 2), (NEAR_20, 18, 25)], ids=["less", "more", "near"]
)
def test_an_option_with_a_better_amount_is_not_dominated_by_its_ratings(
    measure: Measure, better: float, worse: float
) -> None:
    table = rows({"A": [0, 0], "B": [0, 1]})
    found = find_dominance(table, measured(measure, A=better, B=worse))
    assert (found.dominated, found.left) == ((), ("A", "B"))
    assert [(each.alternative, each.by, each.better_on, each.despite) for each in found.disputed] == [
        ("A", "B", ("O2",), ("O1",))
    ]
    for amounts in (measured(measure, A=worse, B=better), measured(measure, A=better), measured(measure)):
        assert [each.alternative for each in find_dominance(table, amounts).dominated] == ["A"]


def test_who_dominates_by_ratings_and_has_a_worse_amount_is_not_among_the_dominators() -> None:
    bounds = read_bounds(rows({"A": [0, 0], "B": [0, 2], "C": [0, 1]}))
    assert find_dominators(bounds) == {"A": ("B", "C"), "B": (), "C": ("B",)}
    assert find_dominators(bounds, measured(LESS, A=1, B=9, C=1)) == {"A": ("C",), "B": (), "C": ()}


@pytest.mark.req("TR-03")
def test_who_may_dominate_has_no_worse_amount() -> None:
    table = rows({"A": [None, 0], "B": [1, 1]})
    assert [(each.alternative, each.by) for each in find_dominance(table).possible] == [("A", "B")]
    assert find_dominance(table, measured(LESS, A=1, B=2)).possible == ()
    assert len(find_dominance(table, measured(LESS, A=2, B=1)).possible) == 1


def test_a_dispute_is_told_with_the_one_that_the_fewest_amounts_speak_against() -> None:
    table = rows({"A": [0, 0], "B": [2, 2], "C": [1, 1]})
    amounts = {
        ("A", "O1"): 1.0,
        ("A", "O2"): 1.0,
        ("B", "O1"): 2.0,
        ("B", "O2"): 2.0,
        ("C", "O1"): 2.0,
        ("C", "O2"): 1.0,
    }
    found = find_dominance(table, MeasuredTable({"O1": LESS, "O2": LESS}, amounts))
    assert [(each.alternative, each.by, each.despite) for each in found.disputed][:1] == [("A", "C", ("O1",))]


def test_a_dispute_is_told_with_the_one_that_people_spoke_of_although_a_new_one_is_further_ahead() -> None:
    table = rows({"A": [0, 0], "B": [2, 0], "C": [2, 2]})
    amounts = measured(LESS, A=1, B=2, C=2)
    kept = Verdicts(kept=frozenset({Kept("A", "B", frozenset({"B"}))}))
    found = find_dominance(table, amounts, kept)
    assert [(each.alternative, each.by, each.is_kept) for each in found.disputed][:1] == [("A", "B", True)]
    aside = Verdicts(set_aside=frozenset({SetAside("A", "B")}))
    assert find_dominance(table, amounts, aside).disputed[0].by == "B", "what it was set aside despite is not said yet"
    assert [(each.by, each.is_kept) for each in find_dominance(table, amounts).disputed][:1] == [("C", False)]


def test_an_option_like_the_baseline_is_named_and_the_baseline_is_not() -> None:
    found = find_dominance(rows({"A": [0], "B": [0], "C": [1], "D": [1]}, "B"))
    assert (found.ties, found.like_baseline, found.baseline_dominated) == ((("A", "B"), ("C", "D")), ("A",), True)


@pytest.mark.req("TR-03")
def test_another_dominator_without_a_worse_amount_sets_an_option_aside_all_the_same() -> None:
    found = find_dominance(rows({"A": [0, 0], "B": [0, 2], "C": [0, 1]}), measured(LESS, A=1, B=9, C=1))
    assert [(each.alternative, each.dominated_by, each.all_dominators) for each in found.dominated] == [
        ("A", "C", ("C",))
    ]
    assert [(each.alternative, each.by) for each in found.disputed] == [("C", "B")]
    assert found.left == ("B", "C")


@pytest.mark.req("TR-03")
@given(tables(most=4), st.data())
def test_nobody_is_set_aside_by_one_whose_known_amount_is_worse(table: RatingTable, data: st.DataObject) -> None:
    drawn = {each: data.draw(st.sampled_from([2, 1, 0, None])) for each in table.alternatives}
    amounts = measured(LESS, **{each: amount for each, amount in drawn.items() if amount is not None})
    known = {each for each, _ in amounts.amounts}
    found = find_dominance(table, amounts)
    for each in found.dominated:
        for by in each.all_dominators:
            assert not {by, each.alternative} <= known or (
                amounts.amounts[by, "O1"] <= amounts.amounts[each.alternative, "O1"]
            )
    rated = {each.alternative for each in find_dominance(table).dominated}
    assert rated == {each.alternative for each in (*found.dominated, *found.disputed)}
    assert found.left, "somebody is always left"


@pytest.mark.req("TR-03")
def test_a_dispute_that_people_settled_counts_for_these_amounts_only() -> None:
    table, amounts = rows({"A": [0, 0], "B": [0, 1]}), measured(LESS, A=88, B=89)
    said = Verdicts(set_aside=frozenset({SetAside("A", "B", frozenset({"O1"}))}))
    found = find_dominance(table, amounts, said)
    assert [(each.alternative, each.despite) for each in found.dominated] == [("A", ("O1",))]
    other = Verdicts(set_aside=frozenset({SetAside("A", "B", frozenset({"O2"}))}))
    assert find_dominance(table, amounts, other).dominated == ()


@pytest.mark.req("TR-06")
@given(tables(most=4), st.data())
def test_a_kept_option_is_left_and_no_other_finding_changes(table: RatingTable, data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.sampled_from(table.alternatives)))
    said = Verdicts(kept=frozenset(map(Kept, kept)))
    plain, found = find_dominance(table), find_dominance(table, verdicts=said)
    assert found.dominated == plain.dominated
    assert set(found.left) == {*plain.left, *kept}
    assert set(found.kept) == kept - set(plain.left)
    assert not {each.alternative for each in found.possible} & set(found.kept), "it is beaten already"
