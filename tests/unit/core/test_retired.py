"""A step that nobody leads any more, and what its owner still presses in it: refused, and nothing is changed."""

from __future__ import annotations

import pytest

from app.core.conversation.effect import PostEphemeral, SaveVersion
from app.core.copy import decision_steps
from app.core.events.acts import ReopenRequested, SummaryRequested
from app.core.events.heard import OwnerAct
from app.core.state.interview import InterviewCommand, Phase
from app.core.state.lifecycle import Lifecycle
from tests.unit.core.hubs import HubThread
from tests.unit.core.interviews import DRAFT, DRAFTED, EDITED, StepThread, complete, confirming, gathering
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER, OWNER


def presses(step: StepThread) -> list[OwnerAct]:
    """What can be pressed while a draft waits, each with the news that its component is gone."""
    acts = (
        step.click("0"),
        step.click("1"),
        step.event(SummaryRequested, signal=InterviewCommand.DONE),
        step.edit(EDITED),
        step.restart(Phase.GATHER, DRAFTED),
    )
    return [step.finds(act, component_missing=True) for act in acts]


def is_told(live: Live) -> bool:
    return [(told.user, told.text) for told in live.new(PostEphemeral)] == [(OWNER, decision_steps.RETIRED)]


@pytest.mark.parametrize("which", range(5), ids=["approve", "change", "summarise", "edit", "restart"])
def test_what_is_pressed_in_it_is_told_privately_and_works_when_the_component_is_back(which: int) -> None:
    step = confirming()
    event = presses(step)[which]
    assert step.refuses(event) == "RETIRED"
    assert is_told(step)
    assert (step.now.lifecycle, step.now.phase, step.lead.draft) == (Lifecycle.CONFIRMED, Phase.CONFIRM, DRAFT)
    assert step.now.question is not None, "it still waits"
    step.apply(step.finds(event, component_missing=False), "later")


@pytest.mark.parametrize("yes", ["yes", "approve", "no", "👍"])
def test_what_is_typed_in_it_decides_nothing_and_is_answered(yes: str) -> None:
    step = confirming().says(yes, component_missing=True)
    assert (step.now.lifecycle, step.now.approved, step.now.pending) == (Lifecycle.CONFIRMED, 0, 1)
    assert step.now.question is not None, "it still waits"
    assert not step.new(SaveVersion)
    assert step.runs, "whoever begins the answer says why there is none"


def test_a_finished_one_is_not_reopened_and_can_be_put_away_and_taken_up() -> None:
    step = complete()
    reopening = step.event(ReopenRequested, component_missing=True)
    assert step.refuses(reopening) == "RETIRED"
    assert is_told(step)
    assert step.now.lifecycle is Lifecycle.COMPLETE
    step.archives(confirmed=True)
    step.apply(step.event(ReopenRequested, component_missing=True), "up")
    assert step.now.lifecycle is Lifecycle.COMPLETE


def test_it_is_not_begun_from_its_decision() -> None:
    hub = HubThread()
    assert hub.refuses(hub.finds(hub.requesting("frame"), component_missing=True)) == "RETIRED"
    assert is_told(hub)
    assert hub.requests("frame").opens == ["frame"]


def test_whoever_may_not_press_there_is_told_that_first() -> None:
    step = confirming()
    assert step.refuses(step.finds(step.click("0", OTHER), component_missing=True)) == "NOT_OWNER"
    stale, elsewhere = step.click("0"), gathering()
    elsewhere.finds(stale, component_missing=True)
    assert elsewhere.refuses(stale) != "RETIRED", "an old card asks for nothing"
