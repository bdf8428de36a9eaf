"""Sections of the analysis: what drops out, what must be given up for what, and how firm the findings are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb
from typing import Final

from app.core.state.sheet import Facts, Item, Listing, Mark, Prose
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Pair, PracticalDominance, Tension
from app.decision.analysis.dominance import DominatedOption, PossibleDominance
from app.decision.analysis.ratings import Steps
from app.decision.analysis.sensitivity import Change, Nudge
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_listing, build_prose, limit_items, select_notes


def list_set_aside(result: Result, analysis: Analysis) -> Listing | None:
    """List the dominated options, except the status quo and those that people keep."""
    found = [each for each in analysis.dominance.dominated if not _is_exempt(result, each)]
    return build_listing(words.ASIDE, (_build_dominated(result, each, Mark.SET_ASIDE) for each in found))


def list_kept(result: Result, analysis: Analysis) -> Listing | None:
    """List the dominated options that people keep, with their reasons."""
    found = [each for each in analysis.dominance.dominated if _is_kept(result, each)]
    return build_listing(words.KEPT, (_build_dominated(result, each) for each in found))


def describe_beaten_today(result: Result, analysis: Analysis) -> Prose | None:
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
    return build_prose(
        words.join_texts([*told, *(_explain_kept(result, each) for each in found)], " "), words.BEATEN_TODAY
    )


def list_possible(result: Result, analysis: Analysis) -> Listing | None:
    """List the options that may be dominated, depending on missing ratings."""
    return build_listing(
        words.POSSIBLE, limit_items([_build_possible(result, each) for each in analysis.dominance.possible])
    )


def list_ties(result: Result, analysis: Analysis) -> Listing | None:
    """List options with equal ratings; those like the status quo do not differ from doing nothing."""
    return build_listing(words.TIES, (_build_tie(result, analysis, group) for group in analysis.dominance.ties))


def list_irrelevant(result: Result) -> Listing | None:
    """List objectives on which the options do not differ, and those that people leave out themselves."""
    reasons = {each["objective_id"]: each["reason"] for each in result.all("irrelevant_objectives[]")}
    return build_listing(words.IRRELEVANT, (result.of(handle, reason) for handle, reason in reasons.items()))


def list_same_patterns(result: Result, analysis: Analysis) -> Listing | None:
    """List objectives that are rated alike, and say if the sum leads elsewhere when they count once."""
    return build_listing(
        words.ALIKE,
        (
            Item(text=result.labels(group), notes=(words.COUNTED_OFTEN, *_describe_counted_once(result, analysis)))
            for group in analysis.same_patterns
        ),
    )


def _is_kept(result: Result, each: DominatedOption) -> bool:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    return said.get("user_verdict") == "keep" and each.alternative != result.so_far.compared_with


def _explain_kept(result: Result, each: DominatedOption) -> str:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    return words.YOU_KEEP.format(reason=said["reason"]) if "reason" in said else ""


def _is_exempt(result: Result, each: DominatedOption) -> bool:
    return each.alternative == result.so_far.compared_with or _is_kept(result, each)


def _build_dominated(result: Result, each: DominatedOption, *marks: Mark) -> Item:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    return result.of(
        each.alternative,
        words.AS_GOOD.format(by=result.label(each.dominated_by), better=result.labels(each.better_on)),
        "" if each.robust else words.NOT_ROBUST,
        said.get("explanation", ""),
        _explain_kept(result, each),
        marks=marks,
    )


def _build_possible(result: Result, each: PossibleDominance) -> Item:
    cells = [words.RATING_OF.format(alternative=result.label(at[0]), objective=result.label(at[1])) for at in each.fill]
    note = words.COULD_BE.format(by=result.label(each.by), cells=words.join_some(cells))
    return result.of(each.alternative, note, marks=(Mark.GAP,))


def _build_tie(result: Result, analysis: Analysis, group: tuple[str, ...]) -> Item:
    idle = [each for each in group if each in analysis.dominance.like_baseline]
    template = words.LIKE_TODAY if len(idle) == 1 else words.LIKE_TODAY_MANY
    same = template.format(options=result.labels(idle)) if idle else ""
    return Item(text=result.labels(group), notes=tuple(filter(None, (same, words.WHAT_DIFFERS))))


def _describe_counted_once(result: Result, analysis: Analysis) -> tuple[str, ...]:
    before, after = analysis.leaders, analysis.leaders_counted_once
    if not before or not after:
        return ()
    template = words.STILL_LEADS if before == after else words.LEADS_INSTEAD
    return (template.format(leaders=result.labels(after), before=result.labels(before)),)


PAIRS: Final = 6
"""All pairs of four options. If there are more, pairs with a leading option come first."""


def list_options(result: Result, analysis: Analysis) -> Listing | None:
    """List the gains and losses of each option left."""
    return build_listing(words.EACH_OPTION, (_build_tension(result, analysis, each) for each in analysis.tensions))


def list_pairs(result: Result, analysis: Analysis) -> Listing | None:
    """List the gains and costs of one option against another; the one with the larger sum comes first."""
    sums = {score.alternative: score.net or 0 for score in analysis.scores}
    turned = [each.turned if sums[each.other] > sums[each.one] else each for each in analysis.pairs]
    turned.sort(key=lambda each: -sums[each.one])
    found = [_build_pair(result, each) for each in turned if each.better or each.worse]
    return build_listing(words.PAIRS, limit_items(found, PAIRS))


def describe_heart(result: Result, analysis: Analysis) -> Prose | None:
    """Return people's words on the heart of the decision, and the objectives that the ratings oppose most often."""
    found, said = analysis.headline, result.text("headline_conflict.statement")
    if of_then := result.text("headline_conflict.said_of.objectives"):
        said = words.SAID_OF.format(said=said, objectives=of_then)
    if found is None:
        return build_prose(said, words.HEART)
    opposed = words.CONFLICT.format(
        one=result.label(found.one),
        other=result.label(found.other),
        opposed=found.discordant,
        pairs=comb(len(analysis.dominance.left), 2),
    )
    return build_prose(words.join_texts([said, opposed], "\n"), words.HEART)


