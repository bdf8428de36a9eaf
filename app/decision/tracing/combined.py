"""Figures of a draft that people said in parts: as sums, or as the difference of two known amounts of one objective."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from math import isclose
from typing import Any, Final

from app.decision.analysis.amounts.bounds import read_bounds, read_written_amounts
from app.decision.analysis.amounts.collecting import Collected
from app.decision.record import DecisionRecord
from app.decision.rules.written_amounts import find_rated
from app.decision.schema.paths import find_values, is_object
from app.decision.tracing.figures import SENTENCE, Figure, read_figures
from app.decision.tracing.said import SaidFigures
from app.decision.tracing.worked_out.shares import read_shares
from app.decision.tracing.worked_out.sums import (
    NOTHING,
    Sum,
    find_factors,
    find_topics,
    find_worked_out,
    is_of_unit,
    read_sums,
)
from app.decision.tracing.worked_out.written import Written, read_written

_HANDLE: Final = re.compile(r"(?<!\w)A\d{1,4}(?!\w)")
_COMPARES: Final = re.compile(
    r"\b(?:than|less|more|cheaper|dearer|against|saves?|saved|saving|difference|apart|over|above|under|below|instead"
    r"|als|weniger|mehr|günstiger|billiger|teurer|gegenüber|statt|spar(?:t|en)|gespart|unterschied|differenz)\b",
    re.IGNORECASE,
)
_OF_TODAY: Final = re.compile(r"\b(?:today|now|as it is|status quo|carrying on|heute|bisher)\b", re.IGNORECASE)
_OF_LIMIT: Final = re.compile(r"\b(?:limit|cap|budget|ceiling|grenze|limite|obergrenze)\b", re.IGNORECASE)
SOURCES: Final = ("source", "rationale")
"""The fields that say where the amount beside them is from."""
WORKED_OUT: Final = "{figure} = {words}"
DIFFERENCE: Final = "{figure:,.10g} = {one:,.10g} − {other:,.10g}"


@dataclass(frozen=True)
class CombinedFigures:
    """What follows from figures that are known one by one."""

    draft: Mapping[str, Any]
    said: SaidFigures
    so_far: DecisionRecord
    _written: dict[str, tuple[Written, ...]] = field(default_factory=dict[str, "tuple[Written, ...]"], init=False)

    def find_said(self, figure: Figure, text: str, about: str) -> str:
        """Return how people said it in parts, or how the text works it out from what they said; else nothing."""
        told = self.said.find_equation(figure, find_topics(f"{about} {text}"))
        if not told and (found := self._find_stated(figure, text)):
            told = found.equation
        return told or self._find_share(figure, text, ()) or self._find_written(figure, text)

    def is_factor(self, figure: Figure, text: str) -> bool:
        """Return True for the months of a year and the like, by which a text multiplies or divides a known amount."""
        return not self.said.knows(figure) and any(figure in each.terms for each in self._list_written(text))

    def _find_written(self, figure: Figure, text: str) -> str:
        return next((each.equation for each in self._list_written(text) if each.makes(figure)), "")

    def _list_written(self, text: str) -> tuple[Written, ...]:
        """Return what the arithmetic of a text comes to, where its terms are known. Each text is read once."""

        def knows(term: Figure) -> bool:
            return self.said.knows(term) or self.said.knows_months(term)

        if text not in self._written:
            made = (each for each in read_written(text, read_figures(text)) if each.is_known(knows))
            self._written[text] = tuple(made)
        return self._written[text]

    def _find_stated(self, figure: Figure, text: str) -> Sum | None:
        for each in read_sums(text):
            if not each.topics and any(one.value == each.value and is_of_unit(one, each) for one in figure.amounts):
                terms = set(map(abs, each.terms))
                used = (one for one in read_figures(text) if any(amount.value in terms for amount in one.amounts))
                if all(map(self.said.knows, used)):
                    return each
        return None

    def _find_share(self, figure: Figure, text: str, beside: Sequence[Figure]) -> str:
        """Return what share of a known amount a text says a figure to be; else nothing."""
        shares = (each for each in read_shares(text, beside) if each.makes(figure))
        return next((each.equation for each in shares if all(map(self.said.knows, each.terms))), "")

    def find_difference(self, figure: Figure, text: str, holder: Any) -> str:
        """Return how far apart the options are that a sentence compares, or an option and a limit; else nothing."""
        sentence, options = self._find_compared(figure, text, holder)
        written = read_written_amounts(text[figure.start :])[:1] if options else ()
        for collected in self._collected.values():
            amounts = [each for (option, _), each in collected.amounts.items() if option in options]
            known = (*amounts, *(self._list_bounds(collected.unit) if _OF_LIMIT.search(sentence) else ()))
            for amount in filter(None, (each.read_in(collected.unit) for each in written)):
                for one, other in permutations(known, 2):
                    if isclose(one - other, amount):
                        return DIFFERENCE.format(figure=amount, one=one, other=other)
        return ""

    def find_product(self, figure: Figure, text: str, holder: Any) -> str:
        """Return how a figure is worked out by its own text, or by what stands beside an amount; else nothing.

        That is from an amount for another period, or in more than one step.
        """
        beside = [str(holder[name]) for name in SOURCES if name in holder] if is_object(holder) else []
        for words in beside:
            if told := self._find_share(figure, words, self._list_bases(holder)) or self._find_written(figure, words):
                return told
        for words, whole in ((text, text), *((each, f"{each}, {text}") for each in beside)):
            figures = read_figures(whole)
            made = figure if words == text else figures[-1]
            known = [each for each in figures if each != made and self.said.explains(each, NOTHING)]
            if told := find_factors(whole, made, known):
                return told
            if find_worked_out(whole, (made,), known, ()):
                return WORKED_OUT.format(figure=figure.text, words=words)
        return ""

    def _find_compared(self, figure: Figure, text: str, holder: Any) -> tuple[str, Collection[str]]:
        """Return the sentence of a figure and the options that it compares; none if it compares nothing.

        They are the options that it names, or else the sentence before it. One alone is compared with today's.
        """
        *before, begun = [each[0] for each in SENTENCE.finditer(text[: figure.end])]
        rest = SENTENCE.match(text[figure.end :])
        sentence = f"{begun}{rest[0] if rest else ''}"
        if not _COMPARES.search(sentence):
            return sentence, ()
        about = str(holder["alternative_id"]) if is_object(holder) and "alternative_id" in holder else ""
        named = set(_HANDLE.findall(sentence)) or {*_HANDLE.findall(about), *self._list_named(sentence)}
        named = named or set(_HANDLE.findall("".join(before[-1:])))
        baseline = self.so_far.baseline if len(named) == 1 or _OF_TODAY.search(sentence) else None
        return sentence, {*named, *filter(None, [baseline])} if named else ()

    @cached_property
    def _collected(self) -> Mapping[str, Collected]:
        is_rated = bool(find_values(self.draft, "table.cells[]"))
        return self.so_far.collect(dict(self.draft) if is_rated else find_rated(self.so_far))

    def _list_bases(self, holder: Any) -> tuple[Figure, ...]:
        """Return the amounts of the objective that a rating is on."""
        collected = self._collected.get(str(holder.get("objective_id")))
        amounts = (f"{each:.10g} {collected.unit}" for each in collected.amounts.values()) if collected else ()
        return tuple(figure for each in dict.fromkeys(amounts) for figure in read_figures(each))

    def _list_named(self, sentence: str) -> set[str]:
        """Return the options of which a sentence says a word that stands in the name of no other."""
        said = find_topics(sentence)
        topics = {each: find_topics(self.so_far.name(each)) for each in self.so_far.alternatives}
        times = Counter(topic for names in topics.values() for topic in names)
        return {each for each, names in topics.items() if any(times[topic] == 1 for topic in names & said)}

    def _list_bounds(self, unit: str) -> Iterator[float]:
        for limit in find_values(self.so_far.results.get("problem_frame"), "focal_decision.constraints[]"):
            yield from filter(None, (each.amount.read_in(unit) for each in read_bounds(limit)))
