"""*Draft from this file*: what offers it, and what a press leads to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.effect import PostEphemeral
from app.core.conversation.shared_file import SharedFile
from app.core.copy import decision_steps
from app.core.decisions.drafting_files import list_draft_files
from app.core.events.acts import SummaryRequested
from app.core.state.interview import InterviewCommand, Mode, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from tests.unit.core.interviews import PREPARED, StepThread, confirming, gathering

BOARD = SharedFile(id="F1", name="board.xlsx", seq=2, by_owner=True)
COSTS = SharedFile(id="F2", name="`co`sts.csv", seq=2, by_owner=True)
FOREIGN = SharedFile(id="F3", name="hearsay.csv", seq=2)


def with_files(*files: SharedFile, step: StepThread | None = None) -> StepThread:
    step = step or gathering()
    step.now = replace(step.now, files=files)
    return step


def press(step: StepThread, *files: str) -> StepThread:
    return step.does(SummaryRequested, signal=InterviewCommand.DRAFT, files=files)


def offering(*files: str, status: MessageStatus = MessageStatus.COMPLETE) -> Message:
    return Message(seq=3, role=Role.ASSISTANT, text="I see.", status=status, drafts_from=files)


@pytest.mark.req("IN-07")
def test_a_press_drafts_the_step_at_once_from_the_files_that_it_names_and_says_so() -> None:
    step = press(with_files(BOARD, COSTS, FOREIGN), "F1", "F2")
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.DISCUSS)
    assert step.lead.mode is Mode.DIRECT
    note, opening, _ = step.transcript[-3:]
    names = "`board.xlsx` and `'co'sts.csv`"
    assert (note.role, note.text) == (
        Role.NOTE,
        decision_steps.DRAFTING_FROM_FILES_FOR_MODEL.format(files=names),
    )
    assert opening.text == decision_steps.DRAFTING_FROM_FILES.format(title=PREPARED.title, files=names)
    assert "hearsay" not in opening.text


@pytest.mark.req("IN-07")
@pytest.mark.parametrize("files", [(), (COSTS,), (replace(BOARD, by_owner=False),)])
def test_nothing_is_drafted_from_a_file_that_is_gone_or_that_the_owner_did_not_bring(
    files: tuple[SharedFile, ...],
) -> None:
    step = press(with_files(*files), "F1")
    assert step.at[1] is Phase.GATHER
    assert [each.text for each in step.new(PostEphemeral)] == [decision_steps.FILE_GONE]


@pytest.mark.req("IN-07")
def test_a_draft_that_waits_is_shown_again_and_none_is_made_from_the_file() -> None:
    step = confirming()
    shown = step.waits.sheet
    press(with_files(BOARD, step=step), "F1")
    assert step.at[1] is Phase.CONFIRM
    assert step.waits.sheet == shown


@pytest.mark.req("IN-07")
def test_a_file_is_offered_as_long_as_it_is_there_and_its_step_is_discussed() -> None:
    now = with_files(BOARD).now
    assert list_draft_files(now, offering("F1", "F9")) == ("F1",)
    assert list_draft_files(now, offering()) == ()
    assert list_draft_files(now, offering("F1", status=MessageStatus.FAILED)) == ()
    assert list_draft_files(replace(now, phase=Phase.EXTRACT), offering("F1")) == ()
    assert list_draft_files(replace(now, files=()), offering("F1")) == ()


@pytest.mark.req("IN-07")
def test_the_files_alone_count_for_the_draft_until_it_is_approved() -> None:
    step = press(with_files(BOARD, COSTS), "F1")
    assert step.lead.draft_files == ("F1",)
    assert step.transcript[step.lead.drafted_since - 1].text == decision_steps.DRAFTING_FROM_FILES_FOR_MODEL.format(
        files="`board.xlsx`"
    )
    step.extracts()
    assert step.lead.draft_files == ("F1",)
    step.clicks("0")
    assert step.now.approved == 1
    assert step.lead.draft_files == ()


@pytest.mark.req("IN-07")
def test_a_draft_of_the_talk_that_followed_is_no_longer_of_the_files_alone() -> None:
    step = press(with_files(BOARD), "F1").extracts()
    step.clicks("1")
    step.says("Take Porto, too.")
    assert step.lead.draft_files == ("F1",), "the draft that is corrected is still the one from the file"
    step.answers("I see.").signals().answers("Porto it is.")
    assert step.at[1] is Phase.EXTRACT
    assert step.lead.draft_files == ()


@pytest.mark.req("IN-07")
def test_a_draft_that_is_asked_for_without_a_file_is_of_all_that_there_is() -> None:
    step = press(with_files(BOARD), "F1").fails()
    assert step.lead.draft_files == ("F1",)
    assert press(step).lead.draft_files == ()
