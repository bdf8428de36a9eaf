"""What people told in earlier steps, for the details and the windows of a step that speaks of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from app.core.state.sheet import Item, Listing
from app.decision.analysis.conflict import Tension
from app.decision.analysis.scores import compute_nets
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.contender_parts import list_aside
from app.decision.layout.parts.limit_parts import CHECKED, describe_checked
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    build_texts,
    describe_uncertainty,
)
from app.decision.record import DecisionRecord
from app.decision.rows import BY_PEOPLE, SUGGESTED, find_place
from app.decision.schema.days import format_day, tells_time
from app.decision.schema.paths import find_value, find_values
from app.decision.schema.similarity import find_telling_words, shares_half
from app.decision.tracing.worked_out.sums import find_topics

LATE: Final = "That is after the decision is due ({day})."
ELSEWHERE: Final = "In other steps"
SEE: Final = "{what}: see {step}"
THE_REST: Final = "{what}, the rest"
WHEN: Final = "{told} (by when: {when})"
CONDITION: Final = "Whether {option} can count on this: {assumption}"
CONTENDERS: Final = 2
"""Options whose conditions are worth finding out about."""

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")

UNCERTAINTIES: Final = "uncertainties"
"""The finding that is about no option and no objective."""
MOST: Final = 40
"""Reasons that are listed; a wide table has more than anybody reads in one place."""


def list_elsewhere(result: Result, shown: Collection[Listing]) -> Listing | None:
    """Return where each kind of finding stands that the component works on and another step has in full.

    What is `shown` whole is left out; of what is shown in part, it is said that the rest stands there.
    """
    parts = {each.title for each in shown}
    findings = result.component.findings
    whole = {name: build_listing(title, find(result)) for name, (title, _, find) in TOLD.items()}
    told = {
        name: (THE_REST.format(what=title) if title in parts else title, step)
        for name, (title, step, _) in TOLD.items()
        if whole[name] and whole[name] not in shown
    }
    limits = describe_checked(result.so_far)
    checked = {"ratings": (words.COUNTED.format(title=CHECKED, count=limits), "Consequences")} if limits else None
    computed = {name: (what, step) for name, (what, key, step) in COMPUTED.items() if key in result.so_far.results}
    known = {**told, **(checked or {}), **computed}
    places = (each for name, each in known.items() if name in findings)
    return build_texts(ELSEWHERE, (SEE.format(what=what, step=step) for what, step in places))


def list_told_of(result: Result, handles: Collection[str], *, is_uncertain: bool) -> Iterator[Listing]:
    """Yield what of this is about these options and objectives, and the uncertainties where one is spoken of.

    A reason is about an option on an objective: where objectives are named, those on others are left out.
    """
    narrow = _select_reasons(result, handles)
    for name, (title, _, find) in TOLD.items():
        if name not in result.component.findings or (name == UNCERTAINTIES and not is_uncertain):
            continue
        found = (each for each in find(narrow) if name == UNCERTAINTIES or each.handle in handles)
        if listing := build_listing(title, found):
            yield listing


def _select_reasons(result: Result, handles: Collection[str]) -> Result:
    """Return the result with ratings on the named objectives alone, if any is named."""
    named = {*handles} & {*result.so_far.objectives}
    if not named:
        return result
    cells = [each for each in list_own_ratings(result.so_far) if each["objective_id"] in named]
    results = {**result.so_far.results, "consequences": {"table": {"cells": cells}}}
    return replace(result, so_far=replace(result.so_far, results=results))


def list_own_ratings(so_far: DecisionRecord) -> list[Mapping[str, Any]]:
    """Return the approved ratings against the status quo, without those that nobody has said."""
    cells = find_values(so_far.results.get("consequences"), "table.cells[]")
    return [each for each in cells if each["alternative_id"] != so_far.baseline and each.get("origin") != SUGGESTED]


def _list_reasons(result: Result) -> Iterator[Item]:
    given = [each for each in list_own_ratings(result.so_far) if _explain(result, each)]
    shown = sorted(given[:MOST], key=lambda each: each["alternative_id"])
    for option, reasons in groupby(shown, key=lambda each: each["alternative_id"]):
        notes = (build_line(result.label(each["objective_id"]), _explain(result, each)) for each in reasons)
        yield result.of(option, *notes)
    if len(given) > MOST:
        yield Item(text=words.AND_MORE.format(count=len(given) - MOST))


def _explain(result: Result, cell: Mapping[str, Any]) -> str:
    """Return why an option is rated so, and what its doubt comes from; empty if nobody said."""
    driver = find_value(cell, "uncertainty.driver")
    cause = result.cause(find_place(cell), words.DOUBT.format(driver=driver)) if driver else ""
    return words.join_texts([cell.get("rationale", ""), cause], " · ")


def _list_assumptions(result: Result) -> Iterator[Item]:
    for each in find_values(result.so_far.results.get("alternatives"), "alternatives[]"):
        if assumed := each.get("assumptions"):
            yield result.of(each["handle"], *assumed)


def list_uncertain(record: DecisionRecord) -> list[Mapping[str, Any]]:
    """Return what the recommendation calls uncertain, and what the ratings call worth finding out beside it."""
    rated = find_values(record.results.get("consequences"), "uncertainties[]")
    more = [each for each in rated if each.get("worth_resolving")]
    return [*_list_remaining(record), *(each for each in more if not is_remaining(record, each["description"]))]


def is_remaining(record: DecisionRecord, uncertainty: str) -> bool:
    """Return True if the recommendation calls the same thing uncertain, in whatever words."""
    return any(is_same_uncertainty(uncertainty, each["description"]) for each in _list_remaining(record))


def is_same_uncertainty(one: str, other: str) -> bool:
    """Return True if at least half of what the first one is about is what the other one is about."""
    return _is_among(find_telling_words(one), (find_telling_words(other),))


def _list_remaining(record: DecisionRecord) -> list[Mapping[str, Any]]:
    return find_values(record.results.get("recommendation"), "remaining_uncertainties[]")


def describe_when(each: Mapping[str, Any]) -> str:
    """Return by when something is to be found out, or that nobody has said it; empty if its way tells the time."""
    if when := each.get("by_when"):
        return format_day(when) if _DAY.fullmatch(when) else when
    return "" if tells_time(each.get("resolution_path", "")) else words.NOT_SAID


def describe_lateness(each: Mapping[str, Any], record: DecisionRecord) -> str:
    """Return that something is to be found out after the day by which the decision is due; empty if it is not."""
    due = find_value(record.results.get("problem_frame"), "focal_decision.deadline") or ""
    when = each.get("by_when", "")
    return LATE.format(day=format_day(due)) if due and _DAY.fullmatch(when) and when > due else ""


def list_contenders(record: DecisionRecord) -> list[Tension]:
    """Return the options that are compared: the one that people lean to, then the best on the plain sum.

    Of those that are level there, the one that comes first more often comes first.
    """
    analysis, chosen = record.analysis, find_value(record.results.get("notes_next_steps"), "decision.alternative_id")
    sums = compute_nets(analysis.scores if analysis else ())
    known = [each for each in analysis.contending if sums[each.alternative] is not None] if analysis else []
    shares = record.firmness.firsts if record.firmness else dict[str, float]()
    known.sort(
        key=lambda each: (
            each.alternative != chosen,
            -(sums[each.alternative] or 0),
            -shares.get(each.alternative, 0.0),
        )
    )
    return known


def list_conditions(record: DecisionRecord) -> Iterator[str]:
    """Yield what the contenders count on and nobody has put down as something to find out."""
    return list_conditions_of(record, [each.alternative for each in list_contenders(record)[:CONTENDERS]])


def list_conditions_of(record: DecisionRecord, options: Iterable[str]) -> Iterator[str]:
    """Yield what these options count on and nobody has put down as something to find out."""
    for option, assumption in _list_open(record, options):
        yield CONDITION.format(option=record.label(option), assumption=assumption)


def is_condition(record: DecisionRecord, options: Collection[str], doubt: tuple[str, str, str]) -> bool:
    """Return True if a rating of one of these options is doubtful for what the option counts on: that is told."""
    option, _, cause = doubt
    return option in options and _is_among(
        find_topics(cause), (find_topics(assumption) for _, assumption in _list_open(record, (option,)))
    )


def _list_open(record: DecisionRecord, options: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each of these options with what it counts on and nobody has put down as something to find out."""
    topics = [find_topics(each["description"]) for each in list_uncertain(record)]
    for option in options:
        for assumption in record.list_assumptions(option):
            if not _is_among(find_topics(assumption) - find_topics(record.name(option)), topics):
                yield option, assumption


