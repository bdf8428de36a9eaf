"""Changes that people make to a draft by clicks. Each gives a new draft and whether it is acceptable. Pure.

What a person wrote by hand gets their origin. No change leaves references to removed items behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.core.text.untrusted import clean
from app.decision.drafts.draft import Rejected, tidy
from app.decision.drafts.hand_edit import judge_hand_edit
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.findings import Issue
from app.decision.schema.handles import find_next_handle, list_handles, prune
from app.decision.schema.paths import BY_HAND, Draft, is_object, read_name
from handlers.views.editing.fields import is_asked
from handlers.views.editing.path import Path, complete_lists, find_node, generalize, get_value, put_value

QUOTED_CHARS = 200
"""Limit of a quote in definitions.json."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedChange:
    """A changed draft as the server completes it. With `issues` it is refused."""

    draft: Draft
    issues: tuple[Issue, ...] = ()
    remarks: tuple[str, ...] = ()
    """Remarks that the draft did not have before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedItem:
    """A draft with an item moved to another list."""

    draft: Draft
    handle: str
    """The item's handle there."""
    left: tuple[str, ...]
    """Fields that the other list has no place for."""
    missed: tuple[str, ...]
    """The item's old handle, if other items referred to it."""


def judge_change(component: Component, before: Draft, after: Draft, so_far: DecisionRecord) -> JudgedChange:
    """Judge a change as the state machine will."""
    whole = complete_lists(component.json_schema, after)
    made = judge_hand_edit(component, before, whole, so_far)
    if isinstance(made, Rejected):
        return JudgedChange(draft=tidy(clean(whole)), issues=made.issues)
    return JudgedChange(draft=made.draft, remarks=tuple(each.text for each in made.news))


def quote_hand_edit(component: Component, path: Path, before: Any, after: Any) -> Any:
    """Return an item with the person as its origin. New words are quoted as they wrote them."""
    if not is_object(after) or before == after:
        return after
    allowed = find_node(component, path).get("properties", {})
    made = after | ({"origin": "user"} if "origin" in allowed else {})
    words = read_name(after)
    if "evidence" in allowed and words and words != read_name(before or {}):
        made["evidence"] = [{"message_id": BY_HAND, "quote": words[:QUOTED_CHARS]}]
    return made


def add_item(component: Component, draft: Draft, path: Path, item: Any, so_far: DecisionRecord) -> Draft:
    """Return the draft with one more item at the end of the list at the path. The server assigns handles."""
    listed: list[Any] = get_value(draft, path) or []
    if prefix := component.handles.get(f"{generalize(path)}[]"):
        item = {"handle": _find_next_handle(prefix, draft, so_far), **item}
    return put_value(draft, path, [*listed, quote_hand_edit(component, (*path, len(listed)), None, item)])


def shift_item(draft: Draft, path: Path, by: int) -> Draft:
    """Return the draft with an item swapped with the one above (-1) or below (1); unchanged if there is none."""
    listed, index = list(get_value(draft, path[:-1])), path[-1]
    assert isinstance(index, int), "an item stands in a list"
    if 0 <= index + by < len(listed):
        listed[index], listed[index + by] = listed[index + by], listed[index]
    return put_value(draft, path[:-1], listed)


def remove_item(
    component: Component, draft: Draft, path: Path, so_far: DecisionRecord
) -> tuple[Draft, tuple[str, ...]]:
    """Return the draft without an item and references to it, and the handles that were referred to."""
    left, missed = prune(component, put_value(draft, path, None), so_far.handles)
    holder = path[:-2]
    if (
        holder
        and is_object(inside := get_value(left, holder))
        and not any(inside.values())
        and _can_move(component, holder)
    ):
        left = put_value(left, holder, None)
    return left, missed


def list_targets(component: Component, path: Path) -> tuple[Path, ...]:
    """Return the other lists that accept an item of the list at the path as it is."""
    boxes = (key.removesuffix("[]") for key in component.handles if key.endswith("[]"))
    others = (tuple(box.split(".")) for box in boxes if "[]" not in box and box != generalize(path))
    return tuple(other for other in others if _can_hold(component, path, other))


def move_item(component: Component, draft: Draft, path: Path, target: Path, so_far: DecisionRecord) -> MovedItem:
    """Return the draft with an item at the end of another list, with its words and every field that fits there."""
    item: dict[str, Any] = get_value(draft, path)
    here, there = _read_shape(component, path[:-1]), _read_shape(component, target)
    carried = {name: each for name, each in item.items() if name in there and _is_same(here[name], there[name])}
    carried |= {_find_words_field(there): item[_find_words_field(here)]}
    prefix = component.handles[f"{generalize(target)}[]"]
    kept = prefix == component.handles[f"{generalize(path[:-1])}[]"]
    carried["handle"] = item["handle"] if kept else _find_next_handle(prefix, draft, so_far)
    made = put_value(draft, path, None)
    made, missed = prune(
        component, put_value(made, target, [*(get_value(made, target) or []), carried]), so_far.handles
    )
    left = tuple(name for name in item if name not in (*carried, _find_words_field(here)))
    return MovedItem(draft=made, handle=carried["handle"], left=left, missed=missed)


def _find_next_handle(prefix: str, draft: Draft, so_far: DecisionRecord) -> str:
    return find_next_handle(prefix, [*list_handles([draft]), *so_far.given])


def _can_move(component: Component, path: Path) -> bool:
    holder = find_node(component, path[:-1])
    return path[-1] not in holder.get("required", ())


def _read_shape(component: Component, path: Path) -> Mapping[str, Any]:
    """Return the schema of each field of an item of the list at the path."""
    steps = (*path, "[]")
    node = find_node(component, steps)
    return {name: find_node(component, (*steps, name)) for name in node.get("properties", {})}


def _find_words_field(shape: Mapping[str, Any]) -> str:
    """Return the name of the field that holds the words of an item."""
    return read_name({name: name for name in shape})


def _is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {**one, "description": ""} == {**other, "description": ""}


def _can_hold(component: Component, path: Path, target: Path) -> bool:
    here, there = _read_shape(component, path), _read_shape(component, target)
    if (
        not _find_words_field(here)
        or not _find_words_field(there)
        or not _is_same(here[_find_words_field(here)], there[_find_words_field(there)])
    ):
        return False
    node = find_node(component, (*target, "[]"))
    sure = find_node(component, (*path, "[]")).get("required", ())
    return all(
        name in ("handle", _find_words_field(there))
        or (name in sure and _is_same(here[name], there[name]))
        or is_asked(component, (*target, "[]", name))
        for name in node.get("required", ())
    )
