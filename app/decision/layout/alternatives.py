"""Presenter of alternatives: options with assumptions, a mark on the status quo, and the strategy table, if any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from app.core.state.sheet import Grid, Item, Mark, Section
from app.core.text.labels import remove_stop
from app.decision.layout.parts import words
from app.decision.layout.parts.limit_parts import list_limits_of, list_newer, write_beyond_gist, write_mark
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    fits_lines,
    pack_lines,
    select_sections,
)
from app.decision.rules.limit_rules import BeyondLimit, find_beyond, is_same_limit
from app.decision.rules.written_amounts import find_newer
from app.decision.schema.paths import read_name
from app.decision.tracing.figure_forms import MONEY
from app.decision.tracing.figures import Day, Figure, read_figures

COUNTS_ON: Final = "counts on: {assumption}"
CONDITIONAL: Final = ("if ", "unless ")
"""Beginnings of conditions that say themselves what holds then: an option does not count on them."""
DESCRIPTION_OPEN: Final = "what it means: not said yet"
NOT_DESCRIBED: Final = "Not described yet"
ON_CONDITION: Final = "on a condition"
HEADING: Final = 24
"""Characters of a line that its heading may take."""

MOST_PRICES: Final = 2
LEAST_PRICE: Final = 1_000
"""A number of at least this size that has no unit counts as a sum of money: prices are often said without one."""

_ABOUT: Final = re.compile(
    r"(?:\b(?:about|around|roughly|up to|at least|at most|under|over|above|below|(?:not? )?(?:more|less) than) |~ ?)$",
    re.IGNORECASE,
)
_TO: Final = re.compile(r"\s*(?:to|[-–—])\s*")
BETWEEN: Final = "between "
_PERIOD: Final = re.compile(
    r"(?:(?: ?/ ?| per )\w+| (?:an?|each|every) (?:hour|day|week|month|quarter|year))\b", re.IGNORECASE
)
_ALONE: Final = re.compile(
    r"\s*(?:$|[^\s\w%])|"
    + _PERIOD.pattern
    + r"|\s(?:once|upfront|up front|one-off|set-?up|in|for|to|and|or|until|over|plus)\b",
    re.IGNORECASE,
)
"""What may follow a sum without a currency; another word would say what is counted."""
_SAYS_STATUS_QUO: Final = re.compile(rf"\s*\((?:the )?(?:{words.STATUS_QUO}|today|baseline)\)$", re.IGNORECASE)


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return all options."""
    options, columns = result.all("alternatives[]"), result.all("strategy_table.decision_columns[]")
    beyond = find_beyond(result.so_far)
    return select_sections(
        build_listing(
            words.COUNTED.format(title=words.OPTIONS, count=_count_options(result)),
            (_build_option(result, each, beyond) for each in options),
            words.NO_OPTION,
        ),
        build_listing(words.BLOCKS, (build_item(each, " · ".join(each.get("options", ()))) for each in columns)),
        _build_strategies(result, columns) if columns else None,
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the options, counted if they share lines, and which of them have no more than a name.

    In brackets, which is the status quo, breaks a limit, costs how much, or counts on something.
    """
    options = result.all("alternatives[]")
    if not options:
        return (words.NO_OPTION,)
    beyond = find_beyond(result.so_far)
    bare = build_line(NOT_DESCRIBED, result.few(each["handle"] for each in options if "description" not in each))
    most = words.ESSENCE_LINES - bool(bare)
    named = [_name_option(result, each, beyond, _list_prices(each, result)) for each in options]
    if not fits_lines(named, most):  # an option counts for more than an amount
        named = [_name_option(result, each, beyond) for each in options]
    if len(named) > most:
        title = words.COUNTED.format(title=words.OPTIONS, count=_count_options(result))
        named[0] = build_line(title, named[0])
    return (*pack_lines(named, most), bare)


def _list_prices(option: Mapping[str, Any], result: Result) -> tuple[str, ...]:
    """Return the first sums of money that an option's own text states, unless newer amounts are known."""
    if any(find_newer(option, result.so_far)):
        return ()
    text, spans = option.get("description", ""), list[tuple[int, int]]()
    for each in (found for found in read_figures(text) if _is_price(found, text[found.end :])):
        start = _find_start(text, *spans[-1], each.start) if spans else None
        spans = [*spans, (each.start, each.end)] if start is None else [*spans[:-1], (start, each.end)]
    return tuple(_quote_price(text, *each) for each in spans)[:MOST_PRICES]


def _find_start(text: str, start: int, end: int, next_: int) -> int | None:
    """Return where a span of sums begins whose other end comes next: 18,000 to 26,000; None if that is no span."""
    between, gap = text[:start].casefold().endswith(BETWEEN), text[end:next_]
    if between and gap.strip() == "and":
        return start - len(BETWEEN)
    return start if _TO.fullmatch(gap) else None


def _is_price(figure: Figure, after: str) -> bool:
    """Return True for money, also without a currency if the words `after` count no other thing: 22k, 1,450 a month."""
    if any(each.unit == MONEY for each in figure.amounts):
        return True
    is_large = any(not each.unit and each.value >= LEAST_PRICE for each in figure.amounts)
    return is_large and not any(isinstance(each, Day) for each in figure.readings) and bool(_ALONE.match(after))


def _quote_price(text: str, start: int, end: int) -> str:
    """Return the sum as the text states it, with words such as "about" before and "a month" behind it."""
    before, after = _ABOUT.search(text[:start]), _PERIOD.match(text[end:])
    return f"{before[0] if before else ''}{text[start:end]}{after[0] if after else ''}"


def _name_option(
    result: Result, each: Mapping[str, Any], beyond: tuple[BeyondLimit, ...], prices: tuple[str, ...] = ()
) -> str:
    is_baseline = each["handle"] == result.one("status_quo_id")
    name = _SAYS_STATUS_QUO.sub("", result.label(each["handle"])) if is_baseline else result.label(each["handle"])
    breaks = write_mark(each["handle"], beyond, is_noted=bool(each.get("broken_limits")))
    marked = [words.STATUS_QUO if is_baseline else "", breaks, *prices]
    told = _add_marks(name, [*marked, *(_describe_condition(text.rstrip(".")) for text in each.get("assumptions", ()))])
    if len(told) <= words.LINE - HEADING:
        return told
    return _add_marks(name, [*marked, ON_CONDITION if each.get("assumptions") else ""])


def _describe_condition(text: str) -> str:
    """Return what an option counts on; what is worded as a condition already stands as it is."""
    if text.casefold().startswith(CONDITIONAL):
        return f"{text[:1].lower()}{text[1:]}"
    return COUNTS_ON.format(assumption=text)


def _add_marks(name: str, marks: Iterable[str]) -> str:
    return words.add_brackets(name, words.join_texts([*marks], ", "))


def _count_options(result: Result) -> str:
    """Return the number of options; the status quo is counted beside them, because it is not rated."""
    count = len(result.all("alternatives[]"))
    return words.PLUS_STATUS_QUO.format(count=count - 1) if result.one("status_quo_id") else str(count)


def write_gist(result: Result) -> str:
    """Return the number of options beside the status quo."""
    count, baseline = len(result.all("alternatives[]")), result.one("status_quo_id")
    told = words.count_noun(count - bool(baseline), words.OPTION)
    counted = words.AND_STATUS_QUO.format(options=told) if baseline else told
    return words.join_texts([counted, write_beyond_gist(find_beyond(result.so_far))], " · ")


def _build_option(result: Result, each: Mapping[str, Any], beyond: tuple[BeyondLimit, ...]) -> Item:
    is_baseline = each["handle"] == result.one("status_quo_id")
    limits = [one.limit for one in beyond if each["handle"] in dict(one.options)]
    noted = (text for text in each.get("broken_limits", ()) if not any(is_same_limit(text, one) for one in limits))
    name, description = _tell_once(read_name(each), each.get("description", DESCRIPTION_OPEN))
    return build_item(
        {**each, "name": name},
        description,
        *(words.ASSUMES.format(assumption=text) for text in each.get("assumptions", ())),
        *(words.BREAKS.format(limit=text) for text in noted),
        *list_limits_of(each["handle"], beyond, result.so_far.label),
        *list_newer(each, result.so_far),
        marks=(*((Mark.BASELINE,) if is_baseline else ()), *result.marks(each)),
    )


def _tell_once(name: str, description: str) -> tuple[str, str]:
    """Return the name and the description of an option: if one begins with the other, the longer one as its name."""
    short, long = sorted((name, description), key=len)
    begins = re.match(rf"{re.escape(remove_stop(short))}\b", long, re.IGNORECASE)
    return (long if len(remove_stop(long)) > len(name) else name, "") if begins else (name, description)


def _build_strategies(result: Result, columns: list[dict[str, Any]]) -> Grid:
    return Grid(
        title=words.STRATEGIES,
        header=(words.OPTION[0].capitalize(), *(result.label(each["handle"]) for each in columns)),
        rows=tuple(_build_strategy(result, each, columns) for each in result.all("strategy_table.strategies[]")),
    )


def _build_strategy(result: Result, strategy: Mapping[str, Any], columns: list[dict[str, Any]]) -> tuple[str, ...]:
    picked = {each["column_id"]: each["option"] for each in strategy.get("selections", ())}
    chosen = (picked.get(each["handle"], words.NOT_CHOSEN) for each in columns)
    return (result.label(strategy["alternative_id"]), *chosen)
