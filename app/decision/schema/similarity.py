"""Comparison of texts of any length. Texts that people would call the same are equal.

Works word by word, because the folding in the core stops after a few hundred characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from app.core.text.replies import folded

TELLING: Final = 5
"""Shortest length, in letters, of a word that tells the topic of a text."""

_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """Return the text without case, width, spaces and invisible characters."""
    return " ".join(folded(word) for word in text.split())


def all_plain(texts: Iterable[str]) -> str:
    """Join the texts in the form in which they are compared."""
    return " ".join(map(plain, texts))


def words(text: str) -> frozenset[str]:
    """Return the words of the text in the form in which they are compared."""
    return frozenset(_WORD.findall(plain(text)))


def telling_words(text: str) -> frozenset[str]:
    """Return the words that tell the topic of the text."""
    return frozenset(word for word in words(text) if len(word) >= TELLING)


def likeness(one: str, other: str) -> float:
    """Return the share of all words of both texts that they have in common."""
    return len(words(one) & words(other)) / max(len(words(one) | words(other)), 1)
