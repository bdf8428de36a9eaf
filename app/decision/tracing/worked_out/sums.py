"""Sums and differences of amounts in a text: "165k + 10k", "240,000 euros, 72,000 less"; and what takes more steps.

Only amounts of one unit are combined, two or three that stand side by side. Where the text states no arithmetic, two
amounts count only if a sentence, or a part of it, has no others, and only for things that it names.

For what is worked out in more than one step ("with 250 for heating it is 30,100 in 14 months"), an invented figure must
not pass by chance. So a sentence has to name the months, people and so on that multiply, and a sum one of its terms;
the other may stand in a sentence of somebody else, but only on the same thing. An amount for a month makes one for a
year without that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from typing import Final

from app.decision.analysis.amounts.bounds import read_bounds
from app.decision.tracing import figure_forms
from app.decision.tracing.figures import Amount, Figure, read_figures

SIZEABLE: Final = Decimal(100)
"""Amounts from here on are combined where no arithmetic is stated; smaller ones meet by chance."""
MOST_TERMS: Final = 3
NOTHING: Final = frozenset[str]()
_NONE: Final = Decimal(0)
PASSES: Final = 2
"""How often a text is gone through: what follows from a figure may stand before it."""

_CUE: Final = re.compile(
    r"[+−]|\b(?:plus|minus|less|more|another|top|off|cheaper|dearer|back|weniger|mehr|günstiger|teurer)\b",
    re.IGNORECASE,
)
_WORDS: Final = r"(?:[ ]?[^\W\d_]+){0,3}?"
_ABOUT: Final = r"[ ]?(?:(?:about|another|some|around|the)[ ])?[€$£¥]?$"
_PLUS: Final = re.compile(rf"^{_WORDS}[ ,]*(?:\+|plus|and another|on top of|more than){_ABOUT}", re.IGNORECASE)
_MINUS: Final = re.compile(rf"^{_WORDS}[ ,]*(?:−|minus|less(?! than)){_ABOUT}", re.IGNORECASE)
_FROM: Final = re.compile(rf"^{_WORDS}[ ]*(?:off|less than|cheaper than|below){_ABOUT}", re.IGNORECASE)
_BESIDE: Final = re.compile(
    rf"^{_WORDS}[ ]*(?:,|and|but|with|of which|,[ ]and)(?:[ ][^\W\d_]+){{0,3}}?[ ]?$", re.IGNORECASE
)
_THEN_LESS: Final = re.compile(
    r"^[ ](?:[^\W\d_]+[ ])?(?:less|off|cheaper|back|weniger|günstiger)\b(?! than| als)", re.IGNORECASE
)
_THEN_MORE: Final = re.compile(
    r"^[ ](?:[^\W\d_]+[ ])?(?:more|on top|extra|dearer|mehr|teurer)\b(?! than| als)", re.IGNORECASE
)
_SENTENCE: Final = re.compile(r"(?:[^.;!?\n]|[.](?=\d))+")
_PART: Final = re.compile(r"(?:[^,:]|,(?=\d{3}))+")
_THINGS: Final = re.compile(
    r"[ -](?!(?:plus|minus|less|was|has|costs|comes|makes|gives)\b)"
    r"(?:[^\W\d_]{2,}s|people|children|staff|m²|qm|sqm|sq ?m|square (?:met(?:er|re)s?|feet))(?!\w)",
    re.IGNORECASE,
)
_PERIOD: Final = re.compile(
    r"[ ]?(?:/[ ]?|(?:per|an?|each|every)[ ])(?P<of>mo|mth|month|q|quarter|y|yr|year)\b"
    r"|[ ](?P<each>monthly|quarterly|yearly|annually)\b|[ ](?:in|for)[ ](?:the[ ]first|a|one)[ ](?P<whole>year)\b",
    re.IGNORECASE,
)
"""For which time an amount is: "12k/mo", "96k a year", "156k in the first year"."""
_PERIODS: Final = {
    **dict.fromkeys(("mo", "mth", "month", "monthly"), 1),
    **dict.fromkeys(("q", "quarter", "quarterly"), 3),
    **dict.fromkeys(("y", "yr", "year", "yearly", "annually"), 12),
}
"""Months of each."""
_DIVIDED: Final = re.compile(r"\d[kM]?[^\W\d_]{0,4}[ ]?[/÷][ ]?\d|\b(?:over|spread|divided by)\b", re.IGNORECASE)
"""What says that an amount is divided by a number of things."""
_OF_LIMIT: Final = re.compile(r"\b(?:limit|cap|budget|ceiling|most|maximum)\b", re.IGNORECASE)
_COMPARES: Final = re.compile(
    r"\b(?:than|less|more|cheaper|dearer|over|above|under|below|saves?|left)\b", re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_STEM: Final = 4
_COMMON: Final = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at but by can did does for had has how its may nor not now off one our out per she the
        too two was who why you all any few yet usd eur each euro thousand million days that this with from have
        than then they them when what will would over about only less more most least both into also come plus
        minus their there which cost comes came dollar dollars euros pound pounds year years month months week
        weeks hour hours day costs der die das den dem des ein eine einen einem einer und oder aber ist sind war
        waren wird werden hat haben von vom zum zur mit für bei aus auf nach wir ihr sie ich mir mich uns dass wenn
        nicht kein keine nein noch auch nur schon sehr mehr weniger als wie wer wann doch dann franken jahr
        jahre monat monate woche wochen""",
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


