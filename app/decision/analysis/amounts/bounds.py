"""Limits and spans as people word them ("200,000 euros at most", "10 to 30 days"), and whether an amount keeps them.

A text sets a limit only where a word says on which side of its number an amount may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf, isclose
from types import MappingProxyType
from typing import Final

from app.decision.analysis.amounts.units import convert, split_period

_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?P<money>[€$£¥]|(?:eur|usd|gbp|chf)\b)?\s?"
    r"(?P<digits>\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?![\d])|\d+(?:[.,]\d+)?)"
    r"(?:[ \u00a0]?(?P<scale>(?:k|m|thousand|mio|million)(?![^\W\d_])|[km](?=€|eur|usd|\$)))?\.?"
    r"(?P<tail>(?:[ \u00a0-]?[^\s,.;:()\d]+){0,6})",
    re.IGNORECASE,
)
_SCALES: Final = MappingProxyType({"k": 1_000, "thousand": 1_000})
_MILLION: Final = 1_000_000
_GROUPED: Final = re.compile(r"\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+")
_PERIOD: Final = re.compile(r"(?:per|an?|each|every)[ ](?:second|minute|hour|day|week|month|quarter|year)\b|/\w+", re.I)
_WORD: Final = re.compile(r"[ \u00a0-]+")
_SECOND: Final = "second"
_CURRENCIES: Final = ("eur", "usd", "gbp", "chf")
UNIT_WORDS: Final = 2
"""Words behind a number that can be its unit, without a period: "hours", "volunteer hours", of which "hours"."""

_LEAD: Final = r"(?:^|(?<=[\s(,;:–-]))(?:{words})[\s:]*(?:about |only )?$"
_TAIL: Final = r"[^.,;:()\d]{{0,30}}?(?<!\w)(?:{words})(?!\w)"
_NOBODY: Final = r"(?:no|nobody|none|never|nothing)(?: [^\s.,;:()\d]+){0,4}?"
"""Who or what keeps a limit, before its words: "No teacher travels more than 4 hours"."""
_UPPER: Final = (
    r"at (?:the )?most|max(?:imum|imal|\.)?(?: of)?|up to|under|below|within|<=?|≤|höchstens|not over|not above"
    rf"|(?:not|{_NOBODY}) (?:more|longer|higher|later) than|(?:less|fewer) than"
    r"|(?:budget|limit|cap|ceiling)(?: is| of| at)?",
    r"at (?:the )?most|or (?:less|fewer)|max(?:imum)?|tops",
)
_LOWER: Final = (
    rf"at (?:the )?least|min(?:imum|imal|\.)?(?: of)?|(?:not|{_NOBODY}) (?:less|fewer) than|>=?|≥|mindestens"
    r"|not (?:under|below)",
    r"at (?:the )?least|or more|min(?:imum)?",
)
_SIDES: Final = tuple(
    (is_upper, re.compile(_LEAD.format(words=before), re.I), re.compile(_TAIL.format(words=after), re.I))
    for is_upper, (before, after) in ((False, _LOWER), (True, _UPPER))
)
"""The words of a lower limit come first, because those of an upper one are a part of some: "not less than"."""
_STRICT: Final = re.compile(r"under|below|(?:less|fewer) than|[<>](?!=)", re.IGNORECASE)
"""Words that allow no amount equal to the number; "not under" begins with another one."""

_OVER: Final = re.compile(_LEAD.format(words=r"over|above|beyond|(?:more|longer|higher|later) than"), re.IGNORECASE)
"""Words of a lower end where a span is defined; in a limit they may stand before what it forbids."""
_RANGE: Final = re.compile(
    r"(?P<own>[^.,;:()\d–—-]*?)\s*(?:(?<!\w)(?:to|(?P<and>and))|[–—-])\s*(?P<money>[€$£¥]|(?:eur|usd|gbp|chf)\b)?\s*",
    re.IGNORECASE,
)
"""What stands between both numbers of a range."""
_BETWEEN: Final = re.compile(r"(?<!\w)between\s*$", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(
    r"(?<!or )\b(?:more|less|fewer|longer|higher|later)\b(?! than (?:about |only )?(?:[€$£¥]|(?:eur|usd|gbp|chf) )?\d)"
    r"|\b(?:shorter|lower|earlier|sooner|faster|slower|quicker|cheaper|dearer|better|worse|smaller|larger|bigger|greater"
    r"|extra|additional|added|plus|minus|today|now|current\w*|status quo|sav\w+|gain\w*|increas\w*|reduc\w*|decreas\w*"
    r"|drop\w*|cut\w*|half|halv\w*|doubl\w*|difference|chang\w+)\b"
    r"|(?:^|[\s(])[+±−-]\d",
    re.IGNORECASE,
)
"""Words of a text that compares with another amount, such as today's: its numbers are no amounts themselves."""
_NO_UNITS: Final = frozenset({"or", "at", "to", "and", "max", "maximum", "–"})
"""Words that, right behind a number, show that it has no unit."""


