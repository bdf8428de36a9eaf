"""Presenter of issue raising: four lists with their counts, so that people see the content of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.state.sheet import Item, Listing, Section
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_item, build_line


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
    """Return what comes first, and each list in a line."""
    first = result.one("focal_candidate_id")
    return (
        build_line(words.FIRST, result.label(first) if first else ""),
        *(
            build_line(
                words.COUNTED.format(title=title, count=len(listed)),
                result.few([each["handle"] for each in listed], words.FEW),
            )
            for box, title, _ in words.BOXES
            if (listed := result.all(f"{box}[]"))
        ),
    )


def write_gist(result: Result) -> str:
    """Return the counts of the lists that are not empty."""
    counts = ((len(result.all(f"{box}[]")), noun) for box, _, noun in words.BOXES)
    return ", ".join(words.count_noun(count, noun) for count, noun in counts if count)


def _build_item(result: Result, each: Mapping[str, Any]) -> Item:
    return build_item(
        each,
        words.COMES_FIRST if each["handle"] == result.one("focal_candidate_id") else "",
        words.PRIORITY.format(priority=each["priority"].capitalize()) if "priority" in each else "",
        each.get("notes", ""),
        words.DEPENDS_ON.format(driver=each["driver"]) if "driver" in each else "",
        words.RESOLVABLE[each.get("resolvable")],
        marks=result.marks(each),
    )
