"""Arithmetic that a text writes out: "2 FTE at 70k", "12 × 3.5k", "50k plus 10 %", "3 of 12", "from 120k to 150k".

Sums and differences alone are read by `sums`, and shares of an amount by `shares`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from math import isclose
from typing import Final, NamedTuple

from app.decision.tracing import figure_forms
from app.decision.tracing.figures import Amount, Clock, Figure
from app.decision.tracing.worked_out.shares import ROUNDED, write_value

MOST_TERMS: Final = 4
MOST_BETWEEN: Final = 50
"""Characters between two terms."""
CALENDAR: Final = frozenset(map(Decimal, (7, 12, 52, 60, 365)))
"""Numbers that nobody has to say: days of a week and year, months and weeks of a year, minutes."""

_WORDS: Final = r"(?:[ ]?[^\W\d_]+){0,3}?"
_ABOUT: Final = r"[ ]?(?:(?:about|some|around|the|our|all)[ ])?[€$£¥]?$"
_SIGNS: Final = (
    ("×", re.compile(rf"^{_WORDS}[ ]*(?:[×*·⋅@]|x|times|at|à|je){_ABOUT}", re.IGNORECASE)),
    ("÷", re.compile(rf"^{_WORDS}[ ]*(?:[÷/]|divided by|split by|shared by){_ABOUT}", re.IGNORECASE)),
    ("+", re.compile(rf"^{_WORDS}[ ,]*(?:\+|plus){_ABOUT}", re.IGNORECASE)),
    ("−", re.compile(rf"^{_WORDS}[ ,]*(?:−|minus|less){_ABOUT}", re.IGNORECASE)),
)
"""What stands between two terms of a calculation."""
_RATE: Final = re.compile(
    rf"^[ ]?(?:/[ ]?|(?:an?|per|each|every)[ ])(?P<of>[^\W\d_]+)(?:[ ][^\W\d_]+)?"
    rf"(?P<link>[ ](?:for|over|on|during|at)|,|[ ]and)[ ]?{_ABOUT}",
    re.IGNORECASE,
)
"""What makes an amount for one thing that of all that follow: "18 euro per square metre for 300"."""
_PERIOD: Final = re.compile(r"(?:an?|per)[ ][^\W\d_]+", re.IGNORECASE)
"""What follows an amount and is no term of its own: "a month"."""
_LIST: Final = re.compile(rf"^{_WORDS}[ ]*,{_ABOUT}")
_EACH: Final = re.compile(r"[ ](?:[^\W\d_]+[ ])?(?:each|apiece|a head|per (?:head|person|piece))\b", re.IGNORECASE)
_NEXT: Final = re.compile(r"[ ]?([^\W\d_]+)")
_STEM: Final = 4
_PRICED: Final = re.compile(r"\b(?:at|à|je)[ ](?:about[ ])?$", re.IGNORECASE)
LEAST_PRICE: Final = 100
"""Smallest number behind "at" that is a price without a currency: 45 people at 3 sites are not 135."""
_OUT_OF: Final = re.compile(rf"^[ ](?:(?:[^\W\d_]+[ ])?(?:out of|of){_ABOUT}|(?P<of_all>in)[ ]$)", re.IGNORECASE)
_TO: Final = re.compile(rf"^{_WORDS}[ ]to{_ABOUT}", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom[ ](?:about[ ])?[€$£¥]?$", re.IGNORECASE)
_FROM_CHARS: Final = 12
_UNITS: Final = ("", figure_forms.MONEY, figure_forms.PERCENT, *figure_forms.LENGTHS)
_PERCENT: Final = (figure_forms.PERCENT, 1)
_COUNTS: Final = ("", *figure_forms.LENGTHS)


class _Operator(NamedTuple):
    """What is done with the second of two terms. A length of time counts in periods of the first."""

    sign: str
    period: tuple[str, int] | None = None

    def counts(self, amount: Amount) -> bool:
        """Return True for a length of time in periods of the first term, which is no length of the result."""
        return self.period is not None and amount.unit == self.period[0]

    def convert(self, amount: Amount) -> Fraction:
        size = self.period[1] if self.period and self.counts(amount) else amount.size
        return Fraction(amount.value) * Fraction(amount.size, size)


class _Step(NamedTuple):
    """A term as it is told, with what is done with it."""

    sign: str
    value: Fraction
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a piece of arithmetic comes to."""

    value: Fraction
    units: frozenset[tuple[str, int]]
    """Kinds and sizes of units that the result can have."""
    steps: tuple[_Step, ...]
    terms: tuple[Figure, ...]

    @property
    def equation(self) -> str:
        """Return it with its terms: "140,000 = 2 × 70,000"."""
        made = f"{float(self.value):.3g} %" if _PERCENT in self.units else write_value(self.value)
        told = " ".join(f"{each.sign} {write_value(each.value)}{' %' * each.is_share}".lstrip() for each in self.steps)
        return f"{made} = {told}"

    def makes(self, figure: Figure) -> bool:
        """Return True if the figure can be the result; one that is no whole number may be rounded."""
        return any(self._is(each) for each in figure.amounts)

    def _is(self, amount: Amount) -> bool:
        is_share = _PERCENT in self.units
        if amount.unit and self.units:
            ones = [
                Fraction(amount.value) * Fraction(amount.size, size) for kind, size in self.units if kind == amount.unit
            ]
        else:
            ones = [] if is_share or amount.unit == figure_forms.PERCENT else [Fraction(amount.value)]
        return any(
            one == self.value
            or (self.value.denominator > 1 and isclose(one, self.value, rel_tol=ROUNDED))
            or (is_share and one == round(self.value))
            for one in ones
        )

    def is_known(self, knows: Callable[[Figure], bool]) -> bool:
        """Return True if its terms are known, but for the months of a year and the like beside one that is."""
        known = [knows(each) for each in self.terms]
        return any(known) and all(
            is_one or is_of_calendar(each) for is_one, each in zip(known, self.terms, strict=True)
        )


