"""Wide tables of an answer as lists: a thread's pane holds three columns, and what falls off the screen is lost.

A row becomes an item, which begins with its first cell and names the columns of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from app.core.text.markdown import Blocks, LineKind

MOST_COLUMNS: Final = 3
"""Columns of a table that stays as it is."""

_BETWEEN: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = re.compile(r"[ \t]*:?-++:?[ \t]*")
_MARGIN: Final = " \t>"
"""What may stand before a row: it is indented, or quoted."""


def narrow_tables(markdown: str) -> str:
    """Return the text with each table of more columns as a list, a row a line. Code stays as it is."""
    reader = _Reader()
    lines = [told for line in markdown.split("\n") for told in reader.take(line)]
    return "\n".join([*lines, *reader.end()])


def narrow_tables_prefix(markdown: str) -> str:
    """Do the same for a growing text: the result is a prefix of the result for any longer text."""
    *whole, last = markdown.split("\n")
    reader = _Reader()
    lines = [told for line in whole for told in reader.take(line)]
    is_undecided = reader.has_head or last.lstrip(_MARGIN)[:1] in ("", "|")
    return "\n".join([*lines, "" if is_undecided else last])


class _Reader:
    """Reader of a text, line by line."""

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._head = ""
        """A row that heads a wide table if its rule follows."""
        self._columns: Sequence[str] = ()
        """The columns of the wide table that the last line belongs to; empty outside of one."""

    @property
    def has_head(self) -> bool:
        """Return True if the last line is only told with the next one."""
        return bool(self._head)

    def take(self, line: str) -> Iterator[str]:
        """Yield what stands in place of a line, and before it a head that was none."""
        is_text = self._blocks.take(f"{line}\n") is LineKind.TEXT
        cells = _read_cells(line) if is_text and line.lstrip(_MARGIN).startswith("|") else []
        if cells and self._columns:
            yield _write_item(line, cells, self._columns)
            return
        if self._head and len(cells) == len(_read_cells(self._head)) and all(map(_RULE.fullmatch, cells)):
            self._columns, self._head = _read_cells(self._head), ""
            return
        self._columns = ()
        yield from self.end()
        if len(cells) > MOST_COLUMNS:
            self._head = line
        else:
            yield line

    def end(self) -> Iterator[str]:
        """Yield a head that was none."""
        if self._head:
            yield self._head
        self._head = ""


def _read_cells(line: str) -> list[str]:
    _, *cells = _BETWEEN.split(line)
    return [each.strip() for each in (cells if cells[-1].strip() else cells[:-1])]


def _write_item(line: str, cells: Sequence[str], columns: Sequence[str]) -> str:
    margin = line[: len(line) - len(line.lstrip(_MARGIN))]
    title = cells[0].strip("*_")
    told = " · ".join(f"{name} {cell}".strip() for name, cell in zip(columns[1:], cells[1:], strict=False) if cell)
    return f"{margin}- {': '.join(filter(None, (title and f'**{title}**', told)))}"
