"""Files as people cite them: the cells of a table, the pages of a PDF, and other documents as a whole."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from app.core.file_content import PAGE_BREAK, FileKind, FileText
from app.core.text.marks import clean_line
from app.decision.schema.similarity import normalize
from app.decision.tracing.figures import Amount, Figure, read_figures
from app.decision.tracing.said import SaidFigures, Statement

PAGE: Final = "page {number}"
SEPARATOR: Final = "\t"
SHEET: Final = "Sheet "
_CELL: Final = re.compile(r"([A-Z]+)(\d+): (.*)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a file that is cited: of a table a cell, with its place in it."""

    file: str
    place: str
    text: str
    row: tuple[str, str] = ("", "")
    """Of a cell, its sheet and the number of its row."""
    column: tuple[str, str] = ("", "")
    """Of a cell, its sheet and the letters of its column."""

    @property
    def is_cell(self) -> bool:
        """Return True for a cell of a table."""
        return bool(self.row[1])


def list_passages(file: FileText) -> tuple[Passage, ...]:
    """Return the passages of a file that have words, in order."""
    name = clean_line(file.name)
    if file.kind is FileKind.TABLE:
        return tuple(_list_cells(name, file.text))
    if file.kind is FileKind.PDF:
        pages = enumerate(file.text.split(PAGE_BREAK), 1)
        return tuple(Passage(name, PAGE.format(number=number), text) for number, text in pages if text.strip())
    return (Passage(name, "", file.text),)


def _list_cells(name: str, text: str) -> Iterator[Passage]:
    """Yield the cells of a table. Where it has several sheets, they are named with the cell."""
    lines = text.split("\n")
    has_sheets = sum(line.startswith(SHEET) for line in lines) > 1
    sheet = ""
    for line in lines:
        if line.startswith(SHEET):
            sheet = clean_line(line.removeprefix(SHEET))
        for found in filter(None, map(_CELL.fullmatch, line.split(SEPARATOR))):
            cell = f"{found[1]}{found[2]}"
            place = f"{sheet} {cell}" if has_sheets else cell
            yield Passage(name, place, found[3], (sheet, found[2]), (sheet, found[1]))


@dataclass(frozen=True)
class FilePassages:
    """Index of files: which passages hold a figure or a name."""

    passages: tuple[Passage, ...]

    @classmethod
    def of(cls, files: Iterable[FileText]) -> FilePassages:
        """Return the index of these files."""
        return cls(tuple(passage for file in files for passage in list_passages(file)))

    @cached_property
    def statement(self) -> Statement:
        """Return all words of the files. The day on which they were written is not known."""
        return Statement("\n".join(passage.text for passage in self.passages))

    def find_figure(self, figure: Figure) -> tuple[Passage, ...]:
        """Return the passages that hold a figure with this value, in order."""
        nearby = {at for key in _list_keys(figure) for at in self._figures.get(key, ())}
        found = (at for at in nearby if _build_index(self._stated[at]).knows(figure))
        return tuple(self.passages[each] for each in sorted({self._find_passage(self._stated[at]) for at in found}))

    def find_name(self, name: str) -> tuple[Passage, ...]:
        """Return the cells that hold this name and nothing else, and the other passages that hold it."""
        wanted = normalize(name)
        is_held = ((each, wanted == text if each.is_cell else wanted in text) for each, text in self._normalized)
        return tuple(each for each, holds in is_held if holds and wanted)

    def count_titles(self, passage: Passage, titles: Iterable[str]) -> int:
        """Return how many of these names stand in the row or the column of a cell, as cells of their own."""
        known = self._lines.get(passage.row, frozenset[str]()) | self._lines.get(passage.column, frozenset[str]())
        return sum(normalize(title) in known for title in titles if title) if passage.is_cell else 0

    @cached_property
    def _stated(self) -> tuple[Figure, ...]:
        return read_figures(self.statement.text)

    @cached_property
    def _figures(self) -> Mapping[object, list[int]]:
        """Places in `_stated` by what the figures can mean."""
        index = dict[object, list[int]]()
        for at, figure in enumerate(self._stated):
            for key in _list_keys(figure):
                index.setdefault(key, []).append(at)
        return index

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(len(passage.text) + 1 for passage in self.passages))

    def _find_passage(self, figure: Figure) -> int:
        return bisect_right(self._ends, figure.start)

    @cached_property
    def _normalized(self) -> tuple[tuple[Passage, str], ...]:
        return tuple((each, normalize(each.text)) for each in self.passages)

    @cached_property
    def _lines(self) -> Mapping[tuple[str, str], frozenset[str]]:
        """What stands in each row and in each column."""
        lines = dict[tuple[str, str], set[str]]()
        for each, text in self._normalized:
            lines.setdefault(each.row, set()).add(text)
            lines.setdefault(each.column, set()).add(text)
        return {key: frozenset(texts) for key, texts in lines.items()}


def _list_keys(figure: Figure) -> Iterator[object]:
    """Yield keys of which two figures share one if they can have the same value."""
    for reading in figure.readings:
        if isinstance(reading, Amount):
            yield reading.value
            yield reading.total
        else:
            yield "date"


def _build_index(figure: Figure) -> SaidFigures:
    return SaidFigures.of((Statement(figure.text),))
