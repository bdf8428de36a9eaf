"""What of a component can be noted bit by bit, as its schema tells: its lists, what names their items, its fields.

What the server writes is named nowhere: the schema says "leave it out" of it. Knows no draft and no model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from app.decision.component import Component, subschema
from app.decision.paths import is_list, is_object, value
from app.decision.so_far import name_of

Schema: TypeAlias = dict[str, Any]

LEFT_OUT: Final = "leave it out: "
"""How a schema begins to say that the server writes something."""
_CONDITIONS: Final = ("if", "then", "$ref", "$defs")
"""Of a schema what is no help to whoever notes a bit."""


def lists(component: Component) -> tuple[str, ...]:
    """The paths of all lists that stand in no item."""
    return tuple(path for path, schema in _parts(component, []) if schema["type"] == "array")


def fields(component: Component) -> tuple[str, ...]:
    """The paths of all fields that stand in no item and are no list of items."""
    return tuple(path for path, _ in _parts(component, []) if path not in lists(component) or is_text(component, path))


def element(component: Component, path: str) -> Schema:
    """The schema of what is in a list."""
    return subschema(component.json_schema, [*path.split("."), "[]"]) or {}


def is_text(component: Component, path: str) -> bool:
    """True if the list holds texts and no items."""
    return element(component, path).get("type") == "string"


def words_field(component: Component, path: str) -> str:
    """The field of an item of the list where its words stand, `text` of a text; empty if it has none."""
    if is_text(component, path):
        return "text"
    return name_of({name: name for name in element(component, path).get("properties", {})})


def label(component: Component, path: str, item: Any) -> str:
    """What names the item: its handle, else the handles it is about (`A2:O1`), else its words."""
    if not is_object(item):
        return str(item)
    about = [str(value(item, place)) for place in _about(component, path)]
    return item.get("handle") or ":".join(about) or name_of(item)


def item_schema(component: Component, path: str) -> Schema:
    """What can be said of an item of this list, none of it required; a text is the field `text`."""
    schema = _inlined(component, element(component, path))
    if is_text(component, path):
        return {"type": "object", "additionalProperties": False, "properties": {"text": schema}, "title": path}
    inner: Schema = {name: each for name, each in schema["properties"].items() if name != "evidence"}
    if "description" not in element(component, path).get("properties", {}).get("handle", {}):
        inner.pop("handle", None)  # the server gives it, unless the schema itself has something to say of it
    return {"type": "object", "additionalProperties": False, "properties": inner, "title": path}


def fields_schema(component: Component) -> Schema:
    """All fields, each where it stands, none of them required."""
    root: Schema = {"type": "object", "additionalProperties": False, "properties": {}}
    for path in fields(component):
        node, steps = root, path.split(".")
        for step in steps[:-1]:
            group: Schema = {"type": "object", "additionalProperties": False, "properties": {}}
            node = node["properties"].setdefault(step, group)
        node["properties"][steps[-1]] = _inlined(component, subschema(component.json_schema, [*steps]) or {})
    return root


def _parts(component: Component, steps: list[Any]) -> Iterator[tuple[str, Schema]]:
    """All that stands in no item and is not the server's, objects opened."""
    here = subschema(component.json_schema, steps) or {}
    for name in here.get("properties", {}):
        schema = subschema(component.json_schema, [*steps, name]) or {}
        if schema.get("description", "").startswith(LEFT_OUT):
            continue
        if schema.get("type") == "object":
            yield from _parts(component, [*steps, name])
        else:
            yield ".".join([*steps, name]), {"type": "", **schema}


def _about(component: Component, path: str) -> Iterator[str]:
    """The references that an item of this list cannot be without."""
    required = element(component, path).get("required", ())
    for reference in component.references:
        holder, _, place = reference.partition("[].")
        if holder == path and "[]" not in place and place.partition(".")[0] in required:
            yield place


def _inlined(component: Component, node: Schema) -> Any:
    """The schema with what it refers to, and without conditions."""
    node = {**_definition(component, node), **node}
    return {key: _inlined_value(component, each) for key, each in node.items() if key not in _CONDITIONS}


def _inlined_value(component: Component, given: Any) -> Any:
    if is_object(given):
        return _inlined(component, given)
    return [_inlined_value(component, each) for each in given] if is_list(given) else given


def _definition(component: Component, node: Schema) -> Schema:
    reference = node.get("$ref", "")
    return component.json_schema["$defs"][reference.rsplit("/", 1)[1]] if reference else {}
