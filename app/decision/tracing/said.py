"""Index of what was said: the numbers and dates of people's messages, of approved steps, and of the question.

Only the form may differ, never the value. A date may follow from a message and its day: "in two weeks", "by Friday".
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Final

from app.decision.tracing import figure_forms
from app.decision.tracing.figures import (
    NO_TERMS,
    Amount,
    Clock,
    Day,
    Figure,
    Quarter,
    Reading,
    Relative,
    Terms,
    Weekday,
    read_figures,
)
from app.decision.tracing.worked_out.shares import Share, read_middles, read_shares
from app.decision.tracing.worked_out.sums import Sum, is_of_unit, read_sums, write_rate
from app.decision.tracing.worked_out.written import Written, read_written

AHEAD: Final = 14
"""Days after a message within which a weekday in it lies."""
FARTHEST: Final = 40 * 366
"""Days that an amount of time in a message may lead to."""
NEAR: Final = 10
"""Figures on each side of a day among which is the time that begins on it."""
SMALL: Final = 12
"""Up to here a number stands in every talk, so an amount must be said of its own things: 4 mornings, not 4 shops."""

_NEXT: Final = re.compile(r"[ \u00a0-]{1,2}([^\W\d_]+)(?:[ -]([^\W\d_]+))?(?:[ -]([^\W\d_]+))?")
_THINGS: Final = re.compile(
    r"[ \u00a0-](?!(?:tops|this|its|points|perhaps|always|plus|minus|less|gross)\b)"
    r"(?:[^\W\d_]{3,}s|people|children|staff|leute)(?!\w)",
    re.IGNORECASE,
)
"""Things that are counted, behind a number that is thus no share in percent."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_STEM: Final = 4
"""Letters by which a word is the same in another number or case."""
_NO_NOUNS: Final = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at but by each for from i if in is it more less now of on only or out over per so than that
        the then they times to today was we were will with you x
        aber als am auf aus bei bis das der die ein es für heute ich im in ist jetzt mal mehr mit oder pro sie sind um
        und von war wir zu""",
    )
)
"""Words after a number that do not say what is counted."""
_DENIED: Final = re.compile(
    r"(?<!\bwhy )(?<!\bif )(?<!\bwarum )(?<!\bwenn )\b(?:not|nicht) (?:the |in |on )?\Z", re.IGNORECASE
)
"""The end of what stands before a figure that holds no more: "17, not 22"."""
_DENIAL_CHARS: Final = 20
_DISBELIEVED: Final = re.compile(r"[^.,;:!?\n]{0,100}(?:\?[?!]|!\?)")
"""What follows, in its clause, an amount that somebody does not believe: "22 years?? He was here for 17"."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A text that counts as said, and the day on which it was, if known."""

    text: str
    day: date | None = None


