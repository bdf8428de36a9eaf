"""Text, Markdown, code and JSON: bytes to characters."""

from __future__ import annotations

import codecs
import json
import re

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.file_limits import FileLimits

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
MARKDOWN = (".md", ".markdown")
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]")
"""Control characters that text has no use for; the escape of coloured terminal output is not among them."""
MOST_CONTROLS = 0.01
"""Share of them above which it is no text. A log may have one that strayed in, a program has them everywhere."""
LEFT_OUT = "everything after the first {count:,} characters"


def decode(content: bytes) -> str:
    """Return the text, with line feeds alone at the end of lines. Raise `FileRefused` if the bytes are no text.

    A byte order mark decides; then UTF-8 is tried, and else it is Windows-1252, which old programs write.
    """
    text = _decode(content)
    if "\0" in text or len(_NO_TEXT.findall(text)) > MOST_CONTROLS * len(text):
        raise FileRefused(FileFault.UNKNOWN_KIND)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def cut_words(text: str, most: int) -> str:
    """Return at most so many characters of a text, without half a word or number at their end."""
    if len(text) <= most:
        return text
    end = max(text.rfind(space, most // 2, most + 1) for space in " \n\t")
    return text[: end if end > 0 else most]


def read_text(text: str, title: str, limits: FileLimits) -> FileContent:
    """Return the text, cut to the limit."""
    count = limits.characters
    return FileContent(
        kind=FileKind.TEXT,
        media_type=_find_media_type(text, title),
        title=title,
        text=cut_words(text, count),
        left_out=LEFT_OUT.format(count=count) if len(text) > count else "",
    )


def _decode(content: bytes) -> str:
    try:
        if content.startswith(UTF_32):
            return content.decode("utf-32")
        if content.startswith(UTF_16):
            return content.decode("utf-16")
    except UnicodeDecodeError as error:
        raise FileRefused(FileFault.BROKEN) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _find_media_type(text: str, name: str) -> str:
    if name.lower().endswith(MARKDOWN):
        return "text/markdown"
    try:
        return "application/json" if text.lstrip()[:1] in ("{", "[") and json.loads(text) is not None else "text/plain"
    except (ValueError, RecursionError):
        return "text/plain"
