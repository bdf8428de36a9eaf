"""Excel workbooks: values with their cells, sheets by name, and nothing computed, followed or unpacked without end."""

from __future__ import annotations

import zipfile
from datetime import date, datetime, time
from io import BytesIO
from time import process_time
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart
from openpyxl.drawing.image import Image
from openpyxl.worksheet.formula import ArrayFormula

from app.core.errors import FileFault
from app.core.file_content import FileKind
from app.files.recognition import ENCRYPTED, MOST_GROWTH, MOST_PARTS
from tests.unit.files.sample_files import (
    change_part,
    make_document,
    make_image,
    make_workbook,
    parse,
    refuse,
    write_workbook,
)

SHEET = "xl/worksheets/sheet1.xml"


def open_sheet() -> tuple[openpyxl.Workbook, Any]:
    book = openpyxl.Workbook()
    return book, book.active


@pytest.mark.req("IN-02", "IN-07")
def test_every_cell_of_every_sheet_stands_behind_its_name() -> None:
    book, sheet = open_sheet()
    sheet.title = "Costs"
    sheet["A1"], sheet["C1"], sheet["B7"] = "City", "Price", 12000
    book.create_sheet("Staff  \u00fcber")["A1"] = "Ada"
    found = parse(write_workbook(book), "board.xlsx")
    assert (found.kind, found.left_out, found.title) == (FileKind.TABLE, "", "board.xlsx")
    assert found.text == "Sheet Costs\nA1: City\tC1: Price\nB7: 12000\nSheet Staff über\nA1: Ada"


@pytest.mark.req("IN-02")
def test_a_workbook_is_read_also_if_it_ends_with_cells_that_hold_nothing() -> None:
    book, sheet = open_sheet()
    book.properties.title = "Costs of the move"
    sheet["A1"] = "City"
    sheet["A2"].number_format = "0%"
    book.create_sheet("Later")["B2"].number_format = "0%"
    found = parse(write_workbook(book), "board.xlsx")
    assert (found.text.splitlines()[:2], found.title) == (["Sheet Sheet", "A1: City"], "Costs of the move")


@pytest.mark.req("IN-02")
def test_a_hidden_sheet_is_read_and_said_to_be_hidden() -> None:
    book, sheet = open_sheet()
    sheet["A1"] = "shown"
    for name, state in (("Notes", "hidden"), ("Deep", "veryHidden")):
        hidden = book.create_sheet(name)
        hidden["A1"], hidden.sheet_state = "x", state
    lines = parse(write_workbook(book)).text.splitlines()
    assert lines == ["Sheet Sheet", "A1: shown", "Sheet Notes (hidden)", "A1: x", "Sheet Deep (hidden)", "A1: x"]


@pytest.mark.req("IN-07", "IN-02")
@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (12000, "General", "12000"),
        (0.1 + 0.2, "General", "0.3"),
        (0.125, "0.0%", "12.5%"),
        (0.07, "0%", "7%"),
        (12000, '#,##0.00 "€"', "12000 €"),
        (9.5, "[$CHF-807] 0.00", "9.5 CHF"),
        (9.5, '"$"#,##0', "9.5 $"),
        (5, '0" % of sales"', "5"),
        (True, "General", "TRUE"),
        (datetime.fromisoformat("2026-11-22"), "yyyy-mm-dd", "2026-11-22"),
        (date(2026, 11, 22), "dd.mm.yyyy", "2026-11-22"),
        (datetime.fromisoformat("2026-11-22 09:30"), "yyyy-mm-dd hh:mm", "2026-11-22 09:30:00"),
        (time(9, 30), "hh:mm", "09:30:00"),
        ("0012", "@", "0012"),
        ("#REF!", "General", "#REF!"),
        ("Berlin\n\tB9: 7", "General", "Berlin B9: 7"),
    ],
)
def test_a_value_is_exact_and_keeps_the_unit_that_people_see(value: Any, number_format: str, shown: str) -> None:
    book, sheet = open_sheet()
    sheet["B2"], sheet["B2"].number_format = value, number_format
    assert parse(write_workbook(book)).text == f"Sheet Sheet\nB2: {shown}"


@pytest.mark.req("IN-03", "IN-07")
def test_a_formula_shows_the_value_that_was_stored_and_itself_if_there_is_none() -> None:
    content = make_workbook(Costs=[[3, "=A1*2"], ["=SUM(A1:B1)"]])
    assert parse(content).text == "Sheet Costs\nA1: 3\tB1: =A1*2\nA2: =SUM(A1:B1)"
    computed = change_part(content, SHEET, "<f>A1*2</f><v></v>", "<f>A1*2</f><v>6</v>")
    assert parse(computed).text == "Sheet Costs\nA1: 3\tB1: 6\nA2: =SUM(A1:B1)"


@pytest.mark.req("IN-03")
def test_no_formula_that_fetches_or_starts_something_is_followed() -> None:
    formulas = ['=WEBSERVICE("http://127.0.0.1:9/steal")', "=cmd|'/c calc'!A0", "='[http://127.0.0.1:9/x.xlsx]A'!A1"]
    text = parse(make_workbook(A=[[formula] for formula in formulas])).text
    assert text == "Sheet A\n" + "\n".join(f"A{number}: {formula}" for number, formula in enumerate(formulas, 1))


def test_a_formula_over_several_cells_is_shown_as_text() -> None:
    book, sheet = open_sheet()
    sheet["A1"] = ArrayFormula("A1:A2", "=B1:B2*2")
    assert parse(write_workbook(book)).text == "Sheet Sheet\nA1: =B1:B2*2"


