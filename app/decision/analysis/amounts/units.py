"""Units as people write them, and the conversion of amounts between them.

A unit is a product of words over a product of words, such as `kEUR/month`. Known words are measured in a base: a
currency, seconds, a share or a number. Any other word is a base of its own, so that `k tickets` and `tickets` are
alike. A month is a twelfth of a year of 365.25 days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from types import MappingProxyType
from typing import Final

_DAY: Final = 24 * 3600
_YEAR: Final = Fraction(_DAY * 1461, 4)

_TIMES: Final = MappingProxyType(
    {
        "k": 1_000, "thousand": 1_000, "tsd": 1_000, "m": 1_000_000, "mn": 1_000_000, "mio": 1_000_000,
        "mln": 1_000_000, "million": 1_000_000, "tausend": 1_000, "bn": 1_000_000_000, "billion": 1_000_000_000,
        "hundred": 100,
    }
)  # fmt: skip
"""Words that multiply what follows."""
_CURRENCIES: Final = MappingProxyType(
    {
        "€": "eur", "eur": "eur", "euro": "eur", "$": "usd", "usd": "usd", "us$": "usd", "dollar": "usd",
        "£": "gbp", "gbp": "gbp", "pound": "gbp", "chf": "chf", "franc": "chf", "franken": "chf",
        "sek": "sek", "nok": "nok",
        "dkk": "dkk",
        "pln": "pln", "czk": "czk", "¥": "jpy", "jpy": "jpy", "yen": "jpy", "inr": "inr", "₹": "inr", "cny": "cny",
    }
)  # fmt: skip
_TIMES_OF_DAY: Final = MappingProxyType(
    {
        "ms": Fraction(1, 1_000), "millisecond": Fraction(1, 1_000),
        "s": Fraction(1), "sec": Fraction(1), "second": Fraction(1),
        "min": Fraction(60), "minute": Fraction(60),
        "h": Fraction(3_600), "hr": Fraction(3_600), "hour": Fraction(3_600),
        "d": Fraction(_DAY), "day": Fraction(_DAY),
        "wk": Fraction(7 * _DAY), "week": Fraction(7 * _DAY),
        "mo": _YEAR / 12, "month": _YEAR / 12, "quarter": _YEAR / 4,
        "y": _YEAR, "yr": _YEAR, "year": _YEAR, "annum": _YEAR,
        **dict.fromkeys(("sekunde", "sekunden"), Fraction(1)), "minuten": Fraction(60),
        **dict.fromkeys(("std", "stunde", "stunden"), Fraction(3_600)),
        **dict.fromkeys(("tage", "tagen"), Fraction(_DAY)),
        **dict.fromkeys(("woche", "wochen"), Fraction(7 * _DAY)),
        **dict.fromkeys(("monat", "monate", "monaten"), _YEAR / 12),
        **dict.fromkeys(("quartal", "quartale"), _YEAR / 4),
        **dict.fromkeys(("jahr", "jahre", "jahren"), _YEAR),
    }
)  # fmt: skip
_SHARES: Final = MappingProxyType(
    {**dict.fromkeys(("%", "percent", "pct", "prozent"), Fraction(1, 100)), "‰": Fraction(1, 1_000)}
)
_AREAS: Final[Mapping[str, str]] = MappingProxyType(dict.fromkeys(("qm", "sqm", "m2"), "m²"))

_KNOWN: Final[Mapping[str, tuple[Fraction, str]]] = MappingProxyType(
    {
        **{word: (Fraction(1), base) for word, base in _CURRENCIES.items()},
        **{word: (seconds, "time") for word, seconds in _TIMES_OF_DAY.items()},
        **{word: (part, "share") for word, part in _SHARES.items()},
    }
)
"""The factor and the base of each word that has one."""
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {**dict.fromkeys(_CURRENCIES.values(), "money"), "time": "time", "share": "share"}
)

_YEARLY = re.compile(r"\s*\bp\.?\s?a\.?(?=\s|$)")
_PER = re.compile(r"\s+(?:per|an?|each|every|pro|je|im(?=\s+(?:monat|quartal|jahr)))\s+")
_SHARE_OF = re.compile(r"(?:^|(?<=\s))(%|‰|percent|pct)\s+of\s.*", re.DOTALL)
"""A share with what it is a share of: "% of all alarms"."""
_MILLION = re.compile(r"(?<![^\s/])M(?![^\s/])")
_WORD = re.compile(r"[^\s·*]+")
_GLUED = re.compile(r"(k|m|mio|mn|mln|tsd|t|bn)\.?(" + "|".join(map(re.escape, _CURRENCIES)) + r")s?")


@dataclass(frozen=True, slots=True)
class Unit:
    """A factor on bases; two units are alike if their bases are the same."""

    factor: Fraction
    above: tuple[str, ...]
    below: tuple[str, ...]


@lru_cache(maxsize=256)  # the few units of a decision are compared again and again
def parse_unit(text: str) -> Unit | None:
    """Return the unit; None if the text names none."""
    words = _SHARE_OF.sub(r"\1", _YEARLY.sub("/year", _MILLION.sub("million", text.strip()).casefold()))
    parts = _PER.sub("/", f" {words} ").strip().split("/")
    factor, bases = Fraction(1), list[list[str]]()
    for index, part in enumerate(parts):
        worth, names = _read_words(_WORD.findall(part))
        factor = factor / worth if index else factor * worth
        bases.append(names)
    above, below = bases[0], [each for names in bases[1:] for each in names]
    return Unit(factor, tuple(sorted(above)), tuple(sorted(below))) if above or below or factor != 1 else None


def convert(amount: float, start: str, end: str) -> float | None:
    """Return the amount in another unit; None if the units are not alike, or no number comes of it."""
    if not isfinite(amount):
        return None
    if " ".join(start.casefold().split()) == " ".join(end.casefold().split()):
        return amount
    one, other = parse_unit(start), parse_unit(end)
    if one is None or other is None or (one.above, one.below) != (other.above, other.below):
        return None
    try:
        return float(Fraction(repr(amount)) * one.factor / other.factor)
    except OverflowError:
        return None


def find_kind(unit: str) -> str:
    """Return "money", "time" or "share" for a unit of that; empty for any other."""
    found = parse_unit(unit)
    return next((_KINDS[each] for each in (found.above if found else ()) if each in _KINDS), "")


def split_period(unit: str) -> tuple[str, str]:
    """Return what a unit counts, and per what: kEUR and year of `kEUR/year`. The second is empty if it has none."""
    above, _, below = _PER.sub("/", _YEARLY.sub("/year", unit)).partition("/")
    return above.strip(), below.strip()


def _read_words(words: Iterable[str]) -> tuple[Fraction, list[str]]:
    """Return the product of the factors, and the bases. `m` with nothing behind it is a base: it may be metres."""
    factor, names = Fraction(1), list[str]()
    left = [piece for word in words for piece in _split_glued(word)]
    for index, word in enumerate(left):
        times = word.rstrip(".")
        if times in _TIMES and (times != "m" or index + 1 < len(left)):
            factor *= _TIMES[times]
        else:
            worth, name = _read_word(word)
            factor *= worth
            names += [name] if name else []
    return factor, names


def _split_glued(word: str) -> tuple[str, ...]:
    found = _GLUED.fullmatch(word)
    if found is None:
        return (word,)
    times = "k" if found[1] == "t" else found[1]
    return times, found[2]


def _read_word(word: str) -> tuple[Fraction, str]:
    """Return the factor and the base of a word; a number has no base."""
    if re.fullmatch(r"\d{1,12}(\.\d{1,6})?", word) and Fraction(word):
        return Fraction(word), ""
    for name in (word.rstrip("."), word.rstrip(".").removesuffix("s")):
        if name in _KNOWN:
            return _KNOWN[name]
    return Fraction(1), _AREAS.get(word) or (word.removesuffix("s") if len(word) > 3 else word)
