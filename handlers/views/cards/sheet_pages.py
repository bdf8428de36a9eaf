"""A sheet in Slack: lists and scores as rich text, ratings as tables. Pure.

Words of people and of the model are plain: Slack recognises no markup, mention or link in them. Content that is too
long continues in the next block and the next message: no item, row, column or bar is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from app.core.copy import decision_steps
from app.core.state.sheet import Bar, Bars, Facts, Grid, Head, Item, Listing, Matrix, Prose, Rating, Section, Sheet
from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import Group, messages
from handlers.views.kit.rich_text import Element, Line, blocks, words
from handlers.views.kit.summary_line import DOT, cut
from handlers.views.kit.tables import tables

NAME_CHARS = 60
"""Limit of a name in a table's header, beside its handle; longer ones are cut."""

CELLS = 10
"""Cells of a bar, each for ten points."""

FULL, EMPTY = "█", "░"


def pages(sheet: Sheet) -> tuple[Group, ...]:
    """Return the blocks of a sheet in as few messages as it needs."""
    return messages(groups(sheet.sections))


def groups(sections: Iterable[Section]) -> Iterator[Group]:
    """Yield sections as groups of blocks that must be in one message."""
    for section in sections:
        match section:
            case Listing() | Facts() | Prose() | Bars():
                yield from _alone(blocks(_lines(section)))
            case Matrix():
                header = (decision_steps.OPTIONS, *map(_head, section.columns))
                rows = [
                    (_head(row), *map(rated, cells)) for row, cells in zip(section.rows, section.cells, strict=True)
                ]
                yield from _tables(section.title, header, rows, centred=True)
            case Grid(rows=()):
                yield from _alone(blocks((Line(words(section.title, "bold")), *_empty(section.empty))))
            case Grid():
                yield from _tables(section.title, section.header, section.rows)
            case _:
                assert_never(section)


def _lines(section: Listing | Facts | Prose | Bars) -> Iterator[Line]:
    yield Line(words(section.title, "bold"))
    match section:
        case Listing():
            yield from _items(section.items, 0) if section.items else _empty(section.empty)
        case Facts():
            yield from (Line((*words(f"{label}: ", "bold"), *words(value))) for label, value in section.rows)
        case Prose():
            yield Line(words(section.text))
        case Bars():
            yield from map(_bar, section.bars)
            yield Line(words(section.total, "bold"))
        case _:
            assert_never(section)


def _items(items: Iterable[Item], depth: int) -> Iterator[Line]:
    for item in items:
        marks = "".join(f"{DOT}{decision_steps.MARKS[mark]}" for mark in item.marks)
        notes = [part for note in item.notes for part in (*words("\n"), *words(note, "italic"))]
        yield Line((*_handle(item.handle), *words(item.text + marks), *notes), depth)
        yield from _items(item.inner, depth + 1)


def _handle(handle: str) -> tuple[Element, ...]:
    return (*words(handle, "bold"), *words(" ")) if handle else ()


def _empty(sentence: str) -> Iterator[Line]:
    yield Line(words(sentence, "italic"))


def _bar(bar: Bar) -> Line:
    full = round((bar.score or 0) * CELLS / 100)
    number = decision_steps.UNKNOWN if bar.score is None else str(bar.score)
    drawn = f"{FULL * full}{EMPTY * (CELLS - full)} {number:>3}"
    weakest = words(f" {decision_steps.WEAKEST}") if bar.weakest else ()
    note = words(f"{DOT}{bar.note}", "italic") if bar.note else ()
    return Line((*words(drawn, "code"), *words(" "), *words(bar.label, "bold"), *weakest, *note))


def _tables(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, centred: bool = False
) -> Iterator[Group]:
    """Yield tables, with the title in the message of the first one."""
    above = blocks((Line(words(title, "bold")),))
    shown = tuple(tables(header, rows, centred=centred))
    yield from _alone(above[:-1])
    yield (*above[-1:], *shown[:1])
    yield from _alone(shown[1:])


def _alone(each: Iterable[Block]) -> Iterator[Group]:
    return ((block,) for block in each)


def _head(head: Head) -> str:
    named = " ".join(filter(None, (head.handle, cut(head.name, NAME_CHARS))))
    return "".join((named, *(f"{DOT}{decision_steps.MARKS[mark]}" for mark in head.marks)))


def rated(rating: Rating) -> str:
    """Return a rating in a word or two; an unknown one is never 0."""
    shown = (
        decision_steps.UNKNOWN if rating.value is None else decision_steps.RATINGS[rating.value - decision_steps.WORST]
    )
    return f"{shown} {decision_steps.DOUBTFUL}" if rating.doubtful else shown