def find_topics(text: str, common: Collection[str] = _COMMON) -> frozenset[str]:
    """Return the beginnings of the words that say what a text is about; the common ones say nothing."""
    words = (each.casefold() for each in _WORD.findall(text))
    return frozenset(each[:_STEM] for each in words if each not in common)


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
    starts = [each.start for each in figures]
    for sentence in _SENTENCE.finditer(text):
        parts = [(sentence.start() + each.start(), each[0]) for each in _PART.finditer(sentence[0])]
        for start, words in dict.fromkeys([(sentence.start(), sentence[0]), *parts]):
            end = start + len(words)
            inside = [
                each for each in figures[bisect_left(starts, start) : bisect_left(starts, end)] if each.end <= end
            ]
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


def find_worked_out(
    text: str, strange: Sequence[Figure], known: Sequence[Figure], heard: Iterable[str]
) -> tuple[Figure, ...]:
    """Return those of the strange figures of a text that follow from known ones, and from what was heard."""
    lines = [line for words in heard for line in _SENTENCE.findall(words)]
    found = list[Figure]()
    for figure in (*strange, *strange)[: PASSES * len(strange)]:
        made = _Surroundings(text, figure, (*known, *found), tuple(found), lines)
        is_made = made.find_rate() or not _read_amounts(figure).isdisjoint(made.list_values())
        if figure not in found and is_made:
            found.append(figure)
    return tuple(found)


def find_factors(text: str, figure: Figure, known: Sequence[Figure]) -> str:
    """Return the equation of an amount that follows from a known one for another period, or from one and a number of
    things; else nothing.
    """
    around = _Surroundings(text, figure, tuple(known), (), ())
    return around.find_rate() or around.find_product()


