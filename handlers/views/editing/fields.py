"""The editable fields of an item, from its JSON Schema, and their values in words. Pure.

Handles, origins, quotes and computed values are the server's, and are no fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.core.copy import draft_editing
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component, find_subschema, generalize_path
from app.decision.schema.paths import Draft, read_name, walk_objects
from app.decision.schema.terms import name_element
from handlers.views.editing import computed_fields
from handlers.views.editing.path import Path, get_value, name_choice, name_place

KEPT: Final = ("handle", "origin", "evidence")
PEOPLE: Final = "^[UW]"
"""Beginning of the pattern of a Slack user's id."""
SEPARATOR: Final = " · "


class FieldKind(StrEnum):
    """The kinds of controls for fields."""

    TEXT = "text"
    LINES = "lines"
    CHOICE = "choice"
    FLAG = "flag"
    DATE = "date"
    NUMBER = "number"
    PERSON = "person"
    ITEM = "item"
    ITEMS = "items"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field. `name` is its path inside of the item; empty if the item is a single value."""

    name: tuple[str, ...]
    label: str
    kind: FieldKind
    schema: Mapping[str, Any]
    required: bool
    prefixes: tuple[str, ...] = ()
    """Letters with which the handles begin that can be chosen here."""
    for_approval: bool = False
    """True if it can be left for later, but no approval does without it."""


_KINDS: tuple[tuple[Callable[[Mapping[str, Any]], bool], FieldKind], ...] = (
    (lambda node: "enum" in node, FieldKind.CHOICE),
    (lambda node: node.get("type") == "boolean", FieldKind.FLAG),
    (lambda node: node.get("type") in ("integer", "number"), FieldKind.NUMBER),
    (lambda node: node.get("format") == "date", FieldKind.DATE),
    (lambda node: node.get("pattern", "").startswith(PEOPLE), FieldKind.PERSON),
    (lambda node: node.get("type") == "string", FieldKind.TEXT),
)
"""The kind of field for a schema. The first match decides."""


def list_fields(component: Component, path: Path, row: Any, so_far: DecisionRecord) -> tuple[Field, ...]:
    """Return the fields of an item at the path, whether it exists yet or not, in the order of the schema."""
    found = tuple(walk_fields(component, path))
    if path and isinstance(path[-1], int) and computed_fields.is_written_row(component, path[:-1], row, so_far):
        return tuple(field for field in found if computed_fields.is_own_field(field.name))
    return found


def walk_fields(component: Component, path: Path, name: tuple[str, ...] = ()) -> Iterator[Field]:
    """Return all fields, also of rows that the server writes."""
    steps: Path = (*path, *name)
    node = find_subschema(component.json_schema, list(steps)) or {}
    if node.get("type") == "object":
        for each in node["properties"]:
            if each not in KEPT and not computed_fields.is_written(component, (*steps, each)):
                yield from walk_fields(component, path, (*name, each))
    elif kind := _find_kind(component, steps, node):
        place = generalize_path(list(steps))
        yield Field(
            name=name,
            label=draft_editing.name_inner_field(name) or name_place(path),
            kind=kind,
            schema=node,
            required=_is_required(component, path, name) and not _may_be_empty(kind, node),
            for_approval=is_asked(component, steps),
            prefixes=component.references.get(f"{place}[]" if kind is FieldKind.ITEMS else place, ()),
        )


def _find_kind(component: Component, steps: Path, node: Mapping[str, Any]) -> FieldKind | None:
    """Return the kind of a field; None for a list of objects, whose rows are edited one by one."""
    place = generalize_path(list(steps))
    if place in component.references:
        return FieldKind.ITEM
    if f"{place}[]" in component.references:
        return FieldKind.ITEMS
    if node.get("type") == "array":
        inner = find_subschema(component.json_schema, [*steps, "[]"]) or {}
        return FieldKind.LINES if inner.get("type") == "string" else None
    return next((kind for holds, kind in _KINDS if holds(node)), None)


def _is_required(component: Component, path: Path, name: tuple[str, ...]) -> bool:
    """Return True if a draft without it is refused. A field that only an approval needs can be left for later."""
    if is_asked(component, (*path, *name)):
        return False
    base, chain = ((), (*path, *name)) if isinstance(path[-1], str) else (path, name)
    holders = [(*base, *chain[:length]) for length in range(len(chain))]
    demanded = [(find_subschema(component.json_schema, list(each)) or {}).get("required", ()) for each in holders]
    return all(each in names for each, names in zip(chain, demanded, strict=True))


def _may_be_empty(kind: FieldKind, node: Mapping[str, Any]) -> bool:
    """Return True for a list that can be an empty one."""
    return kind in (FieldKind.LINES, FieldKind.ITEMS) and not node.get("minItems", 0)


def is_asked(component: Component, steps: Path) -> bool:
    """Return True if a criterion asks for it, or for a part of it: a draft may lack it."""
    place = generalize_path(list(steps))
    return any(each.path == place or each.path.startswith(f"{place}.") for each in component.criteria)


class ItemNames:
    """Names of the items of a draft and of the versions approved before it."""

    def __init__(self, draft: Draft, so_far: DecisionRecord) -> None:
        self._own = {each["handle"]: read_name(each) for each in walk_objects(draft) if "handle" in each}
        self._so_far = so_far

    def label(self, handle: str) -> str:
        """Return the handle with its name."""
        own = self._own.get(handle)
        return f"{handle} {own}".strip() if own is not None else self._so_far.label(handle)


def describe_row(component: Component, path: Path, row: Any, names: ItemNames) -> str:
    """Return a row in words: its handle and name. A row without a name is shown by all its filled fields."""
    if isinstance(row, str):
        return row
    if name := read_name(row):
        return f"{row.get('handle', '')} {name_element(name)}".strip()
    return SEPARATOR.join(words for _, words in describe_fields(component, path, row, names))


def describe_fields(component: Component, path: Path, thing: Any, names: ItemNames) -> list[tuple[str, str]]:
    """Return label and words of each filled field."""
    filled = [(field, get_value(thing, field.name)) for field in walk_fields(component, path)]
    return [(field.label, _describe_value(field, each, names)) for field, each in filled if each not in (None, [])]


def _describe_value(field: Field, value: Any, names: ItemNames) -> str:
    match field.kind:
        case FieldKind.ITEM:
            return names.label(value)
        case FieldKind.ITEMS:
            return ", ".join(map(names.label, value))
        case FieldKind.LINES:
            return "; ".join(value)
        case FieldKind.FLAG:
            return draft_editing.YES if value else draft_editing.NO
        case FieldKind.NUMBER if field.schema.get("minimum", 0) < 0:
            return f"{value:+d}".replace("+0", "0").replace("-", "−")
        case FieldKind.CHOICE:
            return name_choice(str(value))
        case FieldKind.PERSON:
            return draft_editing.PICKED
        case _:
            return str(value)
