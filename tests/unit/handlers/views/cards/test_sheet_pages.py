"""Sheets in Slack: nothing that people have to judge is lost, and Slack takes whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given

from app.core.state.sheet import (
    Bar,
    Bars,
    Facts,
    Grid,
    Head,
    Item,
    Listing,
    Mark,
    Matrix,
    Prose,
    Rating,
    Section,
    Sheet,
)
from app.playground.slack.blocks.blocks import check_blocks
from handlers.views.cards.sheet_pages import render_sections
from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import CHARS, count_characters, pack_messages
from handlers.views.kit.plain_text import extract_text
from tests.properties import limit_examples
from tests.unit.handlers.sheets_of import (
    BARS,
    SHEETS,
    elements,
    grids,
    items,
    matrices,
    read,
    squeezed,
)

HOURS = Item(text="Faster response", handle="O1", notes=("hours, less is better",))
EVENINGS = Item(text="Fewer lost evenings", handle="O2", marks=(Mark.GAP, Mark.CHECK), notes=("no measure",))


def shown(*sections: Section) -> list[Block]:
    """All blocks, of which Slack must take those of each message."""
    return [block for page in taken(Sheet(sections=sections)) for block in page]


def taken(sheet: Sheet) -> tuple[tuple[Block, ...], ...]:
    messages = pack_messages(render_sections(sheet.sections))
    for page in messages:
        assert check_blocks([dict(block) for block in page])
        assert count_characters(page) <= CHARS
    return messages


def said(*sections: Section) -> list[str]:
    return extract_text(shown(*sections)).split("\n")


@pytest.mark.req("S0-093", "S0-124")
def test_a_list_has_handles_marks_notes_and_means_below_their_ends() -> None:
    listing = Listing(title="Objectives", items=(replace(HOURS, inner=(EVENINGS,)),))
    assert said(listing) == [
        "Objectives",
        "• O1 Faster response",
        "hours, less is better",
        "    • O2 Fewer lost evenings · ⚠ · ⚠ please check",
        "no measure",
    ]


def test_handles_and_titles_stand_out_and_notes_do_not() -> None:
    styles = {
        element["text"]: element.get("style") for element in elements(shown(Listing(title="Goals", items=(HOURS,))))
    }
    assert styles["Goals"] == styles["O1"] == {"bold": True}
    assert styles["Faster response"] is None
    assert styles["hours, less is better"] == {"italic": True}


def test_where_there_is_nothing_that_is_said() -> None:
    assert said(Listing(title="Options", items=(), empty="None yet.")) == ["Options", "None yet."]
    assert said(Grid(title="Steps", header=("What",), rows=(), empty="None yet.")) == ["Steps", "None yet."]


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (Mark.BASELINE, "baseline"),
        (Mark.CHECK, "⚠ please check"),
        (Mark.SUGGESTED, "💡 my suggestion"),
        (Mark.GAP, "⚠"),
        (Mark.SET_ASIDE, "set aside"),
        (Mark.STANDS_OUT, "⭐ stands out"),
    ],
)
def test_each_mark_is_told_beside_its_item(mark: Mark, words: str) -> None:
    assert said(Listing(title="", items=(Item(text="Wait", handle="A1", marks=(mark,)),))) == [f"• A1 Wait · {words}"]


def test_facts_and_prose_have_a_line_each() -> None:
    facts = Facts(rows=(("Decider", "Maya"), ("By when", "1 March")))
    assert said(facts, Prose(title="Scope", text="This winter.")) == [
        "Decider: Maya",
        "By when: 1 March",
        "Scope",
        "This winter.",
    ]


@pytest.mark.req("S0-197")
def test_scores_are_bars_with_their_number_and_the_weakest_is_marked() -> None:
    bars = (
        Bar(label="Frame", score=100),
        Bar(label="Information", score=45, note="ask two dealers", weakest=True),
        Bar(label="Commitment", score=None),
        Bar(label="Values", score=75),
        Bar(label="Options", score=80),
    )
    assert said(Bars(title="Quality", bars=bars, total="Overall: 45 %")) == [
        "Quality",
        "██████████ 100 Frame",
        "████▌░░░░░  45 Information ◀ weakest · ask two dealers",
        "░░░░░░░░░░   · Commitment",
        "███████▌░░  75 Values",
        "████████░░  80 Options",
        "Overall: 45 %",
    ]


@pytest.mark.req("S0-154", "S0-155")
def test_ratings_are_signed_and_what_is_unknown_or_doubtful_is_not_hidden() -> None:
    row = Head(handle="A1", name="Wait", marks=(Mark.BASELINE,))
    columns = tuple(Head(handle=f"O{number}", name="Cost") for number in range(1, 8))
    values = (*(Rating(value=value) for value in range(-2, 3)), Rating(value=None), Rating(value=1, doubtful=True))
    option, *cells = said(Matrix(title="", rows=(row,), columns=columns, cells=(values,)))
    assert option == "• A1 Wait · baseline"
    assert [cell.partition("Cost: ")[2] for cell in cells] == [
        "🟥 −2",
        "🟥 −1",
        "⬜ 0",
        "🟩 +1",
        "🟩 +2",
        "·",
        "🟩 +1, in doubt",
    ]


@pytest.mark.req("FA-23")
def test_ratings_have_one_row_a_line_below_their_option_with_the_reason() -> None:
    matrix = Matrix(
        title="Ratings",
        rows=(Head(handle="A1", name="As now", marks=(Mark.BASELINE,)), Head(handle="A2", name="Hire")),
        columns=(Head(handle="O1", name="Speed"),),
        cells=((Rating(value=0),), (Rating(value=None, doubtful=True, unknown=True, note="nobody knows"),)),
    )
    assert said(matrix) == [
        "Ratings",
        "• A1 As now · baseline",
        "    • O1 Speed: ⬜ 0",
        "• A2 Hire",
        "    • O1 Speed: not known",
        "nobody knows",
    ]


@pytest.mark.req("FA-23")
def test_owner_and_day_of_a_next_step_stand_below_it_each_with_its_name() -> None:
    header = ("What", "Who", "By when", "Needs")
    rows = (("N1 Call the guild", "Maya", "1 March", ""), ("N2 Wait", "", "", ""))
    assert said(Grid(title="Actions", header=header, rows=rows)) == [
        "Actions",
        "• N1 Call the guild",
        "Who: Maya",
        "By when: 1 March",
        "• N2 Wait",
    ]


def test_an_item_that_is_too_long_for_a_message_goes_on_in_the_next() -> None:
    story = " ".join(f"word{number}" for number in range(4_000))
    messages = taken(Sheet(sections=(Listing(title="Notes", items=(Item(text=story, handle="C1"), HOURS)),)))
    assert len(messages) > 1
    assert squeezed(story) in read(block for page in messages for block in page)


def test_an_empty_sheet_is_no_message() -> None:
    assert taken(Sheet()) == ()


@pytest.mark.req("FA-23")
@limit_examples(20)
@given(SHEETS)
def test_slack_takes_every_sheet_as_lines_and_reads_no_markup_in_it(sheet: Sheet) -> None:
    for page in taken(sheet):
        assert {block["type"] for block in page} <= {"rich_text"}
        assert {element["type"] for element in elements(page)} <= {"text"}


def _told(every: tuple[Item, ...]) -> Iterator[str]:
    for item in every:
        yield f"{item.handle} {item.text}"
        yield from item.notes
        yield from _told(item.inner)


@limit_examples(20)
@given(items())
def test_of_a_list_no_word_is_lost_and_their_order_is_kept(every: tuple[Item, ...]) -> None:
    rest = read(shown(Listing(title="", items=every)))
    for words in filter(None, map(squeezed, _told(every))):
        assert words in rest
        rest = rest.partition(words)[2]


@limit_examples(20)
@given(matrices())
def test_of_ratings_no_row_column_or_cell_is_lost_and_their_order_is_kept(drawn: Matrix) -> None:
    rest = read(shown(drawn))
    for row, ratings_of_row in zip(drawn.rows, drawn.cells, strict=True):
        rest = rest.partition(squeezed(f"{row.handle} {row.name}"))[2]
        for column, rating in zip(drawn.columns, ratings_of_row, strict=True):
            named, found, rest = rest.partition(f":{squeezed(_told_rating(rating))}")
            assert found
            assert column.handle in named


def _told_rating(rating: Rating) -> str:
    number = "·" if rating.value is None else ("🟥 −2", "🟥 −1", "⬜ 0", "🟩 +1", "🟩 +2")[rating.value + 2]
    return f"{number}, in doubt" if rating.doubtful else number


@limit_examples(20)
@given(grids())
def test_of_a_table_of_words_no_cell_is_lost_and_their_order_is_kept(drawn: Grid) -> None:
    rest = read(shown(drawn))
    for row in drawn.rows:
        for cell in filter(None, map(squeezed, row)):
            assert cell in rest
            rest = rest.partition(cell)[2]


@limit_examples(20)
@given(BARS)
def test_no_bar_is_lost(drawn: Bars) -> None:
    words = read(shown(drawn))
    for bar in drawn.bars:
        number = "·" if bar.score is None else str(bar.score)
        assert any(f"{end}{number}" in words for end in "░▌█")
        assert squeezed(bar.label) in words
        assert squeezed(bar.note) in words
