"""Presenter of issue raising: four lists with their counts, so that people see the content of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.core.state.sheet import Item, Listing, Section
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_item, build_whole_line, describe_uncertainty, join_items

WHOLE: Final = 320
"""Characters of a list on the card, where all four together are no longer than `ALL_LINES`."""
ALL_LINES: Final = 800


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return all four lists, including empty ones: an issue may be missing there."""
    return tuple(
        Listing(
            title=words.COUNTED.format(title=title, count=len(result.all(f"{box}[]"))),
            items=tuple(_build_item(result, each) for each in result.all(f"{box}[]")),
            empty=words.NONE_NAMED,
        )
        for box, title, _ in words.BOXES
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return each list in a line; the decision that comes first is named before the others."""
    whole = tuple(_write_line(result, box, title, WHOLE) for box, title, _ in words.BOXES)
    if sum(map(len, whole)) <= ALL_LINES:
        return whole
    return tuple(_write_line(result, box, title, ALL_LINES // len(words.BOXES)) for box, title, _ in words.BOXES)


def _write_line(result: Result, box: str, title: str, most: int) -> str:
    listed = [each["handle"] for each in result.all(f"{box}[]")]
    first = result.one("focal_candidate_id")
    counted = words.COUNTED.format(title=title, count=len(listed))
    corrected = {each["handle"]: result.so_far.tell_correction(each) for each in result.all(f"{box}[]")}
    ordered = sorted(listed, key=lambda each: each != first)
    labels = [words.add_brackets(result.label(each), corrected[each]) for each in ordered]
    is_ordered = first in listed and len(listed) > 1
    named = [words.FIRST.format(items=labels[0]), *labels[1:]] if is_ordered else labels
    return build_whole_line(counted, named, most=most)


def write_gist(result: Result) -> str:
    """Return the counts of the lists that are not empty."""
    counts = ((len(result.all(f"{box}[]")), noun) for box, _, noun in words.BOXES)
    return ", ".join(words.count_noun(count, noun) for count, noun in counts if count)


def _build_item(result: Result, each: Mapping[str, Any]) -> Item:
    told = result.so_far.tell_correction(each)
    is_chosen = len(result.all("potential_decisions[]")) > 1
    priority = words.PRIORITY.format(priority=each["priority"].capitalize()) if "priority" in each else ""
    return build_item(
        each,
        words.COMES_FIRST if is_chosen and each["handle"] == result.one("focal_candidate_id") else "",
        result.fact(f"{each['handle']}.priority", priority),
        words.COURSES.format(courses=join_items(each["courses"])) if each.get("courses") else "",
        each.get("notes", ""),
        *describe_uncertainty(result, each),
        f"{told[:1].upper()}{told[1:]}",
        marks=result.marks(each),
    )
