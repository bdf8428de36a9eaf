"""Analysis of the ratings alone, in display order, and whether an alternative stands out.

Dominated alternatives are set aside before the others are weighed against each other. The same table always gives the
same analysis, so it is computed when needed and never stored. The module holds no text; the decision is the person's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.decision.analysis.conflict import (
    Conflict,
    Pair,
    PracticalDominance,
    Tension,
    find_conflicts,
    find_headline,
    find_practical_dominance,
    find_tensions,
    list_pairs,
)
from app.decision.analysis.dominance import Dominance, find_dominance
from app.decision.analysis.ratings import At, RatingTable
from app.decision.analysis.scores import (
    Regrets,
    Score,
    compute_nets,
    compute_regrets,
    compute_scores,
    count_once,
    find_leaders,
)
from app.decision.analysis.sensitivity import Sensitivity, find_sensitivity
from app.decision.analysis.swing import Swing, WeighedTable, find_swings
from app.decision.analysis.variation import Irrelevant, find_irrelevant, group_patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Findings of one table.

    From `irrelevant` on, all fields except `scores`, `leaders` and `sensitivity` leave out dominated alternatives.
    """

    missing: tuple[At, ...]
    """Cells without a rating. The findings are final only if there are none."""
    dominance: Dominance
    irrelevant: tuple[Irrelevant, ...]
    nothing_separates: bool
    """True if all objectives are irrelevant, which means that an objective is missing."""
    same_patterns: tuple[tuple[str, ...], ...]
    scores: tuple[Score, ...]
    leaders: tuple[str, ...]
    scores_counted_once: tuple[Score, ...]
    leaders_counted_once: tuple[str, ...]
    tensions: tuple[Tension, ...]
    pairs: tuple[Pair, ...]
    conflicts: tuple[Conflict, ...]
    headline: Conflict | None
    practical_dominance: tuple[PracticalDominance, ...]
    swings: tuple[Swing, ...]
    regrets: Regrets
    sensitivity: Sensitivity


class StandoutRule(StrEnum):
    """Reason why an alternative stands out."""

    ONLY_ONE_LEFT = "only_one_left"
    LEADS = "leads"
    """Ahead by sum, by value if there are swing points, and after any doubtful rating moves by one step."""


@dataclass(frozen=True, slots=True)
class Standout:
    """An alternative that may be named first, with the arguments that must be named beside it."""

    alternative: str
    rule: StandoutRule
    weakest_on: tuple[str, ...]
    """The best argument against it: objectives where it is the worst of the alternatives left."""
    other_readings: tuple[str, ...]
    """The alternatives with the smallest worst give-up, if others have it."""


def analyse(table: RatingTable) -> Analysis:
    """Compute all findings. A table has at most 50 × 50 cells."""
    compared = find_dominance(table)
    left = table.among(compared.left)
    found, once = compute_scores(table), count_once(left)
    without = find_irrelevant(table, left)
    return Analysis(
        missing=table.missing,
        dominance=compared,
        irrelevant=without,
        nothing_separates=len(without) == len(table.objectives),
        same_patterns=group_patterns(left),
        scores=found,
        leaders=find_leaders(compute_nets(found)),
        scores_counted_once=once,
        leaders_counted_once=find_leaders(compute_nets(once)),
        tensions=find_tensions(left),
        pairs=list_pairs(left),
        conflicts=find_conflicts(left),
        headline=find_headline(left),
        practical_dominance=find_practical_dominance(left),
        swings=find_swings(left),
        regrets=compute_regrets(left),
        sensitivity=find_sensitivity(table),
    )


def find_standout(analysis: Analysis, weighed: WeighedTable | None = None) -> Standout | None:
    """Return the alternative that stands out, or None if none does.

    `weighed` is the value of the alternatives left by the person's swing points, if there are any. An alternative that
    was the only one from the start does not stand out.
    """
    rule = _find_rule(analysis, weighed)
    if rule is None:
        return None
    alternative = analysis.dominance.left[0] if rule is StandoutRule.ONLY_ONE_LEFT else analysis.leaders[0]
    return Standout(
        alternative,
        rule,
        weakest_on=next(each.losses for each in analysis.tensions if each.alternative == alternative),
        other_readings=tuple(each for each in analysis.regrets.smallest_worst if each != alternative),
    )


def _find_rule(analysis: Analysis, weighed: WeighedTable | None) -> StandoutRule | None:
    if len(analysis.scores) == 1:
        return None
    if len(analysis.dominance.left) == 1:
        return StandoutRule.ONLY_ONE_LEFT
    agreed = weighed is None or weighed.leaders == analysis.leaders
    shaken = any(change.nudge.doubtful for change in analysis.sensitivity.leaders)
    return StandoutRule.LEADS if len(analysis.leaders) == 1 and agreed and not shaken else None
