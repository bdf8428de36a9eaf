"""Rows of a table as lines of text in which each cell stands behind its name, so that it can be cited: `B7: 12000`."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPACES = re.compile(r"\s+")
SEPARATOR = "\t"
LETTERS = 26


def name_column(index: int) -> str:
    """Return the letters of a column, as spreadsheets do: A for 0, AA for 26."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, LETTERS)
        letters = chr(ord("A") + letter) + letters
    return letters


def format_row(number: int, cells: Iterable[str]) -> str:
    """Return the line of a row, without its empty cells; empty if all are. The first row is 1.

    Whitespace in a cell becomes one space: no cell can begin a cell or a row of its own.
    """
    clean = (_SPACES.sub(" ", cell).strip() for cell in cells)
    return SEPARATOR.join(f"{name_column(index)}{number}: {cell}" for index, cell in enumerate(clean) if cell)


class TableText:
    """Lines of a table, up to a number of characters."""

    def __init__(self, characters: int) -> None:
        self._left = characters
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        """Return all lines."""
        return "\n".join(self._lines)

    def add(self, line: str) -> bool:
        """Add a line that is not empty. Return False, and leave it out, if it does not fit."""
        if not line:
            return True
        if len(line) + 1 > self._left:
            return False
        self._left -= len(line) + 1
        self._lines.append(line)
        return True
