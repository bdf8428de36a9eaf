"""Figures and names of a draft that stand in files: found by their value, and told with their cell or page."""

from __future__ import annotations

import string
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.file_content import FileKind, FileText
from app.decision.record import DecisionRecord
from app.decision.tracing.figures import read_figures
from app.decision.tracing.file_passages import FilePassages, list_passages
from app.decision.tracing.file_traces import find_traces
from app.decision.tracing.said import SaidFigures, Statement
from tests.unit.decision.components.worked import TODAY
from tests.unit.decision.tracing.dropped_files import COSTS, OFFER, OPTIONS, item

OBJECTIVES = {"fundamental_objectives": [{"handle": "O1", "name": "Rent"}, {"handle": "O2", "name": "Staff"}]}
SO_FAR = DecisionRecord({"alternatives": OPTIONS, "objectives": OBJECTIVES}, TODAY)


def traced(draft: Any, *files: FileText, said: str = "") -> list[tuple[str, str, str, str]]:
    figures = SaidFigures.of((Statement(said),))
    found = find_traces(draft, FilePassages.of(files), figures, (said,), SO_FAR)
    return [(each.text, each.about, each.file, each.place) for each in found]


@pytest.mark.req("IN-07")
def test_an_amount_is_from_the_cell_in_the_row_and_the_column_of_what_it_is_about() -> None:
    cells = [
        {"alternative_id": option, "objective_id": objective, "consequence": amount}
        for option, objective, amount in (("A1", "O1", "1200"), ("A2", "O2", "40"))
    ]
    assert traced({"table": {"cells": cells}}, COSTS, said="It is 40.") == [
        ("1200", "A1 Berlin, O1 Rent", "costs.csv", "B2"),
        ("40", "A2 Lisbon, O2 Staff", "costs.csv", "C3"),
    ]


@pytest.mark.req("IN-07")
def test_a_name_is_from_the_cell_that_holds_it_alone() -> None:
    assert traced(item("lisbon"), COSTS, said="Lisbon?") == [("lisbon", "", "costs.csv", "A3")]
    assert traced(item("Lis"), COSTS) == traced(item("Lisbon or Porto"), COSTS) == []
    assert traced({"items": [{"handle": "D1"}]}, COSTS) == []


@pytest.mark.req("IN-07")
def test_what_stands_in_a_document_is_told_with_its_page_unless_people_said_it() -> None:
    draft = item("The van", description="It costs 18,500 euro")
    assert traced(draft, OFFER) == [
        ("The van", "", "offer.pdf", "page 3"),
        ("18,500 euro", "D1 The van", "offer.pdf", "page 3"),
    ]
    assert traced(draft, OFFER, said="The van, for 18.5k euro") == []
    text = FileText(name="memo.txt", kind=FileKind.TEXT, text="The van: 18500")
    assert traced(draft, text)[1] == ("18,500 euro", "D1 The van", "memo.txt", "")


def test_a_date_is_found_in_whatever_form_it_stands() -> None:
    draft = item("x", deadline="2027-03-14")
    assert traced(draft, OFFER) == [("2027-03-14", "D1 x", "offer.pdf", "page 3")]
    assert traced(item("x", deadline="2027-03-15"), OFFER) == []
    assert traced(item("x", limits=["by 14 March"]), OFFER) == [("14 March", "D1 x", "offer.pdf", "page 3")]


def test_a_value_in_many_cells_is_not_told_to_be_from_one_of_them() -> None:
    many = FileText(name="m.csv", kind=FileKind.TABLE, text="\n".join(f"A{row}: 77" for row in range(1, 7)))
    draft = item("x", description="77 of them")
    assert traced(draft, many, COSTS) == [("77", "D1 x", "m.csv", "A1 or A2 or A3 and 3 more")]
    assert traced(item("x", description="77 of them"), many, said="77") == []


def test_cells_of_several_sheets_are_told_with_their_sheet() -> None:
    book = FileText(name="b.xlsx", kind=FileKind.TABLE, text="Sheet Costs\nA1: 5\nSheet Plan (hidden)\nA1: 6\tB1: x: y")
    assert [(each.place, each.text) for each in list_passages(book)] == [
        ("Costs A1", "5"),
        ("Plan (hidden) A1", "6"),
        ("Plan (hidden) B1", "x: y"),
    ]
    single = FileText(name="b.xlsx", kind=FileKind.TABLE, text="Sheet Costs\nA1: 5")
    assert [each.place for each in list_passages(single)] == ["A1"]


def test_names_are_no_titles_in_a_document() -> None:
    index = FilePassages.of((OFFER,))
    assert index.count_titles(index.passages[0], ("An offer",)) == 0


CELLS = st.sampled_from(
    [
        "12",
        "3.5",
        "1,250",
        "1.250",
        "12 weeks",
        "84 days",
        "2027-03-14",
        "14 March",
        "March 2027",
        "Q1 2027",
        "Friday",
        "9am",
        "(3)",
        "+1",
        "15–20k",
        "1st",
        "€ 5",
        "5%",
        "Berlin",
        "Berlin 12",
        "a week",
        "2027",
        "14.3.",
        "x",
    ]
)
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=6)


@given(TABLES, st.lists(CELLS, min_size=1, max_size=5))
def test_a_figure_is_found_in_the_very_passages_that_hold_it_read_one_by_one(
    rows: list[list[str]], asked: list[str]
) -> None:
    text = "\n".join(
        "\t".join(f"{string.ascii_uppercase[column]}{row}: {cell}" for column, cell in enumerate(cells))
        for row, cells in enumerate(rows, 1)
    )
    index = FilePassages.of((FileText(name="t.csv", kind=FileKind.TABLE, text=text),))
    for figure in read_figures(", ".join(asked)):
        held = tuple(
            passage
            for passage in index.passages
            if any(SaidFigures.of((), (each,)).knows(figure) for each in read_figures(f"\n{passage.text}\n"))
        )
        assert index.find_figure(figure) == held
    known, once = SaidFigures.of((), index.figures), SaidFigures.of((index.statement,))
    assert all(known.knows(each) == once.knows(each) for each in read_figures(", ".join(asked)))


def test_a_table_of_forty_thousand_cells_is_traced_in_a_few_seconds() -> None:
    rows = ["\t".join(f"{column}1: Heading {column}" for column in "ABCDEFGHIJ")]
    rows += [
        f"A{row}: Option {row}\tB{row}: 2026-{row % 12 + 1:02}-{row % 28 + 1:02}\t"
        + "\t".join(f"{column}{row}: {row * 7 + place}" for place, column in enumerate("CDEFGHIJ"))
        for row in range(2, 4_001)
    ]
    table = FileText(name="t.csv", kind=FileKind.TABLE, text="\n".join(rows))
    cells = [
        {
            "alternative_id": f"A{place % 2 + 1}",
            "objective_id": "O1",
            "note": f"{place * 7} by 2026-03-{place % 28 + 1}",
        }
        for place in range(60)
    ]
    begun = time.process_time()
    index = FilePassages.of((table,))
    SaidFigures.of((), index.figures)
    assert find_traces({"cells": cells}, index, SaidFigures(), (), SO_FAR)
    assert time.process_time() - begun < 6, "seconds of CPU; one index for all cells takes a fifth of it"


def test_figures_that_were_read_before_count_as_said() -> None:
    index = SaidFigures.of((), FilePassages.of((COSTS,)).figures)
    assert FilePassages.of((COSTS,)).statement.text.split()[:3] == ["City", "Rent", "Staff"]
    known = {each.text for each in read_figures("1200 or 937 but not 938") if index.knows(each)}
    assert known == {"1200", "937"}