def list_leading(record: DecisionRecord) -> tuple[str, ...]:
    """Return the option that stands out, or else those that lead."""
    if record.standout:
        return (record.standout.alternative,)
    return record.analysis.leaders if record.analysis else ()


def map_could_lead(record: DecisionRecord) -> dict[str, tuple[str, ...]]:
    """Return the options left that do not lead but come first in some case, by objectives that nobody can rate them on.

    An option of which everything is known is not among them.
    """
    table, analysis, firmness = record.rated, record.analysis, record.firmness
    if table is None or analysis is None or firmness is None:
        return {}
    out = {*list_leading(record), *list_aside(record)}
    firsts = [each for each in firmness.firsts if each not in out]
    unknown = [at for at in table.unknown if at[1] not in analysis.left_out]
    found = {option: tuple(at[1] for at in unknown if at[0] == option) for option in firsts}
    return {option: objectives for option, objectives in found.items() if objectives}


def _is_among(own: frozenset[str], topics: Iterable[frozenset[str]]) -> bool:
    """Return True if at least half of the words of a topic are among those of one of these."""
    return any(own and shares_half(own, topic) for topic in topics)


def _list_uncertainties(result: Result) -> Iterator[Item]:
    earlier = replace(result, unproven=result.so_far.suggested.get("issue_raising", ()))
    for each in find_values(result.so_far.results.get("issue_raising"), "uncertainties[]"):
        yield build_item(each, describe_uncertainty(earlier, each)[0])


