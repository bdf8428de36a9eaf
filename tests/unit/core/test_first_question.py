"""The question that a step begins with: asked with buttons where there is something to choose, and answered as any."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import Role
from app.core.state.interview import Mode, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import QuestionKind, QuestionState
from app.core.state.status import Status
from tests.unit.core.interviews import DRAFTED, MATERIAL, PREPARED, StepThread
from tests.unit.core.threads import OTHER

ASKS = replace(PREPARED, question="Which decision should we focus on?", choices=("D1 Evening cover", "D2 Hiring"))


def asking() -> StepThread:
    return StepThread(prepared=ASKS).posts_cards()


@pytest.mark.req("S0-099")
def test_a_step_asks_below_its_opening_with_a_button_for_each_choice_and_one_for_something_else() -> None:
    step = asking()
    asked = step.card(QuestionCard).question
    assert (asked.kind, asked.prompt, asked.options) == (QuestionKind.CHOICE, ASKS.question, ASKS.choices)
    assert asked.other
    assert [row.role for row in step.transcript] == [Role.ASSISTANT, Role.CARD]
    assert (step.now.status, step.now.lifecycle, step.now.phase) == (
        Status.WAITING_INPUT, Lifecycle.READY, Phase.INTRO,
    )  # fmt: skip


@pytest.mark.parametrize("answer", ["D2", "d2 hiring"])
def test_it_is_answered_by_a_click_and_by_words(answer: str) -> None:
    for step in (asking().clicks("1"), asking().says(answer)):
        assert step.card(QuestionCard).state is not QuestionState.OPEN
        assert (step.now.status, step.now.lifecycle, step.runs) == (Status.ACTIVE, Lifecycle.IN_PROGRESS, True)
        assert step.replies("Then it is hiring.").at == (Lifecycle.IN_PROGRESS, Phase.GATHER, Stage.DISCUSS)


@pytest.mark.parametrize(
    "answer", ["D2, but let me tell you why.", "The second one. Priya decides.", "D2: two people", "D2 Hiring – by May"]
)
def test_an_answer_that_goes_on_after_its_choice_leaves_a_card_that_says_what_was_chosen(answer: str) -> None:
    step = asking().says(answer)
    card = step.card(QuestionCard)
    assert (card.state is QuestionState.OPEN, card.answer, card.mapped) == (False, "D2 Hiring", True)
    assert [row.text for row in step.transcript if row.role is Role.PERSON] == [answer]
    assert (step.now.status, step.runs) == (Status.ACTIVE, True)


@pytest.mark.parametrize("said", ["First, let me tell you what happened.", "1. We are too few", "Two: both are hard"])
def test_a_list_or_a_story_that_begins_with_a_number_chooses_nothing(said: str) -> None:
    assert asking().says(said).card(QuestionCard).state is QuestionState.CANCELLED


def test_whoever_begins_with_something_else_is_heard_and_nothing_waits_for_the_buttons_any_more() -> None:
    step = asking().says("First I want to tell you what happened.")
    assert (step.runs, step.now.status) == (True, Status.ACTIVE)
    assert step.card(QuestionCard).state is QuestionState.CANCELLED
    assert step.replies("Tell me.").answers("I see.", ready=True).now.phase is Phase.EXTRACT


def test_somebody_else_does_not_take_the_buttons_away() -> None:
    assert asking().says("I think D1.", OTHER).now.status is Status.WAITING_INPUT


def test_where_nobody_answers_or_nothing_can_be_chosen_nothing_is_asked() -> None:
    assert StepThread(prepared=replace(ASKS, choices=())).now.question is None
    assert StepThread(prepared=ASKS, mode=Mode.DIRECT).now.question is None
    assert StepThread(prepared=ASKS, material=MATERIAL, mode=Mode.DIRECT).now.question is None
    example = StepThread(prepared=ASKS, example_draft=DRAFTED, example=True)
    assert (example.now.question, example.now.approved) == (None, 1)
