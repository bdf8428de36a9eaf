"""A result changed by hand, begun again, left, reopened; and what becomes of it when its ground changes (T2, T3)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from app.core.conversation.card import QuestionCard, StepCard
from app.core.conversation.conversation import Role
from app.core.conversation.effect import PostEphemeral
from app.core.copy import decision_steps
from app.core.machine import apply
from app.core.state.interview import InterviewCommand, JudgedDraft, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Status, TurnState
from tests.unit.core.interviews import (
    CHANGED,
    CONFIRMING,
    DRAFT,
    DRAFTED,
    EDITED,
    EXTRACTING,
    GATHERING,
    IN_PHASE,
    LACKING,
    OTHER_DRAFT,
    StepThread,
    clarifying,
    complete,
    confirming,
    drafted,
    extracting,
    gathering,
    noting,
    ready,
    reopened,
)
from tests.unit.core.live import CHOICE
from tests.unit.core.threads import OWNER

# Edited by hand


@pytest.mark.req("S0-264", "S0-267")
@pytest.mark.parametrize("begun", [gathering, clarifying], ids=["gather", "clarify"])
def test_what_was_noted_and_is_edited_waits_for_an_ok(begun: Callable[[], StepThread]) -> None:
    step = noting(begun).edits()
    assert (step.at, step.now.pending, step.lead.draft) == (CONFIRMING, 1, OTHER_DRAFT)
    assert (step.waits.edited_by, step.lead.model, step.told) == (OWNER, "", ["waits", "shown"])
    assert step.hops == [(begun().now.phase, "confirm")]


@pytest.mark.req("S0-266", "S0-268", "FA-27")
def test_a_revision_is_kept_as_a_note_and_all_that_was_said_stays() -> None:
    step = confirming()
    before = step.transcript
    step.edits()
    note = next(row for row in step.transcript if row.data)
    assert (note.role, json.loads(note.data)) == (Role.NOTE, OTHER_DRAFT)
    assert note.text == decision_steps.EDITED_FOR_MODEL.format(version=1)
    assert [row.text for row in step.transcript[: len(before)]] == [row.text for row in before]


@pytest.mark.req("S0-267")
def test_the_card_that_waits_shows_what_was_edited_and_what_was_shown_before_cannot_be_approved() -> None:
    step = confirming()
    card, question = step.shown(StepCard).seq, step.now.question
    step.edits()
    assert (step.at, step.shown(StepCard).seq) == (CONFIRMING, card)
    assert step.now.question != question
    assert (step.waits.edition, step.waits.edited_by, step.waits.draft) == (step.lead.edition, OWNER, 1)
    assert step.clicks("0").lead.draft == OTHER_DRAFT


@pytest.mark.parametrize("place", ["0", "1"])
def test_a_click_on_what_the_card_showed_before_is_no_answer_to_what_it_shows_now(place: str) -> None:
    step = confirming()
    seen = step.waits.question.id
    step.edits()
    card = step.now.question.card if step.now.question else 0
    assert step.refuses(step.click(place, card=card, question=seen)) == "STALE_EDIT"
    assert (step.at, step.lead.draft) == (CONFIRMING, OTHER_DRAFT)
    assert step.new(PostEphemeral), "the owner is told to look again"
    event = step.click(place, card=card, question=step.waits.question.id)
    step.apply(event, event.receipt)
    assert (step.now.question is None, step.lead.is_change_pressed) == (place == "0", place == "1")


@pytest.mark.req("FA-13")
def test_edits_of_a_card_leave_what_it_is_compared_with_until_another_card_is_shown() -> None:
    third = drafted({"objectives": [{"handle": "O1", "name": "Fewer calls"}]})
    step = confirming()
    assert step.lead.compared == DRAFT
    step.edits().edits(third)
    assert (step.lead.compared, step.lead.shown) == (DRAFT, third.draft)
    step.says("The name.").replies("Changed.", step.notes(OTHER_DRAFT), drafted=EDITED).posts_cards()
    assert (step.waits.draft, step.lead.compared) == (2, third.draft)
    assert step.edits(third).lead.compared == third.draft
    again = reopened().signals().extracts().posts_cards()
    assert again.lead.compared == {}, "the approved version is"
    assert again.edits().lead.compared == {}


def test_an_edit_may_leave_something_missing_and_then_there_is_no_approving() -> None:
    step = confirming().edits(LACKING)
    assert step.waits.missing == LACKING.missing
    assert step.refuses(step.click("0")) == "CRITERIA"


@pytest.mark.parametrize(
    ("step", "found", "older", "code"),
    [
        (confirming(), None, 0, "BAD_EDIT"),
        (confirming(), EDITED, 1, "STALE_EDIT"),
        (noting(), None, 0, "BAD_EDIT"),
        (noting(), EDITED, 1, "STALE_EDIT"),
        (ready(), EDITED, 0, "NO_EXTRACTION"),
        (gathering(), EDITED, 0, "NO_EXTRACTION"),
        (extracting(), EDITED, 0, "NO_EXTRACTION"),
        (noting().signals(), EDITED, 0, "BUSY"),
        (complete(), EDITED, 0, "CANNOT_REVISE"),
        (complete(), None, 1, "CANNOT_REVISE"),
    ],
)
def test_an_edit_that_cannot_be_changes_nothing(
    step: StepThread, found: JudgedDraft | None, older: int, code: str
) -> None:
    before = step.lead
    assert step.refuses(step.edit(found, before.edition - older)) == code
    assert step.lead == before
    assert step.new(PostEphemeral), "the owner is told"


@pytest.mark.req("S0-265")
def test_what_is_finished_cannot_be_revised() -> None:
    step = complete()
    assert step.refuses(step.edit()) == "CANNOT_REVISE"
    (told,) = step.new(PostEphemeral)
    assert told.text.startswith("Cannot revise completed conversation")
    assert "*Discuss again*" in told.text, "what to do instead"


def test_a_form_of_the_interview_counts_as_said() -> None:
    step = ready().edits(EDITED, said="Fewer lost evenings")
    assert (step.at[:2], step.lead.draft, step.lead.has_content) == (
        (Lifecycle.IN_PROGRESS, Phase.INTRO),
        OTHER_DRAFT,
        True,
    )
    said = step.transcript[-2]
    assert (said.role, said.text, said.author) == (Role.PERSON, "Fewer lost evenings", OWNER)
    assert step.replies("Noted.").at == GATHERING


@pytest.mark.parametrize(
    ("step", "code"), [(complete(), "CANNOT_REVISE"), (extracting(), "BUSY"), (gathering(), "BAD_EDIT")]
)
def test_a_form_that_comes_too_late_or_is_not_valid_changes_nothing(step: StepThread, code: str) -> None:
    assert step.refuses(step.edit(None, said="x")) == code


def test_a_form_that_changes_a_draft_that_waits_is_an_edit() -> None:
    step = confirming().edits(EDITED, said="Fewer lost evenings")
    assert (step.at, step.waits.edited_by, step.runs) == (CONFIRMING, OWNER, False)


@pytest.mark.req("FA-27")
def test_what_a_form_says_of_a_draft_that_waits_reaches_the_model_although_no_field_changes() -> None:
    step = confirming()
    step.edits(DRAFTED, said="O1 Fresh food: A4 Truck I don't know")
    note = next(row for row in step.transcript if row.data)
    assert (note.role, json.loads(note.data)) == (Role.NOTE, DRAFT)
    assert note.text == decision_steps.RATED_FOR_MODEL.format(version=1, said="O1 Fresh food: A4 Truck I don't know")


# Begun again


@pytest.mark.req("S0-264")
@pytest.mark.parametrize("begun", Phase)
@pytest.mark.parametrize("to", [Phase.INTRO, Phase.GATHER, Phase.CLARIFY])
def test_an_interview_goes_on_from_any_phase_with_its_draft(begun: Phase, to: Phase) -> None:
    step = IN_PHASE[begun]()
    draft = step.lead.draft
    step.restarts(to)
    assert step.at == (Lifecycle.IN_PROGRESS, to, Stage.DISCUSS)
    assert (step.lead.draft, step.lead.discussed, step.now.pending, step.now.question) == (draft, 0, 0, None)
    note = step.transcript[-2]
    assert note.text == decision_steps.RESTARTED_FOR_MODEL.format(phase=to.value)
    assert (step.runs, step.reply.stage) == (True, Stage.NONE)
    assert ("waits_no_more" in step.told) == (begun is Phase.CONFIRM)


@pytest.mark.parametrize("begun", [Phase.INTRO, Phase.GATHER, Phase.CLARIFY, Phase.CONFIRM])
def test_the_summary_can_be_begun_again(begun: Phase) -> None:
    step = IN_PHASE[begun]().restarts(Phase.EXTRACT)
    by_gather = [(begun.value, "gather"), ("gather", "extract")]
    passes = begun in (Phase.INTRO, Phase.CONFIRM)
    assert (step.at, step.hops) == (EXTRACTING, by_gather if passes else [(begun.value, "extract")])
    assert (step.runs, step.reply.stage) == (True, Stage.SUMMARIZE)


def test_a_summary_that_is_under_way_is_not_begun_again() -> None:
    step = extracting()
    event, turn = step.restart(Phase.EXTRACT), step.now.turn
    assert not apply.ends_turn(step.now, event, step.facts(event))
    step.apply(event, event.receipt)
    assert (step.at, step.now.turn, step.now.run) == (EXTRACTING, turn, TurnState.STREAMING)


@pytest.mark.parametrize("begun", [gathering, clarifying], ids=["gather", "clarify"])
def test_what_was_noted_can_be_shown_for_approval_as_it_is(begun: Callable[[], StepThread]) -> None:
    step = noting(begun).restarts(Phase.CONFIRM)
    assert (step.at, step.waits.sheet, step.lead.draft) == (CONFIRMING, DRAFTED.sheet, DRAFT)


def test_confirm_is_not_begun_again_while_it_waits() -> None:
    step = confirming().says("Why?")
    event, turn = step.restart(Phase.CONFIRM), step.now.turn
    assert not apply.ends_turn(step.now, event, step.facts(event))
    step.apply(event, event.receipt)
    assert (step.at, step.now.turn, step.new(PostEphemeral)) == (CONFIRMING, turn, [])


@pytest.mark.parametrize(
    ("step", "to", "found", "code"),
    [
        (ready(), Phase.GATHER, None, "ILLEGAL"),
        (IN_PHASE[Phase.INTRO](), Phase.CONFIRM, DRAFTED, "NO_EXTRACTION"),
        (gathering(), Phase.CONFIRM, None, "NO_EXTRACTION"),
        (extracting(), Phase.CONFIRM, DRAFTED, "BUSY"),
        (complete(), Phase.GATHER, DRAFTED, "READ_ONLY"),
        (confirming().archives(confirmed=True), Phase.GATHER, DRAFTED, "ARCHIVED"),
    ],
)
def test_a_restart_that_cannot_be_ends_nothing(
    step: StepThread, to: Phase, found: JudgedDraft | None, code: str
) -> None:
    before = step.now
    assert step.facts(step.restart(to, found)).closed_reply is None
    assert step.refuses(step.restart(to, found)) == code
    assert (step.now.phase, step.now.turn) == (before.phase, before.turn)


def test_nothing_can_be_summarised_before_the_first_word_of_the_owner() -> None:
    step = ready().says("done", signal=InterviewCommand.DONE)
    assert step.refuses(step.restart(Phase.EXTRACT, None)) == "NO_EXTRACTION"


def test_a_restart_forgets_what_was_asked_and_wanted_before() -> None:
    step = gathering().answers("Which?", CHOICE).posts_cards().says("What do you mean?").signals()
    step.restarts(Phase.INTRO)
    assert (step.now.question, step.now.status, step.lead.wanted) == (None, Status.ACTIVE, False)
    assert step.card(QuestionCard).state == "cancelled"
    assert step.replies("Let us begin again.").at == GATHERING


def test_a_draft_that_is_noted_in_part_stays_and_the_model_is_told_what_changed() -> None:
    step = noting().hears(CHANGED)
    assert step.lead.draft == DRAFT
    assert [row.text for row in step.transcript if row.role is Role.NOTE][
        -1
    ] == decision_steps.CHANGED_FOR_MODEL.format(title="Frame", version=2)
