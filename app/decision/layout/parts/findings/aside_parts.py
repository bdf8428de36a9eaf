"""What drops out or could drop out: dominated, disputed and equal options, and objectives that tell nothing apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from app.core.state.sheet import Item, Listing, Mark, Prose
from app.core.text.labels import join_words
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.dominance import DisputedDominance, DominatedOption, PossibleDominance
from app.decision.analysis.variation import Irrelevant
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.contender_parts import describe_assumptions
from app.decision.layout.parts.result import (
    Result,
    build_listing,
    build_prose,
    limit_items,
    select_notes,
)
from app.decision.record import DecisionRecord
from app.decision.rows import BY_PEOPLE, find_place, is_doubtful
from app.decision.schema.paths import Draft, find_value, find_values
from app.decision.schema.terms import format_signed

ONLY_IF: Final = "Drops out only if what another counts on holds"
ASK_COST: Final = "What would changing cost that no objective names?"
ASK_CONDITION: Final = "{alternative} stays until you say that it is out, whether {by} can be had or not."
GIVEN_UP_FOR: Final = "You said that its one step is not worth what {by} brings instead."
KEPT_ONCE: Final = "You once kept it beside {options}. Does it stay?"
RATING_IN_DOUBT: Final = "In doubt, so this may change: {place}"


def list_set_aside(result: Result, analysis: Analysis) -> tuple[Listing | None, Listing | None]:
    """List the dominated options, except the status quo and those that people keep, and what people left out.

    Those of which nobody has said anything yet stand apart.
    """
    stays = {*analysis.dominance.kept, result.so_far.compared_with}
    found = [each for each in analysis.dominance.dominated if each.alternative not in stays]
    told = [_build_dominated(result, each, Mark.SET_ASIDE) for each in found if _is_judged(result, each)]
    open_ones = (_build_dominated(result, each) for each in found if not _is_judged(result, each))
    reasons = {each["alternative_id"]: each.get("reason", "") for each in result.all("dropped_alternatives[]")}
    dropped = [result.of(each, words.VERDICTS["set_aside"], reasons[each]) for each in analysis.dropped]
    given_up = [
        result.of(each, GIVEN_UP_FOR.format(by=result.labels(_list_gained(result, each))), marks=(Mark.SET_ASIDE,))
        for each in analysis.given_up
    ]
    return (
        build_listing(words.ASIDE, (*told, *dropped, *given_up)),
        build_listing(words.ASIDE_UNLESS, open_ones),
    )


def _list_gained(result: Result, option: str) -> list[str]:
    """Return the options for which people gave this one up."""
    rows = result.all("practical_dominance[]")
    return [each["by"] for each in rows if each["alternative_id"] == option and each.get("user_verdict") == "accepted"]


def _is_judged(result: Result, each: DominatedOption) -> bool:
    return "user_verdict" in result.row("dominated_alternatives[]", alternative_id=each.alternative)


def list_conditional(result: Result, analysis: Analysis) -> Listing | None:
    """List the options that drop out only if what another one counts on holds, which people have not decided."""
    found = [each for each in analysis.dominance.dominated if each.alternative in analysis.dominance.conditional]
    return build_listing(ONLY_IF, (_build_conditional(result, each) for each in found))


def list_kept(result: Result, analysis: Analysis) -> Listing | None:
    """List the dominated options that people keep, with their reasons."""
    kept = {*analysis.dominance.kept} - {*analysis.dominance.conditional, result.so_far.compared_with}
    found = analysis.dominance.dominated
    return build_listing(words.KEPT, (_build_dominated(result, each) for each in found if each.alternative in kept))


def describe_beaten_status_quo(result: Result, analysis: Analysis) -> Prose | None:
    """Return a careful statement that the status quo is dominated; None if it is not. A reason answers its question."""
    beaten = [each for each in analysis.dominance.dominated if each.alternative not in analysis.dominance.conditional]
    found = [each for each in beaten if each.alternative == result.so_far.compared_with]
    told = [
        words.join_texts(
            [
                words.BEATEN.format(
                    by=result.label(each.dominated_by),
                    baseline=result.label(each.alternative),
                    better=result.labels(each.better_on),
                ),
                f"{counted}." if (counted := describe_assumptions(result.so_far, each.dominated_by)) else "",
                "" if each.certain_by else words.NOT_CERTAIN,
                describe_left_out(result.so_far, each, result.draft),
                _explain_verdict(result, each.alternative) or ASK_COST,
            ],
            " ",
        )
        for each in found
    ]
    return build_prose(words.join_texts(told), words.BEATEN_STATUS_QUO)


def list_possible(result: Result, analysis: Analysis) -> Listing | None:
    """List the options that may be dominated, depending on missing ratings."""
    return build_listing(
        words.POSSIBLE, limit_items([_build_possible(result, analysis, each) for each in analysis.dominance.possible])
    )


def list_ties(result: Result, analysis: Analysis) -> Listing | None:
    """List options with equal ratings; and say which of them are like the status quo."""
    return build_listing(words.TIES, (_build_tie(result, analysis, group) for group in analysis.dominance.ties))


def list_irrelevant(result: Result, analysis: Analysis) -> Listing | None:
    """List objectives on which the options do not differ."""
    reasons = {each["objective_id"]: each for each in reversed(result.all("irrelevant_objectives[]"))}
    return build_listing(
        words.IRRELEVANT,
        (
            result.of(
                each.objective,
                reasons[each.objective].get("reason", ""),
                *_list_otherwise(result, analysis, each),
                *_list_doubted(result, analysis, each.objective),
            )
            for each in analysis.irrelevant
        ),
    )


def _list_otherwise(result: Result, analysis: Analysis, found: Irrelevant) -> Iterator[str]:
    """Yield the ratings of options that people left out, which no finding regards, where they are others."""
    table = result.so_far.rated
    for each in analysis.dropped:
        rating = table.rating(each, found.objective) if table else None
        if rating not in (None, found.rating):
            yield words.RATED_OTHERWISE.format(option=result.label(each), rating=format_signed(rating))


def _list_doubted(result: Result, analysis: Analysis, objective: str) -> Iterator[str]:
    """Yield the doubtful ratings on an objective, each with what its doubt comes from."""
    for each in find_values(result.so_far.results.get("consequences"), "table.cells[]"):
        if each["objective_id"] == objective and is_doubtful(each) and each["alternative_id"] not in analysis.dropped:
            place = result.so_far.label_place(find_place(each))
            driver = result.cause(find_place(each), find_value(each, "uncertainty.driver") or "")
            yield RATING_IN_DOUBT.format(place=words.add_brackets(place, driver))


def list_left_out(result: Result, analysis: Analysis) -> Listing | None:
    """List the objectives that people leave out although the options differ on them, with their words."""
    rows = [each for each in result.all("irrelevant_objectives[]") if each.get("kind") in BY_PEOPLE]
    told = [
        result.of(each["objective_id"], words.LEFT_OUT_KIND[each["kind"]], each.get("reason", words.REASON_OPEN))
        for each in rows
    ]
    ignored = [Item(text=words.LEAVES_NOTHING)] if rows and not analysis.left_out else []
    return build_listing(words.LEFT_OUT, (*told, *ignored))


def list_disputed(result: Result, analysis: Analysis) -> Listing | None:
    """List the options that ratings alone would set aside, with the amounts that speak for them."""
    return build_listing(words.DISPUTED, (_build_disputed(result, each) for each in analysis.dominance.disputed))


def describe_gaps(result: Result, analysis: Analysis) -> Prose | None:
    """Return what cannot be said yet, and the missing ratings that keep it from being said."""
    cells = join_words([result.so_far.label_place(at) for at in analysis.missing], words.AT_MOST)
    return build_prose(words.NOT_FINAL.format(cells=cells) if analysis.missing else "")


def list_same_patterns(result: Result, analysis: Analysis) -> Listing | None:
    """List objectives that are rated alike, and say if the sum leads elsewhere when they count once."""
    return build_listing(
        words.ALIKE,
        (
            Item(text=result.labels(group), notes=(words.COUNTED_OFTEN, *_describe_counted_once(result, analysis)))
            for group in analysis.same_patterns
        ),
    )


def _explain_verdict(result: Result, option: str) -> str:
    """Return people's reason for what becomes of an option; of one that they keep, also that it stands open."""
    said = result.row("dominated_alternatives[]", alternative_id=option)
    if said.get("user_verdict") == "keep":
        return words.YOU_KEEP.format(reason=said.get("reason", words.REASON_OPEN))
    return words.YOU_SAID.format(reason=said["reason"]) if "reason" in said else ""


