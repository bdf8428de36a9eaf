"""A draft from files alone: what does not stand there is found, with its place, and what does has its cell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.file_content import PAGE_BREAK, FileKind, FileText
from app.decision.record import DecisionRecord
from app.decision.tracing.draft_files import DraftFiles
from app.decision.tracing.file_passages import FilePassages
from app.decision.tracing.said import Statement
from tests.unit.decision.components.worked import TODAY
from tests.unit.decision.tracing.dropped_files import COSTS, OFFER, OPTIONS, item

OBJECTIVES = {
    "fundamental_objectives": [
        {"handle": "O1", "name": "Rent"},
        {"handle": "O2", "name": "Calm", "description": "At most 55 dB"},
    ]
}
SO_FAR = DecisionRecord({"alternatives": OPTIONS, "objectives": OBJECTIVES}, TODAY, question="Which of 3 cities?")


def alone(*files: FileText, said: str = "") -> DraftFiles:
    names = tuple(each.name for each in files)
    return DraftFiles(names, FilePassages.of(files), (Statement(said),) if said else ())


def unknown(draft: Any, *files: FileText, said: str = "") -> list[tuple[str, str, str]]:
    found = alone(*files, said=said).trace_figures(draft, SO_FAR).unsaid
    return [(each.text, each.where, each.files) for each in found]


def rent(option: str, amount: Any, objective: str = "O1", **more: Any) -> Any:
    return {"table": {"cells": [{"alternative_id": option, "objective_id": objective, "quant_value": amount, **more}]}}


@pytest.mark.req("IN-07", "FA-14")
def test_an_amount_that_is_not_in_the_cell_of_its_row_and_column_is_marked_with_the_file() -> None:
    assert unknown(rent("A1", 1200), COSTS) == []
    assert unknown(rent("A1", 1201), COSTS) == [("1,201", "A1 Berlin, O1 Rent", "costs.csv")]
    assert unknown(rent("A1", 937), COSTS) == [("937", "A1 Berlin, O1 Rent", "costs.csv")], "the rent of Lisbon"
    assert unknown(rent("A1", 40), COSTS) == [("40", "A1 Berlin, O1 Rent", "costs.csv")], "Berlin's staff"
    in_words = rent("A1", 1200, rationale="Lisbon is 937")
    assert unknown(in_words, COSTS) == [], "words may speak of other cells"
    assert unknown(rent("A1", 1200, consequence="937"), COSTS)[0][0] == "937"


@pytest.mark.req("IN-07")
def test_columns_of_options_and_tables_with_a_row_for_each_amount_are_read_as_well() -> None:
    across = FileText(name="x.csv", kind=FileKind.TABLE, text="B1: Berlin\tC1: Lisbon\nA2: Rent\tB2: 1200\tC2: 937")
    assert unknown(rent("A2", 937), across) == []
    assert unknown(rent("A2", 1200), across) == [("1,200", "A2 Lisbon, O1 Rent", "x.csv")]
    rows = "A1: Berlin\tB1: Rent\tC1: 1200\nA2: Lisbon\tB2: Rent\tC2: 937"
    listed = FileText(name="y.csv", kind=FileKind.TABLE, text=rows)
    assert unknown(rent("A2", 937), listed) == []
    assert unknown(rent("A2", 1200), listed) == [("1,200", "A2 Lisbon, O1 Rent", "y.csv")]
    down = FileText(name="z.csv", kind=FileKind.TABLE, text="A1: Berlin\nA2: Rent\nA3: 1200")
    assert unknown(rent("A1", 1200), down) == []


@pytest.mark.req("IN-07")
def test_lines_of_two_sheets_or_files_do_not_cross() -> None:
    book = FileText(name="b.xlsx", kind=FileKind.TABLE, text="Sheet One\nA2: Berlin\nSheet Two\nB1: Rent\tB2: 1200")
    assert alone(book).passages.find_lines("Berlin", "Rent") == frozenset()
    one = FileText(name="1.csv", kind=FileKind.TABLE, text="A2: Berlin")
    two = FileText(name="2.csv", kind=FileKind.TABLE, text="B1: Rent\tB2: 1200")
    assert alone(one, two).passages.find_lines("Berlin", "Rent") == frozenset()
    memo = FileText(name="memo.txt", kind=FileKind.TEXT, text="Berlin")
    assert alone(memo, two).passages.find_lines("Berlin", "Rent") == frozenset(), "a text has no lines"
    assert unknown(rent("A1", 1200), one, two) == []


@pytest.mark.req("IN-07")
def test_an_amount_without_a_cell_of_its_own_may_stand_anywhere_in_the_files() -> None:
    assert unknown(rent("A1", 40, "O2"), COSTS) == [], "no column is called Calm"
    assert unknown(rent("A1", 99, "O2"), COSTS) == [("99", "A1 Berlin, O2 Calm", "costs.csv")]
    assert unknown(item("The van", description="18,500 euro by 14 March, or 19k"), OFFER) == [
        ("19k", "D1 The van: 18,500 euro by 14 March, or 19k", "offer.pdf")
    ]


@pytest.mark.req("IN-07")
def test_what_was_said_before_counts_for_nothing_and_what_was_approved_or_said_since_does() -> None:
    assert unknown(item("x", description="at most 55 dB, 3 cities"), COSTS) == []
    draft = rent("A1", 5000)
    assert unknown(draft, COSTS) == [("5,000", "A1 Berlin, O1 Rent", "costs.csv")]
    assert unknown(draft, COSTS, said="Berlin is 5,000 by now") == []
    assert alone(COSTS).hear(Statement("5000")).trace_figures(draft, SO_FAR).unsaid == ()


def test_words_may_tell_how_far_two_amounts_of_the_file_are_apart_but_an_amount_is_no_sum() -> None:
    told = "Rent and staff are 1200 + 40 = 1,240"
    assert alone(COSTS).trace_figures(item("x", description=told), SO_FAR).sums
    assert unknown(item("x", description=told), COSTS) == []
    assert unknown(rent("A1", 1240), COSTS)[0][0] == "1,240"


@pytest.mark.req("IN-07")
def test_an_item_whose_name_stands_nowhere_in_the_files_is_found() -> None:
    def strangers(*names: str, said: str = "", **more: Any) -> tuple[str, ...]:
        items = [{"handle": f"D{place}", "name": name, **more} for place, name in enumerate(names, 1)]
        return alone(COSTS, OFFER, said=said).find_strangers({"items": items}, SO_FAR)

    assert strangers("Lisbon", "lisbon ", "Staff", "The van", "an offer") == ()
    assert strangers("Porto", "Lis", "Lisbon or Porto", "vans") == ("D1", "D2", "D3", "D4")
    assert strangers("Calm") == (), "an earlier step approved it"
    assert strangers("Porto", said="What about Porto?") == ()
    assert strangers("Porto", evidence=[{"quote": "Porto", "message_id": "by hand"}]) == ()
    assert strangers("Porto", evidence=[{"quote": "Porto", "message_id": "1.2"}]) == ("D1",)
    assert alone(COSTS).find_strangers({"items": [{"handle": "D1"}, {"name": "Porto"}]}, SO_FAR) == ()


@pytest.mark.req("IN-07")
def test_items_that_do_not_stand_in_the_files_are_told_with_the_files() -> None:
    draft = item("Porto")
    (told,) = alone(COSTS, OFFER).describe_strangers(("D1",), draft)
    assert told.text == "Not in costs.csv and offer.pdf: D1 Porto."
    assert alone(COSTS).describe_strangers((), draft) == ()
    assert alone().describe_strangers(("D1",), draft)[0].text == "Not in the file: D1 Porto."


REPORT = FileText(
    name="report.pdf",
    kind=FileKind.PDF,
    text=PAGE_BREAK.join(("About lorries", "A van needs little fuel and its running costs stay low.", "The end of it")),
)


@pytest.mark.req("IN-07")
@pytest.mark.parametrize(
    ("told", "page"),
    [
        ({"name": "Low running cost"}, 2),
        ({"name": "Cheap", "description": "Vans need little fuel"}, 2),
        ({"name": "Little noise in the yard"}, 0),
        ({"name": "Fuel"}, 0),
        ({"name": "Running costs of the mountain office abroad"}, 0),
    ],
)
def test_an_item_in_other_words_than_the_document_says_its_page_and_one_that_is_not_there_none(
    told: dict[str, str], page: int
) -> None:
    draft = {"items": [{"handle": "D1", **told}]}
    (remark,) = alone(COSTS, REPORT).describe_strangers(("D1",), draft)
    name = f"D1 {told['name']}"
    near = f"In other words than in the file; please compare: {name} (report.pdf, page {page})."
    assert remark.text == (near if page else f"Not in costs.csv and report.pdf: {name}.")


@pytest.mark.req("IN-07")
def test_items_with_and_without_a_page_are_told_apart() -> None:
    draft = {"items": [{"handle": "D1", "name": "Porto"}, {"handle": "D2", "name": "Low running cost"}]}
    near, away = alone(REPORT).describe_strangers(("D1", "D2"), draft)
    assert near.text.endswith("compare: D2 Low running cost (report.pdf, page 2).")
    assert away.text == "Not in report.pdf: D1 Porto."


@pytest.mark.req("IN-07")
def test_a_table_and_a_text_without_pages_have_none_for_other_words() -> None:
    memo = FileText(name="memo.docx", kind=FileKind.DOCUMENT, text="Its running costs stay low.")
    assert FilePassages.of((COSTS, memo)).find_page("Low running cost") is None
    assert FilePassages.of(()).find_page("") is None


@pytest.mark.req("IN-07")
def test_each_name_and_figure_has_its_cell_though_it_was_said_as_well() -> None:
    draft = {**rent("A1", 1200), **item("Staff"), "more": [{"handle": "D2", "name": "Porto"}]}
    found = alone(COSTS).find_traces(draft, SO_FAR)
    assert [(each.text, each.place) for each in found] == [("Staff", "C1"), ("1,200", "B2")]


@pytest.mark.req("IN-07")
def test_a_title_that_stands_in_very_many_cells_is_looked_up_in_some_of_them() -> None:
    text = "\n".join(f"A{row}: Berlin\tB{row}: Rent\tC{row}: {row}" for row in range(1, 400))
    assert len(alone(replace(COSTS, text=text)).passages.find_lines("Berlin", "Rent")) < 10_000