def describe_conflict(result: Result, analysis: Analysis) -> str:
    """Return the two objectives that are most often opposed, in a line; empty if there are none."""
    found = analysis.headline
    return words.BY_RATINGS.format(one=result.label(found.one), other=result.label(found.other)) if found else ""


def list_practical(result: Result, analysis: Analysis) -> Listing | None:
    """List pairs where one step stands against a large gain: a question, never a finding."""
    return build_listing(
        words.WORTH_IT, limit_items([_build_question(result, each) for each in analysis.practical_dominance])
    )


def list_give_ups(result: Result, analysis: Analysis) -> Facts | None:
    """Return the options with the smallest largest and the smallest total regret, which may differ."""
    regrets = {each.alternative: each for each in analysis.regrets.each}
    if not regrets:
        return None
    worst, total = analysis.regrets.smallest_worst, analysis.regrets.smallest_total
    return Facts(
        title=words.GIVE_UPS,
        rows=(
            (words.SMALLEST_WORST, _describe_in_steps(result, worst, regrets[worst[0]].worst)),
            (words.SMALLEST_TOTAL, _describe_in_steps(result, total, regrets[total[0]].total)),
        ),
    )


def _build_tension(result: Result, analysis: Analysis, each: Tension) -> Item:
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


def _build_pair(result: Result, each: Pair) -> Item:
    return Item(
        text=words.INSTEAD.format(one=result.label(each.one), other=result.label(each.other)),
        notes=select_notes([_describe_steps(result, each.better), _describe_steps(result, each.worse)]),
    )


def _build_question(result: Result, each: PracticalDominance) -> Item:
    said = result.row("practical_dominance[]", alternative_id=each.alternative, by=each.by)
    beaten, by = result.label(each.alternative), result.label(each.by)
    return Item(
        text=words.ONE_STEP.format(alternative=beaten, by=by, objective=result.label(each.gives_up.objective)),
        notes=select_notes(
            [
                words.BRINGS.format(by=by, gains=_describe_steps(result, each.gains), alternative=beaten),
                words.join_texts([words.VERDICTS.get(said.get("user_verdict", ""), ""), said.get("reason", "")], " "),
            ]
        ),
    )


def _describe_steps(result: Result, found: Iterable[Steps]) -> str:
    return ", ".join(f"{words.format_signed(each.steps)} {result.label(each.objective)}" for each in found)


def _describe_in_steps(result: Result, options: tuple[str, ...], steps: int) -> str:
    return words.STEPS_OF.format(options=result.labels(options), steps=words.count_noun(steps, words.STEP))


def list_changes(result: Result, analysis: Analysis) -> Listing | None:
    """Return the most important changes and the number of others; None while ratings are missing."""
    if analysis.missing:
        return None
    leads = [_build_item(result, each.nudge, [_describe_lead(result, each)]) for each in analysis.sensitivity.leaders]
    aside = [
        _build_item(result, each.nudge, list(_list_moves(result, analysis, each)))
        for each in sorted(analysis.sensitivity.dominated, key=lambda each: _rank_change(analysis, each))
    ]
    firm = [] if leads or not aside or len(analysis.leaders) != 1 else [_build_lead_stays(result, analysis)]
    nothing = words.NOTHING_CHANGES.format(rating=words.RATING[analysis.sensitivity.doubtful_only])
    return build_listing(words.WHAT_IF, (*firm, *limit_items([*leads, *aside])), nothing)


def _rank_change(analysis: Analysis, change: Change) -> tuple[bool, bool, bool]:
    """Return the sort key of a change; equal ones keep their order."""
    touches = bool(set(change.after) & set(analysis.dominance.left))
    improves = change.nudge.to > change.nudge.rating
    return not (touches and improves), not touches, not change.nudge.doubtful


def _build_item(result: Result, nudge: Nudge, notes: list[str]) -> Item:
    moved = words.MOVED.format(
        alternative=result.label(nudge.alternative),
        objective=result.label(nudge.objective),
        to=words.format_signed(nudge.to),
        rating=words.format_signed(nudge.rating),
    )
    return Item(text=moved, notes=(*notes, *([words.YOU_DOUBT_IT] if nudge.doubtful else [])))


def _describe_lead(result: Result, change: Change) -> str:
    template = words.WOULD_LEAD if len(change.after) == 1 else words.WOULD_TIE
    return template.format(options=result.labels(change.after))


def _build_lead_stays(result: Result, analysis: Analysis) -> Item:
    tried = words.RATING[analysis.sensitivity.doubtful_only]
    return Item(text=words.LEAD_STAYS.format(leaders=result.labels(analysis.leaders), rating=tried))


def _list_moves(result: Result, analysis: Analysis, change: Change) -> Iterator[str]:
    before = [each.alternative for each in analysis.dominance.dominated]
    fresh = [each for each in change.after if each not in before]
    if result.so_far.compared_with in fresh:
        yield words.WOULD_BEAT_TODAY.format(baseline=result.labels([result.so_far.compared_with]))
    if gone := [each for each in fresh if each != result.so_far.compared_with]:
        yield words.WOULD_GO.format(options=result.labels(gone))
    if back := [each for each in before if each not in change.after]:
        yield words.WOULD_RETURN.format(options=result.labels(back))
