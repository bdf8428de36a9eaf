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
from app.decision.report.dossier import Report, ReportStep, drop_repeats
from app.decision.report.wording import clean_text

Child = Element | str


def build_element(tag: str, *children: Child, **attributes: str) -> Element:
    """Return an element. `class_` is written as `class`, `aria_label` as `aria-label`."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + clean_text(child)
        else:
            last.tail = (last.tail or "") + clean_text(child)
    return made


def build_chip(text: str, kind: str) -> Element:
    """Return a word or two in a frame; `kind` is its class."""
    return build_element("span", text, class_=f"chip {kind}")


def build_pairs(rows: Iterable[tuple[str, Iterable[Child]]]) -> Element:
    """Return a list of labels with what is said beside them."""
    return build_element(
        "dl", *(build_element("div", build_element("dt", label), build_element("dd", *said)) for label, said in rows)
    )


def wrap_wide(child: Element) -> Element:
    """Return a frame in which a child wider than a phone scrolls by itself, also by keyboard."""
    return build_element("div", child, class_="wide", tabindex="0", role="group", aria_label="Table")


SHADES = {2: "plus-2", 1: "plus-1", 0: "zero", -1: "minus-1", -2: "minus-2", None: "unknown"}
"""Class of a tile by rating: from blue for better to orange for worse, which all kinds of colour vision distinguish."""

DONT_KNOW = "?"
"""In the tile of a rating that is not known: it has no room for words."""
_HATCHING = "".join(f"M{x} 48L{x + 48} 0" for x in range(-44, 260, 12))
"""Slanting lines, wider than the widest tile; the tile clips them."""


def draw_tile(rating: Rating, title: str) -> Element:
    """Return a cell of the heat map.

    It has no `viewBox`, so its number has the same size in a cell of any width.
    """
    hatching = [build_element("path", d=_HATCHING, class_="hatching")] if rating.doubtful else []
    shown = DONT_KNOW if rating.unknown else wording.format_rating(rating)
    return build_element(
        "svg",
        build_element("title", title),
        build_element("rect", width="100%", height="100%"),
        *hatching,
        build_element("text", shown, x="50%", y="50%", dy="0.35em", text_anchor="middle"),
        class_=f"tile {SHADES[rating.value]}",
        role="img",
    )


def draw_bar(shown: Bar) -> Element:
    """Return a score on a scale of 0 to 100, with a line at the acceptable score."""
    filled = [build_element("rect", class_="score", width=str(shown.score), height="20")] if shown.score else []
    return build_element(
        "svg",
        build_element("title", f"{wording.format_score(shown)}; acceptable from {ACCEPTABLE} %"),
        build_element("rect", class_="track", width="100", height="20"),
        *filled,
        build_element("path", d=f"M{ACCEPTABLE} -4V24", class_="line"),
        class_=f"bar {_measure_reach(shown.score)}",
        viewBox="0 -4 100 28",
        preserveAspectRatio="none",
        role="img",
    )


def _measure_reach(score: int | None) -> str:
    if score is None:
        return "missing"
    return "enough" if score >= ACCEPTABLE else "short"


def build_body(section: Section) -> Iterable[Element]:
    """Return all of a section except its title."""
    match section:
        case Listing():
            return [_build_items(section.items, "items") if section.items else _build_nothing(section.empty)]
        case Facts():
            return [build_pairs((label, [said]) for label, said in section.rows)]
        case Prose():
            return map(_build_paragraph, section.text.splitlines())
        case Matrix():
            return _build_matrix(section)
        case Bars():
            return _build_bars(section)
        case Grid():
            return [_build_grid(section) if section.rows else _build_nothing(section.empty)]
        case _:
            assert_never(section)


def _build_paragraph(text: str) -> Element:
    return build_element("p", text)


def _build_nothing(said: str) -> Element:
    return build_element("p", said or wording.NOTHING, class_="nothing")


def _build_items(items: Iterable[Item], class_: str) -> Element:
    return build_element("ul", *map(_build_item, items), class_=class_)


def _build_item(item: Item) -> Element:
    notes = (build_element("p", note, class_="note") for note in item.notes)
    inner = [_build_items(item.inner, "inner")] if item.inner else []
    return build_element("li", *_build_handle(item.handle), item.text, *_build_chips(item.marks), *notes, *inner)


def _build_handle(handle: str) -> Iterator[Element | str]:
    if handle:
        yield build_element("b", handle, class_="handle")
        yield " "


def _build_chips(marks: Iterable[Mark]) -> Iterator[Element | str]:
    for mark in marks:
        yield " "
        yield build_chip(wording.MARKS[mark], mark)


def _build_grid(grid: Grid) -> Element:
    head = build_element("tr", *(build_element("th", name, scope="col") for name in grid.header))
    rows = (
        build_element(
            "tr",
            *(build_element("td", cell, data_label=name) for name, cell in zip(grid.header, row, strict=True)),
        )
        for row in grid.rows
    )
    return wrap_wide(build_element("table", build_element("thead", head), build_element("tbody", *rows), class_="grid"))


def _build_matrix(matrix: Matrix) -> Iterator[Element]:
    rows = tuple(zip(matrix.rows, matrix.cells, strict=True))
    yield from _build_heat(matrix)
    reasons = [each for row, ratings in rows if (each := _build_reasons(row, matrix.columns, ratings)) is not None]
    if reasons:
        yield build_element("details", build_element("summary", "Reasons"), *reasons, open="open")


def _build_heat(matrix: Matrix) -> tuple[Element, ...]:
    return _build_table(matrix), _build_key(matrix), _build_legend()


def _build_table(matrix: Matrix) -> Element:
    rows = zip(matrix.rows, matrix.cells, strict=True)
    head = build_element("tr", build_element("td"), *(_build_head(column, "col") for column in matrix.columns))
    lines = (
        build_element(
            "tr",
            _build_head(row, "row"),
            *(_build_cell(row, *pair) for pair in zip(matrix.columns, ratings, strict=True)),
        )
        for row, ratings in rows
    )
    return wrap_wide(
        build_element("table", build_element("thead", head), build_element("tbody", *lines), class_="heat")
    )


def _build_key(matrix: Matrix) -> Element:
    return build_element(
        "ul", *(build_element("li", wording.format_head(column)) for column in matrix.columns), class_="key"
    )


def _build_head(head: Head, scope: str) -> Element:
    return build_element(
        "th",
        build_element("b", head.handle, class_="handle"),
        " ",
        build_element("span", head.name, class_="name"),
        *_build_chips(head.marks),
        scope=scope,
    )


def _build_cell(row: Head, column: Head, rating: Rating) -> Element:
    title = f"{wording.format_head(row)} – {wording.format_head(column)}: {wording.describe_rating(rating)}"
    return build_element("td", draw_tile(rating, f"{title}. {rating.note}" if rating.note else title))


def _build_legend() -> Element:
    shown = [(Rating(value=value), words) for value, words in wording.DIFFERENCES.items()]
    shown += [(Rating(value=0, doubtful=True), "in doubt")]
    shown += [(each, wording.describe_rating(each)) for each in (Rating(value=None, unknown=True), Rating(value=None))]
    return build_element(
        "ul",
        build_element("li", "Against the baseline:"),
        *(build_element("li", draw_tile(rating, words), " ", words) for rating, words in shown),
        class_="legend",
    )


def _build_reasons(row: Head, columns: Iterable[Head], ratings: Iterable[Rating]) -> Element | None:
    given = [
        build_element("li", build_element("b", f"{column.handle} {wording.format_rating(rating)}"), " ", rating.note)
        for column, rating in zip(columns, ratings, strict=True)
        if rating.note
    ]
    return (
        build_element(
            "div", build_element("p", wording.format_head(row)), build_element("ul", *given), class_="reasons"
        )
        if given
        else None
    )


def _build_bars(bars: Bars) -> Iterator[Element]:
    yield build_element("ul", *map(_build_bar, bars.bars), class_="bars")
    yield build_element(
        "p", f"The line stands at {ACCEPTABLE} %: from there on an element is good enough.", class_="note"
    )
    if bars.total:
        yield build_element("p", bars.total, class_="total")


def _build_bar(shown: Bar) -> Element:
    note = [build_element("p", shown.note, class_="note")] if shown.note else []
    return build_element(
        "li",
        build_element("span", shown.label, class_="label"),
        draw_bar(shown),
        build_element("span", wording.format_score(shown), class_="figure"),
        *note,
    )


STYLES = ("colours", "page", "figures", "adapted")
"""In cascade order: a later style sheet overrides an earlier one."""


def write_html(report: Report) -> str:
    """Return the report as an HTML page in UTF-8, for screens, phones and paper."""
    page = build_element(
        "html", _build_page_head(report.question), build_element("body", *_build_page(report)), lang="en"
    )
    return f"<!doctype html>\n{tostring(page, encoding='unicode', method='html')}\n"


@cache
def _read_style() -> str:
    folder = files("app.decision.report") / "styles"
    return "\n".join((folder / f"{name}.css").read_text("utf-8") for name in STYLES)


@cache
def _build_policy() -> str:
    digest = base64.b64encode(hashlib.sha256(_read_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _build_page_head(question: str) -> Element:
    return build_element(
        "head",
        build_element("meta", charset="utf-8"),
        build_element("meta", http_equiv="Content-Security-Policy", content=_build_policy()),
        build_element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        build_element("meta", name="color-scheme", content="light dark"),
        build_element("meta", name="referrer", content="no-referrer"),
        build_element("title", f"{question} – decision report"),
        build_element("style", _read_style()),
    )


def _build_page(report: Report) -> Iterator[Element]:
    yield build_element(
        "header",
        build_element("p", "Decision report", class_="kicker"),
        build_element("h1", report.question),
        build_pairs((label, [said]) for label, said in wording.list_cover(report)),
    )
    if report.first_page:
        shown = (each for section in report.first_page.sections for each in _build_board(section))
        yield build_element("section", *shown, class_="board", aria_label=wording.FIRST_PAGE)
    yield _build_contents(report.steps)
    yield build_element("main", *map(_build_step, drop_repeats(report.steps)))
    yield build_element(
        "footer",
        f"Made by Threadwise, {wording.format_moment(report.made_at, report.zone)}. The decision is its owner's.",
    )


def _build_board(section: Section) -> Iterator[Element]:
    """Yield a section of the page for a board: short answers, and the table in colours without its reasons."""
    match section:
        case Facts():
            yield build_pairs((label, map(_build_paragraph, said.splitlines() or [""])) for label, said in section.rows)
        case Matrix():
            yield build_element("h3", section.title)
            yield from _build_heat(section)
        case _:
            yield from build_body(section)


def _build_contents(steps: Iterable[ReportStep]) -> Element:
    entries = (
        build_element(
            "li",
            build_element("a", f"{step.number}. {step.title}", href=f"#step-{step.number}"),
            " ",
            _build_status(step),
        )
        for step in steps
    )
    return build_element(
        "nav", build_element("h2", "Contents", id="contents"), build_element("ol", *entries), aria_labelledby="contents"
    )


def _build_step(step: ReportStep) -> Element:
    anchor = f"step-{step.number}"
    standing = wording.describe_version(step)
    return build_element(
        "section",
        build_element("h2", build_element("span", f"{step.number}.", class_="number"), f" {step.title}", id=anchor),
        build_element("p", _build_status(step), f" {standing}", class_="standing"),
        *(
            build_element("p", build_element("b", f"{wording.OUTDATED} "), each, class_="outdated")
            for each in step.outdated
        ),
        *([build_element("p", wording.NOT_APPROVED, class_="nothing")] if step.sheet is None else []),
        *(each for section in (step.sheet.sections if step.sheet else ()) for each in _build_section(section)),
        aria_labelledby=anchor,
    )


def _build_section(section: Section) -> Iterator[Element]:
    if section.title:
        yield build_element("h3", section.title)
    yield from build_body(section)


def _build_status(step: ReportStep) -> Element:
    return build_chip(wording.STATUSES[step.status], step.status)
