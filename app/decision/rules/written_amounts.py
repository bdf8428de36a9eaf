"""Amounts that people wrote of an option, in its own text or in the reason for a rating, against the approved ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from app.decision.analysis.amounts.bounds import WrittenAmount, read_span, read_written_amounts
from app.decision.analysis.amounts.number_words import WORDS
from app.decision.analysis.amounts.units import find_kind, split_period
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.schema.findings import Finding, Remark
from app.decision.schema.paths import Draft, find_value, find_values, read_name
from app.decision.schema.similarity import split_words
from app.decision.schema.terms import format_amount

RATED: Final = "consequences"
COUNTS: Final = MappingProxyType({**WORDS, "both": 2, "twice": 2, "double": 2})
"""What words say of how many times an amount counts."""
_SPREAD: Final = re.compile(r"\bover (?:the )?(?:next |first )?(\w+) (?:years|months|quarters)\b", re.IGNORECASE)
_BARE: Final = frozenset(
    re.findall(
        r"\w+",
        """most least more less than with from that this over under have must will year years month months week weeks
        hour hours days limit budget maximum minimum below within about only kept keep each their there they should
        euro euros dollar dollars thousand million high higher reduce small large good better little above beyond
        between exceed exceeds exceeding longer later greater larger bigger fewer shorter lower earlier sooner smaller
        upwards onwards equal never nobody none nothing cannot without höchstens mindestens maximal minimal jahr jahre
        jahren monat monate monaten woche wochen tage tagen stunde stunden franken tausend mehr weniger unter über darf
        dürfen muss grenze limite
        fixed firm hard strict given gesetzt fest""",
    )
)
"""Words that do not say what a limit or an objective is about."""
_LETTERS: Final = 4
"""Letters by which a word is the same in another number or case."""
MONEY: Final = "money"
"""The kind of unit in which one amount may be a part of another."""
TOLERANCE: Final = 0.005
"""Share by which an amount in a text may be rounded."""


def find_rated(so_far: DecisionRecord) -> Draft:
    """Return the newest approved ratings, also if they are of a later step."""
    return so_far.results.get(RATED) or so_far.later.get(RATED) or {}


def reasons_agree(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask whether a reason still holds that names another amount of its objective than the one beside it.

    It holds if that amount is one that it names, or follows from those and other options': "saves 20k". So it does if
    it is inside the span that the reason gives: "11 to 17k".
    """
    cells = find_values(draft, "table.cells[]")
    for objective, collected in so_far.collect(draft).items():
        for cell in (each for each in cells if each["objective_id"] == objective and "rationale" in each):
            amount = collected.amounts.get(find_place(cell))
            written = read_written_amounts(cell["rationale"])
            named = [*filter(None, (_read_surely(each, collected.unit) for each in written))]
            others = [each for at, each in collected.amounts.items() if at != find_place(cell)]
            if amount is None or not named or _follows(amount, named, others, _read_counts(cell["rationale"])):
                continue
            more = [0.0, *filter(None, (each.read_loosely(collected.unit) for each in written))]
            shares = [each / count for count in _read_spread(cell["rationale"]) for each in named]
            if any(_is_near(share + each, amount) for share in shares for each in more):
                continue
            span = read_span(cell["rationale"], collected.unit)
            if span and all(bound.allows(amount, end) for bound, end in span):
                continue
            told, other = (format_amount(each, collected.unit) for each in (named[0], amount))
            yield Remark(
                f"The reason for {so_far.label_place(find_place(cell))} speaks of {told}, and the amount beside it is "
                f"{other}. Does the reason still hold?",
                about=[(*find_place(cell), told, other)],
            )


def _read_surely(written: WrittenAmount, unit: str) -> float | None:
    """Return the amount in this unit; also a bare 20k, unless what is measured is so much in a period."""
    found = written.read_in(unit)
    is_bare = written.is_scaled and not written.period and not split_period(unit)[1]
    return written.read_loosely(unit) if found is None and is_bare else found


def _read_counts(text: str) -> list[float]:
    """Return the numbers of a text, written in digits or as words."""
    return [
        *(each.number for each in read_written_amounts(text)),
        *(float(COUNTS[word]) for word in split_words(text) if word in COUNTS),
    ]


def _follows(amount: float, named: list[float], others: list[float], counts: list[float]) -> bool:
    """Return True if an amount is one that was named, a sum or a difference of two, or a count times one.

    So it does if one that was named is how far the amount is from another option's: 3 shifts of 8 h, 20k less.
    """
    beside = (each + way * one for each in others for one in named for way in (-1, 1))
    times = (count * each for count in counts for each in named)
    return _is_stated(amount, named) or any(_is_near(each, amount) for each in chain(beside, times))


