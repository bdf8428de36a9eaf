"""The engine agrees with the oracle on what ranges, doubts, amounts and people's verdicts make of the findings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.decision.analysis.analysis import find_standing
from app.decision.analysis.swing import WeighedTable
from tests.properties import limit_examples
from tests.unit.decision.oracle import engine
from tests.unit.decision.oracle import enumeration as oracle
from tests.unit.decision.oracle.decisions import Decision, Rated, decisions

MOST_CASES = 3_000


@st.composite
def judged_decisions(draw: st.DrawFn) -> Decision:
    """Any decision with verdicts on its dominated options: now beside one that dominates them, now beside another."""
    decision = draw(decisions(most=5) | decisions())
    part = oracle.counted(decision)
    kept, agreed = set(decision.kept), set(decision.agreed)
    for option in part.options:
        over = oracle.dominators(part, option, amounts=True)
        if over and draw(st.booleans()):
            shown = draw(st.sampled_from([*over, *over, *decision.options]))
            others = draw(st.sets(st.sampled_from([*over, *decision.options]), max_size=3))
            kept |= draw(st.sampled_from([{(option, shown, tuple(sorted({shown, *others})))}, set()]))
            agreed |= draw(st.sampled_from([{(option, shown)}, set()]))
    return replace(decision, kept=frozenset(kept), agreed=frozenset(agreed))


@pytest.mark.req("TR-05", "TR-22")
@given(decisions())
def test_dominance_is_certain_by_those_that_hold_for_each_content_of_the_ranges(decision: Decision) -> None:
    for each in engine.analyse_ratings(decision).dominance.dominated:
        held = [by for by in each.all_dominators if oracle.always_ahead(decision, by, each.alternative, ranges=True)]
        assert list(each.certain_by) == held


@limit_examples(200)
@given(judged_decisions())
def test_only_an_option_that_people_still_compare_makes_it_sure_that_another_one_is_out(decision: Decision) -> None:
    found, part = engine.analyse_whole(decision), oracle.counted(decision)
    still = [each for each in oracle.compared(part).options if each not in found.given_up]
    over = {each: oracle.dominators(part, each, amounts=True) for each in still}
    back = [
        each
        for each, beaten_by in over.items()
        if beaten_by and not any(by in still and oracle.always_ahead(part, by, each, ranges=True) for by in beaten_by)
    ]
    assert list(found.open_ones) == back


@given(decisions())
def test_what_gaps_leave_possible_is_found_by_trying_each_content(decision: Decision) -> None:
    found = engine.analyse_ratings(decision).dominance
    possible = {
        (option, by)
        for option, by in product(found.left, decision.options)
        if option != by and oracle.sometimes_ahead(decision, by, option, ranges=True)
    }
    assert {(each.alternative, each.by) for each in found.possible} == possible


@pytest.mark.req("TR-03", "TR-06", "TR-22")
@limit_examples(200)
@given(judged_decisions())
def test_options_are_set_aside_only_where_no_amount_speaks_for_them_and_nobody_keeps_them(decision: Decision) -> None:
    found, part = engine.analyse_whole(decision), oracle.counted(decision)
    over = {each: oracle.dominators(part, each, amounts=True) for each in part.options}
    assert {each.alternative: list(each.all_dominators) for each in found.dominance.dominated} == {
        each: by for each, by in over.items() if by
    }
    waiting = [each for each in part.options if oracle.waits(part, each)]
    assert list(found.dominance.conditional) == waiting
    assert list(found.dominance.left) == [each for each in part.options if not oracle.drops(part, each)]
    rated = {each: oracle.dominators(part, each, amounts=False) for each in part.options}
    disputed = [each for each in part.options if rated[each] and not over[each]]
    assert [each.alternative for each in found.dominance.disputed] == disputed
    for each in found.dominance.disputed:
        assert list(each.despite) == oracle.worse_amounts(part, each.by, each.alternative) != []


@pytest.mark.req("TR-06", "TR-22")
@given(decisions())
def test_what_people_left_out_or_gave_up_is_in_no_sum_gain_or_pair(decision: Decision) -> None:
    found, part = engine.analyse_whole(decision), oracle.counted(decision)
    assert [each.objective for each in found.swings] == oracle.varying(oracle.among(part, found.dominance.left))
    assert {each.alternative: each.net for each in found.scores} == {
        each: oracle.net(part, each) for each in part.options
    }
    left = oracle.known(oracle.among(part, found.dominance.left))
    assert {each.alternative: list(each.gains) for each in found.tensions} == {
        each: oracle.best_on(left, each) for each in left.options
    }
    given_up = {option for option, _ in oracle.practical(left)} if decision.gives_up else set[str]()
    assert set(found.given_up) == given_up
    kept = [each for each in left.options if each not in given_up]
    assert [(each.one, each.other) for each in found.pairs] == list(combinations(kept, 2))


@pytest.mark.req("TR-09", "TR-22")
@given(decisions())
def test_a_joint_last_is_told_from_a_single_one(decision: Decision) -> None:
    found, part = engine.analyse_whole(decision), oracle.counted(decision)
    left = oracle.known(oracle.among(part, found.dominance.left))
    for each in found.tensions:
        shared = [
            o
            for o in oracle.worst_on(left, each.alternative)
            if oracle.column(left, o).count(oracle.rating(left, each.alternative, o)) > 1
        ]
        assert list(each.shared) == shared


@pytest.mark.req("TR-01", "TR-22")
@given(decisions(most=6, gaps=0))
def test_an_option_stands_out_only_if_no_doubtful_rating_alone_takes_a_lead_away(decision: Decision) -> None:
    decision = replace(decision, kept=frozenset(), counts_on=frozenset(), left_out=frozenset(), gives_up=False)
    analysis = engine.analyse_whole(decision)
    weighed = engine.weigh_left(decision, analysis.dominance.left)
    standing = find_standing(analysis, weighed)
    compared = oracle.compared(decision)
    first = oracle.leaders(compared)
    if len(analysis.dominance.left) == 1:
        assert standing.standout is None or standing.standout.alternative == analysis.dominance.left[0]
        return
    part = oracle.among(decision, analysis.dominance.left) if weighed else None
    agrees = weighed is None or list(weighed.leaders) == first
    shaken = oracle.shaking(compared, first[0], part if agrees else None) if len(first) == 1 else []
    stands = len(first) == 1 and agrees and not shaken
    assert (standing.standout is not None) is stands
    assert sorted(standing.shaken_by) == sorted(shaken)


def test_an_option_that_stands_out_leads_by_sum_and_by_value() -> None:
    """By hand: what leads by sum and is behind by value stands out for nobody."""
    decision = Decision(
        ("A1", "A2"),
        ("O1", "O2", "O3"),
        {
            at: Rated(each)
            for at, each in zip(product(("A1", "A2"), ("O1", "O2", "O3")), (0, 2, 1, 1, 0, 1), strict=True)
        },
        points=(100, 10, 0),
    )
    part = oracle.among(decision, decision.options)
    assert oracle.leaders(decision) == ["A1"]
    assert oracle.first_by(oracle.values(part, oracle.worth_of_steps(part), part)) == ["A2"]
    weighed = engine.weigh_left(decision, decision.options)
    assert isinstance(weighed, WeighedTable)
    assert weighed.leaders == ("A2",)


@pytest.mark.req("TR-12", "TR-22")
@limit_examples(20)
@given(decisions(most=4, gaps=0))
def test_how_often_each_option_comes_first_is_as_counted_over_all_cases(decision: Decision) -> None:
    analysis = engine.analyse_ratings(decision)
    part = oracle.among(decision, analysis.dominance.left)
    varying = oracle.varying(part)
    points = {each: given for each, given in zip(decision.objectives, decision.points, strict=True) if each in varying}
    open_cells = {at: _list_cases(each) for at, each in decision.rated.items()}
    assume(set(varying) == set(decision.objectives))
    assume(prod(map(len, open_cells.values())) <= MOST_CASES)
    found = engine.find_firmness(decision, analysis, points)
    assume(found is not None and found.exact)
    assert found is not None
    firsts, level, cases = Counter[str](), set[str](), 0
    worth = oracle.worth_of_steps(part)
    for content in product(*open_cells.values()):
        then = decision
        for at, to in zip(open_cells, content, strict=True):
            then = oracle.moved(then, at, to)
        first = oracle.first_by(oracle.values(then, worth, part))
        firsts.update(first if len(first) == 1 else ())
        level.update(first if len(first) > 1 else ())
        cases += 1
    assert found.firsts == pytest.approx({each: count / cases for each, count in firsts.items()})
    assert {*found.level_ones} == level


def _list_cases(each: Any) -> tuple[int, ...]:
    if each.span:
        return each.contents
    return tuple(dict.fromkeys((each.rating, *each.ends)))
