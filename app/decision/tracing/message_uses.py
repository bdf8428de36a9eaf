"""Which results use a message: by a quote of it, by a figure that nothing else says, or by its words and figures.

An amount that a message says of another option is found as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from typing import Any, Final

from app.core.conversation.conversation import Message
from app.core.text.labels import join_words
from app.core.text.marks import clean, clean_name
from app.decision.record import DecisionRecord
from app.decision.rows import describe_amount, find_place
from app.decision.schema.findings import Remark
from app.decision.schema.paths import find_values, walk_objects
from app.decision.tracing.figures import SENTENCE, Figure, read_figures
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import list_statements
from app.decision.tracing.worked_out.sums import find_topics

DRAFT: Final = 0
"""Number of a result that is not approved yet."""
FEWEST: Final = 4
"""Words that say what a message is about, from which on it is more than a greeting or a yes."""
SHARE: Final = 3
"""A draft has something of a message if it has at least one of so many of these words."""
UNHEARD: Final = "{names} wrote in this thread. Does any of it belong in here?"
UNHEARD_RULE: Final = "unheard"
MISPLACED: Final = "{place} has {amount}. People said {said} of it, and {amount} of {others}. Which holds?"
_WORD: Final = re.compile(r"\w+")
_CLAUSE: Final = re.compile(r",(?=\s)|[;:]|\s(?:and|but|und|aber)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Result:
    """Result of one version of a step, or its draft, by handle."""

    component: str
    number: int
    """That of the version, or `DRAFT`."""
    draft: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Use:
    """Newest approved result of a step that uses the message, or its draft. Without figures it quotes it."""

    result: Result
    figures: tuple[str, ...]
    current: int
    """The step's newest version; 0 beside a draft."""


def find_uses(
    results: Iterable[Result], message: str, before: Iterable[Statement], after: Iterable[Statement]
) -> tuple[Use, ...]:
    """Return the use of each step, and of each draft, that has one. `message` is its Slack ts. It can take long.

    `before` is all that people said in the decision, and `after` the same without the message, or with its new text.
    """
    had, has = SaidFigures.of(before), SaidFigures.of(after)
    newest, found = dict[str, int](), dict[tuple[str, bool], Use]()
    for each in sorted(results, key=lambda result: result.number):
        newest[each.component] = each.number
        quotes = any(item.get("message_id") == message for item in walk_objects(each.draft))
        figures = () if quotes else tuple(dict.fromkeys(_list_lost(each.draft, had, has)))
        if quotes or figures:
            found[each.component, each.number == DRAFT] = Use(each, figures, 0)
    return tuple(replace(each, current=0 if of_draft else newest[name]) for (name, of_draft), each in found.items())


def _list_lost(draft: Mapping[str, Any], had: SaidFigures, has: SaidFigures) -> Iterator[str]:
    for statement in list_statements(draft):
        for figure in read_figures(statement.text):
            topics = find_topics(statement.text)
            if figure.is_stated and had.explains(figure, topics) and not has.explains(figure, topics):
                yield figure.text


def replace_message(rows: Iterable[Message], message: str, becomes: str | None) -> tuple[Message, ...]:
    """Return the transcript as it reads with another text of the message, or without it if there is none."""
    kept = (row for row in rows if becomes is not None or row.ts != message)
    return tuple(replace(row, text=becomes) if becomes is not None and row.ts == message else row for row in kept)


def find_unheard(
    draft: Mapping[str, Any], rows: Iterable[Message], asked: Collection[str] = frozenset()
) -> Iterator[Remark]:
    """Yield one question for all authors of whose messages the draft has no quote, words, figures, nor the name.

    An author is left out whose newest message is among the topics that were `asked` about.
    """
    written: dict[str, list[Message]] = {}
    for row in rows:
        written.setdefault(clean_name(row.author_name), []).append(row)
    if not written:
        return
    statements = [*list_statements(draft)]
    told, figures = find_topics(" ".join(each.text for each in statements)), SaidFigures.of(statements)
    quoted = {item.get("message_id") for item in walk_objects(draft)}
    unheard: dict[str, tuple[str]] = {}
    for name, own in written.items():
        topics = find_topics(clean(" ".join(row.text for row in own)))
        is_quoted = any(row.ts in quoted for row in own)
        stated = [each for row in own for each in read_figures(row.text) if each.is_stated]
        has_figures = len(stated) > 1 and 2 * sum(map(figures.knows, stated)) > len(stated)
        is_said = has_figures or SHARE * len(topics & told) >= len(topics) or bool(find_topics(name) & told)
        is_heard = is_quoted or is_said
        about = (own[-1].ts,)
        is_asked = set(asked).issuperset(Remark("", about=[about], rule=UNHEARD_RULE).topics)
        if len(topics) >= FEWEST and not (is_heard or is_asked):
            unheard[name] = about
    if unheard:
        yield Remark(UNHEARD.format(names=join_words(unheard)), about=[*unheard.values()], rule=UNHEARD_RULE)


def find_misplaced(
    draft: Mapping[str, Any], statements: Iterable[Statement], so_far: DecisionRecord
) -> Iterator[Remark]:
    """Ask about an amount that people said of others in the very sentence in which they said another one of the option.

    Nothing is asked if they said it of this option as well, or of none by name, nor if they said more than one of the
    option, of which it may be the sum: "6 weeks, plus 2 for customs".
    """
    cells = [each for each in find_values(draft, "table.cells[]") if "quant_value" in each]
    told = [*_list_told(statements, so_far)] if cells else []
    values = {name: {value for one in told for value in _list_values(one[name])} for name in told[0]} if told else {}
    for cell in cells if told else ():
        (option, objective), shown = find_place(cell), describe_amount(cell)
        amount = next(iter(read_figures(shown)), None)
        meant = _list_values([amount] if amount else [])
        others = [name for name in values if name and name != option and not meant.isdisjoint(values[name])]
        if not others or not meant.isdisjoint(values[option] | values[""]):
            continue
        for one in told:
            own, named = one[option], [name for name in others if not meant.isdisjoint(_list_values(one[name]))]
            if amount and named and len(own) == 1 and _is_of_kind(amount, own[0]):
                place, of_others = so_far.label_place((option, objective)), join_words(map(so_far.label, named))
                text = MISPLACED.format(place=place, amount=shown, said=own[0].text, others=of_others)
                yield Remark(text, about=[(option, objective, shown)], rule="misplaced")
                break


def _list_told(statements: Iterable[Statement], so_far: DecisionRecord) -> Iterator[Mapping[str, Sequence[Figure]]]:
    """Yield the figures of each sentence by the option that their clause names alone, those of none under no name."""
    names = {each: find_topics(so_far.name(each)) for each in so_far.alternatives}
    own = {each: names[each].difference(*(names[one] for one in names if one != each)) for each in names}
    for sentence in chain.from_iterable(SENTENCE.findall(each.text) for each in statements):
        found: dict[str, list[Figure]] = {each: [] for each in (*names, "")}
        for clause in _CLAUSE.split(sentence):
            topics, words = find_topics(clause), set(_WORD.findall(clause))
            named = [each for each in names if each in words or own[each] & topics]
            for each in named or [""]:
                found[each] += read_figures(clause)
        yield found


def _list_values(figures: Iterable[Figure]) -> set[Decimal]:
    """Return all the numbers that the figures can be."""
    return {amount.value for each in figures for amount in each.amounts}


def _is_of_kind(one: Figure, other: Figure) -> bool:
    """Return True if both have a unit of one kind, or none."""
    return not {each.unit for each in one.amounts}.isdisjoint(each.unit for each in other.amounts)
