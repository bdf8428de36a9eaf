"""Rules for ratings: each cell once, ranges that hold their rating, and agreement with the measures.

A missing cell is unknown and never 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from app.core.text.labels import join_words
from app.decision.analysis.amounts.mismatches import Meanings, Mismatch, MismatchKind, find_mismatches
from app.decision.analysis.measures import Contradiction, find_contradictions
from app.decision.analysis.ratings import BEST, WORST
from app.decision.analysis.variation import group_patterns
from app.decision.record import DecisionRecord
from app.decision.rows import describe_amount, find_place, is_doubtful, is_of_before, is_unknown
from app.decision.schema.findings import Finding, Issue, Remark
from app.decision.schema.paths import Draft, find_places, find_values
from app.decision.schema.terms import format_amount, format_signed

MISMATCHES: Final = MappingProxyType(
    {
        MismatchKind.EQUAL_RATINGS: "On {objective} equal ratings hide a large difference: {told}. Shall they differ?",
        MismatchKind.EQUAL_AMOUNTS: "On {objective} equally good amounts have different ratings: {told}. Which holds?",
    }
)
"""Questions about ratings that do not go with their amounts."""
OUTSIDE: Final = " You defined {rating} there as “{meaning}”: {options} {verb} outside of that."
"""The reason for the question, if people defined the step."""
HALO: Final = 3
"""Number of ratings of one option, all better than the status quo, from which a question is asked."""


def cell_once(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that each option is rated once on each objective."""
    seen: set[tuple[str, str]] = set()
    for place in find_places(draft, "table.cells[]"):
        at = (place.value["alternative_id"], place.value["objective_id"])
        if at in seen:
            yield Issue(place.name, "one rating for each option and objective", "rated twice", " on ".join(at))
        seen.add(at)


