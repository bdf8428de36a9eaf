"""What a server says of its tools, made harmless: names checked, words cleaned and cut, schemas rebuilt.

A schema that the model's API refuses would end every answer of every thread. Therefore only known keywords are copied,
and a tool that cannot be offered is left out with its reason.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from mcp_types import Tool

from app.core.text.cutting import cut
from app.core.text.marks import clean_line
from app.ports.servers import ServedTool, ServerListing

MOST_TOOLS: Final = 40
"""Tools of one server: each costs words in every request."""

LONGEST_DESCRIPTION, LONGEST_HINT = 1_000, 300
"""Characters of the description of a tool, and of a field."""

LARGEST_SCHEMA: Final = 8_000
"""Characters of a schema as it is sent."""

MOST_FIELDS, DEEPEST, MOST_CHOICES = 40, 6, 60
MOST_NODES = 500
"""Parts of one schema that are looked at: references to references could make millions of them."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,79}")
_FIELD = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems")
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")

NO_NAME = "its name has other characters than letters, digits and . _ - /, or is too long"
NO_OBJECT = "its input is no object with named fields"
TOO_LARGE = "the description of its input is too long"
TWICE = "another tool of the server has the same name"
TOO_MANY = f"a server may have {MOST_TOOLS} tools"


class _Unfit(Exception):
    """A tool cannot be offered, for this reason."""


@dataclass
class _Definitions:
    """The named parts of a schema, and how many of its parts may still be looked at."""

    named: Mapping[str, Any]
    left: int = MOST_NODES

    def take(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Unfit(TOO_LARGE)


def build_listing(server: str, told: Sequence[Tool], reads: Iterable[str]) -> ServerListing:
    """Return the tools of a server that can be offered, by name, and what is left out."""
    found, left_out, declared = dict[str, ServedTool](), list[str](), frozenset(reads)
    for tool in sorted(told, key=lambda each: each.name):
        try:
            served = _serve(server, tool, declared)
            if served.label in found:
                raise _Unfit(TWICE)
            if len(found) == MOST_TOOLS:
                raise _Unfit(TOO_MANY)
        except _Unfit as reason:
            if len(left_out) < MOST_TOOLS:
                left_out.append(f"{cut(clean_line(tool.name), 40)}: {reason}")
        else:
            found[served.label] = served
    missing = sorted(declared - {tool.name for tool in told})
    return ServerListing(
        server=server, tools=tuple(found.values()), left_out=tuple(left_out), unknown_reads=tuple(missing)
    )


def _serve(server: str, tool: Tool, reads: frozenset[str]) -> ServedTool:
    if not _NAME.fullmatch(tool.name):
        raise _Unfit(NO_NAME)
    description = cut(clean_line((tool.description or "")[: 4 * LONGEST_DESCRIPTION]), LONGEST_DESCRIPTION)
    said = json.dumps([tool.name, tool.title, tool.description, tool.input_schema], sort_keys=True, default=str)
    return ServedTool(
        server=server,
        name=tool.name,
        description=description,
        schema=build_input_schema(tool.input_schema),
        reads=tool.name in reads,
        digest=hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def build_input_schema(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an input, rebuilt. Raise `_Unfit` if none can be sent."""
    if told.get("type", "object") != "object" or not isinstance(told.get("properties", {}), dict):
        raise _Unfit(NO_OBJECT)
    definitions = told.get("$defs", told.get("definitions"))
    known = _Definitions(cast("dict[str, Any]", definitions) if isinstance(definitions, dict) else {})
    schema = _rebuild({**told, "type": "object"}, known, 0)
    schema.setdefault("properties", {})
    if len(schema["properties"]) != len(told.get("properties", {})):
        raise _Unfit(NO_OBJECT)
    if len(json.dumps(schema)) > LARGEST_SCHEMA:
        raise _Unfit(TOO_LARGE)
    return schema


def _rebuild(node: Any, known: _Definitions, depth: int) -> dict[str, Any]:
    """Return what is known of a schema; anything else is left out, so that more is accepted and nothing breaks."""
    known.take()
    if not isinstance(node, dict) or depth > DEEPEST:
        return {}
    told = cast("dict[str, Any]", node)
    reference = told.get("$ref")
    if isinstance(reference, str):
        return _rebuild(known.named.get(reference.rpartition("/")[2]), known, depth + 1)
    kept = {**_rebuild_words(told), **_rebuild_type(told), **_rebuild_bounds(told)}
    if isinstance(choices := told.get("anyOf", told.get("oneOf")), list) and depth:
        kept["anyOf"] = [_rebuild(each, known, depth + 1) for each in cast("list[Any]", choices)[:MOST_CHOICES]]
        if not kept["anyOf"]:
            del kept["anyOf"]
    if isinstance(told.get("items"), dict):
        kept["items"] = _rebuild(told["items"], known, depth + 1)
    return {**kept, **_rebuild_fields(told, known, depth)}


def _rebuild_fields(told: Mapping[str, Any], known: _Definitions, depth: int) -> dict[str, Any]:
    fields = told.get("properties")
    if not isinstance(fields, dict):
        return {}
    named = cast("dict[str, Any]", fields)
    taken = [name for name in named if _FIELD.fullmatch(name)][:MOST_FIELDS]
    required = told.get("required")
    needed = cast("list[Any]", required) if isinstance(required, list) else []
    return {
        "properties": {name: _rebuild(named[name], known, depth + 1) for name in taken},
        "required": [name for name in taken if name in needed],
    }


def _rebuild_words(told: Mapping[str, Any]) -> dict[str, Any]:
    hint = told.get("description")
    return {"description": clean_words(hint, LONGEST_HINT)} if isinstance(hint, str) and hint.strip() else {}


def _rebuild_type(told: Mapping[str, Any]) -> dict[str, Any]:
    kept, type_, choices = dict[str, Any](), told.get("type"), told.get("enum")
    types = [each for each in cast("list[Any]", type_) if each in _TYPES] if isinstance(type_, list) else []
    if types:
        kept["type"] = list(dict.fromkeys(types))
    elif isinstance(type_, str) and type_ in _TYPES:
        kept["type"] = type_
    if isinstance(choices, list):
        plain = [each for each in cast("list[Any]", choices) if each is None or isinstance(each, str | int | float)]
        named = [clean_words(each, 100) if isinstance(each, str) else each for each in plain[:MOST_CHOICES]]
        if named:
            kept["enum"] = named
    return kept


def _rebuild_bounds(told: Mapping[str, Any]) -> dict[str, Any]:
    counts = {name: told[name] for name in _COUNTS if type(told.get(name)) is int and told[name] >= 0}
    bounds = {name: told[name] for name in _BOUNDS if type(told.get(name)) in (int, float)}
    return {**counts, **bounds}


def clean_words(words: str, most: int) -> str:
    """Return words of a server on one line, clean, and at most `most` characters of them."""
    return cut(clean_line(words[: 4 * most]), most)
