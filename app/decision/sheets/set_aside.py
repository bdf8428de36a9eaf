"""Simplifications by the ratings: dominated options, and objectives that do not tell options apart.

Findings are worded with care: no option is set aside by its sum, and the status quo always stays in the table.
"""

from __future__ import annotations

from app.core.sheet import Item, Listing, Mark, Prose
from app.decision.analysis import Analysis
from app.decision.dominance import Dominated, Possible
from app.decision.sheets import words
from app.decision.sheets.result import Result, at_most, listing, prose


def set_aside(result: Result, analysis: Analysis) -> Listing | None:
    """List the dominated options, except the status quo and those that people keep."""
    found = [each for each in analysis.dominance.dominated if not _stays(result, each)]
    return listing(words.ASIDE, (_dominated(result, each, Mark.SET_ASIDE) for each in found))


def kept(result: Result, analysis: Analysis) -> Listing | None:
    """List the dominated options that people keep, with their reasons."""
    found = [each for each in analysis.dominance.dominated if _is_kept(result, each)]
    return listing(words.KEPT, (_dominated(result, each) for each in found))


def beaten_today(result: Result, analysis: Analysis) -> Prose | None:
    """Return a careful statement that the status quo is dominated; None if it is not."""
    found = [each for each in analysis.dominance.dominated if each.alternative == result.so_far.compared_with]
    told = [
        words.BEATEN.format(
            by=result.label(each.dominated_by),
            baseline=result.label(each.alternative),
            better=result.labels(each.better_on),
        )
        for each in found
    ]
    return prose(words.joined([*told, *(_reason(result, each) for each in found)], " "), words.BEATEN_TODAY)


def possible(result: Result, analysis: Analysis) -> Listing | None:
    """List the options that may be dominated, depending on missing ratings."""
    return listing(words.POSSIBLE, at_most([_possible(result, each) for each in analysis.dominance.possible]))


def ties(result: Result, analysis: Analysis) -> Listing | None:
    """List options with equal ratings; those like the status quo do not differ from doing nothing."""
    return listing(words.TIES, (_tie(result, analysis, group) for group in analysis.dominance.ties))


def irrelevant(result: Result) -> Listing | None:
    """List objectives on which the options do not differ, and those that people leave out themselves."""
    reasons = {each["objective_id"]: each["reason"] for each in result.all("irrelevant_objectives[]")}
    return listing(words.IRRELEVANT, (result.of(handle, reason) for handle, reason in reasons.items()))


def same_patterns(result: Result, analysis: Analysis) -> Listing | None:
    """List objectives that are rated alike, and say if the sum leads elsewhere when they count once."""
    return listing(
        words.ALIKE,
        (
            Item(text=result.labels(group), notes=(words.COUNTED_OFTEN, *_counted_once(result, analysis)))
            for group in analysis.same_patterns
        ),
    )


def _is_kept(result: Result, each: Dominated) -> bool:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    return said.get("user_verdict") == "keep" and each.alternative != result.so_far.compared_with


def _reason(result: Result, each: Dominated) -> str:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    return words.YOU_KEEP.format(reason=said["reason"]) if "reason" in said else ""


def _stays(result: Result, each: Dominated) -> bool:
    return each.alternative == result.so_far.compared_with or _is_kept(result, each)


def _dominated(result: Result, each: Dominated, *marks: Mark) -> Item:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    return result.of(
        each.alternative,
        words.AS_GOOD.format(by=result.label(each.dominated_by), better=result.labels(each.better_on)),
        "" if each.robust else words.NOT_ROBUST,
        said.get("explanation", ""),
        _reason(result, each),
        marks=marks,
    )


def _possible(result: Result, each: Possible) -> Item:
    cells = [words.RATING_OF.format(alternative=result.label(at[0]), objective=result.label(at[1])) for at in each.fill]
    note = words.COULD_BE.format(by=result.label(each.by), cells=words.some(cells))
    return result.of(each.alternative, note, marks=(Mark.GAP,))


def _tie(result: Result, analysis: Analysis, group: tuple[str, ...]) -> Item:
    idle = [each for each in group if each in analysis.dominance.like_baseline]
    template = words.LIKE_TODAY if len(idle) == 1 else words.LIKE_TODAY_MANY
    same = template.format(options=result.labels(idle)) if idle else ""
    return Item(text=result.labels(group), notes=tuple(filter(None, (same, words.WHAT_DIFFERS))))


def _counted_once(result: Result, analysis: Analysis) -> tuple[str, ...]:
    before, after = analysis.leaders, analysis.leaders_counted_once
    if not before or not after:
        return ()
    template = words.STILL_LEADS if before == after else words.LEADS_INSTEAD
    return (template.format(leaders=result.labels(after), before=result.labels(before)),)
