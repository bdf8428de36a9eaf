"""The cards of a step: what the owner sees of a draft, what can be done about it, and what is left of it afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import Card, GroundCard, NoteCard, QuestionCard, ReviewCard, StepState
from app.core.state.interview import MissingGround, UnsaidFigure
from app.core.state.sheet import Prose, Sheet
from app.playground.slack.blocks.blocks import check_blocks
from handlers.slack import action_ids, permalinks
from handlers.views.cards.step_card import list_review
from handlers.views.cards.thread_cards import render_card
from handlers.views.kit.blocks import LABEL_CHARS, format_address
from handlers.views.kit.packing import BLOCKS
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
    lines,
    markup,
    menu,
    pressed,
    said,
    show,
    show_all,
    small,
)
from tests.unit.handlers.steps_of import (
    DETAILS,
    DRAFT,
    HUB,
    INVENTED,
    LONG,
    NEXT,
    NOTED,
    QUESTION,
    REVIEW,
    SHORT,
    TO_HUB,
)

EDIT = ("Edit…", "edit_step", ROOT)


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
