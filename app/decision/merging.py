"""Conversion between nested data and values with dotted paths. Knows no component and no schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.decision.paths import Draft, is_object


def list_at(draft: Draft, path: str) -> list[Any]:
    """Return the list at the path; create it if it is missing."""
    *outer, last = path.split(".")
    for step in outer:
        draft = draft.setdefault(step, {})
    return draft.setdefault(last, [])


def spread(data: Mapping[str, Any], known: tuple[str, ...], here: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value with its path. Null for an object stands for null in all its fields."""
    for name, each in data.items():
        path = f"{here}.{name}".lstrip(".")
        inner = [other for other in known if other.startswith(f"{path}.")]
        if each is None and inner:
            yield from ((other, None) for other in inner)
        elif is_object(each) and inner:
            yield from spread(each, known, path)
        else:
            yield path, each


def nested(data: Mapping[str, Any]) -> Draft:
    """Return nested data of values with paths."""
    root: Draft = {}
    for path, each in data.items():
        *outer, last = path.split(".")
        holder = root
        for step in outer:
            holder = holder.setdefault(step, {})
        holder[last] = each
    return root


def merged(old: Mapping[str, Any], given: Mapping[str, Any]) -> Draft:
    """Return the old data with the given data merged into it, object by object. Null removes a value."""
    both = dict(old)
    for name, each in given.items():
        before = both.get(name)
        if each is None:
            both.pop(name, None)
        else:
            both[name] = merged(before, each) if is_object(before) and is_object(each) else each
    return both
