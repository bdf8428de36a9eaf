"""PDF: the text of each page, and the document itself for the model."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass

from pypdf import PdfReader, PdfWriter
from pypdf.errors import LimitReachedError, PyPdfError

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.decoding import cut_words
from app.files.file_limits import FileLimits

MEDIA_TYPE = "application/pdf"
PAGE = "Page {number}"
PICTURE_ONLY = "(There is no text on this page: it is blank, or a picture as from a scanner.)"
LEFT_OUT = "the text of page {first}"
LEFT_OUT_PAGES = "the text of pages {first} to {last}"
SHARE_OF_TIME = 0.5
"""Of all the time, for taking out text: the model can see the pages of a slow PDF without it."""


@dataclass(frozen=True, slots=True)
class _Opened:
    reader: PdfReader
    is_sound: bool
    """False if it is locked for changes alone, or has faults that were mended: the Claude API takes neither."""


def read_pdf(content: bytes, title: str, limits: FileLimits) -> FileContent:
    """Return the PDF and the text of its pages. Raise `FileRefused`, or any error of pypdf."""
    try:
        opened = _open(content)
        count = len(opened.reader.pages)
        if not count:
            raise FileRefused(FileFault.BROKEN)
        if count > limits.pages:
            raise FileRefused(FileFault.TOO_MANY_PAGES, limits.pages)
        pages, unread = _read_pages(opened.reader, limits)
        data = content if opened.is_sound else _write_anew(opened.reader)
    except LimitReachedError as error:
        raise FileRefused(FileFault.TOO_MUCH_MEMORY) from error
    return FileContent(
        kind=FileKind.PDF,
        media_type=MEDIA_TYPE,
        title=_find_title(opened.reader) or title,
        text="\n\n".join(f"{PAGE.format(number=n)}\n{page or PICTURE_ONLY}" for n, page in enumerate(pages, 1)),
        pages=pages,
        data=data,
        left_out=_name_pages(unread),
    )


def _open(content: bytes) -> _Opened:
    """Open a PDF, mending what can be mended. Raise `FileRefused` if it needs a password."""
    try:
        reader = PdfReader(io.BytesIO(content), strict=True)
        is_sound = not reader.is_encrypted and bool(reader.pages)
    except LimitReachedError:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        reader, is_sound = PdfReader(io.BytesIO(content)), False
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileRefused(FileFault.LOCKED)
    return _Opened(reader, is_sound)


def _read_pages(reader: PdfReader, limits: FileLimits) -> tuple[tuple[str, ...], list[int]]:
    """Return the text of each page, and the numbers of the pages whose text is missing or cut."""
    end = time.monotonic() + limits.seconds * SHARE_OF_TIME
    texts: list[str] = []
    unread: list[int] = []
    for number, page in enumerate(reader.pages, 1):
        text = ""
        is_whole = time.monotonic() < end
        if is_whole:
            try:
                text = page.extract_text().strip()
            except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
                is_whole = False
        texts.append(cut_words(text, limits.page_characters))
        if not is_whole or len(text) > limits.page_characters:
            unread.append(number)
    return tuple(texts), unread


def _write_anew(reader: PdfReader) -> bytes:
    written = io.BytesIO()
    PdfWriter(clone_from=reader).write(written)
    return written.getvalue()


def _find_title(reader: PdfReader) -> str:
    try:
        return str(reader.metadata.title or "") if reader.metadata else ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError):
        return ""


def _name_pages(numbers: list[int]) -> str:
    """Name pages by their runs: the text of pages 3 to 7, the text of page 9."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    runs = zip(starts, ends, strict=True)
    return ", ".join((LEFT_OUT if a == b else LEFT_OUT_PAGES).format(first=a, last=b) for a, b in runs)
