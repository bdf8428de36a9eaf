"""Registry of the rules and criteria that components name, and the functions that run them.

Rules need data that keeps its schema. Criteria accept any data, so that a draft can be checked at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from app.decision.component import Component, Criterion
from app.decision.findings import Finding
from app.decision.handles import dangling
from app.decision.paths import Draft, Place, places, values
from app.decision.quality import Element
from app.decision.rules import alternatives, frame, objectives, ratings, summing_up, texts, wrapping_up
from app.decision.so_far import SoFar, name_of

NAMED: Final = 10
"""Highest number of options named as unrated, for one objective."""

Rule: TypeAlias = Callable[[Draft, SoFar], Iterable[Finding]]
Need: TypeAlias = Callable[[Draft, SoFar], Iterable[str]]

_RULES: Final = (
    texts.no_duplicates,
    texts.one_box_each,
    texts.near_duplicates,
    texts.many_items,
    frame.one_tier_each,
    frame.one_decision_maker,
    frame.open_question,
    frame.decider,
    frame.deadline,
    objectives.no_circles,
    objectives.weights,
    objectives.measures,
    objectives.double_counting,
    objectives.only_one,
    alternatives.one_status_quo,
    alternatives.strategies,
    alternatives.same_as_status_quo,
    alternatives.few_options,
    alternatives.many_options,
    alternatives.broken_limits,
    ratings.cell_once,
    ratings.ranges,
    ratings.measures_agree,
    ratings.coarse_scale,
    ratings.halo,
    ratings.same_columns,
    ratings.anchored,
    ratings.doubt_has_a_driver,
    summing_up.kept_options,
    summing_up.baseline_beaten,
    summing_up.nothing_separates,
    summing_up.ties,
    summing_up.no_verdict,
    summing_up.named_handles,
    summing_up.doubts_covered,
    wrapping_up.elements_once,
    wrapping_up.evidence_for_scores,
    wrapping_up.one_more_week,
    wrapping_up.affirmation,
    wrapping_up.due_dates,
    wrapping_up.who_and_when,
    wrapping_up.decision_status,
    wrapping_up.weakest_addressed,
)
RULES: Final[Mapping[str, Rule]] = MappingProxyType({rule.__name__: rule for rule in _RULES})
"""Rules by the name that components use."""


def findings(component: Component, draft: Draft, so_far: SoFar) -> tuple[Finding, ...]:
    """Return the findings of all rules. A reference to a missing item is an issue in every component."""
    loose = dangling(component, draft, so_far.handles)
    return (*loose, *(each for name in component.rules for each in RULES[name](draft, so_far)))


def missing(component: Component, draft: Draft, so_far: SoFar) -> tuple[str, ...]:
    """Return what is still needed before approval, in words; empty if nothing is."""
    return tuple(need for criterion in component.criteria for need in _needs(criterion, draft, so_far))


def every_cell_rated(draft: Draft, so_far: SoFar) -> Iterable[str]:
    """Require a rating of each option on each objective, except for the status quo."""
    table = so_far.table(draft)
    if table is None:
        yield "objectives and options to rate"
        return
    for objective in table.objectives:
        if gaps := tuple(at[0] for at in table.missing if at[1] == objective):
            more = f" and {len(gaps) - NAMED} more" if len(gaps) > NAMED else ""
            yield f"ratings on {so_far.label(objective)}: {so_far.labels(gaps[:NAMED])}{more}"


def full_table(draft: Draft, so_far: SoFar) -> Iterable[str]:
    """Require a full table, because the analysis is final only then."""
    if so_far.analysis is None or so_far.analysis.missing:
        yield "a full table of ratings (Consequences)"


def every_element_scored(draft: Draft, so_far: SoFar) -> Iterable[str]:
    """Require a score for each of the seven elements."""
    scored = values(draft, "elements[].name")
    if unscored := [each.value for each in Element if each.value not in scored]:
        yield f"scores for {', '.join(unscored)}"


CRITERIA: Final[Mapping[str, Need]] = MappingProxyType(
    {each.__name__: each for each in (every_cell_rated, full_table, every_element_scored)}
)


def _needs(criterion: Criterion, draft: Draft, so_far: SoFar) -> Iterable[str]:
    if criterion.rule:
        return CRITERIA[criterion.rule](draft, so_far)
    holder, _, last = criterion.path.rpartition("[].")
    if not holder:
        return () if any(_reaches(criterion, each) for each in places(draft, criterion.path)) else (criterion.need,)
    items = values(draft, f"{holder}[]")
    lacking = (each for each in items if not any(_reaches(criterion, place) for place in places(each, last)))
    return (criterion.need.format(item=f"{each['handle']} {name_of(each)}") for each in lacking)


def _reaches(criterion: Criterion, place: Place) -> bool:
    return len(place.value) >= criterion.least
