"""Comparison of texts of any length. Texts that people would call the same are equal.

Works word by word, because the folding in the core stops after a few hundred characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from app.core.text.replies import fold

TELLING: Final = 5
"""Shortest length, in letters, of a word that tells the topic of a text; so many of its own say which word it is."""

_NAMES_OF_WORDS: Final = frozenset(
    {"text", "description", "name", "title", "statement", "content", "label", "words", "summary", "action", "question"}
)
"""Names under which the words of an item are often given."""

_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"[A-Za-z0-9.,;!?%+/'()-]{1,50}(?: [A-Za-z0-9.,;!?%+/'()-]{1,50})*")
"""Words and numbers in which only case can differ, as in most texts and cells of a large table."""
_QUOTATION_MARKS = str.maketrans("“”„‟«»’‘‚‛ʼ`´", '""""""' + "'" * 7)


def normalize(text: str) -> str:
    """Return the text without case, width, spaces, invisible characters and typographic quotation marks."""
    if _PLAIN.fullmatch(text):
        return text.lower()
    return " ".join(fold(word) for word in text.translate(_QUOTATION_MARKS).split())


def normalize_quote(text: str) -> str:
    """Return the text without case, white space and typographic quotation marks, and otherwise letter for letter."""
    return " ".join(text.translate(_QUOTATION_MARKS).casefold().split())


def normalize_all(texts: Iterable[str]) -> str:
    """Join the texts in the form in which they are compared."""
    return " ".join(map(normalize, texts))


def split_words(text: str) -> frozenset[str]:
    """Return the words of the text in the form in which they are compared."""
    return frozenset(_WORD.findall(normalize(text)))


def find_telling_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words that tell the topic of the text: a commute is commuting."""
    return frozenset(word[:TELLING] for word in split_words(text) if len(word) >= TELLING)


def shares_half(words: frozenset[str], other: frozenset[str]) -> bool:
    """Return True if at least half of these words are among the other ones; true of no words."""
    return len(words & other) * 2 >= len(words)


def measure_similarity(one: str, other: str) -> float:
    """Return the share of all words of both texts that they have in common."""
    return len(split_words(one) & split_words(other)) / max(len(split_words(one) | split_words(other)), 1)


def suggest_name(name: str, known: Sequence[str], words: str = "") -> str:
    """Return which of the known fields is probably meant, in words: one in backquotes, or all of them.

    `words` is the field that holds the words of an item, if there is one.
    """
    last = name.rpartition(".")[2]
    meant = words if last in _NAMES_OF_WORDS else ""
    meant = meant or next((each for each in known if each.rpartition(".")[2] == last), "")
    meant = meant or next(iter(get_close_matches(name, known, n=1)), "")
    return f"did you mean `{meant}`?" if meant else f"there is {', '.join(f'`{each}`' for each in known)}"