@dataclass(frozen=True)
class _Surroundings:
    """What stands around a figure of a text, and what was heard of the same things."""

    text: str
    figure: Figure
    known: tuple[Figure, ...]
    found: tuple[Figure, ...]
    lines: Sequence[str]

    def list_values(self) -> Iterator[Decimal]:
        """Yield what the known figures make."""
        counts, own = self._counts, self._own
        heard = {value for line in self._related for value in _read_line(line)}
        terms = own | heard | {one + other for one, other in product(own, own | heard)}
        yield from (one * count for one, count in product(terms, counts))
        yield from (one * count + other for one, count, other in product(own, counts, own))
        others = own if _COMPARES.search(self._part) else set[Decimal]()
        before = {value for each in self.found for value in _read_amounts(each)}
        yield from (abs(one - other) for one, other in product(before, {*others, *self._bounds}))

    def find_product(self) -> str:
        """Return the equation of an amount and a number of things, which divides it only where that is written:
        684 = 18 × 38, 1,500 = 54,000 ÷ 36.
        """
        made = _read_amounts(self.figure)
        is_divided = _DIVIDED.search(self._sentence) is not None
        for one, count in product(sorted(self._own), sorted(self._counts)):
            if one * count in made:
                return write_rate(one * count, one, Fraction(count))
            if is_divided and count and one / count in made:
                return write_rate(one / count, one, 1 / Fraction(count))
        return ""

    def find_rate(self) -> str:
        """Return the equation of an amount for a month or a year from one for another time: 144,000 = 12,000 × 12.

        A second amount of its sentence may be added to that: what comes once, or another part of the whole.
        """
        months = _read_months(self.figure, self.text)
        if not months:
            return ""
        here = [(each, _read_months(each, self.text)) for each in self._inside]
        more = [_NONE, *(value for each, of in here if not of for value in _read_amounts(each))]
        for each, of in here:
            for value, extra in product(_read_amounts(each) if of else (), more):
                made = value * months / of + extra
                if made in _read_amounts(self.figure) and (of != months or extra):
                    return write_rate(made, value, Fraction(months, of), extra)
        return ""

    @cached_property
    def _span(self) -> re.Match[str]:
        return next(each for each in _SENTENCE.finditer(self.text) if each.end() > self.figure.start)

    @cached_property
    def _counts(self) -> set[Decimal]:
        return {value for each in self._inside for value in _read_counts(each, self._sentence, self._start)}

    @cached_property
    def _own(self) -> set[Decimal]:
        return {value for each in self._inside for value in _read_amounts(each)} - self._counts

    @property
    def _sentence(self) -> str:
        return self._span[0]

    @property
    def _start(self) -> int:
        return self._span.start()

    @cached_property
    def _part(self) -> str:
        at = self.figure.start - self._start
        return next(each[0] for each in _PART.finditer(self._sentence) if each.end() > at)

    @cached_property
    def _inside(self) -> list[Figure]:
        return [each for each in self.known if self._span.start() <= each.start < self._span.end()]

    @cached_property
    def _related(self) -> list[str]:
        topics = find_topics(self._sentence)
        return [line for line in self.lines if find_topics(line) & topics and not any(read_bounds(line))]

    @cached_property
    def _bounds(self) -> set[Decimal]:
        found = (each for line in self.lines for each in read_bounds(line)) if _OF_LIMIT.search(self._part) else ()
        return {Decimal(str(each.amount.number)) for each in found}


def _read_line(line: str) -> Iterator[Decimal]:
    for figure in read_figures(line):
        counts = _read_counts(figure, line, 0)
        yield from _read_amounts(figure) - counts


def _read_months(figure: Figure, text: str) -> int:
    """Return for how many months an amount is; 0 if its text does not say."""
    found = _PERIOD.match(text, figure.end)
    return _PERIODS[(found["of"] or found["each"] or found["whole"]).casefold()] if found else 0


def write_rate(made: Decimal, value: Decimal, times: Fraction, extra: Decimal = _NONE) -> str:
    """Return the equation of an amount that is another one so many times, and something more."""
    factor = f" × {times.numerator}" * (times.numerator > 1) + f" ÷ {times.denominator}" * (times.denominator > 1)
    added = f" + {extra.normalize():,f}" if extra else ""
    return f"{made.normalize():,f} = {value.normalize():,f}{factor}{added}"


def _read_amounts(figure: Figure) -> set[Decimal]:
    return {each.value for each in figure.amounts if each.unit in ("", figure_forms.MONEY)}


def _read_counts(figure: Figure, text: str, start: int) -> set[Decimal]:
    """Return the number of months, people and so on that a figure is."""
    is_counted = _THINGS.match(text, figure.end - start) is not None
    units = ("", *figure_forms.LENGTHS) if is_counted else figure_forms.LENGTHS
    return {each.value for each in figure.amounts if each.unit in units}
