"""Numbers and dates in texts, and where a stored one comes from. Pure.

A number is traceable if its value was said, in digits or in words, stands in an approved result, or was computed. A
date is traceable if its day and month were said, or words that mean it, such as *next Friday*.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from typing import Any, cast

from app.decision.analysis.ratings import RatingTable

ISO_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_NUMBER = re.compile(
    r"(?<![\w.,])[+\-−–±~]?(?P<digits>\d{1,3}(?:[,.'  ]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)\s?(?P<unit>k|m|bn|K|M)?"
    r"(?![A-Za-z]*\d)",
)
_THOUSANDS = re.compile(r"[,.'  ](?=\d{3}\b)")
_UNITS: Mapping[str, float] = {"k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6, "bn": 1e9}
_WORDS: Mapping[str, float] = {
    word: value
    for value, words in enumerate(
        (
            "zero no none nobody nothing",
            "one once first single",
            "two twice both second couple",
            "three third thrice",
            "four fourth",
            "five fifth",
            "six sixth",
            "seven seventh",
            "eight eighth",
            "nine ninth",
            "ten tenth",
            "eleven eleventh",
            "twelve twelfth dozen",
            "thirteen",
            "fourteen fortnight",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        )
    )
    for word in words.split()
} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1000, "million": 1e6, "half": 0.5, "quarter": 0.25,
}  # fmt: skip
_TENS = re.compile(
    r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ](one|two|three|four|five|six|seven|eight|nine)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\b([a-z]+|\d+(?:[.,]\d+)?)\s+(hundred|thousand|million)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b", re.IGNORECASE)

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SPAN = re.compile(r"\b(?:in|within|for)\s+(?P<count>\w+)\s+(?P<unit>day|week|month|year)s?\b", re.IGNORECASE)
_DAYS: Mapping[str, int] = {"day": 1, "week": 7, "month": 30, "year": 365}
_NEAR: Mapping[str, int] = {"today": 0, "tonight": 0, "tomorrow": 1, "next week": 7, "next month": 31}
_SLACK = 4
"""Days by which a date may differ from a span that was said in months, which have 28 to 31 days."""


@dataclass(frozen=True, slots=True)
class Said:
    """What people said, as numbers, and as words for dates."""

    numbers: frozenset[float]
    words: str
    today: date


def read_said(texts: Iterable[str], today: date) -> Said:
    """Return what can be traced to these messages."""
    words = "\n".join(texts)
    return Said(frozenset(_read_said_numbers(words)), words.casefold(), today)


def list_numbers(text: str) -> list[tuple[str, frozenset[float]]]:
    """Return the numbers in digits of a text, each with the values that it may have; dates are left out."""
    found = _NUMBER.finditer(ISO_DATE.sub(" ", text))
    return [(each[0].strip(), _read_values(each["digits"], each["unit"])) for each in found]


def list_computed(data: Any) -> frozenset[float]:
    """Return all numbers in computed findings: the figures themselves, and how many there are of each kind."""
    return frozenset(_walk_numbers(data))


def is_traced(values: Collection[float], known: Collection[float], today: date) -> bool:
    """Return True if one of the values is known. The current year and the next are always known."""
    return any(value in known or value in (today.year, today.year + 1) for value in values)


def is_date_said(day: date, said: Said) -> bool:
    """Return True if people's words name this date."""
    return day.isoformat() in said.words or _is_day_named(day, said) or _is_day_meant(day, said)


def _is_day_named(day: date, said: Said) -> bool:
    month = MONTHS[day.month - 1]
    has_month = re.search(rf"\b{month[:3]}(?:{month[3:]})?\b", said.words) is not None
    has_day = day.day in said.numbers
    is_edge = day.day == 1 or day.day == monthrange(day.year, day.month)[1]
    is_soon = abs((day - said.today).days) <= 45 and _ORDINAL.search(said.words) is not None
    short = re.search(rf"\b0?{day.day}[./]0?{day.month}\b|\b0?{day.month}/0?{day.day}\b", said.words)
    return (has_month and (has_day or is_edge)) or (has_day and is_soon) or short is not None


def _is_day_meant(day: date, said: Said) -> bool:
    away = (day - said.today).days
    if 0 <= away <= 14 and WEEKDAYS[day.weekday()] in said.words:
        return True
    if any(words in said.words and abs(away - days) <= (0 if days < 7 else 7) for words, days in _NEAR.items()):
        return True
    if "end of the month" in said.words and day.day == monthrange(day.year, day.month)[1] and 0 <= away <= 31:
        return True
    return any(abs(away - days) <= max(_SLACK, days // 20) * (days >= 28) for days in _list_spans(said.words))


def _list_spans(words: str) -> Iterator[int]:
    for found in _SPAN.finditer(words):
        counts = _read_values(found["count"], None) if found["count"].isdigit() else {_WORDS.get(found["count"], 1)}
        yield from (int(count) * _DAYS[found["unit"].casefold()] for count in counts)


def _read_said_numbers(words: str) -> Iterator[float]:
    for _, values in list_numbers(words):
        yield from values
    for year, month, day in ISO_DATE.findall(words):
        yield from (int(year), int(month), int(day))
    yield from (float(each) for each in _ORDINAL.findall(words))
    yield from (_WORDS[word] for word in map(str.casefold, _WORD.findall(words)) if word in _WORDS)
    yield from (_WORDS[tens.casefold()] + _WORDS[ones.casefold()] for tens, ones in _TENS.findall(words))
    for count, unit in _TIMES.findall(words):
        times = float(count.replace(",", ".")) if count[0].isdigit() else _WORDS.get(count.casefold(), 1)
        yield times * _WORDS[unit.casefold()]


def _read_values(digits: str, unit: str | None) -> frozenset[float]:
    """Return the values that the digits may have: 1.500 is fifteen hundred to some and one and a half to others."""
    plain = float(_THOUSANDS.sub("", digits).replace(",", "."))
    values = {plain}
    if digits.count(".") + digits.count(",") == 1:
        values.add(float(digits.replace(",", ".")))
    if unit:
        values |= {value * _UNITS[unit] for value in values}
    return frozenset(values)


def _walk_numbers(data: Any) -> Iterator[float]:
    if isinstance(data, bool | str | RatingTable):  # what people rated is no finding
        return
    if isinstance(data, int | float):
        yield from (float(data), float(round(data)), float(-data), round(float(data) * 100))
        return
    if isinstance(data, Mapping | Sequence):
        yield float(len(cast(Collection[Any], data)))
    for each in _list_parts(data):
        yield from _walk_numbers(each)


def _list_parts(data: Any) -> Iterable[Any]:
    if is_dataclass(data):
        return [getattr(data, each.name) for each in fields(data)]
    if isinstance(data, Mapping):
        return cast(Mapping[str, Any], data).values()
    return cast(Sequence[Any], data) if isinstance(data, Sequence) else ()
