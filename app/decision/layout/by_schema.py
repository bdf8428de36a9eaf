"""Presenter of any result as lists and short answers, by the schema alone.

It serves components that bring only a folder. The headings are the names of the fields, in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.core.state.sheet import Facts, Item, Listing, Section
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_item
from app.decision.schema.component import find_subschema
from app.decision.schema.corrections import CORRECTIONS
from app.decision.schema.paths import is_list, is_object, omit, read_name
from app.decision.schema.terms import format_amount

_ACCOUNT: Final = re.compile(r"[UW][A-Z0-9]{8,}")
_WORD_OF_CODE: Final = re.compile(r"[a-z]+(_[a-z]+)+")
ABOUT_ITEMS: Final = ("handle", "origin", "evidence")
"""Fields that are shown beside the words or as marks, not as lines of their own."""


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the short answers first, then each list with its heading; corrections are on every sheet anyway."""
    own = omit(result.draft, CORRECTIONS)
    return tuple(_build_sections(result, own, [], ""))


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the short answers and the lengths of the lists."""
    said = {name: each for name, each in result.draft.items() if not is_list(each) and not is_object(each)}
    return (
        *(f"{_name_field(name)}: {_render_value(result, each)}" for name, each in said.items()),
        " · ".join(_count_lists(result)),
    )


def write_gist(result: Result) -> str:
    """Return the lengths of the lists or, if there are none, the first answer."""
    return " · ".join(_count_lists(result)) or next((_render_value(result, each) for each in result.draft.values()), "")


def _count_lists(result: Result) -> list[str]:
    lists = {name: each for name, each in result.draft.items() if is_list(each)}
    return [f"{_name_field(name).lower()}: {len(each)}" for name, each in lists.items()]


def _build_sections(result: Result, data: Mapping[str, Any], path: list[str], title: str) -> Iterator[Section]:
    fields = {name: data[name] for name in _list_fields(result, path) if name in data}
    rows = {name: each for name, each in fields.items() if not is_list(each) and not is_object(each)}
    if rows:
        yield Facts(
            title=title, rows=tuple((_name_field(name), _render_value(result, each)) for name, each in rows.items())
        )
    for name, each in fields.items():
        yield from _build_section(result, each, [*path, name])


def _build_section(result: Result, data: Any, path: list[str]) -> Iterator[Section]:
    title = _name_field(path[-1])
    if is_list(data):
        items = tuple(_build_item(result, each, [*path, "[]"]) for each in data)
        counted = words.COUNTED.format(title=title, count=len(items))
        yield Listing(title=counted, items=items, empty=words.NONE_NAMED)
    elif is_object(data) and "handle" in data:
        yield Listing(title=title, items=(_build_item(result, data, path),))
    elif is_object(data):
        yield from _build_sections(result, data, path, title)


def _build_item(result: Result, each: Any, path: list[str]) -> Item:
    """Return an element of a list: its words, with all its other fields as notes."""
    if not is_object(each):
        return Item(text=_render_value(result, each))
    said = {name: each[name] for name in _list_fields(result, path) if name in each and each[name] != read_name(each)}
    marks = result.marks(each) if "evidence" in _list_fields(result, path) else ()
    notes = (
        f"{_name_field(name)}: {_render_value(result, told)}" for name, told in said.items() if name not in ABOUT_ITEMS
    )
    return build_item(each, *notes, marks=marks)


def _render_value(result: Result, data: Any) -> str:
    """Return any value in words; a reference becomes the item's label."""
    if is_list(data):
        return "; ".join(_render_value(result, each) for each in data)
    if is_object(data):
        return ", ".join(f"{_name_field(name).lower()} {_render_value(result, each)}" for name, each in data.items())
    if isinstance(data, bool):
        return words.YES_OR_NO[data]
    if not isinstance(data, str):
        return format_amount(data)
    if _ACCOUNT.fullmatch(data):
        return words.SOMEBODY
    return data.replace("_", " ") if _WORD_OF_CODE.fullmatch(data) else result.label(data)


def _list_fields(result: Result, path: list[str]) -> list[str]:
    """Return the fields of an object, in the order of the schema."""
    return list((find_subschema(result.component.json_schema, path) or {}).get("properties", ()))


def _name_field(name: str) -> str:
    return name.removesuffix("_ids").removesuffix("_id").replace("_", " ").capitalize()
