"""What the model says in the benchmark. No word comes twice in an answer, so that a lost one can be counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.playground.claude import Gate, Pace, Turn

DELTAS_PER_SECOND = 20
STREAM_SECONDS = 4.6
WORDS = ("hire", "rent", "evening", "winter", "calls", "rota", "cost", "people", "Monday", "repair", "promise", "team")


@dataclass(frozen=True, slots=True)
class Answer:
    """A text, and how long the model takes to say it (seconds; 0 is at once)."""

    name: str
    text: str
    seconds: float = STREAM_SECONDS

    def turn(self, gates: Sequence[Gate] = ()) -> Turn:
        """Script it as deltas of equal length."""
        wanted = max(1, round(self.seconds * DELTAS_PER_SECOND))
        chunk = -(-len(self.text) // wanted) if self.seconds else 12
        deltas = -(-len(self.text) // chunk)
        return Turn(text=self.text, pace=Pace(chunk=chunk, seconds=self.seconds / deltas), gates=gates)

    def missing(self, shown: str) -> int:
        """Count the words that are not shown. Where a message ends and the next begins does not matter."""
        seen = _without_spaces(shown)
        if _without_spaces(self.text) in seen:
            return 0
        return sum(word not in seen for word in self.text.split())


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _words(first: int, count: int) -> str:
    return " ".join(f"{WORDS[n % len(WORDS)]}{n}" for n in range(first, first + count))


def _lines(count: int) -> str:
    return "\n".join(f"- **Point{1_000 + n}:** {_words(10_000 + 8 * n, 8)}" for n in range(count))


def _chapters(count: int) -> str:
    return "\n\n".join(f"## Chapter{1_000 + n}\n\n{_words(10_000 + 60 * n, 60)}." for n in range(count))


def paragraph(seconds: float = STREAM_SECONDS) -> Answer:
    """Seventy words without a break."""
    return Answer("one paragraph", f"{_words(10_000, 70)}.", seconds)


MANY_LINES = Answer("many lines", _lines(30))
SEVERAL_MESSAGES = Answer("three messages", _chapters(14))
AT_ONCE = Answer("at once", f"{_words(10_000, 30)}.", 0)
