"""The editable fields of an item, from its JSON Schema, and their values in words. Pure.

Handles, origins, quotes and computed values are the server's, and are no fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.core.copy import draft_editing, texts
from app.core.text.labels import join_words
from app.decision.analysis.ratings import BEST, WORST
from app.decision.drafts.rating_edits import SUGGESTED
from app.decision.record import DecisionRecord
from app.decision.rows import describe_amount, is_unknown
from app.decision.schema.component import Component
from app.decision.schema.days import format_day
from app.decision.schema.paths import Draft, read_name, walk_objects
from app.decision.schema.terms import format_amount, format_change, format_signed, name_element
from handlers.views.editing import computed_fields
from handlers.views.editing.path import Path, find_node, generalize, get_value, name_choice, name_place

KEPT: Final = ("handle", "origin", "evidence")
PEOPLE: Final = "^[UW]"
"""Beginning of the pattern of a Slack user's id."""
SEPARATOR: Final = " · "
MOST_FACTS: Final = 2
"""Facts that are told of a row without words of its own, if `FACTS` does not choose them."""

FACTS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "elements": (("score",),),
    "planned_actions": (("owner", "due_date"),),
    "remaining_uncertainties": (("impact",),),
    "table.anchors": (("2", "-2"), ("1", "0", "-1")),
    "table.cells": (("rating", "quant_value"),),
    "dominated_alternatives": (("dominated_by", "user_verdict"),),
    "even_swaps": (("improve", "pay_with"),),
    "irrelevant_objectives": (("kind",),),
    "practical_dominance": (("user_verdict",),),
    "practical_dominance[].gives_up": (("steps",),),
    "practical_dominance[].gains": (("steps",),),
    "swing_weights": (("points",),),
    "tensions": (("statement",), ("gains", "losses")),
}
"""Fields of a row that are told beside its name, by its list: of the first group in which one has a value."""


class FieldKind(StrEnum):
    """The kinds of controls for fields."""

    TEXT = "text"
    LINES = "lines"
    CHOICE = "choice"
    FLAG = "flag"
    DATE = "date"
    NUMBER = "number"
    STEP = "step"
    """A step of the scale of ratings."""
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
    (lambda node: (node.get("minimum"), node.get("maximum")) == (WORST, BEST), FieldKind.STEP),
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
    node = find_node(component, steps)
    if node.get("type") == "object":
        for each in node["properties"]:
            if each not in KEPT and not computed_fields.is_written(component, (*steps, each)):
                yield from walk_fields(component, path, (*name, each))
    elif kind := _find_kind(component, steps, node):
        place = generalize(steps)
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
    place = generalize(steps)
    if place in component.references:
        return FieldKind.ITEM
    if f"{place}[]" in component.references:
        return FieldKind.ITEMS
    if node.get("type") == "array":
        inner = find_node(component, (*steps, "[]"))
        return FieldKind.LINES if inner.get("type") == "string" else None
    return next((kind for holds, kind in _KINDS if holds(node)), None)


def _is_required(component: Component, path: Path, name: tuple[str, ...]) -> bool:
    """Return True if a draft without it is refused. A field that only an approval needs can be left for later."""
    if is_asked(component, (*path, *name)):
        return False
    base, chain = ((), (*path, *name)) if isinstance(path[-1], str) else (path, name)
    holders = [(*base, *chain[:length]) for length in range(len(chain))]
    demanded = [find_node(component, each).get("required", ()) for each in holders]
    return all(each in names for each, names in zip(chain, demanded, strict=True))


def _may_be_empty(kind: FieldKind, node: Mapping[str, Any]) -> bool:
    """Return True for a list that can be an empty one."""
    return kind in (FieldKind.LINES, FieldKind.ITEMS) and not node.get("minItems", 0)


def is_asked(component: Component, steps: Path) -> bool:
    """Return True if a criterion asks for it, or for a part of it: a draft may lack it."""
    place = generalize(steps)
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

    def name_unit(self, objective: str) -> str:
        """Return the unit in which the approved amounts of this objective are compared."""
        return self._so_far.name_unit(objective)


def name_row(component: Component, path: Path, row: Any, names: ItemNames) -> str:
    """Return the name of a row: its handle and words, or the items that it is about."""
    if isinstance(row, str):
        return row
    if about := [_tell(name, names.label(row[name])) for name in _list_about(component, path) if name in row]:
        return SEPARATOR.join(about)
    return f"{row.get('handle', '')} {name_element(read_name(row))}".strip()


