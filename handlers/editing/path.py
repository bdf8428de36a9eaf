"""Where something stands in a draft, as the steps that lead there; and what people call it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from app.core import texts_editing as texts
from app.decision.component import Component, subschema
from app.decision.paths import Draft, is_list, is_object

Path: TypeAlias = tuple[str | int, ...]
"""Names of fields, and indexes of lists."""


def written(path: Path) -> str:
    """The path as a control's value holds it."""
    return ".".join(map(str, path))


def read(dotted: str, component: Component) -> Path:
    """The steps of a written path; what the schema does not know leads nowhere, and gives an empty one.

    A field may be called by a number, so the schema says which step is an index.
    """
    steps: list[str | int] = []
    for step in dotted.split("."):
        inside = (subschema(component.json_schema, list(steps)) or {}).get("type")
        steps.append(int(step) if inside == "array" and step.isdecimal() else step)
    return tuple(steps) if subschema(component.json_schema, list(steps)) is not None else ()


def at(draft: Any, path: Sequence[str | int]) -> Any:
    """What stands there; None if nothing does."""
    for step in path:
        if is_list(draft) and isinstance(step, int) and step < len(draft):
            draft = draft[step]
        elif is_object(draft) and isinstance(step, str):
            draft = draft.get(step)
        else:
            return None
    return draft


def put(draft: Draft, path: Path, value: Any) -> Draft:
    """A copy with the value there. None takes out what was there.

    An object that leads there is made, and one in which nothing is left is taken out.
    """
    if not path:
        return value
    made: Any = deepcopy(draft)
    holder: Any = made
    for step in path[:-1]:
        if at(holder, (step,)) is None:
            holder[step] = {}
        holder = holder[step]
    _set(holder, path[-1], value)
    emptied = path[:-1]
    if emptied and at(made, emptied) == {} and isinstance(emptied[-1], str):
        return put(made, emptied, None)
    return made


def _set(holder: Any, step: str | int, value: Any) -> None:
    if is_list(holder):
        assert isinstance(step, int), "lists have indexes"
        holder[step : step + 1] = [] if value is None else [value]
    elif value is None:
        holder.pop(step, None)
    else:
        holder[step] = value


def called(name: str) -> str:
    """What people call a field, or one of the choices in it."""
    return texts.NAMES.get(name) or name.removesuffix("_ids").removesuffix("_id").replace("_", " ").capitalize()


def titled(path: Path) -> str:
    """What people call what stands there, by its last name."""
    return called(next((step for step in reversed(path) if isinstance(step, str)), ""))


def completed(schema: Mapping[str, Any], data: Any, steps: Path = ()) -> Any:
    """A copy with an empty list wherever the schema demands one that is not there, as in what is half noted."""
    if is_list(data):
        return [completed(schema, each, (*steps, index)) for index, each in enumerate(data)]
    if not is_object(data):
        return data
    node, made = subschema(schema, list(steps)) or {}, dict(data)
    for name in node.get("required", ()):
        if name not in made and (empty := _empty(schema, (*steps, name))) is not None:
            made[name] = empty
    return {name: completed(schema, each, (*steps, name)) for name, each in made.items()}


def _empty(schema: Mapping[str, Any], steps: Path) -> Any:
    """An empty list, or an object that needs nothing but such; None for all else."""
    node = subschema(schema, list(steps)) or {}
    if node.get("type") == "array":
        return []
    needed = [_empty(schema, (*steps, each)) for each in node.get("required", ())]
    return {} if node.get("type") == "object" and None not in needed else None
