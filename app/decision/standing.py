"""Sentences of a component on the standout, always with the arguments against it."""

from __future__ import annotations

from app.decision.analysis import StandoutRule
from app.decision.component import Component
from app.decision.so_far import SoFar


def standing(component: Component, so_far: SoFar) -> tuple[str, ...]:
    """Return which option stands out and why, or why none does, followed by the arguments against it.

    Empty while nothing is rated. `component.texts` has the sentences.
    """
    analysis = so_far.analysis
    if analysis is None:
        return ()
    names = (so_far.standout.alternative,) if so_far.standout else analysis.leaders
    doubts = "; ".join(
        f"{so_far.label(each.nudge.alternative)} on {so_far.label(each.nudge.objective)}"
        for each in analysis.sensitivity.leaders
        if each.nudge.doubtful
    )
    sentence = component.texts[_why(so_far, bool(doubts))].format(options=so_far.labels(names), doubts=doubts)
    return (sentence, *_counter_arguments(component, so_far))


def _counter_arguments(component: Component, so_far: SoFar) -> list[str]:
    """Return the best argument against the standout, and the leaders by other measures."""
    found = so_far.standout
    named = [("weakest", found.weakest_on), ("other_reading", found.other_readings)] if found else []
    return [component.texts[name].format(items=so_far.labels(items)) for name, items in named if items]


def _why(so_far: SoFar, shaky: bool) -> str:
    """Return the key of the sentence in the component's texts."""
    analysis, found = so_far.analysis, so_far.standout
    assert analysis is not None, "whoever asks has looked"
    if found:
        if found.rule is StandoutRule.ONLY_ONE_LEFT:
            return "alone"
        return "leads_baseline" if found.alternative == so_far.compared_with else "leads"
    if len(analysis.scores) == 1:
        return "single"
    if len(analysis.leaders) != 1:
        return "tie" if analysis.leaders else "unknown"
    return "shaky" if shaky else "weighed"
