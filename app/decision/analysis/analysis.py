"""Analysis of the ratings alone, in display order, and whether an alternative stands out.

Dominated alternatives are set aside before the others are weighed against each other. The same table always gives the
same analysis, so it is computed when needed and never stored. The module holds no text; the decision is the person's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from app.decision.analysis.conflict import (
    Conflict,
    Pair,
    PracticalDominance,
    Tension,
    find_headline,
    find_practical_dominance,
    find_tensions,
    list_as_opposed,
    list_pairs,
)
from app.decision.analysis.dominance import NO_AMOUNTS, Dominance, find_dominance
from app.decision.analysis.measures import MeasuredTable
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
from app.decision.analysis.standing.lead import LeadCheck, Worth, check_lead
from app.decision.analysis.standing.verdicts import NONE_GIVEN, Verdicts, list_dropped, list_given_up, list_left_out
from app.decision.analysis.swing import Swing, WeighedTable, find_swings
from app.decision.analysis.variation import Irrelevant, find_irrelevant, group_patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Findings of one table.

    From `irrelevant` on, all fields except `scores`, `leaders` and `sensitivity` leave out the alternatives that were
    set aside.
    """

    table: RatingTable
    """The ratings that count."""
    left_out: tuple[str, ...]
    """The objectives that people left out. Nothing else here regards them."""
    dropped: tuple[str, ...]
    """The alternatives that people left out. Nothing else here regards them."""
    missing: tuple[At, ...]
    """Cells without a rating. The findings are final only if there are none.

    Ratings that nobody knows are not among them. Only sums, leaders and swings count the step that holds their place.
    """
    dominance: Dominance
    irrelevant: tuple[Irrelevant, ...]
    nothing_separates: bool
    """True if all objectives are irrelevant, which means that an objective is missing."""
    same_patterns: tuple[tuple[str, ...], ...]
    scores: tuple[Score, ...]
    leaders: tuple[str, ...]
    leaders_counted_once: tuple[str, ...]
    tensions: tuple[Tension, ...]
    given_up: tuple[str, ...]
    """The alternatives left that people gave up for one that is ahead by far.

    What follows leaves them out, but for `practical_dominance` and `swings`.
    """
    contending: tuple[Tension, ...]
    """The tensions of the other alternatives left among themselves."""
    pairs: tuple[Pair, ...]
    contenders: tuple[str, ...]
    """The alternatives left that people may well take; `headline` regards no others."""
    headline: Conflict | None
    as_opposed: tuple[Conflict, ...]
    """Those that oppose as many pairs of the contenders as `headline`, or more."""
    practical_dominance: tuple[PracticalDominance, ...]
    swings: tuple[Swing, ...]
    regrets: Regrets
    sensitivity: Sensitivity

    @property
    def compared(self) -> tuple[str, ...]:
        """Return the alternatives that are weighed against each other: those left, without those given up."""
        return tuple(each.alternative for each in self.contending)

    @property
    def left(self) -> RatingTable:
        """Return the ratings of the alternatives left."""
        return self.table.among(self.dominance.left)

    @property
    def included(self) -> RatingTable:
        """Return the ratings without the alternatives that are `excluded`."""
        return self.table.without(self.excluded)

    @property
    def excluded(self) -> tuple[str, ...]:
        """Return the alternatives that people took out of the comparison in words. Those that ratings beat stay."""
        return (*self.dropped, *self.given_up, *self.dominance.set_aside)

    @property
    def open_ones(self) -> tuple[str, ...]:
        """Return the dominated alternatives that ranges may bring back: none still compared surely dominates them."""
        out = {*self.excluded}
        beaten = (each for each in self.dominance.dominated if out.issuperset(each.certain_by))
        return tuple(each.alternative for each in beaten if each.alternative not in out)

    def list_tensions(self) -> tuple[Tension, ...]:
        """Return the tension of each alternative left: of one that was given up against all, else as contending."""
        return tuple({each.alternative: each for each in (*self.tensions, *self.contending)}.values())


class StandoutRule(StrEnum):
    """Reason why an alternative stands out."""

    ONLY_ONE_LEFT = "only_one_left"
    LEADS = "leads"
    """Ahead by sum, by value if there are points for all swings, and after any single doubtful rating moves."""


@dataclass(frozen=True, slots=True)
class Standout:
    """An alternative that may be named first, with the arguments that must be named beside it."""

    alternative: str
    rule: StandoutRule
    weakest_on: tuple[str, ...]
    """The best argument against it: objectives where it alone is the worst of the alternatives left."""
    among_weakest_on: tuple[str, ...]
    """Objectives where it is the worst together with others."""
    other_readings: tuple[str, ...]
    """The other alternatives with the smallest worst give-up."""
    is_level: bool
    """True if its own worst give-up is as small as theirs."""
    by_value: bool
    """True if it leads by people's points too."""
    rivals: tuple[str, ...]
    """Alternatives that could draw level or lead if all the given ranges count together."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Who stands out, or what keeps the leader from it."""

    standout: Standout | None
    shaken_by: tuple[At, ...] = ()
    """Doubtful ratings that take the lead away alone."""


