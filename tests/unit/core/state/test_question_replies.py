"""What a reply to a question means: clicked, typed in the thread, or understood by the model (T6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import IllegalEvent
from app.core.pending import answer_reading
from app.core.pending.answer_reading import (
    MAX_TEXT,
    OTHER,
    format_answer,
    normalize_question,
    read_back,
    read_choice,
    read_resolution,
    understand,
)
from app.core.state.question import Answered, Changed, Origin, Question, QuestionKind, Unclear, UseButtons
from app.core.text.labels import MAX_LABEL, are_distinct

CONFIRMATION = normalize_question(Question(id="q1", kind=QuestionKind.CONFIRMATION, prompt="Shall I?"))
EXTRACTION = replace(CONFIRMATION, origin=Origin.EXTRACTION)
CHOICE = normalize_question(
    Question(
        id="q1", kind=QuestionKind.CHOICE, prompt="Which one?", options=("D1 Evening cover", "D2 Hiring", "Later?")
    )
)
OPEN_CHOICE = replace(CHOICE, other=True)
INPUT = normalize_question(Question(id="q1", kind=QuestionKind.INPUT, prompt="What else?"))
PERMISSION = normalize_question(
    Question(
        id="q1",
        kind=QuestionKind.CHOICE,
        prompt="May I?",
        options=("Allow this time", "Always allow", "Wait", "Never allow"),
        origin=Origin.PERMISSION,
    )
)
ALL = [CONFIRMATION, EXTRACTION, CHOICE, OPEN_CHOICE, INPUT, PERMISSION, replace(INPUT, origin=Origin.INTERRUPT)]

YES, NO = Answered("yes", 0), Answered("no", 1)
HIRING = Answered("D2 Hiring", 1)


def bad_answer(question: Question, value: str, read: object = read_choice) -> str:
    """Give what the refusal tells the model."""
    with pytest.raises(IllegalEvent) as caught:
        read_choice(question, value) if read is read_choice else read_resolution(question, value)
    assert caught.value.code == "BAD_ANSWER"
    return str(caught.value).removeprefix("BAD_ANSWER").strip()


@pytest.mark.parametrize(("text", "meant"), [("yes", YES), ("Yep, thanks!", YES), ("incorrect", NO), ("not okay", NO)])
@pytest.mark.req("S2-039")
def test_a_whole_yes_or_no_answers_a_confirmation(text: str, meant: Answered) -> None:
    assert understand(CONFIRMATION, text) == understand(EXTRACTION, text) == meant


@pytest.mark.parametrize(
    "text", ["yes, but A2 is wrong", "okay, but change A2", "Ja, aber A2 ist falsch", "はい、でもA2は違います"]
)
def test_a_yes_that_is_taken_back_is_a_change_and_never_a_yes(text: str) -> None:
    assert understand(CONFIRMATION, text) == understand(EXTRACTION, f" {text}\n") == Changed(text)


@pytest.mark.parametrize("text", ["no, A2 is wrong", "No. A2 is wrong", "no, but A2 is", "wrong: A2"])
def test_a_no_with_what_to_change_changes_what_was_captured(text: str) -> None:
    assert understand(EXTRACTION, text) == Changed(text)
    assert understand(CONFIRMATION, text) == Unclear()


@pytest.mark.parametrize(
    "text",
    [
        "okay?",
        "",
        "  \n",
        "yes we could",
        "no problem at all",
        "yes, no",
        "yes, but why?",
        "yes, but…",
        "what is A2?",
        "A2 is wrong",
        "1",
    ],
)
def test_what_is_neither_yes_nor_no_is_left_to_the_model(text: str) -> None:
    assert understand(CONFIRMATION, text) == understand(EXTRACTION, text) == Unclear()


def test_the_label_of_a_confirmation_answers_it() -> None:
    question = normalize_question(replace(CONFIRMATION, options=("Archive it", "Really keep it?")))
    assert understand(question, "archive it please") == YES
    assert understand(question, "really keep it?") == NO
    assert understand(question, "nope") == NO
    assert understand(question, "archive") == Unclear()


@pytest.mark.parametrize(
    "text", ["d2 hiring", "D2", "2", "2.", "#2", "option 2", "the second one", "number two", "D2, please!"]
)
@pytest.mark.req("S2-040")
def test_an_option_is_chosen_by_label_number_or_beginning(text: str) -> None:
    assert understand(CHOICE, text) == HIRING


@pytest.mark.parametrize(
    "text", ["D2?", "2?", "the second one?", "d", "D1 or D2", "neither", "something else: paint it", ""]
)
def test_a_counter_question_or_an_unknown_option_is_left_to_the_model(text: str) -> None:
    assert understand(CHOICE, text) == Unclear()


def test_a_label_that_ends_with_a_question_mark_is_still_a_label() -> None:
    assert understand(CHOICE, "later?") == Answered("Later?", 2)


def test_something_else_is_an_answer_where_the_question_welcomes_it() -> None:
    assert understand(OPEN_CHOICE, "Something else: paint\nit ") == Answered("paint\nit", None)
    assert understand(OPEN_CHOICE, "other: 2") == Answered("2", None)
    assert understand(OPEN_CHOICE, "2") == HIRING
    assert understand(OPEN_CHOICE, "other: " + "x" * MAX_TEXT) == Answered("x" * MAX_TEXT, None)


@pytest.mark.parametrize(
    "text", ["something else", "other: is there more?", "paint it", "other: " + "x" * (MAX_TEXT + 1)]
)
def test_something_else_has_to_be_said(text: str) -> None:
    assert understand(OPEN_CHOICE, text) == Unclear()


@pytest.mark.parametrize("text", ["x", "yes", "2", "x" * MAX_TEXT, "Is it? No."])
@pytest.mark.req("S2-041")
def test_any_text_answers_an_input(text: str) -> None:
    assert understand(INPUT, f" {text}\n") == Answered(text, None)


@pytest.mark.parametrize("text", ["", " \n", "what do you mean?", "what? :smile:", "x" * (MAX_TEXT + 1)])
def test_a_counter_question_answers_no_input(text: str) -> None:
    assert understand(INPUT, text) == Unclear()


def test_what_is_asked_of_an_interrupted_run_is_its_new_instruction() -> None:
    assert understand(replace(INPUT, origin=Origin.INTERRUPT), "could you use B?") == Answered("could you use B?", None)


@pytest.mark.parametrize("text", ["yes", "No!", "👍", "allow this time", "ALWAYS ALLOW", "never allow"])
def test_a_permission_is_given_and_refused_by_click_only(text: str) -> None:
    assert understand(PERMISSION, text) == UseButtons()


@pytest.mark.parametrize(
    "text", ["use the other file", "yes, but the other file", "what does it do?", "wait", "1", "no yes"]
)
def test_any_other_text_to_a_permission_means_wait_with_that_text(text: str) -> None:
    assert understand(PERMISSION, f" {text} ") == Changed(text)


@given(st.sampled_from(ALL), st.text() | st.sampled_from(["yes", "no", "2", "other: x", "?"]))
def test_every_text_is_something_and_spaces_around_it_change_nothing(question: Question, text: str) -> None:
    meant = understand(question, text)
    assert understand(question, f"\n {text}\t") == meant
    if isinstance(meant, Answered):
        assert meant.option is None or meant.option in range(len(question.options))
        assert format_answer(question, meant)


@given(st.sampled_from(["yes", "nope", "sounds good", "d2", "the last one", "D1 EVENING COVER"]), st.data())
def test_case_spaces_and_marks_change_no_answer(text: str, data: st.DataObject) -> None:
    letters = "".join(data.draw(st.sampled_from([char.lower(), char.upper()])) for char in text)
    spaced = letters.replace(" ", data.draw(st.text(alphabet=" \t\n\u00a0", min_size=1, max_size=3)))
    marked = data.draw(st.sampled_from(["{}", "{}.", "{}!!", "*{}*", "“{}”", "{}, please", "oh, {}"])).format(spaced)
    for question in (CONFIRMATION, CHOICE):
        assert understand(question, marked) == understand(question, text)


@pytest.mark.parametrize("question", ALL)
@pytest.mark.parametrize("piece", ["yes, but ", "? ", "other: ", "a\u0323\u0301", "d2 ", " "])
def test_a_million_characters_are_understood_in_linear_time(question: Question, piece: str) -> None:
    """A quadratic rule takes minutes here, and the suite's time limit ends it."""
    meant = understand(question, piece * (1_000_000 // len(piece)))
    assert isinstance(meant, Unclear | Changed | Answered)


@pytest.mark.req("S2-039")
def test_the_buttons_of_a_confirmation_say_yes_and_no() -> None:
    assert read_choice(CONFIRMATION, "yes") == read_choice(CONFIRMATION, "0") == YES
    assert read_choice(CONFIRMATION, "no") == read_choice(CONFIRMATION, "1") == NO
    assert (
        bad_answer(CONFIRMATION, "maybe") == bad_answer(CONFIRMATION, "2") == "The answer must be one of the options."
    )


@pytest.mark.req("S2-040")
def test_the_buttons_of_a_choice_say_the_place_of_the_option() -> None:
    assert read_choice(CHOICE, "1") == HIRING
    assert read_choice(PERMISSION, "3") == Answered("Never allow", 3)
    for value in ("3", "-1", "01", "²", "", "D2 Hiring", "yes", f"{OTHER}paint it"):
        assert bad_answer(CHOICE, value) == "The answer must be one of the options."


@pytest.mark.req("S2-041")
def test_a_form_says_what_was_typed() -> None:
    assert read_choice(INPUT, " some text\n") == Answered("some text", None)
    assert read_choice(INPUT, f"{OTHER}0") == Answered("0", None)
    assert read_choice(OPEN_CHOICE, "paint it") == Answered("paint it", None)
    for value in ("", " ", "x" * (MAX_TEXT + 1)):
        assert bad_answer(INPUT, value) == "The answer must have 1 to 10,000 characters."


def test_a_number_in_the_form_for_something_else_is_no_place() -> None:
    assert read_choice(OPEN_CHOICE, f"{OTHER}1") == Answered("1", None)
    assert read_choice(OPEN_CHOICE, "1") == HIRING


def test_the_model_may_say_which_option_was_meant() -> None:
    assert (
        read_resolution(CHOICE, "D2 Hiring")
        == read_resolution(CHOICE, "2")
        == read_resolution(OPEN_CHOICE, "D2")
        == HIRING
    )
    assert read_resolution(CHOICE, "Later?") == Answered("Later?", 2)
    assert read_resolution(OPEN_CHOICE, "paint it") == Answered("paint it", None)
    assert read_resolution(INPUT, "is it so?") == Answered("is it so?", None)
    assert read_resolution(CONFIRMATION, "yes") == YES
    assert read_resolution(CONFIRMATION, "No") == NO


@pytest.mark.parametrize(
    ("question", "value"),
    [(CHOICE, "D3"), (CHOICE, ""), (CONFIRMATION, "yes, but A2"), (CONFIRMATION, ""), (INPUT, "")],
)
def test_the_model_hears_that_its_reading_is_no_answer(question: Question, value: str) -> None:
    assert bad_answer(question, value, read_resolution).startswith("The answer must ")


def test_the_model_never_gives_a_permission() -> None:
    assert bad_answer(PERMISSION, "Allow this time", read_resolution) == "Only a click answers this."


def test_the_card_shows_the_label_and_of_free_text_one_short_line() -> None:
    assert format_answer(CONFIRMATION, YES) == "Yes"
    assert format_answer(CHOICE, HIRING) == "D2 Hiring"
    assert format_answer(INPUT, Answered("two\n lines", None)) == "two lines"
    assert format_answer(INPUT, Answered("x" * MAX_TEXT, None)) == "x" * (MAX_LABEL - 1) + "…"


def test_it_is_read_back_how_a_reply_was_taken() -> None:
    assert read_back(CHOICE, HIRING) == "I take that as *D2 Hiring*."
    assert read_back(INPUT, Answered("{answer} {0}", None)) == "I take that as *{answer} {0}*."


@given(st.lists(st.text(max_size=100), min_size=2, max_size=5).filter(lambda labels: are_distinct(labels)))
@pytest.mark.req("S2-040")
def test_whatever_the_labels_are_typing_one_is_pressing_its_button(labels: list[str]) -> None:
    question = answer_reading.normalize_question(replace(CHOICE, options=tuple(labels)))
    for place, text in enumerate(question.options):
        assert (
            understand(question, text)
            == read_choice(question, str(place))
            == read_resolution(question, text)
            == Answered(text, place)
        )