@dataclass(frozen=True)
class SaidFigures:
    """All figures of these statements."""

    _readings: set[Reading] = field(default_factory=set[Reading])
    _totals: set[tuple[str, Decimal]] = field(default_factory=set[tuple[str, Decimal]])
    _values: set[Decimal] = field(default_factory=set[Decimal])
    _bare: set[Decimal] = field(default_factory=set[Decimal])
    """Numbers without a unit: answers to a question that names it."""
    _uncounted: set[Decimal] = field(default_factory=set[Decimal])
    """Those of them that count no things: they can be shares in percent, and hours."""
    _counted: dict[Decimal, set[frozenset[str]]] = field(default_factory=dict[Decimal, set[frozenset[str]]])
    """Stems of the words after each small number without a unit; none where they do not say what is counted."""
    _things: set[str] = field(default_factory=set[str])
    """Stems of the words after any number without a unit: what people count by these names."""
    _terms: dict[Decimal, set[Terms]] = field(default_factory=dict[Decimal, set[Terms]])
    """What each number was told to hold for: 3k a month are not 3k a year."""
    _currencies: set[str] = field(default_factory=set[str])
    """Those that people named, with an amount or without."""
    _days: set[Day] = field(default_factory=set[Day])
    _dates: set[date] = field(default_factory=set[date])
    """Days that follow from what was said and when."""
    _sums: dict[Decimal, list[Sum]] = field(default_factory=dict[Decimal, list[Sum]])
    """Sums and differences of amounts that were said together, by value."""
    _shares: list[Share] = field(default_factory=list[Share])
    """What shares come to that were said of an amount, and the middles of ranges."""
    _written: list[Written] = field(default_factory=list[Written])
    """What the arithmetic that they write out comes to."""

    @classmethod
    def of(cls, statements: Iterable[Statement], figures: Iterable[Figure] = ()) -> SaidFigures:
        """Return the index of these statements, and of figures that were read before, of which no day is known."""
        index = cls()
        for figure in figures:
            index._add_figure(figure, None, frozenset(), can_be_share=True)
        for each in statements:
            index._currencies.update(figure_forms.CURRENCIES[one.casefold()] for one in find_currencies(each.text))
            figures_said = tuple(one for one in read_figures(each.text) if not _is_denied(each.text, one))
            index._add_spans(figures_said, each.day)
            for figure in figures_said:
                nouns = _read_nouns(each.text, figure.end)
                can_be_share = _THINGS.match(each.text, figure.end) is None
                index._add_figure(figure, each.day, nouns, can_be_share=can_be_share)
            for found in read_sums(each.text):
                index._sums.setdefault(found.value, []).append(found)
            index._shares.extend(chain(read_shares(each.text), read_middles(each.text)))
            index._written.extend(read_written(each.text, figures_said))
        return index

    def knows(self, figure: Figure, unit: str = "") -> bool:
        """Return True if one reading of the figure was said. `unit` names what an amount counts."""
        return any(self._has(each, unit) and self._holds(each, figure.terms) for each in figure.readings)

    def _holds(self, reading: Reading, terms: Terms) -> bool:
        """Return True unless the amount was said in another currency, or for another time, and never in this one."""
        told = self._terms.get(reading.value, ()) if isinstance(reading, Amount) and terms != NO_TERMS else ()
        return terms.agree(told)

    def speaks_of_other_money(self, currency: str) -> bool:
        """Return True if people named other currencies, and never this one."""
        return bool(self._currencies) and figure_forms.CURRENCIES[currency.casefold()] not in self._currencies

    def knows_months(self, figure: Figure) -> bool:
        """Return True for a bare number of months that was said as another length: 24 of "two years"."""
        return any(not each.unit and (figure_forms.MONTHS_LONG, each.value) in self._totals for each in figure.amounts)

    def explains(self, figure: Figure, topics: frozenset[str]) -> bool:
        """Return True if the figure was said, or is a sum of what was said together."""
        return self.knows(figure) or self.find_equation(figure, topics) != ""

    def find_equation(self, figure: Figure, topics: frozenset[str]) -> str:
        """Return how the figure follows from what was said: by arithmetic, a share, or a longer unit; else nothing."""
        if found := self.find_sum(figure, topics):
            return found.equation
        made = next((each for each in (*self._shares, *self._written) if each.makes(figure)), None)
        return made.equation if made else self._find_length(figure) or self._find_rate(figure)

    def _find_length(self, figure: Figure) -> str:
        """Return the months that the weeks of a figure are, or the other way, to a whole number of them."""
        for amount in figure.amounts:
            for unit, total in sorted(self._totals) if amount.unit in figure_forms.LENGTHS else ():
                days, own = _count_days(unit, total), _count_days(amount.unit, Decimal(amount.size))
                is_round = own == 1 and unit == figure_forms.MONTHS_LONG and amount.value == 30 * total
                is_alike = unit in figure_forms.LENGTHS and unit != amount.unit and own >= 1
                if is_alike and (is_round or round(days / own) == amount.value):
                    return f"{figure.text} ≈ {_write_length(unit, total)}"
        return ""

    def _find_rate(self, figure: Figure) -> str:
        """Return the equation of an amount for a month, quarter or year from the same for another of these."""
        kind, months = figure.terms.period or ("", 0)
        for value, told in self._terms.items() if kind == figure_forms.MONTHS_LONG else ():
            for of, size in (each.period for each in told if each.period):
                made = value * months / size
                if of == kind and any(each.value == made for each in figure.amounts):
                    return write_rate(made, value, Fraction(months, size))
        return ""

    def find_sum(self, figure: Figure, topics: frozenset[str]) -> Sum | None:
        """Return a sum of what was said together that the figure can be; `topics` tell what the figure is about."""
        found = (
            each
            for amount in figure.amounts
            for each in self._sums.get(amount.value, ())
            if is_of_unit(amount, each) and (not each.topics or each.topics & topics)
        )
        return next(found, None)

    def _add_spans(self, figures: Sequence[Figure], day: date | None) -> None:
        """Add the days that lie so far from a day near it in a statement: "starts tomorrow and takes two weeks"."""
        for place, figure in enumerate(figures):
            starts = {start for reading in figure.readings for start in _list_starts(reading, day)}
            near = figures[max(0, place - NEAR) : place + NEAR + 1] if starts else ()
            spans = {amount for each in near for amount in each.amounts if amount.unit in figure_forms.LENGTHS}
            with suppress(OverflowError):  # after the year 9999 there are no days
                self._dates.update(later for span in spans for start in starts for later in _list_later(span, start))

    def _add_figure(self, figure: Figure, day: date | None, nouns: frozenset[str], *, can_be_share: bool) -> None:
        for reading in figure.readings:
            self._add(reading, day, nouns, can_be_share=can_be_share)
            if isinstance(reading, Amount):
                self._terms.setdefault(reading.value, set()).add(figure.terms)

    def _add(self, reading: Reading, day: date | None, nouns: frozenset[str], *, can_be_share: bool) -> None:
        match reading:
            case Amount():
                self._values.add(reading.value)
                self._things.update(() if reading.unit else nouns)
                if not reading.unit and reading.value <= SMALL:
                    self._counted.setdefault(reading.value, set()).add(nouns)
                (self._totals.add(reading.total) if reading.unit else self._bare.add(reading.value))
                if can_be_share and not reading.unit:
                    self._uncounted.update((reading.value, reading.value * (100 if reading.value < 1 else 1)))
                self._dates.update(_list_later(reading, day))
            case Day():
                self._days.update(_list_years(reading, day))
                self._dates.update(_list_edges(reading, day))
                self._dates.update(_list_of_month(reading, day))
            case Weekday():
                self._readings.add(reading)
                self._dates.update(_list_weekdays(reading.number, day))
            case Relative():
                self._dates.update(_list_relative(reading.text, day))
            case Quarter():
                self._readings.add(reading)
                self._dates.update(_list_quarter_edges(reading, day))
            case _:
                self._readings.add(reading)
                self._values.update(_list_hours(reading))

    def _has(self, reading: Reading, unit: str) -> bool:
        match reading:
            case Amount(unit="") if unit and reading.value <= SMALL:
                return self._is_counted(reading.value, unit)
            case Amount(unit=""):
                return reading.value in self._values
            case Amount():
                bare = self._uncounted if reading.unit == figure_forms.PERCENT else self._bare
                is_part = (
                    reading.unit == figure_forms.PERCENT and 0 < reading.value < 100 and reading.value / 100 in bare
                )
                return reading.total in self._totals or reading.value in bare or is_part
            case Day():
                return any(_is_part(reading, each) for each in self._days) or self._follows(reading)
            case Weekday():
                return reading in self._readings or any(each.weekday() == reading.number for each in self._find_dates())
            case Quarter():
                years = (
                    (reading.year, 0)
                    if reading.year
                    else (0, *(each.year for each in self._readings if isinstance(each, Quarter)))
                )
                is_named = any(Quarter(year, reading.number) in self._readings for year in years)
                return is_named or any(_is_in_quarter(each, reading) for each in self._days)
            case _:
                return reading in self._readings or not self._uncounted.isdisjoint(_list_hours(reading))

    def _is_counted(self, value: Decimal, unit: str) -> bool:
        """Return True if the number was said of these things, or of nothing that was named beside it.

        If people count no such things by these words, they may call them otherwise, and any number of anything will do.
        """
        things = {_stem(each) for each in _WORD.findall(unit) if each.casefold() not in _NO_NOUNS}
        is_named = not self._things.isdisjoint(things)
        return any(not (is_named and nouns) or nouns & things for nouns in self._counted.get(value, ()))

    def _follows(self, day: Day) -> bool:
        """Return True if the day is one that follows from a message and the time when it was written."""
        return any(_is_part(day, Day(each.year, each.month, each.day)) for each in self._dates)

    def _find_dates(self) -> Iterator[date]:
        yield from (*self._dates, *_list_days(self._days))


