"""A draft that breaks off while its card is made, and words that come while it is made."""

from __future__ import annotations

import asyncio
import json

import pytest

from app.core.conversation.transition import QUEUED
from app.core.copy import texts
from app.playground.claude import Gate, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat
from tests.flow.deciding import approves, card, decides, interview, submission, thread_of
from tests.flow.permitting import final
from tests.unit.decision.components.worked import minimal


async def talks(room: Chat) -> str:
    """A decision begins, and one thing is said, so that there is something to sum up; gives the step's thread."""
    await decides(room)
    thread = await thread_of(room, "Issue raising")
    room.will_answer("What else?")
    await room.says("Where do we meet?", thread=thread)
    await room.sees("What else?", thread=thread)
    await room.rests()
    return thread


@pytest.mark.req("AG-02")
async def test_a_card_that_broke_off_is_made_from_the_finished_summary_and_its_corrections(room: Chat) -> None:
    thread, issues = await talks(room), minimal("issue_raising")
    wrong = submission("issue_raising", {**issues, "decision": "Where to meet"})
    held = Turn(parts=[ToolCall("submit_issue_raising", issues)], gates=[Gate(0, asyncio.Event())])
    room.will_answer("Summary: where to meet.", wrong, held)
    before = len(room.claude.requests)
    await room.says("done", thread=thread)
    await room.until(lambda: len(room.claude.requests) == before + 3)
    await room.says("stop", thread=thread)
    failed = await room.sees(texts.RETRY, thread=thread)
    room.will_answer(submission("issue_raising", issues))
    await room.slack.people.clicks("Maya", "#general", failed.ts, action_ids.RETRY)
    await card(room, thread)
    offered = [[tool["name"] for tool in request.prompt.tools] for request in room.claude.requests[before:]]
    assert offered == [[], *[["submit_issue_raising"]] * 3], "the summary is asked for once"
    assert "Summary: where to meet." in room.claude.requests[-1].prompt.messages[0].text
    messages = room.claude.requests[-1].prompt.messages
    (told,) = [json.loads(block["content"]) for message in messages for block in message.of("tool_result")]
    assert told["result"] == "validation_failed"


@pytest.mark.req("AG-03")
async def test_words_during_a_summary_are_in_the_draft_count_as_said_and_are_answered_after_it(room: Chat) -> None:
    thread, gate = await talks(room), asyncio.Event()
    vans = {"handle": "C1", "text": "We have 20 vans", "evidence": [{"quote": "we have 20 vans"}]}
    found = {**minimal("issue_raising"), "considerations": [vans]}
    room.will_answer(
        Turn(text="Summary: where to meet.", gates=[Gate(9, gate)]),
        submission("issue_raising", found),
        "The 20 vans are in the draft.",
    )
    await room.says("done", thread=thread)
    await room.until(lambda: len(room.claude.requests) == 2)
    said = await room.says("wait, we have 20 vans", thread=thread)
    await room.until(lambda: QUEUED in room.marks(said))
    gate.set()
    await final(room, thread, "The 20 vans are in the draft.")
    summarized, submitted, answered = (request.prompt.messages for request in room.claude.requests[1:])
    assert "20 vans" not in str(summarized)
    assert "wait, we have 20 vans" in submitted[0].text
    assert answered[-1].text.count("wait, we have 20 vans") == 1
    await card(room, thread)
    lead = await interview(room, thread)
    assert lead.drafted is not None
    assert lead.drafted.unsaid == (), "what was written meanwhile was said"
    assert [each["quote"] for each in lead.drafted.draft["considerations"][0]["evidence"]] == ["we have 20 vans"]
    await approves(room, thread)
    await room.sees("Approved as v1", thread=thread)
    assert len(room.claude.requests) == 4, "it is answered once"
