"""What a rating one step higher or lower would bring about: another leader, or another option that drops out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final

from app.core.state.sheet import Item, Listing
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.sensitivity import Change, Nudge
from app.decision.layout.parts import words
from app.decision.layout.parts.result import DETAILED, Result, build_listing, limit_items
from app.decision.schema.terms import format_signed

WOULD_BE_BEATEN: Final = "{options}, which you have set aside, would be beaten everywhere, with any one of these"
NOTHING_CHANGES: Final = MappingProxyType(
    {
        False: "No {rating} of an option left, moved by one step, changes who leads on the plain sum or sets another "
        "aside.",
        True: "Within the ranges you gave, no {rating} of an option left, moved by one step, changes who leads on the "
        "plain sum or sets another aside.",
    }
)
LEAD_STAYS: Final = MappingProxyType(
    {
        False: "{leaders} leads on the plain sum whichever {rating} is off by one step.",
        True: "Within the ranges you gave, {leaders} leads on the plain sum whichever {rating} is off by one step.",
    }
)
"""Both where all steps on the scale were tried (False), and where a range kept some from it (True)."""
BY_BOTH: Final = "{effect}"
BY_RATINGS_ALONE: Final = "If ratings counted and amounts did not: {effect}"


def list_changes(result: Result, analysis: Analysis) -> Listing | None:
    """Return what one step would bring about, each with the ratings that would; None while ratings are missing.

    Other leaders come first. Options that are set aside are left out, unless they would come to lead.
    """
    if analysis.missing:
        return None
    found = analysis.sensitivity
    leads = _group_moves(result, ((_describe_lead(result, each), each.nudge) for each in found.leaders))
    aside = _group_moves(
        result,
        (
            (form.format(effect=effect), each.nudge)
            for form, changes in ((BY_BOTH, found.dominated), (BY_RATINGS_ALONE, found.denied))
            for each in changes
            if each.nudge.alternative in analysis.dominance.left
            for effect in _list_effects(result, analysis, each)
        ),
    )
    firm = [] if leads or not aside or len(analysis.leaders) != 1 else [_build_lead_stays(result, analysis)]
    nothing = NOTHING_CHANGES[found.in_ranges].format(rating=words.RATING[found.doubtful_only])
    return build_listing(words.WHAT_IF, (*firm, *limit_items([*leads, *aside])), nothing)


def _group_moves(result: Result, changes: Iterable[tuple[str, Nudge]]) -> list[Item]:
    """Return an item for each effect, with the moves that have it; doubtful ratings come first in both."""
    moves: dict[str, list[str]] = {}
    for effect, nudge in changes:
        moves.setdefault(effect, []).append(_describe_move(result, nudge))
    return [Item(text=effect, notes=words.cut_list(found, DETAILED)) for effect, found in moves.items()]


def _describe_move(result: Result, nudge: Nudge) -> str:
    return words.MOVED[nudge.doubtful].format(
        alternative=result.label(nudge.alternative),
        objective=result.label(nudge.objective),
        to=format_signed(nudge.to),
        rating=format_signed(nudge.rating),
    )


def _describe_lead(result: Result, change: Change) -> str:
    return words.WOULD_LEAD[len(change.after) != 1].format(options=result.labels(change.after))


def _build_lead_stays(result: Result, analysis: Analysis) -> Item:
    tried = words.RATING[analysis.sensitivity.doubtful_only]
    told = LEAD_STAYS[analysis.sensitivity.in_ranges]
    return Item(text=told.format(leaders=result.labels(analysis.leaders), rating=tried))


def _list_effects(result: Result, analysis: Analysis, change: Change) -> Iterator[str]:
    """Yield what happens to options left that nothing dominates: the status quo is beaten, or others drop out."""
    beaten = {each.alternative for each in analysis.dominance.dominated}
    fresh = [each for each in change.after if each in analysis.dominance.left and each not in beaten]
    if result.so_far.compared_with in fresh:
        yield words.WOULD_BEAT_STATUS_QUO.format(baseline=result.labels([result.so_far.compared_with]))
    others = [each for each in fresh if each != result.so_far.compared_with]
    if gone := [each for each in others if each not in analysis.given_up]:
        yield words.WOULD_GO.format(options=result.labels(gone))
    if given_up := [each for each in others if each in analysis.given_up]:
        yield WOULD_BE_BEATEN.format(options=result.labels(given_up))
