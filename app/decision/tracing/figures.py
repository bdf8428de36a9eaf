"""Reader of the numbers and dates in a text, in the forms in which people write them. Pure, and linear in the text.

What a figure can mean is its *readings*: "3/14" is a day in March, and "1,250" can be a number with a fraction.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product, zip_longest
from typing import Final, NamedTuple

from app.decision.analysis.amounts import number_words
from app.decision.tracing import figure_forms

LONGEST: Final = 15
"""Digits of a number. A longer one is no amount but a name, such as an account number."""

BEFORE_CHARS: Final = 20
"""Characters before a date that can say what its last number is."""
LEAST_YEAR: Final = 24
"""Two digits after a month that may be a year instead of a day: years that decisions speak of."""

SENTENCE: Final = re.compile(r"(?:[^.!?\n]|[.!?](?=\S))+")
_HALF: Final = Decimal("0.5")
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)?")
"""A number and nothing else, as in most cells of a table. No other form can begin with it."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and its kind of unit (`figure_forms.PERCENT` …); an empty unit is unknown.

    `size` is that of the unit: a week has 604,800 seconds.
    """

    value: Decimal
    unit: str = ""
    size: int = 1

    @property
    def total(self) -> tuple[str, Decimal]:
        return self.unit, self.value * self.size


@dataclass(frozen=True, slots=True)
class Day:
    """A date, or the stated part of one: 0 for what is not stated."""

    year: int = 0
    month: int = 0
    day: int = 0


@dataclass(frozen=True, slots=True)
class Weekday:
    """A weekday, from 0 for Monday."""

    number: int


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter of a year, which is 0 if it is not stated."""

    year: int
    number: int


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the day, in minutes."""

    minutes: int


@dataclass(frozen=True, slots=True)
class Relative:
    """A date that follows from the day on which it was said: "tomorrow", "end of month"."""

    text: str


_BARE: Final = frozenset((Amount(Decimal(0)), Amount(Decimal(1))))
"""Numbers that state no amount by themselves."""

Reading = Amount | Day | Weekday | Quarter | Clock | Relative


class Terms(NamedTuple):
    """What an amount holds for: its currency, and the time in which it comes again; either empty if it is not told."""

    currency: str = ""
    period: tuple[str, int] | None = None

    def agree(self, told: Collection[Terms]) -> bool:
        """Return True unless these tell other currencies alone, or other periods alone."""
        currencies, periods = {each.currency for each in told} - {""}, {each.period for each in told} - {None}
        is_same_money = not (self.currency and currencies) or self.currency in currencies
        return is_same_money and (not (self.period and periods) or self.period in periods)


NO_TERMS: Final = Terms()


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or date as it stands in a text, and all that it can mean."""

    text: str
    start: int
    readings: frozenset[Reading]
    is_stated: bool = True
    """False for a form that states an amount only if somebody meant it: "a week", "one", "March" on its own."""
    terms: Terms = NO_TERMS

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """Return the amounts that it can be, the largest first."""
        found = (each for each in self.readings if isinstance(each, Amount))
        return tuple(sorted(found, key=lambda each: (-each.value, each.unit, each.size)))

    @property
    def is_date(self) -> bool:
        """Return True if it can be a date."""
        return any(isinstance(each, Day) and (each.day or each.month) for each in self.readings)


