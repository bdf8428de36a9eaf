"""Numbers that people write as words: "two hundred and fifty", "half a million", "three and a half"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from types import MappingProxyType
from typing import Final

SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TO_12 = ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf")
_TO_19 = ("dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn")
_ZEHNER = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig", "hundert")
GERMAN: Final = MappingProxyType(
    {
        **{word: number for number, word in enumerate((*_TO_12, *_TO_19), 2)},
        **{word: number * 10 for number, word in enumerate(_ZEHNER, 2)},
        "dutzend": 12,
    }
)
TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS: Final = MappingProxyType(
    {
        **{word: number for number, word in enumerate(SMALL)},
        **{word: number * 10 for number, word in enumerate(TENS, 2)},
        **GERMAN,
        "dozen": 12,
        "couple": 2,
        "pair": 2,
        "twice": 2,
    }
)
SCALES: Final = MappingProxyType(
    {
        "thousand": Decimal(1_000),
        "grand": Decimal(1_000),
        "million": Decimal(1_000_000),
        "billion": Decimal(1_000_000_000),
        "tausend": Decimal(1_000),
        "millionen": Decimal(1_000_000),
    }
)
HALF: Final = "and a half"
_PARTS: Final = MappingProxyType({"half": Decimal("0.5"), "quarter": Decimal("0.25"), "quarters": Decimal("0.25")})
_TIMES: Final = MappingProxyType({"dozen": Decimal(12), "hundred": Decimal(100)})


def _match_beginning(words: Iterable[str]) -> str:
    """Return a pattern of their first two letters. It turns any other word away before all numbers are tried on it."""
    seconds = dict[str, str]()
    for word in words:
        seconds[word[0]] = seconds.get(word[0], "") + re.escape(word[1])
    return "|".join(f"{first}[{second}]" for first, second in seconds.items())


_BEGINNING = _match_beginning((*WORDS, "half", "quarter", "hundred", "an", "a ", "a-"))
_SCALE = "|".join(SCALES)
_TEN = "|".join(TENS)
_LOW = "|".join(sorted((*SMALL, *GERMAN), key=len, reverse=True))
_UNDER_100 = (
    rf"(?:(?:{_TEN})(?:[ -](?:{'|'.join(SMALL[1:10])}))?|{_LOW}|couple(?: of(?= (?:hundred|{_SCALE})))?|pair|twice)"
)
_UNDER_1000 = (
    rf"(?:(?:{_UNDER_100}|an?)[ -]hundred(?:[ ](?:and[ ])?{_UNDER_100})?|(?:{_UNDER_100}[ ])?dozen|{_UNDER_100})"
)
_PART = r"(?:half an?|(?:a |one )?quarter (?:of )?an?|three quarters of an?)"
_SCALED = rf"(?:{_UNDER_1000}(?:[ ]{HALF})?|{_PART}|an?|hundred)[ -](?:{_SCALE})\b(?:[ ]{HALF}\b)?"
SPELT: Final = (
    rf"(?=(?:{_BEGINNING}))(?:{_SCALED}(?:,?[ ](?:and[ ])?{_UNDER_1000}(?:[ ](?:{_SCALE}))?\b)*"
    rf"|half a dozen|{_UNDER_1000}(?:[ ]{HALF})?)"
)
"""Pattern of a number in words."""
_WORD: Final = re.compile(r"[^\W\d_]+")


def read_number(words: str) -> Decimal:
    """Return the number that these words, which match `SPELT`, say."""
    total, part, scale = Decimal(0), Decimal(0), Decimal(1)
    for word in _WORD.findall(words.lower()):
        if word in SCALES:
            scale = SCALES[word]
            total, part = total + (part or 1) * scale, Decimal(0)
        elif word in _TIMES:
            part = (part or 1) * _TIMES[word]
        elif word == "half" and total and not part:
            total += scale / 2
        elif word in _PARTS:
            part = part + _PARTS[word] if word == "half" else (part or 1) * _PARTS[word]
        else:
            part += WORDS.get(word, 0)
    return total + part
