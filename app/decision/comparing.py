"""Texts of any length in the form in which they are compared: what people would call the same is the same.

Works word by word, since what the core folds as a whole ends after a few hundred characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from app.core.wording import folded

TELLING: Final = 5
"""Letters of a word that says what a text is about."""

_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """The text without case, width, spaces and what cannot be seen."""
    return " ".join(folded(word) for word in text.split())


def all_plain(texts: Iterable[str]) -> str:
    """All of them as one."""
    return " ".join(map(plain, texts))


def words(text: str) -> frozenset[str]:
    """Its words."""
    return frozenset(_WORD.findall(plain(text)))


def telling_words(text: str) -> frozenset[str]:
    """The words that say what it is about."""
    return frozenset(word for word in words(text) if len(word) >= TELLING)


def likeness(one: str, other: str) -> float:
    """Of all words of both, the share that they have in common."""
    return len(words(one) & words(other)) / max(len(words(one) | words(other)), 1)
