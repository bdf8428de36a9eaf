"""The engine agrees with the oracle on what follows from the ratings alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod

import pytest
from hypothesis import given

from app.decision.analysis.conflict import find_conflicts
from app.decision.analysis.dominance import DominanceKind
from app.decision.analysis.measures import find_contradictions
from app.decision.analysis.ratings import Steps
from app.decision.analysis.variation import IrrelevantKind
from tests.properties import limit_examples
from tests.unit.decision.oracle import engine
from tests.unit.decision.oracle import enumeration as oracle
from tests.unit.decision.oracle.decisions import Decision, decisions

FULL = decisions(gaps=0)


@given(decisions(most=4))
def test_the_bounds_of_the_oracle_agree_with_trying_each_content(decision: Decision) -> None:
    for one, other in combinations(decision.options, 2):
        ahead = oracle.differences(decision, one, other, ranges=True)
        if prod(map(len, ahead)) <= oracle.MANY:
            tried = [oracle.is_ahead(each) for each in product(*ahead)]
            assert oracle.always_ahead_by_bounds(ahead) is all(tried)
            assert oracle.sometimes_ahead_by_bounds(ahead) is any(tried)


@pytest.mark.req("TR-22")
@given(decisions())
def test_dominance_is_as_enumerated(decision: Decision) -> None:
    found = engine.analyse_ratings(decision).dominance
    over = {each: oracle.dominators(decision, each, amounts=False) for each in decision.options}
    assert {each.alternative: list(each.all_dominators) for each in found.dominated} == {
        each: by for each, by in over.items() if by
    }
    assert list(found.left) == oracle.undominated(decision)
    assert found.baseline_dominated is bool(decision.today and over[decision.today])


@pytest.mark.req("TR-22")
@given(decisions())
def test_the_dominator_that_is_shown_is_left_and_the_farthest_ahead(decision: Decision) -> None:
    found = engine.analyse_ratings(decision).dominance
    decision = oracle.known(decision)
    for each in found.dominated:
        ahead = dict(
            zip(
                decision.objectives,
                map(min, oracle.differences(decision, each.dominated_by, each.alternative, False)),
                strict=True,
            )
        )
        margins = {
            by: sum(map(min, oracle.differences(decision, by, each.alternative, False))) for by in each.all_dominators
        }
        assert margins[each.dominated_by] == max(margins.values())
        assert not oracle.dominators(decision, each.dominated_by, amounts=False)
        assert list(each.better_on) == [objective for objective, least in ahead.items() if least > 0]
        assert list(each.equal_on) == [objective for objective, least in ahead.items() if least == 0]
        differ = [objective for objective in decision.objectives if objective not in oracle.unvarying(decision)]
        assert (each.kind is DominanceKind.STRICT) is (set(differ) <= set(each.better_on))


@pytest.mark.req("TR-22")
@given(decisions())
def test_ties_are_identical_full_rows(decision: Decision) -> None:
    found = engine.analyse_ratings(decision).dominance
    decision = oracle.known(decision)
    for one, other in combinations(decision.options, 2):
        alike = oracle.row(decision, one) == oracle.row(decision, other) and oracle.is_full(decision, one)
        assert alike is any({one, other} <= set(tie) for tie in found.ties)
    zero = [each for each in decision.options if decision.today and not any(oracle.row(decision, each))]
    like = [each for each in zero if oracle.is_full(decision, each) and each != decision.today]
    assert list(found.like_baseline) == like


@pytest.mark.req("TR-22")
@given(decisions())
def test_sums_leaders_and_counts_are_as_added_up(decision: Decision) -> None:
    found = engine.analyse_ratings(decision)
    for score in found.scores:
        known = [each for each in oracle.row(decision, score.alternative) if each is not None]
        assert score.net == oracle.net(decision, score.alternative)
        assert (score.plus, score.minus) == (len([e for e in known if e > 0]), len([e for e in known if e < 0]))
    assert list(found.leaders) == oracle.leaders(decision)
    assert list(found.missing) == oracle.gaps(decision)


@pytest.mark.req("TR-22")
@given(decisions())
def test_what_does_not_separate_and_what_varies_alike_is_as_compared(decision: Decision) -> None:
    found = engine.analyse_ratings(decision)
    decision = oracle.known(decision)
    left = oracle.among(decision, oracle.undominated(decision))
    everywhere, remaining = oracle.unvarying(decision), oracle.unvarying(left)
    expected = {
        each: IrrelevantKind.NO_VARIATION if each in everywhere else IrrelevantKind.NO_VARIATION_REMAINING
        for each in decision.objectives
        if each in (*everywhere, *remaining)
    }
    assert {each.objective: each.kind for each in found.irrelevant} == expected
    for one, other in combinations(oracle.varying(left), 2):
        alike = oracle.column(left, one) == oracle.column(left, other)
        assert alike is any({one, other} <= set(group) for group in found.same_patterns)


@pytest.mark.req("TR-22")
@given(decisions())
def test_gains_losses_and_pairs_of_those_left_are_as_compared(decision: Decision) -> None:
    found = engine.analyse_ratings(decision)
    decision = oracle.known(decision)
    left = oracle.among(decision, oracle.undominated(decision))
    assert [each.alternative for each in found.tensions] == list(left.options)
    for each in found.tensions:
        known = dict(zip(decision.objectives, oracle.row(decision, each.alternative), strict=True))
        assert list(each.gains) == oracle.best_on(left, each.alternative)
        assert list(each.losses) == oracle.worst_on(left, each.alternative)
        assert list(each.better) == [objective for objective, rating in known.items() if rating and rating > 0]
        assert list(each.worse) == [objective for objective, rating in known.items() if rating and rating < 0]
    assert [(each.one, each.other) for each in found.pairs] == list(combinations(left.options, 2))
    for pair in found.pairs:
        ahead = oracle.steps_between(decision, pair.one, pair.other)
        assert [*pair.better] == [Steps(o, steps) for o, steps in ahead.items() if steps > 0]
        assert [*pair.worse] == [Steps(o, steps) for o, steps in ahead.items() if steps < 0]
        assert [*pair.equal] == [o for o, steps in ahead.items() if steps == 0]


@pytest.mark.req("TR-22")
@given(decisions())
def test_conflicts_practical_dominance_and_regret_are_as_counted(decision: Decision) -> None:
    found = engine.analyse_ratings(decision)
    conflicts = find_conflicts(engine.build_table(decision).known.among(found.dominance.left))
    decision = oracle.known(decision)
    left = oracle.among(decision, oracle.undominated(decision))
    assert {(each.one, each.other): (each.discordant, each.concordant) for each in conflicts} == {
        pair: oracle.orders(left, *pair) for pair in combinations(oracle.varying(left), 2)
    }
    running = oracle.among(decision, found.contenders)
    orders = {pair: oracle.orders(running, *pair) for pair in combinations(oracle.varying(running), 2)}
    against = {pair: counted for pair, counted in orders.items() if counted[0]}
    assert bool(against) is bool(found.headline)
    if heart := found.headline:
        assert against[heart.one, heart.other] == (heart.discordant, heart.concordant)
        assert heart.discordant - heart.concordant == max(unlike - alike for unlike, alike in against.values())
    assert sorted((each.alternative, each.by) for each in found.practical_dominance) == sorted(oracle.practical(left))
    if oracle.gaps(left):
        assert found.regrets.each == ()
        return
    given_up = {each: oracle.regret(left, each) for each in left.options}
    assert {each.alternative: (each.worst, each.total) for each in found.regrets.each} == {
        each: (max(lost), sum(lost)) for each, lost in given_up.items()
    }
    least = min(max(lost) for lost in given_up.values())
    assert list(found.regrets.smallest_worst) == [each for each, lost in given_up.items() if max(lost) == least]


@pytest.mark.req("TR-22")
@limit_examples(20)
@given(decisions(gaps=0) | decisions())
def test_one_step_changes_are_found_by_trying_each(decision: Decision) -> None:
    found = engine.analyse_ratings(decision).sensitivity
    first, beaten = oracle.leaders(decision), _list_dominated(decision)
    leads, dominated = dict[object, list[str]](), dict[object, list[str]]()
    for at, to in oracle.one_steps(decision):
        then = oracle.moved(decision, at, to)
        if (after := oracle.leaders(then)) != first:
            leads[at, to] = after
        if (after := _list_dominated(then)) != beaten:
            dominated[at, to] = after
    shown = [
        ((each.nudge.alternative, each.nudge.objective), each.nudge.to, list(each.after)) for each in found.leaders
    ]
    assert {(at, to): after for at, to, after in shown} == leads
    shown = [
        ((each.nudge.alternative, each.nudge.objective), each.nudge.to, list(each.after)) for each in found.dominated
    ]
    assert {(at, to): after for at, to, after in shown} == dominated


def _list_dominated(decision: Decision) -> list[str]:
    return [each for each in decision.options if each not in oracle.undominated(decision)]


@pytest.mark.req("TR-22")
@limit_examples(150)
@given(decisions(most=5, gaps=0))
def test_values_by_points_and_where_the_lead_turns_are_as_computed_with_each_number_of_points(
    decision: Decision,
) -> None:
    left = tuple(oracle.undominated(decision))
    decision = _with_a_whole_swing(decision, left)
    weighed = engine.weigh_left(decision, left)
    part = oracle.among(decision, left)
    worth = oracle.worth_of_steps(part)
    if weighed is None:
        assert not worth
        return
    expected = oracle.values(part, worth, part)
    assert {each: Fraction(value).limit_denominator(1000) for each, value in weighed.values.items()} == expected
    assert list(weighed.leaders) == oracle.first_by(expected)
    turns = {
        objective: sorted(each.points for each in weighed.break_evens if each.objective == objective)
        for objective in worth
    }
    if len(weighed.leaders) > 1:
        assert not weighed.break_evens
        return
    for place, objective in enumerate(decision.objectives):
        if objective in worth:
            _try_all_points(part, objective, decision.points[place], turns[objective], list(weighed.leaders))


def _with_a_whole_swing(decision: Decision, left: tuple[str, ...]) -> Decision:
    """The decision with 100 points for one of the objectives that vary: without, its points count for nothing."""
    whole = [*oracle.varying(oracle.among(decision, left))][:1]
    given = zip(decision.objectives, decision.points, strict=True)
    return replace(decision, points=tuple(100 if each in whole else points for each, points in given))


def _try_all_points(part: Decision, objective: str, given: int, turns: list[float], leader: list[str]) -> None:
    """Between the turns the leader leads; just beyond one of them it leads alone no more."""
    below = max((each for each in turns if each < given), default=0.0)
    above = min((each for each in turns if each > given), default=100.0)
    steps, lowest = oracle.worth_of_steps(part), min(oracle.full_column(part, objective))
    spread = max(oracle.full_column(part, objective)) - lowest
    others = oracle.values(part, {each: worth for each, worth in steps.items() if each != objective}, part)
    for points in (Fraction(each, 2) for each in range(201)):
        reached = {each: points * ((oracle.rating(part, each, objective) or 0) - lowest) / spread for each in others}
        leads = oracle.first_by({each: others[each] + reached[each] for each in others}) == leader
        if below + 1e-6 < points < above - 1e-6:
            assert leads, (objective, points)
        elif (points < below - 1e-6 and below > 0) or (points > above + 1e-6 and above < 100):
            assert not leads, (objective, points)


@pytest.mark.req("TR-22")
@given(decisions())
def test_ratings_against_amounts_are_found_by_comparing_each_pair(decision: Decision) -> None:
    table, measured, known = engine.build_table(decision), engine.build_measured(decision), oracle.known(decision)
    found = {(each.objective, each.rated_higher, each.rated_lower) for each in find_contradictions(table, measured)}
    expected = {
        (objective, one, other)
        for objective in decision.objectives
        for one, other in product(decision.options, repeat=2)
        if objective in oracle.worse_amounts(decision, one, other)
        and oracle.steps_between(known, one, other).get(objective, 0) > 0
    }
    assert found == expected


@pytest.mark.req("TR-22")
@given(decisions(most=4))
def test_amounts_are_compared_by_their_direction_and_target(decision: Decision) -> None:
    measured = engine.build_measured(decision)
    for one, other in permutations(decision.options, 2):
        assert measured.find_worse(one, other) == tuple(oracle.worse_amounts(decision, one, other))
