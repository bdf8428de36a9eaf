"""Values of the core in which every text is the same word, whatever fields they have or get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")

ATOMS = {"integer": 1, "boolean": True, "null": None}


def planted(adapter: TypeAdapter[T], word: str) -> Iterator[T]:
    """Give as many values as have each kind that there is in them, also deep inside, with the word as every text."""
    schema = adapter.json_schema()
    for value in _Planting(schema.get("$defs", {}), word).values(schema):
        yield adapter.validate_python(value)


class _Planting:
    """`within` names the definitions that a value is made inside of: one that holds itself is not made without end."""

    def __init__(self, definitions: dict[str, Any], word: str, within: frozenset[str] = frozenset()) -> None:
        self._definitions, self._word, self._within = definitions, word, within

    def values(self, schema: dict[str, Any]) -> list[Any]:
        """Give one value for each alternative that a JSON schema allows; None only where there is no other."""
        if "$ref" in schema:
            return self._defined(schema["$ref"].rpartition("/")[2])
        if "const" in schema or "enum" in schema:
            return [schema.get("const", schema.get("enum", [None])[0])]
        if alternatives := schema.get("oneOf") or schema.get("anyOf"):
            found = [value for each in alternatives for value in self.values(each)]
            return [value for value in found if value is not None]
        match schema.get("type", "string"):
            case "object" if "properties" in schema:
                return self._objects(schema["properties"])
            case "object":
                inner = schema["additionalProperties"]
                return [{self._word: self.values({} if inner is True else inner)[0]}]
            case "array" if "prefixItems" in schema:
                return [[self.values(each)[0] for each in schema["prefixItems"]]]
            case "array":
                return [self.values(schema["items"])]
            case kind:
                return [ATOMS.get(kind, self._word)]

    def _defined(self, name: str) -> list[Any]:
        if name in self._within:
            return []
        return _Planting(self._definitions, self._word, self._within | {name}).values(self._definitions[name])

    def _objects(self, properties: dict[str, Any]) -> list[Any]:
        """As many as the field with the most alternatives has: each of any field is in one of them."""
        fields = {name: self.values(each) for name, each in properties.items()}
        most = max(map(len, fields.values()))
        return [{name: values[min(n, len(values) - 1)] for name, values in fields.items()} for n in range(most)]
