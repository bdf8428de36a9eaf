"""Content of a file that a person brought: what people's programs made of it, read into text, pages and bytes.

All of it is data from outside. Nobody has cleaned the words for display; the reader has only bounded their length.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FileKind(StrEnum):
    """Form in which a file's content goes to the model."""

    IMAGE = "image"
    PDF = "pdf"
    TEXT = "text"
    TABLE = "table"
    DOCUMENT = "document"


PAGE_BREAK: Final = "\f"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """The words of a file that was read, with the name by which people know it."""

    name: str
    kind: FileKind
    text: str
    """Of a PDF, its pages with a `PAGE_BREAK` between them; otherwise as in `FileContent`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """What was read of a file. Which fields are set depends on `kind`."""

    kind: FileKind
    media_type: str
    """By content, not by name: `image/png`, `application/pdf`, `text/csv`, …; of `data` if there is any."""
    title: str
    """The document's own title if it has one, otherwise the file's name. One line."""
    text: str = ""
    """All text (empty for an image). Of a PDF, its pages under their numbers.

    Of a table, a line for each row, with each cell behind its name and cells separated by tabs: `A7: Berlin\tB7: 12`.
    Cells contain no tab and no line break. A line `Sheet Costs` stands above the rows of each sheet of a workbook.
    """
    pages: tuple[str, ...] = ()
    """Text of each page of a PDF, the first page first; empty for a page that is only a picture, as from a scanner."""
    data: bytes = b""
    """Bytes that go to the model as such: an image, scaled and without metadata, or the whole PDF."""
    left_out: str = ""
    """What was left out of `text` or `data`, in words that stand behind "without": "the rows after 5,000"."""

    @property
    def words(self) -> str:
        """Return all text, with a `PAGE_BREAK` between the pages of a PDF."""
        return PAGE_BREAK.join(page.replace(PAGE_BREAK, " ") for page in self.pages) if self.pages else self.text
