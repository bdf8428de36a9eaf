"""Lists, fields and names of items that can be noted one by one, derived from a component's schema.

Fields that the server writes are left out. Knows no draft and no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from app.decision.schema.component import Component, find_subschema, resolve
from app.decision.schema.paths import find_value, is_list, is_object, omit, read_name

Schema: TypeAlias = dict[str, Any]

LEFT_OUT: Final = "leave it out: "
"""Start of a schema's description of a field that the server writes, and that no model has to know."""
GIVEN_FOR: Final = ("written_for", "amount_for")
"""Fields in which the server notes what a text or an amount was given for."""
_CONDITIONS: Final = ("if", "then", "$ref", "$defs")
"""Keywords of a schema that do not help the model to note one item."""
_USUAL: Final = frozenset(
    {
        ("minLength", "1"),
        ("maxLength", "500"),
        ("maxLength", "100"),
        ("maxItems", "50"),
        ("additionalProperties", "False"),
    }
)
"""Bounds that are told when something does not keep to them, which is rare."""


def is_servers_own(schema: Mapping[str, Any]) -> bool:
    """Return True if the schema describes a field that the server writes, and people need not see."""
    return schema.get("description", "").startswith(LEFT_OUT[:-2])


def list_lists(component: Component) -> tuple[str, ...]:
    """Return the paths of all lists outside of items."""
    return tuple(path for path, schema in component.parts.items() if schema["type"] == "array")


def list_fields(component: Component) -> tuple[str, ...]:
    """Return the paths of all fields outside of items that are not lists of items."""
    lists = list_lists(component)
    return tuple(path for path in component.parts if path not in lists or is_text(component, path))


def list_single_fields(component: Component) -> tuple[str, ...]:
    """Return the paths of the fields outside of items that are no lists."""
    lists = list_lists(component)
    return tuple(path for path in list_fields(component) if path not in lists)


def find_element(component: Component, path: str) -> Schema:
    """Return the schema of a list's elements."""
    return find_subschema(component.asked_schema, [*path.split("."), "[]"]) or {}


def holds_quotes(component: Component, path: str) -> bool:
    """Return True if the items of this list hold the words that they come from."""
    return "evidence" in find_element(component, path).get("properties", {})


def is_text(component: Component, path: str) -> bool:
    """Return True if the list holds texts instead of items."""
    return find_element(component, path).get("type") == "string"


def find_words_field(component: Component, path: str) -> str:
    """Return the field that holds the words of an item, `text` for a text; empty if there is none."""
    if is_text(component, path):
        return "text"
    return read_name({name: name for name in find_element(component, path).get("properties", {})})


def label_item(component: Component, path: str, item: Any) -> str:
    """Return the name of an item: its handle, else the handles it refers to (`A2:O1`), else its words."""
    if not is_object(item):
        return str(item)
    about = [str(find_value(item, place)) for place in _list_about(component, path)]
    return item.get("handle") or ":".join(about) or read_name(item)


def build_item_schema(component: Component, path: str) -> Schema:
    """Return the schema of an item of this list with no field required; a text is the field `text`."""
    schema = _inline(component, find_element(component, path))
    if is_text(component, path):
        return {"properties": {"text": schema}, "title": path}
    inner: Schema = omit(schema["properties"], "evidence")
    if "description" not in find_element(component, path).get("properties", {}).get("handle", {}):
        inner.pop("handle", None)  # the server gives the handle, unless the schema describes it
    return {"properties": inner, "title": path}


def build_fields_schema(component: Component) -> Schema:
    """Return the schema of the fields at their paths, without the lists: none is required, and null takes one out."""
    root: Schema = {"type": "object", "properties": {}}
    for path in list_single_fields(component):
        node, steps = root, path.split(".")
        for step in steps[:-1]:
            group: Schema = {"properties": {}}
            node = node["properties"].setdefault(step, group)
        asked = _inline(component, find_subschema(component.asked_schema, [*steps]) or {})
        node["properties"][steps[-1]] = _allow_null(asked)
    return root


def _allow_null(schema: Schema) -> Schema:
    typed: Schema = {"type": [schema["type"], "null"]} if "type" in schema else {}
    return {**schema, **typed, **({"enum": [*schema["enum"], None]} if "enum" in schema else {})}


def _list_about(component: Component, path: str) -> Iterator[str]:
    """Yield the references that an item of this list requires."""
    required = find_element(component, path).get("required", ())
    for reference in component.references:
        holder, _, place = reference.partition("[].")
        if holder == path and "[]" not in place and place.partition(".")[0] in required:
            yield place


def _inline(component: Component, node: Any) -> Any:
    """Return the schema with references resolved and without conditions."""
    if is_list(node):
        return [_inline(component, each) for each in node]
    if not is_object(node):
        return node
    whole = resolve(component.asked_schema, node)
    return {
        key: _inline(component, each)
        for key, each in whole.items()
        if key not in _CONDITIONS
        and (key, str(each)) not in _USUAL
        and not (key == "type" and "properties" in whole)
        and not (key == "pattern" and "description" in whole)
    }
