"""Words as a rule may read them: only what somebody says themselves, cut into sentences and clauses.

It knows nothing of goals. Every pattern takes linear time, whatever somebody writes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_READ = 20_000
"""Characters; nobody says anything clearly beyond, and reading holds up everything else."""

LONGEST_LINE = 200
"""Characters of a description or a value: they stand in every prompt."""

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
    """A few words up to the next mark. `end` is where the text goes on after it."""

    text: str
    asks: bool
    end: int

    def says(self, pattern: re.Pattern[str]) -> bool:
        """True if it says this and nothing else, and does not ask it."""
        return not self.asks and pattern.fullmatch(self.text) is not None


def phrase(*alternatives: str) -> re.Pattern[str]:
    """A pattern of ours, in any case."""
    return re.compile(rf"(?:{'|'.join(alternatives)})", re.IGNORECASE)


def spoken(text: str) -> str:
    """Somebody's own words: without quotations, code, mentions and emoji, with single spaces."""
    own = _UNSPOKEN.sub(" ", _NOT_SAID.sub(" ", text[:LONGEST_READ].translate(_CURLY)))
    return _SPACES.sub(" ", own).strip()


def sentences(words: str) -> list[str]:
    """The sentences of spoken words, each without the polite words it begins with."""
    return [
        opened for sentence in _SENTENCE_ENDS.split(words) if (opened := _OPENING.sub("", sentence, count=1).strip())
    ]


def requests(words: str) -> list[str]:
    """The sentences, and apart from them what comes after a "but"."""
    return [part for sentence in _SENTENCE_ENDS.split(words) for part in sentences("\n".join(_TURNS.split(sentence)))]


def clauses(words: str) -> list[Clause]:
    """The clauses of spoken words, in order. A "but" begins a new one."""
    found: list[Clause] = []
    start = 0
    for gap in _CLAUSE_ENDS.finditer(words):
        found.append(Clause(words[start : gap.start()].strip(), "?" in gap.group(), gap.end()))
        start = gap.end()
    found.append(Clause(words[start:].strip(), asks=False, end=len(words)))
    return [clause for clause in found if clause.text]


def turns(words: str) -> bool:
    """True if what follows takes something back: it begins with "but" or the like."""
    return _TURNING.match(words) is not None


def asks(words: str) -> bool:
    """True if they end in a question."""
    return words.rstrip(" *_)\"'\n").endswith("?")


def line(text: str) -> str:
    """Words as they are shown and stored: one line with a capital, without full stop, not too long."""
    words = " ".join(text.split()).rstrip(".! ")
    words = words[:1].upper() + words[1:]
    return words if len(words) <= LONGEST_LINE else words[: LONGEST_LINE - 1].rstrip() + "…"
