"""Any sheet, and what is read in the blocks that show one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

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
from handlers.views.kit.blocks import Block
from tests.unit.handlers.shown import HARD

PHRASE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
WORDS = PHRASE | HARD | HARD.map(lambda words: words * 4)
MARKS = st.lists(st.sampled_from(Mark), unique=True, max_size=2).map(tuple)


def items(depth: int = 0) -> st.SearchStrategy[tuple[Item, ...]]:
    inner = items(depth + 1) if depth < 2 else st.just(())
    handles = st.integers(1, 999).map(lambda number: f"{'OMV'[depth]}{number}")
    notes = st.lists(PHRASE, max_size=2).map(tuple)
    item = st.builds(Item, text=WORDS, handle=handles, notes=notes, marks=MARKS, inner=inner)
    return st.lists(item, max_size=4).map(tuple)


def heads(letter: str, names: list[str]) -> tuple[Head, ...]:
    return tuple(Head(handle=f"{letter}{number}", name=name) for number, name in enumerate(names, 1))


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    names = st.lists(PHRASE | HARD, max_size=6)
    rows, columns = heads("A", draw(names) * draw(st.sampled_from([1, 1, 20]))), heads("O", draw(names) * 4)
    rating = st.builds(Rating, value=st.none() | st.integers(-2, 2), doubtful=st.booleans())
    some = draw(st.lists(rating, min_size=1, max_size=7))
    cells = tuple(tuple(some[(row + column) % len(some)] for column in range(len(columns))) for row in range(len(rows)))
    return Matrix(title=draw(PHRASE), rows=rows, columns=columns, cells=cells)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    header = tuple(draw(st.lists(PHRASE, max_size=5))) * draw(st.sampled_from([1, 3]))
    row = st.lists(WORDS, min_size=len(header), max_size=len(header)).map(tuple)
    return Grid(title=draw(PHRASE), header=header, rows=tuple(draw(st.lists(row, max_size=3))), empty=draw(PHRASE))


FACTS = st.builds(Facts, rows=st.lists(st.tuples(PHRASE, WORDS), max_size=5).map(tuple), title=PHRASE)
BAR = st.builds(Bar, label=PHRASE, score=st.none() | st.integers(0, 100), note=WORDS, weakest=st.booleans())
BARS = st.builds(Bars, title=PHRASE, bars=st.lists(BAR, max_size=7).map(tuple), total=PHRASE)
LISTINGS = st.builds(Listing, title=WORDS, items=items(), empty=PHRASE)
SECTIONS: st.SearchStrategy[Section] = (
    LISTINGS | FACTS | BARS | matrices() | grids() | st.builds(Prose, text=WORDS, title=PHRASE)
)
SHEETS = st.builds(Sheet, sections=st.lists(SECTIONS, max_size=5).map(tuple))


def elements(blocks: Iterable[Block]) -> Iterator[dict[str, Any]]:
    """Every element of rich text, in order."""
    for block in blocks:
        for part in block["elements"] if block["type"] == "rich_text" else ():
            lists = part["elements"] if part["type"] == "rich_text_list" else [part]
            yield from (element for section in lists for element in section["elements"])


def squeezed(text: str) -> str:
    """Without spaces and line ends, so that it does not matter where a text was cut."""
    return "".join(text.split())


def read(blocks: Iterable[Block]) -> str:
    """All words of rich text, squeezed."""
    return squeezed("".join(element["text"] for element in elements(blocks)))
