"""Presenter of consequences: missing ratings first, then all ratings, then their meaning and certainty."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from app.core.copy.decision_steps import NOT_KNOWN
from app.core.state.sheet import Head, Item, Listing, Mark, Matrix, Rating, Section
from app.core.text.cutting import cut, shorten_name
from app.core.text.labels import join_words
from app.decision.analysis.measures import find_contradictions
from app.decision.analysis.ratings import BEST, WORST, At, RatingTable, Span
from app.decision.drafts.rating_edits import CarriedRating, find_carried
from app.decision.layout.parts import words
from app.decision.layout.parts.limit_parts import (
    list_beyond,
    list_checked,
    name_to_check,
    write_beyond_gist,
    write_broken,
)
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    build_prose,
    describe_uncertainty,
    limit_items,
    pack_lines,
    select_notes,
    select_sections,
)
from app.decision.layout.parts.told_parts import describe_lateness, describe_when
from app.decision.rows import (
    SUGGESTED,
    describe_amount,
    find_place,
    is_doubtful,
    is_of_before,
    is_unknown,
    map_cells,
    read_span,
)
from app.decision.rules.limit_rules import find_beyond
from app.decision.schema.paths import find_value
from app.decision.schema.terms import format_signed

MOST_OPTIONS: Final = 4
MOST_OBJECTIVES: Final = 8
"""Up to so many, a card shows all ratings; beyond, the best and the worst of each objective."""
HANDLE: Final = 6
"""Characters that a handle takes beside its name in the legend, with what parts it from the next one."""
_GROUPING: Final = re.compile(r"(?<=\d)[,.'’\u00a0\u202f ](?=\d{3}(?!\d))")
"""What stands between the thousands of a number."""


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return every option on every objective. A rating that nobody gave stays unknown."""
    table = result.so_far.table(result.draft)
    cells = map_cells(result.draft)
    return select_sections(
        _list_missing(result, table) if table else None,
        _build_matrix(result, table, cells) if table else build_prose(words.NOTHING_TO_RATE),
        *list_beyond(find_beyond(result.so_far, result.draft), result.label),
        list_checked(result),
        build_listing(words.AGAINST_MEASURES, limit_items(_find_contradictions(result, table))) if table else None,
        _list_of_before(result, cells),
        _list_proposals(result, cells),
        _list_carried(result),
        _list_doubts(result, cells),
        build_listing(words.ANCHORS, (_build_anchor(result, each) for each in result.all("table.anchors[]"))),
        build_listing(
            words.UNCERTAINTIES, (_build_uncertainty(result, each) for each in result.all("uncertainties[]"))
        ),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return how much is rated, what is missing, proposed, contradictory or doubtful, and what to find out.

    In a table that is shown as a whole, what is missing is seen; the card names it above.
    """
    table = result.so_far.table(result.draft)
    if table is None:
        return (words.NOTHING_TO_RATE,)
    cells = map_cells(result.draft)
    rated, due = _count_rated(table, cells)
    form = words.RATED_ALL if table.baseline else words.RATED_BARE
    head = form.format(rated=rated, all=due, baseline=result.short(table.baseline or ""), unknown=_tell_unknown(cells))
    options = [each for each in table.alternatives if each != table.baseline]
    is_whole = len(options) <= MOST_OPTIONS and len(table.objectives) <= MOST_OBJECTIVES
    name = str if is_whole else result.short  # a table that is shown as a whole has its objectives by name
    worth = [each["handle"] for each in result.all("uncertainties[]") if each.get("worth_resolving")]
    beyond = find_beyond(result.so_far, result.draft)
    findings = select_notes(
        [
            "" if is_whole else _name_places(result, words.STILL_MISSING, table.missing, name),
            name_to_check(beyond, result.short),
            words.join_texts([each.text for each in _find_contradictions(result, table)][:1]),
            _name_places(
                result, words.PROPOSED, [at for at, each in cells.items() if each.get("origin") == SUGGESTED], name
            ),
            _name_places(result, words.IN_DOUBT, _find_doubts(cells), name),
            build_line(words.COULD_CHANGE, result.few(worth, words.FEW - 1)),
        ]
    )
    if not is_whole:
        extremes = [_describe_extremes(result, table, each, cells) for each in table.objectives]
        broken = select_notes([write_broken(beyond, result.short)])
        return (head, *broken, *pack_lines(extremes, words.ESSENCE_LINES - 2 - len(broken)), *findings)
    ratings = tuple(_write_ratings(result, table, each, cells) for each in options)
    head, *rest = _lead(head, write_broken(beyond, str), ratings, findings)
    sign = _explain_sign(ratings, (head, *rest)[: words.ESSENCE_LINES])
    legend = _write_legend(result, table, words.SUMMARY - len(head) - len(sign))
    return (f"{words.join_texts([head, legend], ' · ')}{sign}", *rest)


def _lead(head: str, broken: str, ratings: tuple[str, ...], findings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines; the first has what would push out an option on a line of its own: a broken limit, or else one
    finding.
    """
    if len(ratings) > words.ESSENCE_LINES - 2:
        return (words.join_texts([head, *select_notes([broken, *findings])[:1]], " · "), *ratings)
    return (head, *select_notes([broken]), *ratings, *findings)


def _explain_sign(ratings: Iterable[str], shown: Iterable[str]) -> str:
    """Return what the sign of doubt means, unless no rating has it or a line that is shown tells of doubts."""
    is_told = any(words.IN_DOUBT in each for each in shown)
    return words.IN_DOUBT_SIGN if not is_told and any(words.DOUBTFUL_SIGN in each for each in ratings) else ""


def _write_legend(result: Result, table: RatingTable, room: int) -> str:
    """Return the objectives by short name in so many characters: the lines below have their handles alone."""
    most = (room - len(words.LEGEND)) // len(table.objectives) - HANDLE
    named = (f"{each} {cut(shorten_name(result.name(each)), most)}" for each in table.objectives)
    return words.LEGEND.format(objectives=join_words(named))


def _write_ratings(result: Result, table: RatingTable, option: str, cells: Mapping[At, Mapping[str, Any]]) -> str:
    """Return an option's ratings, such as *A2 Hire: O1 +2 · O2 −1? · O3 –*."""
    ratings = (
        words.RATED_ON.format(objective=each, rating=_write_rating(table, (option, each), cells))
        for each in table.objectives
    )
    told = " · ".join(ratings)
    whole = build_line(result.label(option), told)
    return whole if len(whole) <= words.LINE else build_line(result.short(option), told)


def _write_rating(table: RatingTable, at: At, cells: Mapping[At, Mapping[str, Any]]) -> str:
    rating, said = table.rating(*at), cells.get(at, {})
    if rating is None:
        return words.NOT_RATED
    proposed = words.PROPOSED_SIGN if said.get("origin") == SUGGESTED else ""
    if is_unknown(said):
        return NOT_KNOWN + proposed
    span, doubted = read_span(said), words.DOUBTFUL_SIGN if is_doubtful(said) else ""
    sure = _write_range(words.RANGED, span) if span else doubted
    return f"{format_signed(rating)}{sure}{proposed}"


def _write_range(form: str, span: Mapping[str, int]) -> str:
    return form.format(low=format_signed(span["low"]), high=format_signed(span["high"]))


def _describe_extremes(
    result: Result, table: RatingTable, objective: str, cells: Mapping[At, Mapping[str, Any]]
) -> str:
    """Return the options with the best and the worst rating that is known on an objective, and those without one."""
    unknown = [each for each in table.alternatives if is_unknown(cells.get((each, objective), {}))]
    given = {each: table.rating(each, objective) for each in table.alternatives if each not in unknown}
    rated = {each: rating for each, rating in given.items() if rating is not None}
    name, missing = result.short(objective), [each for each in given if each not in rated]
    if not rated:
        return build_line(name, words.NOT_RATED)
    if len(set(rated.values())) == 1:
        told = words.ALIKE_SO_FAR if unknown or missing else words.ALL_ALIKE
        told = told.format(objective=name, rating=format_signed(max(rated.values())))
    else:
        best, worst = (_name_extreme(rated, pick(rated.values())) for pick in (max, min))
        told = words.EXTREMES.format(objective=name, best=best, worst=worst)
    open_ones = ((NOT_KNOWN, unknown), (words.NOT_RATED_YET, missing))
    return ", ".join([told, *(f"{join_words(some, words.FEW)} {what}" for what, some in open_ones if some)])


def _name_extreme(rated: Mapping[str, int], rating: int) -> str:
    options = join_words([each for each, given in rated.items() if given == rating], words.FEW)
    return words.add_brackets(options, format_signed(rating))


def _name_places(result: Result, title: str, places: Collection[At], name: Callable[[str], str]) -> str:
    """Return a line on these ratings, with objectives by this name; empty if there are none."""
    named = [words.RATING_OF.format(alternative=result.short(at[0]), objective=name(at[1])) for at in places]
    return build_line(words.COUNTED.format(title=title, count=len(named)), join_words(named, 1))


def _count_rated(table: RatingTable, cells: Mapping[At, Mapping[str, Any]]) -> tuple[int, int]:
    """Return the numbers of ratings that are known and due; the server writes the status quo's, which do not count."""
    due = table.size - (len(table.objectives) if table.baseline else 0)
    return due - len(table.missing) - sum(map(is_unknown, cells.values())), due


def _tell_unknown(cells: Mapping[At, Mapping[str, Any]]) -> str:
    count = sum(map(is_unknown, cells.values()))
    return words.UNKNOWN_COUNT.format(count=count) if count else ""


def _find_doubts(cells: Mapping[At, Mapping[str, Any]]) -> list[At]:
    return [at for at, each in cells.items() if is_doubtful(each)]


def write_gist(result: Result) -> str:
    """Return the number of ratings given out of those that people give; the server writes the status quo's."""
    table = result.so_far.table(result.draft)
    if table is None:
        return words.GIST_UNRATED
    cells = map_cells(result.draft)
    rated, due = _count_rated(table, cells)
    beyond = write_beyond_gist(find_beyond(result.so_far, result.draft))
    return words.join_texts([words.RATED.format(rated=rated, all=due, unknown=_tell_unknown(cells)), beyond], " · ")


def _list_missing(result: Result, table: RatingTable) -> Listing | None:
    gaps = {objective: [at[0] for at in table.missing if at[1] == objective] for objective in table.objectives}
    return build_listing(
        words.COUNTED.format(title=words.STILL_MISSING, count=len(table.missing)),
        (result.of(each, result.labels(options), marks=(Mark.GAP,)) for each, options in gaps.items() if options),
    )


def build_matrix(result: Result) -> Matrix | None:
    """Return all ratings as a table; None while there is nothing to rate."""
    table = result.so_far.table(result.draft)
    cells = map_cells(result.draft)
    return _build_matrix(result, table, cells) if table else None


def _build_matrix(result: Result, table: RatingTable, cells: Mapping[At, Mapping[str, Any]]) -> Matrix:
    baseline = table.baseline
    return Matrix(
        title=words.AGAINST.format(baseline=result.label(baseline)) if baseline else words.RATINGS,
        rows=tuple(
            Head(handle=each, name=result.name(each), marks=(Mark.BASELINE,) if each == baseline else ())
            for each in table.alternatives
        ),
        columns=tuple(Head(handle=each, name=result.name(each)) for each in table.objectives),
        cells=tuple(
            tuple(
                _build_rating(result, table, (row, column), cells.get((row, column), {})) for column in table.objectives
            )
            for row in table.alternatives
        ),
    )


def _build_rating(result: Result, table: RatingTable, at: At, said: Mapping[str, Any]) -> Rating:
    rated = table.cells.get(at)
    value = None if is_unknown(said) else table.rating(*at)
    return Rating(
        value=value,
        doubtful=rated is not None and rated.doubtful,
        unknown=is_unknown(said),
        note=_explain(result, said, table.scale(at[1])),
    )


def _explain(result: Result, said: Mapping[str, Any], scale: Span) -> str:
    span = read_span(said)
    between = _write_range(words.BETWEEN, span) if span else ""
    if is_unknown(said):
        between = _write_range(words.NOBODY_KNOWS, {"low": scale[0], "high": scale[1]})
    reason, amount = said.get("rationale", ""), _describe_amount(said)
    driver = said.get("uncertainty", {}).get("driver", "")
    return words.join_texts(
        [
            words.PROPOSAL if said.get("origin") == SUGGESTED else "",
            "" if _is_same_range(reason, between) else reason,
            "" if _ungroup(amount) in _ungroup(reason) else amount,
            between,
            words.IN_A_YEAR.format(rating=format_signed(said["in_a_year"])) if "in_a_year" in said else "",
            result.cause(find_place(said), words.DOUBT.format(driver=driver)) if driver else "",
            words.SOURCE.format(source=said["source"]) if "source" in said else "",
        ],
        " · ",
    )


def _ungroup(text: str) -> str:
    """Return the text in the form in which amounts are compared: small, and thousands without a sign between them."""
    return _GROUPING.sub("", text.casefold())


def _is_same_range(reason: str, between: str) -> bool:
    """Return True if a reason only says the range again, with other signs at most."""
    one, other = (each.replace("-", "−").replace("+", "").casefold().strip(" .") for each in (reason, between))
    return one == other


def _describe_amount(said: Mapping[str, Any]) -> str:
    """Return the amount with its unit, marked if its rating has changed since; empty if there is none."""
    if "quant_value" not in said:
        return ""
    amount = describe_amount(said)
    if not is_of_before(said):
        return amount
    return words.OF_BEFORE.format(amount=amount, rating=format_signed(said["amount_for"]["rating"]))


def _list_of_before(result: Result, cells: Mapping[At, Mapping[str, Any]]) -> Listing | None:
    """List the amounts whose ratings have changed since, until they are confirmed or changed."""
    found = [
        Item(text=result.so_far.label_place(at), notes=(_describe_amount(each),))
        for at, each in cells.items()
        if is_of_before(each)
    ]
    return build_listing(words.ASK_OF_BEFORE, limit_items(found))


def _find_contradictions(result: Result, table: RatingTable) -> list[Item]:
    return [
        Item(
            text=words.CONTRADICTION.format(
                objective=result.label(each.objective),
                higher=result.label(each.rated_higher),
                lower=result.label(each.rated_lower),
            )
        )
        for each in find_contradictions(table, result.so_far.measure(result.draft))
    ]


def _list_proposals(result: Result, cells: Mapping[At, Mapping[str, Any]]) -> Listing | None:
    """List the model's own ratings, because the owner should look at them before approval."""
    found = [
        Item(text=f"{result.so_far.label_place(at)}: {format_signed(each['rating'])}", marks=(Mark.SUGGESTED,))
        for at, each in cells.items()
        if each.get("origin") == SUGGESTED
    ]
    return build_listing(words.COUNTED.format(title=words.PROPOSED, count=len(found)), limit_items(found))


def _list_carried(result: Result) -> Listing | None:
    """List ratings against a former status quo. They have no effect until a person confirms them."""
    found = [_build_carried(result, at, each) for at, each in find_carried(result.draft, result.so_far).items()]
    return build_listing(words.COUNTED.format(title=words.CARRIED, count=len(found)), limit_items(found))


def _build_carried(result: Result, at: At, each: CarriedRating) -> Item:
    was = words.RATED_AGAINST.format(rating=format_signed(each.rating), baseline=result.label(each.against))
    if each.proposed is None:
        return Item(text=result.so_far.label_place(at), notes=(was, words.NOT_CARRIED), marks=(Mark.GAP,))
    return Item(text=f"{result.so_far.label_place(at)}: {format_signed(each.proposed)}", notes=(was,))


def _list_doubts(result: Result, cells: Mapping[At, Mapping[str, Any]]) -> Listing | None:
    found = [
        Item(
            text=result.so_far.label_place(at),
            notes=select_notes([result.cause(at, find_value(cells[at], "uncertainty.driver") or "")]),
        )
        for at in _find_doubts(cells)
    ]
    return build_listing(words.COUNTED.format(title=words.IN_DOUBT, count=len(found)), limit_items(found))


def _build_anchor(result: Result, each: Mapping[str, str]) -> Item:
    steps = [step for step in range(BEST, WORST - 1, -1) if str(step) in each]
    return result.of(
        each["objective_id"],
        *(words.STEP_MEANS.format(step=format_signed(step), text=each[str(step)]) for step in steps),
    )


def _build_uncertainty(result: Result, each: Mapping[str, Any]) -> Item:
    depends, resolvable = describe_uncertainty(result, each)
    late = describe_lateness(each, result.so_far)
    return build_item(
        each,
        depends,
        "" if late else resolvable,
        words.WORTH_RESOLVING[each.get("worth_resolving")],
        build_line(words.BY_WHEN, describe_when(each)) if each.get("worth_resolving") or "by_when" in each else "",
        late,
    )
