"""Values of the core in which every text is the same word, whatever fields they have or get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


def planted(adapter: TypeAdapter[T], word: str) -> Iterator[T]:
    """Give a value of each kind that there is, with the word as every text, also deep inside."""
    schema = adapter.json_schema()
    for value in _values(schema, schema.get("$defs", {}), word):
        yield adapter.validate_python(value)


def _values(schema: dict[str, Any], definitions: dict[str, Any], word: str) -> list[Any]:
    """Every alternative that a JSON schema allows, one value each."""
    if "$ref" in schema:
        return _values(definitions[schema["$ref"].rpartition("/")[2]], definitions, word)
    if "const" in schema or "enum" in schema:
        return [schema.get("const", schema.get("enum", [None])[0])]
    if alternatives := schema.get("oneOf") or schema.get("anyOf"):
        return [value for each in alternatives for value in _values(each, definitions, word) if value is not None]
    match schema["type"]:
        case "object":
            fields = {name: _values(each, definitions, word) for name, each in schema["properties"].items()}
            return [{name: values[0] for name, values in fields.items()}]
        case "array":
            if "prefixItems" in schema:
                return [[_values(each, definitions, word)[0] for each in schema["prefixItems"]]]
            return [_values(schema["items"], definitions, word)]
        case kind:
            return [{"string": word, "integer": 1, "boolean": True, "null": None}[kind]]
