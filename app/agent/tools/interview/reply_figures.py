"""Amounts and dates in a reply that nobody said: people are told of them below it, because a reply is on no card."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import permutations
from typing import Any, Final, cast

from app.core.conversation.card import StepCard
from app.core.state.sheet import walk_texts
from app.core.text.cutting import cut
from app.decision.playbook.step_prompt import DOUBTED
from app.decision.record import DecisionRecord
from app.decision.schema.paths import omit
from app.decision.tracing.figure_forms import PERCENT
from app.decision.tracing.figures import Figure, read_figures
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import list_statements, trace_figures
from app.decision.tracing.worked_out.sums import find_worked_out

DIGITS: Final = 2
"""Digits of a number from which on it is an amount rather than a count of what the reply lists."""
OF_A_YEAR: Final = (12, 52)
"""Months and weeks, by which an amount is multiplied to tell that of a year."""

MOST_TRACED: Final = 100
"""Figures of a reply up to which it is looked for what each follows from; the time for that grows with their cube."""

MOST_PAIRED: Final = 200
"""Amounts of a reply of which each two are put together; of a longer list, the first ones."""

ECHOES: Final = ("not_said", "taken_as", "query")
"""What a tool's result repeats of the call: the model said it, nobody else."""

AFTER_CHARS: Final = 60

_DOUBTS: Final = re.compile(rf"^{re.escape(DOUBTED)}.*$", re.MULTILINE)
"""What the model is told again of figures that it made up itself."""

_QUESTION: Final = re.compile(r"(?<![^.?!\n])[^.?!\n]*+\?")
_ASKS: Final = re.compile(
    r"\b(?:would|will|does|do|did|is|are|was|were|has|have|can|could|should|shall|may|might)\b", re.IGNORECASE
)
"""The verb with which a question begins to ask; what stands before it, it takes for granted."""
_AFTER: Final = re.compile(r"(?:[ ](?>[\w%€$£][\w%'’-]*)(?![.,]\d)){1,3}")
"""The words that say what a figure is: "30,100 in 14 months"."""


def find_unsaid_in_reply(
    text: str, told: Sequence[Mapping[str, Any]], so_far: DecisionRecord, cards: Iterable[StepCard] = ()
) -> tuple[str, ...]:
    """Return the amounts and dates of a reply that stand in nothing that the model was told, and follow from nothing.

    Each comes once, with the next words. A number that is asked about is none of them. `told` are the messages of the
    request. They do not hold what later steps have approved and what the step's cards show people, which counts as
    said, too. It can take long, but only where such a figure is no part of them.
    """
    asked = [*_list_proposals(text)]
    telling = [each for each in read_figures(text) if _is_telling(each)]
    figures = [each for each in telling if not any(start < each.end <= end for start, end in asked)]
    if not figures or any(map(_shows_pages, told)):
        return ()
    later = (each.text for each in list_statements([*so_far.later.values()]))
    heard = (*_list_heard(told), *later, *(words for card in cards for words in _list_shown(card)))
    known = [each for each in read_figures(text) if _stands_in(each, heard)]
    named, (made, shares) = frozenset(known), _list_made(known)
    strange = [each for each in figures if each not in named and not _follows(each, made, shares)]
    if not strange:
        return ()
    if len(telling) > MOST_TRACED:
        return _name_all(strange, text)
    said = SaidFigures.of(Statement(words, so_far.today) for words in heard)
    unsaid = {each.text for each in trace_figures({"text": text}, said, so_far).unsaid}
    left = [each for each in strange if each.text in unsaid]
    known += [each for each in read_figures(text) if each not in (*known, *left) and said.knows(each)]
    worked_out = find_worked_out(text, left, known, heard)
    return _name_all((each for each in left if each not in worked_out), text)


def _list_proposals(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text asks about its numbers: that claims nothing, and the answer says whether one holds."""
    for question in _QUESTION.finditer(text):
        if asks := _ASKS.search(text, *question.span()):
            yield asks.start(), question.end()


def _name_all(figures: Iterable[Figure], text: str) -> tuple[str, ...]:
    """Return the figures, each once, with the words after the first of its kind."""
    first = dict[str, Figure]()
    for each in figures:
        first.setdefault(each.text, each)
    return tuple(_name(each, text) for each in first.values())


def _name(figure: Figure, text: str) -> str:
    """Return the figure with the words after it."""
    words = _AFTER.match(text, figure.end)
    return f"{figure.text.rstrip('.')}{cut(words[0], AFTER_CHARS) if words else ''}"


def _is_telling(figure: Figure) -> bool:
    digits = sum(map(str.isdigit, figure.text))
    return figure.is_stated and digits > 0 and (digits >= DIGITS or figure.is_date)


def _stands_in(figure: Figure, heard: Iterable[str]) -> bool:
    """Return True if these digits stand in a text, and not within a longer number, nor for other times alone."""
    alone = re.compile(rf"(?<![\d.,]){re.escape(figure.text.rstrip('.'))}(?!\d)")
    if figure.terms.period is None:
        return any(alone.search(words) for words in heard)
    said = [each for words in heard if alone.search(words) for each in read_figures(words)]
    told = [each.terms for each in said if each.text == figure.text]
    return bool(told) and figure.terms.agree(told)


def _list_made(known: Iterable[Figure]) -> tuple[frozenset[Decimal], frozenset[int]]:
    """Return what two amounts make that the reply names beside it, such as sums and products, and the percentages."""
    values = [*dict.fromkeys(amount.value for each in known for amount in each.amounts)][:MOST_PAIRED]
    pairs = [*permutations(values, 2)]
    made = {each for pair in pairs for each in _combine(*pair)} | {
        each * count for each in values for count in OF_A_YEAR
    }
    shares = {each for one, other in pairs if other for each in _list_shares(one / other)}
    return frozenset(made), frozenset(shares)


def _follows(figure: Figure, made: Collection[Decimal], shares: Collection[int]) -> bool:
    return any(each.value in made or (each.unit == PERCENT and each.value in shares) for each in figure.amounts)


def _combine(one: Decimal, other: Decimal) -> Iterator[Decimal]:
    yield from (one + other, one - other, one * other)
    if other and one % other == 0:
        yield one / other


def _list_shares(part: Decimal) -> Iterator[int]:
    yield from (round(100 * part), round(100 * part) - 100)


def _shows_pages(message: Mapping[str, Any]) -> bool:
    """Return True if the model sees pages or pictures, whose figures are in no text."""
    content = message["content"]
    return not isinstance(content, str) and any(each["type"] in ("document", "image") for each in content)


def _list_heard(told: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the model was told: by people, the state and the tools, and in the opening, which is not its own."""
    is_opening = True
    for message in told:
        is_people = message["role"] == "user"
        if is_people or is_opening:
            yield from (_DOUBTS.sub("", words) for words in _list_texts(message["content"]))
        is_opening = is_opening and is_people


def _list_shown(card: StepCard) -> Iterator[str]:
    """Yield what a card shows, but for lines with a figure of which it says itself that nobody said it."""
    for words in walk_texts(card.sheet):
        if not any(each.text in words for each in card.unsaid):
            yield words


def _list_texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content:
        if block["type"] != "tool_result":
            yield from _list_texts(block.get("text", ""))
        elif not block.get("is_error"):  # a refusal repeats what it refuses
            yield from map(_drop_echoes, _list_texts(block.get("content") or []))


def _drop_echoes(result: str) -> str:
    try:
        told = json.loads(result)
    except ValueError:
        return result
    if not isinstance(told, dict):
        return result
    return json.dumps(omit(cast("dict[str, Any]", told), *ECHOES), ensure_ascii=False)