def find_currencies(text: str) -> list[str]:
    """Return the words and signs of a text that name a currency, also behind a scale: "kEUR"."""
    return [found[1] for found in figure_forms.MONEY_NAMED.finditer(text)]


_MONTH_DAYS: Final = Decimal("30.4375")
"""Days of a twelfth of a year."""


def _count_days(unit: str, total: Decimal) -> Decimal:
    return total * _MONTH_DAYS if unit == figure_forms.MONTHS_LONG else total / figure_forms.DAY


def _write_length(unit: str, total: Decimal) -> str:
    if unit == figure_forms.MONTHS_LONG:
        return f"{total.normalize():f} months"
    days = _count_days(unit, total)
    return f"{(days / 7).normalize():f} weeks" if days % 7 == 0 else f"{days.normalize():f} days"


def _is_denied(text: str, figure: Figure) -> bool:
    """Return True if the text names the figure only to say that it does not hold."""
    is_denied = _DENIED.search(text[max(0, figure.start - _DENIAL_CHARS) : figure.start]) is not None
    return is_denied or (not figure.is_date and _DISBELIEVED.match(text, figure.end) is not None)


def _read_nouns(text: str, end: int) -> frozenset[str]:
    """Return the stems of up to three words after a number; none if the first does not say what is counted."""
    found = _NEXT.match(text, end)
    if found is None or found[1].casefold() in _NO_NOUNS:
        return frozenset()
    return frozenset(_stem(each) for each in found.groups() if each)


