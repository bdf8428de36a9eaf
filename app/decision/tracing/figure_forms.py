"""The forms in which people write numbers and dates, as patterns and tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from app.decision.analysis.amounts import number_words
from app.decision.analysis.amounts.number_words import SMALL

_MONTHS = (
    ("january", "jan", "januar"),
    ("february", "feb", "februar"),
    ("march", "mar", "märz"),
    ("april", "apr"),
    ("may", "mai"),
    ("june", "jun", "juni"),
    ("july", "jul", "juli"),
    ("august", "aug"),
    ("september", "sep", "sept"),
    ("october", "oct", "oktober", "okt"),
    ("november", "nov"),
    ("december", "dec", "dezember", "dez"),
)
MONTHS: Final = MappingProxyType({name: number for number, names in enumerate(_MONTHS, 1) for name in names})

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WOCHENTAGE = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_TAGE = ("mo", "di", "mi", "do", "fr", "sa", "so")
WEEKDAYS: Final = MappingProxyType(
    {
        **{name: place for each in (_WEEKDAYS, _WOCHENTAGE, _DAYS, _TAGE) for place, name in enumerate(each)},
        "thur": 3,
    }
)
"""Number of each weekday, from 0 for Monday."""
SHORT_DAY: Final = 5
"""Letters up to which a weekday may be another word: it counts as said, and states nothing."""

PROSE: Final = 12
"""Highest number that a text writes as a word without stating an amount: "one of them", "two options"."""

SCALES: Final = MappingProxyType(
    {
        **number_words.SCALES,
        **dict.fromkeys(("k", "tsd"), Decimal(1_000)),
        **dict.fromkeys(("m", "mn", "mil", "mio", "millions"), Decimal(1_000_000)),
        **dict.fromkeys(("bn", "mrd"), Decimal(1_000_000_000)),
        "hundred": Decimal(100),
        "dozen": Decimal(12),
    }
)

JOINTS: Final = ("-", "–", "—", "to", "or", "and", "until", "till", "bis", "und", "+", "plus", "−", "minus")
"""Words between two numbers that may share a scale and a unit."""

ADDED: Final = ("", "and", "und", ",")
"""What stands between two lengths of time that are one: "1 hour 30 minutes"."""
PERCENT: Final = "%"
MONEY: Final = "money"
SECONDS: Final = "seconds"
MONTHS_LONG: Final = "months"
SCALED: Final = "scaled"
"""Kinds of units. Amounts of time are in seconds, or in months if their length in seconds varies. The last is that of a
number whose scale may be a part of its unit: 50 kEUR is 50 in a column of kEUR."""
LENGTHS: Final = (MONTHS_LONG, SECONDS)

_TIMES = (
    (("second", "seconds", "sec", "s", "sekunden"), SECONDS, 1),
    (("minute", "minutes", "min", "mins", "minuten"), SECONDS, 60),
    (("hour", "hours", "hr", "hrs", "h", "std", "stunde", "stunden"), SECONDS, 3_600),
    (("day", "days", "d", "tage", "tagen"), SECONDS, 86_400),
    (("week", "weeks", "wk", "wks", "woche", "wochen"), SECONDS, 604_800),
    (("fortnight", "fortnights"), SECONDS, 1_209_600),
    (("month", "months", "mo", "mth", "monat", "monate", "monaten"), MONTHS_LONG, 1),
    (("quarter", "quarters", "quartal", "quartale", "quartalen"), MONTHS_LONG, 3),
    (("year", "years", "yr", "yrs", "jahr", "jahre", "jahren"), MONTHS_LONG, 12),
    (("decade", "decades"), MONTHS_LONG, 120),
)
CURRENCIES: Final = MappingProxyType(
    {
        **dict.fromkeys(("€", "eur", "euro", "euros"), "EUR"),
        **dict.fromkeys(("$", "usd", "dollar", "dollars"), "USD"),
        **dict.fromkeys(("£", "gbp", "pound", "pounds", "quid"), "GBP"),
        **dict.fromkeys(("chf", "francs", "franken"), "CHF"),
        "¥": "JPY",
    }
)
UNITS: Final = MappingProxyType(
    {
        **dict.fromkeys(("%", "percent", "per cent", "pct", "prozent"), (PERCENT, 1)),
        **dict.fromkeys((*CURRENCIES, "bucks"), (MONEY, 1)),
        **{name: (kind, size) for names, kind, size in _TIMES for name in names},
    }
)
"""Kind and size of each unit."""
DAY: Final = 86_400


def _either(*words: str) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_CURRENCY = _either("€", "$", "£", "¥", "EUR", "USD", "GBP", "CHF")
_UNITS_ALONE = rf"(?:{_either(*UNITS)})(?![A-Za-z])|[%€$£¥]"
_UNIT = rf"(?P<unit>{_UNITS_ALONE})"
_SHORT = rf"(?:\.(?=[ ]?(?:{_UNITS_ALONE})))?"  # "5 Mio. EUR"; before anything else it ends the sentence
_SCALE = rf"(?:(?P<scale>(?:{_either(*SCALES)})(?![A-Za-z²³])|(?:k|m|M|T)(?=€|EUR|eur|USD|usd|\$)){_SHORT})"
_TAIL = rf"(?:[ \u00a0\u202f]?{_SCALE})?(?:[ \u00a0\u202f-]?{_UNIT})?"
_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?"
NUMBER: Final = re.compile(
    rf"(?:(?P<money>{_CURRENCY})[ \u00a0\u202f]?|(?<![^\W_])(?-i:(?<![A-Z]-)))"
    rf"(?P<sign>[+\-−±]?)(?P<digits>(?:{_GROUPED})(?![\d])|\d+(?:[.,]\d+)?)"
    rf"(?P<half>[ ]{number_words.HALF}\b|[ ]?½|[ ]1/2(?![\d/]))?(?:{_TAIL})?(?!\d)",
    re.IGNORECASE,
)
"""A number in digits. Digits that belong to a name, as in A2 or GPT-4, are none."""

SPELT: Final = re.compile(rf"\b(?P<words>{number_words.SPELT})(?:mal)?(?: of)?(?:[ -]{_UNIT})?\b", re.IGNORECASE)
SCALE_IN_WORDS: Final = re.compile(rf"[ ](?:hundred|{_either(*number_words.SCALES)})(?:[ -](?:{_UNITS_ALONE}))?$", re.I)
_SPANS = _either(*(name for names, _, _ in _TIMES for name in names))
SPAN: Final = re.compile(
    rf"\b(?:an?|per|half an?|(?:ein[ ])?halbes|ein(?:e[mnr]?)?)[ ](?P<unit>{_SPANS})\b"
    rf"(?P<half>[ ]{number_words.HALF}\b)?",
    re.I,
)
"""A unit of time on its own: "a week", "half a day", "a year and a half"."""
EACH_PERIOD: Final = re.compile(
    rf"(?:[ ]?/[ ]?|[ ](?:an?|per|each|every|pro|je|im)[ ])(?P<unit>{_SPANS})\b"
    r"|[ ](?:(?P<day>daily|täglich)|(?P<week>weekly|wöchentlich)|(?P<month>monthly|monatlich)"
    r"|(?P<quarter>quarterly)|(?P<year>yearly|annually|per annum|jährlich|p\.?a\b))",
    re.I,
)
"""What stands behind an amount that comes again in each such time: "3k a month", "40 €/h"."""
CURRENCY: Final = re.compile(rf"[€$£¥]|(?<![^\W\d_])(?:{_either(*CURRENCIES)})(?![^\W_])", re.I)
MONEY_NAMED: Final = re.compile(rf"(?<![^\W\d_])(?:k|m|mio\.?|t)?([€$£¥]|(?:{_either(*CURRENCIES)})(?![^\W_]))", re.I)
"""The same anywhere in a text, also with a scale before it."""
PARTS: Final = MappingProxyType(
    {
        "half": Fraction(1, 2),
        **dict.fromkeys(("a third", "one third"), Fraction(1, 3)),
        **dict.fromkeys(("two thirds", "two-thirds"), Fraction(2, 3)),
        **dict.fromkeys(("a quarter", "one quarter"), Fraction(1, 4)),
        **dict.fromkeys(("three quarters", "three-quarters"), Fraction(3, 4)),
        "hälfte": Fraction(1, 2),
        "drittel": Fraction(1, 3),
        "zwei drittel": Fraction(2, 3),
        "ein viertel": Fraction(1, 4),
        "drei viertel": Fraction(3, 4),
    }
)
PART: Final = re.compile(
    rf"\b(?P<part>{_either(*PARTS)})(?=[ ](?:of|der|des|von|davon)\b(?![ ]an?[ ](?:{_either(*number_words.SCALES)})\b))"
    rf"(?:[ ]of[ ]an?[ ](?P<unit>{_SPANS})\b)?",
    re.I,
)
"""A part of something: "a third of the team", "three quarters of an hour"."""
HALF: Final = re.compile(rf"(?<!first )(?<!second )\b(?P<part>half)\b(?! an? (?:{_SPANS})\b)(?P<unit>)", re.I)
"""A half of something that is no time: "half a developer", "a half"."""
ORDINAL: Final = re.compile(r"(?<![\w.])(\d{1,2})(?:st|nd|rd|th)\b")
RANKS: Final = 3
"""Highest ordinal that is only a place: 1st, 2nd, 3rd."""

_MONTH = rf"(?P<month>{_either(*MONTHS)})\.?"
_YEAR = r"(?:,?[ ](?P<year>\d{4})(?!\w))?"
DATES: Final = (
    re.compile(r"(?<![\d/.-])(?P<m>0?[1-9]|1[0-2])/(?P<year>20\d\d)(?![\d/-])(?P<d>)"),
    re.compile(r"(?<![\d/.-])(?P<year>20\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d/-])(?P<d>)"),
    re.compile(r"(?<!\d)(?P<year>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?<![\d.])(?P<d>\d{1,2})\.[ ]?(?P<m>\d{1,2})\.(?:[ ]?(?P<year>\d{4}|\d{2})(?!\d))?(?!\d)"),
    re.compile(
        r"(?<![\w/])(?!(?<=\d[ ])1/2(?!\d))(?P<one>\d{1,2})/(?P<two>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?(?![\d/])"
    ),
    re.compile(rf"(?<!\w)(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[ ](?:of[ ])?{_MONTH}(?!\w){_YEAR}", re.I),
    re.compile(rf"\b{_MONTH}[ ](?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\w)(?![.,]\d){_YEAR}", re.I),
    re.compile(rf"\b{_MONTH}[ ](?P<year>\d{{4}}|['’]\d{{2}})(?!\w)", re.I),
)
"""Dates, the longest forms first."""
OF: Final = re.compile(r"[ ]of\b(?![ ]next\b)", re.I)
"""What stands behind "2/3" where that is a share."""
MAY_BE_DATE: Final = re.compile(rf"\d[-/.]|{_either(*{name[:3] for name in MONTHS})}", re.I)
"""What each of these forms has in it, quickly found."""
_NAMED_MONTH = _either(*(name.capitalize() for names in _MONTHS for name in names))
_LEADS = "by|in|until|till|before|after|since|from|of"
_PARTS = "end|early|mid|late|[Aa]nfang|[Mm]itte|[Ee]nde"
_PLAIN_MONTH = _either(*(name for names in _MONTHS for name in names if len(name) > 4 and name != "march"))
MONTH: Final = re.compile(
    rf"\b(?:(?:(?P<lead>{_LEADS}|{_PARTS}|this|next)[ -])?(?P<month>{_NAMED_MONTH}|{_PLAIN_MONTH})"
    rf"|(?P<before>{_LEADS}|{_PARTS})[ -](?P<small>{_either(*MONTHS)}))\b(?![ ]?['’]?\d)"
)
"""A month on its own. In small letters, "may" and other short ones are months only after a word such as "by"."""
MIDDLE: Final[Mapping[str, int]] = MappingProxyType(dict.fromkeys(("mid", "mitte"), 15))
"""The words before a month by which people mean this day of it."""
BEFORE_A_YEAR: Final = re.compile(rf"\b(?:(?:{_PARTS}|start|beginning)(?:[ ]of)?[ -]|in[ ])$", re.I)
"""What stands before "March 27" where 27 is the year: nobody speaks of the end of a day."""
QUARTER: Final = re.compile(r"\bQ([1-4])(?:[ /-]?(?:(\d{4})|['’]?([2-4]\d)(?![%€$£]|[.,]\d)))?\b", re.I)
"""A quarter, of a year with four digits or two: Q3 27. The two can also be a number of something else."""
COUNTED: Final = re.compile(r"[ ](?!(?:we|i|you|they|he|she|it|and|or|at|by|is|if|in|to|for|the|a)\b)[^\W\d_]", re.I)
"""A word after two digits that they may count, so that they are no year."""
QUARTER_IN_WORDS: Final = re.compile(
    r"\b(first|second|third|fourth|[1-4](?:st|nd|rd|th|\.(?=[ ]quartal)))[ ]quart(?:er|al)\b"
    r"(?:[ ](?:of[ ])?(\d{4})\b)?",
    re.I,
)
"""The same in words: "the third quarter of 2027"."""
PLACES: Final = MappingProxyType({"first": 1, "second": 2, "third": 3, "fourth": 4})
HALF_YEAR: Final = re.compile(
    r"\bH([12])(?:[ /-]?(\d{4}))?\b"
    r"|\b(first|second|1st|2nd)[ ]half of(?:[ ]the)?[ ](?:(\d{4})\b|(?:this |next )?year\b)",
    re.I,
)
"""A half of a year: H1 2027, "the second half of next year"."""
CLOCK: Final = re.compile(
    r"(?<![\w:.])(\d{1,2})(?:[:.](\d{2}))?[ ]?(am|pm|a\.m\.|p\.m\.|(?<=[:.]\d\d[ ])uhr)(?!\w)"
    r"|(?<![\w:.])(\d{1,2}):(\d{2})(?![\w:])",
    re.I,
)
_HOUR = rf"\d{{1,2}}|{_either(*SMALL[1:13])}"
_MINUTES = MappingProxyType({"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25})
ROUND: Final = re.compile(
    rf"\b(?:(?P<part>{_either(*_MINUTES)})[ ](?P<way>past|(?<=(?:half|rter)[ ])to)[ ](?P<hour>{_HOUR})"
    rf"|(?P<whole>{_HOUR})[ ]?(?:o['’]clock|uhr)"
    r"|(?P<middle>noon|midday|midnight))\b",
    re.I,
)
"""A time of day in words, of either half of the day: "half past nine", "8 o'clock", "noon"."""
MINUTES: Final = MappingProxyType({**_MINUTES, "noon": 720, "midday": 720, "midnight": 0})
WEEKDAY: Final = re.compile(
    rf"\b(?:(?:{_either(*_WEEKDAYS, *_WOCHENTAGE, *_DAYS)}|thur)s?|(?-i:{_either(*map(str.title, _TAGE))}))\b", re.I
)
IN_GERMAN: Final = MappingProxyType(
    {
        "heute": "today",
        "gestern": "yesterday",
        "übermorgen": "day after tomorrow",
        **dict.fromkeys(("ende der woche", "ende dieser woche"), "end of week"),
        **dict.fromkeys(("ende des monats", "monatsende"), "end of month"),
        **dict.fromkeys(("ende des quartals", "quartalsende"), "end of quarter"),
        **dict.fromkeys(("ende des jahres", "jahresende"), "end of year"),
        "nächste woche": "next week",
        "nächsten monat": "next month",
        "nächstes jahr": "next year",
    }
)
"""The same days in German."""
RELATIVE: Final = re.compile(
    r"\b(?P<day>today|tomorrow|yesterday|day after tomorrow)\b"
    r"|\b(?:(?P<end>end of (?:the |this |next )?)|(?P<which>this |next ))(?P<span>week|month|quarter|year)\b"
    r"|\b(?P<short>EO[WMQY]|(?:week|month|quarter|year)[- ]end)\b"
    rf"|\b(?P<german>{_either(*IN_GERMAN)}|(?-i:morgen))\b",
    re.I,
)
SHORT_ENDS: Final = MappingProxyType({"eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"})
WEEK: Final = re.compile(
    r"(?<!a )(?<!per )(?<!each )(?<!every )\b(?:KW|CW|calendar week|week)[ ]?(\d{1,2})(?![\w%]|[.,]\d)"
    rf"(?![ ](?:{_SPANS})\b)",
    re.I,
)
"""A week by its number."""
HOLIDAYS: Final = MappingProxyType(
    {
        **dict.fromkeys(("christmas", "xmas", "weihnachten"), ((12, 24), (12, 25))),
        "christmas eve": ((12, 24),),
        "boxing day": ((12, 26),),
        **dict.fromkeys(("new year's eve", "new year’s eve", "silvester"), ((12, 31),)),
        **dict.fromkeys(("new year's day", "new year’s day"), ((1, 1),)),
        **dict.fromkeys(("new year", "neujahr"), ((12, 31), (1, 1))),
    }
)
"""Month and day of those that are on the same day each year."""
HOLIDAY: Final = re.compile(rf"\b(?:{_either(*HOLIDAYS)})\b", re.I)

EXEMPT: Final = re.compile(
    r"<[@#!][^<>]*>|<?https?://[^\s<>]+>?"  # mentions and links
    r"|(?m:^[ \t]*\(?\d{1,2}[.)](?=[ ]))|(?<=\s)\(\d\)(?=\s)"  # list numbering
    r"|\b(?:v|version |draft |step )\d+(?:\.\d+)*\b"  # versions
    r"|(?<![\w.,])[+\-−±][ ]?[0-2](?![\w%€$£]|[.,]\d|[ ](?:%|k\b))|(?<![\w.,])[1-4] steps?\b"  # ratings
    r"|(?<!\d)24/7(?!\d)",
    re.I,
)
"""What looks like a number and states none."""
