"""Word documents: the text as its reader sees it, in order."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from app.core.errors import FileFault
from app.core.file_content import FileKind
from app.files import word_text
from tests.unit.files.sample_files import change_part, make_document, make_image, parse, refuse, write_document

BODY = "word/document.xml"


def append(document: Any, xml: str) -> None:
    document.element.body.insert(0, parse_xml(xml.replace(">", f" {nsdecls('w')}>", 1)))


@pytest.mark.req("IN-02")
def test_headings_lists_and_tables_are_read_in_their_order() -> None:
    document = docx.Document()
    document.core_properties.title = "Board paper"
    document.add_heading("Move to Berlin", 0)
    document.add_heading("Costs", 2)
    document.add_paragraph("Rent\tand")
    document.add_paragraph("cheap", style="List Bullet")
    table = document.add_table(2, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "City", "Price"
    table.cell(1, 0).text, table.cell(1, 1).text = "Berlin\nMitte", "12"
    document.add_paragraph("The end")
    found = parse(write_document(document))
    assert (found.kind, found.title, found.left_out) == (FileKind.DOCUMENT, "Board paper", "")
    assert found.text.splitlines() == [
        "Move to Berlin", "## Costs", "Rent\tand", "- cheap", "| City | Price |", "| Berlin Mitte | 12 |", "The end",
    ]  # fmt: skip


@pytest.mark.req("IN-02")
def test_text_in_form_fields_and_tracked_changes_is_read_as_it_stands() -> None:
    document = docx.Document()
    append(
        document,
        "<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>",
    )
    append(document, "<w:sdt><w:sdtContent><w:p><w:r><w:t>from a form</w:t></w:r></w:p></w:sdtContent></w:sdt>")
    assert parse(write_document(document)).text == "from a form\nnew"


@pytest.mark.req("IN-02")
def test_tracked_changes_are_read_as_accepted_and_that_they_delete_something_is_said() -> None:
    document = docx.Document()
    append(
        document,
        "<w:p><w:r><w:t>We close at </w:t></w:r><w:del><w:r><w:tab/><w:delText>five</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>six</w:t></w:r><w:del><w:r><w:delText>teen</w:delText></w:r></w:del></w:ins></w:p>",
    )
    append(document, "<w:p><w:moveFrom><w:r><w:t>Berlin comes first.</w:t></w:r></w:moveFrom></w:p>")
    append(document, "<w:p><w:moveTo><w:r><w:t>Berlin comes first.</w:t></w:r></w:moveTo></w:p>")
    row = "<w:tr>{mark}<w:tc><w:p><w:r><w:{tag}>{text}</w:{tag}></w:r></w:p></w:tc></w:tr>"
    gone = row.format(mark="<w:trPr><w:del/></w:trPr>", tag="delText", text="Bonn")
    append(document, f"<w:tbl>{gone}{row.format(mark='', tag='t', text='Kiel')}</w:tbl>")
    found = parse(write_document(document))
    assert [line for line in found.text.splitlines() if line][::-1] == [
        "We close at six", "Berlin comes first.", "| Kiel |",
    ]  # fmt: skip
    assert found.left_out == word_text.DELETED


@pytest.mark.req("IN-02")
def test_tracked_changes_that_only_add_leave_nothing_out() -> None:
    document = docx.Document()
    append(document, "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>")
    assert parse(write_document(document)).left_out == ""


@pytest.mark.req("IN-02")
def test_a_table_in_a_cell_is_read_once_and_in_its_place() -> None:
    document = docx.Document()
    outer = document.add_table(1, 2)
    outer.cell(0, 0).text = "a"
    outer.cell(0, 1).add_table(1, 1).cell(0, 0).text = "inner"
    assert parse(write_document(document)).text == "| a | inner |"


@pytest.mark.req("IN-02")
def test_what_cannot_be_read_of_a_document_is_named() -> None:
    document = docx.Document()
    document.add_paragraph("x").add_run().add_picture(BytesIO(make_image()))
    document.add_comment(document.paragraphs[0].runs, "see me")
    assert parse(write_document(document)).left_out == "its pictures, its comments"


@pytest.mark.req("IN-02")
def test_what_is_left_out_of_a_long_document_is_said() -> None:
    content = make_document(*(["x" * 99] * 20))
    found = parse(content, characters=1_000)
    assert found.text.split("\n") == ["x" * 99] * 10
    assert found.left_out == "everything after the first 1,000 characters"
    assert not parse(content, characters=2_000).left_out


@pytest.mark.req("IN-04")
def test_a_document_without_text_is_empty() -> None:
    assert refuse(make_document("", " ")).reason is FileFault.EMPTY


@pytest.mark.req("IN-04")
def test_a_document_with_a_broken_part_is_broken() -> None:
    assert refuse(change_part(make_document("x"), BODY, "<w:p>", "<w:p><")).reason is FileFault.BROKEN


@pytest.mark.req("IN-03")
def test_a_document_reads_no_file_that_it_names() -> None:
    content = make_document("MARK")
    content = change_part(
        content, BODY, "<w:document", '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><w:document'
    )
    found = parse(change_part(content, BODY, "MARK", "MARK &f;"))
    assert found.text.strip() == "MARK"


@pytest.mark.req("IN-03")
def test_words_that_multiply_in_the_xml_are_not_multiplied() -> None:
    entities = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {after} "{f"&{before};" * 10}">' for before, after in zip("abcdefgh", "bcdefghi", strict=True)
    )
    content = change_part(make_document("MARK"), BODY, "<w:document", entities + "]><w:document")
    assert refuse(change_part(content, BODY, "MARK", "MARK &i;")).reason is FileFault.BROKEN
