"""Limits as people word them ("200,000 euros at most"), and whether an amount keeps them.

A text sets a limit only where a word says on which side of its number an amount may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose
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
    for found in _NUMBER.finditer(text):
        for is_upper, lead, tail in _SIDES:
            before = lead.search(text[: found.start()])
            if before or tail.match(text, found.end("digits")):
                yield Bound(_build_amount(found), is_upper, bool(before and _STRICT.match(before[0])))
                break


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
