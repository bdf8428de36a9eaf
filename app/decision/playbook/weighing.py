"""What the model is told for weighing: the swings to ask points for, and the next even swap, both in amounts."""

from __future__ import annotations

from functools import cmp_to_key
from itertools import permutations
from typing import Final

from app.decision.analysis.analysis import Analysis
from app.decision.analysis.swing import Swing
from app.decision.layout.parts.result import build_line, select_notes
from app.decision.layout.parts.standing_parts import rank_by_points
from app.decision.layout.parts.words import BY_YOUR_POINTS
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.decision.schema.terms import format_amount, format_signed
from app.decision.tracing.figure_forms import MONEY
from app.decision.tracing.figures import read_figures

SWINGS: Final = (
    "Swings for points: ask which of these changes matters most: it gets 100. Then ask what each other one is worth "
    "beside it, one at a time, with its amounts."
)
SWING: Final = "- {objective}: from {worst} to {best}"
POINTS: Final = "{swing} ({points} points)"
STEPS: Final = "{rating} on the scale"
SWAP: Final = (
    "Next even swap, if people want one: {one} has {own} on {level}, {other} has {theirs}. Ask: what would {theirs} "
    "instead of {own} be worth to you, in {unit}? On {paid}, {one} has {now}. Note the swap from these amounts."
)


def describe_weighing(draft: Draft, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return what there is to weigh; empty without ratings, or if fewer than two objectives vary."""
    analysis = so_far.analyse_by(draft)
    if analysis is None or len(analysis.swings) < 2:
        return ()
    swap = _describe_swap(draft, so_far, analysis)
    return (*_describe_swings(draft, so_far, analysis), *([swap] if swap else []))


def _describe_swings(draft: Draft, so_far: DecisionRecord, analysis: Analysis) -> tuple[str, ...]:
    given = so_far.select_points(draft)
    rows = [
        POINTS.format(swing=row, points=given[each.objective]) if each.objective in given else row
        for each in sorted(analysis.swings, key=lambda each: -given.get(each.objective, 0))
        for row in [_describe_swing(each, so_far, analysis.dominance.left)]
    ]
    by_points = rank_by_points(so_far, so_far.weigh(draft), str)
    return (SWINGS, *rows, *select_notes([build_line(BY_YOUR_POINTS, by_points)]))


def _describe_swing(swing: Swing, so_far: DecisionRecord, left: tuple[str, ...]) -> str:
    """Return the range in amounts, if all options left have one and their ratings agree, else in steps."""
    amounts = so_far.measured.amounts
    known = [amounts[each, swing.objective] for each in left if (each, swing.objective) in amounts]
    ends = [STEPS.format(rating=format_signed(each)) for each in (swing.worst, swing.best)]
    if len(known) == len(left):
        measure = so_far.measured.measures[swing.objective]
        worst, best = (pick(known, key=cmp_to_key(measure.compare)) for pick in (min, max))
        if worst != best:
            ends = [_name_amount(each, swing.objective, so_far) for each in (worst, best)]
    return SWING.format(objective=swing.objective, worst=ends[0], best=ends[1])


def _describe_swap(draft: Draft, so_far: DecisionRecord, analysis: Analysis) -> str:
    """Return the first pair of options left of which each is better by amount on an objective of its own.

    It is paid in money if possible. Options that people gave up and objectives that they left out are in no pair.
    """
    counting = [each for each in so_far.objectives if each not in analysis.left_out]
    imagined = so_far.imagined_by(draft)
    amounts = imagined.measured.amounts if imagined else so_far.measured.amounts
    measures = so_far.measured.measures
    for one, other in permutations(analysis.compared, 2):
        known = [each for each in counting if (one, each) in amounts and (other, each) in amounts]
        orders = {each: measures[each].compare(amounts[one, each], amounts[other, each]) for each in known}
        worse, better = ([each for each in known if orders[each] * sign > 0] for sign in (-1, 1))
        if worse and better:
            paid = next((each for each in better if _is_money(each, so_far)), better[-1])
            return SWAP.format(
                one=so_far.label(one),
                other=so_far.label(other),
                level=so_far.label(worse[0]),
                own=_name_amount(amounts[one, worse[0]], worse[0], so_far),
                theirs=_name_amount(amounts[other, worse[0]], worse[0], so_far),
                paid=so_far.label(paid),
                unit=so_far.name_unit(paid) or so_far.label(paid),
                now=_name_amount(amounts[one, paid], paid, so_far),
            )
    return ""


def _name_amount(amount: float, objective: str, so_far: DecisionRecord) -> str:
    return format_amount(amount, so_far.name_unit(objective))


def _is_money(objective: str, so_far: DecisionRecord) -> bool:
    figures = read_figures(f"1 {so_far.name_unit(objective)}")
    return any(amount.unit == MONEY for figure in figures for amount in figure.amounts)