def read_figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text, in order."""
    if _PLAIN.fullmatch(text):
        return tuple(_read_numbers(text))
    left = figure_forms.EXEMPT.sub(_blank, text)
    found = list[Figure]()
    with_digits = (_read_dates, _read_others, _read_numbers, _read_words)
    for read in with_digits if _DIGIT.search(text) else (_read_others, _read_words):
        taken = list(read(left))
        found += taken
        left = _erase(left, taken)
    joined = [*_join_ranges(sorted(found, key=lambda each: each.start), text)]
    return tuple(_add_terms(_add_lengths(joined, text), text))


def _add_terms(figures: Iterable[Figure], text: str) -> Iterator[Figure]:
    """Yield the figures, with what they hold for where that is told."""
    for each in figures:
        currency, again = figure_forms.CURRENCY.search(each.text), figure_forms.EACH_PERIOD.match(text, each.end)
        name = figure_forms.CURRENCIES[currency[0].casefold()] if currency else ""
        unit = (again["unit"] or again.lastgroup or "").casefold() if again else ""
        yield replace(each, terms=Terms(name, figure_forms.UNITS.get(unit))) if currency or again else each


def is_calendar_day(year: int, month: int, day: int) -> bool:
    """Return True if there is such a day; a year of 0 is any."""
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 2024, month)[1]


def _read_dates(text: str) -> Iterator[Figure]:
    if not figure_forms.MAY_BE_DATE.search(text):
        return
    for pattern in figure_forms.DATES:
        taken = list[Figure]()
        for found in pattern.finditer(text):
            if days := _list_days(found):
                taken.append(Figure(found[0], found.start(), frozenset((*days, *_list_amounts_too(found)))))
        yield from taken
        text = _erase(text, taken)


def _list_days(found: re.Match[str]) -> list[Day]:
    named = found.groupdict()
    year = int((named["year"] or "0").lstrip("'’"))
    year += 2000 if 0 < year < 100 else 0
    if named.get("one"):
        one, two = int(named["one"]), int(named["two"])
        return [Day(year, month, day) for month, day in {(one, two), (two, one)} if is_calendar_day(year, month, day)]
    month = int(named["m"]) if named.get("m") else figure_forms.MONTHS[named["month"].casefold()]
    if not named.get("d"):
        return [Day(year, month)]
    day = int(named["d"])
    is_year = (
        not year
        and not named.get("m")
        and figure_forms.BEFORE_A_YEAR.search(found.string[max(0, found.start() - BEFORE_CHARS) : found.start()])
    )
    of_year = [Day(2000 + day, month)] if is_year and day >= LEAST_YEAR else []
    return [*of_year, Day(year, month, day)] if is_calendar_day(year, month, day) else of_year


def _list_amounts_too(found: re.Match[str]) -> list[Amount]:
    """Return the number of "1.5.", which can end a sentence, and the share of "2/3 of us"."""
    named = found.groupdict()
    if (
        named.get("one")
        and figure_forms.OF.match(found.string, found.end())
        and 0 < int(named["one"]) < int(named["two"])
    ):
        return [*_list_part(Fraction(int(named["one"]), int(named["two"])), None)]
    is_short = found[0].endswith(".") and named.get("m") and not named["year"] and " " not in found[0]
    return [Amount(Decimal(f"{int(named['d'])}.{named['m']}").normalize())] if is_short else []


def _read_others(text: str) -> Iterator[Figure]:
    for found in figure_forms.QUARTER.finditer(text):
        yield Figure(found[0], found.start(), frozenset(_list_quarters(found)))
    for found in figure_forms.QUARTER_IN_WORDS.finditer(text):
        place = figure_forms.PLACES.get(found[1].casefold()) or int(found[1][0])
        yield Figure(found[0], found.start(), frozenset({Quarter(int(found[2] or 0), place)}))
    for found in figure_forms.HALF_YEAR.finditer(text):
        year, half = int(found[2] or found[4] or 0), 2 if (found[1] or found[3])[0] in "2sS" else 1
        yield Figure(found[0], found.start(), frozenset({Quarter(year, 2 * half - 1), Quarter(year, 2 * half)}))
    yield from _read_times(text)
    yield from _read_calendar(text)


def _read_calendar(text: str) -> Iterator[Figure]:
    """Yield days and weeks that are no whole dates."""
    for found in figure_forms.WEEKDAY.finditer(text):
        number, is_whole = (
            figure_forms.WEEKDAYS[found[0].casefold().rstrip("s")],
            len(found[0]) > figure_forms.SHORT_DAY,
        )
        yield _build(found, Weekday(number), is_stated=is_whole)
    for found in figure_forms.MONTH.finditer(text):
        month = figure_forms.MONTHS[(found["month"] or found["small"]).casefold()]
        lead = (found["lead"] or found["before"] or "").casefold()
        days = {Day(month=month), Day(month=month, day=figure_forms.MIDDLE.get(lead, 0))}
        yield Figure(found[0], found.start(), frozenset(days), bool(lead))
    for found in figure_forms.HOLIDAY.finditer(text):
        days = {Day(month=month, day=day) for month, day in figure_forms.HOLIDAYS[found[0].casefold()]}
        yield Figure(found[0], found.start(), frozenset(days), is_stated=False)
    for found in figure_forms.RELATIVE.finditer(text):
        yield _build(found, Relative(_read_relative(found)), is_stated=False)
    for found in figure_forms.WEEK.finditer(text):
        number = int(found[1])
        yield Figure(found[0], found.start(), frozenset({Relative(f"week {number}"), Amount(Decimal(number))}))
    for found in figure_forms.ORDINAL.finditer(text):
        number = int(found[1])
        yield Figure(
            found[0], found.start(), frozenset({Amount(Decimal(number)), Day(day=number)}), number > figure_forms.RANKS
        )


def _read_times(text: str) -> Iterator[Figure]:
    for found in figure_forms.CLOCK.finditer(text):
        hour, minute = int(found[1] or found[4]), int(found[2] or found[5] or 0)
        half = (found[3] or "").casefold()[:1]
        if hour < 25 and minute < 60:
            yield _build(found, Clock((hour % 12 + 12 * (half == "p") if half in ("a", "p") else hour) * 60 + minute))
    for found in figure_forms.ROUND.finditer(text):
        named = (found["hour"] or found["whole"] or "").casefold()
        hour = number_words.WORDS.get(named) or int(named or 0)
        minutes = figure_forms.MINUTES.get((found["part"] or found["middle"] or "").casefold(), 0)
        if hour < 25:
            after = hour * 60 + (-minutes if (found["way"] or "").casefold() == "to" else minutes)
            yield Figure(found[0], found.start(), frozenset(_list_halves(after)), is_stated=not found["middle"])


def _list_halves(minutes: int) -> Iterator[Clock]:
    """Yield a time in both halves of the day, of which people mean either; midnight begins and ends one."""
    yield from (Clock(each) for each in (minutes, minutes + 720) if minutes < 780 or each == minutes)
    if minutes == 0:
        yield Clock(1440)


def _read_relative(found: re.Match[str]) -> str:
    words = " ".join(found[0].casefold().split())
    if found["german"]:
        return figure_forms.IN_GERMAN.get(words, "tomorrow")
    if found["short"]:
        return f"end of {figure_forms.SHORT_ENDS.get(words, re.split('[- ]', words)[0])}"
    return words


def _list_quarters(found: re.Match[str]) -> Iterator[Reading]:
    """Yield the quarter, and the number that its two last digits can be: "in Q1 30 people"."""
    number = int(found[1])
    yield Quarter(int(found[2] or (f"20{found[3]}" if found[3] else 0)), number)
    if found[3]:
        yield Amount(Decimal(found[3]))
        if figure_forms.COUNTED.match(found.string, found.end()):
            yield Quarter(0, number)


def _read_numbers(text: str) -> Iterator[Figure]:
    for found in figure_forms.NUMBER.finditer(text):
        if sum(map(str.isdigit, found["digits"])) <= LONGEST:
            readings = frozenset(_list_amounts(found))
            yield Figure(found[0].rstrip(), found.start(), readings, not readings <= _BARE)


def _list_amounts(found: re.Match[str]) -> Iterator[Reading]:
    digits, scale, unit = found["digits"], (found["scale"] or "").casefold(), (found["unit"] or "").casefold()
    kind, size = figure_forms.UNITS.get(unit, (figure_forms.MONEY if found["money"] else "", 1))
    by = Decimal(1_000) if scale == "t" else figure_forms.SCALES.get(scale, Decimal(1))
    for value in _list_values(digits):
        value += _HALF if found["half"] else 0
        yield Amount(value * by if scale else value, kind, size)
        # A column of "kEUR" holds bare numbers, and metres look like millions.
        if scale and (kind == figure_forms.MONEY or found["scale"] == "m") and not found["money"]:
            yield Amount(value, figure_forms.SCALED)
    if (
        not (scale or unit or found["money"])
        and digits.isdecimal()
        and len(digits) == 4
        and 1900 <= int(digits) <= 2100
    ):
        yield Day(year=int(digits))


def _list_values(digits: str) -> Iterator[Decimal]:
    """Yield the values of digits with any separators: 15.000 is 15,000, and 1.255 can be either."""
    bare = re.sub(r"[ \u00a0\u202f'’]", "", digits)
    marks = [char for char in bare if char in ",."]
    if not marks:
        yield Decimal(bare)
        return
    last = marks[-1]
    whole, _, fraction = bare.rpartition(last)
    is_grouped = marks.count(last) > 1 or (len(marks) == 1 and len(fraction) == 3 and 1 <= len(whole) <= 3)
    if is_grouped and whole.strip("0"):
        yield Decimal(re.sub(r"[.,]", "", bare))
    if not is_grouped or not whole.strip("0") or (len(marks) == 1 and not fraction.endswith("0")):
        yield Decimal(f"{re.sub(r'[.,]', '', whole)}.{fraction}").normalize()


def _read_words(text: str) -> Iterator[Figure]:
    for read in (_read_parts, _read_spelt, _read_spans):
        taken = [*read(text)]
        yield from taken
        text = _erase(text, taken)
    for found in figure_forms.HALF.finditer(text):
        yield _build_part(found, is_stated=False)


def _read_spans(text: str) -> Iterator[Figure]:
    for found in figure_forms.SPAN.finditer(text):
        kind, size = figure_forms.UNITS[found["unit"].casefold()]
        part = (
            _HALF
            if found[0].casefold().startswith(("half", "halb", "ein halb"))
            else 1 + (_HALF if found["half"] else 0)
        )
        yield _build(found, Amount(Decimal(part), kind, size), is_stated=False)


def _read_parts(text: str) -> Iterator[Figure]:
    yield from (_build_part(found, is_stated=True) for found in figure_forms.PART.finditer(text))


def _build_part(found: re.Match[str], *, is_stated: bool) -> Figure:
    part, unit = figure_forms.PARTS[found["part"].casefold()], figure_forms.UNITS.get((found["unit"] or "").casefold())
    return Figure(found[0], found.start(), frozenset(_list_part(part, unit)), is_stated)


def _list_part(part: Fraction, unit: tuple[str, int] | None) -> Iterator[Amount]:
    """Yield what a part of something is: so much of a unit of time, or else a number, and in percent, also rounded."""
    value = Decimal(part.numerator) / part.denominator
    if unit:
        yield Amount(value * unit[1], unit[0])
        return
    yield Amount(value)
    yield from (Amount(round(value * 100, digits).normalize(), figure_forms.PERCENT) for digits in (0, 1))


def _read_spelt(text: str) -> Iterator[Figure]:
    for found in figure_forms.SPELT.finditer(text):
        value = number_words.read_number(found["words"])
        kind, size = figure_forms.UNITS.get((found["unit"] or "").casefold(), ("", 1))
        is_stated = bool(found["unit"]) or value > figure_forms.PROSE
        yield Figure(found[0], found.start(), frozenset({Amount(value, kind, size)}), is_stated)


def _join_ranges(found: Sequence[Figure], text: str) -> Iterator[Figure]:
    """Yield the figures; the first one of "15–20k" or "15 + 20k" also has the scale and unit of the second."""
    for each, following in zip_longest(found, found[1:]):
        gap = text[each.end : following.start] if following else ""
        is_joined = following and gap.strip() in figure_forms.JOINTS
        more = frozenset(_read_with_tail(each.text, following.text)) if is_joined else frozenset[Reading]()
        yield Figure(each.text, each.start, each.readings | more, each.is_stated) if more else each


def _read_with_tail(text: str, following: str) -> Iterator[Reading]:
    """Yield what a number is with the scale and unit of the one that follows."""
    tail = following.lstrip("+-−±0123456789., ")
    if tail and (both := figure_forms.NUMBER.fullmatch(f"{text}{tail}")):
        yield from _list_amounts(both)
    elif (scale := figure_forms.SCALE_IN_WORDS.search(following)) and not _DIGIT.search(text):
        yield from (reading for both in _read_spelt(f"{text}{scale[0]}") for reading in both.readings)


def _add_lengths(figures: Sequence[Figure], text: str) -> Iterator[Figure]:
    """Yield the figures; both of "1 hour 30 minutes" also as the length that they are together."""
    added = [set[Reading]() for _ in figures]
    for place, (one, other) in enumerate(pairwise(figures)):
        if text[one.end : other.start].strip() in figure_forms.ADDED:
            for first, second in product(one.amounts, other.amounts):
                if first.unit in figure_forms.LENGTHS and first.unit == second.unit and second.total[1] < first.size:
                    whole = Amount(first.total[1] + second.total[1], first.unit)
                    added[place].add(whole)
                    added[place + 1].add(whole)
    for each, more in zip(figures, added, strict=True):
        yield Figure(each.text, each.start, each.readings | more, each.is_stated) if more else each


def _build(found: re.Match[str], reading: Reading, *, is_stated: bool = True) -> Figure:
    return Figure(found[0], found.start(), frozenset({reading}), is_stated)


def _blank(found: re.Match[str]) -> str:
    return "_" * len(found[0]) if found[0].strip() else found[0]


def _erase(text: str, found: list[Figure]) -> str:
    """Return the text with these figures blanked, so that none is read twice."""
    if not found:
        return text
    parts, at = list[str](), 0
    for each in sorted(found, key=lambda figure: figure.start):
        parts += [text[at : each.start], " " * len(each.text)] if each.start >= at else []
        at = max(at, each.end)
    return "".join((*parts, text[at:]))


def find_sentence(text: str, figure: Figure) -> str:
    """Return the sentence of a text in which a figure stands."""
    return next(each[0] for each in SENTENCE.finditer(text) if each.end() > figure.start)