def is_of_calendar(figure: Figure) -> bool:
    """Return True for a number that nobody has to say."""
    return any(each.value in CALENDAR and each.unit in _COUNTS for each in figure.amounts)


def read_written(text: str, read: Sequence[Figure]) -> Iterator[Written]:
    """Yield what each piece of arithmetic in a text comes to; `read` are its figures."""
    figures = [each for each in read if any(_list_amounts(each)) and not _PERIOD.fullmatch(each.text)]
    operators = [_find_operator(text, one, other) for one, other in pairwise(figures)]
    for start, first in enumerate(figures[:-1]):
        yield from _read_parts(text, first, figures[start + 1])
        for end in range(start + 1, min(start + MOST_TERMS, len(figures))):
            used = operators[start:end]
            if used[-1] is None:
                break
            terms = figures[start : end + 1]
            if any(each and each.sign in "×÷" for each in used) or any(
                _is_share(amount) for each in terms[1:] for amount in each.amounts
            ):
                yield from _evaluate(terms, [each for each in used if each])


def _find_operator(text: str, one: Figure, other: Figure) -> _Operator | None:
    between = text[one.end : other.start]
    if len(between) > MOST_BETWEEN or _is_time(one) or _is_time(other):
        return None
    if found := _RATE.match(between):
        period = figure_forms.UNITS.get(found["of"].casefold())
        is_length = period is not None and any(each.unit == period[0] for each in other.amounts)
        is_named = _is_named(found["of"], text, other.end) or found["link"].strip() not in (",", "and")
        if is_length or (is_named and (period is None or found["link"] == " at")):
            return _Operator("×", period)
    if _LIST.match(between) and _EACH.match(text, other.end):
        return _Operator("×")
    found = next((_Operator(sign) for sign, form in _SIGNS if form.match(between)), None)
    return found if found is None or not _PRICED.search(between) or _is_price(text, other) else None


