"""CSV and TSV: each value under the name that it has in a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.cell_rows import format_row, name_column
from app.files.file_limits import FileLimits
from app.files.parsing import parse_file


def parse(text: str | bytes, name: str = "costs.csv", characters: int = 400_000) -> FileContent:
    content = text.encode() if isinstance(text, str) else text
    return parse_file(content, name, FileLimits(characters=characters))


def test_reading_a_short_table_takes_no_room_from_other_readers_of_the_process() -> None:
    before = csv.field_size_limit()
    parse("a;b\n1;2")
    assert csv.field_size_limit() == before


@pytest.mark.req("IN-02", "IN-07")
@pytest.mark.parametrize(
    "text",
    [
        "City,Price\nBerlin,12",
        "City;Price\nBerlin;12",
        "City\tPrice\r\nBerlin\t12\r\n",
        "City|Price\nBerlin|12",
        '"City";"Price"\n"Berlin";"12"',
        "sep=;\nCity;Price\nBerlin;12",
    ],
)
def test_the_delimiter_is_found_and_each_cell_named(text: str) -> None:
    found = parse(text)
    assert found.kind is FileKind.TABLE
    assert found.text == "A1: City\tB1: Price\nA2: Berlin\tB2: 12"


@pytest.mark.req("IN-02")
def test_a_csv_of_windows_in_two_bytes_a_character_is_read() -> None:
    found = parse("Größe;€\n1,5;2".encode("utf-16"))
    assert (found.text, found.media_type) == ("A1: Größe\tB1: €\nA2: 1,5\tB2: 2", "text/csv")


@pytest.mark.req("IN-07")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1,5;2,5\n3,5;4,5", "A1: 1,5\tB1: 2,5\nA2: 3,5\tB2: 4,5"),
        ('"Berlin\nB9: 1\t\tB8: 2",12\nx,y', "A1: Berlin B9: 1 B8: 2\tB1: 12\nA2: x\tB2: y"),
        ("Title\n\n,Price\nBerlin,12\n", "A1: Title\nB3: Price\nA4: Berlin\tB4: 12"),
    ],
    ids=["decimal commas are no delimiters", "a line break or a tab begins no cell", "what is empty is only counted"],
)
def test_each_value_stands_behind_the_name_of_its_cell(written: str, read: str) -> None:
    assert parse(written).text == read


def test_a_single_column_is_a_table() -> None:
    found = parse("City\nBerlin")
    assert (found.text, found.media_type) == ("A1: City\nA2: Berlin", "text/csv")


def test_the_name_tells_a_table_from_a_text_with_commas() -> None:
    assert parse("Dear Ada, dear Bo", "letter.txt").kind is FileKind.TEXT
    assert parse("a\tb", "x.TSV").media_type == "text/tab-separated-values"


@pytest.mark.req("IN-02")
def test_rows_that_are_left_out_are_named() -> None:
    found = parse("".join(f"city {number},{number}\n" for number in range(1, 1201)), characters=30_000)
    last = int(found.text.rpartition("\tB")[2].partition(":")[0])
    assert found.left_out == f"the rows after {last:,}"
    assert 30_000 - 30 < len(found.text) <= 30_000
    assert found.text.endswith(f"A{last}: city {last}\tB{last}: {last}")


@pytest.mark.req("IN-04")
def test_a_table_without_a_value_is_empty() -> None:
    with pytest.raises(FileRefused) as refused:
        parse(",,,\n,,,\n")
    assert refused.value.reason is FileFault.EMPTY


@pytest.mark.parametrize(
    ("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")]
)
def test_columns_are_named_as_in_spreadsheets(index: int, letters: str) -> None:
    assert name_column(index) == letters


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('\n\t;|,"'), max_size=12)


@pytest.mark.req("IN-07")
@given(rows=st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=4))
def test_every_value_stands_behind_its_own_name_and_no_other(rows: list[list[str]]) -> None:
    lines = [format_row(number, row) for number, row in enumerate(rows, 1)]
    told = dict(cell.split(": ", 1) for line in lines for cell in line.split("\t") if cell)
    meant = {
        f"{name_column(column)}{number}": " ".join(cell.split())
        for number, row in enumerate(rows, 1)
        for column, cell in enumerate(row)
        if cell.split()
    }
    assert told == meant


@given(
    rows=st.lists(
        st.lists(st.sampled_from(["x", "a b", 'say "no"', "1,5", ""]), min_size=3, max_size=3), min_size=2, max_size=5
    )
)
def test_a_table_written_with_semicolons_is_read_as_it_was_written(rows: list[list[str]]) -> None:
    rows = [["City", "Price", "Size"], *rows]
    written = io.StringIO()
    csv.writer(written, delimiter=";").writerows(rows)
    assert parse(written.getvalue()).text == "\n".join(
        filter(None, (format_row(number, row) for number, row in enumerate(rows, 1)))
    )
