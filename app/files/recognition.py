"""Recognition of what a file is, by its bytes and not by its name. Archives are judged before any part is unpacked."""

from __future__ import annotations

import io
import zipfile
from enum import Enum, auto
from typing import Any

import puremagic

from app.core.errors import FileFault, FileRefused
from app.files.file_limits import MEGABYTE, FileLimits

PDF = b"%PDF-"
PDF_START = 1024
"""Bytes within which the mark of a PDF stands; some programs write a blank line or a header of their own before it."""
PDF_END = b"startxref"
ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Container of Office files from before 2007, and of any that are locked with a password."""
ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
IMAGES = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
"""Pillow's decoder of each media type."""
NOT_FOR_READING = {"application/rtf", "application/postscript"}
"""Formats that are text to the last byte, but not for people."""
CERTAIN = 0.3
"""Confidence of a signature of three bytes. A shorter one is also the beginning of a word: `BM`, `MZ`."""

CONTENT_TYPES = "[Content_Types].xml"
MOST_TYPES = MEGABYTE
"""Bytes of the list of parts; a workbook with 5,000 sheets has as many."""
SHEETS = (b"spreadsheetml.sheet.main+xml", b"ms-excel.sheet.macroEnabled.main+xml", b"spreadsheetml.template.main+xml")
DOCUMENT = b"wordprocessingml.document.main+xml"
MOST_PARTS = 10_000
MOST_GROWTH = 150
"""Times that an archive may grow when it is unpacked. Large real workbooks grow 10 to 60 times, a bomb 1,000 times."""
GROWTH_JUDGED_FROM = 10 * MEGABYTE
"""Bytes, unpacked, below which any growth is harmless."""
ENCRYPTED = 0x1


class Form(Enum):
    """Format of a file, as far as it shows without parsing it."""

    IMAGE = auto()
    PDF = auto()
    WORKBOOK = auto()
    DOCUMENT = auto()
    TEXT = auto()
    """Everything else that may be text; whether it is shows when it is decoded."""


def recognize(content: bytes, limits: FileLimits) -> tuple[Form, str]:
    """Return the form and, for an image, its media type. Raise `FileRefused`.

    A broken file keeps its form here: the reader of that form finds out.
    """
    if content.startswith(OLE):
        raise FileRefused(FileFault.LOCKED if ENCRYPTED_PACKAGE in content else FileFault.UNKNOWN_KIND)
    types = _find_media_types(content)
    if image := next((kind for kind in IMAGES if kind in types), None):
        return Form.IMAGE, image
    if content.startswith(PDF) or (PDF in content[:PDF_START] and PDF_END in content[-PDF_START:]):
        return Form.PDF, ""
    if content.startswith(ZIP):
        return _recognize_archive(content, limits), ""
    if types & NOT_FOR_READING:
        raise FileRefused(FileFault.UNKNOWN_KIND)
    return Form.TEXT, ""


def find_part(content: bytes, beginning: str) -> bool:
    """Return True if the archive has a part whose name begins so."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return any(name.startswith(beginning) for name in archive.namelist())


def _find_media_types(content: bytes) -> set[str]:
    try:
        found: list[Any] = puremagic.magic_string(content)  # pyright: ignore[reportUnknownMemberType]
    except puremagic.PureError:
        return set()
    return {match.mime_type for match in found if match.confidence >= CERTAIN}


def _recognize_archive(content: bytes, limits: FileLimits) -> Form:
    types = _read_content_types(content, limits)
    if any(mark in types for mark in SHEETS):
        return Form.WORKBOOK
    if DOCUMENT in types:
        return Form.DOCUMENT
    raise FileRefused(FileFault.UNKNOWN_KIND)


def _read_content_types(content: bytes, limits: FileLimits) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            _refuse_bomb(parts, len(content), limits)
            if any(part.flag_bits & ENCRYPTED for part in parts):
                raise FileRefused(FileFault.LOCKED)
            if CONTENT_TYPES not in archive.namelist():
                raise FileRefused(FileFault.UNKNOWN_KIND)
            if archive.getinfo(CONTENT_TYPES).file_size > MOST_TYPES:
                raise FileRefused(FileFault.BROKEN)
            return archive.read(CONTENT_TYPES)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise FileRefused(FileFault.BROKEN) from error


def _refuse_bomb(parts: list[zipfile.ZipInfo], size: int, limits: FileLimits) -> None:
    """Raise `FileRefused` by the sizes that the archive declares. No part can be unpacked beyond its own."""
    unpacked = sum(part.file_size for part in parts)
    grows = unpacked > GROWTH_JUDGED_FROM and unpacked > size * MOST_GROWTH
    if grows or unpacked > limits.unpacked or len(parts) > MOST_PARTS:
        raise FileRefused(FileFault.TOO_MUCH_MEMORY)
