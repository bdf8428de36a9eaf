"""A sheet in Slack as rich text: lists, scores, and tables with one row a line. Pure.

A thread's pane is too narrow for a table, and a window cannot contain one, so each row becomes an item with its cells
below it. Words of people and of the model are plain: Slack recognises no markup, mention or link in them. Content that
is too long continues in the next block and the next message: no item, row, column or bar is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from app.core.copy import decision_steps
from app.core.state.sheet import Bar, Bars, Facts, Grid, Head, Item, Listing, Matrix, Prose, Rating, Section
from app.core.text.cutting import cut
from handlers.views.kit.packing import Group
from handlers.views.kit.rich_text import Element, Line, build_blocks, build_text
from handlers.views.kit.summary_line import DOT

NAME_CHARS = 60
"""Limit of an objective's name in front of a rating, beside its handle; longer ones are cut."""

CELLS = 10
"""Cells of a bar, each for ten points."""

FULL, HALF, EMPTY = "█", "▌", "░"


def render_sections(sections: Iterable[Section]) -> Iterator[Group]:
    """Yield sections as groups of blocks that must be in one message."""
    for section in sections:
        yield from ((block,) for block in build_blocks(_list_lines(_flatten_table(section))))


def _flatten_table(section: Section) -> Listing | Facts | Prose | Bars:
    """Return a table as a list, and any other section as it is."""
    match section:
        case Matrix():
            rows = zip(section.rows, section.cells, strict=True)
            options = tuple(_build_option_item(row, section.columns, cells) for row, cells in rows)
            return Listing(title=section.title, items=options)
        case Grid():
            items = tuple(_build_row_item(section.header, row) for row in section.rows)
            return Listing(title=section.title, items=items, empty=section.empty)
        case _:
            return section


def _build_option_item(row: Head, columns: Sequence[Head], cells: Sequence[Rating]) -> Item:
    inner = tuple(
        Item(
            handle=head.handle,
            text=f"{cut(head.name, NAME_CHARS)}: {_format_rating(cell)}",
            marks=head.marks,
            notes=(cell.note,) if cell.note else (),
        )
        for head, cell in zip(columns, cells, strict=True)
    )
    return Item(handle=row.handle, text=row.name, marks=row.marks, inner=inner)


def _build_row_item(header: Sequence[str], row: Sequence[str]) -> Item:
    cells = zip(header[1:], row[1:], strict=True)
    return Item(text="".join(row[:1]), notes=tuple(f"{name}: {cell}" for name, cell in cells if cell))


def _list_lines(section: Listing | Facts | Prose | Bars) -> Iterator[Line]:
    yield Line(build_text(section.title, "bold"))
    match section:
        case Listing():
            yield from _list_items(section.items, 0)
            if not section.items:
                yield Line(build_text(section.empty, "italic"))
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


def _render_bar(bar: Bar) -> Line:
    full, half = divmod(round((bar.score or 0) * CELLS * 2 / 100), 2)
    number = decision_steps.UNKNOWN if bar.score is None else str(bar.score)
    drawn = f"{FULL * full}{HALF * half}{EMPTY * (CELLS - full - half)} {number:>3}"
    weakest = build_text(f" {decision_steps.WEAKEST}") if bar.weakest else ()
    note = build_text(f"{DOT}{bar.note}", "italic") if bar.note else ()
    return Line((*build_text(drawn, "code"), *build_text(" "), *build_text(bar.label, "bold"), *weakest, *note))


def _format_rating(rating: Rating) -> str:
    """Return a rating in a word or two; one that is not given or not known is never 0."""
    if rating.unknown:
        return decision_steps.NOT_KNOWN
    shown = (
        decision_steps.UNKNOWN if rating.value is None else decision_steps.RATINGS[rating.value - decision_steps.WORST]
    )
    return decision_steps.DOUBTFUL.format(rating=shown) if rating.doubtful else shown
