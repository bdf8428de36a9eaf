"""Any small report, with the texts that do harm where they are not escaped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar, assert_never

from hypothesis import strategies as st

from app.core.state.decision import ComponentStatus, Version
from app.core.state.sheet import (
    Bar,
    Bars,
    Facts,
    Grid,
    Head,
    Item,
    Listing,
    Mark,
    Matrix,
    Prose,
    Rating,
    Section,
    Sheet,
)
from app.core.text.labels import remove_stop
from app.decision.report import wording
from app.decision.report.dossier import Report, ReportStep
from tests.unit.decision.report.dossiers import APPROVED_AT, DECISION, MADE_AT

HARMFUL: Final = (
    "<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "</title></svg>", "a & b &amp; &#39; &lt;",
    'say "so"', "one | two", "a\\", "\\|", "**bold** _slanted_ `code` ~~gone~~", "![x](https://example.com/x.png)",
    "# title", "#", "C #", "- item", "+ item", "1. first", "12) twelfth", "> quote", "---", "===", "| --- |", "```",
    "one\ntwo", "one\r\n\r\ntwo", "snake_case_name", "_x", "x_", "[^1]: note", "<!-- no", "]]>", "\x00 \x0b \x1f",
    "https://example.com/a_b?c=1&d=2", "Größe 10 %", "مرحبا", "👩‍🚀", " ", "",
)  # fmt: skip

TEXTS: Final = st.one_of(
    st.sampled_from(HARMFUL), st.text(max_size=12), st.text("<>&\"'|\\*_`#-+=[]().~1a \n", max_size=8)
)
_HANDLES: Final = st.from_regex(r"[A-Z]{1,2}[0-9]{1,3}", fullmatch=True)
_MARKS: Final = st.lists(st.sampled_from(Mark), max_size=2, unique=True).map(tuple)
_RATINGS: Final = st.builds(
    Rating, value=st.none() | st.integers(-2, 2), doubtful=st.booleans(), note=st.just("") | TEXTS
)
_HEADS: Final = st.builds(Head, handle=_HANDLES, name=TEXTS, marks=_MARKS)

T = TypeVar("T")


def _few(values: st.SearchStrategy[T], least: int = 0) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(values, min_size=least, max_size=2).map(lambda drawn: tuple(drawn))


def _items(depth: int = 2) -> st.SearchStrategy[Item]:
    inner: st.SearchStrategy[tuple[Item, ...]] = _few(_items(depth - 1)) if depth else st.just(())
    return st.builds(Item, text=TEXTS, handle=st.just("") | _HANDLES, notes=_few(TEXTS), marks=_MARKS, inner=inner)


@st.composite
def _matrices(draw: st.DrawFn) -> Matrix:
    rows, columns = draw(_few(_HEADS, 1)), draw(_few(_HEADS, 1))
    cells = tuple(tuple(draw(_RATINGS) for _ in columns) for _ in rows)
    return Matrix(title=draw(TEXTS), rows=rows, columns=columns, cells=cells)


@st.composite
def _grids(draw: st.DrawFn) -> Grid:
    header = draw(_few(TEXTS, 1))
    rows = draw(_few(st.tuples(*(TEXTS for _ in header))))
    return Grid(title=draw(TEXTS), header=header, rows=rows, empty=draw(TEXTS))


_BARS: Final = st.builds(
    Bar, label=TEXTS, score=st.none() | st.integers(0, 100), note=st.just("") | TEXTS, weakest=st.booleans()
)
SECTIONS: Final[st.SearchStrategy[Section]] = st.one_of(
    st.builds(Listing, title=TEXTS, items=_few(_items()), empty=TEXTS),
    st.builds(Facts, title=TEXTS, rows=_few(st.tuples(TEXTS, TEXTS))),
    st.builds(Prose, title=TEXTS, text=TEXTS),
    _matrices(),
    st.builds(Bars, title=TEXTS, bars=_few(_BARS), total=TEXTS),
    _grids(),
)

_VERSIONS: Final = st.builds(
    Version,
    decision=st.just(DECISION),
    component=st.sampled_from(["objectives", "alternatives"]),
    number=st.integers(1, 9),
    data=st.dictionaries(TEXTS, TEXTS | st.integers() | _few(TEXTS).map(list), max_size=2),
    extracted_at=st.just(APPROVED_AT),
    approved_at=st.just(APPROVED_AT),
    approved_by=TEXTS,
    prompt_version=st.just("1"),
    schema_version=st.just("1.0"),
    model=TEXTS,
    based_on=st.dictionaries(st.sampled_from(["problem_frame", "objectives"]), st.integers(1, 9)),
)


@st.composite
def _steps(draw: st.DrawFn, number: int) -> ReportStep:
    approved = draw(st.booleans())
    return ReportStep(
        key="objectives",
        number=number,
        title=draw(TEXTS),
        status=draw(st.sampled_from(ComponentStatus)),
        version=1 if approved else 0,
        approved_by=draw(TEXTS),
        approved_at=APPROVED_AT if approved else "",
        based_on=draw(_few(TEXTS)),
        outdated=draw(_few(TEXTS)),
        sheet=Sheet(sections=draw(_few(SECTIONS, 1))) if approved else None,
    )


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Any report of up to two steps."""
    return Report(
        question=draw(TEXTS),
        typed=draw(TEXTS),
        owner=draw(TEXTS),
        made_at=MADE_AT,
        deadline=draw(st.sampled_from(["", "2027-01-31"])),
        closed=draw(st.booleans()),
        steps=tuple(draw(_steps(number)) for number in range(1, draw(st.integers(1, 2)) + 1)),
        versions=draw(_few(_VERSIONS)),
    )


def told(report: Report) -> Iterator[str]:
    """Every text that a reader has to find."""
    yield from (report.question, report.typed, report.owner)
    for step in report.steps:
        yield from (step.title, *step.outdated)
        if step.sheet:
            yield from (step.approved_by, *map(remove_stop, step.based_on))
            for section in step.sheet.sections:
                yield section.title
                yield from _told_in(section)


def _told_in(section: Section) -> Iterator[str]:
    match section:
        case Listing():
            yield from (text for item in section.items for text in _told_of(item))
            yield from () if section.items else (section.empty,)
        case Facts():
            yield from (text for row in section.rows for text in row)
        case Prose():
            yield from section.text.splitlines()
        case Matrix():
            heads = (*section.rows, *section.columns)
            yield from (text for head in heads for text in (head.handle, head.name, *_words(head.marks)))
            yield from (
                text for row in section.cells for each in row for text in (wording.format_rating(each), each.note)
            )
        case Bars():
            yield section.total
            yield from (text for each in section.bars for text in (each.label, wording.format_score(each), each.note))
        case Grid():
            yield from (
                (text for row in (section.header, *section.rows) for text in row) if section.rows else (section.empty,)
            )
        case _:
            assert_never(section)


def _told_of(item: Item) -> Iterator[str]:
    yield from (item.handle, item.text, *item.notes, *_words(item.marks))
    yield from (text for inner in item.inner for text in _told_of(inner))


def _words(marks: tuple[Mark, ...]) -> Iterator[str]:
    return (wording.MARKS[mark] for mark in marks)


def in_one_line(text: str) -> str:
    """The text as it is compared: how it is broken into lines is not what it says."""
    return " ".join(wording.clean_text(text).split())
