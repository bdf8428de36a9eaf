"""A step whose component's folder was removed: people are told so, nobody is asked, and all else goes on as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.call import DraftNoted
from app.core.conversation.conversation import Conversation, MessageStatus
from app.core.conversation.news import UpstreamChange
from app.core.errors import FailureKind
from app.core.events.acts import (
    ArchiveRequested,
    DraftEdited,
    EraseConfirmed,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    StepRequested,
    SummaryRequested,
)
from app.core.events.heard import MessagePosted, NoticeReceived
from app.core.state.interview import InterviewCommand, Phase
from app.core.state.lifecycle import Lifecycle
from tests.unit.core.interviews import HUB
from tests.unit.core.threads import reply
from tests.unit.decision.components.worked import minimal
from tests.unit.handlers.decided import hub
from tests.unit.runtime.test_fact_gatherer import gathered, happened, posted
from tests.unit.voiced import Voiced


def retired(now: Conversation, **state: Any) -> Conversation:
    """The same step, led by a component that is not there any more."""
    assert now.interview is not None
    return replace(now, interview=replace(now.interview, component="weather"), **state)


async def held(voiced: Voiced, **state: Any) -> Conversation:
    return voiced.holds(retired(await voiced.step("issue_raising", draft=minimal("issue_raising")), **state))


@pytest.fixture
def voiced() -> Voiced:
    return Voiced()


@pytest.mark.parametrize("phase", [Phase.GATHER, Phase.EXTRACT])
async def test_whoever_writes_in_it_is_told_and_no_model_is_asked(voiced: Voiced, phase: Phase) -> None:
    row = await voiced.begins("issue_raising", "Hello", phase=phase, retired=True)
    closed = await voiced.answering.end()
    assert (closed.seq, closed.status, closed.failure) == (row.seq, MessageStatus.FAILED, FailureKind.RETIRED.value)
    assert voiced.model.asked == []


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (DraftEdited, {"draft": minimal("issue_raising"), "edition": 1}),
        (RestartRequested, {"phase": Phase.GATHER}),
        (ReopenRequested, {}),
        (NoticeReceived, {"news": UpstreamChange(component="x", title="X", version=2)}),
        (ArchiveRequested, {}),
        (EraseConfirmed, {}),
    ],
)
async def test_what_happens_in_it_is_heard_and_no_draft_of_it_is_judged(
    voiced: Voiced, kind: type[Any], values: dict[str, Any]
) -> None:
    now = await held(voiced, lifecycle=Lifecycle.COMPLETE)
    facts = await voiced.gatherer.gather(happened(kind, now, **values))
    assert (facts.edited_draft, facts.current_draft, facts.updated_draft) == (None, None, None)


async def test_what_is_written_in_it_is_a_message_and_no_sign_to_a_component(voiced: Voiced) -> None:
    now = await held(voiced)
    assert (await voiced.gatherer.gather(posted(now, "done"))).signal is None
    said = reply(9, "I see.", calls=(DraftNoted(draft=minimal("issue_raising"), edition=1),))
    assert not await voiced.book.is_ready(now, said)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (QuestionAnswered, {"card": 1, "value": "0"}),
        (SummaryRequested, {"signal": InterviewCommand.DONE}),
        (DraftEdited, {"draft": {}, "edition": 1}),
        (RestartRequested, {"phase": Phase.GATHER}),
        (ReopenRequested, {}),
        (MessagePosted, {"text": "yes", "opens": False, "addressed": True}),
    ],
)
async def test_what_its_owner_does_says_that_nobody_leads_it_as_long_as_that_is_so(
    voiced: Voiced, kind: type[Any], values: dict[str, Any]
) -> None:
    gone = await held(voiced)
    assert (await gathered(voiced, happened(kind, gone, **values))).component_missing
    back = voiced.holds(await voiced.step("issue_raising"))
    assert not (await gathered(voiced, happened(kind, back, **values))).component_missing


async def test_a_decision_hears_of_a_step_that_it_can_begin_and_of_one_that_it_cannot(voiced: Voiced) -> None:
    now = voiced.holds(hub())
    gone, here = (happened(StepRequested, now, component=key) for key in ("weather", "objectives"))
    assert (await gathered(voiced, gone)).component_missing
    assert not (await gathered(voiced, here)).component_missing


async def test_what_was_approved_in_it_is_in_the_export_and_the_other_steps_do_not_miss_it(voiced: Voiced) -> None:
    kept = await voiced.approves("issue_raising")
    step = await voiced.step("issue_raising")
    await voiced.store.versions.keep(step, replace(kept, component="weather", number=2))
    await voiced.approves("problem_frame")
    versions = await voiced.store.versions.list(HUB)
    assert set(voiced.book.laid_out(versions, "")) == {"issue_raising", "problem_frame"}
    assert "weather" in {version.component for version in versions}
    assert set((await voiced.book.so_far(await voiced.step("objectives"))).results) == {
        "issue_raising",
        "problem_frame",
    }
