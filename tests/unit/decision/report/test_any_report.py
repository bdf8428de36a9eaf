"""Whatever people wrote: nothing breaks out of a report, and nothing is lost in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import groupby
from xml.etree import ElementTree

from hypothesis import given
from markdown_it import MarkdownIt
from pydantic import TypeAdapter

from app.core.state.decision import Version
from app.decision.report.dossier import Report
from app.decision.report.files import write_json
from app.decision.report.html_report import write_html
from app.decision.report.markdown_report import write_markdown
from tests.unit.decision.report.any_report import in_one_line, reports, told

GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
BLOCKS = {
    "heading", "paragraph", "bullet_list", "list_item", "blockquote", "inline", "table", "thead", "tbody",
    "tr", "th", "td",
}  # fmt: skip
MARKUP = {"text", "strong_open", "strong_close", "em_open", "em_close"}

TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer", "h1",
    "h2", "h3", "p", "a", "b", "span", "div", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody",
    "tr", "th", "td", "details", "summary", "svg", "rect", "path", "text",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "aria-label", "aria-labelledby", "role",
    "scope", "tabindex", "open", "viewbox", "preserveaspectratio", "width", "height", "d", "x", "y", "dy",
    "text-anchor", "data-label",
}  # fmt: skip
VOID = {"meta"}


class Read(HTMLParser):
    """What stands on a page: tags, attributes and texts; `open` is what was not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.texts.append(data)


@given(reports())
def test_no_text_breaks_out_of_the_page(report: Report) -> None:
    page = write_html(report)
    read = Read(page)
    assert read.open == []
    assert set(read.tags) <= TAGS
    assert read.attributes <= ATTRIBUTES
    assert "<script" not in page.lower()


@given(reports())
def test_every_text_stands_on_the_page(report: Report) -> None:
    shown = in_one_line(" ".join(Read(write_html(report)).texts))
    assert [text for text in told(report) if in_one_line(text) not in shown] == []


@given(reports())
def test_every_picture_is_well_formed_xml(report: Report) -> None:
    for picture in re.findall(r"<svg\b.*?</svg>", write_html(report), re.DOTALL):
        drawn = ElementTree.fromstring(picture)
        assert drawn[0].tag == "title"
        assert drawn.get("role") == "img"


@given(reports())
def test_no_text_becomes_markup_in_markdown(report: Report) -> None:
    tokens = GITHUB.parse(write_markdown(report))
    assert {re.sub("_(open|close)$", "", token.type) for token in tokens} <= BLOCKS
    assert {child.type for token in tokens for child in token.children or ()} <= MARKUP


@given(reports())
def test_every_text_stands_in_the_markdown(report: Report) -> None:
    inlines = [token.children or () for token in GITHUB.parse(write_markdown(report)) if token.type == "inline"]
    shown = in_one_line(" ".join("".join(child.content for child in children) for children in inlines))
    assert [text for text in told(report) if in_one_line(text) not in shown] == []


@given(reports())
def test_every_row_of_a_table_has_as_many_cells_as_its_head(report: Report) -> None:
    for table in tables(write_markdown(report)):
        assert len({borders(line) for line in table}) == 1


def tables(text: str) -> Iterator[list[str]]:
    for is_table, lines in groupby(text.splitlines(), lambda line: line.startswith("|")):
        if is_table:
            yield list(lines)


def borders(line: str) -> tuple[int, int]:
    """How many cells end, as counted by readers of pairs of backslashes and by readers of the one before the border."""
    return re.sub(r"\\.", "", line).count("|"), len(re.findall(r"(?<!\\)\|", line))


@given(reports())
def test_json_loads_back_to_every_version(report: Report) -> None:
    loaded = json.loads(write_json(report))
    assert TypeAdapter(tuple[Version, ...]).validate_python(loaded["versions"]) == report.versions
    known = {"schema", "question", "typed", "owner", "deadline", "closed", "example", "made_at", "zone", "steps"}
    assert {*known, "versions", "people"} == set(loaded)
