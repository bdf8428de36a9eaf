"""Gains and losses among the options left: in steps, and never added up to a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Final

from app.core.sheet import Facts, Item, Listing, Mark, Prose
from app.decision.analysis import Analysis
from app.decision.conflict import Pair, PracticalDominance, Tension
from app.decision.ratings import Steps
from app.decision.sheets import words
from app.decision.sheets.result import Result, at_most, listing, prose, told

PAIRS: Final = 6
"""All pairs of four options. If there are more, pairs with a leading option come first."""


def each_option(result: Result, analysis: Analysis) -> Listing | None:
    """List the gains and losses of each option left."""
    return listing(words.EACH_OPTION, (_tension(result, analysis, each) for each in analysis.tensions))


def pairs(result: Result, analysis: Analysis) -> Listing | None:
    """List the gains and costs of one option against another; the one with the larger sum comes first."""
    sums = {score.alternative: score.net or 0 for score in analysis.scores}
    turned = [each.turned if sums[each.other] > sums[each.one] else each for each in analysis.pairs]
    turned.sort(key=lambda each: -sums[each.one])
    found = [_pair(result, each) for each in turned if each.better or each.worse]
    return listing(words.PAIRS, at_most(found, PAIRS))


def heart(result: Result, analysis: Analysis) -> Prose | None:
    """Return the two objectives that are most often opposed, with people's words on them."""
    found = analysis.headline
    if found is None:
        return None
    opposed = words.CONFLICT.format(
        one=result.label(found.one),
        other=result.label(found.other),
        opposed=found.discordant,
        pairs=comb(len(analysis.dominance.left), 2),
    )
    return prose(words.joined([opposed, result.text("headline_conflict.statement")], " "), words.HEART)


def practical(result: Result, analysis: Analysis) -> Listing | None:
    """List pairs where one step stands against a large gain: a question, never a finding."""
    return listing(words.WORTH_IT, at_most([_question(result, each) for each in analysis.practical_dominance]))


def give_ups(result: Result, analysis: Analysis) -> Facts | None:
    """Return the options with the smallest largest and the smallest total regret, which may differ."""
    regrets = {each.alternative: each for each in analysis.regrets.each}
    if not regrets:
        return None
    worst, total = analysis.regrets.smallest_worst, analysis.regrets.smallest_total
    return Facts(
        title=words.GIVE_UPS,
        rows=(
            (words.SMALLEST_WORST, _in_steps(result, worst, regrets[worst[0]].worst)),
            (words.SMALLEST_TOTAL, _in_steps(result, total, regrets[total[0]].total)),
        ),
    )


def _tension(result: Result, analysis: Analysis, each: Tension) -> Item:
    said = result.row("tensions[]", alternative_id=each.alternative)
    return result.of(
        each.alternative,
        words.GAINS.format(objectives=result.labels(each.gains)) if each.gains else "",
        words.GIVES_UP.format(objectives=result.labels(each.losses)) if each.losses else "",
        words.ALL_ROUNDER if each.all_rounder else "",
        words.ONLY_ONE if len(analysis.tensions) == 1 else "",
        said.get("statement", ""),
        marks=(Mark.BASELINE,) if each.alternative == result.so_far.compared_with else (),
    )


def _pair(result: Result, each: Pair) -> Item:
    return Item(
        text=words.INSTEAD.format(one=result.label(each.one), other=result.label(each.other)),
        notes=told([_steps(result, each.better), _steps(result, each.worse)]),
    )


def _question(result: Result, each: PracticalDominance) -> Item:
    said = result.row("practical_dominance[]", alternative_id=each.alternative, by=each.by)
    beaten, by = result.label(each.alternative), result.label(each.by)
    return Item(
        text=words.ONE_STEP.format(alternative=beaten, by=by, objective=result.label(each.gives_up.objective)),
        notes=told(
            [
                words.BRINGS.format(by=by, gains=_steps(result, each.gains), alternative=beaten),
                words.joined([words.VERDICTS.get(said.get("user_verdict", ""), ""), said.get("reason", "")], " "),
            ]
        ),
    )


def _steps(result: Result, found: Iterable[Steps]) -> str:
    return ", ".join(f"{words.signed(each.steps)} {result.label(each.objective)}" for each in found)


def _in_steps(result: Result, options: tuple[str, ...], steps: int) -> str:
    return words.STEPS_OF.format(options=result.labels(options), steps=words.counted(steps, words.STEP))
