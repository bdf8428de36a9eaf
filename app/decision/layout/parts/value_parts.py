"""What the sheets compute with: plain sums, counts of better and worse, and values by points and by amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from app.core.state.sheet import Grid, Item, Listing
from app.core.text.labels import join_words
from app.decision.analysis.analysis import Analysis
from app.decision.analysis.ratings import At
from app.decision.analysis.swaps import ImaginedTable
from app.decision.analysis.swing import WeighedTable
from app.decision.firmness.amounts import Reversal, ValueOrder
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, build_listing, build_texts, limit_items
from app.decision.rows import find_place, is_unknown
from app.decision.schema.paths import find_values
from app.decision.schema.terms import format_amount, format_signed

IMAGINED: Final = "The table after these swaps"
IMAGINED_AMOUNT: Final = "{amount} (imagined, was {was})"
AFTER_SWAPS: Final = "What the swaps bring about"
NOW_BEATEN: Final = "{by} now dominates {alternative}, if the swaps are fair."
NOW_LEVEL: Final = "{objective} drops out between {options}: they are level there."
SUMS: Final = "Sums"
SUMS_HEADER: Final = ("Option", "Plain sum", "Better than {baseline} on", "Worse than it on")
BY_AMOUNTS: Final = "By amounts"
OTHER_ORDER: Final = "By amounts the order is another one"
ORDER_BY: Final = MappingProxyType(
    {"ratings": "By ratings: {options}", "amounts": "By amounts, in proportion between worst and best: {options}"}
)
REVERSED: Final = "{ahead} is ahead of {instead} by ratings, and behind by amounts. That comes from:"
RATED_AND_MEASURED: Final = "{place}: rated {rating}, measured {amount}"
NO_SUM: Final = "–"
"""A rating is missing, or the option is set aside and has no points; beside the sums is said which."""
SUMS_EXPLAINED: Final = "How to read the sums"
BY_POINTS_MEANS: Final = (
    "By your points: what your points make of each rating between the worst and the best that you gave them for, added "
    "up. Half-way brings half of the points."
)
BY_AMOUNTS_MEANS: Final = MappingProxyType(
    {
        True: "By amounts: the same, but half-way between the worst and the best amount brings half of the points.",
        False: "By amounts: as the plain sum of those left, but half-way between the worst and the best amount brings "
        "half of the steps.",
    }
)
"""With points for all objectives (True), or by steps."""
UNKNOWN_MEANS: Final = "Counted as {rating}, though nobody knows them: {cells}."
NO_SUM_MEANS: Final = "–: {why}."
MISSING_SUM: Final = "a rating of it is missing"
NOT_WEIGHED: Final = "it is set aside and not weighed"

FormatValue = Callable[[float], str]
CAUSES: Final = 3
"""Cells that are named as the cause of another order."""


def build_sums(result: Result, analysis: Analysis, weighed: WeighedTable | None, order: ValueOrder | None) -> Grid:
    """Return the sums and counts of all options, with the values of those left by points and by amounts, if known."""
    columns: list[tuple[str, Mapping[str, float], FormatValue]] = [
        (words.BY_YOUR_POINTS, weighed.values if weighed else {}, format_amount),
        (BY_AMOUNTS, _select_amounts(analysis, order), _choose_format(weighed)),
    ]
    known = [each for each in columns if each[1]]
    return Grid(
        title=SUMS,
        header=(
            *(each.format(baseline=result.so_far.zero) for each in SUMS_HEADER),
            *(title for title, *_ in known),
        ),
        rows=tuple(
            (
                result.label(each.alternative),
                NO_SUM if each.net is None else format_signed(each.net),
                str(each.plus),
                str(each.minus),
                *(_format_value(values, each.alternative, form) for _, values, form in known),
            )
            for each in analysis.scores
        ),
    )


def explain_sums(
    result: Result, analysis: Analysis, weighed: WeighedTable | None, order: ValueOrder | None
) -> Listing | None:
    """Return what the values by points and by amounts are, why an option has none, and which ratings nobody knows."""
    by_amounts = _select_amounts(analysis, order)
    valued = {*by_amounts, *(weighed.values if weighed else ())}
    missing = [each.alternative for each in analysis.scores if each.net is None]
    aside = [each.alternative for each in analysis.scores if valued and each.alternative not in valued]
    why = words.join_texts([MISSING_SUM if missing else "", NOT_WEIGHED if aside else ""], ", or ")
    explained = (
        BY_POINTS_MEANS if weighed else "",
        BY_AMOUNTS_MEANS[weighed is not None] if by_amounts else "",
        NO_SUM_MEANS.format(why=why) if why else "",
        *_list_unknown(result, analysis),
    )
    return build_texts(SUMS_EXPLAINED, filter(None, explained))


def _list_unknown(result: Result, analysis: Analysis) -> Iterator[str]:
    """Yield the ratings that nobody knows and that a sum counts, those of one rating together."""
    options = [each.alternative for each in analysis.scores]
    objectives = {*result.so_far.objectives} - {*analysis.left_out}
    places: dict[int, list[str]] = {}
    for cell in find_values(result.so_far.results.get("consequences"), "table.cells[]"):
        option, objective = at = find_place(cell)
        if is_unknown(cell) and option in options and objective in objectives:
            places.setdefault(cell["rating"], []).append(result.so_far.label_place(at))
    for rating, cells in places.items():
        yield UNKNOWN_MEANS.format(rating=format_signed(rating), cells=join_words(cells, words.AT_MOST))


def _select_amounts(analysis: Analysis, order: ValueOrder | None) -> Mapping[str, float]:
    """Return the values by amounts of the options that are still compared, as the values by points are theirs."""
    if order is None:
        return {}
    return {each: value for each, value in order.by_amounts.items() if each not in analysis.given_up}


def list_reversals(result: Result, weighed: WeighedTable | None, order: ValueOrder | None) -> Listing | None:
    """List the options that amounts order otherwise than ratings, with the ratings that cause it."""
    if order is None or not order.reversals:
        return None
    orders = [
        ORDER_BY[name].format(options=join_words(_rank(result, values, _choose_format(weighed))))
        for name, values in (("ratings", order.by_ratings), ("amounts", order.by_amounts))
    ]
    found = [_build_reversal(result, each) for each in order.reversals]
    return build_listing(OTHER_ORDER, (*(Item(text=each) for each in orders), *limit_items(found)))


def build_imagined(result: Result, imagined: ImaginedTable | None) -> Grid | None:
    """Return the amounts of the options left after the swaps, on the objectives that were swapped."""
    if imagined is None or not imagined.swapped:
        return None
    objectives = sorted({at[1] for at in imagined.swapped}, key=result.so_far.objectives.index)
    before, analysis = result.so_far.measured.amounts, result.so_far.analyse_by(result.draft)
    return Grid(
        title=IMAGINED,
        header=(SUMS_HEADER[0], *(_name_column(result, each) for each in objectives)),
        rows=tuple(
            (
                result.label(each),
                *(_describe_amount(before, imagined, (each, objective)) for objective in objectives),
            )
            for each in (analysis.dominance.left if analysis else ())
        ),
    )


def list_after_swaps(result: Result, imagined: ImaginedTable | None) -> Listing | None:
    """List what the swaps bring about: objectives that drop out, and options that are beaten."""
    if imagined is None:
        return None
    beaten = (
        NOW_BEATEN.format(by=result.label(each.by), alternative=result.label(each.alternative))
        for each in imagined.beaten
    )
    cancelled = (
        NOW_LEVEL.format(objective=result.label(each.objective), options=result.labels((each.one, each.other)))
        for each in imagined.cancelled
    )
    return build_texts(AFTER_SWAPS, (*beaten, *cancelled))


def _name_column(result: Result, objective: str) -> str:
    return words.add_brackets(result.label(objective), result.so_far.name_unit(objective))


def _describe_amount(before: Mapping[At, float], imagined: ImaginedTable, at: At) -> str:
    if at not in imagined.measured.amounts:
        return NO_SUM
    amount = format_amount(imagined.measured.amounts[at])
    return IMAGINED_AMOUNT.format(amount=amount, was=format_amount(before[at])) if at in imagined.swapped else amount


def _build_reversal(result: Result, each: Reversal) -> Item:
    ahead, instead = result.label(each.by_ratings), result.label(each.by_amounts)
    cells = tuple(_describe_cell(result, at) for at in each.cells[:CAUSES])
    return Item(text=REVERSED.format(ahead=ahead, instead=instead), notes=cells)


def _describe_cell(result: Result, at: At) -> str:
    """Return the cell with its rating and its amount: one of the two says less than the other."""
    table = result.so_far.rated
    return RATED_AND_MEASURED.format(
        place=result.so_far.label_place(at),
        rating=format_signed((table.rating(*at) if table else None) or 0),
        amount=result.so_far.describe_amount(at) or NO_SUM,
    )


def _rank(result: Result, values: Mapping[str, float], form: FormatValue) -> Iterator[str]:
    ranked = sorted(values, key=lambda each: -values[each])
    return (f"{result.label(each)} {_format_value(values, each, form)}" for each in ranked)


def _choose_format(weighed: WeighedTable | None) -> FormatValue:
    """Return how values by amounts are written: steps have a sign, as plain sums do, and points have none."""
    return format_signed if weighed is None else format_amount


def _format_value(values: Mapping[str, float], alternative: str, form: FormatValue) -> str:
    return form(round(values[alternative], 1)) if alternative in values else NO_SUM