def _recall_kept(result: Result, said: Mapping[str, Any]) -> str:
    """Return beside which options this one was kept, if nobody has said so since another one dominates it too."""
    is_open = "kept_beside" in said and "user_verdict" not in said
    return KEPT_ONCE.format(options=result.labels(said["kept_beside"])) if is_open else ""


def _build_dominated(result: Result, each: DominatedOption, *marks: Mark) -> Item:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    template = words.SET_ASIDE_DESPITE if each.despite else words.AS_GOOD
    return result.of(
        each.alternative,
        template.format(by=result.label(each.dominated_by), better=result.labels(each.better_on)),
        describe_assumptions(result.so_far, each.dominated_by),
        *_describe_amounts(result, each.alternative, each.dominated_by, each.despite),
        words.YOU_SET_ASIDE if each.despite else "",
        _describe_certainty(result, each),
        describe_left_out(result.so_far, each, result.draft),
        said.get("explanation", ""),
        _explain_verdict(result, each.alternative),
        _recall_kept(result, said),
        marks=marks,
    )


def _build_conditional(result: Result, each: DominatedOption) -> Item:
    by = result.label(each.dominated_by)
    return result.of(
        each.alternative,
        words.AS_GOOD.format(by=by, better=result.labels(each.better_on)),
        describe_assumptions(result.so_far, each.dominated_by),
        _describe_certainty(result, each),
        describe_left_out(result.so_far, each, result.draft),
        ASK_CONDITION.format(alternative=result.label(each.alternative), by=by),
    )


