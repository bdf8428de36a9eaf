"""Presenter of tradeoffs: first the options that drop out, then those to weigh, and last people's verdicts.

The findings are computed anew by the analysis; the draft adds people's words on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.core.state.sheet import Item, Listing, Section
from app.decision.analysis.analysis import Analysis
from app.decision.drafts.computed_tradeoffs import findings
from app.decision.layout.parts import analysis_parts, words
from app.decision.layout.parts.analysis_parts import what_if
from app.decision.layout.parts.result import Result, at_most, laid_out, listing, prose


def sections(result: Result) -> tuple[Section, ...]:
    """Return the whole tradeoff."""
    analysis = result.so_far.analysis
    if analysis:  # people's words on former findings are not shown with current ones
        result = replace(result, draft={**result.draft, "headline_conflict": {}, **findings(result.draft, analysis)})
    return laid_out(
        *(_findings(result, analysis) if analysis else (prose(words.NO_RATINGS),)),
        _swings(result),
        _swaps(result),
        prose(words.quoted(result.text("user_understanding")), words.OWN_WORDS),
    )


def gist(result: Result) -> str:
    """Return the number of options left, and the objectives between which the choice lies."""
    analysis = result.so_far.analysis
    if analysis is None:
        return words.GIST_UNRATED
    heart = analysis.headline
    return words.joined(
        [
            words.GIST_LEFT.format(aside=len(analysis.dominance.dominated), left=len(analysis.dominance.left)),
            words.GIST_HEART.format(one=result.label(heart.one), other=result.label(heart.other)) if heart else "",
        ],
        " · ",
    )


def _findings(result: Result, analysis: Analysis) -> tuple[Section | None, ...]:
    return (
        prose(words.NOT_FINAL if analysis.missing else ""),
        analysis_parts.set_aside(result, analysis),
        analysis_parts.kept(result, analysis),
        analysis_parts.possible(result, analysis),
        analysis_parts.ties(result, analysis),
        analysis_parts.beaten_today(result, analysis),
        analysis_parts.irrelevant(result),
        prose(words.NOTHING_SEPARATES if analysis.nothing_separates else ""),
        analysis_parts.same_patterns(result, analysis),
        analysis_parts.each_option(result, analysis),
        analysis_parts.heart(result, analysis),
        analysis_parts.pairs(result, analysis),
        analysis_parts.practical(result, analysis),
        analysis_parts.give_ups(result, analysis),
        what_if(result, analysis),
    )


def _swings(result: Result) -> Listing | None:
    """List people's swing points, the values that follow from them, and the changes that would turn the result."""
    given = [result.of(each["objective_id"], _swing(each)) for each in result.all("swing_weights[]")]
    by_points = result.so_far.weighed_by(result.draft) if given else None
    if by_points is None:
        return listing(words.SWINGS, given)
    ranked = sorted(by_points.values, key=lambda each: -each.points)
    values = [f"{result.label(each.alternative)} {words.amount(each.points)}" for each in ranked]
    turning = [
        Item(
            text=words.BREAK_EVEN.format(
                to=result.label(each.to), objective=result.label(each.objective), points=words.amount(each.points)
            )
        )
        for each in by_points.break_evens
    ]
    return listing(
        words.SWINGS, (*given, Item(text=words.BY_POINTS.format(values=words.some(values))), *at_most(turning))
    )


def _swing(each: Mapping[str, Any]) -> str:
    if "worst" not in each or "best" not in each:
        return words.SWING.format(points=each["points"])
    return words.SWING_RANGE.format(
        points=each["points"], worst=words.signed(each["worst"]), best=words.signed(each["best"])
    )


def _swaps(result: Result) -> Listing | None:
    """List the amounts that people would pay, with their reasons."""
    return listing(
        words.SWAPS,
        (
            result.of(
                each["alternative_id"],
                words.SWAP.format(improved=_change(result, each["improve"]), paid=_change(result, each["pay_with"])),
                each.get("rationale", ""),
            )
            for each in result.all("even_swaps[]")
        ),
    )


def _change(result: Result, each: Mapping[str, Any]) -> str:
    start, end = words.amount(each["from"]), words.amount(each["to"])
    return words.CHANGED.format(objective=result.label(each["objective_id"]), start=start, end=end)
