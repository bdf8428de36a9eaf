"""A section of a sheet as HTML. The page writes the headings above it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never
from xml.etree.ElementTree import Element

from app.core.sheet import Bar, Bars, Facts, Grid, Head, Item, Listing, Mark, Matrix, Prose, Rating, Section
from app.decision.quality import ACCEPTABLE
from app.decision.report import wording
from app.decision.report.elements import chip, element, pairs, wide
from app.decision.report.figures import bar, tile


def body(section: Section) -> Iterable[Element]:
    """Return all of a section except its title."""
    match section:
        case Listing():
            return [_items(section.items, "items") if section.items else _nothing(section.empty)]
        case Facts():
            return [pairs(section.rows)]
        case Prose():
            return [element("p", paragraph) for paragraph in section.text.splitlines()]
        case Matrix():
            return _matrix(section)
        case Bars():
            return _bars(section)
        case Grid():
            return [_grid(section) if section.rows else _nothing(section.empty)]
        case _:
            assert_never(section)


def _nothing(said: str) -> Element:
    return element("p", said or wording.NOTHING, class_="nothing")


def _items(items: Iterable[Item], class_: str) -> Element:
    return element("ul", *map(_item, items), class_=class_)


def _item(item: Item) -> Element:
    notes = (element("p", note, class_="note") for note in item.notes)
    inner = [_items(item.inner, "inner")] if item.inner else []
    return element("li", *_handle(item.handle), item.text, *_chips(item.marks), *notes, *inner)


def _handle(handle: str) -> Iterator[Element | str]:
    if handle:
        yield element("b", handle, class_="handle")
        yield " "


def _chips(marks: Iterable[Mark]) -> Iterator[Element | str]:
    for mark in marks:
        yield " "
        yield chip(wording.MARKS[mark], mark)


def _grid(grid: Grid) -> Element:
    head = element("tr", *(element("th", name, scope="col") for name in grid.header))
    rows = (element("tr", *(element("td", cell) for cell in row)) for row in grid.rows)
    return wide(element("table", element("thead", head), element("tbody", *rows), class_="grid"))


def _matrix(matrix: Matrix) -> Iterator[Element]:
    rows = tuple(zip(matrix.rows, matrix.cells, strict=True))
    head = element("tr", element("td"), *(_head(column, "col") for column in matrix.columns))
    lines = (
        element("tr", _head(row, "row"), *(_cell(row, *pair) for pair in zip(matrix.columns, ratings, strict=True)))
        for row, ratings in rows
    )
    yield wide(element("table", element("thead", head), element("tbody", *lines), class_="heat"))
    yield element("ul", *(element("li", wording.named(column)) for column in matrix.columns), class_="key")
    yield _legend()
    reasons = [each for row, ratings in rows if (each := _reasons(row, matrix.columns, ratings)) is not None]
    if reasons:
        yield element("details", element("summary", "Reasons"), *reasons, open="open")


def _head(head: Head, scope: str) -> Element:
    return element(
        "th",
        element("b", head.handle, class_="handle"),
        " ",
        element("span", head.name, class_="name"),
        *_chips(head.marks),
        scope=scope,
    )


def _cell(row: Head, column: Head, rating: Rating) -> Element:
    title = f"{wording.named(row)} – {wording.named(column)}: {wording.rated_in_words(rating)}"
    return element("td", tile(rating, f"{title}. {rating.note}" if rating.note else title))


def _legend() -> Element:
    shown = [(Rating(value=value), words) for value, words in wording.DIFFERENCES.items()]
    shown += [(Rating(value=0, doubtful=True), "in doubt"), (Rating(value=None), "not rated")]
    return element(
        "ul",
        element("li", "Against the baseline:"),
        *(element("li", tile(rating, words), " ", words) for rating, words in shown),
        class_="legend",
    )


def _reasons(row: Head, columns: Iterable[Head], ratings: Iterable[Rating]) -> Element | None:
    given = [
        element("li", element("b", f"{column.handle} {wording.rated(rating)}"), " ", rating.note)
        for column, rating in zip(columns, ratings, strict=True)
        if rating.note
    ]
    return element("div", element("p", wording.named(row)), element("ul", *given), class_="reasons") if given else None


def _bars(bars: Bars) -> Iterator[Element]:
    yield element("ul", *map(_bar, bars.bars), class_="bars")
    yield element("p", f"The line stands at {ACCEPTABLE} %: from there on an element is good enough.", class_="note")
    if bars.total:
        yield element("p", bars.total, class_="total")


def _bar(shown: Bar) -> Element:
    note = [element("p", shown.note, class_="note")] if shown.note else []
    return element(
        "li",
        element("span", shown.label, class_="label"),
        bar(shown),
        element("span", wording.scored(shown), class_="figure"),
        *note,
    )