def _stem(word: str) -> str:
    return word.casefold()[:_STEM]


def _is_part(part: Day, whole: Day) -> bool:
    """Return True if what is stated of one day is stated of the other; a year that nobody stated fits any."""
    same_year = part.year in (0, whole.year) or (whole.year == 0 and bool(part.month))
    return same_year and part.month in (0, whole.month) and part.day in (0, whole.day)


def _list_years(stated: Day, day: date | None) -> Iterator[Day]:
    """Yield the day as it was stated, with the years that a person can have meant who named none."""
    years = (day.year - 1, day.year, day.year + 1) if day and stated.month and not stated.year else (stated.year,)
    yield from (Day(year, stated.month, stated.day) for year in years)


def _list_hours(time: Reading) -> set[Decimal]:
    """Return the numbers that people write for a time, of either half of the day: 8 or 20, and 8.30; else nothing."""
    if not isinstance(time, Clock):
        return set()
    hour, minutes = divmod(time.minutes, 60)
    return {each + Decimal(minutes) / 100 for each in (hour, hour % 12, hour % 12 + 12)}


def _is_in_quarter(day: Day, quarter: Quarter) -> bool:
    return day.month > 0 and (day.month - 1) // 3 + 1 == quarter.number and quarter.year in (0, day.year)


