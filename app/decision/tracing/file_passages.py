"""Files as people cite them: the cells of a table, the pages of a PDF, and other documents as a whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from app.core.file_content import PAGE_BREAK, FileKind, FileText
from app.core.text.marks import clean_line
from app.decision.schema.similarity import normalize, split_words
from app.decision.tracing.figures import Amount, Figure, Reading, read_figures
from app.decision.tracing.said import SaidFigures, Statement

MOST_TITLES: Final = 50
"""Cells with the same words that are taken for titles."""

STEM: Final = 4
"""Letters by which words are compared that may have another ending; shorter words tell nothing."""

PAGE: Final = "page {number}"
SEPARATOR: Final = "\t"
SHEET: Final = "Sheet "
Readings = frozenset[Reading]
"""What a figure can mean."""

Line = tuple[str, str, str]
"""A row or a column of a table: its file, its sheet, its number or letters."""

_CELL: Final = re.compile(r"([A-Z]+)(\d+): (.*)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a file that is cited: of a table a cell, with its place in it."""

    file: str
    place: str
    text: str
    row: Line = ("", "", "")
    """Of a cell, its file, its sheet and the number of its row."""
    column: Line = ("", "", "")
    """Of a cell, its file, its sheet and the letters of its column."""

    @property
    def is_cell(self) -> bool:
        """Return True for a cell of a table."""
        return bool(self.row[2])


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
            yield Passage(name, place, found[3], (name, sheet, found[2]), (name, sheet, found[1]))


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
        """Return all words of the files, a line for each passage. The day on which they were written is not known."""
        return Statement("\n".join(("", *(passage.text for passage in self.passages), "")))

    def find_figure(self, figure: Figure) -> tuple[Passage, ...]:
        """Return the passages that hold a figure with this value, in order."""
        if figure.readings not in self._found:
            nearby = {each: self._readings[each] for key in _list_keys(figure) for each in self._keyed.get(key, ())}
            held = {at for each, places in nearby.items() if self._build_index(each).knows(figure) for at in places}
            self._found[figure.readings] = tuple(self.passages[at] for at in sorted(held))
        return self._found[figure.readings]

    def find_name(self, name: str) -> tuple[Passage, ...]:
        """Return the cells that hold this name and nothing else, and the other passages that hold it."""
        wanted = normalize(name)
        is_held = ((each, wanted == text if each.is_cell else wanted in text) for each, text in self._normalized)
        return tuple(each for each, holds in is_held if holds and wanted)

    def find_words(self, name: str) -> tuple[Passage, ...]:
        """Return the passages in which this name stands, alone or among other words."""
        wanted = normalize(name)
        whole = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        return tuple(each for each, text in self._normalized if wanted and wanted in text and whole.search(text))

    def find_page(self, text: str) -> Passage | None:
        """Return the page of a document that says most of a text in other words; None if none says half of it.

        At least two of its words have to stand there, whatever their endings.
        """
        wanted = _list_stems(text)
        counts = [len(wanted & stems) for _, stems in self._pages]
        most = max(counts, default=0)
        return self._pages[counts.index(most)][0] if most > 1 and 2 * most >= len(wanted) else None

    def find_lines(self, one: str, other: str) -> frozenset[frozenset[Line]]:
        """Return the lines of a table that an amount of these two things stands in: a row and a column, or one of both.

        It is one line if both names stand in it. Empty if one of the names is no cell of its own.
        """
        ones, others = (self._titled.get(normalize(name), [])[:MOST_TITLES] for name in (one, other))
        return frozenset(lines for pair in product(ones, others) for lines in _cross(*pair))

    def count_titles(self, passage: Passage, titles: Iterable[str]) -> int:
        """Return how many of these names stand in the row or the column of a cell, as cells of their own."""
        known = self._lines.get(passage.row, frozenset[str]()) | self._lines.get(passage.column, frozenset[str]())
        return sum(normalize(title) in known for title in titles if title) if passage.is_cell else 0

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Return the figures of the files, those with the same meaning once. It can take long."""
        return tuple({each.readings: each for figures in self._read.values() for each in figures}.values())

    @cached_property
    def _read(self) -> Mapping[str, tuple[Figure, ...]]:
        """The figures of each text. Many cells of a table have the same one."""
        # A number in brackets is known by the space around it.
        return {text: read_figures(f"\n{text}\n" if "(" in text else text) for text in self._texts}

    @cached_property
    def _texts(self) -> Collection[str]:
        return dict.fromkeys(passage.text for passage in self.passages)

    @cached_property
    def _readings(self) -> Mapping[Readings, list[int]]:
        """Places of the passages by what their figures can mean."""
        places = dict[Readings, list[int]]()
        for at, passage in enumerate(self.passages):
            for figure in self._read[passage.text]:
                places.setdefault(figure.readings, []).append(at)
        return places

    @cached_property
    def _keyed(self) -> Mapping[object, list[Readings]]:
        """What figures can mean by keys of it."""
        keyed = dict[object, list[Readings]]()
        for figure in self.figures:
            for key in _list_keys(figure):
                keyed.setdefault(key, []).append(figure.readings)
        return keyed

    @cached_property
    def _found(self) -> dict[Readings, tuple[Passage, ...]]:
        return {}

    @cached_property
    def _indexes(self) -> dict[Readings, SaidFigures]:
        return {}

    def _build_index(self, readings: Readings) -> SaidFigures:
        if readings not in self._indexes:
            self._indexes[readings] = SaidFigures.of((), (Figure("", 0, readings),))
        return self._indexes[readings]

    @cached_property
    def _normalized(self) -> tuple[tuple[Passage, str], ...]:
        return tuple((each, normalize(each.text)) for each in self.passages)

    @cached_property
    def _pages(self) -> tuple[tuple[Passage, frozenset[str]], ...]:
        """Pages of documents with their words."""
        return tuple((each, _list_stems(each.text)) for each in self.passages if each.place and not each.is_cell)

    @cached_property
    def _titled(self) -> Mapping[str, list[Passage]]:
        """Cells by their words."""
        cells = dict[str, list[Passage]]()
        for each, text in self._normalized:
            if each.is_cell:
                cells.setdefault(text, []).append(each)
        return cells

    @cached_property
    def _lines(self) -> Mapping[Line, frozenset[str]]:
        """What stands in each row and in each column."""
        lines = dict[Line, set[str]]()
        for each, text in self._normalized:
            lines.setdefault(each.row, set()).add(text)
            lines.setdefault(each.column, set()).add(text)
        return {key: frozenset(texts) for key, texts in lines.items()}


def _list_stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in split_words(text) if len(word) >= STEM)


def _cross(one: Passage, other: Passage) -> Iterator[frozenset[Line]]:
    if shared := {one.row, one.column} & {other.row, other.column}:
        yield frozenset(shared)
    elif one.row[:2] == other.row[:2]:
        yield frozenset((one.row, other.column))
        yield frozenset((other.row, one.column))


def _list_keys(figure: Figure) -> Iterator[object]:
    """Yield keys of which two figures share one if they can have the same value."""
    for reading in figure.readings:
        if isinstance(reading, Amount):
            yield reading.value
            yield reading.total
        else:
            yield "date"
