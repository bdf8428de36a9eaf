"""The scorecard of a decision."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.quality import Element, judge_quality
from app.decision.analysis.ratings import Flaw, InvalidInput

SCORES = st.dictionaries(st.sampled_from(Element), st.integers(0, 100))


def full(score: int, **others: int) -> dict[Element, int]:
    return {element: others.get(element.name, score) for element in Element}


@pytest.mark.req("S0-196")
@given(SCORES)
def test_the_whole_is_the_minimum_once_all_seven_have_a_score_and_undefined_before(scores: dict[Element, int]) -> None:
    before, found = dict(scores), judge_quality(scores)
    assert scores == before
    assert set(found.missing) == set(Element) - scores.keys()
    if found.missing:
        assert (found.overall, found.weakest, found.acceptable, found.affirmable) == (None, (), False, False)
    else:
        assert found.overall == min(scores.values())
        assert found.weakest == tuple(element for element in Element if scores[element] == found.overall)


@pytest.mark.req("S0-196")
def test_no_mean_hides_a_weak_link() -> None:
    assert judge_quality(full(100, INFORMATION=10)).overall == 10


def test_of_no_scores_the_card_is_undefined() -> None:
    assert judge_quality({}).overall is None
    assert judge_quality({}).missing == tuple(Element)


def test_all_weakest_elements_are_named() -> None:
    assert judge_quality(full(90, FRAME=40, COMMITMENT=40)).weakest == (Element.FRAME, Element.COMMITMENT)


def test_80_is_acceptable_and_79_is_not() -> None:
    assert judge_quality(full(80)).acceptable
    assert not judge_quality(full(100, TRADEOFFS=79)).acceptable


def test_a_decision_is_affirmed_only_if_nothing_is_left_to_improve() -> None:
    assert judge_quality(full(100)).affirmable
    assert not judge_quality(full(100, FRAME=99)).affirmable


def test_improvements_begin_with_the_lowest_score() -> None:
    found = judge_quality({Element.FRAME: 70, Element.REASONING: 20, Element.OBJECTIVES: 20}).improvements
    assert [*found] == [Element.OBJECTIVES, Element.REASONING, Element.FRAME]


@pytest.mark.req("S0-192")
@pytest.mark.parametrize("score", [-1, 101])
def test_a_score_is_from_0_to_100(score: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        judge_quality({Element.TRADEOFFS: score})
    assert (refused.value.flaw, refused.value.handles) == (Flaw.OFF_SCALE, ("Clear Tradeoffs",))
