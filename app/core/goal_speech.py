"""Text prepared for the rules on words: a person's own words, split into sentences and clauses.

It knows nothing of goals. Every pattern takes linear time on any text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_READ = 20_000
"""Characters; a longer text is rarely clear, and reading it would delay everything else."""

LONGEST_LINE = 200
"""Characters of a description or a value, because they are in every prompt."""

_NOT_SAID = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*(?:>|&gt;)[^\n]*$", re.DOTALL | re.MULTILINE)
"""Code and quotations."""
_UNSPOKEN = re.compile(r"<[@#!][^<>]*>|(?<!\S):[\w+'-]+:(?!\S)|[^\w\s!-~–—…]")
"""Mentions and emoji."""
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_SPACES = re.compile(r"[^\S\n]+")

_TURN = r"(?:but|however|except|although|though)\b"
_SENTENCE_ENDS = re.compile(r"(?<=[.!?…;])\s+|\n")
_CLAUSE_ENDS = re.compile(rf"(?<![.!?…;,:])[.!?…;,:]++(?=\s|\Z)|\n| [-–—]+ | (?={_TURN})", re.IGNORECASE)
_TURNS = re.compile(rf" (?={_TURN})", re.IGNORECASE)
_TURNING = re.compile(_TURN, re.IGNORECASE)
_OPENING = re.compile(
    r"(?:(?:hi|hello|hey|there|claude|threadwise|please|thanks|thank you|ok|okay|yes|great|perfect|now|next|then"
    r"|so|and|also|but|well|good (?:morning|afternoon|evening))\b[\s,.!:–—-]*)*+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A few words up to the next mark. `end` is the position after it."""

    text: str
    asks: bool
    end: int

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Return True if the clause matches as a whole and is no question."""
        return not self.asks and pattern.fullmatch(self.text) is not None


def phrase(*alternatives: str) -> re.Pattern[str]:
    """Return a case-insensitive pattern of these alternatives."""
    return re.compile(rf"(?:{'|'.join(alternatives)})", re.IGNORECASE)


def spoken(text: str) -> str:
    """Return a person's own words: without quotations, code, mentions and emoji, with single spaces."""
    own = _UNSPOKEN.sub(" ", _NOT_SAID.sub(" ", text[:LONGEST_READ].translate(_CURLY)))
    return _SPACES.sub(" ", own).strip()


def sentences(words: str) -> list[str]:
    """Return the sentences of spoken words, each without polite words at its beginning."""
    return [
        opened for sentence in _SENTENCE_ENDS.split(words) if (opened := _OPENING.sub("", sentence, count=1).strip())
    ]


def requests(words: str) -> list[str]:
    """Return the sentences, with the text after a "but" split off."""
    return [part for sentence in _SENTENCE_ENDS.split(words) for part in sentences("\n".join(_TURNS.split(sentence)))]


def clauses(words: str) -> list[Clause]:
    """Return the clauses of spoken words, in order. A "but" begins a new one."""
    found: list[Clause] = []
    start = 0
    for gap in _CLAUSE_ENDS.finditer(words):
        found.append(Clause(words[start : gap.start()].strip(), "?" in gap.group(), gap.end()))
        start = gap.end()
    found.append(Clause(words[start:].strip(), asks=False, end=len(words)))
    return [clause for clause in found if clause.text]


def turns(words: str) -> bool:
    """Return True if the words revoke the ones before: they begin with "but" or similar."""
    return _TURNING.match(words) is not None


def asks(words: str) -> bool:
    """Return True if the words end in a question."""
    return words.rstrip(" *_)\"'\n").endswith("?")


def line(text: str) -> str:
    """Return the words as they are shown and stored: one short line with a capital, without a full stop."""
    words = " ".join(text.split()).rstrip(".! ")
    words = words[:1].upper() + words[1:]
    return words if len(words) <= LONGEST_LINE else words[: LONGEST_LINE - 1].rstrip() + "…"
