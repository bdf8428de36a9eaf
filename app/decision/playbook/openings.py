"""The first message of a component: its template, filled from the decision.

A slot is a path (`problem_frame.focal_decision.statement`) or the name of a computed text. A paragraph with an empty
slot is left out. No model writes this message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from app.core.pending.answer_reading import COUNT
from app.decision.layout.parts.firm_parts import describe_firmness
from app.decision.record import DOUBTFUL, DecisionRecord, describe_standing
from app.decision.schema.component import Component
from app.decision.schema.paths import find_value, find_values, is_list, read_name

Slot: TypeAlias = Callable[[DecisionRecord, Component], str]

_SLOT = re.compile(r"\{([a-z_.]+)\}")


def write_opening(component: Component, so_far: DecisionRecord) -> str:
    """Return the first message of this component in this decision."""
    return "\n\n".join(
        _SLOT.sub(lambda slot: _fill_slot(slot[1], component, so_far), paragraph)
        for paragraph in component.opening.split("\n\n")
        if all(_fill_slot(slot, component, so_far) for slot in list_slots(paragraph))
    )


def list_choices(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the choices of the component's first question; empty if there is nothing to choose from."""
    asked = component.first_question
    items = find_values(so_far.results, asked.among) if asked else []
    labels = tuple(so_far.label(each["handle"]) for each in items[: COUNT[-1]])
    return labels if len(labels) in COUNT else ()


def list_slots(template: str) -> list[str]:
    """Return the slots of a template."""
    return _SLOT.findall(template)


def _fill_slot(slot: str, component: Component, so_far: DecisionRecord) -> str:
    if computed := COMPUTED.get(slot):
        return computed(so_far, component)
    key, _, path = slot.partition(".")
    return _render_value(find_value(so_far.results.get(key), path), so_far)


def _render_value(found: Any, so_far: DecisionRecord) -> str:
    """Return a text, a handle with its name, or a list of items."""
    if is_list(found):
        return "\n".join(" ".join(filter(None, ("•", each.get("handle"), read_name(each)))) for each in found)
    return so_far.label(found) if found in so_far.handles else found or ""


def _list_other_options(so_far: DecisionRecord, component: Component) -> str:
    return "\n".join(f"• {so_far.label(each)}" for each in so_far.alternatives if each != so_far.baseline)


def _name_first_objective(so_far: DecisionRecord, component: Component) -> str:
    first = find_value(so_far.results.get("objectives"), "fundamental_objectives[]")
    if first is None:
        return ""
    metric = find_value(first, "performance_measure.metric")
    return f"{so_far.label(first['handle'])}" + (f" ({metric})" if metric else "")


def _ask_first_question(so_far: DecisionRecord, component: Component) -> str:
    options = [each for each in so_far.alternatives if each != so_far.baseline]
    if not options or not so_far.objectives:
        return "Which options do you want to compare, and on which objectives?"
    return f"How does {so_far.label(options[0])} compare to the status quo on {so_far.label(so_far.objectives[0])}?"


def _list_dominated(so_far: DecisionRecord, component: Component) -> str:
    found = so_far.analysis.dominance.dominated if so_far.analysis else ()
    return "\n".join(
        f"• {so_far.label(each.alternative)} is dominated: {so_far.label(each.dominated_by)} is never worse, "
        f"and better on {so_far.labels(each.better_on)}."
        for each in found
    )


def _list_irrelevant(so_far: DecisionRecord, component: Component) -> str:
    found = so_far.analysis.irrelevant if so_far.analysis else ()
    return "\n".join(f"• {so_far.label(each.objective)} does not tell the options apart." for each in found)


def _describe_tensions(so_far: DecisionRecord, component: Component) -> str:
    found = so_far.analysis.tensions if so_far.analysis else ()
    return "\n".join(
        f"• {so_far.label(each.alternative)}: best on {so_far.labels(each.gains) or 'nothing'}; "
        f"weakest on {so_far.labels(each.losses) or 'nothing'}."
        for each in found
    )


def _describe_headline(so_far: DecisionRecord, component: Component) -> str:
    found = so_far.analysis.headline if so_far.analysis else None
    if found is None:
        return ""
    return f"The heart of it: {so_far.label(found.one)} against {so_far.label(found.other)}."


def _list_gaps(so_far: DecisionRecord, component: Component) -> str:
    if so_far.analysis is None:
        return "There are no ratings yet, so there is nothing to analyse: the consequences come first."
    if not so_far.analysis.missing:
        return ""
    places = "; ".join(f"{so_far.label(one)} on {so_far.label(other)}" for one, other in so_far.analysis.missing)
    return f"These ratings are missing, so nothing is final: {places}."


def _list_left(so_far: DecisionRecord, component: Component) -> str:
    if so_far.analysis is None or not so_far.analysis.dominance.dominated:
        return ""
    return f"After what was set aside, these are left: {so_far.labels(so_far.analysis.dominance.left)}."


def _describe_standout(so_far: DecisionRecord, component: Component) -> str:
    return " ".join(describe_standing(component, so_far))


def _list_doubts(so_far: DecisionRecord, component: Component) -> str:
    places = (f"• {so_far.label(one)} on {so_far.label(other)}" for one, other, _ in so_far.doubts)
    causes = (f": {driver}" if driver else "" for _, _, driver in so_far.doubts)
    title = "What to find out first, as it could change who leads:" if so_far.firmness else "Doubtful ratings so far:"
    return "\n".join([title, *map("".join, zip(places, causes, strict=True))]) if so_far.doubts else ""


def _describe_firmness(so_far: DecisionRecord, component: Component) -> str:
    return " ".join(describe_firmness(so_far.firmness, so_far.label)) if so_far.firmness else ""


def _describe_evidence(so_far: DecisionRecord, component: Component) -> str:
    """Return facts of the record that may support the scores. They do not decide any score."""
    cells = find_values(so_far.results.get("consequences"), "table.cells[]")
    doubtful = [each for each in cells if find_value(each, "uncertainty.level") in DOUBTFUL]
    objectives = find_values(so_far.results.get("objectives"), "fundamental_objectives[]")
    measured = [each for each in objectives if "performance_measure" in each]
    lines = [
        f"• {len(measured)} of {len(objectives)} objectives have a measure" if objectives else "",
        f"• {len(so_far.alternatives)} options, the status quo among them" if so_far.baseline else "",
        f"• {len(doubtful)} of {len(cells)} ratings are doubtful" if cells else "",
    ]
    return "\n".join(["What is on record:", *filter(None, lines)]) if any(lines) else ""


def _name_weakest(so_far: DecisionRecord, component: Component) -> str:
    quality = so_far.results.get("decision_quality", {})
    weakest = ", ".join(quality.get("weakest", ()))
    return f"{weakest} ({quality['overall_score']} %)" if weakest else ""


COMPUTED: Final[Mapping[str, Slot]] = MappingProxyType(
    {
        "other_options": _list_other_options,
        "first_objective": _name_first_objective,
        "first_question": _ask_first_question,
        "dominated": _list_dominated,
        "irrelevant": _list_irrelevant,
        "tensions": _describe_tensions,
        "headline": _describe_headline,
        "gaps": _list_gaps,
        "left": _list_left,
        "standout": _describe_standout,
        "doubts": _list_doubts,
        "firmness": _describe_firmness,
        "evidence": _describe_evidence,
        "weakest": _name_weakest,
    }
)
