"""Figures of a reply that are worked out in more than one step: "with 250 for heating it is 30,100 in 14 months".

An invented figure must not pass by chance. So a sentence has to name the months, people and so on that multiply, and a
sum one of its terms; the other may stand in a sentence of somebody else, but only on the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Final

from app.decision.analysis.amounts.bounds import read_bounds
from app.decision.tracing.figure_forms import MONEY, MONTHS_LONG, SECONDS
from app.decision.tracing.figures import Figure, read_figures
from app.decision.tracing.sums import find_topics

PASSES: Final = 2
"""How often a text is gone through: what follows from a figure may stand before it."""

_SENTENCE: Final = re.compile(r"(?:[^.;!?\n]|[.](?=\d))+")
_PART: Final = re.compile(r"(?:[^,:]|,(?=\d{3}))+")
_THINGS: Final = re.compile(r"[ -](?:[^\W\d_]{2,}s|people|children|staff)\b", re.IGNORECASE)
_OF_LIMIT: Final = re.compile(r"\b(?:limit|cap|budget|ceiling|most|maximum)\b", re.IGNORECASE)
_COMPARES: Final = re.compile(
    r"\b(?:than|less|more|cheaper|dearer|over|above|under|below|saves?|left)\b", re.IGNORECASE
)


def find_worked_out(
    text: str, strange: Sequence[Figure], known: Sequence[Figure], heard: Iterable[str]
) -> tuple[Figure, ...]:
    """Return those of the strange figures of a reply that follow from known ones, and from what was heard."""
    lines = [line for words in heard for line in _SENTENCE.findall(words)]
    found = list[Figure]()
    for figure in (*strange, *strange)[: PASSES * len(strange)]:
        made = _Surroundings(text, figure, (*known, *found), tuple(found), lines)
        if figure not in found and not _read_amounts(figure).isdisjoint(made.list_values()):
            found.append(figure)
    return tuple(found)


@dataclass(frozen=True)
class _Surroundings:
    """What stands around a figure of a reply, and what was heard of the same things."""

    text: str
    figure: Figure
    known: tuple[Figure, ...]
    found: tuple[Figure, ...]
    lines: Sequence[str]

    def list_values(self) -> Iterator[Decimal]:
        """Yield what the known figures make."""
        counts = {value for each in self._inside for value in _read_counts(each, self._sentence, self._start)}
        own = {value for each in self._inside for value in _read_amounts(each)} - counts
        heard = {value for line in self._related for value in _read_line(line)}
        terms = own | heard | {one + other for one, other in product(own, own | heard)}
        yield from (one * count for one, count in product(terms, counts))
        yield from (one * count + other for one, count, other in product(own, counts, own))
        others = own if _COMPARES.search(self._part) else set[Decimal]()
        before = {value for each in self.found for value in _read_amounts(each)}
        yield from (abs(one - other) for one, other in product(before, {*others, *self._bounds}))

    @cached_property
    def _span(self) -> re.Match[str]:
        return next(each for each in _SENTENCE.finditer(self.text) if each.end() > self.figure.start)

    @property
    def _sentence(self) -> str:
        return self._span[0]

    @property
    def _start(self) -> int:
        return self._span.start()

    @cached_property
    def _part(self) -> str:
        at = self.figure.start - self._start
        return next(each[0] for each in _PART.finditer(self._sentence) if each.end() > at)

    @cached_property
    def _inside(self) -> list[Figure]:
        return [each for each in self.known if self._span.start() <= each.start < self._span.end()]

    @cached_property
    def _related(self) -> list[str]:
        topics = find_topics(self._sentence)
        return [line for line in self.lines if find_topics(line) & topics and not any(read_bounds(line))]

    @cached_property
    def _bounds(self) -> set[Decimal]:
        found = (each for line in self.lines for each in read_bounds(line)) if _OF_LIMIT.search(self._part) else ()
        return {Decimal(str(each.amount.number)) for each in found}


def _read_line(line: str) -> Iterator[Decimal]:
    for figure in read_figures(line):
        counts = _read_counts(figure, line, 0)
        yield from _read_amounts(figure) - counts


def _read_amounts(figure: Figure) -> set[Decimal]:
    return {each.value for each in figure.amounts if each.unit in ("", MONEY)}


def _read_counts(figure: Figure, text: str, start: int) -> set[Decimal]:
    """Return the number of months, people and so on that a figure is."""
    is_counted = _THINGS.match(text, figure.end - start) is not None
    units = ("", MONTHS_LONG, SECONDS) if is_counted else (MONTHS_LONG, SECONDS)
    return {each.value for each in figure.amounts if each.unit in units}