def _list_verdicts(result: Result) -> Iterator[Item]:
    """Yield what people said about what the ratings show, with their reasons."""
    tradeoffs = result.so_far.results.get("tradeoffs")
    for name, other in (("dominated_alternatives", "dominated_by"), ("practical_dominance", "by")):
        for each in find_values(tradeoffs, f"{name}[]"):
            if verdict := each.get("user_verdict"):
                said = words.VERDICTS[verdict]
                if other in each:
                    said = words.COMPARED.format(by=result.label(each[other]), said=f"{said[:1].lower()}{said[1:]}")
                yield result.of(each["alternative_id"], said, each.get("reason", ""))
    counted = result.so_far.map_counted(tradeoffs or {})
    for each in find_values(tradeoffs, "dropped_alternatives[]"):
        option = each["alternative_id"]
        still = words.STILL_COUNTED[counted[option]] if option in counted else ""
        yield result.of(option, words.VERDICTS["set_aside"], each.get("reason", ""), still)
    for each in find_values(tradeoffs, "irrelevant_objectives[]"):
        if each.get("kind") in BY_PEOPLE:
            yield result.of(each["objective_id"], words.LEFT_OUT_KIND[each["kind"]], each.get("reason", ""))


TOLD: Final[Mapping[str, tuple[str, str, Callable[[Result], Iterator[Item]]]]] = MappingProxyType(
    {
        "reasons": (words.TOLD_REASONS, "Consequences", _list_reasons),
        "assumptions": (words.TOLD_ASSUMPTIONS, "Alternatives", _list_assumptions),
        "understanding": (words.TOLD_VERDICTS, "Tradeoffs", _list_verdicts),
        UNCERTAINTIES: (words.TOLD_UNCERTAINTIES, "Issue raising", _list_uncertainties),
    }
)
"""Titles, the steps that have all of it, and the items, by the findings that components name."""
COMPUTED: Final = MappingProxyType(
    {
        "analysis": ("All sums, and what each option gains and gives up", "tradeoffs", "Tradeoffs"),
        "doubts": (words.FIND_OUT_FIRST, "recommendation", "Recommendation"),
    }
)
"""What is worked out, and the step that has it once that is approved, by the findings that components name."""
