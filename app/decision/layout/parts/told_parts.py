"""What people told in earlier steps, for the details of a step that speaks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from app.core.state.sheet import Item, Section
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_item, build_listing
from app.decision.record import BY_PEOPLE
from app.decision.schema.paths import find_values

MOST: Final = 40
"""Reasons that are listed; a wide table has more than anybody reads in one place."""


def list_told(result: Result) -> Iterator[Section]:
    """Yield a list of each kind of finding that the component works on and that people put into words."""
    for name, (title, find) in TOLD.items():
        if name in result.component.findings and (listing := build_listing(title, find(result))):
            yield listing


def _list_reasons(result: Result) -> Iterator[Item]:
    cells = find_values(result.so_far.results.get("consequences"), "table.cells[]")
    given = [each for each in cells if each.get("rationale") and each["alternative_id"] != result.so_far.baseline]
    shown = sorted(given[:MOST], key=lambda each: each["alternative_id"])
    for option, reasons in groupby(shown, key=lambda each: each["alternative_id"]):
        yield result.of(option, *(_describe_reason(result, each) for each in reasons))
    if len(given) > MOST:
        yield Item(text=words.AND_MORE.format(count=len(given) - MOST))


def _describe_reason(result: Result, cell: Mapping[str, Any]) -> str:
    return words.LISTED.format(title=result.label(cell["objective_id"]), items=cell["rationale"])


def _list_assumptions(result: Result) -> Iterator[Item]:
    for each in find_values(result.so_far.results.get("alternatives"), "alternatives[]"):
        if assumed := each.get("assumptions"):
            yield result.of(each["handle"], *assumed)


def _list_uncertainties(result: Result) -> Iterator[Item]:
    for each in find_values(result.so_far.results.get("issue_raising"), "uncertainties[]"):
        yield build_item(each, words.DEPENDS_ON.format(driver=each["driver"]) if "driver" in each else "")


def _list_verdicts(result: Result) -> Iterator[Item]:
    """Yield what people said about what the ratings show, with their reasons."""
    tradeoffs = result.so_far.results.get("tradeoffs")
    for each in find_values(tradeoffs, "dominated_alternatives[]"):
        if each.get("user_verdict"):
            yield result.of(each["alternative_id"], words.VERDICTS[each["user_verdict"]], each.get("reason", ""))
    for each in find_values(tradeoffs, "practical_dominance[]"):
        if each.get("user_verdict"):
            compared = words.COMPARED.format(by=result.label(each["by"]))
            yield result.of(
                each["alternative_id"], compared, words.VERDICTS[each["user_verdict"]], each.get("reason", "")
            )
    for each in find_values(tradeoffs, "irrelevant_objectives[]"):
        if each.get("kind") in BY_PEOPLE:
            yield result.of(each["objective_id"], words.LEFT_OUT_KIND[each["kind"]], each["reason"])


TOLD: Final[Mapping[str, tuple[str, Callable[[Result], Iterator[Item]]]]] = MappingProxyType(
    {
        "reasons": (words.TOLD_REASONS, _list_reasons),
        "assumptions": (words.TOLD_ASSUMPTIONS, _list_assumptions),
        "understanding": (words.TOLD_VERDICTS, _list_verdicts),
        "uncertainties": (words.TOLD_UNCERTAINTIES, _list_uncertainties),
    }
)
"""Titles and items, by the findings that components name."""