def _describe_certainty(result: Result, each: DominatedOption) -> str:
    """Return what the ranges leave open. Nothing is open for the option while one dominator is certain."""
    if not each.certain_by:
        return words.NOT_CERTAIN
    by = result.label(each.certain_by[0])
    return "" if each.dominated_by in each.certain_by else words.CERTAIN_BY.format(by=by)


def describe_left_out(so_far: DecisionRecord, each: DominatedOption, tradeoffs: Draft) -> str:
    """Return the objectives that people left out and that speak for the option; empty if there are none."""
    left_out = so_far.list_better(each.alternative, each.dominated_by, tradeoffs)
    told = words.BETTER_LEFT_OUT.format(option=so_far.label(each.alternative), objectives=so_far.labels(left_out))
    return told if left_out else ""


def _describe_amounts(result: Result, alternative: str, by: str, objectives: Iterable[str]) -> Iterator[str]:
    for objective in objectives:
        amount, other = (result.so_far.describe_amount((each, objective)) for each in (alternative, by))
        yield words.DESPITE.format(
            objective=result.label(objective), alternative=result.label(alternative), amount=amount, other=other
        )


def _build_disputed(result: Result, each: DisputedDominance) -> Item:
    said = result.row("dominated_alternatives[]", alternative_id=each.alternative)
    asked = words.BEATEN_BY_RATINGS if each.is_kept else words.ASK_AMOUNTS
    return result.of(
        each.alternative,
        *_describe_amounts(result, each.alternative, each.by, each.despite),
        describe_assumptions(result.so_far, each.by),
        asked.format(by=result.label(each.by), alternative=result.label(each.alternative)),
        said.get("explanation", ""),
        _explain_verdict(result, each.alternative),
    )


def _build_possible(result: Result, analysis: Analysis, each: PossibleDominance) -> Item:
    cells, template = (each.fill, words.COULD_BE) if each.fill else (each.ranges, words.COULD_BE_RANGED)
    if not {*cells} <= {*analysis.missing, *each.ranges}:
        template = words.COULD_BE_UNKNOWN
    places = join_words([result.so_far.label_place(at) for at in cells], words.AT_MOST)
    marks = (Mark.GAP,) if template is words.COULD_BE else ()
    told = template.format(by=result.label(each.by), cells=places)
    return result.of(each.alternative, told, describe_assumptions(result.so_far, each.by), marks=marks)


def _build_tie(result: Result, analysis: Analysis, group: tuple[str, ...]) -> Item:
    idle = [each for each in group if each in analysis.dominance.like_baseline]
    same = (
        words.LIKE_STATUS_QUO[len(idle) > 1].format(options=result.labels(idle), baseline=result.so_far.zero)
        if idle
        else ""
    )
    notes = [same, _name_other_ratings(result, analysis, group), *_list_apart(result, analysis, group)]
    return Item(text=result.labels(group), notes=select_notes([*notes, words.WHAT_DIFFERS]))


def _name_other_ratings(result: Result, analysis: Analysis, group: tuple[str, ...]) -> str:
    """Return the objectives that people left out and on which these options are not rated alike; empty without any."""
    table = result.so_far.rated
    ratings = {each: {table.rating(one, each) for one in group} for each in analysis.left_out} if table else {}
    unlike = [each for each, found in ratings.items() if len(found) > 1]
    return words.UNLIKE_LEFT_OUT.format(objectives=result.labels(unlike)) if unlike else ""


def _list_apart(result: Result, analysis: Analysis, group: tuple[str, ...]) -> Iterator[str]:
    """Yield the amounts that tell options with equal ratings apart, one pair for each objective."""
    apart = result.so_far.list_apart(group)
    yield from (describe_apart(result, each, apart[each]) for each in apart if each not in analysis.left_out)


def describe_apart(result: Result, objective: str, pair: tuple[str, str]) -> str:
    """Return the amounts of two options on an objective."""
    one, two = map(result.label, pair)
    amount, other = (result.so_far.describe_amount((each, objective)) for each in pair)
    return words.MEASURE_APART.format(objective=result.label(objective), one=one, amount=amount, two=two, other=other)


def _describe_counted_once(result: Result, analysis: Analysis) -> tuple[str, ...]:
    before, after = analysis.leaders, analysis.leaders_counted_once
    if not before or not after:
        return ()
    template = words.COUNTED_ONCE[before == after][len(after) > 1]
    now = words.AHEAD[len(before) > 1].format(leaders=result.labels(before))
    return (template.format(leaders=result.labels(after), before=now),)