def describe_row(component: Component, path: Path, row: Any, names: ItemNames) -> str:
    """Return a row in words: its name, and the one or two facts that matter."""
    facts = () if isinstance(row, str) else _list_facts(component, path, row, names)
    return SEPARATOR.join(filter(None, (name_row(component, path, row, names), *facts)))


def _list_about(component: Component, path: Path) -> list[str]:
    """Return the fields that name the items that a row is about."""
    place, schema = generalize(path), find_node(component, path)
    return [name for name in schema.get("required", ()) if f"{place}.{name}" in component.references]


def _list_facts(component: Component, path: Path, row: Mapping[str, Any], names: ItemNames) -> list[str]:
    chosen = FACTS.get(generalize(path[:-1]))
    if chosen:
        groups = [[_tell_field(component, path, name, row, names) for name in group] for group in chosen]
        return next(([*filter(None, group)] for group in groups if any(group)), list[str]())
    about = _list_about(component, path)
    if not about:
        return []
    filled = [(each, value) for each, value in _list_filled(component, path, row) if each.name[0] not in about]
    return [_describe_alone(field, value, names) for field, value in filled[:MOST_FACTS]]


def _tell_field(component: Component, path: Path, name: str, row: Mapping[str, Any], names: ItemNames) -> str:
    """Return a field of a row as a fact; empty if it has no value."""
    if name not in row:
        return ""
    if name in _COMPOSED:
        return _COMPOSED[name](row, names)
    told = (_describe_value(field, row[name], names) for field in walk_fields(component, path) if field.name == (name,))
    return _tell(name, next(told, ""))


def _describe_alone(field: Field, value: Any, names: ItemNames) -> str:
    told = _describe_value(field, value, names)
    return f"{field.label}: {told}" if field.kind is FieldKind.FLAG else told


def _tell(name: str, told: str) -> str:
    return draft_editing.FACTS.get(name, "{fact}").format(fact=told) if told else ""


def _tell_rating(row: Mapping[str, Any], names: ItemNames) -> str:
    told = draft_editing.UNKNOWN if is_unknown(row) else format_signed(row["rating"])
    return draft_editing.PROPOSAL.format(rating=told) if row.get("origin") == SUGGESTED else told


def _tell_swap(change: Mapping[str, Any], names: ItemNames) -> str:
    objective = change["objective_id"]
    former, now = format_change(change["from"], change["to"], names.name_unit(objective))
    return draft_editing.SWAP.format(objective=names.label(objective), former=former, now=now)


_COMPOSED: Final[Mapping[str, Callable[[Mapping[str, Any], ItemNames], str]]] = {
    "rating": _tell_rating,
    "quant_value": lambda row, names: describe_amount(row),
    "steps": lambda row, names: (draft_editing.ONE_STEP if row["steps"] == 1 else draft_editing.STEPS).format(
        count=row["steps"]
    ),
    "improve": lambda row, names: _tell_swap(row["improve"], names),
    "pay_with": lambda row, names: _tell_swap(row["pay_with"], names),
}
"""Facts that are told with more than the value of their field."""


def describe_fields(component: Component, path: Path, thing: Any, names: ItemNames) -> list[tuple[str, str]]:
    """Return label and words of each filled field."""
    return [(field.label, _describe_value(field, each, names)) for field, each in _list_filled(component, path, thing)]


def _list_filled(component: Component, path: Path, thing: Any) -> list[tuple[Field, Any]]:
    held = [(field, get_value(thing, field.name)) for field in walk_fields(component, path)]
    return [(field, each) for field, each in held if each not in (None, [])]


def _describe_value(field: Field, value: Any, names: ItemNames) -> str:
    return _DESCRIBED[field.kind](value, names) if field.kind in _DESCRIBED else str(value)


_DESCRIBED: Final[Mapping[FieldKind, Callable[[Any, ItemNames], str]]] = {
    FieldKind.ITEM: lambda value, names: names.label(value),
    FieldKind.ITEMS: lambda value, names: join_words(map(names.label, value)),
    FieldKind.LINES: lambda value, names: "; ".join(value),
    FieldKind.FLAG: lambda value, names: texts.YES if value else texts.NO,
    FieldKind.STEP: lambda value, names: format_signed(value),
    FieldKind.NUMBER: lambda value, names: format_amount(value),
    FieldKind.CHOICE: lambda value, names: name_choice(str(value)),
    FieldKind.DATE: lambda value, names: format_day(value),
    FieldKind.PERSON: lambda value, names: draft_editing.PICKED,
}
"""Values in words, by the kind of their field; others are words already."""