def ranges(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that a range contains its rating."""
    for place in find_places(draft, "table.cells[]"):
        span = place.value.get("rating_range")
        if span and not span["low"] <= place.value["rating"] <= span["high"]:
            shown = f"{span['low']} to {span['high']}, rated {place.value['rating']}"
            yield Issue(f"{place.name}.rating_range", "a range that holds the rating", "does not hold it", shown)


def measures_agree(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about a higher rating for a worse amount, which is mostly an error of sign."""
    table = so_far.table(draft)
    for each in find_contradictions(table, so_far.measure(draft)) if table else ():
        higher, lower = so_far.label(each.rated_higher), so_far.label(each.rated_lower)
        objective, today = so_far.label(each.objective), _tell_today(draft, so_far, each)
        yield Remark(
            f"On {objective}, {higher} is rated above {lower}, but measures worse.{today} Which holds?", blocking=True
        )


def _tell_today(draft: Draft, so_far: DecisionRecord, found: Contradiction) -> str:
    """Return what the status quo is taken to measure, if nobody has said it: today's amount, which may not last."""
    baseline = so_far.baseline
    if baseline is None or baseline not in (found.rated_higher, found.rated_lower):
        return ""
    at, cells = (baseline, found.objective), find_values(draft, "table.cells[]")
    if any(find_place(each) == at and "quant_value" in each for each in cells):
        return ""
    collected = so_far.collect(draft)[found.objective]
    amount = format_amount(collected.amounts[at], collected.unit)
    return f" {baseline} is taken at today's {amount}, because no amount was said for it."


def units_agree(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about amounts of one objective that cannot be brought to one unit, or to the unit of its measure."""
    for objective, found in so_far.collect(draft).items():
        if found.unlike:
            others = join_words(each or "no unit" for each in found.unlike)
            yield Remark(
                f"Amounts on {so_far.label(objective)} are given in {found.unit or 'no unit'} and in {others}, which "
                "cannot be compared. In which one unit shall they stand?",
                about=[(objective, found.unit, *found.unlike)],
            )
        elif found.instead_of:
            yield Remark(
                f"On {so_far.label(objective)} the measure is in {found.instead_of}, but all amounts are in "
                f"{found.unit}. Which unit is right?",
                about=[(objective, found.unit, found.instead_of)],
            )


def scale_agrees(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about equal ratings of amounts far apart, and different ratings of equal amounts, once for each objective."""
    table = so_far.table(draft)
    defined: Meanings = {
        (each["objective_id"], step): each[str(step)]
        for each in find_values(draft, "table.anchors[]")
        for step in range(WORST, BEST + 1)
        if str(step) in each
    }
    found = find_mismatches(table, so_far.measure(draft), defined) if table else ()
    for kind, question in MISMATCHES.items():
        first = {each.objective: each for each in reversed(found) if each.kind is kind}
        for objective in (each for each in so_far.objectives if each in first):
            mismatch = first[objective]
            options = (mismatch.one, mismatch.other)
            amounts = [so_far.describe_amount((option, objective), draft) for option in options]
            told = join_words(f"{so_far.label(at)} {amount}" for at, amount in zip(options, amounts, strict=True))
            text = question.format(objective=so_far.label(objective), told=told)
            if mismatch.outside:
                text += _tell_outside(mismatch, defined, so_far)
            yield Remark(text, about=[(kind, objective, *options, *amounts, *mismatch.outside)])


def _tell_outside(found: Mismatch, defined: Meanings, so_far: DecisionRecord) -> str:
    verb = "is" if len(found.outside) == 1 else "are"
    return OUTSIDE.format(
        options=join_words(map(so_far.label, found.outside)),
        verb=verb,
        rating=format_signed(found.rating or 0),
        meaning=defined[found.objective, found.rating],
    )


def amounts_of_before(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask whether an amount still holds after the rating beside it has changed."""
    for cell in find_values(draft, "table.cells[]"):
        if is_of_before(cell):
            amount, what = describe_amount(cell), "not known now" if is_unknown(cell) else "rated anew"
            yield Remark(
                f"{so_far.label_place(find_place(cell))} is {what}. Is {amount} beside it still right?",
                about=[(*find_place(cell), cell["rating"], amount)],
            )


def halo(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about an option that is better everywhere, once all its ratings are there: it may be a favourite."""
    rated = {find_place(cell): cell["rating"] for cell in find_values(draft, "table.cells[]")}
    for handle in so_far.alternatives:
        ratings = [rated.get((handle, each)) for each in so_far.objectives]
        if len(ratings) >= HALO and all(each is not None and each > 0 for each in ratings):
            yield Remark(
                f"{so_far.label(handle)} is rated better everywhere. What speaks against it?", about=[(handle,)]
            )


def same_columns(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about objectives that are rated alike: they may be one."""
    table = so_far.table(draft)
    for group in group_patterns(table) if table else ():
        yield Remark(f"{so_far.labels(group)} are rated alike everywhere. Are they really different?", about=[group])


def anchored(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about a step without a meaning if the others have one: perhaps it cannot happen.

    0 always means: like the status quo.
    """
    anchors = {each["objective_id"]: each for each in find_values(draft, "table.anchors[]")}
    for cell in find_values(draft, "table.cells[]"):
        agreed = anchors.get(cell["objective_id"])
        if agreed and cell["rating"] and str(cell["rating"]) not in agreed:
            at = f"{so_far.label(cell['alternative_id'])} on {so_far.label(cell['objective_id'])}"
            yield Remark(
                f"{at} is rated {format_signed(cell['rating'])}, a step nobody has given a meaning. What is it?",
                about=[(*find_place(cell), cell["rating"])],
            )


def doubt_has_a_driver(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for the cause of a doubt, because only a known cause can be resolved.

    The reason for a rating that nobody knows says why they do not.
    """
    for cell in find_values(draft, "table.cells[]"):
        is_told = "driver" in cell.get("uncertainty", {}) or (is_unknown(cell) and "rationale" in cell)
        if is_doubtful(cell) and not is_told:
            at = f"{so_far.label(cell['alternative_id'])} on {so_far.label(cell['objective_id'])}"
            yield Remark(f"What does the doubt about {at} come from?", about=[find_place(cell)])
