"""Paths in a draft, and their names for people. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from app.core.copy import draft_editing
from app.decision.schema.component import Component, find_subschema, generalize_path
from app.decision.schema.paths import Draft, is_list, is_object
from app.decision.schema.terms import name_element

Path: TypeAlias = tuple[str | int, ...]
"""Names of fields, and indexes of lists."""


def format_path(path: Path) -> str:
    """Return the path in the form of a control's value."""
    return ".".join(map(str, path))


def parse_path(dotted: str, component: Component) -> Path:
    """Return the steps of a written path; an empty path if the schema does not contain it.

    A field's name may be a number, so the schema decides which step is an index.
    """
    steps: list[str | int] = []
    for step in dotted.split("."):
        inside = (find_subschema(component.json_schema, list(steps)) or {}).get("type")
        steps.append(int(step) if inside == "array" and step.isdecimal() else step)
    return tuple(steps) if find_subschema(component.json_schema, list(steps)) is not None else ()


def find_node(component: Component, path: Path) -> Mapping[str, Any]:
    """Return the part of a component's schema that governs a place; empty if there is none."""
    return find_subschema(component.json_schema, list(path)) or {}


def generalize(path: Path) -> str:
    """Return the path of a place without indexes, as criteria and references write it."""
    return generalize_path(list(path))


def get_value(draft: Any, path: Sequence[str | int]) -> Any:
    """Return the value at a path; None if there is none."""
    for step in path:
        if is_list(draft) and isinstance(step, int) and step < len(draft):
            draft = draft[step]
        elif is_object(draft) and isinstance(step, str):
            draft = draft.get(step)
        else:
            return None
    return draft


def put_value(draft: Draft, path: Path, value: Any) -> Draft:
    """Return a copy with this value at the path. None removes the value.

    Missing objects on the way are created, and objects that become empty are removed.
    """
    if not path:
        return value
    made: Any = deepcopy(draft)
    holder: Any = made
    for step in path[:-1]:
        if get_value(holder, (step,)) is None:
            holder[step] = {}
        holder = holder[step]
    _set(holder, path[-1], value)
    emptied = path[:-1]
    if emptied and get_value(made, emptied) == {} and isinstance(emptied[-1], str):
        return put_value(made, emptied, None)
    return made


def _set(holder: Any, step: str | int, value: Any) -> None:
    if is_list(holder):
        assert isinstance(step, int), "lists have indexes"
        holder[step : step + 1] = [] if value is None else [value]
    elif value is None:
        holder.pop(step, None)
    else:
        holder[step] = value


def name_choice(value: str) -> str:
    """Return the meaning of a field's choice for people."""
    return draft_editing.CHOICES.get(value) or name_element(value.replace("_", " "))


def name_place(path: Path) -> str:
    """Return the name of a path for people, by its last field."""
    return draft_editing.name_field(next((step for step in reversed(path) if isinstance(step, str)), ""))


def complete_lists(schema: Mapping[str, Any], data: Any, steps: Path = ()) -> Any:
    """Return a copy with an empty list wherever the schema requires one that is missing, as in an unfinished draft."""
    if is_list(data):
        return [complete_lists(schema, each, (*steps, index)) for index, each in enumerate(data)]
    if not is_object(data):
        return data
    node, made = find_subschema(schema, list(steps)) or {}, dict(data)
    for name in node.get("required", ()):
        if name not in made and (empty := _build_empty(schema, (*steps, name))) is not None:
            made[name] = empty
    return {name: complete_lists(schema, each, (*steps, name)) for name, each in made.items()}


def _build_empty(schema: Mapping[str, Any], steps: Path) -> Any:
    """Return an empty list, or an object that requires only such lists; None for everything else."""
    node = find_subschema(schema, list(steps)) or {}
    if node.get("type") == "array":
        return []
    needed = [_build_empty(schema, (*steps, each)) for each in node.get("required", ())]
    return {} if node.get("type") == "object" and None not in needed else None