@pytest.mark.req("IN-02")
def test_rows_and_sheets_that_are_left_out_are_named() -> None:
    content = make_workbook(Costs=[[number] for number in range(1, 1001)], Staff=[["Ada"]], More=[["x"]])
    found = parse(content, characters=100)
    last = int(found.text.rpartition(": ")[2])
    assert found.text.endswith(f"A{last}: {last}")
    assert found.left_out == f"the rows after {last} of sheet Costs, sheet Staff, sheet More"


@pytest.mark.req("IN-02")
def test_pictures_and_charts_that_cannot_be_read_are_named() -> None:
    book, sheet = open_sheet()
    sheet["A1"] = "x"
    sheet.add_image(Image(BytesIO(make_image())))
    sheet.add_chart(BarChart(), "D1")
    assert parse(write_workbook(book)).left_out == "its pictures, its charts"


def test_a_workbook_with_macros_is_read_without_them() -> None:
    content = change_part(
        make_workbook(A=[["x"]]),
        "[Content_Types].xml",
        "openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
        "ms-excel.sheet.macroEnabled.main+xml",
    )
    assert parse(change_part(content, "xl/vbaProject.bin", "", "Auto_Open")).text == "Sheet A\nA1: x"


@pytest.mark.req("IN-03")
def test_a_width_that_a_file_merely_claims_costs_nothing() -> None:
    content = make_workbook(A=[["x"]] * 200)
    wide = change_part(content, SHEET, '<dimension ref="A1:A200"/>', '<dimension ref="A1:XFD1048576"/>')
    assert wide != content
    began = process_time()
    assert parse(wide).text == "Sheet A\n" + "\n".join(f"A{number}: x" for number in range(1, 201))
    assert process_time() - began < 1, "three million cells are not looked at"


@pytest.mark.req("IN-04")
def test_a_workbook_without_a_value_is_empty() -> None:
    assert refuse(make_workbook(A=[], B=[[None]])).reason is FileFault.EMPTY


@pytest.mark.req("IN-04")
@pytest.mark.parametrize("part", ["xl/workbook.xml", SHEET])
def test_a_workbook_with_a_broken_part_is_broken(part: str) -> None:
    assert refuse(change_part(make_workbook(A=[["x"]]), part, "<", "<<")).reason is FileFault.BROKEN


@pytest.mark.req("IN-04")
def test_an_archive_that_was_not_sent_whole_is_broken() -> None:
    content = make_workbook(A=[["x"]])
    assert refuse(content[: len(content) // 2]).reason is FileFault.BROKEN


@pytest.mark.req("IN-04")
def test_an_archive_of_something_else_is_of_no_known_kind() -> None:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "x")
    assert refuse(file.getvalue()).reason is FileFault.UNKNOWN_KIND
    slides = change_part(
        make_document("x"), "[Content_Types].xml", "wordprocessingml.document", "presentationml.slides"
    )
    assert refuse(slides).reason is FileFault.UNKNOWN_KIND


@pytest.mark.req("IN-03")
def test_a_bomb_is_refused_by_what_it_says_of_itself() -> None:
    file = BytesIO(make_workbook(A=[["x"]]))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet2.xml", bytes(20_000_000))
    assert len(file.getvalue()) < 50_000
    assert refuse(file.getvalue()).reason is FileFault.TOO_MUCH_MEMORY


def test_a_small_workbook_is_read_however_well_it_was_packed() -> None:
    content = change_part(make_workbook(A=[["x"]]), "xl/worksheets/sheet2.xml", "", " " * 5_000_000)
    assert len(content) < 5_000_000 / MOST_GROWTH
    assert parse(content).text == "Sheet A\nA1: x"


@pytest.mark.req("IN-03")
def test_an_archive_of_too_many_parts_is_refused() -> None:
    file = BytesIO(make_workbook(A=[["x"]]))
    with zipfile.ZipFile(file, "a") as archive:
        for number in range(MOST_PARTS):
            archive.writestr(str(number), b"")
    assert refuse(file.getvalue()).reason is FileFault.TOO_MUCH_MEMORY


@pytest.mark.req("IN-04")
def test_a_workbook_in_a_zip_with_a_password_is_locked_and_not_broken() -> None:
    content = bytearray(make_workbook(A=[["x"]]))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        begin = 0
        while (begin := content.find(mark, begin)) >= 0:
            content[begin + flags] |= ENCRYPTED
            begin += 4
    assert refuse(bytes(content)).reason is FileFault.LOCKED


@pytest.mark.req("IN-03")
def test_an_archive_that_unpacks_to_more_than_the_limit_is_refused() -> None:
    content = make_workbook(A=[["x"]])
    with zipfile.ZipFile(BytesIO(content)) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    assert refuse(content, unpacked=unpacked - 1).reason is FileFault.TOO_MUCH_MEMORY
    assert parse(content, unpacked=unpacked).text


@pytest.mark.req("IN-03")
def test_a_bomb_that_lies_about_its_size_is_broken_and_not_unpacked() -> None:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b"spreadsheetml.sheet.main+xml" + bytes(5_000_000))
    lying = file.getvalue().replace((5_000_028).to_bytes(4, "little"), (28).to_bytes(4, "little"))
    assert lying != file.getvalue()
    assert refuse(lying).reason is FileFault.BROKEN


@pytest.mark.req("IN-03")
def test_words_that_multiply_in_the_xml_are_not_multiplied() -> None:
    entities = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {after} "{f"&{before};" * 10}">' for before, after in zip("abcdefgh", "bcdefghi", strict=True)
    )
    content = change_part(make_workbook(A=[["x"]]), SHEET, "<worksheet", entities + "]><worksheet")
    assert refuse(change_part(content, SHEET, "<t>x</t>", "<t>&i;</t>")).reason is FileFault.BROKEN
