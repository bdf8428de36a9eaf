"""A table that is wider than a thread's pane is shown with one row a line."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handlers.views.kit.narrow_tables import narrow_tables, narrow_tables_prefix

WIDE = """\
This is the table:

| Option | Cost | Night | **Staff** |
|:--|--:|---|:-:|
| A1 today | 0 | | tired |
| **A2** | 50 \\| 60 | +2 |
|  | 1 | 2 | 3 |

What do you say?"""
LISTED = """\
This is the table:

- **A1 today**: Cost 0 · **Staff** tired
- **A2**: Cost 50 \\| 60 · Night +2
- Cost 1 · Night 2 · **Staff** 3

What do you say?"""
PIECES = (
    "| a | b | c | d |",
    "|---|---|---|---|",
    "| a | b |",
    "|---|---|",
    "```",
    "",
    "words",
    "> ",
    "  ",
    "|",
    "\n",
    "- x",
)


@pytest.mark.req("FA-23")
def test_a_table_of_four_columns_is_a_list_that_names_them() -> None:
    assert narrow_tables(WIDE) == LISTED


@pytest.mark.req("FA-23")
def test_quoted_and_indented_tables_stay_where_they_are() -> None:
    table = "> | a | b | c | d |\n> |---|---|---|---|\n> | 1 | 2 | 3 | 4 |"
    assert narrow_tables(table) == "> - **1**: b 2 · c 3 · d 4"
    assert narrow_tables(table.replace("> ", "  ")) == "  - **1**: b 2 · c 3 · d 4"


@pytest.mark.parametrize(
    "text",
    [
        "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |",
        "| a | b | c | d |\nis no table",
        "| a | b | c | d |",
        "| a | b | c | d |\n|---|---|\n| 1 | 2 | 3 | 4 |",
        "```\n| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\n```",
        "a | b | c | d",
        "|",
        "",
    ],
)
def test_what_fits_or_is_no_table_stays_as_it_is(text: str) -> None:
    assert narrow_tables(text) == text


def test_rows_end_with_the_table() -> None:
    after = "| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\nEnd\n| x | y |"
    assert narrow_tables(after) == "- **1**: b 2 · c 3 · d 4\nEnd\n| x | y |"


@pytest.mark.req("FA-23")
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("\n".join), st.integers(0, 200))
@example("| a | b | c | d |\nwords", 20)
@example(WIDE, WIDE.index("|:--") + 2)
@example(WIDE, WIDE.index("| 50") + 2)
def test_a_growing_answer_shows_no_table_that_is_a_list_in_the_end(text: str, place: int) -> None:
    assert narrow_tables(text).startswith(narrow_tables_prefix(text[:place]))


def test_a_growing_table_is_shown_row_by_row() -> None:
    shown = [narrow_tables_prefix(WIDE[: WIDE.index(each)]) for each in ("|:--", "| **A2**", "\n\nWhat", "you say")]
    begins = LISTED.split("\n- ")[0]
    assert shown[0] == f"{begins}\n"
    assert shown[1] == f"{begins}\n- **A1 today**: Cost 0 · **Staff** tired\n"
    assert shown[2].endswith("· Night +2\n")
    assert shown[3].endswith("\nWhat do ")
