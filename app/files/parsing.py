"""Parsing of one file, of whatever kind. For the child process: nothing here bounds time or memory."""

from __future__ import annotations

import dataclasses
import re

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent
from app.files.file_limits import FileLimits
from app.files.recognition import Form, recognize

_SPACES = re.compile(r"\s+")
MOST_TITLE = 200
"""Characters."""


def parse_file(content: bytes, name: str, limits: FileLimits) -> FileContent:
    """Return what the bytes say. Raise `FileRefused`, and nothing else, whatever they are."""
    try:
        found = _parse(content, name, limits)
        return dataclasses.replace(
            found,
            title=_SPACES.sub(" ", _mend(found.title)).strip()[:MOST_TITLE] or name,
            text=_mend(found.text),
            pages=tuple(map(_mend, found.pages)),
            left_out=_mend(found.left_out),
        )
    except FileRefused:
        raise
    except MemoryError as error:
        raise FileRefused(FileFault.TOO_MUCH_MEMORY) from error
    except Exception as error:
        raise FileRefused(FileFault.BROKEN) from error


def _parse(content: bytes, name: str, limits: FileLimits) -> FileContent:
    """Hand the bytes to the reader of their kind. Each is imported when it is needed, to begin fast and stay small."""
    form, media_type = recognize(content, limits)
    match form:
        case Form.IMAGE:
            from app.files.images import read_image

            return read_image(content, name, media_type, limits)
        case Form.PDF:
            from app.files.pdf_pages import read_pdf

            return read_pdf(content, name, limits)
        case Form.WORKBOOK:
            from app.files.workbooks import read_workbook

            return read_workbook(content, name, limits)
        case Form.DOCUMENT:
            from app.files.word_text import read_document

            return read_document(content, name, limits)
        case Form.TEXT:
            return _parse_text(content, name, limits)


def _parse_text(content: bytes, name: str, limits: FileLimits) -> FileContent:
    from app.files.decoding import decode, read_text
    from app.files.delimited import NAMES, read_delimited

    text = decode(content)
    if not text.strip():
        raise FileRefused(FileFault.EMPTY)
    return (read_delimited if name.lower().endswith(NAMES) else read_text)(text, name, limits)


def _mend(text: str) -> str:
    """Replace halves of characters, which no encoding can hold; parsers pass them on from broken fonts."""
    return text.encode("utf-8", "replace").decode("utf-8")
