"""A draft before its owner: what they write about it, change by hand, and do once it is approved."""

from __future__ import annotations

import pytest

from app.core.copy import decision_steps, texts
from app.core.state.decision import ComponentStatus
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Status
from app.playground.claude import Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.called import labels
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    approves,
    begins,
    card,
    conversation,
    decides,
    decision,
    edits,
    gone,
    interview,
    leads_to_card,
    leads_to_record,
    presses,
    versions,
    window,
)
from tests.unit.decision.components.worked import minimal

ISSUES = minimal("issue_raising")
DRAFT = "*Issue raising* · draft"


async def shown(room: Chat) -> tuple[str, str]:
    """A draft that waits for its owner's OK: hub and thread."""
    hub, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", ISSUES, "We have to decide where to meet")
    await room.rests()
    return hub, thread


async def stands(room: Chat, thread: str) -> tuple[Lifecycle, Phase | None, Status]:
    now = await conversation(room, thread)
    return now.lifecycle, now.phase, now.status


@pytest.mark.req("S0-078", "S0-079", "S0-081")
@pytest.mark.parametrize("objection", ["okay, but D1 is wrong", "incorrect", "no, it should name the month"])
async def test_an_objection_is_no_approval_whatever_it_begins_with(room: Chat, objection: str) -> None:
    hub, thread = await shown(room)
    await room.exchanges(objection, "What should it be?", thread=thread)
    await room.rests()
    assert await stands(room, thread) == (Lifecycle.IN_PROGRESS, Phase.GATHER, Status.ACTIVE)
    put_aside = await card(room, thread, DRAFT)
    assert "Changes asked for" in text_of(put_aside)
    assert labels(put_aside) == ["Show details"], "who says what is to change can read it"
    assert (await interview(room, thread)).draft["potential_decisions"], "what was captured is kept"
    assert await versions(room, hub) == {}


@pytest.mark.req("S0-057", "S0-096")
@pytest.mark.parametrize("yes", ["yes", "Looks good to me!", "👍"])
async def test_a_yes_in_words_approves(room: Chat, yes: str) -> None:
    hub, thread = await shown(room)
    await room.says(yes, thread=thread)
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    assert await stands(room, thread) == (Lifecycle.COMPLETE, Phase.CONFIRM, Status.ACTIVE)
    assert [*await versions(room, hub)] == [("issue_raising", 1)]
    assert len(room.claude.requests) == 3, "nobody has to ask the model what a yes means"


@pytest.mark.req("S0-081")
async def test_a_question_about_the_draft_is_answered_in_place_and_the_draft_goes_on_waiting(room: Chat) -> None:
    _, thread = await shown(room)
    before = await card(room, thread)
    room.will_answer("Because you named it first.")
    await room.says("Why is D1 on top?", thread=thread)
    answer = await room.sees("Because you named it first.", thread=thread)
    await room.until(lambda: "is still open" in text_of(next(m for m in room.thread(thread) if m.ts == answer.ts)))
    await room.rests()
    assert await stands(room, thread) == (Lifecycle.CONFIRMED, Phase.CONFIRM, Status.WAITING_INPUT)
    assert (await card(room, thread)).ts == before.ts
    await approves(room, thread)


async def test_what_the_model_takes_for_an_approval_approves_and_it_cannot_while_something_is_missing(
    room: Chat,
) -> None:
    _, thread = await shown(room)
    room.will_answer(Turn(parts=[Text("Good."), ToolCall("resolve_confirmation", {"decision": "approve"})]))
    await room.says("You have got my meaning very well indeed there", thread=thread)
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    assert (await conversation(room, thread)).approved == 1


async def test_words_after_request_changes_that_leave_it_open_let_the_model_ask_what_shall_change(room: Chat) -> None:
    _, thread = await shown(room)
    await presses(room, thread, f"{action_ids.ANSWER_PREFIX}1")
    await room.sees(decision_steps.WRITE_CHANGES, thread=thread)
    assert await stands(room, thread) == (Lifecycle.CONFIRMED, Phase.CONFIRM, Status.WAITING_INPUT)
    await room.exchanges("This is not what I meant", "What shall I change?", thread=thread)
    assert await stands(room, thread) == (Lifecycle.IN_PROGRESS, Phase.GATHER, Status.ACTIVE)


