"""A question: fit to be asked, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from app.core.errors import IllegalEvent
from app.core.pending import answer_reading
from app.core.pending.answer_reading import MAX_PROMPT
from app.core.state import question
from app.core.state.question import Origin, Question, QuestionEvent, QuestionKind, QuestionState, QuestionStatus
from app.core.state.table import find_refusal
from app.core.text.labels import MAX_LABEL

CLOSED = [QuestionState.ANSWERED, QuestionState.SUPERSEDED, QuestionState.CANCELLED]

CONFIRMATION = Question(id="q1", kind=QuestionKind.CONFIRMATION, prompt="Shall I?")
CHOICE = Question(id="q1", kind=QuestionKind.CHOICE, prompt="Which one?", options=("D1 Evening cover", "D2 Hiring"))
INPUT = Question(id="q1", kind=QuestionKind.INPUT, prompt="What else?")


def refused(act: Callable[[], object]) -> tuple[str, str]:
    """Give the code of a refusal and what it says to the model."""
    with pytest.raises(IllegalEvent) as caught:
        act()
    return caught.value.code, str(caught.value).removeprefix(caught.value.code).strip()


def asked(question: Question, **changes: object) -> Question:
    return answer_reading.normalize_question(replace(question, **changes))  # pyright: ignore[reportArgumentType]


@pytest.mark.req("S2-038", "S2-039")
def test_a_confirmation_without_labels_has_yes_and_no() -> None:
    assert asked(CONFIRMATION).options == ("Yes", "No")
    assert asked(CONFIRMATION, options=("Archive it", "Keep it")).options == ("Archive it", "Keep it")


@pytest.mark.req("S2-038", "S2-041")
def test_an_input_has_no_options() -> None:
    assert asked(INPUT).options == ()
    assert refused(lambda: asked(INPUT, options=("a", "b"))) == (
        "BAD_QUESTION",
        "An input has no options; ask a choice.",
    )


@pytest.mark.parametrize("count", [0, 1, 11])
@pytest.mark.req("S2-038", "S2-040")
def test_a_choice_has_two_to_ten_options(count: int) -> None:
    labels = tuple(f"Option {letter}" for letter in "abcdefghijk")
    assert refused(lambda: asked(CHOICE, options=labels[:count])) == ("BAD_QUESTION", "A choice has 2 to 10 options.")
    assert asked(CHOICE, options=labels[:2]).options == labels[:2]
    assert asked(CHOICE, options=labels[:10]).options == labels[:10]


@pytest.mark.parametrize("labels", [("only one",), ("a", "b", "c")])
def test_a_confirmation_has_two_options(labels: tuple[str, ...]) -> None:
    assert refused(lambda: asked(CONFIRMATION, options=labels))[0] == "BAD_QUESTION"


def test_options_that_look_the_same_are_refused() -> None:
    code, why = refused(lambda: asked(CHOICE, options=("Hiring", " hiring ")))
    assert (code, why) == ("BAD_QUESTION", "Options must differ in more than case and spaces, and none may be empty.")


def test_nobody_who_types_yes_gets_a_button_that_says_no() -> None:
    assert refused(lambda: asked(CONFIRMATION, options=("No", "Yes")))[0] == "BAD_QUESTION"
    assert asked(CHOICE, options=("No", "Yes")).options == ("No", "Yes")


@pytest.mark.parametrize("prompt", ["", " \n\t", "x" * (MAX_PROMPT + 1)])
def test_a_question_asks_something_that_fits_into_a_message(prompt: str) -> None:
    assert refused(lambda: asked(INPUT, prompt=prompt)) == (
        "BAD_QUESTION",
        "The prompt must have 1 to 2,900 characters.",
    )
    assert asked(INPUT, prompt="x" * MAX_PROMPT).prompt == "x" * MAX_PROMPT


def test_spaces_are_collapsed_and_lines_of_a_prompt_stay() -> None:
    made = asked(CHOICE, prompt="  Which  one? \n\n\n\n *  cover \r\n* hiring\n", options=("  D1\n cover", "D2"))
    assert made.prompt == "Which one?\n\n* cover\n* hiring"
    assert made.options == ("D1 cover", "D2")


def test_long_labels_are_cut_and_stay_different() -> None:
    one, two = asked(CHOICE, options=("x" * 100 + "a", "x" * 100 + "b")).options
    assert one != two
    assert len(one) == len(two) == MAX_LABEL


def test_only_a_choice_welcomes_something_else() -> None:
    assert asked(CHOICE, other=True).other
    assert not asked(CONFIRMATION, other=True).other
    assert not asked(INPUT, other=True).other


@given(
    st.sampled_from(QuestionKind),
    st.text(max_size=200),
    st.lists(st.text(max_size=100), max_size=11).map(tuple),
    st.booleans(),
)
def test_what_was_checked_stays_as_it_is(kind: QuestionKind, prompt: str, labels: tuple[str, ...], other: bool) -> None:
    with suppress(IllegalEvent):
        once = answer_reading.normalize_question(
            Question(id="q1", kind=kind, prompt=prompt, options=labels, other=other)
        )
        assert answer_reading.normalize_question(once) == once


def test_a_question_is_stored_and_read_back() -> None:
    kept = TypeAdapter(Question)
    whole = replace(CHOICE, other=True, origin=Origin.FAILURE, asked_at="1.5", card=3)
    assert kept.validate_json(kept.dump_json(whole)) == whole


def test_the_table_says_something_for_every_event_in_every_state() -> None:
    assert set(question.TABLE) == set(QuestionEvent)
    assert all(set(row) == set(QuestionStatus) for row in question.TABLE.values())
    assert {*QuestionStatus} == {"none", *QuestionState}


def test_every_state_is_reached_and_none_leads_back_to_not_asked() -> None:
    reached = {cell for row in question.TABLE.values() for cell in row.values() if isinstance(cell, QuestionStatus)}
    assert reached == set(QuestionStatus) - {QuestionStatus.NONE}


@pytest.mark.parametrize("event", QuestionEvent)
@pytest.mark.parametrize("state", CLOSED)
def test_a_closed_question_stays_closed(state: QuestionState, event: QuestionEvent) -> None:
    if code := find_refusal(question.TABLE, QuestionStatus(state), event):
        assert refused(lambda: question.move(state, event)) == (code, "")
        assert code == "QUESTION_CLOSED"
    else:
        assert question.move(state, event) is None


def test_a_new_question_supersedes_the_open_one() -> None:
    assert question.move(None, QuestionEvent.ASK) is QuestionState.OPEN
    assert question.move(QuestionState.OPEN, QuestionEvent.ASK) is QuestionState.SUPERSEDED


@pytest.mark.parametrize(
    "event", [QuestionEvent.CLICK, QuestionEvent.TYPED_ANSWER, QuestionEvent.TYPED_CHANGE, QuestionEvent.RESOLVE]
)
def test_an_open_question_is_answered_by_click_by_text_and_by_the_model(event: QuestionEvent) -> None:
    assert question.move(QuestionState.OPEN, event) is QuestionState.ANSWERED


@pytest.mark.parametrize("event", [QuestionEvent.CLICK, QuestionEvent.RESOLVE, QuestionEvent.BAD_ANSWER])
def test_an_answer_to_no_question_or_to_a_closed_one_is_refused(event: QuestionEvent) -> None:
    assert refused(lambda: question.move(None, event)) == ("NO_QUESTION", "")
    assert refused(lambda: question.move(QuestionState.ANSWERED, event)) == ("QUESTION_CLOSED", "")


@pytest.mark.parametrize("event", [event for event in QuestionEvent if event.startswith("typed")])
def test_text_that_meets_no_open_question_is_a_message_like_any_other(event: QuestionEvent) -> None:
    assert [question.move(state, event) for state in (None, *CLOSED)] == [None] * 4


@pytest.mark.parametrize(
    "event", [QuestionEvent.TYPED_UNCLEAR, QuestionEvent.TYPED_FOR_CLICK, QuestionEvent.COMMAND, QuestionEvent.STOP]
)
def test_a_question_stays_open_until_it_is_answered(event: QuestionEvent) -> None:
    assert question.move(QuestionState.OPEN, event) is QuestionState.OPEN


def test_a_bad_answer_is_refused_and_changes_nothing() -> None:
    assert refused(lambda: question.move(QuestionState.OPEN, QuestionEvent.BAD_ANSWER)) == ("BAD_ANSWER", "")


@pytest.mark.parametrize("event", [QuestionEvent.ARCHIVE, QuestionEvent.STOP_HELD, QuestionEvent.WITHDRAW])
def test_who_takes_away_what_a_question_is_about_cancels_it(event: QuestionEvent) -> None:
    assert question.move(QuestionState.OPEN, event) is QuestionState.CANCELLED
    assert question.move(None, event) is None


def test_stop_cancels_the_questions_that_a_run_waits_for_and_no_other() -> None:
    held = {origin for origin in Origin if question.read_stop(replace(INPUT, origin=origin)) is QuestionEvent.STOP_HELD}
    assert held == {Origin.PERMISSION, Origin.INTERRUPT}
    assert question.read_stop(INPUT) is QuestionEvent.STOP
