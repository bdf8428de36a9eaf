"""Firmness of the findings: changes if a single rating moves by one step.

Changes to an option still in the running come first, and improvements before other changes. If an option that was set
aside returns, that is mostly no news. Next come the ratings that people doubt.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.core.sheet import Item, Listing
from app.decision.analysis import Analysis
from app.decision.sensitivity import Change, Nudge
from app.decision.sheets import words
from app.decision.sheets.result import Result, at_most, listing


def what_if(result: Result, analysis: Analysis) -> Listing | None:
    """Return the most important changes and the number of others; None while ratings are missing."""
    if analysis.missing:
        return None
    leads = [_item(result, each.nudge, [_lead(result, each)]) for each in analysis.sensitivity.leaders]
    aside = [
        _item(result, each.nudge, list(_moves(result, analysis, each)))
        for each in sorted(analysis.sensitivity.dominated, key=lambda each: _news(analysis, each))
    ]
    firm = [] if leads or not aside or len(analysis.leaders) != 1 else [_lead_stays(result, analysis)]
    nothing = words.NOTHING_CHANGES.format(rating=words.RATING[analysis.sensitivity.doubtful_only])
    return listing(words.WHAT_IF, (*firm, *at_most([*leads, *aside])), nothing)


def _news(analysis: Analysis, change: Change) -> tuple[bool, bool, bool]:
    """Return the sort key of a change; equal ones keep their order."""
    touches = bool(set(change.after) & set(analysis.dominance.left))
    improves = change.nudge.to > change.nudge.rating
    return not (touches and improves), not touches, not change.nudge.doubtful


def _item(result: Result, nudge: Nudge, notes: list[str]) -> Item:
    moved = words.MOVED.format(
        alternative=result.label(nudge.alternative),
        objective=result.label(nudge.objective),
        to=words.signed(nudge.to),
        rating=words.signed(nudge.rating),
    )
    return Item(text=moved, notes=(*notes, *([words.YOU_DOUBT_IT] if nudge.doubtful else [])))


def _lead(result: Result, change: Change) -> str:
    template = words.WOULD_LEAD if len(change.after) == 1 else words.WOULD_TIE
    return template.format(options=result.labels(change.after))


def _lead_stays(result: Result, analysis: Analysis) -> Item:
    tried = words.RATING[analysis.sensitivity.doubtful_only]
    return Item(text=words.LEAD_STAYS.format(leaders=result.labels(analysis.leaders), rating=tried))


def _moves(result: Result, analysis: Analysis, change: Change) -> Iterator[str]:
    before = [each.alternative for each in analysis.dominance.dominated]
    fresh = [each for each in change.after if each not in before]
    if result.so_far.compared_with in fresh:
        yield words.WOULD_BEAT_TODAY.format(baseline=result.labels([result.so_far.compared_with]))
    if gone := [each for each in fresh if each != result.so_far.compared_with]:
        yield words.WOULD_GO.format(options=result.labels(gone))
    if back := [each for each in before if each not in change.after]:
        yield words.WOULD_RETURN.format(options=result.labels(back))