def analyse(table: RatingTable, measured: MeasuredTable = NO_AMOUNTS, verdicts: Verdicts = NONE_GIVEN) -> Analysis:
    """Compute all findings, as people's verdicts have them weighed. A table has at most 50 × 50 cells."""
    whole, table = table, select_counting(table, verdicts)
    measured = measured.regarding(table.objectives)
    known = table.known
    compared = find_dominance(known, measured, verdicts)
    left = known.among(compared.left)
    found = compute_scores(table)
    without = find_irrelevant(known, left)
    practical = find_practical_dominance(left)
    given_up = list_given_up(practical, verdicts)
    counting = tuple(each for each in found if each.alternative not in compared.set_aside)
    leaders = find_leaders(compute_nets(counting))
    weighed = left.without(given_up)
    contenders, headline = _find_heart(left, given_up, leaders)
    return Analysis(
        table=table,
        left_out=tuple(each for each in whole.objectives if each not in table.objectives),
        dropped=tuple(each for each in whole.alternatives if each not in table.alternatives),
        missing=table.missing,
        dominance=compared,
        irrelevant=without,
        nothing_separates=len(without) == len(table.objectives),
        same_patterns=group_patterns(left),
        scores=found,
        leaders=leaders,
        leaders_counted_once=find_leaders(compute_nets(count_once(table.among(compared.left)))),
        tensions=find_tensions(left),
        given_up=given_up,
        contending=find_tensions(weighed),
        pairs=list_pairs(weighed),
        contenders=contenders,
        headline=headline,
        as_opposed=list_as_opposed(left.among(contenders), headline) if headline else (),
        practical_dominance=practical,
        swings=find_swings(table.among(compared.left)),
        regrets=compute_regrets(weighed),
        sensitivity=find_sensitivity(table.without(compared.set_aside), measured),
    )


def _find_heart(
    left: RatingTable, given_up: tuple[str, ...], leaders: tuple[str, ...]
) -> tuple[tuple[str, ...], Conflict | None]:
    """Return the alternatives in the running, and the objectives that they oppose most often.

    These are the alternatives left that were not given up. The baseline is among them only if it leads, has one rival
    at most, or if the others oppose nothing.
    """
    found = tuple(each for each in left.alternatives if each not in given_up)
    others = tuple(each for each in found if each != left.baseline or each in leaders)
    headline = find_headline(left.among(others)) if len(others) > 1 else None
    return (others, headline) if headline else (found, find_headline(left.among(found)))


def select_counting(table: RatingTable, verdicts: Verdicts) -> RatingTable:
    """Return the ratings that count: without the objectives and alternatives that people left out."""
    left_out = list_left_out(table, verdicts)
    counted = table.select_columns([each for each in table.objectives if each not in left_out])
    return counted.without(list_dropped(table, verdicts))


def find_standing(analysis: Analysis, weighed: WeighedTable | None = None) -> Standing:
    """Return the alternative that stands out, if one does.

    `weighed` is the value of the alternatives left by the person's swing points, if there are any. An alternative that
    was the only one from the start does not stand out.
    """
    rule, leader = _find_rule(analysis)
    if rule is None:
        return Standing(None)
    table = analysis.included
    worths: list[Worth] = [dict.fromkeys(table.objectives, Fraction(1))]  # of the plain sum
    agreed = weighed is None or weighed.leaders == (leader,)
    if weighed and agreed:
        worths.append(weighed.step_worth)
    checked = check_lead(table, leader, worths)
    if checked.shaken_by or not agreed:
        return Standing(None, checked.shaken_by)
    return Standing(_build_standout(analysis, rule, leader, checked, by_value=weighed is not None))


def _find_rule(analysis: Analysis) -> tuple[StandoutRule | None, str]:
    """Return why an alternative may stand out, and the alternative."""
    dominated, left = analysis.dominance.dominated, analysis.dominance.left
    if len(analysis.scores) > 1 and len(left) == 1 and all(left[0] in each.all_dominators for each in dominated):
        return StandoutRule.ONLY_ONE_LEFT, left[0]
    if len(analysis.scores) > 1 and len(analysis.leaders) == 1:
        return StandoutRule.LEADS, analysis.leaders[0]
    return None, ""


def _build_standout(
    analysis: Analysis, rule: StandoutRule, alternative: str, checked: LeadCheck, *, by_value: bool
) -> Standout:
    tension = next(each for each in analysis.contending if each.alternative == alternative)
    smallest = analysis.regrets.smallest_worst
    return Standout(
        alternative,
        rule,
        weakest_on=tuple(each for each in tension.losses if each not in tension.shared),
        among_weakest_on=tension.shared,
        other_readings=tuple(each for each in smallest if each != alternative),
        is_level=alternative in smallest,
        by_value=by_value,
        rivals=analysis.open_ones if rule is StandoutRule.ONLY_ONE_LEFT else checked.rivals,
    )
