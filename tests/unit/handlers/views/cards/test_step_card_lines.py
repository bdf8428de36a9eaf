"""What stands in the few lines of a step's card, and what in its details."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import StepState
from app.core.state.interview import FileTrace, UnsaidFigure
from handlers.views.cards.thread_cards import render_plain_text
from handlers.views.kit.blocks import RenderedMessage
from handlers.views.kit.plain_text import extract_text
from handlers.views.windows.show_all_window import build_details_window
from tests.properties import limit_examples
from tests.unit.handlers.sheets_of import PHRASE
from tests.unit.handlers.shown import (
    AT_0244,
    HARD,
    PLACE,
    ROOT,
    SEQ,
    lines,
    markup,
    pressed,
    said,
    show,
)
from tests.unit.handlers.steps_of import (
    DETAILS,
    DRAFT,
    ESSENCE,
    HUB,
    INVENTED,
    NEXT,
    REVIEW,
    SHORT,
    TO_HUB,
)


def above_the_buttons(rendered: RenderedMessage) -> list[str]:
    """The lines that are read before anything can be pressed."""
    kinds = [block["type"] for block in rendered.blocks]
    return extract_text(rendered.blocks[: kinds.index("actions")]).split("\n")


@pytest.mark.req("FA-13", "TR-18")
def test_a_card_says_its_essence_and_leads_to_the_rest() -> None:
    rendered = show(SHORT)
    assert lines(rendered) == [
        rendered.text,
        *(f"• {each}" for each in ESSENCE),
        "Would each of these matter?",
    ]
    assert DETAILS in pressed(rendered)


@pytest.mark.req("FA-13")
def test_a_card_that_is_shown_again_begins_with_what_changed() -> None:
    rendered = show(replace(SHORT, changes=("A5 is now level with A2", "2 new ratings")))
    assert lines(rendered)[1] == "Since it was last shown: A5 is now level with A2; 2 new ratings"
    assert lines(rendered)[2] == f"• {ESSENCE[0]}"


MANY_CHANGES = (
    "A5 AI triage plus paid on-call leads instead of A4 Three part-time weekend agents",
    "your points on O3 Keep extra cost low count no longer: they were given for another range",
    "A6 Mandatory rota for all agents, which you kept, is no longer dominated",
    *(f"A{n} Budget call centre on O3 Keep extra cost low: +2 instead of −2" for n in range(1, 4)),
)
"""As the first of them weighs the most."""


@pytest.mark.req("FA-13")
def test_what_changed_is_told_in_whole_sentences_and_all_of_it_stands_in_the_details() -> None:
    card = replace(SHORT, changes=MANY_CHANGES)
    assert lines(show(replace(card, changes=MANY_CHANGES[:3])))[1].endswith("; ".join(MANY_CHANGES[:3]))
    told = lines(show(card))[1]
    assert told == f"Since it was last shown: {'; '.join(MANY_CHANGES[:3])}; and 3 more in Show details"
    review = replace(REVIEW, sheet=SHORT.sheet, changes=MANY_CHANGES)
    assert lines(show(review))[1] == f"What would differ: {'; '.join(MANY_CHANGES[:3])}; and 3 more in Show details"
    ground = replace(REVIEW, sheet=SHORT.sheet, grounds={"Objectives": MANY_CHANGES})
    assert lines(show(ground))[1] == f"Objectives: {'; '.join(MANY_CHANGES[:2])}; and 4 more in Show details"
    for each in (card, review, ground):
        whole = extract_text(build_details_window(each, PLACE.thread, SEQ)["blocks"])
        assert all(whole.count(change) == 1 for change in MANY_CHANGES)
    assert "\u2026 and" not in told
    approved = replace(card, state=StepState.APPROVED, version=2, by="U1")
    assert MANY_CHANGES[0] not in extract_text(build_details_window(approved, PLACE.thread, SEQ)["blocks"])


@pytest.mark.req("FA-13")
def test_a_change_that_alone_is_longer_than_its_line_is_cut_and_the_others_are_counted() -> None:
    told = lines(show(replace(SHORT, changes=("very long " * 60, "a", "b"))))[1]
    assert told.endswith("very long…; and 2 more in Show details")
    assert len(told) <= 330


SUMS = ("175,000 = 165,000 + 10,000", "20 = 12 + 8")


TRACES = (FileTrace(text="Lisbon", about="", file="memo.txt"),)


@pytest.mark.req("FA-13", "TR-18")
@limit_examples(40)
@given(
    st.lists(HARD | PHRASE, max_size=9).map(tuple),
    st.lists(HARD, max_size=9).map(tuple),
    st.lists(HARD | PHRASE, max_size=4).map(tuple),
    st.fixed_dictionaries({"sums": st.sampled_from([(), SUMS]), "traces": st.sampled_from([(), TRACES])}),
    st.sampled_from(["", "Please check: O1 Faster"]),
)
def test_no_card_has_more_than_twelve_lines_above_its_buttons(
    missing: tuple[str, ...], remarks: tuple[str, ...], changes: tuple[str, ...], more: dict[str, Any], check: str
) -> None:
    sheet = replace(SHORT.sheet, to_check=check)
    rendered = show(replace(SHORT, sheet=sheet, missing=missing, remarks=remarks, changes=changes, **more))
    assert len(above_the_buttons(rendered)) <= 12
    assert markup(rendered) == {"<@U1>"}
    assert DETAILS in pressed(rendered)


@pytest.mark.req("TR-18")
@pytest.mark.parametrize(("check", "grounds"), [("", 3), ("Please check: O1 Faster", 2)])
def test_no_notice_of_a_changed_basis_has_more_than_twelve_lines_above_its_buttons(check: str, grounds: int) -> None:
    changed = {f"Step {number}": (f"new: C{number}",) for number in range(1, 6)}
    more: dict[str, Any] = {"missing": ("a", "b"), "changes": ("x",), "later": ("Notes",), "grounds": changed}
    rendered = show(replace(REVIEW, sheet=replace(SHORT.sheet, to_check=check), **more))
    told = above_the_buttons(rendered)
    assert len(told) == 12
    assert sum(each.startswith("Step ") for each in told) == grounds


def test_what_is_needed_and_noticed_comes_before_the_essence_and_more_is_counted() -> None:
    rendered = show(replace(SHORT, missing=("a measure", "an owner"), remarks=("O1 and O2 overlap.",)))
    assert lines(rendered)[1:4] == [
        "⚠ Still needed: a measure; an owner",
        "Noticed: O1 and O2 overlap.",
        f"• {ESSENCE[0]}",
    ]
    rendered = show(replace(SHORT, missing=("a", "b"), remarks=("c", "d", "e", "f")))
    assert lines(rendered)[1:5] == [
        "⚠ Still needed: a; b",
        "Noticed: c",
        "Noticed: d",
        "Noticed: e; f",
    ]
    long = tuple(f"{each} {'x' * 150}?" for each in "cdefg")
    *_, last = [each for each in lines(show(replace(SHORT, remarks=long))) if each.startswith("Noticed: ")]
    assert last.startswith("Noticed: f ")
    assert last.endswith("; and 1 more in Show details"), "the last line takes what fits, and counts the rest"


@pytest.mark.req("FA-14", "TR-18")
def test_figures_that_nobody_said_stand_above_their_button_however_much_is_missing_and_noticed() -> None:
    unsaid = tuple(UnsaidFigure(text=each, where="O1 Faster") for each in ("13 weeks", "6 hours"))
    rendered = show(replace(SHORT, missing=("a", "b", "c", "d", "e"), unsaid=unsaid, remarks=("f", "g")))
    assert lines(rendered)[1:5] == [
        "⚠ Still needed: a; b; c; d; e",
        "⚠ Nobody said this: 13 weeks · O1 Faster; 6 hours · O1 Faster",
        "Noticed: f",
        "Noticed: g",
    ]


@pytest.mark.req("FA-14", "TR-18")
def test_what_a_crowded_card_has_no_line_for_is_counted_and_stands_in_its_details() -> None:
    unsaid = (UnsaidFigure(text="17", where="O1 Faster", files="board.xlsx"), INVENTED)
    files = (FileTrace(text="Lisbon", about="", file="memo.txt"),)
    card = replace(SHORT, missing=("a", "b"), unsaid=unsaid, remarks=("c", "d"), sums=SUMS, traces=files)
    assert lines(show(card))[1:3] == ["⚠ Still needed: a; b", "and 4 more at the top of Show details"]
    read = extract_text(build_details_window(card, PLACE.thread, SEQ)["blocks"])
    assert all(each in read for each in ("17 · O1 Faster", "15k · A2 Rent", "• c", "• d"))


@pytest.mark.req("TR-18")
def test_a_notice_counts_all_that_is_missing_now() -> None:
    missing = tuple(f"{number} {'x' * 60}" for number in range(6))
    (needed,) = [each for each in lines(show(replace(REVIEW, missing=missing))) if "Still needed" in each]
    assert needed.endswith("and 4 more in Show details")


def test_what_a_line_asks_is_whole_however_long_the_names_in_it_are() -> None:
    asked = "Also uncertain: {name} on O1 {name} (“{name}”). How could you find out?"
    told = lines(show(replace(SHORT, remarks=(asked.format(name="Rent the hall by the river " * 4),))))
    (noticed,) = [each for each in told if each.startswith("Noticed: Also uncertain: Rent the hall")]
    assert noticed.endswith("How could you find out?")


@pytest.mark.req("TR-18")
def test_a_line_to_check_takes_the_place_of_a_warning_and_the_summary_is_not_cut() -> None:
    summary = "Two ovens cost more and spare the night. " * 8
    sheet = replace(SHORT.sheet, essence=(summary.strip(), *ESSENCE[1:]), to_check="Please check: O1 Faster")
    files = (FileTrace(text="Lisbon", about="", file="memo.txt"),)
    rendered = show(
        replace(SHORT, sheet=sheet, missing=("a", "b", "c", "d"), remarks=("e",), changes=("x",), traces=files)
    )
    assert lines(rendered)[2] == "⚠ Still needed: a; b; c; d"
    assert f"• {summary.strip()}" in lines(rendered)
    assert len(above_the_buttons(rendered)) == 12, "with the question"


@pytest.mark.req("FA-14", "TR-18")
def test_a_number_that_was_worked_out_stands_on_the_card_and_in_its_details_with_its_terms() -> None:
    card = replace(SHORT, sums=SUMS, missing=("a", "b", "c", "d"))
    rendered = show(card)
    assert "Worked out: 175,000 = 165,000 + 10,000; 20 = 12 + 8" in lines(rendered)
    assert len(above_the_buttons(rendered)) <= 12, "it takes the place of a warning"
    read = extract_text(build_details_window(card, PLACE.thread, SEQ)["blocks"])
    assert "Worked out from what you said" in read
    assert "20 = 12 + 8" in read


@pytest.mark.req("IN-07")
def test_a_card_names_the_first_places_of_each_file_and_the_details_say_what_is_from_where() -> None:
    cells = tuple(FileTrace(text=str(n), about="A1 Berlin, O1 Rent", file="costs.csv", place=f"B{n}") for n in range(5))
    card = replace(SHORT, traces=(*cells, FileTrace(text="Lisbon", about="", file="memo.txt")))
    told = "\n".join(lines(show(card)))
    assert "From files: costs.csv (B0, B1, B2 and 2 more); memo.txt" in told
    assert "A1 Berlin" not in told
    read = extract_text(build_details_window(card, PLACE.thread, SEQ)["blocks"])
    assert "A1 Berlin, O1 Rent: 4 · costs.csv, B4" in read
    assert "Lisbon · memo.txt" in read


@pytest.mark.req("FA-13")
def test_an_approved_result_is_its_essence_and_a_later_one_leads_to_what_builds_on_it() -> None:
    card = replace(SHORT, state=StepState.APPROVED, version=2, by="U1")
    rendered = show(card)
    assert lines(rendered)[1:] == [f"• {each}" for each in ESSENCE]
    assert pressed(rendered) == [("Discuss again", "reopen", ROOT), DETAILS]
    assert f"Go on from {TO_HUB}" in said(show(replace(card, decision=HUB)))[0]


def test_an_approved_version_above_a_later_one_says_which_replaces_it_and_offers_no_discussion() -> None:
    for sheet, buttons in ((SHORT.sheet, [DETAILS]), (DRAFT.sheet, [])):
        card = replace(DRAFT, sheet=sheet, state=StepState.APPROVED, version=2, by="U1", decision=HUB, replaced=3)
        rendered = show(card)
        assert said(rendered)[0].endswith(f"{AT_0244}\nReplaced by v3, below.")
        assert pressed(rendered) == buttons


@pytest.mark.req("FA-13")
def test_what_would_follow_from_a_change_is_told_in_short_with_what_comes_after_it() -> None:
    review = replace(REVIEW, sheet=SHORT.sheet, changes=("A5 leads instead of A4",), later=("Notes", "Quality"))
    rendered = show(review)
    assert lines(rendered)[1:] == [
        "What would differ: A5 leads instead of A4",
        *(f"• {each}" for each in ESSENCE),
        "After it: Notes and Quality.",
    ]
    assert pressed(rendered)[-1] == DETAILS
    assert lines(show(replace(review, later=())))[-1] == f"• {ESSENCE[-1]}"


@pytest.mark.req("FA-13")
def test_what_would_be_asked_about_a_step_now_is_told_before_it_is_left_as_it_is() -> None:
    asked = "On O6 the measure is in alarms a day, but all amounts are in %. Which unit is right?"
    review = replace(REVIEW, sheet=SHORT.sheet, changes=("A5 leads",), remarks=(asked,))
    assert lines(show(review))[1:3] == ["What would differ: A5 leads", f"Noticed: {asked}"]
    assert asked in extract_text(build_details_window(review, PLACE.thread, SEQ)["blocks"])


@pytest.mark.req("FA-13")
def test_a_step_to_look_at_again_says_in_a_line_what_changed_in_each_of_the_first_steps_below_it() -> None:
    grounds = {"Issue raising": ("reworded: C1 About 700 kg", "new: C4 Rent"), "Objectives": ()}
    told = "Issue raising: reworded: C1 About 700 kg; new: C4 Rent"
    assert lines(show(replace(REVIEW, sheet=SHORT.sheet, grounds=grounds)))[1:3] == [told, f"• {ESSENCE[0]}"]
    assert lines(show(replace(REVIEW, grounds=grounds)))[1:3] == [told, "What would follow now"]
    many = {f"Step {number}": (f"new: C{number}",) for number in range(1, 6)}
    rendered = lines(show(replace(REVIEW, sheet=SHORT.sheet, grounds=many)))
    assert [each for each in rendered if each.startswith("Step")] == [f"Step {n}: new: C{n}" for n in (1, 2, 3)]


@pytest.mark.req("FA-13")
def test_what_has_changed_below_a_step_and_would_change_in_it_is_told_once() -> None:
    grounds = {"Ratings": ("A3 leads now", "A3 on O3: −1"), "Tradeoffs": ("A3 leads now", "A3 on O3: −1", "new: x")}
    review = replace(REVIEW, sheet=SHORT.sheet, grounds=grounds, changes=("A3 leads now",))
    assert lines(show(review))[1:4] == ["Ratings: A3 on O3: −1", "Tradeoffs: new: x", "What would differ: A3 leads now"]
    whole = extract_text(build_details_window(review, PLACE.thread, SEQ)["blocks"])
    assert [whole.count(each) for each in ("A3 leads now", "A3 on O3: −1", "new: x")] == [1, 1, 1]


def test_without_blocks_the_whole_of_a_card_is_read() -> None:
    whole = "".join(page.text for page in render_plain_text(SHORT, 12, PLACE))
    assert whole.count("word") == 4_000
    assert ESSENCE[0] not in whole
    assert render_plain_text(NEXT, 12, PLACE)[0].text.startswith("✅")
