"""Word and Excel files as the archives that they are, judged before any part of them is read."""

from __future__ import annotations

import io
import zipfile

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileKind
from app.files.file_limits import MEGABYTE, FileLimits

CONTENT_TYPES = "[Content_Types].xml"
MOST_TYPES = MEGABYTE
"""Bytes of the list of parts; a workbook with 5,000 sheets has as many."""
SHEETS = (b"spreadsheetml.sheet.main+xml", b"ms-excel.sheet.macroEnabled.main+xml", b"spreadsheetml.template.main+xml")
DOCUMENTS = (b"wordprocessingml.document.main+xml",)
MOST_PARTS = 10_000
MOST_GROWTH = 150
"""Times that an archive may grow when it is unpacked. Large real workbooks grow 10 to 60 times, a bomb 1,000 times."""
GROWTH_JUDGED_FROM = 10 * MEGABYTE
"""Bytes, unpacked, below which any growth is harmless."""
ENCRYPTED = 0x1


def recognize_office(content: bytes, limits: FileLimits) -> FileKind:
    """Return TABLE for a workbook, DOCUMENT for a Word file. Raise `FileRefused` for anything else, and for a bomb."""
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
            types = archive.read(CONTENT_TYPES)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise FileRefused(FileFault.BROKEN) from error
    if any(mark in types for mark in SHEETS):
        return FileKind.TABLE
    if any(mark in types for mark in DOCUMENTS):
        return FileKind.DOCUMENT
    raise FileRefused(FileFault.UNKNOWN_KIND)


def _refuse_bomb(parts: list[zipfile.ZipInfo], size: int, limits: FileLimits) -> None:
    """Raise `FileRefused` by the sizes that the archive declares. No part can be unpacked beyond its own."""
    unpacked = sum(part.file_size for part in parts)
    grows = unpacked > GROWTH_JUDGED_FROM and unpacked > size * MOST_GROWTH
    if grows or unpacked > limits.unpacked or len(parts) > MOST_PARTS:
        raise FileRefused(FileFault.TOO_MUCH_MEMORY)


def find_part(content: bytes, beginning: str) -> bool:
    """Return True if the archive has a part whose name begins so."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return any(name.startswith(beginning) for name in archive.namelist())
