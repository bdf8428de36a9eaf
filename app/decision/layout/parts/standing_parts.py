"""Sentences on which option stands out, and on what speaks against it."""

from __future__ import annotations

from app.core.text.labels import join_words
from app.decision.analysis.analysis import Analysis, StandoutRule
from app.decision.layout.parts.analysis_parts import name_with_condition
from app.decision.layout.parts.told_parts import map_could_lead
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component


def describe_standing(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return which option stands out, why, and what was tried, or why none does; then the arguments against it.

    What was tried is left out where another one could still lead, by what nobody knows. Empty while nothing is rated.
    `component.texts` has the sentences.
    """
    found, (lead, *others) = so_far.standout, describe_lead(component, so_far) or ("",)
    if found is None or found.rule is StandoutRule.ONLY_ONE_LEFT or map_could_lead(so_far):
        return (lead, *others) if lead else ()
    return (f"{lead} {component.texts['tried_both' if found.by_value else 'tried']}", *others)


def describe_lead(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the same without what was tried."""
    found = so_far.analysis
    if found is None:
        return ()
    names = (so_far.standout.alternative,) if so_far.standout else found.leaders or found.dominance.left
    sentence = component.texts[_name_reason(so_far, found)].format(
        options=join_words([name_with_condition(so_far, each) for each in names]),
        doubts="; ".join(map(so_far.label_place, so_far.standing.shaken_by)),
        missing="; ".join(map(so_far.label_place, found.missing)),
    )
    could_lead = (
        component.texts["could_lead"].format(option=so_far.label(option), objectives=so_far.labels(objectives))
        for option, objectives in map_could_lead(so_far).items()
    )
    return (sentence, *could_lead, *_list_reservations(component, so_far))


def _list_reservations(component: Component, so_far: DecisionRecord) -> list[str]:
    """Return how far the ranges bear the standout, the best argument against it, and the leaders by other measures."""
    found, analysis = so_far.standout, so_far.analysis
    if found is None or analysis is None:
        return []
    is_alone, could_lead = found.rule is StandoutRule.ONLY_ONE_LEFT, map_could_lead(so_far)
    rivals = tuple(each for each in found.rivals if each not in could_lead)
    named = [
        ("could_come_back" if is_alone else "could_catch_up", rivals),
        ("weakest", found.weakest_on),
        ("among_weakest", found.among_weakest_on),
        ("level_reading" if found.is_level else "other_reading", found.other_readings),
        ("not_compared", analysis.dropped),
    ]
    return [
        component.texts[name].format(items=so_far.labels(items), verb="is" if len(items) == 1 else "are")
        for name, items in named
        if items
    ]


def _name_reason(so_far: DecisionRecord, found: Analysis) -> str:
    """Return the key of the sentence in the component's texts."""
    standout = so_far.standout
    if standout:
        if standout.rule is StandoutRule.ONLY_ONE_LEFT:
            return "alone"
        baseline = "_baseline" if standout.alternative == so_far.baseline else ""
        return f"leads{baseline}" if not standout.by_value else f"leads{baseline}_both"
    if len(found.scores) == 1:
        return "single"
    if so_far.standing.shaken_by and found.leaders:  # without a gap: nobody leads before all sums are known
        return "shaky"
    if len(found.leaders) != 1:
        return "tie" if found.leaders else "unknown"
    return "weighed"
