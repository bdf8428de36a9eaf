"""Sections of the analysis: what drops out, what must be given up for what, and how firm the findings are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb
from typing import Final

from app.core.state.sheet import Facts, Item, Listing, Mark, Prose
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Pair, PracticalDominance, Tension
from app.decision.analysis.dominance import Dominated, Possible
from app.decision.analysis.ratings import Steps
from app.decision.analysis.sensitivity import Change, Nudge
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, at_most, listing, prose, told


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
