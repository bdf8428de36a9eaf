"""What the owner says outright, before any answer (C-05, S0-216): that this was all, or that the notes be shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import NotesCard, QuestionCard, StepCard
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.effect import PostEphemeral
from app.core.copy import decision_steps
from app.core.events.acts import SummaryRequested
from app.core.state.interview import InterviewCommand, JudgedDraft, Mode, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import QuestionKind, QuestionState
from app.core.state.status import Status, TurnState
from tests.unit.core.interviews import (
    DRAFTED,
    EXTRACTING,
    GATHERING,
    IN_PHASE,
    LACKING,
    MATERIAL,
    PREPARED,
    READY,
    StepThread,
    confirming,
    drafted,
    extracting,
    gathering,
)
from tests.unit.core.threads import OTHER


def shows(step: StepThread, *, typed: bool, notes: JudgedDraft | None = LACKING) -> StepThread:
    """The owner wants to see the notes so far."""
    if typed:
        return step.says("Show me what you've captured", signal=InterviewCommand.SHOW, notes=notes)
    return step.does(SummaryRequested, signal=InterviewCommand.SHOW, notes=notes)


@pytest.mark.req("S0-216", "S4-010", "S0-214")
@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("phase", [Phase.INTRO, Phase.GATHER, Phase.CLARIFY])
def test_the_owner_ends_the_discussion_by_word_or_button(phase: Phase, typed: bool) -> None:
    step = IN_PHASE[phase]()
    step = step.says("done", signal=InterviewCommand.DONE) if typed else step.signals()
    assert step.at == EXTRACTING
    assert step.reply.stage is Stage.SUMMARIZE
    assert step.runs


@pytest.mark.req("FA-18", "S0-216")
@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("phase", [Phase.INTRO, Phase.GATHER, Phase.CLARIFY])
def test_the_notes_are_shown_and_the_talk_goes_on_where_it_was(phase: Phase, typed: bool) -> None:
    step = IN_PHASE[phase]()
    at, asked = step.at, step.now.asked
    shows(step, typed=typed)
    assert (step.at, step.now.asked, step.runs) == (at, asked, False)
    assert not step.new(PostEphemeral)
    card = step.card(NotesCard)
    assert (card.title, card.sheet, card.missing) == (PREPARED.title, LACKING.sheet, LACKING.missing)
    assert step.shown(NotesCard).seq not in step.now.cards, "it never changes"


@pytest.mark.req("FA-18")
@pytest.mark.parametrize("typed", [True, False])
def test_who_wants_to_see_the_notes_before_there_are_any_is_told_so(typed: bool) -> None:
    step = shows(gathering(), typed=typed, notes=None)
    assert (step.at, step.runs) == (GATHERING, False)
    assert [told.text for told in step.new(PostEphemeral)] == [decision_steps.NOTHING_NOTED]
    assert not [row for row in step.transcript if row.card]


@pytest.mark.req("FA-18")
def test_the_notes_can_be_shown_while_an_answer_is_given_and_that_goes_on() -> None:
    step = shows(gathering().says("And O2?"), typed=False)
    assert step.card(NotesCard).sheet == LACKING.sheet
    assert (step.runs, step.lead.wanted) == (True, False)
    assert step.replies("Which one?").at == GATHERING


@pytest.mark.req("S4-004")
def test_whoever_neither_says_done_nor_calls_for_it_goes_on_talking() -> None:
    assert gathering().answers("Tell me.").at == GATHERING
    assert gathering().answers("I have it.", READY).at == EXTRACTING
    assert gathering().answers("Tell me.").signals().at == EXTRACTING


@pytest.mark.req("S4-004")
def test_somebody_elses_done_ends_nothing() -> None:
    step = gathering().says("done", OTHER, signal=InterviewCommand.DONE)
    assert step.at == GATHERING
    assert step.answers("Tell me.").at == GATHERING


@pytest.mark.req("S4-004")
def test_the_owners_other_words_end_nothing() -> None:
    assert gathering().says("I'm not done").replies("Tell me.").at == GATHERING


@pytest.mark.req("S4-029")
def test_the_owners_word_and_the_models_call_lead_to_the_same() -> None:
    by_owner, by_model = gathering().signals(), gathering().answers("I have it.", READY)
    assert by_owner.at == by_model.at
    assert replace(by_owner.lead, discussed=0) == replace(by_model.lead, discussed=0)


def test_there_is_nothing_to_summarise_before_the_first_word() -> None:
    for step in (StepThread().signals(), StepThread().says("done", signal=InterviewCommand.DONE)):
        assert step.now.phase is Phase.INTRO
        assert [told.text for told in step.new(PostEphemeral)] == [decision_steps.NOTHING_TO_SUMMARISE]
        assert not step.runs


def test_past_intro_the_owner_may_have_a_summary_of_what_others_said() -> None:
    step = (
        StepThread()
        .says("done", signal=InterviewCommand.DONE)
        .says("Evenings!", OTHER)
        .restarts(Phase.GATHER)
        .replies()
    )
    assert not step.lead.has_content
    assert step.signals().at == EXTRACTING


def test_a_summary_that_is_wanted_while_an_answer_is_given_begins_when_that_is_over() -> None:
    step = gathering().says("And O2?").signals()
    assert (step.at, step.reply.stage) == (GATHERING, Stage.NONE)
    assert [told.text for told in step.new(PostEphemeral)] == [decision_steps.AFTER_THIS_ANSWER]
    step.replies("Which one?")
    assert step.at == EXTRACTING


@pytest.mark.parametrize("status", [MessageStatus.FAILED, MessageStatus.INTERRUPTED, MessageStatus.REFUSED])
def test_it_begins_also_if_that_answer_came_to_nothing(status: MessageStatus) -> None:
    assert gathering().says("And O2?").signals().replies("", status=status).at == EXTRACTING
    assert gathering().says("And O2?").signals().stops().at == EXTRACTING
    assert gathering().says("And O2?").signals().gives_up().at == EXTRACTING


def test_who_asks_for_a_summary_that_is_being_made_is_told_so() -> None:
    step = extracting().signals()
    assert step.at == EXTRACTING
    assert [told.text for told in step.new(PostEphemeral)] == [decision_steps.ALREADY_WORKING]
    assert step.now.run is TurnState.STREAMING


@pytest.mark.req("S0-216")
@pytest.mark.parametrize("signal", [InterviewCommand.DONE, InterviewCommand.SHOW])
def test_after_more_talk_the_draft_is_shown_once_more_below_and_the_former_card_says_so(
    signal: InterviewCommand,
) -> None:
    step = confirming()
    first = step.shown(StepCard)
    step.says("Why is evening first?").replies("You said so.").says("done", signal=signal)
    assert step.at == (Lifecycle.CONFIRMED, Phase.CONFIRM, Stage.NONE)
    assert step.rows[first.seq].status is MessageStatus.COMPLETE
    assert step.shown(StepCard).seq > first.seq
    assert (step.waits.draft, step.waits.edition) == (1, step.lead.edition)
    assert not step.runs
    former = step.rows[first.seq].card
    assert isinstance(former, StepCard)
    assert (former.repeated, step.waits.repeated) == (True, False)


@pytest.mark.req("S0-216")
@pytest.mark.parametrize("typed", [True, False])
def test_the_end_of_a_talk_whose_draft_stands_right_above_points_to_it_and_shows_no_other(typed: bool) -> None:
    for found, words in (
        (drafted(), decision_steps.WAITS_ABOVE.format(approve=PREPARED.approve)),
        (LACKING, decision_steps.LACKS_ABOVE.format(list="a measure of O1 &lt;Faster response&gt;.")),
    ):
        step = confirming(found)
        first = step.shown(StepCard)
        step = step.says("done", signal=InterviewCommand.DONE) if typed else step.signals()
        assert [told.text for told in step.new(PostEphemeral)] == [words]
        assert (step.shown(StepCard), step.runs, step.at[1]) == (first, False, Phase.CONFIRM)


@pytest.mark.parametrize("typed", [True, False])
def test_who_asks_to_see_the_draft_that_waits_is_shown_it_wherever_it_stands(typed: bool) -> None:
    step = confirming()
    first = step.shown(StepCard).seq
    assert shows(step, typed=typed).shown(StepCard).seq > first


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