def _list_later(amount: Amount, day: date | None) -> Iterator[date]:
    """Yield the day that lies so far from the message."""
    if day is None:
        return
    unit, total = amount.total
    if unit == figure_forms.SECONDS and total % figure_forms.DAY == 0 and total // figure_forms.DAY <= FARTHEST:
        yield day + timedelta(days=int(total // figure_forms.DAY))
    if unit == figure_forms.MONTHS_LONG and total % 1 == 0 and total <= FARTHEST // 31:
        yield add_months(day, int(total))


def add_months(day: date, months: int) -> date:
    """Return the same day so many months later, or the last one of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _list_edges(stated: Day, day: date | None) -> Iterator[date]:
    """Yield the first and last days of a month or year that was named without a day."""
    if stated.day or not (stated.month or stated.year):
        return
    years = (stated.year,) if stated.year else (day.year - 1, day.year, day.year + 1) if day else ()
    for year in years:
        yield from _list_month_edges(year, stated.month or 1, stated.month or 12)


def _list_of_month(stated: Day, day: date | None) -> Iterator[date]:
    """Yield the days that "the 15th" can mean: of this month and the next."""
    if day is not None and stated.day and not (stated.month or stated.year):
        for month in (day.replace(day=1), add_months(day.replace(day=1), 1)):
            if stated.day <= monthrange(month.year, month.month)[1]:
                yield month.replace(day=stated.day)


def _list_month_edges(year: int, first: int, last: int) -> Iterator[date]:
    end = date(year, last, monthrange(year, last)[1])
    yield date(year, first, 1)
    yield end
    yield end - timedelta(days=max(0, end.weekday() - 4))  # its last working day


def _list_quarter_edges(quarter: Quarter, day: date | None) -> Iterator[date]:
    for year in (quarter.year,) if quarter.year else (day.year, day.year + 1) if day else ():
        yield from _list_month_edges(year, quarter.number * 3 - 2, quarter.number * 3)


def _list_weekdays(number: int, day: date | None) -> Iterator[date]:
    if day is not None:
        days = (day + timedelta(days=ahead) for ahead in range(AHEAD + 1))
        yield from (each for each in days if each.weekday() == number)


_NEAR: Final = {"today": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2}


_WEEK: Final = "week "


def _list_starts(reading: Reading, day: date | None) -> Iterator[date]:
    """Yield the days that a reading names on their own: "tomorrow", "Monday", "3 March"."""
    match reading:
        case Relative() if reading.text in _NEAR:
            yield from _list_relative(reading.text, day)
        case Weekday():
            yield from _list_weekdays(reading.number, day)
        case Day(month=month, day=number) if month and number:
            yield from _list_days(_list_years(reading, day))
        case _:
            return


def _list_days(named: Iterable[Day]) -> Iterator[date]:
    """Yield those that are a whole day; 29 February is none of most years."""
    for each in named:
        with suppress(ValueError):
            yield date(each.year, each.month, each.day)


def _list_relative(text: str, day: date | None) -> Iterator[date]:
    """Yield the days that "tomorrow", "end of month" or "next week" can mean."""
    if day is None:
        return
    if text in _NEAR:
        yield day + timedelta(days=_NEAR[text])
        return
    if text.startswith(_WEEK):
        yield from _list_numbered_week(int(text.removeprefix(_WEEK)), day)
        return
    ahead = 1 if "next " in text else 0
    match text.rpartition(" ")[2]:
        case "week":
            monday = day + timedelta(days=7 * ahead - day.weekday())
            yield from (monday + timedelta(days=each) for each in (0, 4, 6))
        case "month":
            month = add_months(day.replace(day=1), ahead)
            yield from _list_month_edges(month.year, month.month, month.month)
        case "quarter":
            month = add_months(day.replace(day=1), 3 * ahead)
            yield from _list_quarter_edges(Quarter(month.year, (month.month + 2) // 3), day)
        case _:
            yield from _list_month_edges(day.year + ahead, 1, 12)


def _list_numbered_week(number: int, day: date) -> Iterator[date]:
    """Yield Monday, Friday and Sunday of a week by its number, of this year and the next."""
    for year in (day.year, day.year + 1):
        with suppress(ValueError):
            yield from (date.fromisocalendar(year, number, each) for each in (1, 5, 7))
