"""The cards of a step: what the owner sees of a draft, what can be done about it, and what is left of it afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import Card, GroundCard, NoteCard, QuestionCard, ReviewCard, StepState
from app.core.state.interview import FileTrace, MissingGround, UnsaidFigure
from app.core.state.sheet import Prose, Sheet
from app.playground.slack.blocks.blocks import check_blocks
from handlers.slack import action_ids, permalinks
from handlers.views.cards.step_card import list_review
from handlers.views.cards.thread_cards import render_card, render_plain_text
from handlers.views.kit.blocks import LABEL_CHARS, RenderedMessage, format_address
from handlers.views.kit.packing import BLOCKS
from handlers.views.kit.plain_text import extract_text
from handlers.views.windows.show_all_window import build_details_window
from tests.properties import limit_examples
from tests.unit.handlers.sheets_of import PHRASE, SHEETS, read, squeezed
from tests.unit.handlers.shown import (
    AT_0244,
    HARD,
    PLACE,
    ROOT,
    SEQ,
    controls,
    markup,
    pressed,
    said,
    show,
    show_all,
    small,
)
from tests.unit.handlers.steps_of import DRAFT, HUB, LONG, NEXT, NOTED, QUESTION, REVIEW, TO_HUB

EDIT = ("Edit…", "edit_step", ROOT)


def lines(rendered: RenderedMessage) -> list[str]:
    return extract_text(rendered.blocks).split("\n")


def menu(rendered: RenderedMessage) -> dict[str, str]:
    """What can be picked, and what it is called."""
    (found,) = (control for control in controls(rendered) if control["type"] == "overflow")
    return {option["value"]: option["text"]["text"] for option in found["options"]}


# --- a draft from a file, with figures that do not stand there ----------------------------------------


@pytest.mark.req("IN-07")
def test_a_figure_that_does_not_stand_in_the_file_is_told_with_the_file_and_not_as_unsaid() -> None:
    strange = UnsaidFigure(text="17", where="A1 Oslo, O1 Way", files="board.xlsx")
    rendered = show(replace(DRAFT, unsaid=(strange, INVENTED)))
    assert lines(rendered)[1:5] == [
        "⚠ Not in board.xlsx",
        "• 17 · A1 Oslo, O1 Way",
        "⚠ Nobody said this",
        "• 15k · A2 Rent: closes about 15k of the hole",
    ]
    short = show(replace(DRAFT, unsaid=(strange,), sheet=replace(DRAFT.sheet, essence=("All of it",))))
    assert "⚠ Not in board.xlsx: 17 · A1 Oslo, O1 Way" in " ".join(lines(short))
    assert "confirm_figures" in [action for _, action, _ in pressed(rendered)]


# --- a draft with figures that nobody said ------------------------------------------------------------

INVENTED = UnsaidFigure(text="15k", where="A2 Rent: closes about 15k of the hole")


@pytest.mark.req("FA-14")
def test_a_number_that_nobody_said_stands_on_the_card_and_can_be_confirmed_but_not_approved() -> None:
    rendered = show(replace(DRAFT, unsaid=(INVENTED,)))
    assert lines(rendered)[1:3] == ["⚠ Nobody said this", "• 15k · A2 Rent: closes about 15k of the hole"]
    assert pressed(rendered) == [
        ("That is right · Approve", "confirm_figures", "12:1:7.12"),
        ("Request changes", "answer:1", "12:1:7.12"),
        EDIT,
    ]
    assert small(rendered) == ["If it is wrong, change it with Edit…, or write what it should be."]
    two = show(replace(DRAFT, unsaid=(INVENTED, INVENTED), missing=("a deadline",)))
    assert pressed(two)[0] == ("These are right", "confirm_figures", "12:0:7.12"), "it cannot be approved yet"


# --- a draft that waits -----------------------------------------------------------------------------


@pytest.mark.req("M-006")
def test_a_draft_shows_whose_ok_it_waits_for_its_sheet_and_its_question() -> None:
    rendered = show(DRAFT)
    assert rendered.text == "<@U1>, waiting for your OK · *Objectives* · draft 2"
    assert lines(rendered) == [rendered.text, "Objectives", "• O1 Faster response", "Would each of these matter?"]
    assert small(rendered) == ["Or reply yes, or write what should change."]


def test_a_draft_is_approved_or_sent_back_as_its_question_is_answered() -> None:
    rendered = show(DRAFT)
    assert pressed(rendered) == [
        ("Approve", "answer:0", "12:0:7.12"),
        ("Request changes", "answer:1", "12:1:7.12"),
        EDIT,
    ]
    assert [control.get("style") for control in controls(rendered)] == ["primary", None, None, None]


def test_a_draft_that_lacks_something_says_so_first_and_cannot_be_approved() -> None:
    rendered = show(replace(DRAFT, missing=("an objective of your own", "a measure")))
    assert rendered.text == "<@U1>, something is still missing · *Objectives* · draft 2"
    assert lines(rendered)[1:4] == ["⚠ Still needed", "• an objective of your own", "• a measure"]
    assert pressed(rendered) == [("Request changes", "answer:1", "12:1:7.12"), EDIT]
    assert "yes" not in small(rendered)[0]


def test_what_was_noticed_stands_above_the_sheet_as_the_card_says_of_the_rest() -> None:
    rendered = show(replace(DRAFT, remarks=("O1 and O2 overlap.",)))
    assert lines(rendered)[1:] == [
        "Noticed",
        "• O1 and O2 overlap.",
        "Objectives",
        "• O1 Faster response",
        "Would each of these matter?",
    ]


def test_who_changed_it_by_hand_is_told() -> None:
    assert small(show(replace(DRAFT, edited_by="U2")))[0].endswith(" · Edited by <@U2>")


def test_options_can_be_rated_where_the_step_is_about_that() -> None:
    rendered = show(replace(DRAFT, component="consequences"))
    assert pressed(rendered)[2:] == [EDIT, ("Rate…", "rate_column", ROOT)]


def test_a_step_can_begin_again_from_each_phase_and_slack_asks_first() -> None:
    rendered = show(DRAFT)
    assert list(menu(rendered)) == ["restart:intro", "restart:gather", "restart:clarify", "restart:extract"]
    assert controls(rendered)[-1]["confirm"]["text"]["text"] == "It no longer waits for your OK then."


def test_only_a_step_that_was_approved_before_can_be_left_as_it_was() -> None:
    assert "close" not in menu(show(DRAFT))
    assert menu(show(replace(DRAFT, closable=True)))["close"] == "Leave it as it was approved"


def test_of_several_messages_only_the_last_has_buttons() -> None:
    first, *others, last = show_all(replace(DRAFT, sheet=LONG))
    assert first.text.startswith("<@U1>")
    assert last.text == f"Objectives ({len(others) + 2} of {len(others) + 2})"
    assert [pressed(page) != [] for page in (first, *others, last)] == [False] * (len(others) + 1) + [True]


def test_the_question_stands_in_the_message_of_its_buttons() -> None:
    last = show_all(replace(DRAFT, sheet=LONG))[-1]
    assert "Would each of these matter?" in lines(last)


# --- a draft that does not wait any more ------------------------------------------------------------


def test_an_approved_draft_says_as_what_by_whom_and_when_and_keeps_its_sheet() -> None:
    rendered = show(replace(DRAFT, state=StepState.APPROVED, version=2, by="U1"))
    assert said(rendered) == [f"*Objectives* · ✅ Approved as v2 · <@U1> · {AT_0244}"]
    assert "• O1 Faster response" in lines(rendered)
    assert (pressed(rendered), small(rendered)) == ([("Discuss again", "reopen", ROOT)], [])


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (StepState.SUPERSEDED, "A newer draft stands below."),
        (StepState.WITHDRAWN, "This draft no longer waits for an OK."),
    ],
)
def test_a_draft_that_no_longer_counts_is_one_short_message_and_pings_nobody(state: StepState, line: str) -> None:
    rendered = show(replace(DRAFT, sheet=LONG, state=state, by="U1"))
    assert said(rendered) == ["*Objectives* · draft 2"]
    assert (small(rendered), controls(rendered)) == ([line], [])


def test_a_draft_that_was_shown_again_below_tells_of_no_newer_one() -> None:
    rendered = show(replace(DRAFT, state=StepState.SUPERSEDED, repeated=True))
    assert small(rendered) == ["The same draft stands again below."]


@pytest.mark.req("FA-13")
def test_a_draft_that_is_to_change_is_short_and_can_still_be_read() -> None:
    waiting = replace(DRAFT, sheet=LONG)
    changing = replace(waiting, state=StepState.CHANGING, by="U1")
    rendered = show(changing)
    assert said(rendered) == ["*Objectives* · draft 2"]
    assert small(rendered) == [f"✏ Changes asked for · <@U1> · {AT_0244}"]
    assert pressed(rendered) == [DETAILS]
    assert build_details_window(changing, PLACE.thread, SEQ) == build_details_window(waiting, PLACE.thread, SEQ)
    empty = show(replace(changing, sheet=Sheet(sections=())))
    assert controls(empty) == [], "there is nothing to read"


# --- in short ---------------------------------------------------------------------------------------

ESSENCE = tuple(f"Line {number} of what matters" for number in range(1, 6))
SHORT = replace(DRAFT, sheet=replace(LONG, essence=ESSENCE))
DETAILS = ("Show details", "show_all", "12")


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


# --- a draft from files -------------------------------------------------------------------------------


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


# --- whatever is drafted ---


@limit_examples(20)
@given(SHEETS, st.lists(HARD | PHRASE, max_size=3).map(tuple), st.lists(HARD, max_size=3).map(tuple), HARD)
def test_slack_takes_every_draft_and_nothing_that_was_written_is_markup(
    sheet: Sheet, missing: tuple[str, ...], remarks: tuple[str, ...], prompt: str
) -> None:
    question = replace(QUESTION, prompt=prompt[:2_900], options=("Read and understood, all of it", "x" * LABEL_CHARS))
    card = replace(DRAFT, sheet=sheet, missing=missing, remarks=remarks, question=question, closable=True)
    pages = show_all(replace(card, component="consequences", edited_by="U2"))
    assert {found for page in pages for found in markup(page)} <= {"<@U1>", "<@U2>"}
    words = read(block for page in pages for block in page.blocks)
    assert all(squeezed(each) in words for each in (*missing, *remarks))
    assert pressed(pages[-1])[-1][1] == "rate_column"


# --- what stands in a finished step -----------------------------------------------------------------


def test_below_an_approved_step_the_next_one_can_be_started() -> None:
    rendered = show(NEXT)
    assert said(rendered) == ["✅ *Objectives* v1 is in the record."]
    start = ("Start Alternatives", "start_step", "alternatives:C1:1770000000.000100")
    assert pressed(rendered) == [start]


@pytest.mark.req("FA-18")
def test_below_an_approved_step_a_next_one_that_has_begun_is_opened_and_not_started() -> None:
    (button,) = controls(show(replace(NEXT, begun=HUB)))
    assert (button["text"]["text"], button["action_id"]) == ("Open Alternatives", "open_step")
    assert button["url"] == "https://acme.slack.com/archives/C1/p1770000000000100"


@pytest.mark.req("FA-18")
def test_below_a_later_version_the_next_step_can_be_started_as_well() -> None:
    rendered = show(replace(NEXT, version=2))
    assert said(rendered)[0] == "✅ *Objectives* v2 is in the record."
    assert [each["text"]["text"] for each in controls(rendered)] == ["Start Alternatives"]


@pytest.mark.parametrize("version", [1, 2])
def test_below_the_last_step_the_report_is_offered_and_it_is_told_where_the_decision_is_closed(version: int) -> None:
    rendered = show(replace(NEXT, next_key="", next_title="", version=version))
    assert TO_HUB in said(rendered)[0]
    assert "exports the report" in said(rendered)[0]
    assert pressed(rendered) == [("Record and report", "record", format_address(NEXT.decision))]


def test_a_step_whose_ground_has_changed_shows_what_would_follow_and_can_be_reopened_or_left() -> None:
    rendered = show(REVIEW)
    assert lines(rendered) == [
        "⚠ *Consequences* v1 was made before this changed: Objectives v2 and Alternatives v3.",
        "What would follow now",
        "Objectives",
        "• O1 Faster response",
    ]
    assert pressed(rendered) == [("Discuss again", "reopen", ROOT), ("Still valid", "still_valid", ROOT)]


@pytest.mark.parametrize("card", [REVIEW, replace(REVIEW, sheet=SHORT.sheet)])
def test_a_step_that_lacks_something_by_now_says_so_and_cannot_be_left_as_it_is(card: ReviewCard) -> None:
    lacking = replace(card, missing=("the ratings of A4",))
    rendered = show(lacking)
    assert "⚠ Still needed: the ratings of A4" in lines(rendered)
    assert [name for name, *_ in pressed(rendered) if name != "Show details"] == ["Discuss again"]
    assert "the ratings of A4" in str(list_review(lacking))


def test_where_nothing_follows_nothing_is_announced() -> None:
    assert lines(show(replace(REVIEW, sheet=Sheet()))) == said(show(REVIEW))


def test_a_step_that_was_looked_at_asks_no_more_and_says_not_whether_it_was_taken_up_or_left_as_it_was() -> None:
    rendered = show(replace(REVIEW, done=True))
    assert lines(rendered) == [
        "After *Consequences* v1 this changed: Objectives v2 and Alternatives v3. What became of it stands below."
    ]
    assert controls(rendered) == []


def test_many_causes_still_fit() -> None:
    assert "…" in said(show(replace(REVIEW, causes=("<&> v2",) * 1_000)))[0]


def test_a_note_is_small_print() -> None:
    rendered = show(NoteCard(text="Edited by <@U1>"))
    assert (rendered.text, small(rendered), said(rendered)) == ("Edited by <@U1>", ["Edited by <@U1>"], [])


# --- the notes of a discussion ------------------------------------------------------------------------


@pytest.mark.req("FA-18")
def test_notes_are_shown_in_short_with_no_button_but_the_one_for_the_rest_and_say_that_nothing_has_ended() -> None:
    rendered = show(replace(NOTED, sheet=replace(NOTED.sheet, essence=("1 objective",))))
    assert lines(rendered)[:3] == ["📝 *Objectives* · noted so far", "⚠ Still needed: a measure", "• 1 objective"]
    assert pressed(rendered) == [("Show details", "show_all", str(SEQ))]
    assert small(rendered)[-1].startswith("We go on as before")


def test_notes_without_an_essence_are_shown_as_a_whole() -> None:
    rendered = show(NOTED)
    assert lines(rendered)[1:5] == ["⚠ Still needed", "• a measure", "Objectives", "• O1 Faster response"]
    assert pressed(rendered) == []


@pytest.mark.req("NC-09")
def test_a_step_whose_ground_is_missing_links_to_it_or_to_where_it_starts() -> None:
    begun = GroundCard(
        step=MissingGround(title="Consequences", thread=replace(HUB, root="1770000009.000000")), decision=HUB
    )
    rendered = show(begun)
    assert "What is missing here comes from *Consequences*." in said(rendered)[0]
    (link,) = controls(rendered)
    assert (link["action_id"], link["text"]["text"]) == (action_ids.OPEN_STEP, "Open Consequences")
    assert link["url"].endswith("p1770000009000000")
    rendered = show(replace(begun, step=MissingGround(title="Decision quality")))
    assert "which has not begun" in said(rendered)[0]
    (link,) = controls(rendered)
    assert (link["text"]["text"], link["url"].endswith(f"p{HUB.root.replace('.', '')}")) == ("Open the decision", True)


# --- the way back to the decision --------------------------------------------------------------------


@pytest.mark.req("FA-17")
@pytest.mark.parametrize(
    "card",
    [
        DRAFT,
        SHORT,
        *(replace(SHORT, state=state, by="U1", version=1) for state in StepState if state is not StepState.OPEN),
        replace(SHORT, state=StepState.APPROVED, by="U1", version=2, decision=HUB),
        REVIEW,
        replace(REVIEW, done=True),
        NEXT,
        replace(NEXT, next_key="", next_title=""),
        GroundCard(step=MissingGround(title="Objectives"), decision=HUB),
        GroundCard(step=MissingGround(title="Objectives", thread=replace(HUB, root="1.2")), decision=HUB),
        NOTED,
        NoteCard(text="The decision is Sam's now."),
        QuestionCard(question=QUESTION, owner="U1"),
        replace(DRAFT, sheet=replace(LONG, sections=tuple(Prose(text=f"{number}") for number in range(130)))),
    ],
)
def test_every_card_in_a_step_leads_to_the_decision_once(card: Card) -> None:
    address = permalinks.link_thread(PLACE.workspace_url, HUB)
    *above, last = render_card(card, SEQ, replace(PLACE, hub=HUB))
    assert check_blocks([dict(each) for each in last.blocks])
    assert str(last.blocks).count(address) == 1
    assert not any(address in str(page.blocks) for page in above)


@pytest.mark.req("FA-17")
def test_a_card_elsewhere_leads_to_no_decision_and_one_that_is_full_is_left_as_it_is() -> None:
    assert "the decision" not in said(show(QuestionCard(question=QUESTION, owner="U1")))
    sizes = set[int]()
    for count in range(40, 60):
        sheet = replace(LONG, sections=tuple(Prose(text=f"{number}") for number in range(count)))
        card = replace(DRAFT, sheet=sheet, state=StepState.APPROVED, version=1, by="U1")
        pages = render_card(card, SEQ, replace(PLACE, hub=HUB))
        sizes.update(len(page.blocks) for page in pages)
    assert max(sizes) == BLOCKS
