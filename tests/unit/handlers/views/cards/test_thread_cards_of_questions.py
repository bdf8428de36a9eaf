"""Questions in Slack: what can be pressed, what is said, and that Slack takes every one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import QuestionCard
from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.pending.answer_reading import MAX_PROMPT, normalize_question
from app.core.state.question import Question, QuestionKind, QuestionState
from handlers.slack import action_ids
from handlers.slack.action_ids import ANSWER_BUTTONS
from handlers.views.cards.thread_cards import SECTION_CHARS
from handlers.views.kit.blocks import LABEL_CHARS, RenderedMessage
from tests.unit.handlers.shown import AT, AT_0244, HARD, controls, markup, pressed, said, show, small

CHOICE = Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which decision do we focus on?", options=("D1", "D2"))
CONFIRMATION = Question(id="1.2", kind=QuestionKind.CONFIRMATION, prompt="Shall I?", options=("Yes", "No"))
INPUT = Question(id="1.2", kind=QuestionKind.INPUT, prompt="By when?")


def ask(question: Question, **changes: Any) -> RenderedMessage:
    return show(QuestionCard(question=question, owner="U1", **changes))


# --- questions --------------------------------------------------------------------------------------


@pytest.mark.req("S2-040", "S2-053")
def test_a_choice_mentions_who_is_asked_and_has_a_button_for_each_option() -> None:
    rendered = ask(CHOICE)
    assert rendered.text == "❓ <@U1> Which decision do we focus on?"
    assert said(rendered) == [rendered.text]
    assert pressed(rendered) == [("D1", "answer:0", "12:0"), ("D2", "answer:1", "12:1")]
    assert small(rendered) == ["Or reply with your answer."]


def test_of_the_options_of_a_choice_none_is_recommended() -> None:
    assert not any("style" in control for control in controls(ask(CHOICE)))


def test_a_choice_that_welcomes_something_else_opens_a_form_for_it() -> None:
    rendered = ask(replace(CHOICE, other=True))
    assert pressed(rendered)[-1] == (texts.SOMETHING_ELSE, action_ids.ANSWER_FORM, "12")


@pytest.mark.req("S2-040")
def test_more_options_than_fit_in_a_row_of_buttons_are_a_select() -> None:
    labels = tuple(f"Plan {number}" for number in range(len(ANSWER_BUTTONS) + 1))
    select, other = controls(ask(replace(CHOICE, options=labels, other=True)))
    assert (select["type"], select["action_id"]) == ("static_select", action_ids.ANSWER_SELECT)
    assert [(o["text"]["text"], o["value"]) for o in select["options"]] == [
        (label, f"12:{place}") for place, label in enumerate(labels)
    ]
    assert other["action_id"] == action_ids.ANSWER_FORM


def test_four_options_are_still_buttons() -> None:
    assert len(pressed(ask(replace(CHOICE, options=("a", "b", "c", "d"))))) == len(ANSWER_BUTTONS)


@pytest.mark.req("S2-039", "M-006", "S2-053")
def test_a_confirmation_is_two_buttons_and_the_first_stands_out() -> None:
    rendered = ask(CONFIRMATION)
    assert pressed(rendered) == [("Yes", "answer:0", "12:0"), ("No", "answer:1", "12:1")]
    assert [control.get("style") for control in controls(rendered)] == ["primary", None]
    assert small(rendered) == ["Or reply yes or no."]


@pytest.mark.req("AG-17")
@pytest.mark.parametrize("question", [CHOICE, CONFIRMATION, INPUT])
def test_a_question_for_which_nothing_is_paused_does_not_say_so(question: Question) -> None:
    assert "pause" not in " ".join((*said(ask(question)), *small(ask(question)))).lower()


@pytest.mark.req("S2-041", "S2-053")
def test_an_input_is_answered_in_a_form_or_in_the_thread() -> None:
    rendered = ask(INPUT)
    assert pressed(rendered) == [(texts.ANSWER, action_ids.ANSWER_FORM, "12")]
    assert small(rendered) == ["Or just reply here."]


def test_a_prompt_pings_nobody_but_the_owner_and_hides_no_link() -> None:
    (sentence,) = said(ask(replace(INPUT, prompt="<!channel> @here <@U2> *now* [here](javascript:x) a < b & c")))
    assert sentence.startswith("❓ <@U1> ")
    rest = sentence.removeprefix("❓ <@U1> ")
    assert "<" not in rest
    assert "@here" not in rest
    assert "@channel" not in rest
    assert "a &lt; b &amp; c" in rest


def test_a_prompt_that_its_escapes_make_too_long_is_shown_whole_without_them() -> None:
    prompt = "&" * MAX_PROMPT
    assert said(ask(replace(INPUT, prompt=prompt))) == ["❓ <@U1> ", prompt]


def test_the_longest_prompt_stands_beside_the_mention() -> None:
    assert said(ask(replace(INPUT, prompt="x" * MAX_PROMPT))) == [f"❓ <@U1> {'x' * MAX_PROMPT}"]


# --- closed questions -------------------------------------------------------------------------------


def test_an_answered_question_tells_what_by_whom_and_when_and_can_be_pressed_no_more() -> None:
    rendered = ask(CHOICE, state=QuestionState.ANSWERED, answer="D1 Evening cover", by="U1", at=AT)
    assert controls(rendered) == []
    assert small(rendered) == [f"✅ *D1 Evening cover* · <@U1> · {AT_0244}"]
    assert said(rendered) == ["❓ <@U1> Which decision do we focus on?"]


def test_an_answer_that_the_model_understood_says_how_it_was_taken() -> None:
    rendered = ask(CHOICE, state=QuestionState.ANSWERED, answer="D2", by="U1", at=AT, mapped=True)
    assert small(rendered) == [f"✅ *D2* · <@U1> · {AT_0244} · taken from your message"]


def test_an_answer_whose_message_was_edited_stays_and_says_so() -> None:
    rendered = ask(CHOICE, state=QuestionState.ANSWERED, answer="D2 Hiring", by="U1", at=AT, outdated=True)
    assert small(rendered) == [f"✅ *D2 Hiring* · <@U1> · {AT_0244} · the message was changed afterwards"]


def test_an_answer_pings_nobody() -> None:
    (line,) = small(ask(CHOICE, state=QuestionState.ANSWERED, answer="<!here> <@U2>", by="U1", at=AT))
    assert line.count("<") == 2  # whose answer it was, and when


def test_a_long_answer_is_shown_whole_because_a_form_leaves_it_nowhere_else() -> None:
    answer = "x" * SECTION_CHARS
    rendered = ask(INPUT, state=QuestionState.ANSWERED, answer=answer, by="U1", at=AT)
    assert said(rendered)[1:] == [answer]
    assert small(rendered) == [f"✅ <@U1> · {AT_0244}"]


def test_an_answer_of_two_lines_is_no_label() -> None:
    rendered = ask(INPUT, state=QuestionState.ANSWERED, answer="Eleven vans,\ntwo drivers", by="U1", at=AT)
    assert said(rendered)[1:] == ["Eleven vans,\ntwo drivers"]


def test_an_answer_that_is_longer_than_a_form_takes_was_typed_and_is_cut() -> None:
    rendered = ask(INPUT, state=QuestionState.ANSWERED, answer="x" * 10_000, by="U1", at=AT)
    assert said(rendered)[1:] == ["x" * (SECTION_CHARS - 1) + "…"]


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (QuestionState.SUPERSEDED, "A newer question replaced this one."),
        (QuestionState.CANCELLED, "No answer is needed any more."),
    ],
)
def test_a_question_that_needs_no_answer_says_why_and_can_be_pressed_no_more(state: QuestionState, line: str) -> None:
    rendered = ask(CHOICE, state=state, at=AT)
    assert (small(rendered), controls(rendered)) == ([line], [])


# --- whatever is asked ---


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Any question that can be put."""
    kind = draw(st.sampled_from(QuestionKind))
    options = draw(st.lists(HARD, min_size=2, max_size=10)) if kind is QuestionKind.CHOICE else []
    prompt = draw(HARD)[:MAX_PROMPT]
    asked = Question(id="q", kind=kind, prompt=prompt, options=tuple(options), other=draw(st.booleans()))
    try:
        return normalize_question(asked)
    except IllegalEvent:
        return CHOICE


@given(questions(), st.sampled_from(QuestionState), st.integers(1, 10**9 - 1))
def test_slack_takes_every_question_and_no_option_is_lost(question: Question, state: QuestionState, seq: int) -> None:
    card = QuestionCard(question=question, owner="U0LONGER01", state=state, answer=question.prompt, by="U1", at=AT)
    rendered = show(card, seq)
    assert markup(rendered) <= {"<@U0LONGER01>", "<@U1>", AT_0244}
    if state is not QuestionState.OPEN:
        return
    offered = [(c["text"]["text"], c["value"]) for c in controls(rendered) if c["type"] == "button"]
    offered += [(o["text"]["text"], o["value"]) for c in controls(rendered) for o in c.get("options", ())]
    for place, label in enumerate(question.options):
        assert (label, f"{seq}:{place}") in offered
        assert len(label) <= LABEL_CHARS
    forms = [c for c in controls(rendered) if c["action_id"] == action_ids.ANSWER_FORM]
    assert len(forms) == (question.other or question.kind is QuestionKind.INPUT)
