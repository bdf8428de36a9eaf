"""Places in the data of a component, by path: `means_objectives[].supports[]` is each element of each such list.

A path to missing data has no places. Knows no component and no schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

Draft: TypeAlias = dict[str, Any]
"""Data of a component as the model and people see it: items by handle, in the shape of its JSON Schema."""

ROOT = "(all)"


@dataclass(frozen=True, slots=True)
class Place:
    """One value and its holder, in which it can be changed."""

    holder: Any
    key: Any
    name: str
    """Dotted path with list indexes, such as `alternatives.2.name`."""
    parent: Place | None = None

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        self.holder[self.key] = value

    def remove(self) -> None:
        """Remove the value. Remove the last element of a list first, because indexes shift."""
        del self.holder[self.key]


def places(data: Any, path: str) -> list[Place]:
    """Return all places of the path, in order."""
    found = [Place({ROOT: data}, ROOT, "")]
    for step in path.replace("[]", ".[]").split("."):
        found = [inner for place in found for inner in _inside(place, step)]
    return found


def values(data: Any, path: str) -> list[Any]:
    """Return the values at the path."""
    return [place.value for place in places(data, path)]


def value(data: Any, path: str) -> Any:
    """Return the first value at the path; None if there is none."""
    return next(iter(values(data, path)), None)


def is_list(data: Any) -> TypeGuard[list[Any]]:
    """Return True for a list."""
    return isinstance(data, list)


def is_object(data: Any) -> TypeGuard[dict[str, Any]]:
    """Return True for an object; the keys of JSON data are texts."""
    return isinstance(data, dict)


def lists(data: Any, name: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield every list in the data, at any depth, with its dotted path."""
    if is_list(data):
        yield name, data
    for key, inner in _children(data):
        yield from lists(inner, f"{name}.{key}".lstrip("."))


def objects(data: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in the data, at any depth."""
    if is_object(data):
        yield data
    for _, inner in _children(data):
        yield from objects(inner)


def _inside(place: Place, step: str) -> list[Place]:
    inner = place.value
    if step == "[]":
        elements = range(len(inner)) if is_list(inner) else ()
        return [Place(inner, index, f"{place.name}.{index}", place) for index in elements]
    if is_object(inner) and step in inner:
        return [Place(inner, step, f"{place.name}.{step}".lstrip("."), place)]
    return []


def _children(data: Any) -> list[tuple[Any, Any]]:
    if is_object(data):
        return list(data.items())
    return list(enumerate(data)) if is_list(data) else []
