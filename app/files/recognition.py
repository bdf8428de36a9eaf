"""Recognition of what a file is, by its bytes and not by its name."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

import puremagic

from app.core.errors import FileFault, FileRefused

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


class Form(Enum):
    """Format of a file, as far as its first bytes tell."""

    IMAGE = auto()
    PDF = auto()
    ARCHIVE = auto()
    TEXT = auto()
    """Everything else that may be text; whether it is shows when it is decoded."""


def recognize(content: bytes) -> tuple[Form, str]:
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
        return Form.ARCHIVE, ""
    if types & NOT_FOR_READING:
        raise FileRefused(FileFault.UNKNOWN_KIND)
    return Form.TEXT, ""


def _find_media_types(content: bytes) -> set[str]:
    try:
        found: list[Any] = puremagic.magic_string(content)  # pyright: ignore[reportUnknownMemberType]
    except puremagic.PureError:
        return set()
    return {match.mime_type for match in found if match.confidence >= CERTAIN}
