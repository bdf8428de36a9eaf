"""Sentences on which option stands out, and on what speaks against it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from app.core.text.labels import join_words
from app.decision.analysis.analysis import Analysis, StandoutRule
from app.decision.analysis.ratings import At
from app.decision.analysis.swing import WeighedTable
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.contender_parts import name_with_condition
from app.decision.layout.parts.result import build_line
from app.decision.layout.parts.told_parts import list_leading, map_could_lead
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.terms import format_amount

POINTS_OPEN: Final = " ({objectives} not known)"
"""What stands behind the points of an option that nobody can rate on all that the points count."""


def describe_standing(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return which option stands out, why, and what was tried, or why none does; then what people's points say.

    That is empty if no points count, or if the first text says that they agree. The arguments against it come last.
    What was tried is left out where another one could still lead, by what nobody knows. Empty while nothing is rated.
    `component.texts` has the sentences.
    """
    found, (lead, *others) = so_far.standout, describe_lead(component, so_far) or ("",)
    if found is None or found.rule is StandoutRule.ONLY_ONE_LEFT:
        return (lead, tell_points(so_far), *others) if lead else ()
    if map_could_lead(so_far):
        return (lead, "", *others)
    return (f"{lead} {component.texts['tried_both' if found.by_value else 'tried']}", "", *others)


def describe_lead(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the same without what was tried, and of people's points only who is ahead."""
    sentence = tell_lead(component, so_far, partial(name_with_condition, so_far), so_far.label_place)
    if not sentence:
        return ()
    could_lead = (
        component.texts["could_lead"].format(option=so_far.label(option), objectives=so_far.labels(objectives))
        for option, objectives in map_could_lead(so_far).items()
    )
    return (sentence, *could_lead, *_list_reservations(component, so_far))


def tell_lead(
    component: Component, so_far: DecisionRecord, name: Callable[[str], str], name_place: Callable[[At], str]
) -> str:
    """Return which option stands out or why none does, with these names of options and ratings; empty if unrated."""
    found = so_far.analysis
    if found is None:
        return ""
    names = (so_far.standout.alternative,) if so_far.standout else found.leaders or found.dominance.left
    ahead = so_far.weighed.leaders if so_far.weighed else ()
    return component.texts[_name_reason(so_far, found)].format(
        ahead=join_words([each if each in names else so_far.label(each) for each in ahead]),
        level=so_far.labels(list_level_by_points(so_far)),
        verb="is" if len(ahead) == 1 else "are",
        options=join_words(map(name, names)),
        doubts="; ".join(dict.fromkeys(map(name_place, so_far.standing.shaken_by))),
        missing="; ".join(dict.fromkeys(map(name_place, found.missing))),
    )


def list_level_by_points(so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the options that people's approved points place level with the one that alone leads on the plain sum."""
    leaders = so_far.analysis.leaders if so_far.analysis else ()
    first = so_far.weighed.leaders if so_far.weighed else ()
    is_level = len(leaders) == 1 and leaders[0] in first
    return tuple(each for each in first if each not in leaders) if is_level else ()


def leads_in_both(so_far: DecisionRecord) -> bool:
    """Return True if one option alone leads on the plain sum, and the same one by people's approved points."""
    leaders = so_far.analysis.leaders if so_far.analysis else ()
    return len(leaders) == 1 and so_far.weighed is not None and so_far.weighed.leaders == leaders


def tell_points(so_far: DecisionRecord) -> str:
    """Return the sentence on what people's approved points make of each option; empty if they do not count.

    Those that lead were named just before, so they stand by their handles.
    """
    named = list_leading(so_far)
    points = rank_by_points(so_far, so_far.weighed, lambda each: each if each in named else so_far.label(each))
    return f"{build_line(words.BY_YOUR_POINTS, points)}." if points else ""


def rank_by_points(so_far: DecisionRecord, weighed: WeighedTable | None, label: Callable[[str], str]) -> str:
    """Return what people's points make of each option, the best first; empty if the points do not count.

    Beside an option stand the objectives with points on which nobody can rate it: its place is open.
    """
    if weighed is None:
        return ""
    unknown = so_far.rated.unknown if so_far.rated else ()
    told = list[str]()
    for option, points in sorted(weighed.values.items(), key=lambda each: -each[1]):
        gaps = [at[1] for at in unknown if at[0] == option and at[1] in weighed.step_worth]
        mark = POINTS_OPEN.format(objectives=join_words(gaps)) if gaps else ""
        told.append(f"{label(option)} {format_amount(round(points, 1))}{mark}")
    return join_words(told, words.AT_MOST)


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
        component.texts[name].format(
            items=so_far.labels(items),
            verb="is" if len(items) == 1 else "are",
            standout=so_far.label(found.alternative),
        )
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
        return "shaky_both" if leads_in_both(so_far) else "shaky"
    if len(found.leaders) != 1:
        is_broken = so_far.weighed is not None and len(so_far.weighed.leaders) == 1
        tie = "tie_but_for_points" if is_broken else "tie"
        return tie if found.leaders else "unknown"
    return "weighed_level" if list_level_by_points(so_far) else "weighed"
