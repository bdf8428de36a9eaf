"""Amounts that people wrote of an option, in its own text or in the reason for a rating, against the approved ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from app.decision.analysis.amounts.bounds import WrittenAmount, read_span, read_target, read_written_amounts
from app.decision.analysis.amounts.number_words import WORDS
from app.decision.analysis.amounts.units import find_kind
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.schema.findings import Finding, Remark
from app.decision.schema.paths import Draft, find_value, find_values, read_name
from app.decision.schema.similarity import split_words
from app.decision.schema.terms import format_amount

RATED: Final = "consequences"
_IS_AMOUNT: Final = re.compile(r"\W*(?:(?:about|ca|etwa|rund)\b\W*)?\d", re.IGNORECASE)
"""The beginning of a text that is an amount, and does not only name one."""
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
TOLERANCE: Final = 0.015
"""Share by which an amount in a text may be rounded."""


def find_rated(so_far: DecisionRecord) -> Draft:
    """Return the newest approved ratings, also if they are of a later step."""
    return so_far.results.get(RATED) or so_far.later.get(RATED) or {}


def reasons_agree(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask whether a reason still holds that is one amount, "20k for the oven", and another than the one beside it."""
    amounts = so_far.collect(draft)
    for cell in find_values(draft, "table.cells[]"):
        at, reason, collected = find_place(cell), cell.get("rationale", ""), amounts.get(cell["objective_id"])
        is_amount = _IS_AMOUNT.match(reason) and WORDS.keys().isdisjoint(split_words(reason))
        named = read_target(reason, collected.unit) if collected and is_amount else None
        amount = collected.amounts.get(at) if collected else None
        if collected and amount is not None and named is not None and not _is_near(named, amount):
            told, other = (format_amount(each, collected.unit) for each in (named, amount))
            yield Remark(
                f"The reason for {so_far.label_place(at)} speaks of {told}, and the amount beside it is {other}. Does "
                "the reason still hold?",
                about=[(*at, told, other)],
            )


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
    read = [(each.number, each.read_in(unit)) for each in written]
    worth = next((amount / number for number, amount in read if amount and number), 0.0)
    return [number * worth if amount is None else amount for number, amount in read] if worth else []


def _is_stated(amount: float, stated: list[float]) -> bool:
    combined = (each for one in stated for other in stated for each in (one + other, one - other))
    return any(_is_near(each, amount) for each in chain(stated, combined))


def _is_near(stated: float, amount: float) -> bool:
    return abs(stated - amount) <= abs(amount) * TOLERANCE


def find_subjects(text: str) -> frozenset[str]:
    """Return the beginnings of the words that say what a text is about."""
    words = (each for each in split_words(text) if len(each) >= _LETTERS and each not in _BARE)
    return frozenset(each[:_LETTERS] for each in words if not any(map(str.isdigit, each)))
