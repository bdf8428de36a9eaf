"""The report as one HTML page without script or request. Markup is only written by the serialiser, which escapes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import assert_never
from xml.etree.ElementTree import Element, tostring

from app.core.state.sheet import Bar, Bars, Facts, Grid, Head, Item, Listing, Mark, Matrix, Prose, Rating, Section
from app.decision.analysis.quality import ACCEPTABLE
from app.decision.report import wording
from app.decision.report.dossier import Report, ReportStep
from app.decision.report.wording import printable

Child = Element | str


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """Return an element. `class_` is written as `class`, `aria_label` as `aria-label`."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + printable(child)
        else:
            last.tail = (last.tail or "") + printable(child)
    return made


def chip(text: str, kind: str) -> Element:
    """Return a word or two in a frame; `kind` is its class."""
    return element("span", text, class_=f"chip {kind}")


def pairs(rows: tuple[tuple[str, str], ...]) -> Element:
    """Return a list of labels with values."""
    return element("dl", *(element("div", element("dt", label), element("dd", value)) for label, value in rows))


def wide(child: Element) -> Element:
    """Return a frame in which a child wider than a phone scrolls by itself, also by keyboard."""
    return element("div", child, class_="wide", tabindex="0", role="group", aria_label="Table")


SHADES = {2: "plus-2", 1: "plus-1", 0: "zero", -1: "minus-1", -2: "minus-2", None: "unknown"}
"""Class of a tile by rating: from blue for better to orange for worse, which all kinds of colour vision distinguish."""

_HATCHING = "".join(f"M{x} 48L{x + 48} 0" for x in range(-44, 260, 12))
"""Slanting lines, wider than the widest tile; the tile clips them."""


def tile(rating: Rating, title: str) -> Element:
    """Return a cell of the heat map.

    It has no `viewBox`, so its number has the same size in a cell of any width.
    """
    hatching = [element("path", d=_HATCHING, class_="hatching")] if rating.doubtful else []
    return element(
        "svg",
        element("title", title),
        element("rect", width="100%", height="100%"),
        *hatching,
        element("text", wording.rated(rating), x="50%", y="50%", dy="0.35em", text_anchor="middle"),
        class_=f"tile {SHADES[rating.value]}",
        role="img",
    )


def bar(shown: Bar) -> Element:
    """Return a score on a scale of 0 to 100, with a line at the acceptable score."""
    filled = [element("rect", class_="score", width=str(shown.score), height="20")] if shown.score else []
    return element(
        "svg",
        element("title", f"{wording.scored(shown)}; acceptable from {ACCEPTABLE} %"),
        element("rect", class_="track", width="100", height="20"),
        *filled,
        element("path", d=f"M{ACCEPTABLE} -4V24", class_="line"),
        class_=f"bar {_reach(shown.score)}",
        viewBox="0 -4 100 28",
        preserveAspectRatio="none",
        role="img",
    )


def _reach(score: int | None) -> str:
    if score is None:
        return "missing"
    return "enough" if score >= ACCEPTABLE else "short"


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


STYLES = ("colours", "page", "figures", "adapted")
"""In cascade order: a later style sheet overrides an earlier one."""


def html(report: Report) -> str:
    """Return the report as an HTML page in UTF-8, for screens, phones and paper."""
    page = element("html", _page_head(report.question), element("body", *_page(report)), lang="en")
    return f"<!doctype html>\n{tostring(page, encoding='unicode', method='html')}\n"


@cache
def _style() -> str:
    folder = files("app.decision.report") / "styles"
    return "\n".join((folder / f"{name}.css").read_text("utf-8") for name in STYLES)


@cache
def _policy() -> str:
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _page_head(question: str) -> Element:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{question} – decision report"),
        element("style", _style()),
    )


def _page(report: Report) -> Iterator[Element]:
    yield element(
        "header",
        element("p", "Decision report", class_="kicker"),
        element("h1", report.question),
        pairs(wording.cover(report)),
    )
    yield _contents(report.steps)
    yield element("main", *map(_step, report.steps))
    yield element("footer", f"Made by Threadwise, {wording.moment(report.made_at)}. The decision is its owner's.")


def _contents(steps: Iterable[ReportStep]) -> Element:
    entries = (
        element("li", element("a", f"{step.number}. {step.title}", href=f"#step-{step.number}"), " ", _status(step))
        for step in steps
    )
    return element("nav", element("h2", "Contents", id="contents"), element("ol", *entries), aria_labelledby="contents")


def _step(step: ReportStep) -> Element:
    anchor = f"step-{step.number}"
    standing = wording.standing(step)
    return element(
        "section",
        element("h2", element("span", f"{step.number}.", class_="number"), f" {step.title}", id=anchor),
        element("p", _status(step), f" {standing}", class_="standing"),
        *(element("p", element("b", f"{wording.OUTDATED} "), each, class_="outdated") for each in step.outdated),
        *([element("p", wording.NOT_APPROVED, class_="nothing")] if step.sheet is None else []),
        *(each for section in (step.sheet.sections if step.sheet else ()) for each in _section(section)),
        aria_labelledby=anchor,
    )


def _section(section: Section) -> Iterator[Element]:
    if section.title:
        yield element("h3", section.title)
    yield from body(section)


def _status(step: ReportStep) -> Element:
    return chip(wording.STATUSES[step.status], step.status)
