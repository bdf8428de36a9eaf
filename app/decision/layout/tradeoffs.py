"""Presenter of tradeoffs: first the options that drop out, then those to weigh, and last people's verdicts.

The findings are computed anew by the analysis; the draft adds people's words on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from app.core.state.sheet import Item, Listing, Prose, Section
from app.core.text.labels import join_words
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.swing import BreakEven, WeighedTable
from app.decision.drafts.computed_tradeoffs import assign_points, compute_findings, remove_outdated
from app.decision.layout.parts import words
from app.decision.layout.parts.findings import aside_parts, gain_parts
from app.decision.layout.parts.findings.change_parts import list_changes
from app.decision.layout.parts.findings.contender_parts import (
    describe_conflict,
    describe_heart,
    describe_status_quo,
    name_with_condition,
    part_aside,
    split_aside,
)
from app.decision.layout.parts.firm_parts import list_firmness
from app.decision.layout.parts.limit_parts import (
    describe_beyond,
    describe_noted,
    list_beyond,
    list_beyond_left,
    list_noted,
)
from app.decision.layout.parts.result import (
    Result,
    build_line,
    build_listing,
    build_prose,
    limit_items,
    select_sections,
)
from app.decision.layout.parts.standing_parts import rank_by_points
from app.decision.layout.parts.value_parts import (
    build_imagined,
    build_sums,
    explain_sums,
    list_after_swaps,
    list_reversals,
)
from app.decision.rules.limit_rules import find_beyond
from app.decision.schema.terms import format_change, format_signed

AS_FAR_AS_KNOWN: Final = ", as far as is known"
ASIDE_BY_RATINGS: Final = "beaten by another"
ASIDE_BY_PEOPLE: Final = "you left it out"
ASIDE_AS_NOT_WORTH: Final = "you said: not worth it"


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the whole tradeoff."""
    analysis, firmness = result.so_far.analyse_by(result.draft), result.so_far.firmness_by(result.draft)
    imagined = result.so_far.imagined_by(result.draft)
    if analysis:  # people's words on former findings are not shown with current ones
        draft = remove_outdated(result.draft, result.so_far)
        found = {**compute_findings(draft, analysis), "swing_weights": assign_points(draft, analysis)}
        result = replace(result, draft={**draft, "headline_conflict": {}, **found})
    return select_sections(
        describe_heart(result, analysis) if analysis else None,
        build_prose(result.note("user_understanding"), words.OWN_WORDS),
        *list_beyond(find_beyond(result.so_far), result.label),
        *(_build_findings(result, analysis) if analysis else (build_prose(words.NO_RATINGS),)),
        _list_swings(result),
        _list_swaps(result),
        build_imagined(result, imagined),
        list_after_swaps(result, imagined),
        list_firmness(result, firmness),
        list_changes(result, analysis) if analysis else None,
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the heart of the decision, what drops out, what is left, and who leads."""
    analysis = result.so_far.analyse_by(result.draft)
    if analysis is None:
        return (words.NO_RATINGS,)
    surely, perhaps = split_aside(result.so_far, analysis, result.so_far.firmness_by(result.draft))
    return (
        *_describe_heart(result, analysis),
        _name_former_points(result, analysis),
        _name_gaps(result, analysis),
        *describe_beyond(list_beyond_left(result.so_far, surely), result.short),
        *describe_noted(result.so_far, surely, result.short),
        build_line(words.ASIDE, _name_aside(result, _give_reasons(result, analysis), surely, perhaps)),
        build_line(words.BEATEN_STATUS_QUO, describe_status_quo(analysis, result.so_far.compared_with, result.short)),
        build_line(aside_parts.ONLY_IF, result.few(analysis.dominance.conditional, words.FEW)),
        build_line(words.LEFT, result.few(analysis.compared)),
        *_add_points(result, _describe_lead(result, analysis)),
    )


def _add_points(result: Result, lead: str) -> tuple[str, ...]:
    """Return who leads and what people's points make of it: in one line with handles alone if that fits."""
    so_far, weighed = result.so_far, result.so_far.weigh(result.draft)
    told = (rank_by_points(so_far, weighed, label) for label in (result.label, str))
    whole, short = (build_line(words.BY_YOUR_POINTS, points) for points in told)
    both = words.join_texts([lead, short], " · ")
    return (both,) if len(both) <= words.LINE else (lead, whole)


def _describe_lead(result: Result, analysis: Analysis) -> str:
    """Return who leads, with what that counts on: in full if it fits a line, else that there is a condition."""
    leaders, is_open = analysis.leaders, any(each.unknown for each in analysis.pairs)
    title = (words.LEADS if len(leaders) == 1 else words.LEVEL) + (AS_FAR_AS_KNOWN if is_open else "")
    assumed = {each: result.so_far.list_assumptions(each) for each in leaders}
    if not any(assumed.values()):
        return build_line(title, result.few(leaders, words.FEW))
    whole = [name_with_condition(result.so_far, each) for each in leaders]
    short = [f"{result.short(each)}{words.ON_CONDITION if assumed[each] else ''}" for each in leaders]
    told = (build_line(title, "; ".join(words.cut_list(names, words.FEW))) for names in (whole, short))
    return min(told, key=lambda line: len(line) > words.LINE)


def _describe_heart(result: Result, analysis: Analysis) -> tuple[str, ...]:
    """Return people's words, or else the ratings' opposition; both if the words were said of other objectives."""
    said = build_line(words.HEART, result.told("headline_conflict.statement"))
    by_ratings = describe_conflict(result, analysis)
    if not said:
        return (build_line(words.OWN_WORDS, result.told("user_understanding")) or by_ratings,)
    return (said, by_ratings) if result.text("headline_conflict.said_of.objectives") else (said,)


def _name_former_points(result: Result, analysis: Analysis) -> str:
    """Return the points that people gave for another range than now, with short names of the first objectives.

    Where there is no range now, there is nothing to say anew: the objective is left out, or a rating is missing.
    """
    ranged = {each.objective for each in analysis.swings}
    rows = [
        each for each in assign_points(result.draft, analysis) if "former" in each and each["objective_id"] in ranged
    ]
    points = {each["objective_id"]: each["former"]["points"] for each in rows}
    named = [words.add_brackets(result.short(each), str(given)) for each, given in points.items()]
    return build_line(words.FORMER_POINTS, join_words(named, words.FEW))


def _name_gaps(result: Result, analysis: Analysis) -> str:
    cells = join_words([*map(result.so_far.label_place, analysis.missing)], words.FEW)
    return words.MISSING_ARE.format(cells=cells) if analysis.missing else ""


def _name_aside(result: Result, why: Mapping[str, str], surely: Sequence[str], perhaps: Sequence[str]) -> str:
    """Return the options that are set aside, each with its reason if that fits a line.

    Those that could come back stand apart.
    """
    told = part_aside(*(_group_by(why, some, result) for some in (surely, perhaps)))
    is_fitting = len(build_line(words.ASIDE, told)) <= words.LINE
    return told if is_fitting else part_aside(result.few(surely), result.few(perhaps))


def _group_by(why: Mapping[str, str], options: Sequence[str], result: Result) -> str:
    """Return the options, those of one reason together with it."""
    groups = {why[each]: [one for one in options if why[one] == why[each]] for each in options}
    named = {reason: join_words(map(result.short, some)) for reason, some in groups.items()}
    return words.join_texts([words.add_brackets(each, reason) for reason, each in named.items()])


def _give_reasons(result: Result, analysis: Analysis) -> Mapping[str, str]:
    """Return why each option is set aside, in few words: the ratings, or people's own choice, and a broken limit."""
    found = {each.alternative: ASIDE_BY_RATINGS for each in analysis.dominance.dominated}
    found |= dict.fromkeys(analysis.dropped, ASIDE_BY_PEOPLE)
    found |= dict.fromkeys(analysis.given_up, ASIDE_AS_NOT_WORTH)
    beyond = {option for each in find_beyond(result.so_far) if each.is_certain for option, _ in each.options}
    beyond |= {option for option, _ in list_noted(result.so_far)}
    return {
        each: words.join_texts([why, words.BREAKING if each in beyond else ""], ", ") for each, why in found.items()
    }


def write_gist(result: Result) -> str:
    """Return the number of options left, and the heart of the choice: in people's words, or else the objectives."""
    analysis = result.so_far.analyse_by(result.draft)
    if analysis is None:
        return words.GIST_UNRATED
    heart = analysis.headline
    said = result.told("headline_conflict.statement") or result.told("user_understanding")
    opposed = words.OPPOSED.format(one=result.label(heart.one), other=result.label(heart.other)) if heart else ""
    return words.join_texts([_count_left(result, analysis), said or opposed], " · ")


def _count_left(result: Result, analysis: Analysis) -> str:
    """Return how many options drop out and how many are left; the status quo is counted beside them."""
    baseline = result.so_far.compared_with
    surely, perhaps = split_aside(result.so_far, analysis, result.so_far.firmness_by(result.draft))
    left = [each for each in analysis.compared if each != baseline]
    told = words.GIST_LEFT.format(aside=len(surely) + len(perhaps), left=len(left))
    return words.AND_STATUS_QUO.format(options=told) if baseline in analysis.compared else told


def _build_findings(result: Result, analysis: Analysis) -> tuple[Section | None, ...]:
    order, weighed = result.so_far.order_by(result.draft), result.so_far.weigh(result.draft)
    return (
        aside_parts.describe_gaps(result, analysis),
        _describe_counted(result),
        *aside_parts.list_set_aside(result, analysis),
        aside_parts.list_conditional(result, analysis),
        aside_parts.list_kept(result, analysis),
        aside_parts.list_disputed(result, analysis),
        aside_parts.list_possible(result, analysis),
        aside_parts.list_ties(result, analysis),
        aside_parts.describe_beaten_status_quo(result, analysis),
        aside_parts.list_irrelevant(result, analysis),
        aside_parts.list_left_out(result, analysis),
        build_prose(words.NOTHING_SEPARATES if analysis.nothing_separates else ""),
        aside_parts.list_same_patterns(result, analysis),
        gain_parts.list_options(result, analysis),
        build_sums(result, analysis, weighed, order),
        explain_sums(result, analysis, weighed, order),
        list_reversals(result, weighed, order),
        gain_parts.list_pairs(result, analysis),
        gain_parts.list_practical(result, analysis),
        gain_parts.list_give_ups(result, analysis),
    )


def _describe_counted(result: Result) -> Prose | None:
    counted = result.so_far.map_counted(result.draft)
    groups = {is_zero: tuple(each for each in counted if counted[each] is is_zero) for is_zero in (True, False)}
    told = [
        words.COUNTED_ALL_THE_SAME[is_zero].format(options=result.labels(some)) if some else ""
        for is_zero, some in groups.items()
    ]
    return build_prose(words.join_texts(told, " "))


def _list_swings(result: Result) -> Listing | None:
    """List people's swing points, the values that follow from them, and the changes that would turn the result."""
    analysis = result.so_far.analyse_by(result.draft)
    ranged = {each.objective for each in analysis.swings} if analysis else set[str]()
    given = [
        result.of(each["objective_id"], _describe_swing(each, is_asked=each["objective_id"] in ranged))
        for each in result.all("swing_weights[]")
        if {"points", "former"} & each.keys()
    ]
    by_points = result.so_far.weigh(result.draft) if given else None
    if by_points is None:
        return build_listing(words.SWINGS, given)
    turning = [_build_break_even(result, each) for each in by_points.break_evens]
    firm = [] if turning or len(by_points.leaders) > 1 else [Item(text=words.NO_BREAK_EVEN)]
    return build_listing(
        words.SWINGS,
        (
            *given,
            Item(text=words.BY_POINTS.format(values=rank_by_points(result.so_far, by_points, result.label))),
            *limit_items(turning),
            *_describe_spans(result, by_points),
            *firm,
        ),
    )


def _build_break_even(result: Result, each: BreakEven) -> Item:
    side = words.SIDE[each.points < each.given].format(points=each.whole)
    objective = result.label(each.objective)
    told = words.LEADS_IF[len(each.to) > 1]
    return Item(text=told.format(to=result.labels(each.to), objective=objective, side=side, given=each.given))


def _describe_spans(result: Result, by_points: WeighedTable) -> Iterator[Item]:
    """Yield from which to which points of an objective the lead stays, if other ones end it."""
    spans = [
        words.SPAN.format(low=low, high=high, objective=result.label(objective))
        for objective, (low, high) in by_points.spans.items()
    ]
    if spans:
        leader = result.label(by_points.leaders[0])
        yield Item(text=words.STAYS_IN_FRONT.format(leader=leader, spans=join_words(spans)))


def _describe_swing(each: Mapping[str, Any], *, is_asked: bool) -> str:
    """Return the points with the range they were given for; `is_asked` if the objective has a range now."""
    given = each.get("former", each)
    if "worst" not in given or "best" not in given:
        return words.SWING.format(points=given["points"])
    former = words.FORMER_SWING if is_asked else words.UNUSED_SWING
    told = former if given is not each else words.SWING_RANGE
    worst, best = format_signed(given["worst"]), format_signed(given["best"])
    return told.format(points=given["points"], worst=worst, best=best)


def _list_swaps(result: Result) -> Listing | None:
    """List the amounts that people would pay, with their reasons."""
    return build_listing(
        words.SWAPS,
        (
            result.of(
                each["alternative_id"],
                words.SWAP.format(
                    improved=_describe_change(result, each["improve"], is_fitting),
                    paid=_describe_change(result, each["pay_with"], is_fitting),
                ),
                each.get("rationale", ""),
                "" if is_fitting else words.SWAP_OLDER,
            )
            for each, is_fitting in result.so_far.check_swaps(result.draft)
        ),
    )


def _describe_change(result: Result, each: Mapping[str, Any], is_fitting: bool) -> str:
    """Return both amounts, with the unit if they are amounts of now: former ones may have been in another."""
    unit = result.so_far.name_unit(each["objective_id"]) if is_fitting else ""
    start, end = format_change(each["from"], each["to"], unit)
    return words.CHANGED.format(objective=result.label(each["objective_id"]), start=start, end=end)
