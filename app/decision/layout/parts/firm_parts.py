"""How firm the lead is, and what to find out first, in words: coarse ones, because the shares rest on assumptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import MappingProxyType
from typing import Final

from app.core.state.sheet import Item, Listing
from app.core.text.labels import join_words
from app.decision.firmness.firmness import NOTABLE, Doubt, Firmness
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.contender_parts import name_with_condition
from app.decision.layout.parts.result import DETAILED, Result, build_listing, limit_items, select_notes
from app.decision.layout.parts.told_parts import list_conditions, list_conditions_of, list_leading

NAMED: Final = 3
"""Options whose share is told."""
COMES_FIRST_IN: Final = "{option} comes first in {share} of what you call possible"
ALSO_FIRST: Final = "{option} in {share}"
LEVEL_IN: Final = "{options} are level in {share}."
ALL: Final = "all"
FRACTIONS: Final = (
    (1.0, "nearly all"), (0.9, "about nine tenths"), (0.8, "about four fifths"), (0.75, "about three quarters"),
    (2 / 3, "about two thirds"), (0.5, "about half"), (1 / 3, "about a third"), (0.25, "about a quarter"),
    (0.2, "about a fifth"), (0.1, "about a tenth"), (0.0, "hardly any"),
)  # fmt: skip
ASSUMED: Final = "Assumed: {assumed}."
TRIED_RATINGS: Final = (
    "a rating in doubt is anywhere in its range, or one step off where you gave none, each step as likely"
)
GIVEN_POINTS: Final = "your points hold"
TRIED_POINTS: Final = "where you gave no points, any from 0 to 100 are as likely"
ALL_CASES: Final = "all {cases} cases were counted"
DRAWN_CASES: Final = "{cases} cases were drawn, so a share may be off by a point or two of a hundred"
SEVERAL: Final = "Several"
SOME_OF: Final = "Some of {options}"
PAIR: Final = 2
ON_SUM: Final = " on the plain sum"
ALONE: Final = MappingProxyType(
    {
        False: "Another rating here alone would change who leads{measure}.",
        True: "An answer here alone could change who leads{measure}.",
    }
)
TOGETHER: Final = MappingProxyType(
    {
        False: "In {share} of the cases that you call possible, another rating here would change who leads.",
        True: "In {share} of the cases that you call possible, the answer here decides who leads.",
    }
)
TOGETHER_BY_SUM: Final = MappingProxyType(
    {
        False: "Together with other doubts, another rating here could change who leads on the plain sum.",
        True: "Together with other doubts, an answer here could change who leads on the plain sum.",
    }
)
"""Of a doubtful rating, and of one that nobody knows (True)."""

Label = Callable[[str], str]


def list_firmness(result: Result, firmness: Firmness | None) -> Listing | None:
    """List who comes first how often, under which assumption; None if nothing else was possible."""
    told = describe_firmness(firmness, partial(name_with_condition, result.so_far)) if firmness else ()
    return build_listing(words.SENSITIVITY, (Item(text=each) for each in told))


def list_first_to_know(result: Result, firmness: Firmness | None) -> Listing | None:
    """List what the leading options count on, the doubts that could change who leads, and the rest."""
    first = tuple(list_conditions_of(result.so_far, list_leading(result.so_far)))
    leading = tuple(Item(text=each) for each in first)
    others = tuple(Item(text=each) for each in list_conditions(result.so_far) if each not in first)
    if firmness is None:
        return build_listing(words.FIND_OUT_FIRST, (*leading, *others))
    drivers = {
        (option, objective): result.cause((option, objective), words.DOUBT.format(driver=driver))
        for option, objective, driver in result.so_far.doubts
        if driver
    }
    telling = [
        Item(
            text=result.so_far.label_place(each.at),
            notes=select_notes([*_describe_effect(result, each, firmness), drivers.get(each.at, "")]),
        )
        for each in firmness.doubts
        if not each.idle
    ]
    idle = [result.so_far.label_place(each.at) for each in firmness.doubts if each.idle]
    told = words.IDLE[firmness.exact].format(cells=join_words(idle, DETAILED)) if idle else ""
    return build_listing(
        words.FIND_OUT_FIRST, (*leading, *limit_items(telling), *others, *([Item(text=told)] if told else []))
    )


def describe_firmness(firmness: Firmness, label: Label) -> tuple[str, ...]:
    """Return the sentence on first places and the one on what was assumed; empty if there was only one case."""
    if firmness.cases == 1:
        return ()
    shares = [
        (ALSO_FIRST if index else COMES_FIRST_IN).format(
            option=label(option), share=describe_share(share, exact=firmness.exact)
        )
        for index, (option, share) in enumerate([*firmness.firsts.items()][:NAMED])
    ]
    level_share = describe_share(firmness.level, exact=firmness.exact)
    level = LEVEL_IN.format(options=_name_level(firmness, label), share=level_share)
    told = [f"{', '.join(shares)}." if shares else "", level if firmness.level >= NOTABLE else ""]
    return words.join_texts(told, " "), _describe_assumption(firmness)


def _name_level(firmness: Firmness, label: Label) -> str:
    """Return the options that are level in some case if they are few; those named just before by their handles.

    Only two are level in the same cases: of more, each case may have others.
    """
    named = [*firmness.firsts][:NAMED]
    told = join_words(each if each in named else label(each) for each in firmness.level_ones)
    if len(firmness.level_ones) > NAMED:
        return SEVERAL
    return told if len(firmness.level_ones) == PAIR else SOME_OF.format(options=told)


def describe_share(share: float, *, exact: bool) -> str:
    """Return a share in words: the nearest plain fraction, or all if every case was counted (`exact`)."""
    if exact and share == 1:
        return ALL
    return min(FRACTIONS, key=lambda each: abs(each[0] - share))[1]


def _describe_assumption(firmness: Firmness) -> str:
    tried = [
        *([TRIED_RATINGS] if firmness.doubts else []),
        TRIED_POINTS if firmness.open else GIVEN_POINTS,
        ALL_CASES if firmness.exact else DRAWN_CASES,
    ]
    return ASSUMED.format(assumed="; ".join(tried)).format(cases=f"{firmness.cases:,}")


def _describe_effect(result: Result, each: Doubt, firmness: Firmness) -> Iterator[str]:
    table = result.so_far.rated
    cell = table.cells.get(each.at) if table is not None else None
    is_unknown = cell is not None and cell.is_unknown
    if each.alone:
        yield ALONE[is_unknown].format(measure="" if firmness.open or each.alone_by_value else ON_SUM)
    if each.share:
        yield TOGETHER[is_unknown].format(share=describe_share(each.share, exact=firmness.exact))
    if each.by_sum and not each.alone and not each.share:
        yield TOGETHER_BY_SUM[is_unknown]
