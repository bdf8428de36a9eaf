"""The first message of a component: its template, filled from the decision.

A slot is a path (`problem_frame.focal_decision.statement`) or the name of a computed text. A paragraph with an empty
slot is left out. No model writes this message.
"""

from __future__ import annotations

import re
from typing import Any

from app.core.pending.answer_reading import COUNT
from app.decision.layout.parts.short_names import shorten_lines
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.paths import find_value, find_values, is_list, read_name

_SLOT = re.compile(r"\{([a-z_.]+)\}")


def write_opening(component: Component, so_far: DecisionRecord) -> str:
    """Return the first message of this component in this decision.

    A name is in full once, and in the last paragraph.
    """
    lacking = [f"{said[0].upper()}{said[1:]}." for said in list_lacking(component, so_far)]
    paragraphs = (
        _SLOT.sub(lambda slot: _fill_slot(slot[1], component, so_far), paragraph)
        for paragraph in component.opening.split("\n\n")
        if all(_fill_slot(slot, component, so_far) for slot in list_slots(paragraph))
    )
    first, *others = paragraphs
    *told, asks = [first, *([" ".join(lacking)] if lacking else []), *others]
    return "\n\n".join([*shorten_lines(told, so_far.name), asks])


def list_choices(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the choices of the component's first question; empty if there is nothing to choose from."""
    asked = component.first_question
    if asked is None or (asked.chosen and find_value(so_far.results, asked.chosen)):
        return ()
    items = find_values(so_far.results, asked.among)
    labels = tuple(so_far.label(each["handle"]) for each in items[: COUNT[-1]])
    return labels if len(labels) in COUNT else ()


def list_lacking(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return what this component would work on and is not there, a sentence each."""
    return tuple(
        said
        for path, said in component.lacking.items()
        if not find_values(so_far.results.get(path.partition(".")[0]), path.partition(".")[2])
    )


def find_missing_step(component: Component, so_far: DecisionRecord) -> str:
    """Return the key of the first step without a result that this component works on; empty if none.

    What a step that has a result does not hold was left out there on purpose.
    """
    lacking = list_lacking(component, so_far)
    keys = (path.partition(".")[0] for path, said in component.lacking.items() if said in lacking)
    return next((key for key in keys if key not in so_far.results), "")


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
