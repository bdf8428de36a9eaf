"""Which schema a strict tool can have, and how it is written for one: plain JSON Schema, no vendor's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_OPTIONAL = 24
"""Fields of strict tools that need not be there, in one request: the API refuses more."""


def can_be_strict(schema: Mapping[str, Any]) -> bool:
    """True for a schema, without references, whose grammar is not too large."""
    return _optional(schema) <= MOST_OPTIONAL


def whole(schema: Mapping[str, Any], definitions: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The same schema without references: what is said beside one goes first, and would be lost in a strict tool.

    `definitions` are the schema's own `$defs` unless they are given. No schema may refer to itself.
    """
    known: Mapping[str, Any] = schema.get("$defs", {}) if definitions is None else definitions
    name = schema.get("$ref", "").rpartition("/")[2]
    node = {**(whole(known[name], known) if name else {}), **schema}
    if "properties" in node:
        node["properties"] = {key: whole(each, known) for key, each in node["properties"].items()}
    if "items" in node:
        node["items"] = whole(node["items"], known)
    return {key: value for key, value in node.items() if key not in ("$ref", "$defs")}


def _optional(schema: Mapping[str, Any]) -> int:
    properties: Mapping[str, Any] = schema.get("properties", {})
    inner = (*properties.values(), *([schema["items"]] if "items" in schema else []))
    return len(properties.keys() - set(schema.get("required", ()))) + sum(map(_optional, inner))
