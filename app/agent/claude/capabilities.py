"""Capabilities of each model for submitting data, and the schema of a strict tool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """Capabilities of one model."""

    forced_tool: bool = False
    """`tool_choice` may name the tool while the model does not think; otherwise only `auto` is possible."""
    strict: bool = False
    """Tools may be strict: a submission then has the form of the schema."""
    least_thinking: Literal["", "between_tools", "disabled"] = ""
    """The `thinking` setting that makes the model reply at once; empty if it always thinks, or if that is unknown."""
    is_wide: bool = True
    """It takes requests of `WIDE` tokens."""


WIDE = 100_000
"""Tokens of a request unless the operator sets another number."""

NARROW = 32_000
"""The same for a model that nothing is known of."""


_EARLIER = Capabilities(forced_tool=True, strict=True, least_thinking="disabled")

MODELS: Mapping[str, Capabilities] = {
    "claude-haiku-4-5": _EARLIER,
    "claude-sonnet-4-5": _EARLIER,
    "claude-opus-4-5": _EARLIER,
    "claude-sonnet-4-6": _EARLIER,
    "claude-opus-4-6": _EARLIER,
    "claude-opus-4-7": _EARLIER,
    "claude-opus-4-8": _EARLIER,
    "claude-sonnet-5": _EARLIER,
    "claude-opus-5": _EARLIER,
    "claude-haiku-5-5": Capabilities(strict=True, least_thinking="disabled"),
    "claude-sonnet-5-5": Capabilities(strict=True, least_thinking="between_tools"),
    "claude-opus-5-5": Capabilities(strict=True),
    "claude-fable-5-1": Capabilities(strict=True),
}

_DATE = re.compile(r"-\d{8}$")


def find_capabilities(model: str) -> Capabilities:
    """Return the capabilities of a model, whose id may end with a date."""
    return MODELS.get(_DATE.sub("", model), Capabilities(is_wide=False))


def find_window(model: str) -> int:
    """Return the tokens of a request to this model, unless the operator sets another number."""
    return WIDE if find_capabilities(model).is_wide else NARROW


MOST_OPTIONAL = 24
"""Optional fields of strict tools in one request: the API refuses more."""


def can_be_strict(schema: Mapping[str, Any]) -> bool:
    """Return True for a schema without references whose grammar is not too large."""
    return _count_optional(schema) <= MOST_OPTIONAL


def inline_references(schema: Mapping[str, Any], definitions: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the schema without references. Text beside a reference takes precedence; a strict tool would lose it.

    `definitions` are the schema's own `$defs` unless given. A schema must not refer to itself.
    """
    known: Mapping[str, Any] = schema.get("$defs", {}) if definitions is None else definitions
    name = schema.get("$ref", "").rpartition("/")[2]
    node = {**(inline_references(known[name], known) if name else {}), **schema}
    if "properties" in node:
        node["properties"] = {key: inline_references(each, known) for key, each in node["properties"].items()}
    if "anyOf" in node:
        node["anyOf"] = [inline_references(each, known) for each in node["anyOf"]]
    if "items" in node:
        node["items"] = inline_references(node["items"], known)
    return {key: value for key, value in node.items() if key not in ("$ref", "$defs")}


def _count_optional(schema: Mapping[str, Any]) -> int:
    properties: Mapping[str, Any] = schema.get("properties", {})
    inner = (*properties.values(), *([schema["items"]] if "items" in schema else []))
    return len(properties.keys() - set(schema.get("required", ()))) + sum(map(_count_optional, inner))
