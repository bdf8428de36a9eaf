"""Conversion between handles, which drafts hold for people and the model, and ids, which records hold.

The server makes all ids. An item keeps its id as long as it keeps its handle. A reference to a missing item is never
accepted. Apart from ids, a draft and a record differ only in lists that are maps in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from copy import deepcopy
from typing import Any, TypeAlias

from app.core.errors import BrokenInvariant
from app.decision.schema.component import Component, KeyedList, find_subschema
from app.decision.schema.findings import Issue
from app.decision.schema.paths import Draft, Place, find_places, find_values, omit, walk_objects

Record: TypeAlias = dict[str, Any]
"""Data of a component in its stored form."""


def list_handles(data: Iterable[Any]) -> tuple[str, ...]:
    """Return the handles of all items, in order."""
    return tuple(each["handle"] for one in data for each in walk_objects(one) if "handle" in each)


def map_handles(records: Iterable[Record]) -> dict[str, str]:
    """Return the handle of each id."""
    return {
        each["id"]: each["handle"] for one in records for each in walk_objects(one) if {"id", "handle"} <= each.keys()
    }


def find_highest(data: Iterable[Any], former: Mapping[str, int] | None = None) -> dict[str, int]:
    """Return the highest number of each prefix, in the data or among the `former` ones: 3 for O1 and O3."""
    numbers = dict(former or {})
    for handle in list_handles(data):
        letter, number = _split_handle(handle)
        numbers[letter] = max(numbers.get(letter, 0), number)
    return numbers


def renumber(component: Component, draft: Draft, spent: Mapping[str, int], known: Collection[str]) -> Draft:
    """Return the draft with its new items numbered beyond the `spent` handles, and the references to them updated.

    An item is not new if its handle is `known` from the version before or from another component.
    """
    items = [
        handle for path in component.handles for handle in find_values(draft, f"{path}.handle") if handle not in known
    ]
    new: dict[str, str] = {}
    for handle in items:
        letter, number = _split_handle(handle)
        if number <= spent.get(letter, 0):
            new[handle] = find_next_handle(letter, [*known, *items, *new.values(), f"{letter}{spent[letter]}"])
    draft = deepcopy(draft)
    for path in (*(f"{each}.handle" for each in component.handles), *component.references):
        for place in find_places(draft, path):
            place.put(new.get(place.value, place.value))
    return draft


def find_next_handle(prefix: str, taken: Collection[str]) -> str:
    """Return the first handle after all that were ever used. A handle that was given up is not used again."""
    numbers = [number for letter, number in map(_split_handle, taken) if letter == prefix]
    return f"{prefix}{max(numbers, default=0) + 1}"


def build_draft(component: Component, record: Record, names: Mapping[str, str]) -> Draft:
    """Return the draft of a record.

    `names` has the handle of each id of the decision; an item without one gets the next.
    """
    draft = deepcopy(record)
    for keyed in component.keyed:
        for place in find_places(draft, keyed.path):
            place.put(_build_rows(keyed, place.value))
    known = {**names, **map_handles([record])}
    for path, prefix in component.handles.items():
        for item in (place.value for place in find_places(draft, path)):
            old = item.pop("id", "")
            item["handle"] = known.get(old) or item.get("handle") or find_next_handle(prefix, [*known.values()])
            known[old or item["handle"]] = item["handle"]
    for place in _list_references(component, draft):
        place.put(known.get(place.value, place.value))
    return draft


def build_record(component: Component, draft: Draft, ids: Mapping[str, str], new_id: Callable[[], str]) -> Record:
    """Return the record of a draft. `ids` has the id of each handle that the decision ever had.

    Raises `BrokenInvariant` on a dangling reference, so call `find_dangling` first.
    """
    record = deepcopy(draft)
    known = dict(ids)
    for path in component.handles:
        for place in find_places(record, path):
            item = place.value
            if item["handle"] not in known:
                known[item["handle"]] = new_id()
            place.put({"id": known[item["handle"]], **item})
    for place in _list_references(component, record):
        if place.value not in known:
            raise BrokenInvariant((f"reference {component.key}",))
        place.put(known[place.value])
    for keyed in component.keyed:
        for place in find_places(record, keyed.path):
            place.put({":".join(row[each] for each in keyed.key): _build_value(keyed, row) for row in place.value})
    return record


def find_dangling(component: Component, draft: Draft, earlier: Collection[str]) -> tuple[Issue, ...]:
    """Return issues for shared handles, and for references that neither the draft nor `earlier` results resolve."""
    own = list_handles([draft])
    named = [place for path in component.handles for place in find_places(draft, f"{path}.handle")]
    twice = [place for place in named if own.count(place.value) > 1]
    shared = [Issue(place.name, "a handle of its own", "used for two items", place.value) for place in twice]
    scope = [*earlier, *own]
    return (*shared, *(_build_issue(place, scope) for place in _find_loose(component, draft, scope)))


def prune(component: Component, draft: Draft, earlier: Collection[str]) -> tuple[Draft, tuple[str, ...]]:
    """Return the draft without dangling references, and the missing handles.

    If an item requires the reference, the item is removed. That can leave other references dangling, so the search
    repeats.
    """
    draft, missed = deepcopy(draft), list[str]()
    while loose := _find_loose(component, draft, [*earlier, *list_handles([draft])]):
        missed.append(loose[-1].value)
        _find_removable(component, loose[-1]).remove()
    return draft, tuple(dict.fromkeys(reversed(missed)))


def _split_handle(handle: str) -> tuple[str, int]:
    letters = handle.rstrip("0123456789")
    return letters, int(handle[len(letters) :] or 0)


def _list_references(component: Component, data: Any) -> list[Place]:
    return [place for path in component.references for place in find_places(data, path)]


def _find_loose(component: Component, draft: Draft, scope: Collection[str]) -> list[Place]:
    there = set(scope)
    return [place for place in _list_references(component, draft) if place.value not in there]


def _build_issue(place: Place, scope: Collection[str]) -> Issue:
    there = [each for each in dict.fromkeys(scope) if each.rstrip("0123456789") == place.value.rstrip("0123456789")]
    required = f"one of {', '.join(there)}" if there else "nothing: there is no such item yet"
    return Issue(place.name, required, "names nothing that exists", place.value)


def _find_removable(component: Component, place: Place) -> Place:
    """Return the place or, if its holder requires it, the holder. A list left too short is a matter of the criteria."""
    while place.parent and place.parent.parent and not isinstance(place.holder, list):
        steps = [int(step) if step.isdigit() else step for step in place.parent.name.split(".") if step]
        if place.key not in (find_subschema(component.json_schema, steps) or {}).get("required", ()):
            break
        place = place.parent
    return place


def _build_rows(keyed: KeyedList, kept: dict[str, Any]) -> list[Any]:
    if keyed.value == "*":
        return list(kept.values())
    keys = {each: dict(zip(keyed.key, each.split(":"), strict=True)) for each in kept}
    return [{**keys[each], **({keyed.value: rest} if keyed.value else rest)} for each, rest in kept.items()]


def _build_value(keyed: KeyedList, row: dict[str, Any]) -> Any:
    match keyed.value:
        case "*":
            return row
        case "":
            return omit(row, *keyed.key)
        case name:
            return row[name]
