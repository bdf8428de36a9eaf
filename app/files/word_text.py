"""Word documents: headings, paragraphs, lists and tables in their order, as text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from docx import Document
from docx.oxml.ns import qn

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.decoding import cut_words
from app.files.file_limits import FileLimits
from app.files.recognition import find_part

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PARAGRAPH, TABLE, ROW, CELL, NUMBERED = (qn(f"w:{tag}") for tag in ("p", "tbl", "tr", "tc", "numPr"))
TEXT, TAB, BREAK, RETURN = (qn(f"w:{tag}") for tag in ("t", "tab", "br", "cr"))
SAID_TWICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""Text boxes for programs of before 2010; the same text stands beside it for newer ones."""
TAKEN_OUT = frozenset({qn("w:del"), qn("w:moveFrom")})
"""What tracked changes delete, or move to another place, where it stands once more."""
TAKEN_OUT_ROW = f"{qn('w:trPr')}/{qn('w:del')}"
HEADING = "heading "
DEEPEST_HEADING = 6
LEFT_OUT = "everything after the first {count:,} characters"
DELETED = "what its tracked changes delete"
PARTS = {
    "word/media/": "its pictures",
    "word/charts/": "its charts",
    "word/comments.xml": "its comments",
    "word/footnotes.xml": "its footnotes",
}


def read_document(content: bytes, title: str, limits: FileLimits) -> FileContent:
    """Return the text of a Word file. Raise `FileRefused` if it has none, or any error of python-docx.

    Its tracked changes are read as accepted. If they delete something, that is named among what is left out.
    """
    document: Any = Document(io.BytesIO(content))
    styles = {style.style_id: (style.name or "").lower() for style in document.styles}
    lines, size = list[str](), 0
    for line in _list_lines(document.element.body, styles):
        lines.append(line)
        size += len(line) + 1
        if size > limits.characters:
            break
    text = "\n".join(lines).strip()
    left_out = [LEFT_OUT.format(count=limits.characters)] if len(text) > limits.characters else []
    left_out += [DELETED] if next(document.element.body.iter(*TAKEN_OUT), None) is not None else []
    left_out += [name for part, name in PARTS.items() if find_part(content, part)]
    if not text:
        raise FileRefused(FileFault.EMPTY)
    return FileContent(
        kind=FileKind.DOCUMENT,
        media_type=MEDIA_TYPE,
        title=document.core_properties.title or title,
        text=cut_words(text, limits.characters),
        left_out=", ".join(left_out),
    )


def _list_lines(parent: Any, styles: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a body, a cell or whatever wraps paragraphs, such as a form field."""
    for element in parent:
        if element.tag == PARAGRAPH:
            yield _format_paragraph(element, styles)
        elif element.tag == TABLE:
            yield from (_format_row(row) for row in _find(element, ROW) if row.find(TAKEN_OUT_ROW) is None)
        elif element.tag != SAID_TWICE:
            yield from _list_lines(element, styles)


def _format_paragraph(paragraph: Any, styles: dict[str, str]) -> str:
    text = _join(paragraph)
    style = styles.get(paragraph.style or "", "")
    if style.startswith(HEADING) and text:
        level = style.removeprefix(HEADING)
        return f"{'#' * min(int(level), DEEPEST_HEADING)} {text}" if level.isdigit() else f"# {text}"
    is_item = style.startswith("list") or next(paragraph.iter(NUMBERED), None) is not None
    return f"- {text}" if is_item and text else text


def _format_row(row: Any) -> str:
    cells = (" ".join(filter(None, (_join(part) for part in cell.iter(PARAGRAPH)))) for cell in _find(row, CELL))
    return f"| {' | '.join(' '.join(cell.split()) for cell in cells)} |"


def _find(parent: Any, tag: str) -> Iterator[Any]:
    """Yield the nearest elements of a tag, through whatever wraps them, but none within another."""
    for element in parent:
        if element.tag == tag:
            yield element
        elif element.tag != TABLE:
            yield from _find(element, tag)


def _join(parent: Any) -> str:
    """Return the text of a paragraph, without that of paragraphs in its text boxes' older form."""
    pieces: list[str] = []
    for element in parent:
        if element.tag == TEXT:
            pieces.append(element.text or "")
        elif element.tag == TAB:
            pieces.append("\t")
        elif element.tag in (BREAK, RETURN):
            pieces.append("\n")
        elif element.tag not in TAKEN_OUT and element.tag != SAID_TWICE and element.tag != qn("w:pPr"):
            pieces.append(_join(element))
    return "".join(pieces)
