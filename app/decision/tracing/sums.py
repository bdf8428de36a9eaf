"""Sums and differences of amounts in a text: "165k + 10k", "240,000 euros, 72,000 less".

Only amounts of one unit are combined, two or three that stand side by side. Where the text states no arithmetic, two
amounts count only if a sentence, or a part of it, has no others, and only for things that it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from app.decision.tracing import figure_forms
from app.decision.tracing.figures import Amount, Figure, read_figures

SIZEABLE: Final = Decimal(100)
"""Amounts from here on are combined where no arithmetic is stated; smaller ones meet by chance."""
MOST_TERMS: Final = 3
NOTHING: Final = frozenset[str]()

_CUE: Final = re.compile(r"[+−]|\b(?:plus|minus|less|more|another|top|off|cheaper|dearer|back)\b", re.IGNORECASE)
_WORDS: Final = r"(?:[ ]?[^\W\d_]+){0,3}?"
_ABOUT: Final = r"[ ]?(?:(?:about|another|some|around|the)[ ])?[€$£¥]?$"
_PLUS: Final = re.compile(rf"^{_WORDS}[ ,]*(?:\+|plus|and another|on top of|more than){_ABOUT}", re.IGNORECASE)
_MINUS: Final = re.compile(rf"^{_WORDS}[ ,]*(?:−|minus|less(?! than)){_ABOUT}", re.IGNORECASE)
_FROM: Final = re.compile(rf"^{_WORDS}[ ]*(?:off|less than|cheaper than|below){_ABOUT}", re.IGNORECASE)
_BESIDE: Final = re.compile(
    rf"^{_WORDS}[ ]*(?:,|and|but|with|of which|,[ ]and)(?:[ ][^\W\d_]+){{0,3}}?[ ]?$", re.IGNORECASE
)
_THEN_LESS: Final = re.compile(r"^[ ](?:[^\W\d_]+[ ])?(?:less|off|cheaper|back)\b(?! than)", re.IGNORECASE)
_THEN_MORE: Final = re.compile(r"^[ ](?:[^\W\d_]+[ ])?(?:more|on top|extra|dearer)\b(?! than)", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?:[^.;!?\n]|[.](?=\d))+")
_PART: Final = re.compile(r"(?:[^,:]|,(?=\d{3}))+")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_STEM: Final = 4
_COMMON: Final = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at but by can did does for had has how its may nor not now off one our out per she the
        too two was who why you all any few yet usd eur each euro thousand million days that this with from have
        than then they them when what will would over about only less more most least both into also come plus
        minus their there which cost comes came dollar dollars euros pound pounds year years month months week
        weeks hour hours day costs""",
    )
)


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum or difference of amounts that stand in one text."""

    value: Decimal
    unit: str
    """Kind of its unit, as of an amount; empty if it has none."""
    terms: tuple[Decimal, ...]
    """With the sign of each. The first is positive."""
    topics: frozenset[str] = NOTHING
    """Beginnings of the words beside amounts for which no arithmetic is stated; it counts only for such things."""

    @property
    def equation(self) -> str:
        """Return the sum with its terms."""
        first, *others = self.terms
        told = [f"{first:,f}", *(f"{'−' if each < 0 else '+'} {abs(each):,f}" for each in others)]
        return f"{self.value:,f} = {' '.join(told)}"


def read_sums(text: str) -> Iterator[Sum]:
    """Yield the sums and differences that a text states, and those of amounts that stand alone beside each other."""
    figures = [each for each in read_figures(text) if not each.is_date and any(_select_amounts(each))]
    if len(figures) < 2:
        return
    stated = [*_read_stated(text, figures)] if _CUE.search(text) else []
    yield from stated
    combined = {frozenset(map(abs, each.terms)) for each in stated}
    yield from (each for each in _read_beside(text, figures) if frozenset(map(abs, each.terms)) not in combined)


def find_topics(text: str) -> frozenset[str]:
    """Return the beginnings of the words that say what a text is about."""
    words = (each.casefold() for each in _WORD.findall(text))
    return frozenset(each[:_STEM] for each in words if each not in _COMMON)


def is_of_unit(amount: Amount, total: Sum) -> bool:
    """Return True if both have one kind of unit, or the sum or the amount has none."""
    return amount.unit == total.unit or not (amount.unit and total.unit)


def _read_stated(text: str, figures: list[Figure]) -> Iterator[Sum]:
    """Yield the results of two terms and of three."""
    signs = [_find_sign(text, one, other) for one, other in pairwise(figures)]
    for start in range(len(signs)):
        sums = [Sum(value, unit, (value,)) for value, unit in _select_amounts(figures[start])]
        for index in range(start, min(start + MOST_TERMS - 1, len(signs))):
            if not signs[index]:
                break
            sums = [one for each in sums for one in _add(each, figures[index + 1], signs[index])]
            yield from (each for each in sums if each.value > 0)


def _find_sign(text: str, one: Figure, other: Figure) -> int:
    """Return what the words do with the second amount: 1, -1, 0 for nothing, or 2 for taking the first from it."""
    between, behind = text[one.end : other.start], text[other.end :]
    if other.text[0] in "+−" and between.strip(" ,") == "":
        return 1 if other.text[0] == "+" else -1
    if _PLUS.match(between):
        return 1
    if _MINUS.match(between):
        return -1
    if _FROM.match(between):
        return 2
    if _BESIDE.match(between):
        return -1 if _THEN_LESS.match(behind) else 1 if _THEN_MORE.match(behind) else 0
    return 0


def _add(so_far: Sum, figure: Figure, sign: int) -> Iterator[Sum]:
    for value, unit in _select_amounts(figure):
        if _fit(so_far.unit, unit):
            terms = (value, *(-each for each in so_far.terms)) if sign == 2 else (*so_far.terms, sign * value)
            yield Sum(sum(terms, Decimal(0)), so_far.unit or unit, terms)


def _read_beside(text: str, figures: list[Figure]) -> Iterator[Sum]:
    for sentence in _SENTENCE.finditer(text):
        parts = [(sentence.start() + each.start(), each[0]) for each in _PART.finditer(sentence[0])]
        for start, words in dict.fromkeys([(sentence.start(), sentence[0]), *parts]):
            inside = [each for each in figures if start <= each.start and each.end <= start + len(words)]
            yield from _combine(inside, find_topics(words))


def _combine(figures: list[Figure], topics: frozenset[str]) -> Iterator[Sum]:
    """Yield the sum and the difference of two sizeable amounts that alone have their unit."""
    sizeable = [(value, unit) for each in figures for value, unit in [*_select_amounts(each)][:1] if value >= SIZEABLE]
    if len(sizeable) == 2 and topics and _fit(sizeable[0][1], sizeable[1][1]):
        low, high = sorted(value for value, _ in sizeable)
        unit = sizeable[0][1] or sizeable[1][1]
        first, second = (value for value, _ in sizeable)
        yield Sum(low + high, unit, (first, second), topics)
        yield Sum(high - low, unit, (high, -low), topics)


def _select_amounts(figure: Figure) -> Iterator[tuple[Decimal, str]]:
    """Yield the amounts that a figure can be, the largest first; none of a time, whose units would have to be alike."""
    yield from sorted(((each.value, each.unit) for each in figure.amounts if each.unit in _COMBINED), reverse=True)


_COMBINED: Final = ("", figure_forms.MONEY, figure_forms.PERCENT)


def _fit(one: str, other: str) -> bool:
    """Return True for one unit, and for an amount of money beside a bare number."""
    return one == other or {one, other} == {"", figure_forms.MONEY}
