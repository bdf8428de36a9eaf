"""Registry of the rules and criteria that components name, and the functions that run them.

Rules need data that keeps its schema. Criteria accept any data, so that a draft can be checked at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from app.core.text.labels import join_words
from app.decision.analysis.quality import Element
from app.decision.record import DecisionRecord
from app.decision.rules import (
    action_rules,
    closing_rules,
    framing_rules,
    limit_rules,
    rating_rules,
    text_rules,
    tradeoff_rules,
    written_amounts,
)
from app.decision.schema.component import Component, Criterion
from app.decision.schema.findings import Finding, Remark
from app.decision.schema.handles import find_dangling
from app.decision.schema.paths import Draft, Place, find_places, find_value, find_values, read_name
from app.decision.schema.terms import name_element

NAMED: Final = 10
"""Highest number of options named as unrated, for one objective."""

Rule: TypeAlias = Callable[[Draft, DecisionRecord], Iterable[Finding]]
Need: TypeAlias = Callable[[Draft, DecisionRecord], Iterable[str]]

_RULES: Final = (
    text_rules.no_duplicates,
    text_rules.one_box_each,
    text_rules.near_duplicates,
    text_rules.many_items,
    framing_rules.one_tier_each,
    framing_rules.one_decision_maker,
    framing_rules.open_question,
    framing_rules.decider,
    framing_rules.deadline,
    framing_rules.no_circles,
    framing_rules.weights,
    framing_rules.measures,
    framing_rules.double_counting,
    framing_rules.only_one,
    framing_rules.wishes_taken_up,
    framing_rules.one_status_quo,
    framing_rules.strategies,
    framing_rules.same_as_status_quo,
    framing_rules.few_options,
    framing_rules.many_options,
    framing_rules.broken_limits,
    rating_rules.cell_once,
    rating_rules.ranges,
    rating_rules.measures_agree,
    rating_rules.units_agree,
    rating_rules.scale_agrees,
    rating_rules.amounts_of_before,
    rating_rules.halo,
    rating_rules.same_columns,
    rating_rules.anchored,
    rating_rules.doubt_has_a_driver,
    limit_rules.limits_kept,
    written_amounts.reasons_agree,
    closing_rules.kept_options,
    closing_rules.amounts_disagree,
    closing_rules.conditions_open,
    closing_rules.something_counts,
    closing_rules.baseline_beaten,
    closing_rules.nothing_separates,
    closing_rules.ties,
    closing_rules.former_points,
    closing_rules.missing_points,
    tradeoff_rules.even_swaps,
    tradeoff_rules.verdicts_placed,
    closing_rules.no_verdict,
    closing_rules.named_handles,
    closing_rules.doubts_covered,
    closing_rules.conditions_dated,
    closing_rules.elements_once,
    closing_rules.evidence_for_scores,
    closing_rules.one_more_week,
    closing_rules.affirmation,
    closing_rules.due_dates,
    closing_rules.who_and_when,
    closing_rules.decision_status,
    action_rules.weakest_addressed,
    action_rules.first_found_out,
    action_rules.aims_named,
)
RULES: Final[Mapping[str, Rule]] = MappingProxyType({rule.__name__: rule for rule in _RULES})
"""Rules by the name that components use."""


def check_rules(component: Component, draft: Draft, so_far: DecisionRecord) -> tuple[Finding, ...]:
    """Return the findings of all rules. A reference to a missing item is an issue in every component."""
    loose = find_dangling(component, draft, so_far.handles)
    found = ((name, each) for name in component.rules for each in RULES[name](draft, so_far))
    return (*loose, *(replace(each, rule=name) if isinstance(each, Remark) else each for name, each in found))


def list_missing(component: Component, draft: Draft, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return what is still needed before approval, in words; empty if nothing is."""
    return tuple(need for criterion in component.criteria for need in _list_needs(criterion, draft, so_far))


def every_cell_rated(draft: Draft, so_far: DecisionRecord) -> Iterable[str]:
    """Require a rating of each option on each objective, except for the status quo.

    Objectives on which the same options have none are told together, by handle.
    """
    table = so_far.table(draft)
    if table is None:
        yield "objectives and options to rate"
        return
    alike = dict[tuple[str, ...], list[str]]()
    for objective in table.objectives:
        if gaps := tuple(at[0] for at in table.missing if at[1] == objective):
            alike.setdefault(gaps, []).append(objective)
    for gaps, objectives in alike.items():
        where = join_words(objectives) if len(objectives) > 1 else so_far.label(objectives[0])
        yield f"ratings on {where}: {join_words(map(so_far.label, gaps), NAMED)}"


def full_table(draft: Draft, so_far: DecisionRecord) -> Iterable[str]:
    """Require a full table, because the analysis is final only then."""
    if so_far.analysis is None or so_far.analysis.missing:
        yield "a full table of ratings (Consequences)"


def every_element_scored(draft: Draft, so_far: DecisionRecord) -> Iterable[str]:
    """Require a score for each of the seven elements."""
    scored = find_values(draft, "elements[].name")
    if unscored := [name_element(each) for each in Element if each.value not in scored]:
        yield f"scores for {join_words(unscored)}"


def scope_said(draft: Draft, so_far: DecisionRecord) -> Iterable[str]:
    """Require the scope, as a sentence or as a list of what is in it."""
    if not any(find_value(draft, f"focal_decision.{name}") for name in ("scope", "in_scope")):
        yield "what is in scope and what is not"


CRITERIA: Final[Mapping[str, Need]] = MappingProxyType(
    {each.__name__: each for each in (every_cell_rated, full_table, every_element_scored, scope_said)}
)


def _list_needs(criterion: Criterion, draft: Draft, so_far: DecisionRecord) -> Iterable[str]:
    if criterion.rule:
        return CRITERIA[criterion.rule](draft, so_far)
    holder, _, last = criterion.path.rpartition("[].")
    if not holder:
        return () if any(_is_met(criterion, each) for each in find_places(draft, criterion.path)) else (criterion.need,)
    items = find_values(draft, f"{holder}[]")
    lacking = (each for each in items if not any(_is_met(criterion, place) for place in find_places(each, last)))
    return (criterion.need.format(item=f"{each['handle']} {read_name(each)}") for each in lacking)


def _is_met(criterion: Criterion, place: Place) -> bool:
    return len(place.value) >= criterion.least
