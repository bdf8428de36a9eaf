"""The interview of a step, from its opening to its summary (T2, T3): what each turn leads to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.call import SummaryRefused
from app.core.conversation.card import GroundCard
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.effect import FinishReply, PostEphemeral, RunTurn, ShowCard
from app.core.copy import decision_steps
from app.core.decisions import interview_turns
from app.core.events.acts import SummaryRequested
from app.core.state.goal import GoalState
from app.core.state.interview import InterviewCommand, MissingGround, Mode, Phase, SourceMessage, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Kind, Status
from tests.unit.core import interviews
from tests.unit.core.interviews import (
    CLARIFYING,
    CONFLICT,
    DRAFT,
    EXTRACTING,
    FLAGGED,
    GATHERING,
    HUB,
    IN_PHASE,
    MILD,
    OTHER_DRAFT,
    PREPARED,
    READY,
    SETTLED,
    StepThread,
    clarifying,
    gathering,
    ready,
    reopened,
    started,
)
from tests.unit.core.live import CHOICE, CONFIRMATION, Live
from tests.unit.core.threads import OTHER, OWNER


@pytest.fixture
def step() -> StepThread:
    return gathering()


@pytest.mark.req("S0-049", "S0-051", "S0-052")
def test_a_step_is_ready_when_its_opening_is_said_and_waits_for_its_owner() -> None:
    step = StepThread()
    (opening,) = step.transcript
    assert (opening.role, opening.text, opening.status) == (Role.ASSISTANT, PREPARED.opening, MessageStatus.COMPLETE)
    assert [effect.reply for effect in step.new(FinishReply)] == [opening.seq]
    assert step.at == (Lifecycle.READY, Phase.INTRO, Stage.DISCUSS)
    assert step.told == ["started"]
    assert not step.runs


@pytest.mark.req("NC-09")
def test_a_step_whose_ground_is_missing_shows_the_way_to_it_below_its_opening() -> None:
    lacking = replace(PREPARED, lacks=MissingGround(title="Alternatives", thread=HUB))
    step = StepThread(prepared=lacking)
    opening, card = step.transcript
    assert (opening.role, card.card) == (
        Role.ASSISTANT,
        GroundCard(step=MissingGround(title="Alternatives", thread=HUB), decision=HUB),
    )
    assert [effect.card for effect in step.new(ShowCard)] == [card.seq]
    assert [row.card for row in StepThread(prepared=lacking, mode=Mode.DIRECT).transcript if row.card] == []


@pytest.mark.req("S0-062")
def test_an_opening_costs_no_generation() -> None:
    assert StepThread().new(RunTurn) == []
    assert StepThread().transcript[0].content == ""


@pytest.mark.req("S0-003")
def test_a_thread_leads_one_step_and_never_becomes_another() -> None:
    step = StepThread()
    assert (step.now.kind, step.lead.component, step.lead.decision) == (Kind.COMPONENT, "objectives", HUB)
    assert step.refuses(started(step, component="alternatives")) == "STALE_RUN"
    assert step.lead.component == "objectives"


@pytest.mark.req("S0-014")
def test_the_versions_of_prompt_and_schema_are_kept_with_the_conversation() -> None:
    prepared = StepThread().lead.prepared
    assert (prepared.prompt_version, prepared.schema_version) == ("3", "1")


def test_what_somebody_wrote_before_the_step_was_set_up_is_answered_and_counts() -> None:
    early = Live().says("It is about evenings.", opens=True)
    step = StepThread(early.now, begins=False)
    step.rows |= early.rows
    begun = started(step)
    step.apply(begun, begun.receipt)
    assert [row.text for row in step.transcript][0::2] == ["It is about evenings.", PREPARED.opening]
    assert (step.now.goals, step.now.title) == (GoalState(), "Objectives")
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.INTRO, Stage.DISCUSS)
    assert step.replies("Noted.").at == GATHERING
    assert step.signals().at == EXTRACTING


@pytest.mark.req("S0-053")
def test_the_first_message_of_the_owner_begins_the_step_and_a_turn() -> None:
    step = StepThread().says("It is about evenings.")
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.INTRO, Stage.DISCUSS)
    assert step.runs


def test_what_others_say_does_not_begin_a_step() -> None:
    step = StepThread().says("I know something.", OTHER)
    assert step.at == (Lifecycle.READY, Phase.INTRO, Stage.DISCUSS)
    assert not step.runs


@pytest.mark.req("S0-071", "S0-255")
def test_intro_ends_when_the_first_message_has_been_answered_and_not_before() -> None:
    step = StepThread().says("It is about evenings.")
    assert (step.now.phase, step.hops) == (Phase.INTRO, [])
    step.replies("Which evenings?")
    assert (step.at, step.hops) == (GATHERING, [("intro", "gather")])


def test_a_turn_that_failed_leaves_an_interview_where_it_is() -> None:
    for phase in (Phase.INTRO, Phase.GATHER, Phase.CLARIFY, Phase.CONFIRM):
        step = IN_PHASE[phase]().says("And?").fails()
        assert (step.now.phase, step.hops) == (phase, [])


@pytest.mark.req("S0-072", "S0-055")
def test_gather_goes_on_until_it_is_enough() -> None:
    step = gathering().answers("And?").answers("And?")
    assert (step.at, step.hops) == (GATHERING, [])


@pytest.mark.req("S0-074", "S0-215")
def test_what_is_enough_is_summarised_as_soon_as_the_answer_asks_nothing() -> None:
    step = gathering().answers("Then I have it all.", ready=True)
    assert (step.at, step.hops) == (EXTRACTING, [("gather", "extract")])
    assert step.runs


@pytest.mark.parametrize("answer", ["And what else?", "Was noch?  ", "还有吗？"])
def test_an_answer_that_asks_something_goes_on_however_much_is_known(answer: str) -> None:
    step = gathering().answers(answer, ready=True)
    assert step.at == GATHERING
    assert step.transcript[-1].offers, "it offers to sum up"


@pytest.mark.req("FA-01")
@pytest.mark.parametrize(
    "answer", ["**What else?**", "Who has to agree? Take your time.", "Noted.\n\nWhich one?\n\n- the hall\n- the van"]
)
def test_an_answer_that_asks_is_not_talked_over_by_the_summary_that_the_model_calls_for_beside_it(answer: str) -> None:
    step = gathering().answers(answer, READY, ready=True)
    assert step.at == GATHERING
    assert not step.runs
    assert step.answers("Thank you.", READY).at == EXTRACTING


@pytest.mark.req("FA-01")
def test_a_question_with_buttons_is_put_though_a_summary_is_called_for_and_the_summary_waits() -> None:
    step = gathering().answers("Let me put that together.", CHOICE, READY, ready=True).posts_cards()
    assert (step.at, step.now.status) == (GATHERING, Status.WAITING_INPUT)
    assert not step.runs
    assert step.clicks("0").replies("Then I have it all.", READY).at == EXTRACTING


@pytest.mark.req("FA-01")
def test_a_question_before_tool_calls_counts_though_more_text_follows() -> None:
    step = gathering().says("And dark.").replies("Who pays?\n\nNoted.", READY, ready=True, asks=True)
    assert step.at == GATHERING


@pytest.mark.req("FA-02")
def test_a_gap_that_the_model_was_told_of_is_remembered_until_a_summary_begins() -> None:
    step = gathering().answers("I see.", SummaryRefused(missing=("a name",)))
    assert (step.at, step.lead.refused_gap) == (GATHERING, ("a name",))
    step.answers("Then I have it all.", READY)
    assert (step.at, step.lead.refused_gap) == (EXTRACTING, ())


@pytest.mark.req("FA-01")
def test_the_owner_ends_the_talk_whatever_is_asked() -> None:
    assert gathering().answers("What else?").signals().at == EXTRACTING
    step = gathering().says("That is all I know.")
    assert step.signals().now.phase is Phase.GATHER, "the answer is still being written"
    assert step.replies("What else?").at == EXTRACTING
    assert gathering().answers("Which?", CHOICE).posts_cards().signals().at == EXTRACTING


def test_below_later_answers_a_step_that_holds_something_offers_to_sum_up_though_much_is_missing(
    step: StepThread,
) -> None:
    assert not step.transcript[-1].offers, "the opening is still in sight"
    assert step.answers("And?").transcript[-1].offers


def test_below_the_first_answer_in_a_step_that_is_discussed_once_more_it_offers_to_sum_up() -> None:
    assert reopened().transcript[-1].offers


def test_one_more_turn_is_needed_if_the_first_message_already_says_it_all() -> None:
    step = StepThread().answers("Noted.", ready=True)
    assert step.at == GATHERING
    assert step.answers("Noted.", ready=True).at == EXTRACTING


@pytest.mark.req("S4-011")
def test_the_model_ends_the_discussion_when_it_has_all_it_needs() -> None:
    step = gathering().answers("Let me put that together.", READY)
    assert (step.at, step.hops) == (EXTRACTING, [("gather", "extract")])


def test_the_model_can_end_it_with_the_very_first_answer() -> None:
    step = StepThread().answers("Let me put that together.", READY)
    assert (step.at, step.hops) == (EXTRACTING, [("intro", "gather"), ("gather", "extract")])


def test_there_is_no_summary_of_nothing_whatever_the_model_says() -> None:
    step = IN_PHASE[Phase.INTRO]()
    step.now = replace(step.now, interview=replace(step.lead, has_content=False))
    step.restarts(Phase.INTRO).replies("Let me put that together.", READY)
    assert step.now.phase is Phase.GATHER
    assert step.path("illegal_transition") == [("active", "active")]


@pytest.mark.req("S0-073", "S0-018")
def test_what_does_not_fit_is_clarified() -> None:
    step = gathering().answers("These do not fit.", FLAGGED)
    assert (step.at, step.hops) == (CLARIFYING, [("gather", "clarify")])
    assert step.lead.inconsistencies == (CONFLICT,)


def test_what_does_not_fit_in_the_first_message_is_judged_with_the_next_turn() -> None:
    step = StepThread().answers("These do not fit.", FLAGGED)
    assert (step.at, step.lead.inconsistencies) == (GATHERING, (CONFLICT,))
    assert step.answers("Which is it?").at == CLARIFYING


@pytest.mark.req("S0-075")
def test_clarify_leads_back_when_it_is_settled() -> None:
    step = clarifying().answers("And?")
    assert step.at == CLARIFYING, "still open"
    step.answers("I see.", SETTLED)
    assert (step.at, step.hops) == (GATHERING, [("clarify", "gather")])
    assert step.lead.inconsistencies == ()


@pytest.mark.req("S0-076")
def test_clarify_leads_to_a_summary_if_that_was_all() -> None:
    step = clarifying().answers("I see.", SETTLED, ready=True)
    assert (step.at, step.hops) == (EXTRACTING, [("clarify", "extract")])


def test_another_conflict_while_one_is_clarified_is_logged_by_way_of_gather() -> None:
    other = replace(FLAGGED, found=replace(CONFLICT, about="O2"))
    step = clarifying().answers("This does not fit either.", other)
    assert (step.at, step.hops) == (CLARIFYING, [("clarify", "gather"), ("gather", "clarify")])
    again = replace(FLAGGED, found=replace(CONFLICT, one="It is the only one that matters."))
    step.answers("Once more.", again)
    assert [each.about for each in step.lead.inconsistencies] == ["O2", "O1"]
    assert step.hops == []


@pytest.mark.req("S0-080")
def test_readiness_is_tested_before_inconsistency_unless_that_blocks() -> None:
    assert gathering().answers("Noted.", MILD, ready=True).at == EXTRACTING
    assert gathering().answers("Noted.", FLAGGED, ready=True).at == CLARIFYING
    assert clarifying().answers("Noted.", ready=True).at == CLARIFYING


def test_a_conflict_blocks_neither_the_owners_wish_nor_the_last_turn() -> None:
    assert clarifying().signals().at == EXTRACTING
    step = clarifying()
    while step.lead.discussed < PREPARED.max_turns - 1:
        step.answers("And?")
    assert step.answers("I see.").at == EXTRACTING


@pytest.mark.req("S4-012")
def test_the_longest_discussion_ends_in_a_summary() -> None:
    step = StepThread()
    for _ in range(PREPARED.max_turns - 1):
        step.answers("And?")
    assert step.at == GATHERING
    assert step.answers("I see.").at == EXTRACTING


def near_the_end() -> StepThread:
    """A talk of which three turns are left."""
    step = StepThread()
    while step.lead.discussed < PREPARED.max_turns - 3:
        assert step.answers("I see.").at[1] is Phase.GATHER
    return step


@pytest.mark.req("FA-01", "FA-32")
def test_no_answer_that_asks_is_the_last_however_long_the_talk_has_been() -> None:
    step = near_the_end().answers("I see.").answers("I see.").answers("And who pays?")
    assert (step.lead.discussed, step.at) == (PREPARED.max_turns, GATHERING)
    step.answers("**And who else?**")
    assert (step.at, step.transcript[-1].turns_left) == (GATHERING, 1)
    assert step.answers("I see.").at == EXTRACTING


@pytest.mark.req("FA-01", "FA-32")
def test_a_question_with_buttons_is_never_talked_over_by_the_end_of_a_long_talk() -> None:
    step = near_the_end().answers("I see.").answers("I see.").answers("Pick one.", CHOICE)
    assert (step.lead.discussed, step.at) == (PREPARED.max_turns, GATHERING)


@pytest.mark.req("FA-32")
def test_the_end_of_the_talk_is_said_three_turns_before_and_from_then_on() -> None:
    step = StepThread()
    said: list[int] = []
    while step.answers("I see.").now.phase is Phase.GATHER:
        said.append(step.transcript[-1].turns_left)
    assert said == [0] * (PREPARED.max_turns - 4) + [3, 2, 1]


@pytest.mark.req("FA-32")
def test_who_keeps_talking_has_ten_more_turns_however_often_it_is_pressed() -> None:
    step = near_the_end()
    for told in (decision_steps.GOES_ON.format(count=10), decision_steps.GOES_ON_ALREADY):
        step.signals(InterviewCommand.KEEP_TALKING)
        assert [each.text for each in step.new(PostEphemeral)] == [told]
    while step.answers("I see.").now.phase is Phase.GATHER:
        assert step.lead.discussed < PREPARED.max_turns + 10
    assert (step.lead.discussed, step.at) == (PREPARED.max_turns + 10, EXTRACTING)
    step.signals(InterviewCommand.KEEP_TALKING)
    assert [each.text for each in step.new(PostEphemeral)] == [decision_steps.ENDED_ALREADY]


def test_a_discussion_that_is_longest_at_once_passes_gather() -> None:
    step = StepThread(prepared=replace(PREPARED, max_turns=1)).answers("I see.")
    assert step.hops == [("intro", "gather"), ("gather", "extract")]


def test_while_a_question_waits_no_summary_begins_by_itself() -> None:
    step = StepThread(prepared=replace(PREPARED, max_turns=1)).answers("Which?", CHOICE, READY, ready=True)
    assert (step.at, step.now.status) == (GATHERING, Status.WAITING_INPUT)
    assert gathering().answers("Which?", FLAGGED, CHOICE, ready=True).at == CLARIFYING


def test_the_answer_by_a_button_is_something_said() -> None:
    step = IN_PHASE[Phase.INTRO]()
    step.now = replace(step.now, interview=replace(step.lead, has_content=False))
    step.restarts(Phase.INTRO).replies("Which?", CHOICE).posts_cards().clicks("0")
    assert (step.lead.has_content, step.now.status) == (True, Status.ACTIVE)
    assert step.transcript[-2].text == "D1 Evening cover"
    assert step.runs


@pytest.mark.parametrize("said", ["1", "something else: both"])
def test_a_question_of_the_model_takes_a_typed_answer_first(said: str) -> None:
    asked = replace(CHOICE, other=True)
    step = gathering().answers("Which?", asked).posts_cards().says(said)
    assert (step.now.question, step.now.phase, step.runs) == (None, Phase.GATHER, True)


def test_a_yes_but_answers_a_question_of_the_model_in_its_own_words() -> None:
    step = gathering().answers("Shall we?", CONFIRMATION).posts_cards().says("yes, but only evenings")
    assert (step.now.question, step.now.phase, step.runs) == (None, Phase.GATHER, True)


# What the model notes


def test_a_draft_is_noted_with_the_turn_that_made_it(step: StepThread) -> None:
    step.answers("Noted.", step.notes())
    assert (step.lead.draft, step.lead.edition, step.lead.drafted) == (DRAFT, 1, None)


def test_what_was_noted_of_an_older_draft_is_dropped_and_said_so_in_the_trail(step: StepThread) -> None:
    stale = replace(step.notes(OTHER_DRAFT), edition=step.lead.edition - 1)
    step.answers("Noted.", stale)
    assert (step.lead.draft, step.lead.edition) == ({}, 0)
    assert [event.reason for event in step.made.audit if event.type == "illegal_transition"] == ["STALE_RUN"]


@pytest.mark.req("FA-18")
def test_what_a_reply_has_noted_counts_while_it_is_written_but_not_what_it_noted_of_an_older_draft() -> None:
    step = gathering().says("O2?")
    stale = replace(step.notes(OTHER_DRAFT), edition=step.lead.edition - 1)
    noted = interview_turns.take_in_notes(step.now, replace(step.reply, calls=(step.notes(), MILD, stale)))
    assert noted.interview == replace(step.lead, draft=DRAFT, edition=1)


def test_a_turn_that_was_stopped_has_noted_nothing(step: StepThread) -> None:
    step.says("O2?").replies("Noted", step.notes(), READY, status=MessageStatus.CANCELLED)
    assert (step.lead.draft, step.at) == ({}, GATHERING)


@pytest.mark.req("AG-02")
def test_what_the_finished_rounds_of_a_stopped_turn_have_noted_stays_and_what_came_too_late_is_dropped(
    step: StepThread,
) -> None:
    stale = replace(step.notes(OTHER_DRAFT), edition=step.lead.edition - 1)
    stopped: dict[str, Any] = {"status": MessageStatus.CANCELLED, "unfinished": True}
    step.says("O2?").replies("Noted", step.notes(), stale, **stopped)
    assert (step.lead.draft, step.at) == (DRAFT, GATHERING)


def test_a_draft_that_waits_for_approval_is_not_changed_by_a_turn_that_was_stopped() -> None:
    step = interviews.confirming()
    before = step.lead
    step.says("O2?").replies("Noted", step.notes(), status=MessageStatus.CANCELLED, unfinished=True)
    assert (step.lead.drafted, step.lead.draft) == (before.drafted, before.draft)
    assert decision_steps.NOT_NOTED_FOR_MODEL in [row.text for row in step.transcript]


def test_the_turns_of_a_step_that_is_discussed_once_more_are_counted_anew() -> None:
    assert reopened().lead.discussed == 1


def test_an_answer_below_an_open_question_points_at_it_and_still_offers_to_sum_up() -> None:
    step = gathering().answers("Which?", CHOICE).posts_cards()
    step.says("What do you mean?").replies("One of the two.", ready=True)
    assert step.transcript[-1].still_open
    assert step.transcript[-1].offers


def test_a_question_that_is_asked_without_a_word_has_no_message_of_buttons_above_it() -> None:
    step = gathering().answers("And?").answers("", CHOICE, ready=True)
    assert not step.transcript[-2].offers
    assert gathering().answers("And?").answers("Then choose:", CHOICE, ready=True).transcript[-2].offers


@pytest.mark.req("AG-06")
def test_a_step_drafted_without_people_is_led_with_them_as_soon_as_one_speaks() -> None:
    step = StepThread(mode=Mode.DIRECT)
    assert step.lead.mode is Mode.DIRECT
    step.says("Oslo is too far")
    assert step.lead.mode is Mode.INTERACTIVE


@pytest.mark.req("AG-06")
@pytest.mark.parametrize("phase", [Phase.INTRO, Phase.GATHER, Phase.CLARIFY])
def test_a_step_is_drafted_for_its_owner_from_any_phase_of_the_talk_with_an_opening_of_its_own(phase: Phase) -> None:
    step = IN_PHASE[phase]()
    brought = SourceMessage(ts="", author=OWNER, name="Maya", text="The rota ends in May.")
    step.does(SummaryRequested, signal=InterviewCommand.DRAFT, material=(brought,))
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.DISCUSS)
    assert step.lead.mode is Mode.DIRECT
    note, said, opening, reply = step.transcript[-4:]
    assert (note.role, note.text) == (Role.NOTE, decision_steps.DRAFTING_FOR_MODEL)
    assert (said.role, said.text, said.author, said.author_name) == (Role.PERSON, brought.text, OWNER, "Maya")
    assert opening.text == decision_steps.DRAFTING.format(title=PREPARED.title)
    assert reply.seq == step.reply.seq
    assert opening.seq in [each.reply for each in step.now.effects if isinstance(each, FinishReply)]


@pytest.mark.req("AG-06")
def test_a_question_that_was_open_is_withdrawn_when_a_draft_is_wanted() -> None:
    step = gathering().answers("Which?", CHOICE).posts_cards()
    assert step.now.question
    step.signals(InterviewCommand.DRAFT)
    assert step.now.question is None
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.DISCUSS)


@pytest.mark.req("AG-06")
def test_without_material_a_draft_adds_no_word_of_the_owner() -> None:
    step = ready().signals(InterviewCommand.DRAFT)
    assert [row.role for row in step.transcript[-3:-1]] == [Role.NOTE, Role.ASSISTANT]
    assert step.lead.has_content


@pytest.mark.req("AG-06")
def test_a_draft_that_is_wanted_during_an_answer_comes_after_it() -> None:
    step = gathering().says("Oslo").signals(InterviewCommand.DRAFT)
    assert step.at[1] is Phase.GATHER
    step.replies("I see.")
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.DISCUSS)


@pytest.mark.req("AG-06")
def test_a_step_that_begins_in_direct_mode_opens_with_what_is_drafted() -> None:
    assert StepThread(mode=Mode.DIRECT).transcript[0].text == decision_steps.DRAFTING.format(title=PREPARED.title)
    assert StepThread().transcript[0].text == PREPARED.opening
