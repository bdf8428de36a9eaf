"""A sheet in Slack: lists and scores as rich text, ratings as tables. Pure.

Words of people and of the model are plain: Slack recognises no markup, mention or link in them. Content that is too
long continues in the next block and the next message: no item, row, column or bar is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from app.core.copy import decision_steps
from app.core.state.sheet import Bar, Bars, Facts, Grid, Head, Item, Listing, Matrix, Prose, Rating, Section, Sheet
from app.core.text.cutting import cut
from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import Group, pack_messages
from handlers.views.kit.rich_text import Element, Line, build_blocks, build_text
from handlers.views.kit.summary_line import DOT
from handlers.views.kit.tables import render_tables

NAME_CHARS = 60
"""Limit of a name in a table's header, beside its handle; longer ones are cut."""

CELLS = 10
"""Cells of a bar, each for ten points."""

FULL, EMPTY = "█", "░"


def render_sheet(sheet: Sheet) -> tuple[Group, ...]:
    """Return the blocks of a sheet in as few messages as it needs."""
    return pack_messages(render_sections(sheet.sections))


def render_sections(sections: Iterable[Section]) -> Iterator[Group]:
    """Yield sections as groups of blocks that must be in one message."""
    for section in sections:
        match section:
            case Listing() | Facts() | Prose() | Bars():
                yield from _isolate(build_blocks(_list_lines(section)))
            case Matrix():
                header = (decision_steps.OPTIONS, *map(_format_head, section.columns))
                rows = [
                    (_format_head(row), *map(format_rating, cells))
                    for row, cells in zip(section.rows, section.cells, strict=True)
                ]
                yield from _render_tables(section.title, header, rows, centred=True)
            case Grid(rows=()):
                yield from _isolate(
                    build_blocks((Line(build_text(section.title, "bold")), *_render_empty(section.empty)))
                )
            case Grid():
                yield from _render_tables(section.title, section.header, section.rows)
            case _:
                assert_never(section)


def _list_lines(section: Listing | Facts | Prose | Bars) -> Iterator[Line]:
    yield Line(build_text(section.title, "bold"))
    match section:
        case Listing():
            yield from _list_items(section.items, 0) if section.items else _render_empty(section.empty)
        case Facts():
            yield from (Line((*build_text(f"{label}: ", "bold"), *build_text(value))) for label, value in section.rows)
        case Prose():
            yield Line(build_text(section.text))
        case Bars():
            yield from map(_render_bar, section.bars)
            yield Line(build_text(section.total, "bold"))
        case _:
            assert_never(section)


def _list_items(items: Iterable[Item], depth: int) -> Iterator[Line]:
    for item in items:
        marks = "".join(f"{DOT}{decision_steps.MARKS[mark]}" for mark in item.marks)
        notes = [part for note in item.notes for part in (*build_text("\n"), *build_text(note, "italic"))]
        yield Line((*_render_handle(item.handle), *build_text(item.text + marks), *notes), depth)
        yield from _list_items(item.inner, depth + 1)


def _render_handle(handle: str) -> tuple[Element, ...]:
    return (*build_text(handle, "bold"), *build_text(" ")) if handle else ()


def _render_empty(sentence: str) -> Iterator[Line]:
    yield Line(build_text(sentence, "italic"))


def _render_bar(bar: Bar) -> Line:
    full = round((bar.score or 0) * CELLS / 100)
    number = decision_steps.UNKNOWN if bar.score is None else str(bar.score)
    drawn = f"{FULL * full}{EMPTY * (CELLS - full)} {number:>3}"
    weakest = build_text(f" {decision_steps.WEAKEST}") if bar.weakest else ()
    note = build_text(f"{DOT}{bar.note}", "italic") if bar.note else ()
    return Line((*build_text(drawn, "code"), *build_text(" "), *build_text(bar.label, "bold"), *weakest, *note))


def _render_tables(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, centred: bool = False
) -> Iterator[Group]:
    """Yield tables, with the title in the message of the first one."""
    above = build_blocks((Line(build_text(title, "bold")),))
    shown = tuple(render_tables(header, rows, centred=centred))
    yield from _isolate(above[:-1])
    yield (*above[-1:], *shown[:1])
    yield from _isolate(shown[1:])


def _isolate(each: Iterable[Block]) -> Iterator[Group]:
    return ((block,) for block in each)


def _format_head(head: Head) -> str:
    named = " ".join(filter(None, (head.handle, cut(head.name, NAME_CHARS))))
    return "".join((named, *(f"{DOT}{decision_steps.MARKS[mark]}" for mark in head.marks)))


def format_rating(rating: Rating) -> str:
    """Return a rating in a word or two; an unknown one is never 0."""
    shown = (
        decision_steps.UNKNOWN if rating.value is None else decision_steps.RATINGS[rating.value - decision_steps.WORST]
    )
    return f"{shown} {decision_steps.DOUBTFUL}" if rating.doubtful else shown
