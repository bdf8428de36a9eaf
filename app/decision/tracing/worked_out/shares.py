"""Shares and multiples of amounts: "20 % less than 95k", "9 hours, and I want that halved", "double"; their middles.

A share may be of each amount in its sentence, and of those before it: "double the rent of today".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from math import isclose
from typing import Final

from app.decision.tracing import figure_forms
from app.decision.tracing.figures import SENTENCE, Amount, Figure, read_figures

ROUNDED: Final = 0.005
"""How far people may round what is no whole number, as a part of it."""

_LESS: Final = (
    r"less|lower|cheaper|below|under|off|fewer|shorter|smaller|down|discount|weniger|günstiger|billiger|tiefer"
)
_MORE: Final = r"more|higher|dearer|above|over|on top|extra|longer|larger|mehr|teurer|höher"
_SHARE: Final = re.compile(
    r"(?P<percent>\d+(?:[.,]\d+)?)[ \u00a0\u202f]?(?:%|percent\b|per cent\b|pct\b)"
    r"|\b(?P<word>half|one third|a third|two thirds|a quarter|three quarters|1/2|[12]/3|[13]/4)\b"
    r"|\b(?:(?P<halves>halv(?:e|es|ed|ing))|(?P<twice>doubl(?:e|es|ed|ing)|twice|doppelt)|(?P<thrice>tripl(?:e|es|ed|ing)))\b",
    re.IGNORECASE,
)
_WAY: Final = re.compile(rf"[ ](?:[^\W\d_]+[ ])?(?:(?P<less>{_LESS})|(?P<more>{_MORE})|(?P<of>of|on))\b", re.IGNORECASE)
_BY: Final = re.compile(r"\bby[ ](?:about[ ]|some[ ]|another[ ])?$", re.IGNORECASE)
_TO: Final = re.compile(r"[ \u00a0]?(?:to|bis|(?P<and>and|und)|[–—-])[ \u00a0]?[€$£¥]?", re.IGNORECASE)
"""What stands between both ends of a range."""
_BETWEEN: Final = re.compile(r"\b(?:between|zwischen) (?:about )?[€$£¥]?$", re.IGNORECASE)
MIDDLE: Final = "{} = ({} + {}) ÷ 2"
_FRACTIONS: Final = {
    "half": Fraction(1, 2),
    "one third": Fraction(1, 3),
    "a third": Fraction(1, 3),
    "two thirds": Fraction(2, 3),
    "a quarter": Fraction(1, 4),
    "three quarters": Fraction(3, 4),
    **{f"{one}/{other}": Fraction(one, other) for one, other in ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4))},
}
_BY_CHARS: Final = 12
MOST_BASES: Final = 10
"""Amounts on each side of a share of which it may be: nobody means one far off, and a long text takes no longer."""
_BASES: Final = ("", figure_forms.MONEY, *figure_forms.LENGTHS)
"""Kinds of amounts of which people say a share; a share of a share is none."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a share of an amount comes to."""

    value: Fraction
    base: Amount
    equation: str
    terms: tuple[Figure, ...]
    """The figures that it is made of."""

    def makes(self, figure: Figure) -> bool:
        """Return True if the figure can be this amount; one that is no whole number may be rounded."""
        return any(self._is(each) for each in figure.amounts)

    def _is(self, amount: Amount) -> bool:
        is_alike = amount.unit == self.base.unit or not (amount.unit and self.base.unit)
        sizes = (amount.size, self.base.size) if amount.unit and self.base.unit else (1, 1)
        one, other = Fraction(amount.value) * sizes[0], self.value * sizes[1]
        return is_alike and (one == other or (self.value.denominator > 1 and isclose(one, other, rel_tol=ROUNDED)))


@dataclass(frozen=True, slots=True)
class _Part:
    """A share as it is said: what it multiplies an amount by, in words, and its figure if it has one."""

    start: int
    ways: tuple[tuple[Fraction, str], ...]