@dataclass(frozen=True, slots=True)
class WrittenAmount:
    """A number in a text, with the words that can be its unit."""

    number: float
    tail: tuple[str, ...]
    period: str
    """Such as "a year"; empty if none stands in the words behind it."""
    is_scaled: bool
    """True if a scale stands behind the number, as in 200k."""

    def read_in(self, unit: str) -> float | None:
        """Return the amount in this unit; None if it was written in another one, or in none."""
        return self._read_in(unit, self.period)

    def read_loosely(self, unit: str) -> float | None:
        """Return the amount in this unit if only its period is unlike, or if it is a bare 200k and the unit is money.

        Whether it means the same thing is open.
        """
        base = split_period(unit)[0]
        if convert(1, base, _SECOND) is not None:  # so many hours and so many hours a week are different things
            return None
        found = self._read_in(base, "")
        if found is None and self.is_scaled:
            money = (convert(self.number, each, base) for each in _CURRENCIES)
            found = next((each for each in money if each is not None), None)
        return found

    def read_as_own(self, unit: str) -> float | None:
        """Return the amount in this unit, in which a number without a unit is taken to be."""
        has_unit = self.period or self.is_scaled or (self.tail and self.tail[0].casefold() not in _NO_UNITS)
        return self.read_in(unit) if has_unit or not unit else self.number

    def _read_in(self, unit: str, period: str) -> float | None:
        names = (*(" ".join(self.tail[:count]) for count in range(1, UNIT_WORDS + 1)), *self.tail[1:UNIT_WORDS])
        found = (convert(self.number, f"{each} {period}".strip(), unit) for each in names)
        return next((each for each in found if each is not None), None)


@dataclass(frozen=True, slots=True)
class Bound:
    """The highest or the lowest amount that a limit allows."""

    amount: WrittenAmount
    is_upper: bool
    is_strict: bool = False
    """True if the amount itself is not allowed: "under 60"."""

    def allows(self, amount: float, bound: float) -> bool:
        """Return True if the amount keeps the limit; both are in one unit."""
        return not self.is_strict if isclose(amount, bound) else (amount < bound) == self.is_upper


def read_written_amounts(text: str) -> tuple[WrittenAmount, ...]:
    """Return the numbers of a text with what can be their units."""
    return tuple(map(_build_amount, _NUMBER.finditer(text)))


def read_bounds(text: str) -> Iterator[Bound]:
    """Yield the limits that a text sets."""
    yield from filter(None, (_read_bound(text, found) for found in _NUMBER.finditer(text)))


def read_span(text: str, unit: str) -> tuple[tuple[Bound, float], ...]:
    """Return the bounds of a text that defines a span of amounts, each with its number in this unit.

    The result is empty if the text sets none in such a unit, if no amount can keep all, or if the text speaks of a
    difference: "10 days faster".
    """
    if _DIFFERENCE.search(text):
        return ()
    found = ((each, each.amount.read_as_own(unit)) for each in _read_span_bounds(text))
    bounds = tuple((each, number) for each, number in found if number is not None)
    lowest = max((number for each, number in bounds if not each.is_upper), default=-inf)
    highest = min((number for each, number in bounds if each.is_upper), default=inf)
    return bounds if lowest < highest else ()


def _read_bound(text: str, found: re.Match[str]) -> Bound | None:
    for is_upper, lead, tail in _SIDES:
        before = lead.search(text[: found.start()])
        if before or tail.match(text, found.end("digits")):
            return Bound(_build_amount(found), is_upper, bool(before and _STRICT.match(before[0])))
    return None


def _read_span_bounds(text: str) -> Iterator[Bound]:
    numbers = [*_NUMBER.finditer(text)]
    for one, other in pairwise(numbers):
        yield from _read_range(text, one, other)
    for found in numbers:
        if bound := _read_bound(text, found):
            yield bound
        elif _OVER.search(text[: found.start()]):
            yield Bound(_build_amount(found), is_upper=False, is_strict=True)


def _read_range(text: str, one: re.Match[str], other: re.Match[str]) -> tuple[Bound, ...]:
    """Return both ends of a range: "10 to 30 days". The unit may stand at one of them only."""
    between = _RANGE.fullmatch(text, max(one.end("digits"), one.end("scale")), other.start())
    if between is None or (between["and"] and not _BETWEEN.search(text[: one.start()])):
        return ()
    lower, upper = _build_amount(one), _build_amount(other)
    if money := between["money"] or one["money"]:
        upper = replace(upper, tail=(money, *upper.tail))
    if not between["own"].strip():
        scale = 1 if one["scale"] or not other["scale"] else upper.number / _read_digits(other["digits"])
        lower = replace(upper, number=lower.number * scale)
    return Bound(lower, is_upper=False), Bound(upper, is_upper=True)


def _build_amount(found: re.Match[str]) -> WrittenAmount:
    scale, words = (found["scale"] or "").casefold(), found["tail"]
    period = _PERIOD.search(words)
    tail = tuple(filter(None, _WORD.split(words[: period.start()] if period else words)))
    times = _SCALES.get(scale, _MILLION) if scale else 1
    return WrittenAmount(
        _read_digits(found["digits"]) * times,
        (found["money"], *tail) if found["money"] else tail,
        period[0] if period else "",
        bool(scale),
    )


def _read_digits(digits: str) -> float:
    """Return the number; 15.000 is 15,000."""
    if _GROUPED.fullmatch(digits):
        return float(re.sub(r"\D", "", digits))
    return float(digits.replace(",", "."))