@pytest.mark.req("S0-264", "S0-266", "S0-267")
@pytest.mark.req("S0-268")
async def test_a_draft_changed_by_hand_is_noted_and_waits_for_approval_once_more(room: Chat) -> None:
    hub, thread = await shown(room)
    before = await card(room, thread)
    await edits(room, thread, "Where to meet in May")
    assert await room.slack.people.submits("Maya") == {}
    await window(room, "Where to meet in May")
    await room.slack.people.closes("Maya")
    changed = await card(room, thread, "Where to meet in May")
    assert changed.ts == before.ts
    assert "Edited by" in text_of(changed)
    await room.rests()
    now = await conversation(room, thread)
    rows = await room.store.conversations.transcript(now, 0)
    (note,) = [row for row in rows if row.text == decision_steps.EDITED_FOR_MODEL.format(version=1)]
    assert "Where to meet in May" in note.data
    assert next(row.text for row in rows if row.author) == "We have to decide where to meet"
    assert (now.lifecycle, now.pending) == (Lifecycle.CONFIRMED, 1)
    await approves(room, thread)
    await room.rests()
    kept = (await versions(room, hub))["issue_raising", 1]
    assert kept.data["potential_decisions"][0]["description"] == "Where to meet in May"


@pytest.mark.req("S0-059", "S0-063", "S0-265")
async def test_an_edit_that_comes_after_the_approval_is_refused(room: Chat) -> None:
    hub, thread = await shown(room)
    await edits(room, thread, "Where to meet in May")
    await approves(room, thread)
    await room.rests()
    told = await room.slack.people.submits("Maya")
    assert [*told.values()] == [decision_steps.CANNOT_REVISE]
    assert (await versions(room, hub))["issue_raising", 1].data["potential_decisions"][0]["description"] == (
        "Where to meet"
    )
    refused = await room.says("And one thing more", thread=thread)
    await room.sees(decision_steps.NOT_KEPT, thread=thread)
    await room.until(lambda: "lock" in room.marks(refused))


@pytest.mark.req("S0-021", "S0-269", "S0-270")
async def test_nobody_else_can_reopen_a_step_and_that_they_tried_is_in_the_trail(room: Chat) -> None:
    await decides(room)
    thread = await leads_to_record(room, "issue_raising", ISSUES)
    await presses(room, thread, action_ids.REOPEN, who="Sam")
    await room.sees("Only <@", thread=thread, who="Sam")
    await room.rests()
    assert (await conversation(room, thread)).lifecycle is Lifecycle.COMPLETE
    assert await room.documents("audit_events", {"type": "authorization_failed", "reason": "NOT_OWNER"}) == 1


@pytest.mark.req("S0-271", "S0-272")
async def test_the_owner_reopens_a_step_and_may_leave_it_as_it_was(room: Chat) -> None:
    hub = await decides(room)
    thread = await leads_to_record(room, "issue_raising", ISSUES)
    room.will_answer("So far it is about where to meet. What has changed?")
    await presses(room, thread, action_ids.REOPEN)
    await room.sees(decision_steps.REOPENED_STEP, thread=thread)
    await room.sees("What has changed?", thread=thread)
    await room.rests()
    assert await stands(room, thread) == (Lifecycle.IN_PROGRESS, Phase.GATHER, Status.ACTIVE)
    room.will_answer("Summary: the same.", Turn(parts=[ToolCall("submit_issue_raising", ISSUES)]))
    await room.says("done", thread=thread)
    await card(room, thread)
    await presses(room, thread, action_ids.STEP_MENU, "close")
    await room.sees(decision_steps.LEFT_AS_IT_WAS.format(version=1), thread=thread)
    await gone(room, thread, "waiting for your OK")
    await room.rests()
    assert await stands(room, thread) == (Lifecycle.COMPLETE, Phase.CONFIRM, Status.ACTIVE)
    assert [*await versions(room, hub)] == [("issue_raising", 1)]
    assert (await decision(room, hub)).steps[0].status is ComponentStatus.COMPLETE


async def test_two_presses_of_approve_approve_once(room: Chat) -> None:
    hub, thread = await shown(room)
    waiting = await card(room, thread)
    for _ in range(2):
        await room.slack.people.clicks("Maya", "#general", waiting.ts, f"{action_ids.ANSWER_PREFIX}0")
    await room.sees("Approved as v1", thread=thread)
    await room.sees(texts.ALREADY_DONE, thread=thread)
    await room.rests()
    recorded = decision_steps.RECORDED.format(title="Issue raising", version=1)
    assert len([m for m in room.thread(thread) if recorded in text_of(m)]) == 1
    assert [*await versions(room, hub)] == [("issue_raising", 1)]
