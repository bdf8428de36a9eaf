"""A step of a closed decision stays as it is until the decision is reopened."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.conversation.effect import PostEphemeral, React
from app.core.copy import decision_steps
from app.core.events.acts import ContinuePressed, ReopenRequested, RestartRequested, RetryPressed, SummaryRequested
from app.core.reactions.messages import LOCKED
from app.core.state.interview import InterviewCommand, Phase
from app.core.state.lifecycle import Lifecycle
from tests.unit.core.interviews import complete
from tests.unit.core.test_step_filing import left
from tests.unit.core.threads import OTHER, OWNER


def test_a_finished_step_is_not_discussed_again_and_its_owner_reads_how_to_go_on() -> None:
    step = complete()
    assert step.refuses(step.event(ReopenRequested, decision_closed=True)) == "DECISION_CLOSED"
    assert [(told.user, told.text) for told in step.new(PostEphemeral)] == [(OWNER, decision_steps.DISCUSS_IN_CLOSED)]
    assert step.now.lifecycle is Lifecycle.COMPLETE
    step.does(ReopenRequested)
    assert step.now.lifecycle is Lifecycle.IN_PROGRESS


def test_who_writes_in_a_finished_step_reads_that_the_decision_is_closed_and_how_its_owner_reopens_it() -> None:
    step = complete()
    assert step.refuses(step.message("And O2?", decision_closed=True)) == "DECISION_CLOSED"
    assert [(told.text, told.offer) for told in step.new(PostEphemeral)] == [(decision_steps.NOT_KEPT_IN_CLOSED, None)]
    assert [mark.name for mark in step.new(React)] == [LOCKED]
    assert step.refuses(step.message("And O2?", OTHER, decision_closed=True)) == "READ_ONLY_FOR_OTHERS"
    assert step.refuses(step.message("And O2?")) == "READ_ONLY"
    assert "have not kept your message" in step.new(PostEphemeral)[-1].text


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (RetryPressed, {"reply": 2}),
        (ContinuePressed, {"reply": 2}),
        (SummaryRequested, {"signal": InterviewCommand.DONE}),
        (RestartRequested, {"phase": Phase.GATHER}),
    ],
)
def test_what_is_pressed_in_a_step_of_a_closed_decision_is_answered_by_how_the_decision_is_reopened(
    kind: Any, more: dict[str, Any]
) -> None:
    step = complete()
    assert step.refuses(step.event(kind, decision_closed=True, **more)) == "DECISION_CLOSED"
    assert [told.text for told in step.new(PostEphemeral)] == [decision_steps.DISCUSS_IN_CLOSED]
    assert step.refuses(step.event(kind, **more)) == "READ_ONLY"


@pytest.mark.parametrize("talks", [True, False])
def test_an_archived_step_leaves_the_archive_without_a_talk(*, talks: bool) -> None:
    step = complete().archives(confirmed=True).posts_cards()
    more: dict[str, Any] = {"message": "9.9", "left_message": left("9.9")} if talks else {}
    event = step.event(ReopenRequested, decision_closed=True, **more)
    if talks:
        assert step.refuses(event) == "DECISION_CLOSED"
    else:
        step.apply(event, "up")
        assert step.now.lifecycle is Lifecycle.COMPLETE
