"""What differs between two versions of a result, in a line each, for the steps that build on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.core.copy.decision_steps import NOT_KNOWN
from app.core.copy.draft_editing import name_change, name_field
from app.core.text import labels
from app.decision.drafts.noting import remove_evidence
from app.decision.rows import describe_amount, is_unknown
from app.decision.schema.component import Component
from app.decision.schema.outline import label_item
from app.decision.schema.paths import Draft, find_value, is_list, is_object, read_name

MOST: Final = 12
"""Changes of one step that are told one by one."""

OTHERWISE: Final = "worded or backed otherwise"
CHANGED: Final = "{field} changed"
VERSIONS: Final = "{title}: v{before} → v{after}"
MORE: Final = "{title}: and {count} more changes"


def list_changes(component: Component, before: Draft, after: Draft, versions: tuple[int, int]) -> tuple[str, ...]:
    """Return that there is a new version, and what is different in it: cells, items, fields."""
    head = VERSIONS.format(title=component.title, before=versions[0], after=versions[1])
    found = [*_compare(component, "", remove_evidence(before), remove_evidence(after))]
    more = [MORE.format(title=component.title, count=len(found) - MOST)] if len(found) > MOST else []
    return (head, *(f"- {each}" for each in found[:MOST]), *more)


def _compare(component: Component, path: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        here, one, other = f"{path}.{name}".lstrip("."), before.get(name), after.get(name)
        if one == other:
            continue
        if is_object(one) and is_object(other):
            yield from _compare(component, here, one, other)
        elif is_list(one or []) and is_list(other or []):
            yield from _compare_lists(component, here, [*(one or ())], [*(other or ())])
        else:
            yield f"{here}: {_word(one)} → {_word(other)}"


def _compare_lists(component: Component, path: str, before: list[Any], after: list[Any]) -> Iterator[str]:
    one, other = ({label_item(component, path, each): each for each in side} for side in (before, after))
    for label in dict.fromkeys((*one, *other)):
        named = _name(path, label, other.get(label, one.get(label)))
        if label not in other:
            yield f"{named}: gone"
        elif label not in one:
            yield f"{named}: new{_rate(other[label])}"
        elif one[label] != other[label]:
            yield f"{named}: {_describe_change(one[label], other[label])}"


def _describe_change(one: Any, other: Any) -> str:
    """Return both ratings, with their amounts if those differ, and the reason that people gave for the new one."""
    amounts = [
        f" [{describe_amount(each)}]" if is_object(each) and "quant_value" in each else "" for each in (one, other)
    ]
    shown = amounts if amounts[0] != amounts[1] else ["", ""]
    rated = [f"{_rate(each).lstrip()}{amount}" for each, amount in zip((one, other), shown, strict=True)]
    told = f"{rated[0]} → {rated[1]}" if rated[0] != rated[1] else _describe_fields(one, other)
    reason = find_value(other, "rationale")
    is_told = reason and reason != find_value(one, "rationale")
    return f"{told}, because: {labels.shorten(reason)}" if is_told else told


def _describe_fields(one: Any, other: Any) -> str:
    """Return which fields of an item differ; of a rating only that something beside it does."""
    if not is_object(one) or not is_object(other) or "rating" in other:
        return OTHERWISE
    names = [each for each in dict.fromkeys((*one, *other)) if one.get(each) != other.get(each)]
    return ", ".join(dict.fromkeys(_describe_field(each, one.get(each), other.get(each)) for each in names))


def _describe_field(name: str, was: Any, now: Any) -> str:
    """Return both values if these are numbers or single words, such as a date; of others, that they differ."""
    if was is None or now is None:
        return name_change(name, was, now)
    if is_object(now) or is_list(now):
        return CHANGED.format(field=name_field(name))
    is_short = not {" "} & {*str(was), *str(now)}
    return f"{name_field(name)} {was} → {now}" if is_short else OTHERWISE


def _name(path: str, label: str, item: Any) -> str:
    """Return what an item is called; one without a handle or a name of its own by its list and what it is about."""
    if find_value(item, "rating") is not None:
        return " on ".join(label.split(":"))
    words = read_name(item) if is_object(item) else label
    return label if words == label else f"{label} {words}" if words else f"{path} {label}"


def _rate(item: Any) -> str:
    rating = find_value(item, "rating") if is_object(item) else None
    if is_object(item) and is_unknown(item):
        return f" {NOT_KNOWN}"
    return "" if rating is None else f" {rating:+d}" if rating else " 0"


def _word(value: Any) -> str:
    return "nothing" if value is None else str(value)
