"""Numbers that people write as words."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS: Final = MappingProxyType(
    {
        **{word: number for number, word in enumerate(SMALL)},
        **{word: number * 10 for number, word in enumerate(TENS, 2)},
        "dozen": 12,
        "couple": 2,
    }
)