def _is_price(text: str, figure: Figure) -> bool:
    """Return True if a number behind "at" can be a price, and not a number of things."""
    is_large = any(each.unit == figure_forms.MONEY or each.value >= LEAST_PRICE for each in figure.amounts)
    return is_large or _EACH.match(text, figure.end) is not None


def _is_named(thing: str, text: str, end: int) -> bool:
    """Return True if a number counts these things: "18 euro per sqm, 300 sqm"."""
    found = _NEXT.match(text, end)
    return found is not None and found[1].casefold()[:_STEM] == thing.casefold()[:_STEM]


def _evaluate(terms: Sequence[Figure], operators: Sequence[_Operator]) -> Iterator[Written]:
    for amounts in product(*map(_list_amounts, terms)):
        total, part = Fraction(0), Fraction(amounts[0].value)
        steps = [_Step("", part, _is_share(amounts[0]))]
        for operator, amount in zip(operators, amounts[1:], strict=True):
            value, is_share = operator.convert(amount), _is_share(amount)
            steps.append(_Step(operator.sign, value, is_share))
            match operator.sign:
                case "×":
                    part *= value / 100 if is_share else value
                case "÷":
                    part = part / value if value else Fraction(0)
                case sign if is_share:
                    part *= 1 + (value if sign == "+" else -value) / 100
                case sign:
                    total, part = total + part, value if sign == "+" else -value
        if (result := total + part) > 0:
            used = [operator.counts(each) for operator, each in zip(operators, amounts[1:], strict=True)]
            kept = [amounts[0], *(each for each, is_used in zip(amounts[1:], used, strict=True) if not is_used)]
            yield Written(result, _list_units(kept), tuple(steps), tuple(terms))


def _read_parts(text: str, one: Figure, other: Figure) -> Iterator[Written]:
    """Yield the share in percent of "3 of 12", and what is between the two of "from 120k to 150k"."""
    between = text[one.end : other.start]
    if len(between) > MOST_BETWEEN:
        return
    found = _OUT_OF.match(between)
    is_share = found is not None and not (found["of_all"] and any(each.unit for each in other.amounts))
    is_change = _TO.match(between) and _FROM.search(text[max(0, one.start - _FROM_CHARS) : one.start])
    for amounts in product(_list_amounts(one), _list_amounts(other)) if is_share or is_change else ():
        first, last = (Fraction(each.value) for each in amounts)
        is_alike, change = len({each.unit for each in amounts} - {""}) < 2, abs(last - first)
        if is_share and 0 < first <= last and not amounts[0].unit:
            yield _build_share(first, last, (one, other))
        if is_change and is_alike and change:
            steps = _Step("", max(first, last)), _Step("−", min(first, last))
            yield Written(change, _list_units(amounts), steps, (one, other))
            if first and not (_is_time(one) or _is_time(other)):
                yield _build_share(change, first, (one, other))


def _build_share(part: Fraction, whole: Fraction, terms: tuple[Figure, ...]) -> Written:
    return Written(100 * part / whole, frozenset({_PERCENT}), (_Step("", part), _Step("of", whole)), terms)


def _list_units(amounts: Sequence[Amount]) -> frozenset[tuple[str, int]]:
    return frozenset((each.unit, each.size) for each in amounts if each.unit not in ("", figure_forms.PERCENT))


def _list_amounts(figure: Figure) -> list[Amount]:
    """Return what a term can be, at most two amounts; the first of "50k plus 10 %" is no share."""
    found = [each for each in figure.amounts if each.unit in _UNITS]
    return ([each for each in found if not _is_share(each)] or found)[:2]


def _is_time(figure: Figure) -> bool:
    return any(isinstance(each, Clock) for each in figure.readings)


def _is_share(amount: Amount) -> bool:
    return amount.unit == figure_forms.PERCENT
