"""What becomes of an extraction that fails, is stopped, or finds data that it cannot correct."""

from __future__ import annotations

import pytest

from app.core.conversation.call import Call
from app.core.conversation.conversation import Role
from app.core.copy import decision_steps
from app.core.events.acts import SummaryRequested
from app.core.state.interview import InterviewCommand, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from tests.unit.core.interviews import (
    EDITED,
    IN_PHASE,
    MATERIAL,
    OTHER_DRAFT,
    READY,
    StepThread,
    confirming,
    extracting,
    gathering,
    ready,
)
from tests.unit.core.live import CHOICE


@pytest.mark.parametrize("phase", [Phase.GATHER, Phase.CLARIFY])
def test_an_extraction_that_ends_without_a_draft_leads_back_to_the_phase_it_began_in(phase: Phase) -> None:
    for ends in (StepThread.fails, StepThread.stops, StepThread.gives_up):
        step = IN_PHASE[phase]().signals()
        assert step.now.phase is Phase.EXTRACT
        ends(step)
        assert step.at == (Lifecycle.IN_PROGRESS, phase, Stage.DISCUSS)
        assert (step.lead.came_from, step.lead.wanted, step.runs) == (None, False, False)
        assert step.answers("And?").now.phase is phase


def test_data_that_cannot_be_corrected_is_asked_about_with_all_that_waits_for_an_answer() -> None:
    step = extracting().says("By the way, it is urgent.")
    reply, said = step.reply.seq, step.transcript[-1].seq
    step.exhausts("no measure", "no owner")
    note = next(row for row in step.transcript if row.role is Role.NOTE)
    assert note.text == decision_steps.EXHAUSTED_FOR_MODEL.format(issues="no measure; no owner")
    assert step.rows[reply].role is Role.ASSISTANT
    assert (note.seq > said > reply, step.now.phase) == (True, Phase.GATHER)
    assert step.runs, "the model asks about it"
    assert step.now.answered == step.reply.seq
    assert (step.lead.came_from, step.lead.discussed) == (None, 0)


@pytest.mark.parametrize("calls", [(), (READY,)])
def test_after_data_that_could_not_be_corrected_nothing_is_summarised_until_somebody_speaks(
    calls: tuple[Call, ...],
) -> None:
    step = extracting()
    step.exhausts("no measure")
    step.replies("It did not work out.", *calls, ready=True)
    assert (step.now.phase, step.runs) == (Phase.GATHER, False)
    (reply,) = [row for row in step.transcript if row.text == "It did not work out."]
    assert reply.offers, "the owner can ask for it"
    assert step.answers("I see.", *calls, ready=True).now.phase is Phase.EXTRACT


def test_what_the_owner_says_while_that_answer_is_written_counts_as_said() -> None:
    step = extracting()
    step.exhausts("no measure")
    said = step.says("By the hours until help.").now.head
    assert step.replies("Noted.", READY, ready=True, heard=(said,)).now.phase is Phase.EXTRACT


def test_the_owners_wish_counts_beside_an_answer_about_data_that_could_not_be_corrected() -> None:
    step = extracting()
    step.exhausts("no measure")
    assert step.signals().replies("It did not work out.").now.phase is Phase.EXTRACT


def test_a_draft_that_is_wanted_leaves_no_gap_between_its_rows() -> None:
    step = ready().does(SummaryRequested, signal=InterviewCommand.DRAFT, material=MATERIAL)
    assert sorted(step.rows) == [*range(1, step.now.head + 1)]


def test_an_answer_that_begins_the_summary_does_not_offer_it() -> None:
    step = gathering().answers("And?").answers("Then I have it all.", READY, ready=True)
    assert step.now.phase is Phase.EXTRACT
    replied = [row for row in step.transcript if row.text == "Then I have it all."]
    assert [(row.offers, row.turns_left) for row in replied] == [(False, 0)]


@pytest.mark.req("FA-01")
def test_a_corrected_draft_waits_while_a_question_of_the_model_is_open_and_tells_who_made_it() -> None:
    step = confirming().clicks("1").says("O1").replies("I see.", CHOICE, drafted=EDITED)
    assert (step.now.phase, step.lead.drafts) == (Phase.GATHER, 1)
    step = confirming().says("The name is not right.")
    step.replies("Changed.", step.notes(OTHER_DRAFT), drafted=EDITED, model="claude-9")
    assert (step.now.phase, step.lead.drafts, step.lead.model) == (Phase.CONFIRM, 2, "claude-9")
