"""Presenter of tradeoffs: first the options that drop out, then those to weigh, and last people's verdicts.

The findings are computed anew by the analysis; the draft adds people's words on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.core.state.sheet import Item, Listing, Section
from app.decision.analysis.analysis import Analysis
from app.decision.drafts.computed_tradeoffs import compute_findings, remove_outdated
from app.decision.layout.parts import analysis_parts, words
from app.decision.layout.parts.analysis_parts import list_changes
from app.decision.layout.parts.result import (
    Result,
    build_line,
    build_listing,
    build_prose,
    limit_items,
    select_sections,
)


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the whole tradeoff."""
    analysis = result.so_far.analysis
    if analysis:  # people's words on former findings are not shown with current ones
        draft = remove_outdated(result.draft, result.so_far)
        result = replace(result, draft={**draft, "headline_conflict": {}, **compute_findings(draft, analysis)})
    return select_sections(
        analysis_parts.describe_heart(result, analysis) if analysis else None,
        build_prose(words.quote_text(result.text("user_understanding")), words.OWN_WORDS),
        *(_build_findings(result, analysis) if analysis else (build_prose(words.NO_RATINGS),)),
        _list_swings(result),
        _list_swaps(result),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return people's heart of the decision beside that of the ratings, what drops out, what is left, and who leads."""
    analysis = result.so_far.analysis
    if analysis is None:
        return (words.NO_RATINGS,)
    kept = [
        each["alternative_id"] for each in result.all("dominated_alternatives[]") if each.get("user_verdict") == "keep"
    ]
    aside = [each.alternative for each in analysis.dominance.dominated if each.alternative not in kept]
    level = words.LEADS if len(analysis.leaders) == 1 else words.LEVEL
    return (
        build_line(words.HEART, result.text("headline_conflict.statement")),
        analysis_parts.describe_conflict(result, analysis),
        words.NOT_FINAL if analysis.missing else "",
        build_line(words.ASIDE, result.few(aside, words.FEW)),
        build_line(words.LEFT, result.few(analysis.dominance.left)),
        build_line(level, result.few(analysis.leaders, words.FEW)),
    )


def write_gist(result: Result) -> str:
    """Return the number of options left, and the objectives between which the choice lies."""
    analysis = result.so_far.analysis
    if analysis is None:
        return words.GIST_UNRATED
    heart = analysis.headline
    return words.join_texts(
        [
            _count_left(result, analysis),
            words.GIST_HEART.format(one=result.label(heart.one), other=result.label(heart.other)) if heart else "",
        ],
        " · ",
    )


def _count_left(result: Result, analysis: Analysis) -> str:
    """Return how many options drop out and how many are left; the status quo is counted beside them."""
    baseline = result.so_far.compared_with
    aside = [each.alternative for each in analysis.dominance.dominated if each.alternative != baseline]
    left = [each for each in analysis.dominance.left if each != baseline]
    form = words.GIST_LEFT_TODAY if baseline in analysis.dominance.left else words.GIST_LEFT
    return form.format(aside=len(aside), left=len(left))


def _build_findings(result: Result, analysis: Analysis) -> tuple[Section | None, ...]:
    return (
        build_prose(words.NOT_FINAL if analysis.missing else ""),
        analysis_parts.list_set_aside(result, analysis),
        analysis_parts.list_kept(result, analysis),
        analysis_parts.list_possible(result, analysis),
        analysis_parts.list_ties(result, analysis),
        analysis_parts.describe_beaten_today(result, analysis),
        analysis_parts.list_irrelevant(result),
        build_prose(words.NOTHING_SEPARATES if analysis.nothing_separates else ""),
        analysis_parts.list_same_patterns(result, analysis),
        analysis_parts.list_options(result, analysis),
        analysis_parts.list_pairs(result, analysis),
        analysis_parts.list_practical(result, analysis),
        analysis_parts.list_give_ups(result, analysis),
        list_changes(result, analysis),
    )


def _list_swings(result: Result) -> Listing | None:
    """List people's swing points, the values that follow from them, and the changes that would turn the result."""
    given = [result.of(each["objective_id"], _describe_swing(each)) for each in result.all("swing_weights[]")]
    by_points = result.so_far.weighed_by(result.draft) if given else None
    if by_points is None:
        return build_listing(words.SWINGS, given)
    ranked = sorted(by_points.values, key=lambda each: -each.points)
    values = [f"{result.label(each.alternative)} {words.format_amount(each.points)}" for each in ranked]
    turning = [
        Item(
            text=words.BREAK_EVEN.format(
                to=result.label(each.to),
                objective=result.label(each.objective),
                points=words.format_amount(each.points),
            )
        )
        for each in by_points.break_evens
    ]
    return build_listing(
        words.SWINGS, (*given, Item(text=words.BY_POINTS.format(values=words.join_some(values))), *limit_items(turning))
    )


def _describe_swing(each: Mapping[str, Any]) -> str:
    if "worst" not in each or "best" not in each:
        return words.SWING.format(points=each["points"])
    return words.SWING_RANGE.format(
        points=each["points"], worst=words.format_signed(each["worst"]), best=words.format_signed(each["best"])
    )


def _list_swaps(result: Result) -> Listing | None:
    """List the amounts that people would pay, with their reasons."""
    return build_listing(
        words.SWAPS,
        (
            result.of(
                each["alternative_id"],
                words.SWAP.format(
                    improved=_describe_change(result, each["improve"]), paid=_describe_change(result, each["pay_with"])
                ),
                each.get("rationale", ""),
            )
            for each in result.all("even_swaps[]")
        ),
    )


def _describe_change(result: Result, each: Mapping[str, Any]) -> str:
    start, end = words.format_amount(each["from"]), words.format_amount(each["to"])
    return words.CHANGED.format(objective=result.label(each["objective_id"]), start=start, end=end)
