"""What was read of a file."""

from __future__ import annotations

from app.core.file_content import PAGE_BREAK, FileContent, FileKind


def test_the_words_of_a_pdf_are_its_pages_with_breaks_that_no_page_can_hold() -> None:
    pdf = FileContent(kind=FileKind.PDF, media_type="application/pdf", title="x", text="all", pages=("a\fb", "", "c"))
    assert pdf.words.split(PAGE_BREAK) == ["a b", "", "c"]
    assert FileContent(kind=FileKind.TEXT, media_type="text/plain", title="x", text="all").words == "all"
