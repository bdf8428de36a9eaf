"""A step that is left as it was approved, or taken up again after that (T2, C-03, C-04)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import StepCard, StepState
from app.core.conversation.news import NextStepMove
from app.core.copy import decision_steps
from app.core.state.lifecycle import Lifecycle
from tests.unit.core.interviews import (
    CHANGED,
    DRAFT,
    EDITED,
    FLAGGED,
    GATHERING,
    OTHER_DRAFT,
    PREPARED,
    StepThread,
    complete,
    confirming,
    extracting,
    gathering,
    ready,
    reopened,
    says,
)
from tests.unit.core.live import INPUT
from tests.unit.core.threads import OTHER, THREAD

# Left as it was approved


@pytest.mark.req("S0-058")
def test_a_step_that_is_discussed_once_more_can_be_left_as_it_was() -> None:
    step = reopened().answers("And?", FLAGGED).closes()
    assert (step.now.lifecycle, step.now.approved, step.told) == (Lifecycle.COMPLETE, 1, ["closed"])
    assert (step.lead.inconsistencies, step.lead.based_on) == ((), {"frame": 1})
    assert says(step, decision_steps.LEFT_AS_IT_WAS.format(version=1)) == 1


def test_a_draft_that_waits_is_dropped_with_it() -> None:
    step = reopened().signals().extracts(EDITED).posts_cards()
    card = step.shown(StepCard).seq
    step.closes()
    shown = step.rows[card].card
    assert isinstance(shown, StepCard)
    assert (shown.state, step.now.pending, step.now.question) == (StepState.WITHDRAWN, 0, None)
    assert step.told == ["waits_no_more", "closed"]


def test_what_runs_and_waits_ends_when_a_step_is_left() -> None:
    step = reopened().answers("Which?", INPUT).posts_cards().says("And O2?").says("And O3?").closes()
    assert (step.now.lifecycle, step.runs, step.now.question) == (Lifecycle.COMPLETE, False, None)
    assert (step.now.asked, step.now.queued) == ((), ())
    assert reopened().signals().closes().now.lifecycle is Lifecycle.COMPLETE


@pytest.mark.parametrize("step", [ready(), gathering().says("And?"), extracting(), confirming()])
def test_what_was_never_approved_cannot_be_left(step: StepThread) -> None:
    before = step.now
    assert step.facts(step.close()).closed_reply is None, "the answer goes on"
    assert step.refuses(step.close()) == "CRITERIA"
    assert step.now.turn == before.turn


def test_a_step_that_is_left_twice_says_so_once() -> None:
    step = reopened().closes().closes()
    assert says(step, decision_steps.LEFT_AS_IT_WAS.format(version=1)) == 1
    assert step.told == []


# Reopened


@pytest.mark.req("S0-269", "S0-271", "S0-272")
def test_a_finished_step_is_reopened_with_what_was_approved() -> None:
    step = complete().reopens(EDITED)
    assert (step.at, step.hops) == (GATHERING, [("confirm", "gather")])
    assert (step.lead.draft, step.now.approved, step.lead.discussed) == (OTHER_DRAFT, 1, 0)
    assert says(step, "Conversation reopened for additional discussion.") == 1
    assert (step.told, step.runs) == (["reopened"], True)


def test_a_version_that_cannot_be_read_any_more_is_discussed_as_it_is_remembered() -> None:
    assert complete().reopens(None).lead.draft == DRAFT


@pytest.mark.req("S0-269")
@pytest.mark.parametrize("step", [ready(), gathering(), extracting(), confirming()])
def test_only_what_is_finished_is_reopened(step: StepThread) -> None:
    assert step.refuses(step.reopening()) == "NOT_COMPLETE"


@pytest.mark.req("S0-270")
def test_nobody_but_the_owner_reopens() -> None:
    step = complete()
    assert step.refuses(step.reopening(user=OTHER)) == "NOT_OWNER"
    assert [event.type for event in step.made.audit] == ["authorization_failed"]


def test_a_step_that_was_begun_anew_is_news_again_however_its_versions_are_counted() -> None:
    forgotten, first = replace(CHANGED, version=0), replace(CHANGED, version=1)
    step = complete().hears(CHANGED, EDITED).closes()
    assert step.lead.based_on == {"frame": 2}
    assert step.hears(forgotten, EDITED).lead.based_on == {}
    assert step.hears(first, EDITED).lead.changed == {"frame": 1}
    waits = confirming()
    assert waits.hears(forgotten, EDITED).waits.edition == 1, "nothing is shown anew"
    assert waits.clicks("0").lead.based_on == {}


@pytest.mark.parametrize("is_last", [False, True])
def test_a_later_version_leads_on_from_the_decision_unless_no_step_comes_after_it(is_last: bool) -> None:
    step = reopened().hears(NextStepMove(component=PREPARED.next_key, thread=THREAD))
    step.signals().extracts(EDITED).posts_cards()
    if is_last:
        prepared = replace(step.lead.prepared, next_key="", next_title="")
        step.now = replace(step.now, interview=replace(step.lead, prepared=prepared))
    card = step.shown(StepCard).seq
    step.clicks("0")
    shown = step.rows[card].card
    assert isinstance(shown, StepCard)
    assert (shown.version, shown.decision is None) == (2, is_last)