def read_shares(text: str, beside: Sequence[Figure] = ()) -> Iterator[Share]:
    """Yield what the shares in a text come to. `beside` are amounts for sentences that have none before them."""
    if not _SHARE.search(text):
        return
    figures = read_figures(text)
    at = {each.start: each for each in figures if each.is_stated}
    bases = [each for each in figures if _is_base(each)]
    starts = [each.start for each in bases]
    for sentence in SENTENCE.finditer(text):
        end = bisect_left(starts, sentence.end())
        for part in _read_parts(text, sentence.start(), sentence.end()):
            percent = (at[part.start],) if part.start in at else ()
            place = bisect_left(starts, part.start)
            near = bases[max(0, place - MOST_BASES) : min(end, place + MOST_BASES)]
            for base in [each for each in near if each.start != part.start] or beside:
                yield from _apply(part, base, percent)


def _is_base(figure: Figure) -> bool:
    """Return True for an amount of which there can be a share; "a third" is one itself."""
    units = {each.unit for each in figure.amounts}
    return not units.isdisjoint(_BASES) and figure_forms.PERCENT not in units


def read_middles(text: str) -> Iterator[Share]:
    """Yield the middle of each range of amounts in a text: 37.5 of "35 to 40"."""
    for low, high in pairwise(read_figures(text)):
        gap = _TO.fullmatch(text, low.end, high.start)
        if gap and (not gap["and"] or _BETWEEN.search(text, max(0, low.start - _BY_CHARS), low.start)):
            for one, other in product(low.amounts, high.amounts):
                if (one.unit, one.size) == (other.unit, other.size) and one.value < other.value:
                    value, ends = Fraction(one.value + other.value) / 2, map(Fraction, (one.value, other.value))
                    equation = MIDDLE.format(*map(write_value, (value, *ends)))
                    yield Share(value, other, equation, (low, high))


def _apply(part: _Part, base: Figure, percent: tuple[Figure, ...]) -> Iterator[Share]:
    for amount in base.amounts:
        if amount.unit in _BASES:
            for factor, form in part.ways:
                value = Fraction(amount.value) * factor
                equation = f"{write_value(value)} = {form.format(base=write_value(Fraction(amount.value)))}"
                yield Share(value, amount, equation, (base, *percent))


def _read_parts(text: str, start: int, end: int) -> Iterator[_Part]:
    for found in _SHARE.finditer(text, start, end):
        way = _WAY.match(text, found.end(), end)
        if multiple := _MULTIPLES.get(found.lastgroup or ""):
            yield _Part(found.start(), (multiple,))
            continue
        share, told = _read_share(found)
        less, more = (1 - share, f"{{base}} − {told}"), (1 + share, f"{{base}} + {told}")
        if way and (way["less"] or way["more"]):
            yield _Part(found.start(), (less if way["less"] else more,))
        elif _BY.search(text[max(start, found.start() - _BY_CHARS) : found.start()]):
            yield _Part(found.start(), (less, more))
        elif way:
            yield _Part(found.start(), ((share, f"{told} of {{base}}"),))


_MULTIPLES: Final = {
    "halves": (Fraction(1, 2), "{base} ÷ 2"),
    "twice": (Fraction(2), "{base} × 2"),
    "thrice": (Fraction(3), "{base} × 3"),
}
"""What each of these groups of `_SHARE` does to an amount, and how that is written."""


def _read_share(found: re.Match[str]) -> tuple[Fraction, str]:
    """Return a share, and how it is written."""
    if found["word"]:
        word = found["word"].casefold()
        return _FRACTIONS[word], word
    percent = found["percent"].replace(",", ".")
    return Fraction(percent) / 100, f"{percent} %"


def write_value(value: Fraction) -> str:
    """Return a number of an equation as people read it: at most ten figures, with separators."""
    return f"{Decimal(value.numerator) / Decimal(value.denominator):,.10g}"
