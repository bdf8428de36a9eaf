"""A step put away, taken up again, forgotten (C-04, C-33)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.core.conversation.card import StepCard, StepState
from app.core.conversation.effect import Erase, Offer, OpenStep, PostEphemeral, SendNotice
from app.core.conversation.news import DecisionErased, StepEvent
from app.core.copy import decision_steps
from app.core.machine.apply import find_refusal
from app.core.state.interview import Phase
from app.core.state.status import Status
from tests.unit.core.hubs import HubThread, place, under_way
from tests.unit.core.interviews import (
    COMPLETE,
    CONFIRMING,
    DRAFT,
    GATHERING,
    IN_PHASE,
    StepThread,
    clarifying,
    complete,
    confirming,
    drafted,
    extracting,
    gathering,
    ready,
)
from tests.unit.core.live import CHOICE


@pytest.mark.parametrize("phase", Phase)
def test_archiving_freezes_a_step_where_it_is_and_breaks_off_what_runs(phase: Phase) -> None:
    step = IN_PHASE[phase]().archives(confirmed=True)
    frozen = Phase.GATHER if phase is Phase.EXTRACT else phase
    assert (step.now.status, step.now.phase, step.runs) == (Status.ARCHIVED, frozen, False)
    step.posts_cards().reopens(None)
    assert (step.now.phase, step.runs) == (frozen, False)


def test_an_answer_is_cut_and_a_summary_is_not_wanted_any_more_when_a_step_is_archived() -> None:
    step = gathering().says("And O2?").signals().says("And O3?").archives()
    assert (step.runs, step.now.asked, step.now.queued, step.lead.wanted) == (False, (), (), False)
    assert clarifying().signals().archives().now.phase is Phase.CLARIFY


def test_a_draft_is_not_asked_for_in_the_archive_and_asked_for_again_after_it() -> None:
    step = confirming().archives(confirmed=True).posts_cards()
    assert (step.at, step.now.pending, step.now.question) == (CONFIRMING, 1, None)
    assert step.card(StepCard).state is StepState.WITHDRAWN
    assert step.told == ["waits_no_more"]
    step.reopens(None)
    assert (step.at, step.now.status, step.told) == (CONFIRMING, Status.WAITING_INPUT, ["waits", "shown"])
    assert (step.waits.state, step.waits.draft, step.lead.draft) == (StepState.OPEN, 1, DRAFT)
    assert step.clicks("0").at == COMPLETE


def test_where_an_ok_is_waited_for_archiving_warns_first() -> None:
    step = confirming().archives()
    assert (step.now.status, [told.offer for told in step.new(PostEphemeral)]) == (
        Status.WAITING_INPUT,
        [Offer.ARCHIVE],
    )


def test_of_a_finished_step_the_owner_is_asked_whether_the_step_shall_be_reopened_too() -> None:
    step = complete().archives().posts_cards().reopens(None)
    assert (step.at, step.now.status) == (COMPLETE, Status.ACTIVE)
    assert [(told.text, told.offer) for told in step.new(PostEphemeral)] == [
        (decision_steps.REOPEN_STEP_TOO, Offer.DISCUSS)
    ]
    assert step.reopens().at == GATHERING


@pytest.mark.parametrize("begun", [ready, gathering, extracting, confirming, complete])
def test_a_step_that_is_forgotten_tells_its_decision(begun: Callable[[], StepThread]) -> None:
    step = begun().erases()
    assert step.told[-1] == "erased"
    assert ("waits_no_more" in step.told) == (begun is confirming)
    assert (len(step.new(Erase)), step.runs, step.now.question) == (1, False, None)


def test_a_step_tells_which_handles_it_gave_when_it_is_approved_and_when_it_is_forgotten() -> None:
    step = confirming(drafted(handles={"O": 7}))
    for told in (step.clicks("0"), step.erases(), confirming(drafted(handles={"O": 7})).erases()):
        assert [tell.news.handles for tell in told.new(SendNotice)][-1] == {"O": 7}
    assert [tell.news.handles for tell in gathering().erases().new(SendNotice)] == [{}]


@pytest.mark.parametrize("begun", [ready, gathering, extracting, confirming, complete])
def test_a_step_is_forgotten_with_its_decision(begun: Callable[[], StepThread]) -> None:
    step = begun().hears(DecisionErased())
    assert (len(step.new(Erase)), step.runs, step.now.question) == (1, False, None)
    assert "erased" not in step.told, "there is nobody to tell"
    assert find_refusal(step.now, step.message("And?")) == "ERASING"


def test_a_turn_ends_when_the_decision_is_forgotten() -> None:
    step = gathering().answers("Which?", CHOICE).posts_cards().says("And?").hears(DecisionErased())
    assert (step.runs, len(step.new(Erase)), step.now.cards) == (False, 1, ())


def test_a_decision_that_is_forgotten_takes_its_steps_with_it_and_opens_no_more() -> None:
    hub = under_way("frame", "objectives")
    hub.erases()
    assert hub.tells == [(place(key), DecisionErased()) for key in ("frame", "objectives")]
    hub = HubThread(slow=True).hears("frame", StepEvent.STARTED).requests("objectives").erases()
    assert hub.new(OpenStep) == []
    assert [type(effect) for effect in hub.now.effects if isinstance(effect, SendNotice | Erase)] == [SendNotice, Erase]
