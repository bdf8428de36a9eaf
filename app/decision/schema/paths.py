"""Places in the data of a component, by path: `means_objectives[].supports[]` is each element of each such list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeGuard

_NAMES: Final = ("name", "description", "statement", "text", "action")
"""Fields that may hold the words of an item."""


BY_HAND: Final = "by hand"
"""The `message_id` of words that a person wrote in a window. They are the person's, though no message holds them."""


def read_name(item: Mapping[str, Any]) -> str:
    """Return the name of an item; empty if it has no words."""
    return next((str(item[each]) for each in _NAMES if each in item), "")


def map_names(data: Iterable[Any]) -> dict[str, str]:
    """Return the names of the items by handle; a later item overrides an earlier one."""
    items = (item for each in data for item in walk_objects(each) if "handle" in item)
    return {item["handle"]: read_name(item) for item in items}


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


def find_places(data: Any, path: str) -> list[Place]:
    """Return all places of the path, in order."""
    found = [Place({ROOT: data}, ROOT, "")]
    for step in path.replace("[]", ".[]").split("."):
        found = [inner for place in found for inner in _find_inside(place, step)]
    return found


def find_values(data: Any, path: str) -> list[Any]:
    """Return the values at the path."""
    found = [data]
    for step in path.replace("[]", ".[]").split("."):
        if step == "[]":
            found = [inner for outer in found if is_list(outer) for inner in outer]
        else:
            found = [outer[step] for outer in found if is_object(outer) and step in outer]
    return found


def find_value(data: Any, path: str) -> Any:
    """Return the first value at the path; None if there is none."""
    return next(iter(find_values(data, path)), None)


def is_list(data: Any) -> TypeGuard[list[Any]]:
    """Return True for a list."""
    return isinstance(data, list)


def is_object(data: Any) -> TypeGuard[dict[str, Any]]:
    """Return True for an object; the keys of JSON data are texts."""
    return isinstance(data, dict)


def omit(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return an object without these fields."""
    return {name: each for name, each in row.items() if name not in names}


def walk_lists(data: Any, name: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield every list in the data, at any depth, with its dotted path."""
    if is_list(data):
        yield name, data
    for key, inner in _list_children(data):
        yield from walk_lists(inner, f"{name}.{key}".lstrip("."))


def walk_objects(data: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in the data, at any depth."""
    if is_object(data):
        yield data
    for _, inner in _list_children(data):
        yield from walk_objects(inner)


def _find_inside(place: Place, step: str) -> list[Place]:
    inner = place.value
    if step == "[]":
        elements = range(len(inner)) if is_list(inner) else ()
        return [Place(inner, index, f"{place.name}.{index}", place) for index in elements]
    if is_object(inner) and step in inner:
        return [Place(inner, step, f"{place.name}.{step}".lstrip("."), place)]
    return []


def _list_children(data: Any) -> list[tuple[Any, Any]]:
    """Return the lists and objects inside; most values are neither, and need not be walked through."""
    inner = data.items() if is_object(data) else enumerate(data) if is_list(data) else ()
    return [(key, each) for key, each in inner if isinstance(each, (list, dict))]


def get_list(draft: Draft, path: str) -> list[Any]:
    """Return the list at the path; create it if it is missing."""
    *outer, last = path.split(".")
    for step in outer:
        draft = draft.setdefault(step, {})
    return draft.setdefault(last, [])


def flatten(data: Mapping[str, Any], known: tuple[str, ...], here: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value with its path. Null for an object stands for null in all its fields."""
    for name, each in data.items():
        path = f"{here}.{name}".lstrip(".")
        inner = [other for other in known if other.startswith(f"{path}.")]
        if each is None and inner:
            yield from ((other, None) for other in inner)
        elif is_object(each) and inner:
            yield from flatten(each, known, path)
        else:
            yield path, each


def nest(data: Mapping[str, Any]) -> Draft:
    """Return nested data of values with paths."""
    root: Draft = {}
    for path, each in data.items():
        *outer, last = path.split(".")
        holder = root
        for step in outer:
            holder = holder.setdefault(step, {})
        holder[last] = each
    return root


def merge(old: Mapping[str, Any], given: Mapping[str, Any]) -> Draft:
    """Return the old data with the given data merged into it, object by object. Null removes a value."""
    both = dict(old)
    for name, each in given.items():
        before = both.get(name)
        if each is None:
            both.pop(name, None)
        else:
            both[name] = merge(before, each) if is_object(before) and is_object(each) else each
    return both
