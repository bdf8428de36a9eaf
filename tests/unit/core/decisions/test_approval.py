"""A result before its owner (T2, C-02): approved, changed, asked about, and what of it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.card import NextCard, NoteCard, QuestionCard, StepCard, StepState
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.effect import PostEphemeral, RunTurn, SaveVersion, SendNotice, ShowCard
from app.core.conversation.news import NextStepMove, StepMove
from app.core.copy import decision_steps
from app.core.decisions.approval import require_interview
from app.core.errors import IllegalEvent
from app.core.state.interview import HeldDraft, InterviewCommand, Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.sheet import Sheet
from app.core.state.status import Status
from tests.unit.core.interviews import (
    COMPLETE,
    CONFIRMING,
    DRAFT,
    EDITED,
    FLAGGED,
    GATHERING,
    LACKING,
    NO,
    OTHER_DRAFT,
    PREPARED,
    READY,
    YES,
    StepThread,
    complete,
    confirming,
    drafted,
    extracting,
    gathering,
    reopened,
)
from tests.unit.core.live import CHOICE, Live
from tests.unit.core.threads import OTHER, OWNER, THREAD


@pytest.fixture
def step() -> StepThread:
    return confirming()


@pytest.mark.req("S0-057", "S0-079", "S0-081")
@pytest.mark.parametrize("how", ["click", "yes", "Yes, please!", "approve"])
def test_a_result_is_approved_by_its_owner(step: StepThread, how: str) -> None:
    card = step.shown(StepCard).seq
    step = step.clicks("0") if how == "click" else step.says(how)
    assert (step.at, step.hops) == (COMPLETE, [])
    assert (step.now.approved, step.now.pending, step.now.question, step.now.status) == (1, 0, None, Status.ACTIVE)
    shown = step.rows[card].card
    assert isinstance(shown, StepCard)
    assert (shown.state, shown.by, shown.version) == (StepState.APPROVED, OWNER, 1)
    assert not step.runs, "nobody answers a yes"


def test_what_was_approved_is_kept_as_it_was_shown() -> None:
    step = confirming().clicks("0")
    (keep,) = step.new(SaveVersion)
    row = step.rows[keep.row]
    assert (keep.version, json.loads(row.data), row.author, row.text) == (1, DRAFT, OWNER, "")


@pytest.mark.req("TR-07")
def test_a_draft_whose_card_asks_whether_notes_still_hold_is_approved_as_one_whose_notes_do() -> None:
    held = HeldDraft(draft=OTHER_DRAFT, sheet=Sheet(essence=("It holds.",)))
    step = extracting()
    step.extracts(replace(drafted(DRAFT), held=held)).posts_cards()
    assert step.card(StepCard).sheet != held.sheet
    step.clicks("0")
    assert [json.loads(row.data) for row in step.transcript if row.data] == [OTHER_DRAFT]
    assert step.card(StepCard).sheet == held.sheet
    assert (step.lead.draft, step.lead.drafted and step.lead.drafted.held) == (OTHER_DRAFT, None)


def test_the_decision_hears_what_it_has_to_know_of_a_version() -> None:
    step = confirming(drafted(deadline="2026-03-01", question="Where do we meet?")).clicks("0")
    (move,) = [tell.news for tell in step.new(SendNotice)]
    assert isinstance(move, StepMove)
    assert (move.on, move.version, move.based_on) == ("approved", 1, {"frame": 1})
    assert (move.gist, move.deadline, move.question) == ("1 objective", "2026-03-01", "Where do we meet?")
    assert step.now.title == f"{PREPARED.title} · Where do we meet?"
    assert confirming().clicks("0").now.title == confirming().now.title


def test_the_decision_hears_on_which_card_a_draft_waits(step: StepThread) -> None:
    moves = [tell.news for tell in step.now.effects if isinstance(tell, SendNotice)]
    (shown,) = [each for each in moves if isinstance(each, StepMove) and each.on == "shown"]
    assert shown.card == step.shown(StepCard).seq


@pytest.mark.req("FA-17")
def test_the_decision_hears_whether_the_draft_that_waits_still_lacks_something() -> None:
    step = confirming(LACKING)
    assert _hear_waiting(step.now.effects) == [True]
    assert _hear_waiting(confirming().now.effects) == [False]
    assert _hear_waiting(step.edits().new(SendNotice)) == [False], "what was missing was added by hand"
    assert _hear_waiting(step.edits(drafted(gist="again")).new(SendNotice)) == [], "nothing new to tell"


def test_status_says_of_a_draft_that_something_is_missing_and_else_that_it_waits_for_an_ok() -> None:
    for found, words in ((LACKING, decision_steps.STEP_LACKS), (drafted(), "waiting for your OK")):
        (told,) = confirming(found).asks("status").new(PostEphemeral)
        assert f"{PREPARED.title}: {words}" in told.text


def _hear_waiting(effects: Iterable[Any]) -> list[bool]:
    moves = [tell.news for tell in effects if isinstance(tell, SendNotice) and isinstance(tell.news, StepMove)]
    return [each.lacks for each in moves if each.on == "waits"]


def test_below_an_approved_step_stands_what_comes_next() -> None:
    step = confirming().clicks("0")
    card = step.card(NextCard)
    assert (card.version, card.next_key, card.next_title) == (1, PREPARED.next_key, PREPARED.next_title)


def test_the_card_of_a_version_says_so_when_a_later_one_replaces_it() -> None:
    step = complete()
    first = step.shown(StepCard).seq
    for version in (2, 3):
        step.reopens().replies("What has changed?").posts_cards().signals().extracts().posts_cards().clicks("0")
        former, newest = step.rows[first].card, step.shown(StepCard)
        assert isinstance(former, StepCard)
        assert isinstance(newest.card, StepCard)
        assert (former.state, former.version, former.replaced) == (StepState.APPROVED, version - 1, version)
        assert (newest.card.version, newest.card.replaced) == (version, 0)
        assert [seq in step.now.cards for seq in (first, newest.seq)] == [False, True]
        first = newest.seq
        step.posts_cards()


@pytest.mark.req("FA-18")
def test_the_card_that_offers_the_next_step_leads_to_it_once_it_has_begun_and_offers_it_again_when_it_is_gone() -> None:
    step = complete().posts_cards()
    for thread in (THREAD, None):
        step.hears(NextStepMove(component=PREPARED.next_key, thread=thread))
        assert step.card(NextCard).begun == thread
        assert [each.card for each in step.new(ShowCard)] == [step.shown(NextCard).seq]
        step.hears(NextStepMove(component=PREPARED.next_key, thread=thread))
        assert not step.new(ShowCard), "that is told already"
    step.hears(NextStepMove(component="elsewhere", thread=THREAD))
    assert step.card(NextCard).begun is None


def test_only_once_the_next_step_has_begun_a_later_version_says_that_what_builds_on_it_is_marked() -> None:
    step = reopened().signals().extracts().posts_cards().clicks("0").posts_cards()
    assert (step.now.approved, step.card(StepCard).decision) == (2, None)
    begun = reopened().hears(NextStepMove(component=PREPARED.next_key, thread=THREAD)).signals().extracts()
    begun.posts_cards().clicks("0")
    assert (begun.now.approved, begun.card(StepCard).decision) == (2, begun.lead.decision)


@pytest.mark.req("FA-18")
def test_after_a_later_version_too_the_next_step_is_offered_while_it_has_not_begun_and_in_one_place() -> None:
    step = reopened().signals().extracts().posts_cards()
    before = step.shown(NextCard).seq
    step.clicks("0").posts_cards()
    (offer,) = [row for row in step.transcript if isinstance(row.card, NextCard)]
    assert (step.now.approved, step.card(NextCard).version) == (2, 2)
    assert offer.seq > before
    assert step.rows[before].card == NoteCard(text=decision_steps.RECORDED.format(title=PREPARED.title, version=1))
    begun = reopened().hears(NextStepMove(component=PREPARED.next_key, thread=THREAD)).signals().extracts()
    begun.posts_cards().clicks("0")
    assert (begun.now.approved, begun.card(NextCard).version, begun.card(NextCard).begun) == (2, 1, THREAD)


@pytest.mark.req("S0-096", "S0-113")
def test_nobody_but_the_owner_approves(step: StepThread) -> None:
    assert step.refuses(step.click("0", OTHER)) == "NOT_OWNER"
    step.says("yes", OTHER)
    assert step.at == CONFIRMING


def test_a_yes_that_was_written_before_the_draft_was_shown_approves_nothing() -> None:
    step = extracting()
    early = step.message("yes")
    step.extracts().posts_cards().apply(early, early.receipt)
    assert (step.at, step.now.approved, step.runs) == (CONFIRMING, 0, True), "the model answers it"


@pytest.mark.req("S0-095", "S0-110")
def test_what_lacks_something_is_not_approved_and_the_list_is_told() -> None:
    step = confirming(LACKING)
    assert step.refuses(step.click("0")) == "CRITERIA"
    words = "Before this step can be finished: a measure of O1 &lt;Faster response&gt;."
    assert [told.text for told in step.new(PostEphemeral)] == [words]
    step.says("yes")
    assert (step.at, [told.text for told in step.new(PostEphemeral)]) == (CONFIRMING, [words])
    assert [event.reason for event in step.made.audit] == ["CRITERIA"]
    assert not step.runs


def test_a_list_that_ends_with_a_question_gets_no_full_stop_behind_it() -> None:
    question = "what would you be choosing between?"
    step = confirming(replace(LACKING, missing=(question,)))
    step.says("yes")
    assert [told.text for told in step.new(PostEphemeral)] == [f"Before this step can be finished: {question}"]


@pytest.mark.req("S0-078")
@pytest.mark.parametrize(
    "said", ["okay, but O1 is wrong", "incorrect", "no", "no, O1 is missing", "yes, but without O1", "Request changes"]
)
def test_whatever_objects_asks_for_changes_and_is_answered(step: StepThread, said: str) -> None:
    card = step.shown(StepCard).seq
    step.says(said)
    assert (step.at, step.hops, step.lead.discussed) == (GATHERING, [("confirm", "gather")], 0)
    assert (step.now.pending, step.now.question, step.lead.draft) == (0, None, DRAFT)
    shown = step.rows[card].card
    assert isinstance(shown, StepCard)
    assert shown.state is StepState.CHANGING
    assert (step.told, step.runs) == (["waits_no_more"], True)


@pytest.mark.req("FA-27")
def test_the_button_for_changes_asks_for_them_and_leaves_the_card_as_it_is() -> None:
    step = confirming().clicks("1")
    assert (step.at, step.runs, step.told) == (CONFIRMING, False, [])
    assert step.waits.state is StepState.OPEN
    note, line = step.transcript[-2:]
    assert (note.role, note.text) == (Role.NOTE, decision_steps.CHANGES_PRESSED_FOR_MODEL)
    assert line.card == NoteCard(text=decision_steps.WRITE_CHANGES_OR_APPROVE)
    step.clicks("1")
    (told,) = step.new(PostEphemeral)
    assert (told.text, step.transcript[-1]) == (decision_steps.WRITE_CHANGES_OR_APPROVE, line), "it is said once to all"
    assert step.clicks("0").at == COMPLETE


def test_of_a_draft_that_lacks_something_the_button_for_changes_does_not_say_that_it_can_be_approved() -> None:
    step = confirming(drafted(missing=("at least one",))).clicks("1")
    assert step.transcript[-1].card == NoteCard(text=decision_steps.WRITE_CHANGES)


@pytest.mark.parametrize("said", ["Why is O1 first?", "O1 is about the calls.", "no"])
def test_the_owners_next_words_after_that_button_say_what_should_change(said: str) -> None:
    step = confirming().clicks("1").says(said)
    assert (step.at, step.told, step.runs) == (GATHERING, ["waits_no_more"], True)
    assert "changing" in str(step.shown(StepCard).card)
    step.replies("Changed.", step.notes(OTHER_DRAFT), drafted=EDITED)
    assert step.says("Why?").at == CONFIRMING, "the next card is talked about as any other"


def test_after_that_button_others_are_heard_and_the_owners_yes_and_commands_are_what_they_were() -> None:
    assert confirming().clicks("1").says("It is about calls.", OTHER).at == CONFIRMING
    assert confirming().clicks("1").says("yes").at == COMPLETE
    assert confirming().clicks("1").signals(InterviewCommand.SHOW).at == CONFIRMING


def test_a_draft_that_is_changed_is_shown_anew_as_the_same_version() -> None:
    step = confirming().says("okay, but O1 is wrong")
    step.replies("Changed.", step.notes(OTHER_DRAFT), ready=True)
    assert step.now.phase is Phase.EXTRACT
    step.extracts(EDITED)
    assert (step.at, step.now.pending, step.waits.draft) == (CONFIRMING, 1, 2)


@pytest.mark.req("S0-081")
@pytest.mark.parametrize("said", ["Why is O1 first?", "is that okay?", "hm"])
def test_a_question_about_the_draft_is_answered_in_place(said: str) -> None:
    step = confirming().says(said)
    assert (step.at, step.runs) == (CONFIRMING, True)
    card = step.shown(StepCard)
    step.replies("Because you named it first.")
    assert (step.at, step.shown(StepCard).seq) == (CONFIRMING, card.seq)
    assert step.transcript[-1].still_open == card.parts[0], "the draft is pointed at"


def test_the_model_may_understand_a_reply_as_an_approval_or_as_a_wish_for_changes() -> None:
    step = confirming().says("I can live with that").replies("Good.", YES)
    assert (step.at, step.told) == (COMPLETE, ["approved"])
    step = confirming().says("I am not happy").replies("What is wrong?", NO)
    assert (step.at, step.lead.discussed) == (GATHERING, 1)


def test_the_model_approves_nothing_that_lacks_something() -> None:
    step = confirming(LACKING).says("I can live with that").replies("Good.", YES)
    assert step.at == CONFIRMING
    assert [event.reason for event in step.made.audit if event.type == "illegal_transition"] == ["CRITERIA"]


def test_an_approval_that_was_meant_for_another_draft_counts_for_none() -> None:
    step = confirming().says("I can live with that").edits(EDITED)
    assert (step.waits.draft, step.waits.edited_by) == (2, OWNER)
    step.replies("Good.", YES)
    assert (step.at, step.lead.draft) == (CONFIRMING, OTHER_DRAFT)
    assert [event.reason for event in step.made.audit if event.type == "illegal_transition"] == ["QUESTION_CLOSED"]


def test_where_no_draft_waits_nothing_is_approved_or_changed() -> None:
    for call in (YES, NO):
        step = gathering().answers("Good.", call)
        assert (step.at, step.now.approved) == (GATHERING, 0)
        assert [event.reason for event in step.made.audit if event.type == "illegal_transition"] == ["NOT_CONFIRMED"]


def test_what_waits_for_approval_is_neither_noted_over_nor_summarised() -> None:
    step = confirming().says("Why?")
    stale = replace(step.notes(OTHER_DRAFT), edition=step.lead.edition - 1)
    step.replies("Because.", stale, READY, FLAGGED, drafted=EDITED)
    assert (step.at, step.lead.draft) == (CONFIRMING, DRAFT)
    reasons = [event.reason for event in step.made.audit if event.type == "illegal_transition"]
    assert reasons == ["STALE_RUN", "ILLEGAL"]
    assert step.lead.inconsistencies, "what does not fit is kept, and shown"
    assert step.clicks("0").at == COMPLETE


@pytest.mark.req("FA-28")
def test_a_correction_of_a_draft_that_waits_is_shown_at_once_and_nothing_is_summarised_anew() -> None:
    step = confirming().says("The name is not right.")
    before = step.shown(StepCard).seq
    step.replies("Changed. Does it fit?", step.notes(OTHER_DRAFT), drafted=EDITED, model="claude").posts_cards()
    assert (step.at, step.runs) == (CONFIRMING, False)
    assert (step.waits.draft, step.waits.sheet, step.lead.draft) == (2, EDITED.sheet, OTHER_DRAFT)
    old = step.rows[before].card
    assert isinstance(old, StepCard)
    assert old.state is StepState.SUPERSEDED
    assert step.refuses(step.click("0", card=before)) == "QUESTION_CLOSED"
    assert step.clicks("0").at == COMPLETE
    (kept,) = [row.data for row in step.transcript if row.data and row.author]
    assert json.loads(kept) == OTHER_DRAFT


BROKEN: dict[str, Any] = {"unfinished": True, "model": "claude"}
"""Of a reply that broke off after a finished round."""


@pytest.mark.req("AG-02")
def test_a_correction_in_a_finished_round_of_an_answer_that_broke_off_is_shown_with_the_draft() -> None:
    step = confirming().says("The name is not right.")
    step.replies("Changed. And", step.notes(OTHER_DRAFT), status=MessageStatus.FAILED, drafted=EDITED, **BROKEN)
    step.posts_cards()
    assert (step.at, step.waits.draft, step.waits.sheet, step.lead.draft) == (CONFIRMING, 2, EDITED.sheet, OTHER_DRAFT)
    assert decision_steps.NOT_NOTED_FOR_MODEL not in [row.text for row in step.transcript]
    assert step.clicks("0").at == COMPLETE


def test_an_older_correction_in_an_answer_that_broke_off_changes_no_draft() -> None:
    step = confirming().says("The name is not right.")
    stale = replace(step.notes(OTHER_DRAFT), edition=0)
    step.replies("Changed. And", stale, status=MessageStatus.FAILED, drafted=EDITED, **BROKEN)
    assert (step.at, step.lead.drafts, step.lead.draft) == (CONFIRMING, 1, DRAFT)


@pytest.mark.req("FA-25", "FA-28")
@pytest.mark.parametrize("note_first", [True, False])
def test_what_is_changed_beside_a_request_for_changes_is_in_the_next_draft(note_first: bool) -> None:
    step = confirming().says("The name is not right.")
    calls = (step.notes(OTHER_DRAFT), NO)
    step.replies("Changed.", *(calls if note_first else calls[::-1]), drafted=EDITED).posts_cards()
    assert (step.at, step.runs) == (CONFIRMING, False)
    assert (step.waits.sheet, step.waits.draft, step.lead.draft) == (EDITED.sheet, 2, OTHER_DRAFT)


@pytest.mark.req("FA-01", "FA-25")
@pytest.mark.parametrize("asked", ["Changed. What else?", "Changed."])
def test_a_change_after_which_there_is_more_to_talk_about_is_kept_and_talked_about(asked: str) -> None:
    step = confirming().says("The name is not right.")
    calls = (step.notes(OTHER_DRAFT), NO) if asked.endswith("?") else (step.notes(OTHER_DRAFT),)
    step.replies(asked, *calls, drafted=EDITED if asked.endswith("?") else None)
    assert (step.at[1], step.lead.draft, step.now.question) == (Phase.GATHER, OTHER_DRAFT, None)


@pytest.mark.req("FA-28")
def test_who_asked_for_changes_first_sees_the_correction_on_the_card_and_after_a_long_talk_a_new_summary() -> None:
    step = confirming().clicks("1").says("The name.")
    step.replies("Changed.", step.notes(OTHER_DRAFT), drafted=EDITED).posts_cards()
    assert (step.at, step.waits.draft) == (CONFIRMING, 2)
    step = confirming().clicks("1").answers("What should change?").answers("And why?")
    step.says("The name.").replies("Changed.", step.notes(OTHER_DRAFT), ready=True, drafted=EDITED)
    assert step.at[1] is Phase.EXTRACT
    step = confirming().clicks("1").says("Both.").replies("These do not fit.", FLAGGED)
    step.says("The name.").replies("Changed.", step.notes(OTHER_DRAFT), drafted=EDITED)
    assert step.at[1] is Phase.CLARIFY, "what does not fit is cleared up first"


def test_no_question_of_the_model_takes_the_place_of_a_draft() -> None:
    step = confirming().says("Why?").replies("Which?", CHOICE)
    assert step.at == CONFIRMING
    assert not [row for row in step.transcript if isinstance(row.card, QuestionCard)]


@pytest.mark.req("FA-13")
def test_what_the_opening_and_the_first_card_have_asked_is_asked_on_no_later_card() -> None:
    opening = f"This is what you would give up. {PREPARED.confirm_question}"
    for prepared, later in (
        (PREPARED, PREPARED.confirm_question),
        (replace(PREPARED, opening=opening), decision_steps.DOES_IT_FIT),
    ):
        step = StepThread(prepared=prepared).answers().signals().extracts().posts_cards()
        assert step.waits.question.prompt == PREPARED.confirm_question
        step.says("The name is not right.").replies("Changed.", step.notes(OTHER_DRAFT), drafted=EDITED)
        assert (step.waits.draft, step.waits.question.prompt) == (2, later)


def test_an_old_card_is_closed(step: StepThread) -> None:
    old = step.shown(StepCard).seq
    step.signals(InterviewCommand.SHOW)
    assert step.refuses(step.click("0", card=old)) == "QUESTION_CLOSED"
    assert step.clicks("0").at == COMPLETE
    assert step.refuses(step.click("0", card=old)) == "QUESTION_CLOSED"


@pytest.mark.req("S0-059", "S0-061")
def test_a_finished_step_hears_nothing_but_that_it_is_reopened() -> None:
    step = complete()
    assert step.refuses(step.message("And O2?")) == "READ_ONLY"
    assert [told.offer for told in step.new(PostEphemeral)] == ["discuss"]
    assert step.refuses(step.message("And O2?", OTHER)) == "READ_ONLY_FOR_OTHERS"
    assert step.refuses(step.message("<@UANN> see O2?", addressed=False)) == "UNHEARD"


def test_an_answer_that_is_under_way_when_the_step_is_approved_changes_nothing_any_more() -> None:
    step = confirming().says("Why?").says("And O2?").clicks("0")
    assert (step.now.lifecycle, step.now.asked, step.now.queued) == (Lifecycle.COMPLETE, (), ())
    step.replies("Because.", step.notes(OTHER_DRAFT), CHOICE, NO)
    assert (step.at, step.now.question, step.lead.draft) == (COMPLETE, None, DRAFT)
    assert (step.new(RunTurn), [row for row in step.transcript if row.role is Role.ASSISTANT][-1].status) == (
        [],
        MessageStatus.COMPLETE,
    )


def test_only_the_thread_of_a_step_has_an_interview() -> None:
    with pytest.raises(IllegalEvent, match="NOT_COMPONENT"):
        require_interview(Live().now)


def test_a_version_that_is_approved_later_counts_on() -> None:
    step = complete().reopens().replies("What has changed?").signals().extracts(EDITED)
    assert (step.now.pending, step.waits.closable) == (2, True)
    step.clicks("0")
    assert (step.now.approved, [keep.version for keep in step.new(SaveVersion)]) == (2, [2])
    assert replace(step.lead, changed={}).based_on == {"frame": 1}
