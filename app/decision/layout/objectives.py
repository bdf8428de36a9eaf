"""Presenter of objectives as a tree: fundamental objectives with their measures, and the means that serve them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from app.core.state.sheet import Item, Mark, Section
from app.core.text.cutting import SHORT, cut
from app.decision.analysis.amounts.bounds import read_bounds
from app.decision.layout.parts import words
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    build_prose,
    pack_lines,
    select_sections,
)
from app.decision.rules.framing_rules import find_circle
from app.decision.schema.terms import format_amount

LONG: Final = 200
"""Characters of a line in which several objectives stand side by side."""
_DATE: Final = re.compile(r"\bdate\b", re.IGNORECASE)
_DATED_WAYS: Final = MappingProxyType({"minimize": "the earlier the better", "maximize": "the later the better"})
METRIC_CHARS: Final = 80
"""Characters of a measure's name in a line of its own, which leave room for its amounts."""


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the tree. Means that serve several ends appear below each of them."""
    ends = result.all("fundamental_objectives[]")
    around = [each["handle"] for each in find_circle(result.draft)][:-1]
    return select_sections(
        build_listing(
            words.COUNTED.format(title=words.OBJECTIVES, count=len(ends)),
            (_build_end(result, each) for each in ends),
            words.NO_OBJECTIVE,
        ),
        build_listing(words.ADRIFT, (_build_means(result, each, "", Mark.GAP) for each in _list_adrift(result))),
        build_prose(words.CIRCLE_OF.format(means=result.labels(around)) if around else "", words.CIRCLE),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the ends with their measures, which means serve nothing yet, and how many means there are."""
    ends, means = result.all("fundamental_objectives[]"), result.all("means_objectives[]")
    adrift = [each["handle"] for each in _list_adrift(result)]
    room = words.ESSENCE_LINES - bool(means)
    is_alone = len(ends) <= room
    told = [_name_end(result, each, is_alone=is_alone) for each in ends]
    named = pack_lines(told, room, LONG)
    serving = len(means) - len(adrift)
    return (
        *(named or (words.NO_OBJECTIVE,)),
        build_line(words.ADRIFT, result.few(adrift, words.FEW)),
        build_line(words.SERVED, str(serving)) if serving else "",
    )


def _name_end(result: Result, each: Mapping[str, Any], *, is_alone: bool) -> str:
    """Return an end with its measure, such as *O1 Help sooner (hours until help · now 18 h · less is better)*.

    Alone in its line, it has the whole name of its measure if that fits. Beside others, the unit tells what is
    measured, and without a unit the short name does.
    """
    measure = each.get("performance_measure")
    if measure is None:
        told = [words.UNMEASURED]
    else:
        named, unit = measure.get("metric", ""), measure.get("units", "")
        is_told = not unit or "baseline" in measure or unit.casefold() in named.casefold()
        whole = cut(named if is_told else f"{named} in {unit}", METRIC_CHARS)
        told = [_describe_amounts(measure, _begin(whole))] if is_alone else []
        bare = unit or _begin(cut(named, SHORT))
        told += [_describe_amounts(measure, "" if unit and "baseline" in measure else bare)]
    lines = [
        words.add_brackets(name(each["handle"]), each_told)
        for each_told in told
        for name in (result.label, result.short)
    ]
    return next((line for line in lines if len(line) <= words.LINE), lines[-1])


def _begin(metric: str) -> str:
    """Return the name of a measure as a line begins. A unit stays as it is: *m²* and *min* are small."""
    return f"{metric[:1].upper()}{metric[1:]}"


def _describe_target(target: str) -> str:
    """Return what is aimed at; a limit, such as *at most 4 hours*, is not called a target."""
    return words.TARGET.format(amount=target) if target and not any(read_bounds(target)) else target


def _describe_amounts(measure: Mapping[str, Any], named: str) -> str:
    """Return the amounts with their unit and which way is better, after these words on what is measured."""
    unit = measure.get("units", "")
    now = format_amount(measure["baseline"], unit) if "baseline" in measure else ""
    return words.join_texts(
        [
            named,
            words.NOW.format(amount=now) if now else "",
            _describe_target(measure.get("target", "")),
            _describe_way(measure),
        ],
        " · ",
    )


def _describe_way(measure: Mapping[str, Any]) -> str:
    """Return which way is better: of a date, the earlier or the later one, because it is not less or more."""
    way = measure.get("direction", "")
    is_date = "units" not in measure and _DATE.search(measure.get("metric", "")) is not None
    dated = _DATED_WAYS.get(way, "") if is_date else ""
    return dated or words.DIRECTIONS.get(way, words.DIRECTION_OPEN)


def _list_adrift(result: Result) -> list[dict[str, Any]]:
    """Return the means that serve no end."""
    handles = {each["handle"] for each in result.all("fundamental_objectives[]")}
    return [each for each in result.all("means_objectives[]") if not handles & set(each.get("supports", ()))]


def write_gist(result: Result) -> str:
    """Return the number of ends and means."""
    means = len(result.all("means_objectives[]"))
    ends = words.count_noun(len(result.all("fundamental_objectives[]")), words.OBJECTIVE)
    return words.join_texts([ends, words.count_noun(means, words.MEANS) if means else ""], ", ")


def _build_end(result: Result, each: Mapping[str, Any]) -> Item:
    handle, measure = each["handle"], each.get("performance_measure")
    serving = [means for means in result.all("means_objectives[]") if handle in means.get("supports", ())]
    return build_item(
        each,
        *(describe_measure(measure) if measure else [words.NO_MEASURE]),
        words.WEIGHT.format(share=format_amount(round(100 * each["weight"], 1))) if "weight" in each else "",
        words.MATTERS_TO.format(party=result.label(each["party"])) if "party" in each else "",
        marks=(*(() if measure else (Mark.GAP,)), *result.marks(each)),
        inner=(_build_means(result, means, handle) for means in serving),
    )


def _build_means(result: Result, each: Mapping[str, Any], below: str, *marks: Mark) -> Item:
    """Return a means below one of the ends that it serves; its notes name the other ends."""
    others = [handle for handle in each.get("supports", ()) if handle != below]
    return build_item(
        each,
        words.ALSO_SERVES.format(objectives=result.labels(others)) if others and below else "",
        words.BY_WAY_OF.format(means=result.labels(each["via"])) if each.get("via") else "",
        marks=(*marks, *result.marks(each)),
    )


def describe_measure(measure: Mapping[str, Any]) -> list[str]:
    """Return the measure in words, such as *Hours until help, less is better · now 18*, and the levels of its scale."""
    metric, units = measure.get("metric", ""), measure.get("units", "")
    unit = f" ({units})" if units and units.casefold() not in metric.casefold().split() else ""
    way = _describe_way(measure)
    told = [
        words.join_texts([f"{_begin(metric)}{unit}", way], ", "),
        words.NOW.format(amount=format_amount(measure["baseline"])) if "baseline" in measure else "",
        _describe_target(measure.get("target", "")),
        words.MEASURE_KINDS.get(measure.get("kind", ""), ""),
    ]
    levels = measure.get("scale_levels", ())
    return [words.join_texts(told, " · "), *([words.LEVELS.format(levels=" · ".join(levels))] if levels else [])]


def name_scale(measure: Mapping[str, Any]) -> str:
    """Return what is measured, with the levels of a scale in words: *who would follow: nobody · some · all*."""
    return words.join_texts([measure.get("metric", ""), " · ".join(measure.get("scale_levels", ()))], ": ")