def _read_spread(text: str) -> Iterator[float]:
    """Yield over how many years or months a text spreads an amount: "60k over three years"."""
    yield from (count for found in _SPREAD.finditer(text) for count in _read_counts(found[1]) if count > 1)


def find_newer(option: Mapping[str, Any], so_far: DecisionRecord) -> tuple[tuple[str, str], ...]:
    """Return the objectives on which an option has an approved amount that its own text contradicts, with the amount.

    A text contradicts it if it has amounts of that unit, and none of them, nor the sum or difference of two, is equal,
    and it is in no range of the text. Unless they are money, the text has to share a word with the objective, too. So
    does a text that has another amount of a period than the reason for a rating.
    """
    texts = (str(option.get("description", "")), read_name(option), *option.get("assumptions", ()))
    written = [*chain.from_iterable(map(read_written_amounts, texts))]
    found = list[tuple[str, str]]()
    for objective, collected in so_far.collect(find_rated(so_far)).items():
        amount = collected.amounts.get((option["handle"], objective))
        stated = _read_all(written, collected.unit) if _may_speak_of(texts, objective, collected.unit, so_far) else []
        if amount is None or not stated or _is_stated(amount, stated):
            continue
        if not any(find_range(amount, each, collected.unit) for each in texts):
            found.append((objective, format_amount(amount, collected.unit)))
    known = [objective for objective, _ in found]
    reworded = (each for each in _list_reworded(option["handle"], written, so_far) if each[0] not in known)
    return (*found, *reworded)


def _may_speak_of(texts: Iterable[str], objective: str, unit: str, so_far: DecisionRecord) -> bool:
    """Return False for amounts of other things in the same unit: "140 pumps" are bought, not out of service."""
    topics = find_subjects(" ".join(name_objective(objective, so_far))) - find_subjects(unit)
    return find_kind(unit) == MONEY or any(topics & find_subjects(each) for each in texts)


def name_objective(objective: str, so_far: DecisionRecord) -> tuple[str, str]:
    """Return the name of an objective and its measure; an empty one if it has none."""
    row = so_far.find_objective(objective)
    return read_name(row), find_value(row, "performance_measure.metric") or ""


def find_range(amount: float, text: str, unit: str) -> tuple[float, float] | None:
    """Return the ends of a range in the text that holds the amount: of "5-6 months" for 5.5; None without one."""
    span = read_span(text, unit)
    if len({each.is_upper for each, _ in span}) < 2 or not all(each.allows(amount, end) for each, end in span):
        return None
    low, high, *_ = sorted(end for _, end in span)
    return low, high


def _list_reworded(handle: str, written: Iterable[WrittenAmount], so_far: DecisionRecord) -> Iterator[tuple[str, str]]:
    """Yield the amounts of a period in an option's reasons of which its own text has other ones: "1,650 a month"."""
    stated: dict[tuple[str, ...], set[float]] = {}
    for each in written:
        stated.setdefault(_name_kind(each), set()).add(each.number)
    for cell in find_values(find_rated(so_far), "table.cells[]"):
        for each in read_written_amounts(cell.get("rationale", "")) if cell["alternative_id"] == handle else ():
            if each.period and each.number not in stated.get(_name_kind(each), {each.number}):
                yield cell["objective_id"], " ".join((format_amount(each.number), *each.tail, each.period))


def _name_kind(amount: WrittenAmount) -> tuple[str, ...]:
    return (*amount.tail, amount.period)


def _read_all(written: list[WrittenAmount], unit: str) -> list[float]:
    """Return the amounts in this unit, and beside one of them also bare numbers: "240,000 euros, 72,000 less"."""
    read = [(each, each.read_in(unit)) for each in written]
    read = [(each, each.read_loosely(unit) if amount is None else amount) for each, amount in read]
    worth = next((amount / each.number for each, amount in read if amount and each.number), None)
    bare = [each.number * worth for each, amount in read if amount is None and worth is not None]
    return [*(amount for _, amount in read if amount is not None), *bare]


def _is_stated(amount: float, stated: list[float]) -> bool:
    combined = (each for one in stated for other in stated for each in (one + other, one - other))
    return any(_is_near(each, amount) for each in chain(stated, combined))


def _is_near(stated: float, amount: float) -> bool:
    return abs(stated - amount) <= abs(amount) * TOLERANCE


def find_subjects(text: str) -> frozenset[str]:
    """Return the beginnings of the words that say what a text is about."""
    words = (each for each in split_words(text) if len(each) >= _LETTERS and each not in _BARE)
    return frozenset(each[:_LETTERS] for each in words if not any(map(str.isdigit, each)))
