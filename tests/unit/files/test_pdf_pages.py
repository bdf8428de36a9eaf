"""PDF: text by page, and a document that the model takes."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from app.core.errors import FileFault
from app.core.file_content import FileKind
from app.files.pdf_pages import PICTURE_ONLY
from tests.unit.files.sample_files import lock_pdf, make_pdf, parse, refuse

FORTY = [f"Figure {number}" for number in range(1, 41)]


@pytest.mark.req("IN-02")
def test_each_of_forty_pages_can_be_cited_by_its_number() -> None:
    content = make_pdf(FORTY)
    found = parse(content)
    assert (found.kind, found.media_type, found.left_out) == (FileKind.PDF, "application/pdf", "")
    assert found.pages == tuple(FORTY)
    assert "Page 37\nFigure 37\n\nPage 38\nFigure 38" in found.text
    assert found.data == content


@pytest.mark.req("IN-02")
def test_a_page_from_a_scanner_is_said_to_have_no_text() -> None:
    found = parse(make_pdf(["Offer", "", "Total"]))
    assert found.pages == ("Offer", "", "Total")
    assert f"Page 2\n{PICTURE_ONLY}\n\nPage 3\nTotal" in found.text
    assert not found.left_out


@pytest.mark.req("IN-04")
def test_a_pdf_that_needs_a_password_is_locked() -> None:
    assert refuse(lock_pdf(make_pdf(["secret"]), "geheim")).reason is FileFault.LOCKED


def test_a_pdf_that_is_locked_for_changes_alone_goes_to_the_model_unlocked() -> None:
    found = parse(lock_pdf(make_pdf(["Offer"]), ""))
    assert found.pages == ("Offer",)
    reader = PdfReader(io.BytesIO(found.data))
    assert not reader.is_encrypted
    assert reader.pages[0].extract_text().strip() == "Offer"


@pytest.mark.req("IN-02")
def test_too_many_pages_are_refused_with_the_number_that_is_allowed() -> None:
    assert parse(make_pdf(FORTY), pages=40).pages
    refused = refuse(make_pdf(FORTY), pages=39)
    assert (refused.reason, refused.limit) == (FileFault.TOO_MANY_PAGES, 39)


@pytest.mark.req("IN-04")
@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"%PDF-1.4 garbage %%EOF", make_pdf(["a"])[:200], make_pdf([])])
def test_a_pdf_without_a_page_that_can_be_found_is_broken(content: bytes) -> None:
    assert refuse(content).reason is FileFault.BROKEN


def test_a_pdf_with_a_fault_that_can_be_mended_goes_to_the_model_mended() -> None:
    content = make_pdf(["Offer"])
    start = content.index(b"startxref")
    found = parse(content[:start] + b"startxref\n7\n%%EOF\n")
    assert found.pages == ("Offer",)
    assert PdfReader(io.BytesIO(found.data), strict=True).pages[0].extract_text().strip() == "Offer"


def test_a_pdf_is_recognized_behind_a_blank_line_and_what_a_program_writes_before_it() -> None:
    content = make_pdf(["Offer"])
    assert parse(b"\r\n" + content).pages == ("Offer",)


@pytest.mark.req("IN-02")
def test_what_is_left_out_of_a_long_page_is_said() -> None:
    found = parse(make_pdf(["abc", "x" * 50, "abc", "y" * 51, "z" * 51]), page_characters=50)
    assert [len(page) for page in found.pages] == [3, 50, 3, 50, 50]
    assert found.left_out == "the text of pages 4 to 5"
    assert parse(make_pdf(["x" * 51]), page_characters=50).left_out == "the text of page 1"


def test_a_pdf_whose_text_takes_too_long_goes_to_the_model_without_it() -> None:
    found = parse(make_pdf(["abc", "def"]), seconds=0.0)
    assert found.left_out == "the text of pages 1 to 2"
    assert found.data


def test_a_document_is_called_by_its_own_title() -> None:
    assert parse(make_pdf(["a"], title="Board paper\n 2026")).title == "Board paper 2026"
    assert parse(make_pdf(["a"]), "board.pdf").title == "board.pdf"
