"""Places in the data of a component, by path: `means_objectives[].supports[]` is each element of each such list.

What is not there is no place. Knows no component and no schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

Draft: TypeAlias = dict[str, Any]
"""The data of a component as the model and people see it: items by handle. Its shape is what its JSON Schema says."""

ROOT = "(all)"


@dataclass(frozen=True, slots=True)
class Place:
    """One value inside of its holder, which can be changed there."""

    holder: Any
    key: Any
    name: str
    """The dotted path, list elements by index, such as `alternatives.2.name`."""
    parent: Place | None = None

    @property
    def value(self) -> Any:
        """What is there."""
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        """Put something else there."""
        self.holder[self.key] = value

    def remove(self) -> None:
        """Take it out. Of several elements of a list the last one goes first."""
        del self.holder[self.key]


def places(data: Any, path: str) -> list[Place]:
    """All places that the path leads to, in order."""
    found = [Place({ROOT: data}, ROOT, "")]
    for step in path.replace("[]", ".[]").split("."):
        found = [inner for place in found for inner in _inside(place, step)]
    return found


def values(data: Any, path: str) -> list[Any]:
    """What is at these places."""
    return [place.value for place in places(data, path)]


def value(data: Any, path: str) -> Any:
    """What is at the first of them; None if there is none."""
    return next(iter(values(data, path)), None)


def is_list(data: Any) -> TypeGuard[list[Any]]:
    """True of a list."""
    return isinstance(data, list)


def is_object(data: Any) -> TypeGuard[dict[str, Any]]:
    """True of an object; the keys of data that came as JSON are texts."""
    return isinstance(data, dict)


def lists(data: Any, name: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Every list in the data, however deep, with its dotted path."""
    if is_list(data):
        yield name, data
    for key, inner in _children(data):
        yield from lists(inner, f"{name}.{key}".lstrip("."))


def objects(data: Any) -> Iterator[dict[str, Any]]:
    """Every object in the data, however deep."""
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
